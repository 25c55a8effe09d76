// The memory plan: what it gives out never passes what there is, and what it asks for suffices.

#include <QTest>

#include "core/base/error.h"
#include "core/paging/cache/memory_plan.h"

using namespace farfield;
using namespace farfield::paging;

class TestMemoryPlan : public QObject {
  Q_OBJECT
 private slots:
  void neverGivesMoreThanThereIs();
  void tooSmallNamesABudgetThatWorks();
  void smallBudgetsLowerTasksThenProcessorsThenCopy();

 private:
  static MemoryNeeds needs(std::uint64_t freeBytes) {
    MemoryNeeds needs;
    needs.freeBytes = freeBytes;
    needs.usedBytes = 10000;
    needs.pageSetBytes = 40960;
    needs.largestPageBytes = 20480;
    needs.largestStoredBytes = 21000;
    needs.stackBytes = 65536;
    needs.resultBytes = 8192;
    needs.processors = 4;
    needs.tasksPerProcessor = 64;
    return needs;
  }
};

void TestMemoryPlan::neverGivesMoreThanThereIs() {
  for (std::uint64_t free = 200000; free < (std::uint64_t{1} << 32); free = free * 5 / 4) {
    const MemoryNeeds wanted = needs(free);
    const MemoryPlan plan = planMemory(wanted);
    const auto tasks = static_cast<std::uint64_t>(plan.maxTasks),
               processors = static_cast<std::uint64_t>(plan.processors);
    QVERIFY(plan.frameBytes + plan.stagingBytes + tasks * (wanted.stackBytes + wanted.resultBytes) +
                processors * 2 * wanted.largestPageBytes <=
            free);
    QVERIFY(plan.stagingBytes >= wanted.largestStoredBytes);
    // The cache keeps one part in 32 for itself; the rest holds what tasks that run may hold.
    QVERIFY((plan.frameBytes - plan.frameBytes / 32) >= processors * plan.reservationBytes);
    QVERIFY(plan.maxTasks >= plan.processors);
    QCOMPARE(plan.maxTasks, plan.processors * plan.tasksPerProcessor);
  }
}

void TestMemoryPlan::tooSmallNamesABudgetThatWorks() {
  try {
    planMemory(needs(100000));
    QFAIL("must not fit");
  } catch (const OverBudget& error) {
    const std::string action = error.action();
    const auto at = action.find("--memory ") + 9;
    const std::uint64_t kilobytes = std::stoull(action.substr(at));
    planMemory(needs(kilobytes * 1024 - 10000));
    QVERIFY_EXCEPTION_THROWN(planMemory(needs(kilobytes * 1024 - 10000 - 2048)), OverBudget);
  }
}

void TestMemoryPlan::smallBudgetsLowerTasksThenProcessorsThenCopy() {
  const MemoryPlan large = planMemory(needs(1 << 30));
  QCOMPARE(large.processors, 4);
  QCOMPARE(large.tasksPerProcessor, 64);
  QVERIFY(large.mode == GatherMode::Pinned);
  const MemoryPlan medium = planMemory(needs(4 << 20));
  QCOMPARE(medium.processors, 4);
  QVERIFY(medium.tasksPerProcessor < 64);
  const MemoryPlan small = planMemory(needs(512 << 10));
  QCOMPARE(small.processors, 1);
  QVERIFY(small.mode == GatherMode::Pinned);
  const MemoryPlan tiny = planMemory(needs(250000));
  QVERIFY(tiny.mode == GatherMode::Copying);
}

QTEST_APPLESS_MAIN(TestMemoryPlan)
#include "tst_memory_plan.moc"
