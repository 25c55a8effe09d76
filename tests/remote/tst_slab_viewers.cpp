// Viewers of a renderer: of several, whose steps the ranks that read go by; of one, that each answer comes to who asked.

#include <QScopeGuard>
#include <QTest>
#include <array>
#include <future>
#include <memory>

#include "core/base/error.h"
#include "remote/slabd/input_owner.h"
#include "remote/slabs/slab_viewer.h"
#include "tests/remote/raw_client.h"

namespace farfield::test {

using namespace std::chrono_literals;
using remote::InputOwner;

namespace {

/// A viewer, and this test in the place of its renderer, whose only rank is gone: there is one connection.
struct OneViewer {
  explicit OneViewer(const std::stop_source& stop)
      : acceptor(io, {asio::ip::make_address("127.0.0.1"), 0}),
        made(std::async(
            std::launch::async,
            [this, stop] {
              const std::string url = "slab://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
              return std::make_unique<remote::SlabViewer>(url, stop.get_token(), remote::Credentials{});
            })),
        renderer(acceptor) {
    const bool greeted = renderer.next().has_value();
    remote::SlabWelcome welcome;
    welcome.viewer = 1;
    welcome.alive = {0};
    welcome.facts.times = {0};
    welcome.facts.bounds.add(Vec3{0, 0, 0});
    welcome.facts.bounds.add(Vec3{1, 1, 1});
    renderer.raw(remote::slabFrame(remote::SlabMessage::Welcome, 0, bytesOf(welcome)));
    if (greeted) viewer = made.get();
  }
  void fail(std::uint64_t number) {
    const auto why = std::make_exception_ptr(Invalid("not today", "ask tomorrow"));
    renderer.raw(remote::frameOf(remote::MessageType::Failed, number, bytesOf(remote::failedFrom(why))));
  }

  asio::io_context io;
  asio::ip::tcp::acceptor acceptor;
  std::future<std::unique_ptr<remote::SlabViewer>> made;
  RawClient renderer;
  std::unique_ptr<remote::SlabViewer> viewer;
};

}  // namespace

class TestSlabViewers : public QObject {
  Q_OBJECT
 private slots:
  void oneHasTheRanksThatRead();
  void whoIsSilentLosesThem();
  void whoOnlyTurnsTakesNothing();
  void answersComeWhateverIsShown();
  void picturesWaitForEachOther();
  void whoReadsNoAnswersIsNotRead();
};

void TestSlabViewers::oneHasTheRanksThatRead() {
  InputOwner owner;
  const auto now = InputOwner::Clock::now();
  QVERIFY(owner.takes(1, true, now));
  QVERIFY(!owner.takes(2, true, now + 1s));
  QVERIFY(owner.takes(1, true, now + 2s));
  QVERIFY(owner.takes(1, false, now + 9s));  // its last step
  QVERIFY(!owner.takes(2, true, now + 18s));
  owner.leave(2);
  QVERIFY(!owner.takes(2, true, now + 18s));
  owner.leave(1);
  QVERIFY(owner.takes(2, true, now + 18s));
  QVERIFY(!owner.takes(1, true, now + 19s));
}

void TestSlabViewers::whoIsSilentLosesThem() {
  InputOwner owner;
  const auto now = InputOwner::Clock::now();
  QVERIFY(owner.takes(1, true, now));
  QVERIFY(!owner.takes(2, true, now + InputOwner::kKept));
  QVERIFY(owner.takes(2, true, now + InputOwner::kKept + 1s));
  QVERIFY(!owner.takes(1, true, now + InputOwner::kKept + 2s));
}

void TestSlabViewers::whoOnlyTurnsTakesNothing() {
  InputOwner owner;
  const auto now = InputOwner::Clock::now();
  QVERIFY(owner.takes(1, false, now));
  QVERIFY(owner.takes(2, true, now));
  QVERIFY(!owner.takes(1, false, now));
}

void TestSlabViewers::answersComeWhateverIsShown() {
  using namespace remote;
  std::stop_source stop;
  OneViewer one(stop);
  RawClient& renderer = one.renderer;
  SlabViewer* const viewer = one.viewer.get();
  QVERIFY(viewer);

  MemoryAccount account(std::uint64_t{1} << 20);
  const auto ask = [&](const std::string& by) {
    return std::async(std::launch::async,
                      [&, by] { return viewer->survey({.step = 0, .by = by}, stop.get_token()); });
  };
  std::future<Surveyed> first, second;
  std::future<void> show;
  const auto leave = qScopeGuard([&] { stop.request_stop(); });  // before these are waited for
  first = ask("one");
  const auto askedFirst = renderer.next();
  QVERIFY(askedFirst && slabMessage(askedFirst->header) == SlabMessage::Survey);
  second = ask("another");
  const auto askedSecond = renderer.next();
  QVERIFY(askedSecond && slabMessage(askedSecond->header) == SlabMessage::Survey);
  show =
      std::async(std::launch::async, [&] { (void)viewer->slabs(ShowRequest{}, account, stop.get_token()); });
  const auto shown = renderer.next();
  QVERIFY(shown && slabMessage(shown->header) == SlabMessage::Show);

  Surveyed surveyed;
  surveyed.range = {3, 4};
  surveyed.opacity = {{3, 0}, {4, 0.5}};
  renderer.raw(slabFrame(SlabMessage::Surveyed, askedFirst->header.sequence, bytesOf(surveyed)));
  one.fail(askedSecond->header.sequence);
  QVERIFY(first.wait_for(20s) == std::future_status::ready);
  const Surveyed answer = first.get();
  QVERIFY(answer.range == surveyed.range);
  QCOMPARE(answer.opacity.size(), 2u);
  QVERIFY(second.wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Error, (void)second.get());
  one.fail(shown->header.sequence);
  QVERIFY(show.wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Error, show.get());
}

/// Two views of one volume asked for frames, and each took the place of the other's: both were cancelled, again and again.
void TestSlabViewers::picturesWaitForEachOther() {
  using namespace remote;
  std::stop_source stop, stopsWaiting, stopsShown;
  OneViewer one(stop);
  QVERIFY(one.viewer);
  MemoryAccount account(std::uint64_t{1} << 20);
  std::array<std::future<void>, 4> asked;
  const auto leave = qScopeGuard([&] {  // before these are waited for
    for (std::stop_source* each : {&stop, &stopsWaiting, &stopsShown}) each->request_stop();
  });
  const auto ask = [&](const std::stop_source& stops) {
    ShowRequest request;
    request.kind = ShowKind::Frame;
    request.width = request.height = request.rows = 1;
    return std::async(std::launch::async, [&, request, stops] {
      std::array<float, 4> rgba{};
      one.viewer->frame(request, account, stops.get_token(), rgba);
    });
  };
  const auto nextShow = [&]() -> std::uint64_t {
    const auto said = one.renderer.next();
    return said && slabMessage(said->header) == SlabMessage::Show ? said->header.sequence : 0;
  };
  asked[0] = ask(stop);
  const std::uint64_t first = nextShow();
  QVERIFY(first > 0);
  asked[1] = ask(stopsWaiting);
  asked[2] = ask(stopsShown);
  // who waits may stop, whatever is shown
  stopsWaiting.request_stop();
  QVERIFY(asked[1].wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Cancelled, asked[1].get());
  // the first one is still waited for: its answer comes to it
  one.fail(first);
  QVERIFY(asked[0].wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Invalid, asked[0].get());
  // then it is the next one's turn, and where that one stops, whose comes after it
  const std::uint64_t second = nextShow();
  QVERIFY(second > first);
  asked[3] = ask(stop);
  stopsShown.request_stop();
  QVERIFY(asked[2].wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Cancelled, asked[2].get());
  const std::uint64_t third = nextShow();
  QVERIFY(third > second);
  one.fail(third);
  QVERIFY(asked[3].wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Invalid, asked[3].get());
}

/// Every ping is answered: of somebody who reads no answers they would pile up as fast as pings come.
void TestSlabViewers::whoReadsNoAnswersIsNotRead() {
  const std::stop_source stop;
  OneViewer one(stop);
  QVERIFY(one.viewer);
  asio::ip::tcp::socket& socket = one.renderer.socket();
  socket.non_blocking(true);
  remote::Bytes pings;
  for (int n = 0; n < 4096; ++n) {
    const remote::Bytes ping = remote::frameOf(remote::MessageType::Ping, 1, {});
    pings.insert(pings.end(), ping.begin(), ping.end());
  }
  // More than fits into the buffers of a connection, and not more than a viewer could read meanwhile.
  constexpr std::size_t kMuch = std::size_t{128} << 20;
  constexpr auto kStuck = 2s;
  std::size_t sent = 0;
  auto last = std::chrono::steady_clock::now();
  while (sent < kMuch && std::chrono::steady_clock::now() - last < kStuck) {
    std::error_code error;
    // from where the last ping was cut, if it was
    const std::size_t at = sent % pings.size();
    const std::size_t some = socket.write_some(asio::buffer(pings.data() + at, pings.size() - at), error);
    if (error && error != asio::error::would_block) QFAIL(error.message().c_str());
    if (some == 0) continue;
    sent += some;
    last = std::chrono::steady_clock::now();
  }
  QVERIFY2(sent < kMuch, std::to_string(sent).c_str());
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabViewers)
#include "tst_slab_viewers.moc"
