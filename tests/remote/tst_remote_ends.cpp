// What ends while others are at it: sets that newer ones have replaced, a server with reads on their way, clients that leave while
// much is read for them.

#include <QTest>
#include <atomic>
#include <future>
#include <thread>

#include "core/base/error.h"
#include "remote/server/set_table.h"
#include "remote/server/upstream.h"
#include "remote/server/values.h"
#include "tests/remote/loopback_server.h"
#include "tests/remote/raw_client.h"
#include "tests/support/counted_reader.h"

namespace farfield::test {

using namespace remote;
using namespace std::chrono_literals;

namespace {

/// Opens numbers that are made up, each time as other data than before.
class CountedUpstream final : public Upstream {
 public:
  explicit CountedUpstream(std::shared_ptr<CountedReader> reader) : m_reader(std::move(reader)) {}
  std::shared_ptr<ServedSet> open(const OpenRequestMessage& request) override {
    fields::BoxDataOptions options;
    options.pagesAsDescribed = true;
    Opened facts;
    facts.identity = ++m_opened;
    return servedData(fields::openBoxes(m_reader, options, {}, m_account), std::move(facts), {},
                      request.forConversion, m_account, m_stop.get_token());
  }
  void stop() noexcept override {
    m_stop.request_stop();
    if (whenStopped) whenStopped();
  }
  std::vector<ListEntry> list(const std::string&) override { return {}; }
  std::function<void()> whenStopped;

 private:
  std::shared_ptr<CountedReader> m_reader;
  MemoryAccount m_account{std::uint64_t{64} << 20};
  std::atomic<std::uint64_t> m_opened{0};
  std::stop_source m_stop;
};

std::shared_ptr<CountedReader> readerOf(const Index3& dims, const Index3& page, std::int64_t steps = 1) {
  auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"a"}, dims, page, steps);
  reader->reads = std::make_shared<std::atomic<int>>(0);
  return reader;
}

/// Opened once, by whoever comes first; waits that end by themselves only where what is tested is broken.
class Gate {
 public:
  void open() {
    if (!m_isOpen.exchange(true)) m_promise.set_value();
  }
  bool wait(std::chrono::milliseconds most = 20s) const {
    return m_future.wait_for(most) == std::future_status::ready;
  }

 private:
  std::atomic<bool> m_isOpen{false};
  std::promise<void> m_promise;
  const std::shared_future<void> m_future = m_promise.get_future().share();
};

}  // namespace

class TestRemoteEnds : public QObject {
  Q_OBJECT
 private slots:
  void replacedSetsEndInTheTable();
  void aServerEndsBehindItsReads();
  void stoppedSetsReadNoMore();
  void serversEndWhileClientsCome();
  void valuesAreNotReadForWhoHasLeft();
  void valuesFromAllOverAreAskedForInParts_data();
  void valuesFromAllOverAreAskedForInParts();
};

/// A set waits for its threads: the last of its readers, on one of these, must not be what closes it.
void TestRemoteEnds::replacedSetsEndInTheTable() {
  const auto upstream = std::make_shared<CountedUpstream>(readerOf({8, 8, 8}, {4, 4, 4}));
  MemoryAccount account(std::uint64_t{64} << 20);
  SetTable table({servedReaders(), account, [](const std::function<void()>& work) { work(); }});
  const OpenRequestMessage request{{"made up"}, {}, "", {}, false};
  std::shared_ptr<ServedSet> first = table.open(*upstream, request);
  const std::weak_ptr<ServedSet> replaced = first;
  QTRY_VERIFY_WITH_TIMEOUT(table.open(*upstream, request) != first, 20000);
  table.sweep(16);
  QCOMPARE(replaced.use_count(), 2L);
  QCOMPARE(table.size(), std::size_t{2});
  first.reset();
  QVERIFY(!replaced.expired());
  table.sweep(16);
  QVERIFY(replaced.expired());
  QCOMPARE(table.size(), std::size_t{1});
}

void TestRemoteEnds::aServerEndsBehindItsReads() {
  const auto reader = readerOf({8, 8, 8}, {4, 4, 4});
  Gate reading, stopped, gone, handedOver;
  std::atomic<bool> isGoneFirst{false};
  reader->before = [&] {
    reading.open();
    stopped.wait();
    isGoneFirst = gone.wait(300ms);  // that it is waited for shows in nothing but that it does not come
    handedOver.open();
  };
  const auto upstream = std::make_shared<CountedUpstream>(reader);
  upstream->whenStopped = [&] { stopped.open(); };
  ServerOptions options;
  options.upstream = upstream;
  auto server = std::make_unique<LoopbackServer>("", options);
  {
    RawClient client(server->address());
    const Opened opened = client.open("made up");
    client.send(MessageType::Read, 10, bytesOf(ReadRequest{opened.handle, Urgency::Demand, {{0, 0}}}));
    QVERIFY(reading.wait());
  }
  server.reset();
  gone.open();
  QVERIFY(handedOver.wait());
  QVERIFY(!isGoneFirst);
}

/// What another server does not answer would be waited for at the end.
void TestRemoteEnds::stoppedSetsReadNoMore() {
  constexpr int kPages = 64;
  const auto reader = readerOf({16, 16, 16}, {4, 4, 4});
  Gate reading, letGo;
  reader->before = [&] {
    reading.open();
    letGo.wait();
  };
  CountedUpstream upstream(reader);
  std::atomic<int> ended{0}, cancelled{0};
  const std::shared_ptr<ServedSet> set = upstream.open({{"made up"}, {}, "", {}, false});
  const auto done = [&](const PageBlobPointer&, const std::exception_ptr& error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const Cancelled&) {
      ++cancelled;
    } catch (const Error&) {
    }
    ++ended;
  };
  for (int page = 0; page < kPages; ++page) set->read(0, static_cast<std::uint64_t>(page), done);
  QVERIFY(reading.wait());
  upstream.stop();
  letGo.open();
  QTRY_COMPARE_WITH_TIMEOUT(ended.load(), kPages, 20000);
  QVERIFY(cancelled > 0);
  const int before = cancelled;
  set->read(0, 0, done);
  QCOMPARE(ended.load(), kPages + 1);
  QCOMPARE(cancelled.load(), before + 1);
}

/// Nothing is listened on once it is closed; with several threads, and whenever the end comes.
void TestRemoteEnds::serversEndWhileClientsCome() {
  for (int round = 0; round < 20; ++round) {
    ServerOptions options;
    options.upstream = std::make_shared<CountedUpstream>(readerOf({8, 8, 8}, {4, 4, 4}));
    options.threads = 4;
    options.metrics = "127.0.0.1:0";
    auto server = std::make_unique<LoopbackServer>("", options);
    const std::string address = server->address(), metrics = server->server().metricsAddress();
    Gate come;
    std::atomic<bool> isGone{false};
    const std::jthread clients([&] {
      try {
        while (!isGone) {
          RawClient client(address), other(metrics);
          come.open();
        }
      } catch (const std::system_error&) {  // refused: the server has ended
      }
      come.open();
    });
    const bool hasCome = come.wait();
    server.reset();
    isGone = true;
    QVERIFY(hasCome);
  }
}

void TestRemoteEnds::valuesAreNotReadForWhoHasLeft() {
  const auto reader = readerOf({8, 8, 64}, {4, 4, 4});
  Gate reading, left, letGo;
  reader->before = [&] {
    reading.open();
    letGo.wait();
  };
  ServerOptions options;
  options.upstream = std::make_shared<CountedUpstream>(reader);
  options.log = [&](const std::string& line) {
    if (line.starts_with("event=disconnected")) left.open();
  };
  {
    const LoopbackServer server("", options);
    {
      RawClient client(server.address());
      ValuesRequest request;
      request.handle = client.open("made up").handle;
      request.count = {1, 32, 2, 2};
      request.stride = {1, 2, 7, 7};
      client.send(MessageType::Values, 10, bytesOf(request));
      QVERIFY(reading.wait());
    }
    QVERIFY(left.wait());
    letGo.open();
  }
  QCOMPARE(reader->reads->load(), 1);
}

void TestRemoteEnds::valuesFromAllOverAreAskedForInParts_data() {
  QTest::addColumn<bool>("fromBoxes");
  QTest::newRow("boxes") << true;
  QTest::newRow("pages") << false;
}

/// Few values may take as much reading as all of the data, step for step.
void TestRemoteEnds::valuesFromAllOverAreAskedForInParts() {
  QFETCH(bool, fromBoxes);
  /// Boxes are what conversion reads, and what a client asks for values from.
  class WithoutBoxes final : public fields::ForwardedData {
   public:
    using ForwardedData::ForwardedData;
    const paging::BoxReader* boxReader() const override { return nullptr; }
  };
  const auto reader =
      fromBoxes ? readerOf({1 << 16, 1 << 12, 2}, {64, 64, 1}, 8) : readerOf({16, 16, 16}, {1, 1, 1}, 2);
  MemoryAccount account(std::uint64_t{64} << 20);
  std::unique_ptr<fields::OpenData> data = openCounted(reader, account);
  if (!fromBoxes) data = std::make_unique<WithoutBoxes>(std::move(data));
  const auto set = servedData(std::move(data), {}, {}, false, account);
  PageDesk desk({.cacheBytes = 1 << 20});
  ValuesRequest request;
  request.count =
      fromBoxes ? std::array<std::int64_t, 4>{2, 1, 2, 2} : std::array<std::int64_t, 4>{2, 16, 16, 16};
  if (fromBoxes) request.stride = {7, 1, (1 << 12) - 1, (1 << 16) - 1};
  QVERIFY_EXCEPTION_THROWN(valuesOf(desk, set, request, {}), Invalid);
  QCOMPARE(reader->reads->load(), 0);
  // Pages without a value of it are not read.
  request.count =
      fromBoxes ? std::array<std::int64_t, 4>{2, 1, 2, 2} : std::array<std::int64_t, 4>{2, 2, 2, 2};
  request.stride =
      fromBoxes ? std::array<std::int64_t, 4>{7, 1, 15, 15} : std::array<std::int64_t, 4>{1, 15, 15, 15};
  const Bytes values = valuesOf(desk, set, request, {});
  QCOMPARE(reader->reads->load(), fromBoxes ? 2 : 16);
  const Index3 dims = set->description().arrays[0].layout.dims();
  const auto* const its = reinterpret_cast<const float*>(values.data());
  QCOMPARE(its[1], 15.0f);
  QCOMPARE(its[2], static_cast<float>(15 * dims[0] % 1000));
  std::stop_source stopped;
  stopped.request_stop();
  QVERIFY_EXCEPTION_THROWN(valuesOf(desk, set, request, stopped.get_token()), Cancelled);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestRemoteEnds)
#include "tst_remote_ends.moc"
