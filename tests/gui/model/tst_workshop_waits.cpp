// What a workshop does while its data are slow: what was seen of a series is not looked at again as it grows, and nobody waits for
// its files.

#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <semaphore>

#include "app/model/workshop.h"
#include "core/paging/ingest/kept_levels.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/counted_reader.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

/// What data are like at their next opening, and what is done with them.
struct Plan {
  std::atomic<std::int64_t> steps{1};
  std::atomic<bool> isOfThisMachine{false};
  std::function<float(std::int64_t step, std::int64_t node)> value;
  std::shared_ptr<std::atomic<int>> reads = std::make_shared<std::atomic<int>>(0);
  /// Whoever asks for files waits to be let in.
  std::atomic<bool> isSlow{false}, isAsked{false};
  std::binary_semaphore letIn{0};
  /// The same of who opens them next.
  std::atomic<bool> opensSlowly{false};

  void wait() {
    isAsked = true;
    letIn.acquire();
  }
};

class PlannedData final : public fields::ForwardedData {
 public:
  PlannedData(std::unique_ptr<fields::OpenData> data, std::shared_ptr<Plan> plan)
      : ForwardedData(std::move(data)), m_plan(std::move(plan)) {}
  std::vector<std::filesystem::path> files() const override {
    if (m_plan->isSlow.exchange(false)) m_plan->wait();
    if (m_plan->isOfThisMachine) return {"/planned"};
    return {};
  }

 private:
  const std::shared_ptr<Plan> m_plan;
};

class PlannedReader final : public fields::DataReader {
 public:
  explicit PlannedReader(std::shared_ptr<Plan> plan) : m_plan(std::move(plan)) {}
  std::string name() const override { return "planned"; }
  bool recognizes(const std::string&) const override { return true; }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest&, MemoryAccount& account) const override {
    if (m_plan->opensSlowly.exchange(false)) m_plan->wait();
    auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"v"}, Index3{16, 16, 16},
                                                  Index3{8, 8, 8}, m_plan->steps);
    reader->value = m_plan->value;
    std::unique_ptr<fields::OpenData> data = openCounted(reader, account);
    reader->reads = m_plan->reads;
    return std::make_unique<PlannedData>(std::move(data), m_plan);
  }

 private:
  const std::shared_ptr<Plan> m_plan;
};

/// A workshop of such data, which are being opened, and what it told.
struct Bench {
  explicit Bench(std::shared_ptr<Plan> its, WorkshopOptions options = {}) : plan(std::move(its)) {
    auto registry = std::make_shared<fields::ReaderRegistry>();
    registry->add(std::make_unique<PlannedReader>(plan));
    options.memoryBytes = 64 * kMiB;
    options.processors = 1;
    options.spoolFolder = folder.path();
    WorkshopEvents events;
    events.opened =
        events.grown = [this](const std::string& key, std::shared_ptr<const DataSummary> summary) {
          const std::lock_guard lock(mutex);
          latest[key] = std::move(summary);
        };
    events.notReplaced = [this](const std::string&, const Problem&) { ++stopped; };
    events.rangeFound = [this](const RangeFound& found) { isLookedFor = !found.isOver && !found.isWhole; };
    events.ended = [this](const ObjectOutcome& outcome) {
      const std::lock_guard lock(mutex);
      ends[outcome.id] = outcome.end;
    };
    workshop.emplace(registry, options, events);
    open("flow");
  }
  void open(const std::string& key) {
    workshop->open(key, [] { return fields::OpenRequest{{"planned"}, {}, {}, {}}; });
  }
  void computeOutline(ObjectId id) {
    ObjectRequest request;
    request.id = id;
    request.dataKey = "flow";
    request.object.name = "outline";
    request.object.data = "flow";
    request.object.shape = session::Outline{};
    workshop->compute(request);
  }
  std::shared_ptr<const DataSummary> summary(const std::string& key = "flow") {
    const std::lock_guard lock(mutex);
    const auto found = latest.find(key);
    return found == latest.end() ? nullptr : found->second;
  }
  std::int64_t steps(const std::string& key = "flow") {
    const auto its = summary(key);
    return its ? its->description.steps() : 0;
  }
  std::optional<ObjectEnd> endOf(ObjectId id) {
    const std::lock_guard lock(mutex);
    const auto found = ends.find(id);
    return found == ends.end() ? std::nullopt : std::optional(found->second);
  }
  void grow() {
    ++plan->steps;
    workshop->lookAgain("flow");
  }

  TemporaryFolder folder;
  std::shared_ptr<Plan> plan;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const DataSummary>> latest;
  std::atomic<int> stopped{0};  ///< that were not read again
  std::atomic<bool> isLookedFor{true};
  std::map<ObjectId, ObjectEnd> ends;
  std::optional<Workshop> workshop;
};

/// A volume that casts nothing.
struct Silent final : session::CastVolume {
  Bounds bounds() const override { return {{0, 0, 0}, {1, 1, 1}}; }
  bool cast(const scene::VolumeCast&, std::span<float>) const override { return true; }
  std::array<double, 2> valueRange() override { return {0, 1}; }
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2>) override { return {{0, 1}}; }
  session::VolumeCounts counts() const override { return {}; }
};

}  // namespace

class TestWorkshopWaits : public QObject {
  Q_OBJECT
 private slots:
  void growingSeriesAreSeenOnce();
  void whatBeginsConstantIsLookedAtAgain();
  void nobodyWaitsForFilesOfVolumes();
  void nobodyWaitsForGrownFiles();
  void stoppedReadingDoesNotEndLooks();
  void whatIsOpenedAgainGrows();
  void rangesOfWhatCannotBeRead();
};

void TestWorkshopWaits::growingSeriesAreSeenOnce() {
  const auto plan = std::make_shared<Plan>();
  plan->isOfThisMachine = true;
  Bench bench(plan);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  const auto before = bench.summary();
  QVERIFY(before->seenRanges.contains("v"));
  const int reads = *plan->reads;
  QVERIFY(reads > 0);
  for (std::int64_t steps = 2; steps < 4; ++steps) {
    bench.grow();
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), steps, kPatienceMs);
    QCOMPARE(plan->reads->load(), reads);
    QCOMPARE(bench.summary()->seenRanges, before->seenRanges);
    QCOMPARE(bench.summary()->usualRanges, before->usualRanges);
    QCOMPARE(bench.summary()->seenNodes.values, before->seenNodes.values);
  }
}

void TestWorkshopWaits::whatBeginsConstantIsLookedAtAgain() {
  const auto plan = std::make_shared<Plan>();
  plan->isOfThisMachine = true;
  plan->value = [](std::int64_t step, std::int64_t node) {
    return step == 0 ? 7.0f : static_cast<float>(node % 100);
  };
  Bench bench(plan);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  QVERIFY(bench.summary()->laterRanges.empty());
  bench.grow();
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{2}, kPatienceMs);
  QVERIFY(bench.summary()->laterRanges.contains("v"));
  const int reads = *plan->reads;
  bench.grow();
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{3}, kPatienceMs);
  QCOMPARE(plan->reads->load(), reads);
  QVERIFY(bench.summary()->laterRanges.contains("v"));
}

/// Whether levels of a volume can be made is asked of its files, which may be on a disk that does not answer.
void TestWorkshopWaits::nobodyWaitsForFilesOfVolumes() {
  const auto plan = std::make_shared<Plan>();
  WorkshopOptions options;
  TemporaryFolder levels;
  options.keptLevels = std::make_shared<const paging::KeptLevels>(
      paging::KeptLevels::Options{.folder = levels / "levels", .leastBytes = 1});
  options.makeVolume = [](const session::VolumeRequest&) { return std::make_shared<Silent>(); };
  Bench bench(plan, options);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  ObjectRequest request;
  request.id = 1;
  request.dataKey = "flow";
  request.object.name = "volume";
  request.object.data = "flow";
  session::Volume shape;
  shape.by = "v";
  request.object.shape = shape;
  plan->isSlow = true;
  const auto letIn = qScopeGuard([&] { plan->letIn.release(); });
  bench.workshop->compute(request);
  QTRY_VERIFY_WITH_TIMEOUT(plan->isAsked, kPatienceMs);
  // It is shown, and whatever is asked for is heard.
  QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(1) == ObjectEnd::Done, kPatienceMs);
  request.id = 2;
  bench.workshop->compute(request);
  bench.workshop->cancel(2);
  QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(2) == ObjectEnd::Cancelled, 20'000);
  bench.workshop->forget(1);
}

/// Files that have changed are opened once more, on a disk that does not answer: all else goes on.
void TestWorkshopWaits::nobodyWaitsForGrownFiles() {
  const auto plan = std::make_shared<Plan>();
  Bench bench(plan);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  plan->opensSlowly = true;
  auto letIn = qScopeGuard([&] { plan->letIn.release(); });
  bench.grow();
  QTRY_VERIFY_WITH_TIMEOUT(plan->isAsked, kPatienceMs);
  bench.computeOutline(1);
  bench.open("other");
  QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(1) == ObjectEnd::Done, 20'000);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps("other"), std::int64_t{2}, 20'000);
  QCOMPARE(bench.steps(), std::int64_t{1});
  // Who asks for the files as they are now does not wait for the look at what has grown.
  bench.workshop->readAgain("flow");
  bench.workshop->cancelAll();
  QTRY_COMPARE_WITH_TIMEOUT(bench.stopped.load(), 1, 20'000);
  bench.workshop->close("other");
  letIn.dismiss();
  plan->letIn.release();
  bench.grow();
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{3}, kPatienceMs);
}

void TestWorkshopWaits::stoppedReadingDoesNotEndLooks() {
  const auto plan = std::make_shared<Plan>();
  Bench bench(plan);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  plan->opensSlowly = true;
  const auto letIn = qScopeGuard([&] { plan->letIn.release(); });
  bench.workshop->readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(plan->isAsked, kPatienceMs);
  bench.workshop->cancelAll();
  QTRY_COMPARE_WITH_TIMEOUT(bench.stopped.load(), 1, 20'000);
  bench.grow();
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{2}, 20'000);
}

/// Closed while others are being opened, and opened again before anybody came to close them.
void TestWorkshopWaits::whatIsOpenedAgainGrows() {
  const auto plan = std::make_shared<Plan>();
  Bench bench(plan);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  plan->opensSlowly = true;
  auto letIn = qScopeGuard([&] { plan->letIn.release(); });
  bench.open("other");
  QTRY_VERIFY_WITH_TIMEOUT(plan->isAsked, kPatienceMs);
  bench.workshop->close("flow");
  bench.open("flow");
  letIn.dismiss();
  plan->letIn.release();
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps("other"), std::int64_t{1}, kPatienceMs);
  bench.grow();
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{2}, 20'000);
}

/// What is no error of ours, as where the system has less memory than the budget.
void TestWorkshopWaits::rangesOfWhatCannotBeRead() {
  const auto plan = std::make_shared<Plan>();
  plan->value = [](std::int64_t, std::int64_t) -> float { throw std::bad_alloc(); };
  Bench bench(plan);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  bench.workshop->findRanges({{.dataKey = "flow", .function = "v", .asked = true}});
  bench.computeOutline(1);  // nothing is planned before something is to be computed
  QTRY_VERIFY_WITH_TIMEOUT(!bench.isLookedFor, kPatienceMs);
  bench.computeOutline(2);
  QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(2) == ObjectEnd::Done, kPatienceMs);
}

QTEST_GUILESS_MAIN(TestWorkshopWaits)
#include "tst_workshop_waits.moc"
