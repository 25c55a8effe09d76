// Ranks whose connection is lost: the next parts come by a new one, whoever waits for what was lost is told, and nothing is kept for a
// rank that is not there.

#include <QTest>

#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "remote/slabd/frame_exchange.h"
#include "tests/support/error_words.h"

namespace farfield::test {
namespace {

using namespace remote;

constexpr std::uint64_t kViewer = 7;

/// Rank `rank` of two.
std::unique_ptr<FrameExchange> exchangeOf(std::uint32_t rank) {
  return std::make_unique<FrameExchange>(rank, "secret", false, std::uint64_t{1} << 20);
}

FramePart partOf(std::uint64_t show, std::uint32_t part) {
  FramePart its;
  its.viewer = kViewer;
  its.show = show;
  its.part = part;
  its.pixels.width = 1;
  its.pixels.rows = 1;
  its.pixels.rgba = Bytes(8);
  return its;
}

/// Of a picture to which both ranks contribute, in a thread of its own; an empty text if it came.
std::future<std::string> collected(FrameExchange& exchange, std::uint64_t show, std::stop_token stop) {
  return std::async(std::launch::async, [&exchange, show, stop = std::move(stop)] {
    try {
      exchange.collect(kViewer, show, {0, 1}, stop);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  });
}

}  // namespace

class TestFrameExchange : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_stop = std::stop_source();
    m_first = exchangeOf(0);
    m_second = exchangeOf(1);
    meet();
  }
  void cleanup() {
    m_stop.request_stop();
    m_first.reset();
    m_second.reset();
  }
  void aNewConnectionIsMade();
  void whoWaitsForWhatWasLostIsTold();
  void whoSentWhatWasLostIsTold();
  void nobodyThereIsSaid();

 private:
  void meet() {
    const std::vector<Host> peers{{"127.0.0.1", m_first->port()}, {"127.0.0.1", m_second->port()}};
    m_first->setPeers(peers);
    m_second->setPeers(peers);
  }
  /// Rank 1 gets the picture `show` with rank 0's part.
  std::string show(std::uint64_t number) {
    m_second->forget(kViewer, number);
    m_second->send(1, partOf(number, 1));
    m_first->send(1, partOf(number, 0));
    auto result = collected(*m_second, number, m_stop.get_token());
    if (result.wait_for(std::chrono::seconds(20)) != std::future_status::ready) m_stop.request_stop();
    return result.get();
  }

  std::stop_source m_stop;
  std::unique_ptr<FrameExchange> m_first, m_second;
};

void TestFrameExchange::aNewConnectionIsMade() {
  std::atomic<int> losses = 0;
  m_first->setLost([&](std::uint64_t, std::uint64_t, const std::exception_ptr&) { ++losses; });
  QCOMPARE(show(1), std::string());
  m_second = exchangeOf(1);
  meet();
  QTRY_COMPARE(losses.load(), 1);
  QCOMPARE(show(2), std::string());
  QCOMPARE(show(3), std::string());
  m_first->setLost({});
}

void TestFrameExchange::whoWaitsForWhatWasLostIsTold() {
  QCOMPARE(show(1), std::string());
  m_second->forget(kViewer, 2);
  m_second->send(1, partOf(2, 1));
  auto waiting = collected(*m_second, 2, m_stop.get_token());
  m_first.reset();
  if (waiting.wait_for(std::chrono::seconds(20)) != std::future_status::ready) m_stop.request_stop();
  const std::string said = waiting.get();
  QVERIFY2(contains(said, "ranks 1 and 0 was lost"), said.c_str());
}

void TestFrameExchange::whoSentWhatWasLostIsTold() {
  std::promise<std::pair<std::uint64_t, std::uint64_t>> told;
  m_first->setLost([&](std::uint64_t viewer, std::uint64_t number, const std::exception_ptr&) {
    told.set_value({viewer, number});
  });
  QCOMPARE(show(1), std::string());
  QCOMPARE(show(5), std::string());
  m_second.reset();
  auto result = told.get_future();
  QVERIFY(result.wait_for(std::chrono::seconds(20)) == std::future_status::ready);
  QVERIFY(result.get() == std::pair(kViewer, std::uint64_t{5}));
  m_first->setLost({});
}

void TestFrameExchange::nobodyThereIsSaid() {
  std::promise<void> told;
  std::atomic<bool> isTold = false;
  m_first->setLost([&](std::uint64_t, std::uint64_t, const std::exception_ptr&) {
    if (!isTold.exchange(true)) told.set_value();
  });
  m_second.reset();  // before it was ever reached
  m_first->send(1, partOf(1, 0));
  QVERIFY(told.get_future().wait_for(std::chrono::seconds(20)) == std::future_status::ready);
  m_first->setLost({});
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestFrameExchange)
#include "tst_frame_exchange.moc"
