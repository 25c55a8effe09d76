// Ranges over the whole data: the same however the search is cut into pieces, from whichever step it begins and whatever of it is not
// read because its pages are known.

#include <QTest>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/fields/data/box_data.h"
#include "core/fields/data/store_data.h"
#include "core/fields/ranges/range_search.h"
#include "core/fields/ranges/stored_range.h"
#include "core/fields/samples/sample_data.h"
#include "core/paging/ingest/converter.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

constexpr Index3 kDims{40, 33, 21};
constexpr std::int64_t kSteps = 3;
using Ends = std::array<double, 2>;

/// Highest at one node of the last step, lowest at one of the first; one of ten nodes has no value.
double valueAt(std::int64_t step, const Index3& node) {
  if (step == kSteps - 1 && node == Index3{39, 32, 20}) return 1000;
  if (step == 0 && node == Index3{0, 0, 0}) return -1000;
  const std::int64_t n = node[0] + 40 * (node[1] + 33 * node[2]);
  return n % 10 == 3 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(n % 97 + step);
}

/// Data that know what their pages have, of every node, if they are asked.
class Knowing final : public OpenData {
 public:
  Knowing(std::unique_ptr<OpenData> of, bool knows) : m_of(std::move(of)), m_knows(knows) {}
  const paging::DatasetDescription& description() const override { return m_of->description(); }
  std::uint64_t largestStoredBytes() const override { return m_of->largestStoredBytes(); }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(MemoryAccount& account,
                                                               const SourceOptions& options) const override {
    return m_of->makeSources(account, options);
  }
  std::optional<paging::PageSummary> rangesOf(std::uint32_t array, std::uint64_t page) const override {
    if (!m_knows) return std::nullopt;
    const paging::ArrayDescription& its = description().arrays[array];
    const IndexBox box = its.boxOf(page);
    paging::PageSummary summary(1);
    std::vector<double> values;
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 in = unlinear(n, box.size);
      values.push_back(
          valueAt(its.stepOf(page), {box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}));
    }
    summary.add({reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(double)},
                ScalarType::F64);
    return summary;
  }

 private:
  std::unique_ptr<OpenData> m_of;
  bool m_knows;
};

struct Data {
  explicit Data(bool knows = false, std::int64_t steps = kSteps) {
    paging::DatasetDescription description;
    for (std::int64_t step = 0; step < steps; ++step) description.times.push_back(static_cast<double>(step));
    paging::BlockDescription block;
    block.dims = kDims;
    block.kind = paging::GridKind::Regular;
    block.bounds.add(Vec3{0, 0, 0});
    block.bounds.add(Vec3{39, 32, 20});
    description.blocks.push_back(block);
    description.arrays.push_back(
        {"value", 0, paging::PageLayout::ofExtent(kDims, kDims), steps, 1, ScalarType::F64, {}});
    auto reader =
        test::nodewiseReader(description, [](std::uint32_t, std::int64_t step, const Index3& node,
                                             test::NodeValues& values) { values.put(valueAt(step, node)); });
    opened = std::make_unique<Knowing>(openBoxes(std::move(reader), {8, false, "made"}, {}, account), knows);
    PagedDataOptions options;
    options.arrays = {"value"};
    options.scheduler = tasks::SchedulerKind::Serial;
    paged = std::make_unique<PagedData>(*opened, account, options);
  }
  void look(RangeSearch& search, const std::function<bool()>& isEnough) {
    test::runOneTask(*paged, [&](tasks::TaskContext& task) { search.goOn(*paged, task, isEnough); });
  }
  std::uint64_t reads() const { return paged->sourceCounters().reads; }

  MemoryAccount account{std::uint64_t{64} << 20};
  std::unique_ptr<OpenData> opened;
  std::unique_ptr<PagedData> paged;
};

const auto kNever = [] { return false; };

}  // namespace

class TestRangeSearch : public QObject {
  Q_OBJECT
 private slots:
  void isOfAllNodesAndSteps();
  void goesOnWhereItStopped();
  void takesMoreSteps();
  void oneStepIsLookedAtAlone();
  void storesKnowTheirSteps();
  void whatIsKnownIsNotRead();
  void functionsAreComputed();
};

void TestRangeSearch::isOfAllNodesAndSteps() {
  Data data;
  for (const std::int64_t first : {0, 1, 2, 9}) {
    RangeSearch search("value", first);
    QVERIFY(!search.found() && !search.isDone());
    data.look(search, kNever);
    QVERIFY(search.isDone() && search.found() == (Ends{-1000, 1000}));
  }
}

void TestRangeSearch::goesOnWhereItStopped() {
  Data data;
  RangeSearch search("value", 1);
  double part = 0;
  int turns = 0;
  while (!search.isDone()) {
    data.look(search, [] { return true; });  // after each box
    QVERIFY(search.part() > part);
    part = search.part();
    ++turns;
    // The step that is shown comes first, and has neither end.
    if (part < 1.0 / 3) QVERIFY(!search.found() || ((*search.found())[0] >= 1 && (*search.found())[1] <= 97));
  }
  QCOMPARE(turns, 3 * 5 * 5 * 3);
  QVERIFY(search.found() == (Ends{-1000, 1000}));
  QCOMPARE(search.seenBytes(), std::uint64_t(3 * 40 * 33 * 21 * sizeof(double)));
}

void TestRangeSearch::takesMoreSteps() {
  Data shorter(false, kSteps - 1), longer;
  RangeSearch search("value", 1);
  shorter.look(search, kNever);
  QVERIFY(search.isDone() && search.found() == (Ends{-1000, 97}));
  const std::uint64_t before = search.seenBytes();
  search.takeMoreSteps();
  QVERIFY(!search.isDone());
  longer.look(search, kNever);
  QVERIFY(search.isDone() && search.found() == (Ends{-1000, 1000}));
  QCOMPARE(search.seenBytes() - before, before / 2);  // the new one alone
}

void TestRangeSearch::oneStepIsLookedAtAlone() {
  const std::array<Ends, 3> each{{{-1000, 96}, {1, 97}, {2, 1000}}};
  Data data;
  for (const std::int64_t step : {0, 1, 2}) {
    RangeSearch search("value", step, RangeSearch::Steps::FirstAlone);
    data.look(search, kNever);
    QVERIFY(search.isDone() && search.found() == each[static_cast<std::size_t>(step)]);
    QCOMPARE(search.seenBytes(), std::uint64_t(40 * 33 * 21 * sizeof(double)));
    search.takeMoreSteps();  // say nothing of this one
    QVERIFY(search.isDone());
  }
}

/// From the summaries of their pages the same as by reading all of a step.
void TestRangeSearch::storesKnowTheirSteps() {
  test::TemporaryFolder folder;
  MemoryAccount account(std::uint64_t{64} << 20);
  OpenRequest request;
  request.sources = {"sample://taylor-green?size=17&steps=3"};
  const auto sample = samples::SampleDataReader().open(request, account);
  paging::convert(*sample->boxReader(), folder / "store", {}, account);
  request.sources = {(folder / "store").string()};
  const auto store = StoreDataReader().open(request, account);
  PagedDataOptions options;
  options.arrays = {"pressure"};
  options.scheduler = tasks::SchedulerKind::Serial;
  PagedData paged(*sample, account, options);
  std::optional<Ends> last;
  for (const std::int64_t step : {0, 1, 2}) {
    RangeSearch search("pressure", step, RangeSearch::Steps::FirstAlone);
    test::runOneTask(paged, [&](tasks::TaskContext& task) { search.goOn(paged, task, kNever); });
    QVERIFY(search.found() && search.found() != last);
    last = search.found();
    QVERIFY(storedRangeOf(*store, "pressure", step, {}) == last);
  }
  QVERIFY(!storedRangeOf(*sample, "pressure", 0, {}));
  std::stop_source stop;
  stop.request_stop();
  QVERIFY_THROWS_EXCEPTION(Cancelled, (void)storedRangeOf(*store, "pressure", 0, stop.get_token()));
}

void TestRangeSearch::whatIsKnownIsNotRead() {
  Data data(true), ignorant;
  RangeSearch search("value", 0), other("value", 0);
  data.look(search, kNever);
  ignorant.look(other, kNever);
  QVERIFY(search.found() == other.found() && search.isDone());
  QVERIFY2(data.reads() < ignorant.reads() / 4, QByteArray::number(qulonglong(data.reads())) + " of " +
                                                    QByteArray::number(qulonglong(ignorant.reads())));
}

void TestRangeSearch::functionsAreComputed() {
  Data data;
  RangeSearch twice("2 * value + 1", 0), none("nothing", 0);
  data.look(twice, kNever);
  QVERIFY(twice.found() == (Ends{-1999, 2001}));
  QVERIFY_THROWS_EXCEPTION(Error, data.look(none, kNever));
  QVERIFY(!none.found());
}

QTEST_GUILESS_MAIN(TestRangeSearch)
#include "tst_range_search.moc"
