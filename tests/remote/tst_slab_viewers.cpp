// Viewers of a renderer: of several, whose steps the ranks that read go by; of one, that each answer comes to who asked.

#include <QScopeGuard>
#include <QTest>
#include <future>
#include <memory>

#include "core/base/error.h"
#include "remote/slabd/input_owner.h"
#include "remote/slabs/slab_viewer.h"
#include "tests/remote/raw_client.h"

namespace farfield::test {

using namespace std::chrono_literals;
using remote::InputOwner;

class TestSlabViewers : public QObject {
  Q_OBJECT
 private slots:
  void oneHasTheRanksThatRead();
  void whoIsSilentLosesThem();
  void whoOnlyTurnsTakesNothing();
  void answersComeWhateverIsShown();
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
  asio::io_context io;
  asio::ip::tcp::acceptor acceptor(io, {asio::ip::make_address("127.0.0.1"), 0});
  const std::string url = "slab://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
  std::stop_source stop;
  auto made = std::async(std::launch::async,
                         [&] { return std::make_unique<SlabViewer>(url, stop.get_token(), Credentials{}); });
  RawClient renderer(acceptor);
  const auto unwelcome = qScopeGuard([&] { stop.request_stop(); });
  QVERIFY(renderer.next());  // the hello
  SlabWelcome welcome;
  welcome.viewer = 1;
  welcome.alive = {0};  // its rank is gone: there is one connection
  welcome.facts.times = {0};
  welcome.facts.bounds.add(Vec3{0, 0, 0});
  welcome.facts.bounds.add(Vec3{1, 1, 1});
  renderer.raw(slabFrame(SlabMessage::Welcome, 0, bytesOf(welcome)));
  const std::unique_ptr<SlabViewer> viewer = made.get();

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

  const auto fail = [&](std::uint64_t number) {
    const auto why = std::make_exception_ptr(Invalid("not today", "ask tomorrow"));
    renderer.raw(frameOf(MessageType::Failed, number, bytesOf(failedFrom(why))));
  };
  Surveyed surveyed;
  surveyed.range = {3, 4};
  surveyed.opacity = {{3, 0}, {4, 0.5}};
  renderer.raw(slabFrame(SlabMessage::Surveyed, askedFirst->header.sequence, bytesOf(surveyed)));
  fail(askedSecond->header.sequence);
  QVERIFY(first.wait_for(20s) == std::future_status::ready);
  const Surveyed answer = first.get();
  QVERIFY(answer.range == surveyed.range);
  QCOMPARE(answer.opacity.size(), 2u);
  QVERIFY(second.wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Error, (void)second.get());
  fail(shown->header.sequence);
  QVERIFY(show.wait_for(20s) == std::future_status::ready);
  QVERIFY_THROWS_EXCEPTION(Error, show.get());
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabViewers)
#include "tst_slab_viewers.moc"
