// Data on a web server that falls silent: other data are opened and computed without waiting for it, what was opened closes at
// once, and so does everything.

#include <QElapsedTimer>
#include <QTest>

#include "plugins/raw/raw_data.h"
#include "remote/http/http_store.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/http_server.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A silent server is given half a minute, and asked again for another: what waits for it takes longer than this.
constexpr int kAtOnceMs = 20'000;

std::shared_ptr<const fields::ReaderRegistry> webReaders() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<samples::SampleDataReader>());
  const auto stores = std::make_shared<paging::ByteStores>();
  http::addHttpStores(*stores);
  registry->add(std::make_unique<raw::RawDataReader>(stores));
  return registry;
}

session::Object cut(const std::string& data) {
  session::Object object;
  object.name = "cut";
  object.data = data;
  object.shape = session::Slice{};
  object.color.by = data == "web" ? "value" : "velocity-magnitude";
  return object;
}

/// Serves plain numbers, and after some requests nothing.
struct SilentServer {
  explicit SilentServer(int requests) : answered(requests) {}
  bool isSilent() const { return server.requests() > answered; }
  session::DataSource source() const {
    session::DataSource source{"web", {server.url("x.raw")}, {}, {}, {}};
    source.options = {{"dims", std::string("400,50,200")}, {"type", std::string("u8")}};
    return source;
  }

  int answered;
  std::string bytes = std::string(4'000'000, 'x');
  HttpServer server{[this](const HttpRequest& request) {
    return request.number > answered ? HttpReply{.hangs = true}
                                     : HttpServer::rangeOf(request, bytes, "\"1\"");
  }};
};

}  // namespace

class TestWebWaits : public QObject {
  Q_OBJECT
 private slots:
  void otherDataDoNotWait_data();
  void otherDataDoNotWait();
};

void TestWebWaits::otherDataDoNotWait_data() {
  QTest::addColumn<int>("answered");
  QTest::newRow("silent from the first request on") << 0;
  QTest::newRow("silent once it is open") << 1;
  QTest::newRow("silent after some pages") << 3;
}

void TestWebWaits::otherDataDoNotWait() {
  QFETCH(int, answered);
  SilentServer silent(answered);
  QElapsedTimer clock;
  {
    Theatre theatre(64 * kMiB, webReaders());
    theatre.document.edit("Open", [&](app::Draft& draft) {
      draft.frame().data.push_back(silent.source());
      draft.add(cut("web"));
    });
    QTRY_VERIFY_WITH_TIMEOUT(silent.isSilent(), kPatienceMs);
    const auto other = std::make_shared<app::ObjectId>();
    theatre.document.edit("Replace", [&](app::Draft& draft) {
      while (!draft.frame().objects.empty()) draft.remove(theatre.document.objectIds().front());
      draft.frame().data = {{"flow", {"sample://abc?size=9"}, {}, {}, {}}};
      *other = draft.add(cut("flow"));
    });
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(*other), app::ObjectState::Done, kAtOnceMs);
    theatre.document.edit("Both", [&](app::Draft& draft) {
      draft.frame().data.push_back(silent.source());
      draft.add(cut("web"));
    });
    QTest::qWait(300);
    clock.start();
  }
  QVERIFY2(clock.elapsed() < kAtOnceMs, std::to_string(clock.elapsed()).c_str());
}

QTEST_GUILESS_MAIN(TestWebWaits)
#include "tst_web_waits.moc"
