// Several viewers of one renderer: whose steps the ranks that read go by.

#include <QTest>

#include "remote/slabd/input_owner.h"

namespace farfield::test {

using namespace std::chrono_literals;
using remote::InputOwner;

class TestSlabViewers : public QObject {
  Q_OBJECT
 private slots:
  void oneHasTheRanksThatRead();
  void whoIsSilentLosesThem();
  void whoOnlyTurnsTakesNothing();
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

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabViewers)
#include "tst_slab_viewers.moc"
