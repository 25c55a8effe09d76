// The next step's pages, read while the present one is computed: those that are needed of this one, no others, and no more than there is
// room for.

#include <QTest>

#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/paged/step_ahead.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

constexpr Index3 kDims{96, 96, 96};  // 1,728 pages of 4 KiB a step
constexpr std::int64_t kSteps = 4;
constexpr int kPatienceMs = 120'000;

double valueAt(std::int64_t step, const Index3& node) {
  return static_cast<double>(step * 1'000'000 + node[0] + 100 * node[1] + 10'000 * node[2]);
}

class Series {
 public:
  explicit Series(std::uint64_t budget) : m_account(budget) {
    paging::DatasetDescription description;
    for (std::int64_t step = 0; step < kSteps; ++step) description.times.push_back(static_cast<double>(step));
    paging::BlockDescription block;
    block.dims = kDims;
    block.kind = paging::GridKind::Regular;
    block.bounds.add(Vec3{0, 0, 0});
    block.bounds.add(Vec3{95, 95, 95});
    description.blocks.push_back(block);
    description.arrays.push_back(
        {"value", 0, paging::PageLayout::ofExtent(kDims, kDims), kSteps, 1, ScalarType::F64, {}});
    auto reader =
        test::nodewiseReader(description, [](std::uint32_t, std::int64_t step, const Index3& node,
                                             test::NodeValues& values) { values.put(valueAt(step, node)); });
    m_data = openBoxes(std::move(reader), {8, false, "series"}, {}, m_account);
    PagedDataOptions options;
    options.arrays = {"value"};
    options.scheduler = tasks::SchedulerKind::Serial;
    paged = std::make_unique<PagedData>(*m_data, m_account, options);
  }

  /// Looks at pages [first, last) of a step. Returns how many had to be read.
  std::uint64_t look(std::int64_t step, std::int64_t first, std::int64_t last) {
    const std::uint64_t before = reads();
    test::runOneTask(*paged, [&](tasks::TaskContext& context) {
      paging::Cursor cursor(paged->cache(), context, paged->plan().mode);
      const int slot = cursor.bind(static_cast<std::uint32_t>(paged->handle(0, "value")));
      cursor.setStep(step);
      for (std::int64_t n = first; n < last; ++n) {
        const Index3 page = unlinear(n, {12, 12, 12});
        const Index3 node{page[0] * 8, page[1] * 8, page[2] * 8};
        std::array<double, 8> found{};
        const paging::GatherTarget target{slot, found.data()};
        cursor.gather({node, {2, 2, 2}}, {&target, 1});
        wrong += found[0] != valueAt(step, node);
      }
    });
    return reads() - before;
  }
  std::uint64_t reads() const { return paged->sourceCounters().reads; }

 private:
  MemoryAccount m_account;
  std::unique_ptr<OpenData> m_data;

 public:
  std::unique_ptr<PagedData> paged;
  int wrong = 0;
};

}  // namespace

class TestStepAhead : public QObject {
  Q_OBJECT
 private slots:
  void whatIsNeededIsReadOfTheNextStep();
  void whatNobodyNeedsDoesNotGoOn();
  void keepsToItsRoom();
  void goesOnWhileOthersBegin();
};

void TestStepAhead::whatIsNeededIsReadOfTheNextStep() {
  Series series(std::uint64_t{64} << 20);
  QVERIFY(series.look(1, 0, 100) > 0);
  StepAhead ahead(*series.paged, 1, 2);
  ahead.begin();
  // They come while the present step is still computed ...
  QTRY_VERIFY_WITH_TIMEOUT(ahead.pages() >= 100, kPatienceMs);
  QVERIFY(!ahead.isDone());
  // ... and so do those that are needed later.
  series.look(1, 300, 340);
  ahead.end();
  QTRY_VERIFY_WITH_TIMEOUT(ahead.isDone(), kPatienceMs);
  QCOMPARE(series.look(2, 0, 100), 0u);
  QCOMPARE(series.look(2, 300, 340), 0u);
  QVERIFY(series.look(2, 1000, 1001) > 0);
  QCOMPARE(series.wrong, 0);
}

void TestStepAhead::whatNobodyNeedsDoesNotGoOn() {
  Series series(std::uint64_t{64} << 20);
  series.look(0, 0, 100);
  {
    StepAhead ahead(*series.paged, 0, 1);
    QTRY_VERIFY_WITH_TIMEOUT(ahead.isDone(), kPatienceMs);
    QVERIFY(ahead.pages() >= 100);
  }
  // Of what was read ahead a part is needed: the next step gets no more.
  QCOMPARE(series.look(1, 0, 10), 0u);
  const std::uint64_t before = series.reads();
  StepAhead ahead(*series.paged, 1, 2);
  QTRY_VERIFY_WITH_TIMEOUT(ahead.isDone(), kPatienceMs);
  QVERIFY2(series.reads() - before < 50, QByteArray::number(qulonglong(series.reads() - before)));
  QCOMPARE(series.look(2, 0, 10), 0u);
}

/// What is needed now stays, and of the next step comes what fits beside it.
void TestStepAhead::keepsToItsRoom() {
  Series series(std::uint64_t{6} << 20);
  const auto frames = static_cast<std::int64_t>(series.paged->cache().frameBytes() / 4096);
  const std::int64_t needed = frames * 3 / 4;
  QVERIFY(needed > 100 && needed < 1700);
  series.look(1, 0, needed);
  StepAhead ahead(*series.paged, 1, 2);
  QTRY_VERIFY_WITH_TIMEOUT(ahead.isDone(), kPatienceMs);
  QVERIFY2(static_cast<std::int64_t>(ahead.pages()) <= frames / 4,
           QByteArray::number(qulonglong(ahead.pages())));
  QVERIFY(series.look(1, 0, needed) < static_cast<std::uint64_t>(needed / 4));
  QCOMPARE(series.wrong, 0);
}

void TestStepAhead::goesOnWhileOthersBegin() {
  Series series(std::uint64_t{64} << 20);
  StepAhead ahead(*series.paged, 2, 3);
  QTRY_VERIFY_WITH_TIMEOUT(ahead.isDone(), kPatienceMs);
  QCOMPARE(ahead.pages(), 0u);
  ahead.begin();
  QVERIFY(!ahead.isDone());
  series.look(2, 50, 90);
  ahead.end();
  QTRY_VERIFY_WITH_TIMEOUT(ahead.isDone(), kPatienceMs);
  QCOMPARE(series.look(3, 50, 90), 0u);
}

QTEST_GUILESS_MAIN(TestStepAhead)
#include "tst_step_ahead.moc"
