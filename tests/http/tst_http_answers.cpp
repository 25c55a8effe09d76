// What servers answer, and what becomes of it: bytes, another try, or an error of one line that says what to do. Also how
// requests look: ranges, conditions, signatures of S3, no secret in a message.

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QTest>
#include <atomic>

#include "core/base/error.h"
#include "remote/http/answer.h"
#include "remote/http/http_store.h"
#include "remote/http/s3_access.h"
#include "tests/support/http_server.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {
namespace {

using namespace std::chrono_literals;
using http::HttpStore;

const http::HttpOptions kHasty{
    .connectWithin = 2000ms, .silence = 1000ms, .patience = 1500ms, .connections = 8, .depth = 8};

std::string letters(std::size_t count) {
  std::string text(count, ' ');
  for (std::size_t n = 0; n < count; ++n) text[n] = static_cast<char>('a' + n * 31 % 26);
  return text;
}

/// "KIND message".
std::string errorOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Corrupt& error) {
    return std::string("Corrupt ") + error.what();
  } catch (const NotFound& error) {
    return std::string("NotFound ") + error.what();
  } catch (const Unsupported& error) {
    return std::string("Unsupported ") + error.what();
  } catch (const Invalid& error) {
    return std::string("Invalid ") + error.what();
  } catch (const Protocol& error) {
    return std::string("Protocol ") + error.what();
  } catch (const Io& error) {
    return std::string("Io ") + error.what();
  }
  return {};
}

std::string readAll(const paging::ByteObject& object) {
  std::string text(object.size(), '\0');
  object.readAt(0, std::as_writable_bytes(std::span(text)));
  return text;
}

std::string opening(const HttpServer& server, const std::string& path = "file") {
  const auto store = std::make_shared<HttpStore>(kHasty);
  return errorOf([&] { store->open(server.url(path)); });
}

#define SAYS(error, ...)                                                  \
  do {                                                                    \
    const std::string its = (error);                                      \
    for (const std::string& word : std::vector<std::string>{__VA_ARGS__}) \
      QVERIFY2(its.find(word) != std::string::npos, its.c_str());         \
    QVERIFY(its.find('\n') == std::string::npos);                         \
  } while (false)

QByteArray hmac(const QByteArray& key, const QByteArray& text) {
  return QMessageAuthenticationCode::hash(text, key, QCryptographicHash::Sha256);
}

/// The signature that Amazon's "Signature Version 4" asks for, from what the request says it signs. Empty where the
/// request is not signed.
std::string signatureOf(const HttpRequest& request, const QByteArray& secret) {
  const QByteArray authorization = QByteArray::fromStdString(request.header("authorization"));
  const auto part = [&](const char* name) {
    const auto at = authorization.indexOf(name);
    if (at < 0) return QByteArray();
    const auto begin = at + static_cast<qsizetype>(strlen(name));
    const auto end = authorization.indexOf(',', begin);
    return authorization.mid(begin, end < 0 ? -1 : end - begin);
  };
  const QByteArray scope = part("Credential="), signedHeaders = part("SignedHeaders=");
  if (scope.isEmpty()) return {};
  const QByteArrayList words = scope.split('/');  // key, day, region, service, aws4_request
  QByteArray headers;
  for (const QByteArray& name : signedHeaders.split(';'))
    headers += name + ":" + QByteArray::fromStdString(request.header(name.toStdString())) + "\n";
  const QByteArray canonical = QByteArray::fromStdString(request.method + "\n" + request.path + "\n\n") +
                               headers + "\n" + signedHeaders + "\n" +
                               QByteArray::fromStdString(request.header("x-amz-content-sha256"));
  const QByteArray toSign = "AWS4-HMAC-SHA256\n" + QByteArray::fromStdString(request.header("x-amz-date")) +
                            "\n" + words.mid(1).join('/') + "\n" +
                            QCryptographicHash::hash(canonical, QCryptographicHash::Sha256).toHex();
  QByteArray key = "AWS4" + secret;
  for (const QByteArray& word : words.mid(1)) key = hmac(key, word);
  return hmac(key, toSign).toHex().toStdString();
}

}  // namespace

class TestHttpAnswers : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void readsWithFewRequests();
  void refusals_data();
  void refusals();
  void whatWasMissingIsAskedForAgain();
  void serversThatSendNoParts();
  void compressedAndOddAnswers();
  void aReplacedFileIsNoticed();
  void busyServersAreAskedAgain();
  void shortBodiesAreContinued();
  void silenceEnds();
  void nobodyThere();
  void redirections();
  void redirectionsThatExpire();
  void emptyFiles();
  void namesThatAreNone();
  void secretsAreNotSaid();
  void s3Places();
  void s3IsSigned();
  void s3Refusals();
  void answersAreParsed();
};

void TestHttpAnswers::init() {
  for (const char* const name :
       {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION",
        "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_PROFILE", "http_proxy", "HTTP_PROXY"})
    qunsetenv(name);
  qputenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent");
  qputenv("AWS_CONFIG_FILE", "/nonexistent");
}

void TestHttpAnswers::readsWithFewRequests() {
  const std::string body = letters(3'000'000);
  HttpServer server([&](const HttpRequest& request) { return HttpServer::rangeOf(request, body, "\"1\""); });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open(server.url("file"));
  QCOMPARE(store->open(server.url("file")), object);
  QCOMPARE(server.requests(), 1);
  QCOMPARE(object->server(), std::string("test/1"));
  char head[16];
  for (int n = 0; n < 100; ++n)
    object->readAt(static_cast<std::uint64_t>(n) * 600, std::as_writable_bytes(std::span(head)));
  QCOMPARE(server.requests(), 1);
  QCOMPARE(readAll(*object), body);
  QCOMPARE(server.requests(), 4);
  // Connections are kept.
  QVERIFY(server.connections() <= 4);
}

void TestHttpAnswers::refusals_data() {
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("words");
  QTest::newRow("404") << 404 << "NotFound"
                       << "no such file";
  QTest::newRow("410") << 410 << "NotFound"
                       << "no such file";
  QTest::newRow("403") << 403 << "Io"
                       << ".netrc";
  QTest::newRow("401") << 401 << "Io"
                       << ".netrc";
  QTest::newRow("418") << 418 << "Io"
                       << "418";
  QTest::newRow("503") << 503 << "Io"
                       << "busy";
  QTest::newRow("304") << 304 << "Corrupt"
                       << "changed";
}

void TestHttpAnswers::refusals() {
  QFETCH(int, status);
  QFETCH(QString, kind);
  QFETCH(QString, words);
  HttpServer server([&](const HttpRequest&) { return HttpReply{.status = status}; });
  const std::string error = opening(server);
  QVERIFY2(error.starts_with(kind.toStdString() + " " + server.url("file")), error.c_str());
  SAYS(error, words.toStdString());
}

/// Readers that examine a name one after the other share one answer; who tries again later sees what has come meanwhile.
void TestHttpAnswers::whatWasMissingIsAskedForAgain() {
  const std::string body = letters(1000);
  std::atomic<bool> isThere = false;
  HttpServer server([&](const HttpRequest& request) {
    return isThere ? HttpServer::rangeOf(request, body, "\"1\"") : HttpReply{.status = 404};
  });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto errorNow = [&] { return errorOf([&] { store->open(server.url("file")); }); };
  for (int n = 0; n < 20; ++n) SAYS(errorNow(), "no such file");
  QVERIFY2(server.requests() < 20, qPrintable(QString::number(server.requests())));
  isThere = true;
  QTRY_COMPARE_WITH_TIMEOUT(errorNow(), std::string(), 5000);
}

/// Small files and what is read from the beginning on are read from them, with few requests, and nothing else is.
void TestHttpAnswers::serversThatSendNoParts() {
  const std::string small = letters(400'000), large = letters(5'000'000);
  std::atomic<bool> replaced = false;
  HttpServer server([&](const HttpRequest& request) {
    return HttpReply{.status = 200,
                     .headers = {{"ETag", replaced ? "\"2\"" : "\"1\""}},
                     .body = request.path == "/small"   ? small
                             : request.path == "/large" ? large
                                                        : std::string()};
  });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open(server.url("small"));
  QCOMPARE(object->size(), std::uint64_t{small.size()});
  QCOMPARE(readAll(*object), small);
  std::string one(1, ' ');
  for (const std::size_t at :
       {std::size_t{399'999}, std::size_t{0}, std::size_t{65'535}, std::size_t{65'536}}) {
    object->readAt(at, std::as_writable_bytes(std::span(one)));
    QCOMPARE(one[0], small[at]);
  }
  QCOMPARE(server.requests(), 2);
  object->checkUnchanged();
  QCOMPARE(store->open(server.url("empty"))->size(), std::uint64_t{0});
  const auto other = store->open(server.url("large"));
  const int before = server.requests();
  QCOMPARE(readAll(*other), large);
  QCOMPARE(server.requests(), before + 1);
  std::string part(5000, ' ');
  other->readAt(1'000'000, std::as_writable_bytes(std::span(part)));
  QCOMPARE(part, large.substr(1'000'000, part.size()));
  SAYS(errorOf([&] { other->readAt(4'000'000, std::as_writable_bytes(std::span(part))); }),
       "Unsupported " + server.url("large") + ": the server sends the whole file", "ranges", "nginx");
  replaced = true;
  SAYS(errorOf([&] { readAll(*other); }), "Corrupt", "has changed");
  SAYS(errorOf([&] { object->checkUnchanged(); }), "Corrupt", "has changed");

  // what is cut short goes on behind what has come
  HttpServer cutting([&](const HttpRequest& request) {
    HttpReply reply{.headers = {{"ETag", "\"1\""}}, .body = large};
    if (request.number % 3 != 0) reply.cutAfter = static_cast<std::size_t>(request.number) * 600'000;
    return reply;
  });
  QCOMPARE(readAll(*store->open(cutting.url("large"))), large);

  const auto answering = [](HttpReply reply) {
    HttpServer its([&](const HttpRequest&) { return reply; });
    return opening(its);
  };
  SAYS(answering({.headers = {{"Content-Length", "100000000"}}, .body = letters(70'000), .cutAfter = 70'000}),
       "Unsupported", "whole file", "ranges");
  SAYS(answering({.headers = {{"Content-Encoding", "gzip"}}, .body = letters(500)}), "Unsupported",
       "compressed (gzip)");
  SAYS(answering({.headers = {{"Transfer-Encoding", "chunked"}}, .body = "5\r\nabcde\r\n0\r\n\r\n"}),
       "Unsupported", "how large");
}

void TestHttpAnswers::compressedAndOddAnswers() {
  HttpServer gzip([&](const HttpRequest& request) {
    HttpReply reply = HttpServer::rangeOf(request, letters(5000), "\"1\"");
    reply.headers.emplace_back("Content-Encoding", "gzip");
    return reply;
  });
  SAYS(opening(gzip), "Unsupported", "compressed (gzip)");
  HttpServer other([&](const HttpRequest& request) {
    HttpReply reply = HttpServer::rangeOf(request, letters(5000), "\"1\"");
    reply.headers.back().second = "bytes 7-4999/5000";
    return reply;
  });
  SAYS(opening(other), "Protocol", "another part");
  HttpServer endless([&](const HttpRequest& request) {
    HttpReply reply = HttpServer::rangeOf(request, letters(5000), "\"1\"");
    reply.headers.back().second = "bytes 0-65535/*";
    return reply;
  });
  SAYS(opening(endless), "Unsupported", "how large");
}

void TestHttpAnswers::aReplacedFileIsNoticed() {
  for (const bool honoursIfRange : {true, false}) {
    std::atomic<bool> replaced = false;
    HttpServer server([&](HttpRequest request) {
      if (!honoursIfRange) request.headers.erase("if-range");
      return HttpServer::rangeOf(request, letters(400'000), replaced ? "\"2\"" : "\"1\"");
    });
    const auto store = std::make_shared<HttpStore>(kHasty);
    const auto object = store->open(server.url("file"));
    object->checkUnchanged();
    replaced = true;
    SAYS(errorOf([&] { readAll(*object); }),
         "Corrupt " + server.url("file") + ": has changed since it was opened");
    SAYS(errorOf([&] { object->checkUnchanged(); }), "has changed");
    // What is opened now is what is there now.
    const auto again = store->open(server.url("file"));
    QCOMPARE(again->generation().tag, std::string("\"2\""));
    QCOMPARE(readAll(*again).size(), std::size_t{400'000});
  }
}

void TestHttpAnswers::busyServersAreAskedAgain() {
  const std::string body = letters(200'000);
  for (const int status : {429, 500, 502, 503, 504}) {
    HttpServer server([&](const HttpRequest& request) {
      if (request.number % 3 == 0) return HttpReply{.status = status, .headers = {{"Retry-After", "0"}}};
      return HttpServer::rangeOf(request, body, "\"1\"");
    });
    const auto store = std::make_shared<HttpStore>(kHasty);
    const auto object = store->open(server.url("file"));
    for (int n = 0; n < 5; ++n) QCOMPARE(readAll(*object), body);
  }
  // It is waited as long as the server asks for, and no longer than patience lasts.
  std::atomic<std::int64_t> first{0}, second{0};
  const auto now = [] { return std::chrono::steady_clock::now().time_since_epoch().count(); };
  HttpServer server([&](const HttpRequest& request) {
    (request.number == 1 ? first : second) = now();
    if (request.number == 1) return HttpReply{.status = 503, .headers = {{"Retry-After", "1"}}};
    return HttpServer::rangeOf(request, body, "\"1\"");
  });
  const auto store = std::make_shared<HttpStore>(kHasty);
  QCOMPARE(readAll(*store->open(server.url("file"))), body);
  QVERIFY(second - first >= 990'000'000);
  HttpServer tomorrow([&](const HttpRequest&) {
    return HttpReply{.status = 503, .headers = {{"Retry-After", "86400"}}};
  });
  SAYS(opening(tomorrow), "busy", "try again later");
  QCOMPARE(tomorrow.requests(), 1);
}

void TestHttpAnswers::shortBodiesAreContinued() {
  const std::string body = letters(900'000);
  std::mutex mutex;
  std::vector<std::string> ranges;
  HttpServer server([&](const HttpRequest& request) {
    const std::lock_guard lock(mutex);
    ranges.push_back(request.header("range"));
    HttpReply reply = HttpServer::rangeOf(request, body, "\"1\"");
    if (request.number % 2 == 0) reply.cutAfter = 1000 + 100 * static_cast<std::size_t>(request.number);
    return reply;
  });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open(server.url("file"));
  std::vector<char> out(300'000);
  object->readAt(300'000, std::as_writable_bytes(std::span(out)));
  QCOMPARE(std::string(out.begin(), out.end()), body.substr(300'000, 300'000));
  // Only what was missing was asked again.
  const std::lock_guard lock(mutex);
  QCOMPARE(ranges.size(), std::size_t{3});
  QVERIFY(ranges[1] != ranges[2]);
  QCOMPARE(ranges[1].substr(ranges[1].find('-')), ranges[2].substr(ranges[2].find('-')));
}

void TestHttpAnswers::silenceEnds() {
  std::atomic<bool> hangs = false;
  HttpServer server([&](const HttpRequest& request) {
    if (hangs) return HttpReply{.hangs = true};
    return HttpServer::rangeOf(request, letters(400'000), "\"1\"");
  });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open(server.url("file"));
  hangs = true;
  SAYS(errorOf([&] { readAll(*object); }), "Io", "does not answer", server.url("file"));
}

void TestHttpAnswers::nobodyThere() {
  int port = 0;
  {
    HttpServer server([](const HttpRequest&) { return HttpReply{}; });
    port = server.port();
  }
  const auto store = std::make_shared<HttpStore>(kHasty);
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/x";
  SAYS(errorOf([&] { store->open(url); }), "Io " + url + ": cannot be reached", "check the port");
}

void TestHttpAnswers::redirections() {
  const std::string body = letters(500'000);
  std::atomic<int> asked = 0;
  HttpServer there([&](const HttpRequest& request) { return HttpServer::rangeOf(request, body, "\"1\""); });
  HttpServer here([&](const HttpRequest& request) {
    ++asked;
    if (request.path == "/loop") return HttpReply{.status = 302, .headers = {{"Location", "/loop"}}};
    if (request.path == "/ftp")
      return HttpReply{.status = 302, .headers = {{"Location", "ftp://127.0.0.1/x"}}};
    return HttpReply{.status = 307, .headers = {{"Location", there.url("data")}}};
  });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open(here.url("file"));
  QCOMPARE(readAll(*object), body);
  QCOMPARE(asked.load(), 1);  // where it lies is known by then
  SAYS(opening(here, "loop"), "cannot be reached");
  SAYS(opening(here, "ftp"), "cannot be reached");
}

void TestHttpAnswers::redirectionsThatExpire() {
  const std::string body = letters(500'000);
  std::atomic<int> key = 0;
  HttpServer there([&](const HttpRequest& request) {
    if (request.path != "/" + std::to_string(key.load())) return HttpReply{.status = 403};
    return HttpServer::rangeOf(request, body, "\"1\"");
  });
  HttpServer here([&](const HttpRequest&) {
    return HttpReply{.status = 302, .headers = {{"Location", there.url(std::to_string(++key))}}};
  });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open(here.url("file"));
  key = 40;
  std::vector<char> out(100'000);
  object->readAt(300'000, std::as_writable_bytes(std::span(out)));
  QCOMPARE(std::string(out.begin(), out.end()), body.substr(300'000, 100'000));
}

void TestHttpAnswers::emptyFiles() {
  HttpServer server([&](const HttpRequest& request) { return HttpServer::rangeOf(request, "", "\"1\""); });
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open(server.url("file"));
  QCOMPARE(object->size(), std::uint64_t{0});
  object->checkUnchanged();
  char one;
  QCOMPARE(object->readSomeAt(0, std::as_writable_bytes(std::span(&one, 1))), std::size_t{0});
}

void TestHttpAnswers::namesThatAreNone() {
  const auto store = std::make_shared<HttpStore>(kHasty);
  for (const char* const name : {"http://", "https:///x", "s3://", "s3://bucket", "s3://bucket/", "s3:///key",
                                 "s3://a b/c", "http://host/a\nb"})
    QVERIFY2(errorOf([&] { store->open(name); }).starts_with("Invalid"), name);
}

void TestHttpAnswers::secretsAreNotSaid() {
  const auto store = std::make_shared<HttpStore>(kHasty);
  const std::string error = errorOf([&] { store->open("https://me:geheim@127.0.0.1:1/x"); });
  SAYS(error, "Invalid https://127.0.0.1:1", ".netrc");
  QVERIFY2(error.find("geheim") == std::string::npos, error.c_str());
  HttpServer server([](const HttpRequest&) { return HttpReply{.status = 404}; });
  const std::string refused = opening(server, "x?X-Amz-Signature=geheim");
  SAYS(refused, server.url("x") + ":");
  QVERIFY2(refused.find("geheim") == std::string::npos, refused.c_str());
}

void TestHttpAnswers::s3Places() {
  using http::s3Place;
  QCOMPARE(s3Place("s3://flows/a b/c+d.h5").url,
           std::string("https://flows.s3.us-east-1.amazonaws.com/a%20b/c%2Bd.h5"));
  QVERIFY(s3Place("s3://flows/x").signing.what.empty());
  qputenv("AWS_REGION", "eu-central-1");
  QCOMPARE(s3Place("s3://my.flows/x").url, std::string("https://s3.eu-central-1.amazonaws.com/my.flows/x"));
  qputenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/");
  QCOMPARE(s3Place("s3://my.flows/x").url, std::string("http://127.0.0.1:9000/my.flows/x"));
  qputenv("AWS_ENDPOINT_URL_S3", "ftp://x");
  QVERIFY(errorOf([] { s3Place("s3://flows/x"); }).starts_with("Invalid"));
  qunsetenv("AWS_ENDPOINT_URL_S3");
  qputenv("AWS_ACCESS_KEY_ID", "K");
  SAYS(errorOf([] { s3Place("s3://flows/x"); }), "AWS_SECRET_ACCESS_KEY");
  qunsetenv("AWS_ACCESS_KEY_ID");
  qunsetenv("AWS_REGION");
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const char* text) {
    FILE* const file = std::fopen((folder / name).c_str(), "w");
    std::fputs(text, file);
    std::fclose(file);
    return QByteArray::fromStdString((folder / name).string());
  };
  qputenv("AWS_SHARED_CREDENTIALS_FILE", write("credentials",
                                               "[default]\naws_access_key_id=A\n[lab]\n# "
                                               "mine\naws_access_key_id = B\naws_secret_access_key = S\n"));
  qputenv("AWS_CONFIG_FILE", write("config", "[default]\nregion=x\n[profile lab]\nregion = north\n"));
  qputenv("AWS_PROFILE", "lab");
  const http::S3Place place = s3Place("s3://flows/x");
  QCOMPARE(place.signing.key + place.signing.secret + place.signing.what, std::string("BSaws:amz:north:s3"));
}

void TestHttpAnswers::s3IsSigned() {
  const std::string body = letters(300'000);
  HttpServer server([&](const HttpRequest& request) {
    const std::string signature = signatureOf(request, "very secret");
    const std::string given = request.header("authorization");
    if (signature.empty() || given.find("Signature=" + signature) == std::string::npos ||
        given.find("Credential=KEY/") == std::string::npos ||
        request.header("x-amz-security-token") != "session")
      return HttpReply{.status = 403, .body = "<Error><Code>SignatureDoesNotMatch</Code></Error>"};
    if (request.path != "/flows/deep/a%20b%2B%3D.h5") return HttpReply{.status = 404};
    return HttpServer::rangeOf(request, body, "\"1\"");
  });
  qputenv("AWS_ENDPOINT_URL", QByteArray::fromStdString(server.url("")));
  qputenv("AWS_ACCESS_KEY_ID", "KEY");
  qputenv("AWS_SECRET_ACCESS_KEY", "very secret");
  qputenv("AWS_SESSION_TOKEN", "session");
  const auto store = std::make_shared<HttpStore>(kHasty);
  const auto object = store->open("s3://flows/deep/a b+=.h5");
  QCOMPARE(object->name(), std::string("s3://flows/deep/a b+=.h5"));
  QCOMPARE(readAll(*object), body);
  object->checkUnchanged();
  qputenv("AWS_SECRET_ACCESS_KEY", "another");
  const std::string error =
      errorOf([&] { std::make_shared<HttpStore>(kHasty)->open("s3://flows/deep/a b+=.h5"); });
  SAYS(error, "SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY", "s3://flows/deep/");
  QVERIFY(error.find("another") == std::string::npos && error.find("KEY/") == std::string::npos);
}

void TestHttpAnswers::s3Refusals() {
  HttpServer server([&](const HttpRequest& request) {
    if (request.path.ends_with("elsewhere"))
      return HttpReply{.status = 301, .headers = {{"x-amz-bucket-region", "eu-west-3"}}};
    if (request.path.ends_with("changed") && !request.header("if-match").empty())
      return HttpReply{.status = 412};
    if (request.path.ends_with("changed")) return HttpServer::rangeOf(request, letters(300'000), "\"1\"");
    return HttpReply{.status = 404, .body = "<Error><Code>NoSuchKey</Code></Error>"};
  });
  qputenv("AWS_ENDPOINT_URL", QByteArray::fromStdString(server.url("")));
  const auto store = std::make_shared<HttpStore>(kHasty);
  SAYS(errorOf([&] { store->open("s3://b/elsewhere"); }), "eu-west-3", "AWS_REGION");
  SAYS(errorOf([&] { store->open("s3://b/nothing"); }), "NotFound", "no such object");
  const auto object = store->open("s3://b/changed");
  SAYS(errorOf([&] { readAll(*object); }), "Corrupt", "has changed");
}

void TestHttpAnswers::answersAreParsed() {
  http::Answer answer;
  answer.take("HTTP/1.1 301 Moved\r\n");
  answer.take("Location: elsewhere\r\n");
  answer.take("HTTP/2 206\r\n");
  answer.take("Content-Range: bytes 5-9/77\r\n");
  answer.take("etag:  W/\"x\" \r\n");
  answer.take("Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n");
  QCOMPARE(answer.status, 206);
  QVERIFY(answer.location.empty() && !answer.retryAfter);
  QCOMPARE(answer.generation().tag, std::string("W/\"x\""));
  const auto verdict = [&](std::uint64_t offset, std::uint64_t bytes) {
    return http::judge(answer, {offset, bytes});
  };
  QCOMPARE(verdict(5, 5), http::Verdict::Take);
  QCOMPARE(verdict(5, 6), http::Verdict::Fail);
  QCOMPARE(verdict(4, 5), http::Verdict::Fail);
  for (const char* const range :
       {"bytes 5-4/77", "bytes 5-77/77", "bytes 5-9", "bytes x-9/77", "bytes 5-9/99999999999999999999999",
        "bytes -9/77", "bytes", "items 5-9/77"}) {
    http::Answer wrong;
    wrong.take("HTTP/1.1 206 X");
    wrong.take(std::string("content-range: ") + range);
    QVERIFY2(http::judge(wrong, {5, 5}) == http::Verdict::Fail, range);
  }
}

}  // namespace farfield::test

QTEST_APPLESS_MAIN(farfield::test::TestHttpAnswers)
#include "tst_http_answers.moc"
