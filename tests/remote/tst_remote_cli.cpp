// The paging server and the program as a user starts them: everything that reads takes far:// URLs and gives the same
// bytes as from files, also through a connection that is cut and from a server that is killed and started again; what
// must be refused is refused with one line.

#include <sys/stat.h>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "bench/devices/tcp_relay.h"
#include "tests/remote/server_process.h"
#include "tests/support/pages_stay.h"

namespace farfield::test {
namespace {

const char* const kSession = R"({ "farfield": 1, "data": { "flow": { "source": "@" } },
  "objects": [ { "name": "lines", "type": "streamlines", "data": "flow", "vector": "velocity", "direction": "both",
                 "seeds": { "type": "spread", "count": 60 }, "color": { "by": "density" } },
               { "name": "cut", "type": "slice", "data": "flow", "color": { "by": "pressure" } } ],
  "output": { "images": false } })";

}  // namespace

class TestRemoteCli : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void readsAsFromFiles_data();
  void readsAsFromFiles();
  void convertsToTheSameStore();
  void pagesAreKeptOnDisk();
  void overSsh();
  void overRealSsh();
  void aKilledProgramLeavesAGoodCache();
  void survivesCuts();
  void survivesARestart();
  void longWaitsAreTold();
  void interruptsEndWaits();
  void aTokenIsAskedFor();
  void solutionsBringTheirGrid();
  void tlsIsSpoken();
  void oneServerInFrontOfAnother();
  void foldersAreListed();
  void paths();
  void refusesToStart();
  void endsAndReloads();

 private:
  QString file(const QString& name) const { return m_folder.filePath("data/" + name); }
  QString url(const QString& name) const { return "far://" + m_server->address + "/" + name; }
  void batchvis(const QString& source, const QString& out, Outcome* outcome, int step = 0);

  QTemporaryDir m_folder;
  std::unique_ptr<ServerProcess> m_server;
};

void TestRemoteCli::initTestCase() {
  QVERIFY(QDir().mkpath(m_folder.filePath("data/deep")));
  SUCCEEDS(farfield({"sample", "cylinder", "-o", file("cylinder.h5"), "--size", "48,40,20", "--blocks", "3",
                     "--format", "farfield"},
                    m_folder.path()));
  SUCCEEDS(farfield({"sample", "cylinder", "-o", file("deep/grid"), "--size", "24,20,10", "--blocks", "2",
                     "--format", "plot3d"},
                    m_folder.path()));
  m_server =
      std::make_unique<ServerProcess>(QStringList{"--root", m_folder.filePath("data")}, m_folder.path());
  QVERIFY2(!m_server->address.isEmpty(), m_server->errors().constData());
}

void TestRemoteCli::readsAsFromFiles_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<QString>("grid");
  QTest::addColumn<QString>("solution");
  for (const auto& [name, grid, solution] :
       {std::tuple{"store", "cylinder.h5", ""}, {"plot3d", "deep/grid.xyz", "grid.q"}}) {
    const auto row = [&](const char* what, const QStringList& words) {
      QTest::newRow((std::string(name) + " " + what).c_str()) << words << grid << solution;
    };
    row("info", {"info", "@", "--ranges"});
    row("probe", {"probe", "@", "--function", "velocity", "--line", "1.5,0.2,0.1", "3,0.5,0.2", "--count",
                  "20", "--csv", "probe.csv", "--overwrite"});
    row("integrate", {"integrate", "@", "--surface", "0:kmin", "--function", "pressure"});
    row("verify", {"verify", "@"});
  }
}

void TestRemoteCli::readsAsFromFiles() {
  QFETCH(QStringList, words);
  QFETCH(QString, grid);
  QFETCH(QString, solution);
  const auto run = [&](bool remote) {
    QStringList its = words;
    its[1] = remote ? url(grid) : file(grid);
    const QString folder = QFileInfo(file(grid)).path();
    if (!solution.isEmpty()) its << "--solution" << (remote ? solution : folder + "/" + solution);
    const Outcome outcome = farfield(its, m_folder.path());
    if (outcome.status != 0) qWarning() << outcome.errors;
    QByteArray out = outcome.out + contents(m_folder.filePath("probe.csv"));
    out.replace((remote ? url(grid) : file(grid)).toUtf8(), "NAME");
    return std::pair{outcome.status, out};
  };
  const auto local = run(false), remote = run(true);
  QCOMPARE(local.first, 0);
  QCOMPARE(remote.first, 0);
  QByteArray there = remote.second;
  there.replace(QRegularExpression("server +farfield-pagerd.*\n").match(there).captured().toUtf8(), "");
  QCOMPARE(there, local.second);
}

void TestRemoteCli::convertsToTheSameStore() {
  for (const bool remote : {false, true})
    SUCCEEDS(farfield(
        {"convert", remote ? url("deep/grid.xyz") : file("deep/grid.xyz"), "--solution",
         remote ? "grid.q" : file("deep/grid.q"), "-o", m_folder.filePath(remote ? "far.h5" : "near.h5")},
        m_folder.path()));
  const auto probe = [&](const QString& name) {
    return farfield({"probe", m_folder.filePath(name), "--function", "density", "--line", "1.5,0.2,0.1",
                     "3,0.5,0.2", "--count", "50"},
                    m_folder.path())
        .out;
  };
  QVERIFY(!probe("near.h5").isEmpty());
  QCOMPARE(probe("far.h5"), probe("near.h5"));
  REFUSED(farfield({"convert", url("cylinder.h5"), "-o", m_folder.filePath("again.h5")}, m_folder.path()),
          "made of pages already");
}

void TestRemoteCli::pagesAreKeptOnDisk() {
  const auto run = [&](const QString& out) {
    const QString session = m_folder.filePath(out + ".json");
    write(session, QByteArray(kSession).replace("@", url("cylinder.h5").toUtf8()));
    return farfield({"batchvis", session, "-o", m_folder.filePath(out), "--stats",
                     m_folder.filePath(out + ".stats"), "--memory", "64M"},
                    m_folder.path(), {}, "100M");
  };
  const auto bytes = [&](const QString& out, int source) {
    return QJsonDocument::fromJson(
               contents(m_folder.filePath(out + ".stats")))["paging"]["sources"][source]["bytesRead"]
        .toDouble();
  };
  SUCCEEDS(run("cold"));
  SUCCEEDS(run("warm"));
  QVERIFY(bytes("cold", 0) > 0);
  if (kPagesStay) QCOMPARE(bytes("cold", 1), 0.0);
  QCOMPARE(bytes("warm", 0), 0.0);
  QVERIFY(bytes("warm", 1) > 0);
  QVERIFY(contents(m_folder.filePath("warm/lines.vtp")) == contents(m_folder.filePath("cold/lines.vtp")));
  // What keeps pages is no part of what is planned, and takes nothing away from it, whatever the budget.
  for (const QStringList& memory : {QStringList(), {"--memory", "1M"}, {"--memory", "64M"}})
    SUCCEEDS(farfield(
        QStringList{"probe", url("cylinder.h5"), "--function", "pressure", "--at", "1.5,0.2,1"} + memory,
        m_folder.path(), {}, "100M"));
  // Damage is not drawn: what does not fit its checksum is asked of the server again.
  QDirIterator pages(m_folder.filePath("cache/pages"), {"*.pages"}, QDir::Files,
                     QDirIterator::Subdirectories);
  int damaged = 0;
  while (pages.hasNext()) {
    QFile kept(pages.next());
    QVERIFY(kept.open(QIODevice::ReadWrite));
    for (qint64 at = 100; at < kept.size(); at += 30000, ++damaged) {
      kept.seek(at);
      const char was = kept.read(1).at(0);
      kept.seek(at);
      kept.putChar(static_cast<char>(was ^ 1));
    }
  }
  QVERIFY(damaged > 10);
  SUCCEEDS(run("mended"));
  QVERIFY(bytes("mended", 0) > 0);
  QVERIFY(contents(m_folder.filePath("mended/lines.vtp")) == contents(m_folder.filePath("cold/lines.vtp")));
}

void TestRemoteCli::overSsh() {
  // What it is told, and the server on this machine, in place of ssh.
  const QString script = m_folder.filePath("ssh");
  write(script, ("#!/bin/sh\necho \"$@\" >> " + m_folder.filePath("told") +
                 "\nwhile [ \"$1\" != -- ]; do shift; done\nif [ \"$2\" = nowhere ]; then echo 'ssh: no "
                 "route to nowhere' >&2; "
                 "exit 255; fi\nPATH=" +
                 QFileInfo(serverPath()).path() + ":$PATH exec sh -c \"$3\"\n")
                    .toUtf8());
  QFile::setPermissions(script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("FARFIELD_SSH", (script + " -o Word").toUtf8());
  const auto probe = [&](const QString& name, const QStringList& more = {}) {
    return farfield(
        QStringList{"probe", name, "--function", "density", "--line", "1.5,0.2,0.1", "3,0.5,0.2"} + more,
        m_folder.path());
  };
  const Outcome far = probe("far+ssh://me@host:2222" + file("cylinder.h5"));
  SUCCEEDS(far);
  QCOMPARE(far.out, probe(file("cylinder.h5")).out);
  SUCCEEDS(probe("far+ssh://host" + file("deep/grid.xyz"), {"--solution", "grid.q"}));
  const QByteArray told = contents(m_folder.filePath("told"));
  QVERIFY2(told.startsWith("-o Word -T -p 2222 -l me -- host farfield-pagerd --stdio --root /\n"),
           told.constData());
  QVERIFY2(told.contains("-o Word -T -- host farfield-pagerd"), told.constData());
  REFUSED(farfield({"info", "far+ssh://nowhere/x.h5"}, m_folder.path()), "no route to nowhere");
  REFUSED(farfield({"info", "far+ssh://host" + file("nothing.h5")}, m_folder.path()), "no such file");
  REFUSED(farfield({"info", "far+ssh://-oProxyCommand=x/x.h5"}, m_folder.path()), "far+ssh://");
  qputenv("FARFIELD_SSH", "/nonexistent/ssh");
  REFUSED(farfield({"info", "far+ssh://host/x.h5"}, m_folder.path()), "/nonexistent/ssh");
  qunsetenv("FARFIELD_SSH");
}

void TestRemoteCli::overRealSsh() {
  const QString sshd = QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin"});
  if (sshd.isEmpty() || QStandardPaths::findExecutable("ssh").isEmpty())
    QSKIP("ssh and sshd are not installed");
  const auto at = [&](const char* name) { return m_folder.filePath(name); };
  for (const char* const key : {"hostkey", "userkey"}) {
    QProcess maker;
    maker.start("ssh-keygen", {"-q", "-t", "ed25519", "-N", "", "-f", at(key)});
    QVERIFY(maker.waitForFinished(patienceMs()));
  }
  write(at("authorized"), contents(at("userkey.pub")));
  // A port that is free just now.
  QString port;
  {
    const ServerProcess free({"--root", m_folder.filePath("data")}, m_folder.path());
    port = free.address.mid(free.address.lastIndexOf(':') + 1);
  }
  write(at("sshd.conf"),
        ("ListenAddress 127.0.0.1:" + port + "\nHostKey " + at("hostkey") + "\nAuthorizedKeysFile " +
         at("authorized") + "\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\nSetEnv PATH=" +
         QFileInfo(serverPath()).path() + ":/usr/bin:/bin\n")
            .toUtf8());
  QProcess server;
  server.start(sshd, {"-D", "-e", "-f", at("sshd.conf")});
  if (server.waitForFinished(1000))
    QSKIP(("sshd cannot run here: " + server.readAllStandardError()).constData());
  qputenv("FARFIELD_SSH",
          ("ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o "
           "LogLevel=ERROR -i " +
           at("userkey"))
              .toUtf8());
  const QString url = "far+ssh://127.0.0.1:" + port + file("cylinder.h5");
  SUCCEEDS(farfield({"verify", url}, m_folder.path()));
  Outcome outcome;
  batchvis(url, "bySsh", &outcome);
  SUCCEEDS(outcome);
  batchvis(file("cylinder.h5"), "near", &outcome);
  QVERIFY(contents(m_folder.filePath("bySsh/lines.vtp")) == contents(m_folder.filePath("near/lines.vtp")));
  server.kill();
  server.waitForFinished();
  REFUSED(farfield({"info", url}, m_folder.path()), "far+ssh://127.0.0.1");
  qunsetenv("FARFIELD_SSH");
}

void TestRemoteCli::aKilledProgramLeavesAGoodCache() {
  QVERIFY(QDir(m_folder.filePath("cache/pages")).removeRecursively());
  const QStringList words = {"verify", url("cylinder.h5")};
  for (const int milliseconds : {20, 40, 60, 80, 120}) {
    QProcess process;
    QProcessEnvironment environment = environmentIn(m_folder.path());
    environment.insert("FARFIELD_CACHE_SIZE", "100M");
    process.setProcessEnvironment(environment);
    process.start(programPath(), words);
    QTest::qWait(milliseconds);
    process.kill();
    process.waitForFinished();
  }
  SUCCEEDS(farfield(words, m_folder.path(), {}, "100M"));
  SUCCEEDS(farfield(words, m_folder.path(), {}, "100M"));
}

void TestRemoteCli::batchvis(const QString& source, const QString& out, Outcome* outcome, int) {
  const QString session = m_folder.filePath(out + ".json");
  write(session, QByteArray(kSession).replace("@", source.toUtf8()));
  *outcome = farfield({"batchvis", session, "-o", m_folder.filePath(out), "--stats",
                       m_folder.filePath(out + ".stats"), "--memory", "64M"},
                      m_folder.path());
}

void TestRemoteCli::survivesCuts() {
  Outcome outcome;
  batchvis(file("cylinder.h5"), "near", &outcome);
  SUCCEEDS(outcome);
  batchvis(url("cylinder.h5"), "far", &outcome);
  SUCCEEDS(outcome);
  using namespace std::chrono_literals;
  const bench::TcpRelay relay({.target = m_server->address.toStdString(),
                               .delay = 2ms,
                               .bytesPerSecond = 1e6,
                               .cutEvery = 200ms,
                               .cutAfterBytes = 128 << 10});
  batchvis("far://" + QString::fromStdString(relay.address()) + "/cylinder.h5", "cut", &outcome);
  SUCCEEDS(outcome);
  QVERIFY(relay.cuts() > 0);
  for (const char* const name : {"lines.vtp", "cut.vtp"}) {
    const QByteArray near = contents(m_folder.filePath(QString("near/") + name));
    QVERIFY(near.size() > 1000);
    QVERIFY(contents(m_folder.filePath(QString("far/") + name)) == near);
    QVERIFY(contents(m_folder.filePath(QString("cut/") + name)) == near);
  }
  const auto source = [&](const QString& name) {
    return QJsonDocument::fromJson(contents(m_folder.filePath(name)))["paging"]["sources"][0].toObject();
  };
  for (const char* const key : {"name", "reads", "bytesRead", "roundTripMs", "mbPerSecond", "reconnects"})
    for (const char* const run : {"near.stats", "far.stats", "cut.stats"}) QVERIFY(source(run).contains(key));
  QCOMPARE(source("far.stats")["reconnects"].toInt(), 0);
  QVERIFY(source("cut.stats")["reconnects"].toInt() > 0);
  QVERIFY(source("far.stats")["bytesRead"].toDouble() > 0);
}

void TestRemoteCli::survivesARestart() {
  using namespace std::chrono_literals;
  auto server =
      std::make_unique<ServerProcess>(QStringList{"--root", m_folder.filePath("data")}, m_folder.path());
  const QString address = server->address;
  const bench::TcpRelay relay({.target = address.toStdString(), .delay = 20ms, .bytesPerSecond = 5e5});
  const QString session = m_folder.filePath("restart.json");
  write(session, QByteArray(kSession).replace(
                     "@", ("far://" + QString::fromStdString(relay.address()) + "/cylinder.h5").toUtf8()));
  QProcess process;
  process.setProcessEnvironment(environmentIn(m_folder.path()));
  process.start(programPath(), {"batchvis", session, "-o", m_folder.filePath("restart")});
  QTest::qWait(400);
  server->kill();
  QTest::qWait(300);
  // The port can be taken again at once.
  server = std::make_unique<ServerProcess>(
      QStringList{"--root", m_folder.filePath("data"), "--listen", address}, m_folder.path());
  QCOMPARE(server->address, address);
  const Outcome outcome = outcomeOf(process);
  SUCCEEDS(outcome);
  QVERIFY(contents(m_folder.filePath("restart/lines.vtp")) == contents(m_folder.filePath("near/lines.vtp")));
}

/// Nothing comes any more: the command says for what it waits, and that it goes on.
void TestRemoteCli::longWaitsAreTold() {
  const QStringList serving = {"--root", m_folder.filePath("data")};
  auto server = std::make_unique<ServerProcess>(serving + QStringList{"--rate", "200K"}, m_folder.path());
  const QString address = server->address;
  QVERIFY(!address.isEmpty());
  QProcess process;
  process.setProcessEnvironment(environmentIn(m_folder.path()));
  process.start(programPath(), {"verify", "far://" + address + "/cylinder.h5"});
  QByteArray said;
  const auto says = [&](const char* words) {
    process.waitForReadyRead(10);
    said += process.readAllStandardError();
    return said.contains(words) || process.state() == QProcess::NotRunning;
  };
  QTRY_VERIFY_WITH_TIMEOUT(says("%"), patienceMs());
  server->kill();
  QTRY_VERIFY_WITH_TIMEOUT(says("the connection is lost and tried again"), patienceMs());
  const QByteArray line =
      ("far://" + address + ": the connection is lost and tried again; what needs it waits, up to 60 s\n")
          .toUtf8();
  QVERIFY2(said.contains(line) && process.state() == QProcess::Running, said.constData());
  // So slow that it goes on for a while.
  server = std::make_unique<ServerProcess>(serving + QStringList{"--listen", address, "--rate", "50K"},
                                           m_folder.path());
  QCOMPARE(server->address, address);
  const Outcome outcome = outcomeOf(process);
  said += outcome.errors;
  QCOMPARE(outcome.status, 0);
  QVERIFY2(said.contains(("far://" + address + ": it answers again\n").toUtf8()), said.constData());
  QCOMPARE(said.count("the connection is lost"), 1);
}

void TestRemoteCli::interruptsEndWaits() {
  using namespace std::chrono_literals;
  const bench::TcpRelay relay({.target = m_server->address.toStdString(), .bytesPerSecond = 4e3});
  const QString base = "far://" + QString::fromStdString(relay.address()) + "/";
  for (const QStringList& words : {QStringList{"convert", base + "deep/grid.xyz", "--solution", "grid.q",
                                               "-o", m_folder.filePath("cut.h5")},
                                   QStringList{"verify", base + "cylinder.h5"}}) {
    QProcess process;
    process.setProcessEnvironment(environmentIn(m_folder.path()));
    process.start(programPath(), words);
    // at this rate it takes minutes
    QTest::qWait(1500);
    QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 130);
  }
}

void TestRemoteCli::aTokenIsAskedFor() {
  const QString tokens = m_folder.filePath("tokens");
  write(tokens, "# who may\nabcdefghijklmnop0123 name=alice\nqrstuvwxyz0123456789 root=deep\n");
  ServerProcess server({"--root", m_folder.filePath("data"), "--token-file", tokens}, m_folder.path());
  QVERIFY(!server.address.isEmpty());
  const QString store = "far://" + server.address + "/cylinder.h5";
  REFUSED(farfield({"info", store}, m_folder.path()), "token");
  REFUSED(farfield({"info", store}, m_folder.path(), "not-the-right-token"), "token");
  const Outcome wrong = farfield({"info", store}, m_folder.path(), "not-the-right-token");
  QVERIFY(!wrong.errors.contains("not-the-right"));
  SUCCEEDS(farfield({"info", store}, m_folder.path(), "abcdefghijklmnop0123"));
  SUCCEEDS(farfield({"info", "far://" + server.address + "/grid.xyz", "--solution", "grid.q"},
                    m_folder.path(), "qrstuvwxyz0123456789"));
  REFUSED(farfield({"info", store}, m_folder.path(), "qrstuvwxyz0123456789"), "no such file");
}

/// The grid that lies beside it, by its name, as on this machine.
void TestRemoteCli::solutionsBringTheirGrid() {
  ServerProcess server({"--root", m_folder.filePath("data")}, m_folder.path());
  QVERIFY(!server.address.isEmpty());
  const QString grid = "far://" + server.address + "/deep/grid.xyz",
                solution = "far://" + server.address + "/deep/grid.q";
  const Outcome alone = farfield({"info", solution, "--json"}, m_folder.path());
  SUCCEEDS(alone);
  QVERIFY2(alone.errors.contains(("grid of " + solution + ": " + grid).toUtf8()), alone.errors.constData());
  const Outcome both = farfield({"info", grid, "--solution", "grid.q", "--json"}, m_folder.path());
  SUCCEEDS(both);
  QCOMPARE(alone.out, both.out);
}

void TestRemoteCli::tlsIsSpoken() {
  QTemporaryDir home;
  const QString tokens = home.filePath("tokens");
  write(tokens, "abcdefghijklmnop0123\n");
  // The certificate is made on the first start; the address is not loopback's alone.
  ServerProcess server({"--root", m_folder.filePath("data"), "--listen", "0.0.0.0:0", "--token-file", tokens},
                       home.path());
  QVERIFY2(!server.address.isEmpty(), server.errors().constData());
  const QString host = "far://127.0.0.1:" + server.address.mid(server.address.lastIndexOf(':') + 1);
  const QString token = "abcdefghijklmnop0123";
  REFUSED(farfield({"info", host + "/cylinder.h5"}, home.path(), token), "farfield login");
  QCOMPARE(farfield({"login", host}, home.path(), "not-the-right-token").status, 1);
  SUCCEEDS(farfield({"login", host}, home.path(), token));
  const QFileInfo kept(home.filePath(".config/farfield/servers.json"));
  QVERIFY(kept.exists());
  QCOMPARE(static_cast<int>(kept.permissions() & (QFile::ReadGroup | QFile::ReadOther)), 0);
  // Token and certificate are kept.
  SUCCEEDS(farfield({"info", host + "/cylinder.h5"}, home.path()));
  SUCCEEDS(farfield({"verify", host + "/cylinder.h5"}, home.path()));
  // Another certificate is another server.
  QByteArray text = contents(kept.filePath());
  const auto at = text.indexOf("\"fingerprint\": \"") + 16;
  text.replace(at, 2, text.mid(at, 2) == "00" ? "01" : "00");
  QFile::setPermissions(kept.filePath(), QFile::ReadOwner | QFile::WriteOwner);
  write(kept.filePath(), text);
  REFUSED(farfield({"info", host + "/cylinder.h5"}, home.path()), "certificate");
}

void TestRemoteCli::oneServerInFrontOfAnother() {
  ServerProcess front({"--upstream", "far://" + m_server->address}, m_folder.path());
  QVERIFY(!front.address.isEmpty());
  for (const char* const name : {"cylinder.h5", "deep/grid.xyz"}) {
    const QStringList more =
        QString(name).endsWith(".xyz") ? QStringList{"--solution", "grid.q"} : QStringList();
    const auto probe = [&](const QString& base) {
      return farfield(
          QStringList{"probe", base + name, "--function", "density", "--line", "1.5,0.2,0.1", "3,0.5,0.2"} +
              more,
          m_folder.path());
    };
    const Outcome there = probe("far://" + m_server->address + "/"),
                  here = probe("far://" + front.address + "/");
    SUCCEEDS(there);
    SUCCEEDS(here);
    QCOMPARE(here.out, there.out);
  }
  // What is replaced there is seen as it is, soon.
  const auto replaced = [&](char value) {
    write(file("new.part"),
          "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 4 4 4\nencoding: raw\n\n" + QByteArray(64, value));
    QVERIFY(std::rename(file("new.part").toLocal8Bit().constData(),
                        file("bytes.nrrd").toLocal8Bit().constData()) == 0);
  };
  const auto told = [&] {
    const Outcome outcome =
        farfield({"probe", "far://" + front.address + "/bytes.nrrd", "--function", "value", "--at", "1,1,1"},
                 m_folder.path());
    return outcome.status == 0 ? outcome.out : outcome.errors;
  };
  replaced(77);
  QVERIFY2(told().contains("77"), told().constData());
  replaced(88);
  QTRY_VERIFY_WITH_TIMEOUT(told().contains("88"), 60'000);
  REFUSED(farfield({"info", "far://" + front.address + "/../x"}, m_folder.path()), "leads out");
  SUCCEEDS(farfield({"info", "far://" + front.address + "/deep/"}, m_folder.path()));
  SUCCEEDS(farfield({"info", "far://" + front.address + "/"}, m_folder.path()));
  // A folder of the other server is all there is, also where that has more.
  ServerProcess part({"--upstream", "far://" + m_server->address + "/deep"}, m_folder.path());
  QVERIFY(!part.address.isEmpty());
  SUCCEEDS(farfield({"info", "far://" + part.address + "/"}, m_folder.path()));
  SUCCEEDS(farfield({"info", "far://" + part.address + "/grid.xyz"}, m_folder.path()));
  for (const char* const way : {"/../", "/../cylinder.h5", "/x/../../cylinder.h5", "/.."})
    REFUSED(farfield({"info", "far://" + part.address + way}, m_folder.path()), "leads out");
}

void TestRemoteCli::foldersAreListed() {
  const Outcome root = farfield({"info", url("")}, m_folder.path());
  SUCCEEDS(root);
  QVERIFY2(root.out.contains("  deep/\n") && root.out.contains("  cylinder.h5 "), root.out.constData());
  QVERIFY(root.out.contains("paged store"));
  const Outcome deep = farfield({"info", url("deep/"), "--json"}, m_folder.path());
  SUCCEEDS(deep);
  const QJsonObject said = QJsonDocument::fromJson(deep.out).object();
  QCOMPARE(said["source"].toString(), url("deep/"));
  QVERIFY(!said["server"].toString().isEmpty());
  QVERIFY(!said["entries"].toArray().isEmpty());
  for (const auto& each : said["entries"].toArray()) {
    const QString name = each.toObject()["name"].toString();
    QVERIFY2(QFileInfo(file("deep/" + name)).size() == each.toObject()["bytes"].toInt(), qPrintable(name));
    QCOMPARE(each.toObject()["kind"].toString(), QString("file"));
  }
  REFUSED(farfield({"info", url("../")}, m_folder.path()), "");
  REFUSED(farfield({"info", url("nothing/")}, m_folder.path()), "nothing");
  REFUSED(farfield({"info", url("cylinder.h5/")}, m_folder.path()), "cylinder.h5");
}

void TestRemoteCli::paths() {
  write(m_folder.filePath("outside.h5"), contents(file("cylinder.h5")));
  QVERIFY(QFile::link("../outside.h5", file("link.h5")));
  QVERIFY(QFile::link(m_folder.filePath("outside.h5"), file("absolute.h5")));
  QVERIFY(QFile::link("..", file("up")));
  QVERIFY(QFile::link("/proc/self/root", file("slash")));
  QVERIFY(QFile::link("cylinder.h5", file("inside.h5")));
  QCOMPARE(::mkfifo(file("pipe").toLocal8Bit().constData(), 0600), 0);
  SUCCEEDS(farfield({"info", url("inside.h5")}, m_folder.path()));
  SUCCEEDS(farfield({"info", url("deep/../cylinder.h5")}, m_folder.path()));
  for (const char* const path :
       {"../outside.h5", "deep/../../outside.h5", "link.h5", "absolute.h5", "up/outside.h5", "/etc/passwd",
        "slash/etc/passwd", "%2e%2e/outside.h5", "..%2foutside.h5", "%2fetc%2fpasswd",
        "deep/../../data/../outside.h5", "pipe", "deep", "nothing.h5", "cylinder.h5/x", "a%00b", ".", "..",
        "....//outside.h5"}) {
    const Outcome outcome = farfield({"info", url(path)}, m_folder.path());
    QVERIFY2(outcome.status == 1, path);
    QVERIFY2(outcome.errorLines().size() == 1, outcome.errors.constData());
    QVERIFY2(!outcome.errors.contains("/proc/self"), outcome.errors.constData());
  }
}

void TestRemoteCli::refusesToStart() {
  const auto start = [&](const QStringList& arguments) {
    QProcess process;
    process.setProcessEnvironment(environmentIn(m_folder.path()));
    process.start(serverPath(), arguments);
    return outcomeOf(process);
  };
  const QString root = m_folder.filePath("data");
  REFUSED(start({"--root", root, "--listen", "0.0.0.0:0"}), "token");
  REFUSED(start({"--root", root + "/nothing"}), "no such folder");
  REFUSED(start({"--stdio", "--root", root + "/nothing"}), "no such folder");
  REFUSED(start({"--root", root, "--listen", m_server->address}), "listen");
  REFUSED(start({"--root", root, "--listen", "nowhere"}), "ADDRESS:PORT");
  REFUSED(start({"--root", root, "--token-file", root + "/nothing"}), "nothing");
  QCOMPARE(start({}).status, 2);
  QCOMPARE(start({"--root", root, "--nonsense"}).status, 2);
  const Outcome good = start({"--root", root, "--check-config"});
  SUCCEEDS(good);
  const QString config = m_folder.filePath("pagerd.conf");
  write(config, ("listen = 127.0.0.1:0 # any\n[export flows]\nroot = " + root + "\n").toUtf8());
  SUCCEEDS(start({"--config", config, "--check-config"}));
  write(config, "nonsense = 1\n");
  REFUSED(start({"--config", config, "--check-config"}), "line 1");
}

void TestRemoteCli::endsAndReloads() {
  const QString tokens = m_folder.filePath("reload");
  write(tokens, "abcdefghijklmnop0123\n");
  ServerProcess server({"--root", m_folder.filePath("data"), "--token-file", tokens}, m_folder.path());
  const QString store = "far://" + server.address + "/cylinder.h5";
  SUCCEEDS(farfield({"info", store}, m_folder.path(), "abcdefghijklmnop0123"));
  write(tokens, "another-token-of-some-length\n");
  server.hangUp();
  QTRY_COMPARE_WITH_TIMEOUT(farfield({"info", store}, m_folder.path(), "another-token-of-some-length").status,
                            0, 10000);
  QCOMPARE(farfield({"info", store}, m_folder.path(), "abcdefghijklmnop0123").status, 1);
  QCOMPARE(server.endByTerm(), 0);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestRemoteCli)
#include "tst_remote_cli.moc"
