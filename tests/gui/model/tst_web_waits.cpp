// Data on a web server that falls silent: other data are opened and computed without waiting for it, what was opened closes at
// once, and so does everything. And a step that comes late is told to be in memory once it is there.

#include <QElapsedTimer>
#include <QScopeGuard>
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

constexpr int kFarBytes = 8'000'000;

/// Serves two steps of a page each, far behind what comes with opening. While it is held all wait.
struct HeldServer {
  const std::string bytes = std::string(kFarBytes + 16 * 16 * 16, 'x');
  std::atomic<bool> isHeld = false;
  std::atomic<int> waiting = 0;
  HttpServer server{[this](const HttpRequest& request) {
    ++waiting;
    while (isHeld) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --waiting;
    return HttpServer::rangeOf(request, bytes, "\"1\"");
  }};
};

}  // namespace

class TestWebWaits : public QObject {
  Q_OBJECT
 private slots:
  void otherDataDoNotWait_data();
  void otherDataDoNotWait();
  void stepsThatComeLateAreTold();
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

/// A page counts as read once it is asked for. When it comes, long after that was told, nothing else is read.
void TestWebWaits::stepsThatComeLateAreTold() {
  HeldServer held;
  Theatre theatre(64 * kMiB, webReaders());
  const auto release = qScopeGuard([&] { held.isHeld = false; });
  int counted = 0;
  std::uint64_t pagesRead = 0;
  std::vector<float> resident;
  QObject::connect(&theatre.engine, &app::Engine::counted, &theatre.stage,
                   [&](const app::WorkshopCounters& counters) {
                     ++counted;
                     pagesRead = counters.totals.pagesRead;
                     for (const auto& [key, steps] : counters.residentSteps) resident = steps;
                   });
  app::ObjectId id = 0;
  theatre.document.edit("Open", [&](app::Draft& draft) {
    session::DataSource source{"web", {held.server.url("x0.raw"), held.server.url("x1.raw")}, {}, {}, {}};
    source.options = {{"dims", std::string("16,16,16")},
                      {"type", std::string("u8")},
                      {"offset", std::to_string(kFarBytes)}};
    draft.frame().data.push_back(source);
    id = draft.add(cut("web"));
  });
  QTRY_VERIFY_WITH_TIMEOUT(theatre.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(resident == (std::vector<float>{1, 0}), kPatienceMs);
  const std::uint64_t before = pagesRead;
  held.isHeld = true;
  theatre.stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(held.waiting > 0 && pagesRead == before + 1, kPatienceMs);
  const int asked = counted;
  QTRY_VERIFY_WITH_TIMEOUT(counted >= asked + 3, kPatienceMs);
  QCOMPARE(resident, (std::vector<float>{1, 0}));
  held.isHeld = false;
  QTRY_VERIFY_WITH_TIMEOUT(resident == (std::vector<float>{1, 1}), kPatienceMs);
  QCOMPARE(pagesRead, before + 1);
}

QTEST_GUILESS_MAIN(TestWebWaits)
#include "tst_web_waits.moc"
