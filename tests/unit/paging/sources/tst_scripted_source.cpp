// The scripted source: answers by hand, and its model of a device. Times are compared with what the model
// says as lower bounds, and with each other; never with the clock of the machine.

#include <poll.h>

#include <QTest>
#include <chrono>
#include <future>
#include <stop_token>

#include "bench/devices/scripted_source.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/sources/box_source.h"
#include "core/paging/sources/source_wait.h"
#include "tests/contract/collecting_sink.h"
#include "tests/contract/sample_data.h"

namespace farfield::paging {
namespace {

using namespace std::chrono_literals;
using test::CollectingSink;
using test::samplePage;
using Seconds = std::chrono::duration<double>;

struct Scripted {
  explicit Scripted(const ScriptedOptions& options)
      : source(std::make_unique<BoxSource>(test::sampleReader(), account, BoxSourceOptions{}, "sample"),
               account, options),
        sink(source, samplePage) {}
  MemoryAccount account{std::uint64_t{256} << 20};
  ScriptedSource source;
  CollectingSink sink;
};

/// Seconds that reading `count` pages of array 0 takes at once.
double secondsFor(const ScriptedOptions& options, std::uint64_t count) {
  Scripted scripted(options);
  std::vector<PageRequest> requests;
  for (std::uint64_t n = 0; n < count; ++n) requests.push_back(scripted.sink.request(0, n % 30));
  const auto start = std::chrono::steady_clock::now();
  scripted.source.read(requests);
  scripted.sink.waitFor(scripted.source);
  return Seconds(std::chrono::steady_clock::now() - start).count();
}

/// Notes the order of arrival.
class OrderSink final : public PageSink {
 public:
  void arrived(std::uint64_t tag, const StoredPage&) noexcept override { add(tag); }
  void failed(std::uint64_t tag, std::exception_ptr) noexcept override { add(tag); }
  std::vector<std::uint64_t> order() const {
    const std::lock_guard lock(m_mutex);
    return m_order;
  }

 private:
  void add(std::uint64_t tag) {
    const std::lock_guard lock(m_mutex);
    m_order.push_back(tag);
  }
  mutable std::mutex m_mutex;
  std::vector<std::uint64_t> m_order;
};

std::vector<std::uint64_t> orderOf(const ScriptedOptions& options) {
  OrderSink sink;
  Scripted scripted(options);
  std::vector<PageRequest> requests;
  for (std::uint64_t n = 0; n < 30; ++n) requests.push_back({.array = 0, .page = n, .sink = &sink, .tag = n});
  scripted.source.read(requests);
  reapUntil(scripted.source, [&] { return sink.order().size() == 30; });
  return sink.order();
}

}  // namespace

class TestScriptedSource : public QObject {
  Q_OBJECT

 private slots:
  void answersByHand() {
    Scripted scripted({.manual = true});
    const PageRequest requests[] = {scripted.sink.request(0, 3), scripted.sink.request(1, 4),
                                    scripted.sink.request(0, 5), scripted.sink.request(0, 6)};
    scripted.source.read(requests);
    QVERIFY(scripted.source.waitForPending(4));
    QVERIFY(!scripted.source.waitForPending(5, 1ms));
    QCOMPARE(scripted.sink.ended(), std::size_t{0});
    QCOMPARE(scripted.source.pending()[1].page, std::uint64_t{4});
    QVERIFY(scripted.source.answer(1));
    QCOMPARE(scripted.sink.good(), std::size_t{1});
    QVERIFY(scripted.source.fail(0, std::make_exception_ptr(Io("unplugged"))));
    QCOMPARE(scripted.sink.errors().size(), std::size_t{1});
    QVERIFY(!scripted.source.answer(2));
    QVERIFY(scripted.source.answer(0, true));  // corrupt: the sink's check complains of the checksum
    QVERIFY(scripted.sink.complaint().find("checksum") != std::string::npos);
    QCOMPARE(scripted.source.answerAll(), std::size_t{1});
    QCOMPARE(scripted.sink.ended(), std::size_t{4});
    QCOMPARE(scripted.source.counters().reads, std::uint64_t{3});
  }

  /// Of a source that does not answer.
  void waitsForPagesAreStopped() {
    Scripted scripted({.manual = true});
    std::stop_source stop;
    std::future<bool> isCancelled = std::async(std::launch::async, [&] {
      const StoppableWaits waits(stop.get_token());
      try {
        fetchNodes(scripted.source, 0, 3);
      } catch (const Cancelled&) {
        return true;
      }
      return false;
    });
    QVERIFY(scripted.source.waitForPending(1));
    stop.request_stop();
    const bool ends = isCancelled.wait_for(20s) == std::future_status::ready;
    scripted.source.answerAll();  // who waits on is let go
    QVERIFY(isCancelled.get() && ends);
  }

  void answersBackwards() {
    Scripted scripted({.manual = true});
    OrderSink sink;
    std::vector<PageRequest> requests;
    for (std::uint64_t n = 0; n < 5; ++n) requests.push_back({.page = n, .sink = &sink, .tag = n});
    scripted.source.read(requests);
    QCOMPARE(scripted.source.answerAll(true), std::size_t{5});
    QCOMPARE(sink.order(), (std::vector<std::uint64_t>{4, 3, 2, 1, 0}));
  }

  void unansweredRequestsEndWithTheSource() {
    OrderSink sink;
    {
      Scripted scripted({.manual = true});
      const PageRequest request{.sink = &sink, .tag = 9};
      scripted.source.read({&request, 1});
    }
    QCOMPARE(sink.order(), (std::vector<std::uint64_t>{9}));
  }

  void latencyIsPaidOncePerSlot() {
    for (const ScriptedDelivery delivery : {ScriptedDelivery::Thread, ScriptedDelivery::Reap}) {
      const double one = secondsFor({.latency = 10ms, .maxConcurrent = 1, .delivery = delivery}, 40);
      const double twenty = secondsFor({.latency = 10ms, .maxConcurrent = 20, .delivery = delivery}, 40);
      QVERIFY2(one >= 0.400, std::to_string(one).c_str());
      QVERIFY2(twenty >= 0.020, std::to_string(twenty).c_str());
      QVERIFY2(twenty < one / 2, (std::to_string(twenty) + " " + std::to_string(one)).c_str());
    }
  }

  void theLinkIsShared() {
    MemoryAccount account(64 << 20);
    BoxSource inner(test::sampleReader(), account, {}, "sample");
    std::uint64_t bytes = 0;
    for (std::uint64_t n = 0; n < 30; ++n)
      bytes += static_cast<std::uint64_t>(product(inner.description().arrays[0].boxOf(n).size) * 12);
    const double rate = static_cast<double>(bytes) / 0.05;
    QVERIFY(secondsFor({.bytesPerSecond = rate, .maxConcurrent = 30}, 30) >= 0.0499);
    QVERIFY(secondsFor({.latency = 10ms, .bytesPerSecond = rate, .maxConcurrent = 30}, 30) >= 0.0599);
  }

  void timeGoesOnWhileNobodyReaps() {
    // 30 pages, one at a time, 2 ms each. When nobody reaps for 100 ms, they are all due then.
    Scripted scripted({.latency = 2ms, .maxConcurrent = 1, .delivery = ScriptedDelivery::Reap});
    std::vector<PageRequest> requests;
    for (std::uint64_t n = 0; n < 30; ++n) requests.push_back(scripted.sink.request(0, n));
    scripted.source.read(requests);
    QTest::qSleep(100);
    int descriptor = -1;
    QCOMPARE(scripted.source.pollDescriptors(&descriptor, 1), 1);
    pollfd polled{descriptor, POLLIN, 0};
    QCOMPARE(::poll(&polled, 1, 0), 1);
    while (scripted.source.reap() > 0) {
    }
    QCOMPARE(scripted.sink.good(), std::size_t{30});
    QCOMPARE(scripted.source.pollDescriptors(&descriptor, 1), 1);
    QCOMPARE(::poll(&polled, 1, 0), 0);
  }

  void shuffledOrderFollowsTheSeed() {
    std::vector<std::uint64_t> sorted(30);
    for (std::uint64_t n = 0; n < 30; ++n) sorted[n] = n;
    QCOMPARE(orderOf({.maxConcurrent = 1}), sorted);
    const auto a = orderOf({.maxConcurrent = 1, .shuffle = true, .seed = 5});
    QVERIFY(a != sorted);
    QCOMPARE(a, orderOf({.maxConcurrent = 1, .shuffle = true, .seed = 5}));
    QVERIFY(a != orderOf({.maxConcurrent = 1, .shuffle = true, .seed = 6}));
  }

  void failsAndCorruptsAsOftenAsTold() {
    Scripted failing({.failureProbability = 0.5});
    failing.source.read(test::everyPage(failing.source, failing.sink));
    failing.sink.waitFor(failing.source);
    const std::size_t errors = failing.sink.errors().size();
    QVERIFY(errors > failing.sink.asked() / 4 && errors < failing.sink.asked() * 3 / 4);
    QCOMPARE(QString::fromStdString(failing.sink.complaint()), QString());

    Scripted corrupting({.corruptProbability = 1});
    const PageRequest request = corrupting.sink.request(0, 0);
    corrupting.source.read({&request, 1});
    corrupting.sink.waitFor(corrupting.source);
    QVERIFY(corrupting.sink.complaint().find("checksum") != std::string::npos);
  }

  void prefetchesAreServedLast() {
    OrderSink sink;
    Scripted scripted({.latency = 1ms, .maxConcurrent = 1});
    std::vector<PageRequest> requests;
    for (std::uint64_t n = 0; n < 10; ++n)
      requests.push_back(
          {.page = n, .sink = &sink, .tag = n, .priority = n < 5 ? Priority::Prefetch : Priority::Demand});
    scripted.source.read(requests);
    reapUntil(scripted.source, [&] { return sink.order().size() == 10; });
    QCOMPARE(sink.order(), (std::vector<std::uint64_t>{5, 6, 7, 8, 9, 0, 1, 2, 3, 4}));
  }

  void senselessOptions() {
    MemoryAccount account(256 << 20);
    const auto inner = [&] {
      return std::make_unique<BoxSource>(test::sampleReader(), account, BoxSourceOptions{}, "sample");
    };
    QVERIFY_EXCEPTION_THROWN(ScriptedSource(inner(), account, {.maxConcurrent = 0}), Invalid);
    QVERIFY_EXCEPTION_THROWN(ScriptedSource(inner(), account, {.bytesPerSecond = -1}), Invalid);
    QVERIFY_EXCEPTION_THROWN(ScriptedSource(inner(), account, {.maxConcurrent = 1'000'000'000}), OverBudget);
  }
};

}  // namespace farfield::paging

QTEST_APPLESS_MAIN(farfield::paging::TestScriptedSource)
#include "tst_scripted_source.moc"
