// Data on web servers as a user names them: everything that reads takes https://…, http://… and s3://… and gives the
// same bytes as from files. The web server is nginx, in clear text and over TLS (HTTP/2), and one of the test's own for
// S3. Without nginx what needs it is skipped.

#include <signal.h>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <thread>

#include "tests/cli/program.h"
#include "tests/support/http_server.h"

namespace farfield::test {
namespace {

int freePort() {
  HttpServer server([](const HttpRequest&) { return HttpReply{}; });
  return server.port();
}

QString toolPath(const QString& name) {
  const QString found = QStandardPaths::findExecutable(name);
  return found.isEmpty() ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/sbin"}) : found;
}

/// nginx on two ports of loopback, below a folder of its own.
class Nginx {
 public:
  Nginx(const QString& folder, const QString& data) : m_folder(folder) {
    if (toolPath("nginx").isEmpty() || toolPath("openssl").isEmpty()) return;
    QDir().mkpath(folder + "/logs");
    QProcess made;
    made.start(toolPath("openssl"),
               {"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder + "/key.pem", "-out",
                certificate(), "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1"});
    made.waitForFinished(patienceMs());
    plain = freePort();
    tls = freePort();
    write(folder + "/nginx.conf",
          QString(R"(%6daemon off; pid %1/pid; error_log %1/logs/error.log; worker_processes 1;
events { worker_connections 256; }
http { access_log off; default_type application/octet-stream;
  client_body_temp_path %1/t1; proxy_temp_path %1/t2; fastcgi_temp_path %1/t3; uwsgi_temp_path %1/t4; scgi_temp_path %1/t5;
  server { listen 127.0.0.1:%2; root %4;
    location /moved/ { rewrite ^/moved/(.*) /$1 redirect; }
    location /locked/ { alias %4/; auth_basic "x"; auth_basic_user_file %1/users; } }
  server { listen 127.0.0.1:%3 ssl http2; ssl_certificate %5; ssl_certificate_key %1/key.pem; root %4; } })")
              .arg(folder)
              .arg(plain)
              .arg(tls)
              .arg(data, certificate(), ::getuid() == 0 ? "user root; " : "")
              .toUtf8());
    write(folder + "/users", "me:{PLAIN}geheim\n");
    m_process.start(toolPath("nginx"),
                    {"-e", folder + "/logs/error.log", "-p", folder, "-c", folder + "/nginx.conf"});
    for (int n = 0; n < 200 && !isThere && m_process.state() != QProcess::NotRunning; ++n) {
      m_process.waitForFinished(20);
      const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      address.sin_port = htons(static_cast<std::uint16_t>(tls));
      isThere = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
      ::close(socket);
    }
  }
  ~Nginx() {
    m_process.terminate();
    m_process.waitForFinished();
  }
  QString certificate() const { return m_folder + "/cert.pem"; }
  QString errors() { return m_process.readAllStandardError() + contents(m_folder + "/logs/error.log"); }
  bool isThere = false;
  int plain = 0, tls = 0;

 private:
  QString m_folder;
  QProcess m_process;
};

const char* const kSession = R"({ "farfield": 1, "data": { "flow": { "source": "@" # } },
  "objects": [ { "name": "lines", "type": "streamlines", "data": "flow", "vector": "velocity", "direction": "both",
                 "seeds": { "type": "spread", "count": 60 }, "color": { "by": "density" } },
               { "name": "cut", "type": "slice", "data": "flow", "color": { "by": "pressure" } } ],
  "output": { "images": false } })";

}  // namespace

class TestHttpCli : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void sameBytesAsLocal_data();
  void sameBytesAsLocal();
  void unmarkedFilesInPlace_data();
  void unmarkedFilesInPlace();
  void convertsFromTheWeb();
  void whatIsSaidOfTheData();
  void redirectedAndLocked();
  void certificatesAreChecked();
  void aFileReplacedMeanwhile();
  void s3();
  void interruptsEndWaits_data();
  void interruptsEndWaits();
  void aPagingServerInFrontOfIt();

 private:
  QString file(const QString& name) const { return m_folder.filePath("data/" + name); }
  QString at(const QString& server, const QString& name) const {
    return (server == "http" ? QString("http://127.0.0.1:%1/").arg(m_nginx->plain)
                             : QString("https://localhost:%1/").arg(m_nginx->tls)) +
           name;
  }
  void start(QProcess& process, const QStringList& arguments, const QMap<QString, QString>& variables) const;
  Outcome farfield(const QStringList& arguments, const QMap<QString, QString>& variables = {}) const;
  Outcome batchvis(const QString& name, const QString& source, const QString& solution = {}) const;
  void sameFiles(const QString& name, const QString& other) const;

  QTemporaryDir m_folder;
  std::unique_ptr<Nginx> m_nginx;
};

void TestHttpCli::start(QProcess& process, const QStringList& arguments,
                        const QMap<QString, QString>& variables) const {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("HOME", m_folder.path());
  environment.insert("FARFIELD_CACHE_DIR", m_folder.filePath("cache"));
  environment.insert("FARFIELD_CACHE_SIZE", "0");  // what is asked of the server is what is tested
  environment.insert("SSL_CERT_FILE", m_nginx->certificate());
  for (const char* const name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "CURL_CA_BUNDLE"})
    environment.remove(name);
  for (auto its = variables.begin(); its != variables.end(); ++its)
    environment.insert(its.key(), its.value());
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(m_folder.path());
  process.start(programPath(), arguments);
}

Outcome TestHttpCli::farfield(const QStringList& arguments, const QMap<QString, QString>& variables) const {
  QProcess process;
  start(process, arguments, variables);
  return outcomeOf(process);
}

Outcome TestHttpCli::batchvis(const QString& name, const QString& source, const QString& solution) const {
  const QString session = m_folder.filePath(name + ".json");
  QByteArray text = QByteArray(kSession).replace("@", source.toUtf8());
  text.replace("#", solution.isEmpty() ? QByteArray() : ", \"solution\": \"" + solution.toUtf8() + "\"");
  write(session, text);
  return farfield({"batchvis", session, "-o", m_folder.filePath(name), "--stats",
                   m_folder.filePath(name + ".stats"), "--memory", "64M"});
}

void TestHttpCli::sameFiles(const QString& name, const QString& other) const {
  for (const char* const result : {"lines.vtp", "cut.vtp"}) {
    const QByteArray its = contents(m_folder.filePath(name + "/" + result));
    QVERIFY(its.size() > 1000);
    QVERIFY(its == contents(m_folder.filePath(other + "/" + result)));
  }
}

void TestHttpCli::initTestCase() {
  QVERIFY(QDir().mkpath(m_folder.filePath("data/deep")));
  m_nginx = std::make_unique<Nginx>(m_folder.filePath("nginx"), m_folder.filePath("data"));
  SUCCEEDS(farfield({"sample", "cylinder", "-o", file("cylinder.h5"), "--size", "48,40,20", "--blocks", "3",
                     "--format", "farfield"}));
  SUCCEEDS(farfield({"sample", "cylinder", "-o", file("deep/grid"), "--size", "24,20,10", "--blocks", "2",
                     "--format", "plot3d"}));
  SUCCEEDS(batchvis("near", file("cylinder.h5")));
  SUCCEEDS(batchvis("nearplot3d", file("deep/grid.xyz"), file("deep/grid.q")));
}

void TestHttpCli::sameBytesAsLocal_data() {
  QTest::addColumn<QString>("server");
  QTest::newRow("http") << "http";
  QTest::newRow("https") << "https";
}

void TestHttpCli::sameBytesAsLocal() {
  QFETCH(QString, server);
  if (!m_nginx->isThere) QSKIP("nginx and openssl are not installed");
  SUCCEEDS(batchvis(server, at(server, "cylinder.h5")));
  sameFiles(server, "near");
  SUCCEEDS(batchvis(server + "plot3d", at(server, "deep/grid.xyz"), "grid.q"));
  sameFiles(server + "plot3d", "nearplot3d");
  const QJsonObject source =
      QJsonDocument::fromJson(contents(m_folder.filePath(server + ".stats")))["paging"]["sources"][0]
          .toObject();
  QCOMPARE(source["name"].toString(), at(server, "cylinder.h5"));
  QVERIFY(source["reads"].toInt() > 0 && source["bytesRead"].toDouble() > 0 &&
          source["roundTripMs"].toDouble() > 0 && source["mbPerSecond"].toDouble() > 0);
  QCOMPARE(source["reconnects"].toInt(), 0);
  SUCCEEDS(farfield({"verify", at(server, "cylinder.h5")}));
  // Kept on disk, and read from there the next time.
  for (int n = 0; n < 2; ++n)
    SUCCEEDS(farfield({"verify", at(server, "cylinder.h5")}, {{"FARFIELD_CACHE_SIZE", "100M"}}));
  const auto probe = [&](const QString& name) {
    return farfield({"probe", name, "--function", "velocity", "--line", "1.5,0.2,0.1", "3,0.5,0.2"}).out;
  };
  QVERIFY(!probe(file("cylinder.h5")).isEmpty());
  QCOMPARE(probe(at(server, "cylinder.h5")), probe(file("cylinder.h5")));
}

void TestHttpCli::unmarkedFilesInPlace_data() {
  sameBytesAsLocal_data();
}

void TestHttpCli::unmarkedFilesInPlace() {
  QFETCH(QString, server);
  if (!m_nginx->isThere) QSKIP("nginx and openssl are not installed");
  SUCCEEDS(farfield({"sample", "marschner-lobb", "-o", file("ball"), "--size", "40,30,20", "--format", "raw",
                     "--overwrite"}));
  QStringList raw = QDir(m_folder.filePath("data")).entryList({"ball*"});
  QByteArray numbers;
  for (const QString& name : raw)
    if (name.endsWith(".raw")) numbers = contents(file(name));
  QVERIFY2(numbers.size() == 40 * 30 * 20 * 4 || numbers.size() == 40 * 30 * 20, raw.join(' ').toUtf8());
  const QString type = numbers.size() == 40 * 30 * 20 ? "u8" : "f32";
  write(file("ball.bin"), numbers);
  const QByteArray header = "NRRD0004\ntype: " + QByteArray(type == "u8" ? "uint8" : "float") +
                            "\ndimension: 3\nsizes: 40 30 20\nencoding: raw\nendian: little\n";
  write(file("ball.nrrd"), header + "\n" + numbers);
  write(file("ball.nhdr"), header + "data file: ball.bin\n\n");
  const auto ranges = [&](const QString& name, const QStringList& options) {
    const Outcome outcome = farfield(QStringList{"info", name, "--ranges", "--json"} + options);
    if (outcome.status != 0) qWarning() << outcome.errors;
    QJsonObject said = QJsonDocument::fromJson(outcome.out).object();
    said.remove("source");
    said.remove("server");
    said.remove("bytes");
    return said;
  };
  const QStringList shape = {"--option", "dims=40,30,20", "--option", "type=" + type};
  for (const auto& [name, options] :
       {std::pair{"ball.bin", shape}, {"ball.nrrd", QStringList()}, {"ball.nhdr", QStringList()}}) {
    const QJsonObject near = ranges(file(name), options), far = ranges(at(server, name), options);
    QVERIFY2(!near["variables"].toArray().isEmpty(), name);
    QVERIFY2(near["variables"][0]["max"].toDouble() > near["variables"][0]["min"].toDouble(), name);
    QCOMPARE(far, near);
  }
}

void TestHttpCli::convertsFromTheWeb() {
  if (!m_nginx->isThere) QSKIP("nginx and openssl are not installed");
  SUCCEEDS(
      farfield({"convert", file("deep/grid.xyz"), "--solution", file("deep/grid.q"), "-o", file("near.h5")}));
  SUCCEEDS(farfield({"convert", at("http", "deep/grid.xyz"), "--solution", "grid.q", "-o", file("far.h5")}));
  const auto probe = [&](const QString& name) {
    return farfield({"probe", name, "--function", "density", "--line", "1.5,0.2,0.1", "3,0.5,0.2"}).out;
  };
  QVERIFY(!probe(file("near.h5")).isEmpty());
  QCOMPARE(probe(file("far.h5")), probe(file("near.h5")));
}

void TestHttpCli::whatIsSaidOfTheData() {
  if (!m_nginx->isThere) QSKIP("nginx and openssl are not installed");
  for (const QStringList& words :
       {QStringList{at("http", "cylinder.h5")}, {at("https", "deep/grid.xyz"), "--solution", "grid.q"}}) {
    const Outcome outcome = farfield(QStringList{"info", "--json"} + words);
    SUCCEEDS(outcome);
    const QJsonObject said = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(said["source"].toString(), words[0]);
    QVERIFY2(said["server"].toString().startsWith("nginx"), outcome.out.constData());
    QVERIFY(said["bytes"].toDouble() > 1000);
  }
  REFUSED(farfield({"info", at("http", "nothing.h5")}), "no such file");
  REFUSED(farfield({"info", at("http", "deep/")}), "403");
}

void TestHttpCli::redirectedAndLocked() {
  if (!m_nginx->isThere) QSKIP("nginx and openssl are not installed");
  SUCCEEDS(farfield({"info", at("http", "moved/cylinder.h5")}));
  REFUSED(farfield({"info", at("http", "locked/cylinder.h5")}), ".netrc");
  write(m_folder.filePath(".netrc"), "machine 127.0.0.1 login me password geheim\n");
  SUCCEEDS(farfield({"info", at("http", "locked/cylinder.h5")}));
  write(m_folder.filePath(".netrc"), "machine 127.0.0.1 login me password other-word\n");
  const Outcome refused = farfield({"info", at("http", "locked/cylinder.h5"), "--verbose"});
  REFUSED(refused, "401");
  QVERIFY(!refused.errors.contains("other-word"));
  QVERIFY(QFile::remove(m_folder.filePath(".netrc")));
}

void TestHttpCli::certificatesAreChecked() {
  if (!m_nginx->isThere) QSKIP("nginx and openssl are not installed");
  REFUSED(farfield({"info", at("https", "cylinder.h5")}, {{"SSL_CERT_FILE", "/etc/hostname"}}),
          "https://localhost");
}

void TestHttpCli::aFileReplacedMeanwhile() {
  const QByteArray store = contents(file("cylinder.h5"));
  std::atomic<int> seen = 0;
  HttpServer server([&](const HttpRequest& request) {
    // Another one from the tenth request on.
    return HttpServer::rangeOf(request, store.toStdString(), ++seen < 10 ? "\"1\"" : "\"2\"");
  });
  REFUSED(batchvis("replaced", QString::fromStdString(server.url("x.h5"))),
          "has changed since it was opened");
  QVERIFY(!QFile::exists(m_folder.filePath("replaced/lines.vtp")));
}

void TestHttpCli::s3() {
  const QByteArray store = contents(file("cylinder.h5"));
  HttpServer server([&](const HttpRequest& request) {
    if (!request.header("authorization").starts_with("AWS4-HMAC-SHA256 Credential=KEY/"))
      return HttpReply{.status = 403, .body = "<Error><Code>AccessDenied</Code></Error>"};
    if (request.path != "/flows/run%207/cylinder.h5") return HttpReply{.status = 404};
    return HttpServer::rangeOf(request, store.toStdString(), "\"1\"");
  });
  const QString url = "s3://flows/run 7/cylinder.h5";
  const QString endpoint = QString::fromStdString(server.url(""));
  const auto info = [&](const QString& key) {
    return farfield({"info", url, "--ranges"},
                    {{"AWS_ENDPOINT_URL", endpoint},
                     {"AWS_ACCESS_KEY_ID", key},
                     {"AWS_SECRET_ACCESS_KEY", key.isEmpty() ? "" : "very secret"}});
  };
  const Outcome near = farfield({"info", file("cylinder.h5"), "--ranges"}), far = info("KEY");
  SUCCEEDS(far);
  QByteArray said = far.out;
  said.replace("server     test/1\n", "");
  QCOMPARE(said, near.out);
  REFUSED(info(""), "AccessDenied");
  REFUSED(info("OTHER"), "AWS_ACCESS_KEY_ID");
}

void TestHttpCli::interruptsEndWaits_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("answered");
  const QStringList raw = {"@", "--option", "dims=400,50,200", "--option", "type=u8"};
  QTest::newRow("opening") << QStringList{"info", "@"} << 0;
  QTest::newRow("opening data in place") << QStringList{"info", "@", "--reader", "vtk"} << 1;
  QTest::newRow("pages in place") << QStringList{"info", "--ranges"} + raw << 2;
  QTest::newRow("conversion") << QStringList{"convert", "-o", "out.h5"} + raw << 2;
}

void TestHttpCli::interruptsEndWaits() {
  QFETCH(QStringList, words);
  QFETCH(int, answered);
  const std::string bytes =
      words.contains("vtk")
          ? "# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 200 200 20\n"
            "ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 800000\nSCALARS s int\nLOOKUP_TABLE default\n"
          : std::string();
  const std::string whole = bytes + std::string(4'000'000 - bytes.size(), '\n');
  HttpServer server([&](const HttpRequest& request) {
    if (request.number > answered) return HttpReply{.hangs = true};
    return HttpServer::rangeOf(request, whole, "\"1\"");
  });
  QProcess process;
  start(process, words.replaceInStrings("@", QString::fromStdString(server.url("x"))), {});
  QTRY_VERIFY_WITH_TIMEOUT(server.requests() > answered || process.state() == QProcess::NotRunning, 60000);
  QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
  QTest::qWait(100);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  // a silent server is given half a minute, and asked again after that
  QVERIFY(process.waitForFinished(15000));
  QCOMPARE(process.exitCode(), 130);
  QCOMPARE(process.readAllStandardError().trimmed().split('\n').last(), QByteArray("farfield: interrupted"));
}

void TestHttpCli::aPagingServerInFrontOfIt() {
  const QByteArray store = contents(file("cylinder.h5")), grid = contents(file("deep/grid.xyz")),
                   solution = contents(file("deep/grid.q"));
  const QByteArray secret(64, 's');
  QByteArray head, bytes(64, '\xc8');
  std::mutex mutex;
  std::string tag = "\"1\"";
  HttpServer web([&](const HttpRequest& request) {
    const QByteArray* const its = request.path == "/a/cylinder.h5"                   ? &store
                                  : request.path == "/a/x%25%3F.xyz"                 ? &grid
                                  : request.path == "/a/grid.q"                      ? &solution
                                  : request.path == "/a/head.nhdr"                   ? &head
                                  : request.path == "/a/bytes.raw"                   ? &bytes
                                  : request.path.find("secret") != std::string::npos ? &secret
                                                                                     : nullptr;
    const std::lock_guard lock(mutex);
    return its ? HttpServer::rangeOf(request, its->toStdString(), tag) : HttpReply{.status = 404};
  });
  QProcess server;
  server.start(QFileInfo(programPath()).dir().filePath("farfield-pagerd"),
               {"--upstream", QString::fromStdString(web.url("a/"))});
  QVERIFY(server.waitForReadyRead(patienceMs()));
  const QString url = "far://" + QString::fromUtf8(server.readLine().mid(13).trimmed()) + "/";
  const auto probe = [&](const QString& name, const QStringList& more = {}) {
    return farfield(
        QStringList{"probe", name, "--function", "density", "--line", "1.5,0.2,0.1", "3,0.5,0.2"} + more);
  };
  SUCCEEDS(probe(url + "cylinder.h5"));
  QCOMPARE(probe(url + "cylinder.h5").out, probe(file("cylinder.h5")).out);
  SUCCEEDS(probe(url + "x%25%3F.xyz", {"--solution", "grid.q"}));
  REFUSED(farfield({"info", url + "nothing.h5"}), "no such file");
  REFUSED(farfield({"info", url + "../cylinder.h5"}), "leads out");
  // nor do files lead out that name others
  for (const QByteArray& out :
       {QByteArray("/secret"), QByteArray("../secret"), QByteArray("deep/../../secret"),
        QByteArray::fromStdString(web.url("secret"))}) {
    head = "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 4 4 4\nencoding: raw\ndata file: " + out + "\n";
    REFUSED(farfield({"info", url + "head.nhdr"}), "leads out");
  }
  // What is read in two ways has pages of two kinds.
  const auto read = [&](const QString& type) {
    const Outcome outcome =
        farfield({"probe", url + "bytes.raw", "--option", "dims=4,4,4", "--option", "name=v", "--option",
                  "type=" + type, "--function", "v", "--at", "1,1,1"});
    return outcome.status == 0 ? outcome.out : outcome.errors;
  };
  QVERIFY2(read("u8").contains("200"), read("u8").constData());
  QVERIFY2(read("i8").contains("-56"), read("i8").constData());
  // What was replaced is seen as it is, soon.
  {
    const std::lock_guard lock(mutex);
    bytes.fill('\x32');
    tag = "\"2\"";
  }
  QTRY_VERIFY_WITH_TIMEOUT(read("u8").contains("50"), patienceMs());
  server.terminate();
  QVERIFY(server.waitForFinished(patienceMs()));
  QCOMPARE(server.exitCode(), 0);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestHttpCli)
#include "tst_http_cli.moc"
