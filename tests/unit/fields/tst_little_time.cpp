// What is read for tasks whose time is up: nothing, whoever would read it.

#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/tasks/scheduler.h"
#include "tests/support/nodewise_reader.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

constexpr Index3 kDims{96, 96, 96};
constexpr std::size_t kTasks = 40;

std::unique_ptr<OpenData> openFormula(bool threads, MemoryAccount& account) {
  paging::DatasetDescription description;
  description.times = {0};
  paging::BlockDescription block;
  block.dims = kDims;
  block.kind = paging::GridKind::Regular;
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{95, 95, 95});
  description.blocks.push_back(block);
  description.arrays.push_back(
      {"value", 0, paging::PageLayout::ofExtent(kDims, kDims), 1, 1, ScalarType::F64, {}});
  auto reader = test::nodewiseReader(
      description, [](std::uint32_t, std::int64_t, const Index3& node, test::NodeValues& values) {
        values.put(static_cast<double>(node[0]));
      });
  return openBoxes(std::move(reader), {.pageEdge = 8, .threads = threads, .name = "formula"}, {}, account);
}

}  // namespace

class TestLittleTime : public QObject {
  Q_OBJECT
 private slots:
  void nothingIsReadThatIsNotAwaited_data();
  void nothingIsReadThatIsNotAwaited();
};

void TestLittleTime::nothingIsReadThatIsNotAwaited_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<bool>("threads");
  for (const auto kind :
       {tasks::SchedulerKind::Serial, tasks::SchedulerKind::Threads, tasks::SchedulerKind::Fibers})
    for (const bool threads : {false, true})
      QTest::addRow("%s, %s", tasks::nameOf(kind), threads ? "reader threads" : "read by tasks")
          << static_cast<int>(kind) << threads;
}

/// Tasks that ask for pages once their time is up get none, and leave none behind to be read.
void TestLittleTime::nothingIsReadThatIsNotAwaited() {
  QFETCH(int, kind);
  QFETCH(bool, threads);
  MemoryAccount account(std::uint64_t{64} << 20);
  const std::unique_ptr<OpenData> data = openFormula(threads, account);
  PagedDataOptions options;
  options.arrays = {"value"};
  options.scheduler = static_cast<tasks::SchedulerKind>(kind);
  options.processors = 2;
  PagedData paged(*data, account, options);
  const auto lookAt = [&](std::size_t number, tasks::TaskContext& context) {
    paging::Cursor cursor(paged.cache(), context, paged.plan().mode);
    const int slot = cursor.bind(static_cast<std::uint32_t>(paged.handle(0, "value")));
    const std::int64_t at = 8 * static_cast<std::int64_t>(number % 12);
    std::array<double, 8> found{};
    const paging::GatherTarget target{slot, found.data()};
    cursor.gather({{at, 8 * static_cast<std::int64_t>(number / 12), 0}, {2, 2, 2}}, {&target, 1});
    return found[0] == static_cast<double>(at);
  };
  tasks::TaskGroup group;
  group.name = "test";
  group.count = kTasks;
  group.admission = &paged.admission();
  group.timeBudget = std::chrono::milliseconds(20);
  std::atomic<std::size_t> begun{0};
  group.run = [&](std::size_t number, tasks::TaskContext& context) {
    ++begun;
    while (!context.outOfTime()) std::this_thread::yield();
    (void)lookAt(number, context);
  };
  tasks::GroupResult result;
  // On a machine that others use the time may be up before a task begins.
  for (int tries = 0; tries < 100 && begun == 0; ++tries) result = paged.makeScheduler()->run(group, {});
  QVERIFY(result.outOfTime && begun > 0);
  QCOMPARE(result.finished, std::size_t{0});
  QCOMPARE(paged.sourceCounters().reads, 0u);
  // Whoever comes next is served.
  std::atomic<std::size_t> right{0};
  group.timeBudget = {};
  group.run = [&](std::size_t number, tasks::TaskContext& context) { right += lookAt(number, context); };
  QCOMPARE(paged.makeScheduler()->run(group, {}).finished, kTasks);
  QCOMPARE(right.load(), kTasks);
}

QTEST_APPLESS_MAIN(TestLittleTime)
#include "tst_little_time.moc"
