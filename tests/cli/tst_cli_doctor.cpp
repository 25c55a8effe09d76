// farfield doctor: every check answers, in time, as text and as JSON; exit status; folders, data and servers
// of several kinds; checks that crash; interruption.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <atomic>
#include <string>
#include <thread>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::Outcome;
using farfield::test::runFarfield;

namespace {

/// Seconds for a check, of which its program must not take a tenth to start.
#ifdef FARFIELD_SANITIZED
const char* const kPatience = "30";
#else
const char* const kPatience = "3";
#endif

/// Answers one request after the other, by the path that is asked for.
class Server {
 public:
  Server() : m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    if (::bind(m_listener, place, length) != 0 || ::listen(m_listener, 8) != 0 ||
        ::getsockname(m_listener, place, &length) != 0)
      qFatal("no server");
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
  }
  ~Server() {
    m_stop = true;
    ::shutdown(m_listener, SHUT_RDWR);
    m_thread.join();
    ::close(m_listener);
  }
  int requests() const { return m_requests; }
  QString url(const char* path) const { return QString("http://127.0.0.1:%1%2").arg(m_port).arg(path); }

 private:
  void serve() {
    while (!m_stop) {
      const int client = ::accept(m_listener, nullptr, nullptr);
      if (client < 0) continue;
      answer(client);
      ::close(client);
    }
  }
  void answer(int client) {
    std::string request;
    char bytes[2048];
    for (ssize_t got;
         request.find("\r\n\r\n") == std::string::npos && (got = ::recv(client, bytes, sizeof bytes, 0)) > 0;)
      request.append(bytes, static_cast<std::size_t>(got));
    ++m_requests;
    const auto asksFor = [&](const char* path) {
      return request.starts_with(std::string("GET ") + path + " ");
    };
    const auto say = [&](const std::string& text) {
      return ::send(client, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
    };
    if (asksFor("/ranges") && request.find("Range: bytes=0-15") != std::string::npos) {
      say("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-15/5368709120\r\nContent-Length: 16\r\n\r\n"
          "0123456789abcdef");
    } else if (asksFor("/moved")) {
      say("HTTP/1.1 302 Found\r\nLocation: /ranges\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    } else if (asksFor("/local")) {
      say("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n");
    } else if (asksFor("/whole") || asksFor("/liar")) {
      // Without an end: who reads it all never comes back.
      say(asksFor("/whole") ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 206 Partial Content\r\n\r\n");
      while (!m_stop && say(std::string(4096, 'x'))) {
      }
    } else if (asksFor("/silent")) {
      while (!m_stop && ::recv(client, bytes, sizeof bytes, 0) > 0) {
      }
    } else if (asksFor("/noise")) {
      say("\x01\x02 this is no HTTP\n\n");
    } else {
      say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    }
  }

  int m_listener;
  int m_port = 0;
  std::atomic<bool> m_stop{false};
  std::atomic<int> m_requests{0};
  std::thread m_thread;
};

/// The first check of a document.
QJsonObject checkOf(const Outcome& outcome) {
  return QJsonDocument::fromJson(outcome.out).object()["checks"].toArray().at(0).toObject();
}

}  // namespace

class TestCliDoctor : public QObject {
  Q_OBJECT
 private slots:
  void everything();
  void text();
  void withoutWhatOpensHdf5();
  void windows();
  void folders();
  void data();
  void servers_data();
  void servers();
  void wrong();
  void interrupted();
};

void TestCliDoctor::everything() {
  const Outcome outcome = runFarfield({"doctor", "--json", "--timeout", "60"});
  const QJsonObject document = QJsonDocument::fromJson(outcome.out).object();
  const QJsonArray checks = document["checks"].toArray();
  QStringList names;
  bool failed = false, warned = false;
  for (const QJsonValue& check : checks) {
    names += check["name"].toString();
    const QString status = check["status"].toString(), found = check["found"].toString();
    QVERIFY2(status == "ok" || status == "warn" || status == "fail", qPrintable(status));
    QVERIFY(!found.isEmpty() && !found.contains('\n'));
    if (status == "ok") QVERIFY(check["advice"].toString().isEmpty());
    // No machine that runs this test is without these.
    if (names.last() == "processors" || names.last() == "files") QVERIFY(status != "fail");
    failed = failed || status == "fail";
    warned = warned || status == "warn";
  }
  QCOMPARE(names, (QStringList{"processors", "memory", "files", "locked-memory", "io_uring", "folder", "hdf5",
                               "pictures", "opencl", "window", "network"}));
  QCOMPARE(document["status"].toString(), failed ? "fail" : warned ? "warn" : "ok");
  QCOMPARE(outcome.status, failed ? 1 : 0);
  QCOMPARE(outcome.errorLines().size(), failed ? 1 : 0);
}

void TestCliDoctor::text() {
  const Outcome outcome = runFarfield({"doctor", "--only", "files", "--only", "memory"});
  const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
  QVERIFY2(lines.size() >= 2 && lines.size() <= 4, outcome.out);
  QVERIFY(lines[0].contains(" memory "));
  QVERIFY(outcome.out.contains(" files "));
  // The same in this process.
  const Outcome here = runFarfield({"doctor", "--only", "files", "--in-process"});
  QVERIFY2(outcome.out.endsWith(here.out) && !here.out.isEmpty(), here.out);
}

/// A program without the one that opens HDF5 files says so.
void TestCliDoctor::withoutWhatOpensHdf5() {
  const Outcome whole = runFarfield({"doctor", "--json", "--only", "hdf5"});
  QVERIFY2(whole.status == 0 && checkOf(whole)["status"].toString() == "ok", whole.out);
  const farfield::test::TemporaryFolder folder;
  const QString alone = QString::fromStdString((folder.path() / "farfield").string());
  QVERIFY(QFile::copy(farfield::test::programPath(), alone));
  QProcess process;
  process.start(alone, {"doctor", "--json", "--only", "hdf5"});
  const Outcome without = farfield::test::outcomeOf(process);
  QVERIFY2(without.status == 0 && checkOf(without)["status"].toString() == "warn", without.out);
  QVERIFY2(checkOf(without)["found"].toString().contains("farfield-hdf5 is not there"), without.out);
  QVERIFY(!checkOf(without)["advice"].toString().isEmpty());
}

void TestCliDoctor::windows() {
  const auto look = [](const char* name, const char* value) {
    QProcess process;
    QProcessEnvironment environment = farfield::test::environmentWithoutDisplay();
    if (value) environment.insert(name, value);
    process.setProcessEnvironment(environment);
    process.start(farfield::test::programPath(), {"doctor", "--json", "--only", "window"});
    return farfield::test::outcomeOf(process);
  };
  const Outcome none = look("DISPLAY", nullptr);
  QCOMPARE(none.status, 0);  // commands need no window
#ifdef FARFIELD_GUI
  QCOMPARE(checkOf(none)["status"].toString(), "warn");
  QVERIFY(checkOf(none)["advice"].toString().contains("batchvis"));
  QVERIFY(checkOf(look("DISPLAY", ":65432"))["found"].toString().contains(":65432"));
  // Qt ends a process that asks it for such a platform.
  const Outcome crash = look("QT_QPA_PLATFORM", "no-such-platform");
  QCOMPARE(crash.status, 1);
  QVERIFY2(checkOf(crash)["found"].toString().contains("ended by signal 6"), crash.out);
#else
  QCOMPARE(checkOf(none)["status"].toString(), "ok");
  QVERIFY(checkOf(none)["found"].toString().contains("FARFIELD_GUI=OFF"));
#endif
}

void TestCliDoctor::folders() {
  const farfield::test::TemporaryFolder folder;
  const QString path = QString::fromStdString(folder.path().string());
  const Outcome good = runFarfield({"doctor", "--json", "--only", "folder", "--folder", path});
  const QString found = checkOf(good)["found"].toString();
  QVERIFY2(found.startsWith(path + ", ") && found.contains("writes") && found.contains("reads"), good.out);
  QVERIFY(std::filesystem::is_empty(folder.path()));
  const Outcome missing = runFarfield({"doctor", "--only", "folder", "--folder", path + "/none"});
  QCOMPARE(missing.status, 1);
  QVERIFY2(missing.out.startsWith("fail") && missing.out.contains("TMPDIR"), missing.out);
  QCOMPARE(missing.errors, QByteArray("farfield: 1 of 1 checks failed\n"));
}

void TestCliDoctor::data() {
  const farfield::test::TemporaryFolder folder;
  const QString path = QString::fromStdString(folder.path().string());
  QCOMPARE(runFarfield({"sample", "tornado", "-o", "tornado.h5", "--steps", "3"}, path).status, 0);
  const Outcome store = runFarfield({"doctor", "--only", "url", "tornado.h5"}, path);
  QVERIFY2(store.status == 0 && store.out.contains("farfield data of 1 block, 3 steps; its disk reads"),
           store.out);
  QVERIFY(
      runFarfield({"doctor", "--only", "url", "sample://abc?blocks=2"}).out.contains("of 2 blocks, 1 step"));
  for (const char* wrong : {"none.h5", "far://host/x.h5", "."}) {
    const Outcome outcome = runFarfield({"doctor", "--only", "url", wrong}, path);
    QVERIFY2(outcome.status == 1 && outcome.out.startsWith("fail"), outcome.out);
    QVERIFY2(outcome.out.contains("-> "), outcome.out);
  }
}

void TestCliDoctor::servers_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("status");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const char* path, const char* status, const char* part) {
    QTest::newRow(name) << QString(path) << QString(status) << QString(part);
  };
  row("ranges", "/ranges", "warn", "honours ranges of bytes; the file has 5.0 GiB");
  row("moved", "/moved", "warn", "honours ranges of bytes");
  row("moved to a local file", "/local", "fail", "cannot be reached");
  row("no ranges", "/whole", "fail", "sends the whole file");
  row("more than the range", "/liar", "fail", "sends the whole file");
  row("nothing there", "/none", "fail", "404");
  row("no answer", "/silent", "fail", "timed out");
  row("no HTTP", "/noise", "fail", "cannot be reached");
}

void TestCliDoctor::servers() {
  QFETCH(QString, path);
  QFETCH(QString, status);
  QFETCH(QString, part);
  const Server server;
  const Outcome outcome =
      runFarfield({"doctor", "--json", "--only", "url", "--timeout", kPatience, server.url(path.toUtf8())});
  const QJsonObject check = checkOf(outcome);
  if (check["found"].toString().contains("no libcurl")) QSKIP("built without libcurl");
  QVERIFY2(check["status"].toString() == status, outcome.out);
  QVERIFY2(check["found"].toString().contains(part), outcome.out);
  QVERIFY2(!check["advice"].toString().isEmpty(), outcome.out);
  QCOMPARE(outcome.status, status == "fail" ? 1 : 0);
}

void TestCliDoctor::wrong() {
  QCOMPARE(runFarfield({"doctor", "--only", "weather"}).status, 2);
  QCOMPARE(runFarfield({"doctor", "--only", "url"}).status, 2);
  QCOMPARE(runFarfield({"doctor", "a", "b"}).status, 2);
  QCOMPARE(runFarfield({"doctor", "--timeout", "0"}).status, 2);
}

void TestCliDoctor::interrupted() {
  const Server server;
  QProcess process;
  process.start(farfield::test::programPath(),
                {"doctor", "--only", "files", "--only", "url", "--timeout", "300", server.url("/silent")});
  QVERIFY(process.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning || server.requests() > 0, 60'000);
  if (process.state() == QProcess::NotRunning) QSKIP("built without libcurl");
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  const Outcome outcome = farfield::test::outcomeOf(process, 60'000);
  QVERIFY2(outcome.status == 130, outcome.errors);
}

QTEST_GUILESS_MAIN(TestCliDoctor)
#include "tst_cli_doctor.moc"
