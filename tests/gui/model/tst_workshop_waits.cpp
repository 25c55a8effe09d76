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
};

class PlannedData final : public fields::ForwardedData {
 public:
  PlannedData(std::unique_ptr<fields::OpenData> data, std::shared_ptr<Plan> plan)
      : ForwardedData(std::move(data)), m_plan(std::move(plan)) {}
  std::vector<std::filesystem::path> files() const override {
    if (m_plan->isSlow.exchange(false)) {
      m_plan->isAsked = true;
      m_plan->letIn.acquire();
    }
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
    events.opened = events.grown = [this](const std::string&, std::shared_ptr<const DataSummary> summary) {
      const std::lock_guard lock(mutex);
      latest = std::move(summary);
    };
    events.ended = [this](const ObjectOutcome& outcome) {
      const std::lock_guard lock(mutex);
      ends[outcome.id] = outcome.end;
    };
    workshop.emplace(registry, options, events);
    workshop->open("flow", [] { return fields::OpenRequest{{"planned"}, {}, {}, {}}; });
  }
  std::shared_ptr<const DataSummary> summary() {
    const std::lock_guard lock(mutex);
    return latest;
  }
  std::int64_t steps() {
    const auto its = summary();
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
  std::shared_ptr<const DataSummary> latest;
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

QTEST_GUILESS_MAIN(TestWorkshopWaits)
#include "tst_workshop_waits.moc"
