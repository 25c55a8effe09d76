// What a workshop does while its data are slow: what was seen of a series is not looked at again as it grows, and nobody waits for
// its files.

#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "app/model/workshop/workshop.h"
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
    events.opened = events.grown =
        events.replaced = [this](const std::string& key, std::shared_ptr<const DataSummary> summary) {
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

/// Which tells the step that it is of, and its opacities the `number` that it is made as. While it `lingers`, it casts until it is stopped.
struct Told final : session::CastVolume {
  Told(std::int64_t its, double number, std::shared_ptr<std::atomic<bool>> whether)
      : step(its), usual(number), lingers(std::move(whether)) {}
  Bounds bounds() const override { return {{0, 0, 0}, {1, 1, 1}}; }
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    while (*lingers && !cast.stop.stop_requested()) std::this_thread::yield();
    if (cast.stop.stop_requested()) throw Cancelled();
    rgba[0] = static_cast<float>(step);
    return true;
  }
  std::array<double, 2> valueRange() override { return {0, usual}; }
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2>) override { return {{usual, 1}}; }
  session::VolumeCounts counts() const override { return {}; }
  const std::int64_t step;
  const double usual;
  const std::shared_ptr<std::atomic<bool>> lingers;
};

ObjectRequest volume(ObjectId id, std::int64_t step = 0) {
  ObjectRequest request;
  request.id = id;
  request.dataKey = "flow";
  request.step = step;
  request.object.name = "volume";
  request.object.data = "flow";
  session::Volume shape;
  shape.by = "v";
  request.object.shape = shape;
  return request;
}

/// Pictures that are drawn of a volume, each of which is the step that was seen in it.
struct Film {
  static constexpr std::size_t kPictures = 3;
  void draw(Workshop& workshop, ObjectId id, const std::stop_token& unwanted = {}) {
    workshop.draw(
        {id}, {},
        [this](const scene::Scene& whole) {
          begun += 1;
          if (whole.items.size() == 1) {
            const std::lock_guard lock(mutex);
            looks.push_back({whole.items[0].scale.max, whole.items[0].volumeLook.opacity.at(0).value});
          }
          while (steps.size() < kPictures) {
            if (whole.items.size() != 1) throw Invalid("a picture lacks the volume", "");
            float seen = -1;
            const scene::SceneItem& item = whole.items[0];
            item.volume->cast({.look = item.volumeLook,
                               .scale = item.scale,
                               .camera = {},
                               .from = {},
                               .to = {},
                               .stop = {}},
                              {&seen, 1});
            const std::lock_guard lock(mutex);
            steps.push_back(seen);
          }
        },
        [this](const std::optional<Problem>& its) {
          problem = its ? its->message : "";
          isOver = true;
        },
        unwanted);
  }
  std::atomic<int> begun{0};
  std::atomic<bool> isOver{false};
  std::mutex mutex;
  std::vector<float> steps;
  std::vector<std::pair<double, double>> looks;  ///< the greatest value of the colours, and an opacity's
  std::string problem;
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
  void picturesOfVolumesOutliveTheirPlans_data();
  void picturesOfVolumesOutliveTheirPlans();
  void stoppedVolumesGoWithTheirPlans();
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
  ObjectRequest request = volume(1);
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

void TestWorkshopWaits::picturesOfVolumesOutliveTheirPlans_data() {
  QTest::addColumn<QString>("event");
  for (const char* const event : {"a step comes", "a step comes and is shown", "less memory", "read again",
                                  "something else is shown", "closed", "closed, and nobody waits"})
    QTest::newRow(event) << event;
}

/// They are of what was shown when they were asked for, whatever comes meanwhile.
void TestWorkshopWaits::picturesOfVolumesOutliveTheirPlans() {
  QFETCH(QString, event);
  const auto plan = std::make_shared<Plan>();
  const auto lingers = std::make_shared<std::atomic<bool>>(true);
  WorkshopOptions options;
  const auto made = std::make_shared<std::atomic<int>>(0);
  options.makeVolume = [lingers, made](const session::VolumeRequest& request) {
    return std::make_shared<Told>(request.step, ++*made, lingers);
  };
  Film film;
  Bench bench(plan, options);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  bench.workshop->setMemoryBytes(128 * kMiB);  // from which there is much less to come
  bench.grow();
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{2}, kPatienceMs);
  bench.workshop->compute(volume(1, 1));
  QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(1) == ObjectEnd::Done, kPatienceMs);
  std::stop_source unwanted;
  film.draw(*bench.workshop, 1, unwanted.get_token());
  QTRY_VERIFY_WITH_TIMEOUT(film.begun == 1, kPatienceMs);
  const auto endsSo = qScopeGuard([&] { *lingers = false; });
  if (event.startsWith("a step comes")) {
    bench.grow();
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{3}, kPatienceMs);
    if (event.endsWith("shown")) bench.workshop->compute(volume(1, 2));
    QTRY_VERIFY_WITH_TIMEOUT(film.begun == 2, kPatienceMs);
    // What is drawn once more is not begun again for each step.
    bench.grow();
    bench.computeOutline(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(2) == ObjectEnd::Done, kPatienceMs);
    QCOMPARE(film.begun.load(), 2);
    QCOMPARE(bench.steps(), std::int64_t{3});
  } else if (event == "less memory") {
    bench.workshop->setMemoryBytes(8 * kMiB);
    QTRY_VERIFY_WITH_TIMEOUT(film.begun == 2, kPatienceMs);
  } else if (event == "something else is shown") {
    ObjectRequest other = volume(1, 0);
    other.object.shape = session::Outline{};
    bench.workshop->compute(other);
    bench.workshop->setMemoryBytes(8 * kMiB);
    QTRY_VERIFY_WITH_TIMEOUT(film.begun == 2, kPatienceMs);
  } else if (event == "read again") {
    ++plan->steps;
    bench.workshop->readAgain("flow");
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{3}, kPatienceMs);
    QCOMPARE(film.begun.load(), 1);
  } else {
    if (event.endsWith("waits")) unwanted.request_stop();
    bench.workshop->forget(1);
    bench.workshop->close("flow");
    bench.open("other");
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps("other"), std::int64_t{2}, kPatienceMs);
    ++plan->steps;
    bench.open("flow");
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{3}, kPatienceMs);
    QCOMPARE(film.begun.load(), 1);
  }
  const bool ends = unwanted.stop_requested();
  if (!ends) *lingers = false;
  QTRY_VERIFY_WITH_TIMEOUT(film.isOver, kPatienceMs);
  QCOMPARE(film.problem, std::string());
  if (!ends) QCOMPARE(film.steps, std::vector<float>(Film::kPictures, 1));
  // One video does not change its colours and opacities in the middle.
  for (const auto& look : film.looks) QCOMPARE(look, film.looks.front());
  if (event.startsWith("a step comes"))
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{4}, kPatienceMs);
}

/// What casts nothing any more is not shown.
void TestWorkshopWaits::stoppedVolumesGoWithTheirPlans() {
  const auto plan = std::make_shared<Plan>();
  const auto lingers = std::make_shared<std::atomic<bool>>(false);
  std::binary_semaphore isAsked{0}, answers{0};
  WorkshopOptions options;
  struct Slow final : session::CastVolume {
    Slow(std::binary_semaphore& its, std::binary_semaphore& others) : isAsked(its), answers(others) {}
    Bounds bounds() const override { return {{0, 0, 0}, {1, 1, 1}}; }
    bool cast(const scene::VolumeCast&, std::span<float>) const override { return true; }
    std::array<double, 2> valueRange() override {
      isAsked.release();
      answers.acquire();
      throw Cancelled();
    }
    std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2>) override { return {{0, 1}}; }
    session::VolumeCounts counts() const override { return {}; }
    std::binary_semaphore &isAsked, &answers;
  };
  options.makeVolume = [&](const session::VolumeRequest&) {
    return std::make_shared<Slow>(isAsked, answers);
  };
  Bench bench(plan, options);
  QTRY_COMPARE_WITH_TIMEOUT(bench.steps(), std::int64_t{1}, kPatienceMs);
  bench.workshop->setMemoryBytes(128 * kMiB);
  ObjectRequest request = volume(1);
  std::get<session::Volume>(request.object.shape).range = {0, 1};
  bench.workshop->compute(request);
  isAsked.acquire();
  bench.workshop->cancel(1);
  QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(1) == ObjectEnd::Cancelled, kPatienceMs);
  answers.release();
  bench.workshop->setMemoryBytes(8 * kMiB);
  QTRY_VERIFY_WITH_TIMEOUT(bench.endOf(1) == ObjectEnd::Failed, kPatienceMs);
}

QTEST_GUILESS_MAIN(TestWorkshopWaits)
#include "tst_workshop_waits.moc"
