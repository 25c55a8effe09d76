// Several servers and many clients, as a user starts them: striped sets over two servers, one of two that is killed,
// links that delay, cut and change the order of replies, all to the same bytes as from files; 200 clients of which
// each asks for everything; and names that are exchanged while they are opened.

#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "bench/devices/tcp_relay.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/server_process.h"
#include "tests/support/pages_stay.h"

namespace farfield::test {
namespace {

using namespace std::chrono_literals;
using namespace remote;

const char* const kSession = R"({ "farfield": 1, "data": { "flow": { "source": "@" } },
  "objects": [ { "name": "lines", "type": "streamlines", "data": "flow", "vector": "velocity", "direction": "both",
                 "seeds": { "type": "spread", "count": 60 }, "color": { "by": "density" } },
               { "name": "cut", "type": "slice", "data": "flow", "color": { "by": "pressure" } } ],
  "output": { "images": false } })";
/// More bytes than a page has: what was cut has brought something, however slow the machine is.
constexpr std::uint64_t kAPage = 128 << 10;
constexpr std::uint64_t kOpenedBytes = 64 << 10;  // more than opening the data takes

}  // namespace

class TestRemoteMany : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void stripedOverTwoServers();
  void partsThatAreMissing();
  void stripedFilesOfTheCommand();
  void oneOfTwoServersIsKilled();
  void disorderlyLinks_data();
  void disorderlyLinks();
  void manyGreedyClients();
  void namesThatAreExchanged();

 private:
  QString path(const QString& name) const { return m_folder.filePath(name); }
  Outcome batchvis(const QString& source, const QString& out);
  bool isAsNear(const QString& out) const;
  std::unique_ptr<ServerProcess> serverOf(const QString& folder, const QStringList& more = {}) {
    return std::make_unique<ServerProcess>(QStringList{"--root", path(folder), "--quiet"} + more,
                                           m_folder.path());
  }

  QTemporaryDir m_folder;
};

Outcome TestRemoteMany::batchvis(const QString& source, const QString& out) {
  const QString session = path(out + ".json");
  write(session, QByteArray(kSession).replace("@", source.toUtf8()));
  return farfield({"batchvis", session, "-o", path(out), "--stats", path(out + ".stats")}, m_folder.path());
}

bool TestRemoteMany::isAsNear(const QString& out) const {
  for (const char* const name : {"lines.vtp", "cut.vtp"}) {
    const QByteArray near = contents(path(QString("near/") + name));
    if (near.size() < 1000 || contents(path(out + "/" + name)) != near) return false;
  }
  return true;
}

void TestRemoteMany::initTestCase() {
  QVERIFY(QDir().mkpath(path("data")));
  SUCCEEDS(farfield({"sample", "cylinder", "-o", path("data/cylinder.h5"), "--size", "48,40,20", "--blocks",
                     "3", "--format", "farfield"},
                    m_folder.path()));
  SUCCEEDS(batchvis(path("data/cylinder.h5"), "near"));
  SUCCEEDS(
      farfield({"stripe", path("data/cylinder.h5"), "-o", path("all"), "--parts", "3"}, m_folder.path()));
  for (const char* const folder : {"one", "other"}) {
    QVERIFY(QDir().mkpath(path(folder)));
    QVERIFY(QFile::copy(path("all/set.stripes"), path(QString(folder) + "/set.stripes")));
  }
  QVERIFY(QFile::copy(path("all/set.1.stripe"), path("one/set.1.stripe")));
  QVERIFY(QFile::copy(path("all/set.2.stripe"), path("other/set.2.stripe")));
  QVERIFY(QFile::copy(path("all/set.3.stripe"), path("other/set.3.stripe")));
}

void TestRemoteMany::stripedOverTwoServers() {
  SUCCEEDS(batchvis(path("all/set.stripes"), "striped"));
  QVERIFY(isAsNear("striped"));
  const auto one = serverOf("one"), other = serverOf("other");
  const QString url = "far://" + one->address + "," + other->address + "/set.stripes";
  SUCCEEDS(batchvis(url, "both"));
  QVERIFY(isAsNear("both"));
  const QJsonArray sources =
      QJsonDocument::fromJson(contents(path("both.stats")))["paging"]["sources"].toArray();
  QCOMPARE(sources.size(), 2);
  for (const auto& source : sources) QVERIFY(source.toObject()["bytesRead"].toDouble() > 0);
  const auto pages = [&](const QString& source) { return farfield({"verify", source}, m_folder.path()).out; };
  QVERIFY(pages(url).contains("every checksum is right"));
  QCOMPARE(pages(url), pages(path("data/cylinder.h5")));
  QCOMPARE(pages(path("all/set.stripes")), pages(path("data/cylinder.h5")));
}

void TestRemoteMany::partsThatAreMissing() {
  const auto one = serverOf("one"), other = serverOf("other");
  REFUSED(farfield({"info", "far://" + one->address + "/set.stripes"}, m_folder.path()),
          "part 2 of 3, set.2.stripe, is on none of the servers");
  REFUSED(farfield({"info", path("one/set.stripes")}, m_folder.path()),
          "part 2 of 3, set.2.stripe, is missing");
  // What is copied there while the server runs is found.
  QVERIFY(QFile::copy(path("all/set.2.stripe"), path("one/set.2.stripe")));
  QVERIFY(QFile::copy(path("all/set.3.stripe"), path("one/set.3.stripe")));
  SUCCEEDS(batchvis("far://" + one->address + "/set.stripes", "found"));
  QVERIFY(isAsNear("found"));
  // A part of another set is told by its name.
  SUCCEEDS(
      farfield({"stripe", path("data/cylinder.h5"), "-o", path("two"), "--parts", "2"}, m_folder.path()));
  QVERIFY(QFile::remove(path("one/set.2.stripe")));
  QVERIFY(QFile::copy(path("two/set.2.stripe"), path("one/set.2.stripe")));
  REFUSED(farfield({"info", path("one/set.stripes")}, m_folder.path()), "set.2.stripe");
  const auto fresh = serverOf("one");
  REFUSED(farfield({"info", "far://" + fresh->address + "/set.stripes"}, m_folder.path()), "set.2.stripe");
  for (const char* const part : {"one/set.2.stripe", "one/set.3.stripe"}) QVERIFY(QFile::remove(path(part)));
  // A damaged page is told when it is read, and only then.
  QFile damaged(path("other/set.3.stripe"));
  QVERIFY(damaged.open(QIODevice::ReadWrite));
  damaged.seek(5000);
  const char was = damaged.read(1).at(0);
  damaged.seek(5000);
  damaged.putChar(static_cast<char>(was ^ 1));
  damaged.close();
  const auto again = serverOf("other"), still = serverOf("one");
  const QString url = "far://" + still->address + "," + again->address + "/set.stripes";
  SUCCEEDS(farfield({"info", url}, m_folder.path()));
  REFUSED(farfield({"verify", url}, m_folder.path()), "checksum");
  QVERIFY(QFile::remove(path("other/set.3.stripe")));
  QVERIFY(QFile::copy(path("all/set.3.stripe"), path("other/set.3.stripe")));
}

void TestRemoteMany::stripedFilesOfTheCommand() {
  const auto stripe = [&](const QString& source, const QString& folder, const QStringList& more = {}) {
    return farfield(QStringList{"stripe", source, "-o", path(folder), "--parts", "2"} + more,
                    m_folder.path());
  };
  // Files of others are not replaced, those of a set are.
  QVERIFY(QDir().mkpath(path("mine")));
  write(path("mine/set.1.stripe"), "what somebody wrote");
  REFUSED(stripe(path("data/cylinder.h5"), "mine"), "set.1.stripe");
  QCOMPARE(contents(path("mine/set.1.stripe")), QByteArray("what somebody wrote"));
  QVERIFY(!QFile::exists(path("mine/set.stripes")));
  SUCCEEDS(stripe(path("data/cylinder.h5"), "mine", {"--overwrite"}));
  SUCCEEDS(stripe(path("data/cylinder.h5"), "mine"));
  SUCCEEDS(farfield({"verify", path("mine/set.stripes")}, m_folder.path()));
  // What is no store, or nowhere, or a set, or elsewhere.
  write(path("text"), QByteArray(100000, 'x'));
  REFUSED(stripe(path("text"), "new"), "not a Farfield store");
  REFUSED(stripe(path("nothing.h5"), "new"), "nothing.h5");
  REFUSED(stripe(path("mine/set.stripes"), "new"), "striped set already");
  REFUSED(stripe("far://localhost/cylinder.h5", "new"), "where the store lies");
  REFUSED(stripe(path("mine/set.stripes"), "mine"), "set.stripes");
}

void TestRemoteMany::oneOfTwoServersIsKilled() {
  auto one = serverOf("data"), other = serverOf("data");
  // Slow, so that it is killed while pages are on their way.
  const bench::TcpRelay first({.target = one->address.toStdString(), .delay = 5ms, .bytesPerSecond = 5e5}),
      second({.target = other->address.toStdString(), .delay = 5ms, .bytesPerSecond = 5e5});
  const QString session = path("killed.json");
  write(session, QByteArray(kSession).replace("@", ("far://" + QString::fromStdString(first.address()) + "," +
                                                    QString::fromStdString(second.address()) + "/cylinder.h5")
                                                       .toUtf8()));
  QProcess process;
  process.setProcessEnvironment(environmentIn(m_folder.path()));
  process.start(programPath(), {"batchvis", session, "-o", path("killed"), "--stats", path("killed.stats")});
  // both are read from
  QTRY_VERIFY_WITH_TIMEOUT((first.bytesBack() > kOpenedBytes && second.bytesBack() > kOpenedBytes) ||
                               process.state() == QProcess::NotRunning,
                           patienceMs());
  QVERIFY(process.state() == QProcess::Running);
  other->kill();
  SUCCEEDS(outcomeOf(process));
  QVERIFY(isAsNear("killed"));
}

void TestRemoteMany::disorderlyLinks_data() {
  QTest::addColumn<int>("cutEveryMs");
  QTest::addColumn<bool>("shuffle");
  QTest::addRow("replies delayed and in another order") << 0 << true;
  QTest::addRow("cut every two seconds") << 2000 << false;
  QTest::addRow("both") << 700 << true;
}

void TestRemoteMany::disorderlyLinks() {
  QFETCH(int, cutEveryMs);
  QFETCH(bool, shuffle);
  const auto server = serverOf("data");
  const bench::TcpRelay relay({.target = server->address.toStdString(),
                               .delay = 20ms,
                               // Where no page stays, each is sent as often as it is used.
                               .bytesPerSecond = kPagesStay ? 3e5 : 3e6,
                               .cutEvery = std::chrono::milliseconds(cutEveryMs),
                               .cutAfterBytes = kAPage,
                               .shuffle = shuffle});
  const QString out = "link" + QString::number(cutEveryMs) + (shuffle ? "s" : "");
  SUCCEEDS(batchvis("far://" + QString::fromStdString(relay.address()) + "/cylinder.h5", out));
  QVERIFY(isAsNear(out));
  if (cutEveryMs > 0) QVERIFY(relay.cuts() > 0);
}

void TestRemoteMany::manyGreedyClients() {
  const auto server = serverOf("data", {"--cache", "32M"});
  constexpr int kClients = 200;
  std::vector<std::unique_ptr<RawClient>> greedy;
  for (int n = 0; n < kClients; ++n) {
    greedy.push_back(std::make_unique<RawClient>(server->address.toStdString()));
    const Opened opened = greedy.back()->open("cylinder.h5");
    ReadRequest all{opened.handle, Urgency::Demand, {}};
    for (std::uint32_t page = 0; page < 4000; ++page) all.pages.push_back({0, page % 12});
    greedy.back()->send(MessageType::Read, 10, bytesOf(all));
  }
  // Others are served meanwhile, and soon: how soon is said, and nothing is demanded of a machine that may be busy.
  std::vector<double> ms;
  RawClient other(server->address.toStdString());
  const Opened opened = other.open("cylinder.h5");
  for (std::uint64_t n = 0; n < 500; ++n) {
    const auto began = std::chrono::steady_clock::now();
    other.send(MessageType::Read, 10 + n,
               bytesOf(ReadRequest{opened.handle, Urgency::Demand, {{0, n % 12}}}));
    const auto answer = other.next();
    QVERIFY2(answer, ("no answer to the request " + std::to_string(n)).c_str());
    QCOMPARE(static_cast<int>(answer->header.type), static_cast<int>(MessageType::Page));
    QCOMPARE(answer->header.sequence, 10 + n);
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
  }
  std::sort(ms.begin(), ms.end());
  QFile status(QString("/proc/%1/status").arg(server->processId()));
  QVERIFY(status.open(QIODevice::ReadOnly));
  double residentMb = 0;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith("VmRSS:")) residentMb = line.mid(6).simplified().split(' ').at(0).toDouble() / 1024;
  qInfo("with %d clients that read nothing: a page in %.2f ms, 99 of 100 in %.2f ms; %.0f MiB in memory",
        kClients, ms[ms.size() / 2], ms[ms.size() * 99 / 100], residentMb);
  QVERIFY(residentMb > 1);
#ifndef FARFIELD_SANITIZED
  QVERIFY2(residentMb < 32 + 100, "200 clients take more than the cache and 100 MB");
#endif
}

void TestRemoteMany::namesThatAreExchanged() {
  // A name that is a file of the folder at one moment and a link out of it at the next: what is opened is the
  // one or refused, never the other.
  write(path("outside.h5"), contents(path("data/cylinder.h5")) + QByteArray(1, 'x'));
  QVERIFY(QDir().mkpath(path("data/racing")));
  QVERIFY(QFile::copy(path("data/cylinder.h5"), path("data/racing/a.h5")));
  const auto server = serverOf("data");
  std::atomic<bool> stop{false};
  std::thread racer([&] {
    const std::string folder = path("data").toStdString(), outside = path("outside.h5").toStdString();
    const std::string name = folder + "/racing/a.h5", spare = folder + "/racing/spare",
                      kept = folder + "/cylinder.h5";
    const std::string away = folder + "/racing", gone = folder + "/racing-away";
    for (int n = 0; !stop; ++n) {
      ::unlink(spare.c_str());
      if (n % 2 ? ::symlink(outside.c_str(), spare.c_str()) : ::link(kept.c_str(), spare.c_str())) continue;
      ::rename(spare.c_str(), name.c_str());
      if (n % 8 == 0 && ::rename(away.c_str(), gone.c_str()) == 0) {
        if (::symlink("..", away.c_str()) == 0) ::unlink(away.c_str());
        ::rename(gone.c_str(), away.c_str());
      }
    }
  });
  const auto bytes = static_cast<std::uint64_t>(QFileInfo(path("data/cylinder.h5")).size());
  int opened = 0, refused = 0;
  bool onlyInside = true;
  for (int n = 0; n < 300; ++n) {
    RawClient client(server->address.toStdString());
    try {
      onlyInside = onlyInside && client.open("racing/a.h5").fileBytes == bytes;
      ++opened;
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  stop = true;
  racer.join();
  QVERIFY(onlyInside);
  QVERIFY2(opened > 0 && refused > 0, "the race did not happen");
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestRemoteMany)
#include "tst_remote_many.moc"
