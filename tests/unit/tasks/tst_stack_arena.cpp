// The stacks of fibers: apart from one another, whole, and watched at their ends.

#include <QTest>

#include <cstring>

#include "core/base/error.h"
#include "core/tasks/stack_arena.h"

using farfield::tasks::detail::StackArena;

class TestStackArena : public QObject {
  Q_OBJECT
 private slots:
  void stacksAreApart();
  void overrunIsSeen();
  void fullUseIsNoOverrun();
  void releasedStacksAreUsableAgain();
  void hugeRequestIsRefused();
};

void TestStackArena::stacksAreApart() {
  const StackArena arena(10, 20000);
  for (std::size_t i = 0; i + 1 < arena.count(); ++i) {
    const auto distance = static_cast<std::byte*>(arena.top(i + 1)) - static_cast<std::byte*>(arena.top(i));
    QVERIFY(distance >= 20000);
    QVERIFY(arena.usableBytes() < static_cast<std::size_t>(distance));
    QCOMPARE(reinterpret_cast<std::uintptr_t>(arena.top(i)) % 64, std::uintptr_t{0});
  }
}

void TestStackArena::overrunIsSeen() {
  StackArena arena(3, 1);
  for (std::size_t i = 0; i < 3; ++i) arena.placeCanary(i);
  for (std::size_t i = 0; i < 3; ++i) QVERIFY(arena.isIntact(i));
  std::byte* const end = static_cast<std::byte*>(arena.top(1)) - arena.usableBytes();
  end[-1] = std::byte{1};
  QVERIFY(!arena.isIntact(1));
  QVERIFY(arena.isIntact(0));
  QVERIFY(arena.isIntact(2));
}

void TestStackArena::fullUseIsNoOverrun() {
  StackArena arena(3, 1);
  for (std::size_t i = 0; i < 3; ++i) arena.placeCanary(i);
  for (std::size_t i = 0; i < 3; ++i)
    std::memset(static_cast<std::byte*>(arena.top(i)) - arena.usableBytes(), 0x55, arena.usableBytes());
  for (std::size_t i = 0; i < 3; ++i) QVERIFY(arena.isIntact(i));
}

void TestStackArena::releasedStacksAreUsableAgain() {
  StackArena arena(3, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    arena.placeCanary(i);
    std::memset(static_cast<std::byte*>(arena.top(i)) - arena.usableBytes(), 0x55, arena.usableBytes());
  }
  arena.releaseFrom(1);
  arena.releaseFrom(3);
  QCOMPARE(static_cast<std::byte*>(arena.top(0))[-1], std::byte{0x55});
  QCOMPARE(static_cast<std::byte*>(arena.top(1))[-1], std::byte{0});
  arena.placeCanary(2);
  QVERIFY(arena.isIntact(2));
}

void TestStackArena::hugeRequestIsRefused() {
  QVERIFY_THROWS_EXCEPTION(farfield::Error, StackArena(std::size_t{1} << 50, std::size_t{1} << 20));
  QVERIFY_THROWS_EXCEPTION(farfield::Error, StackArena(std::size_t{1} << 30, std::size_t{1} << 24));
}

QTEST_APPLESS_MAIN(TestStackArena)
#include "tst_stack_arena.moc"
