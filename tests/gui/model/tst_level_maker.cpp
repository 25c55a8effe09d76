// Levels of detail made in the background: said before, made, stopped, gone on with, and of what is shown alone.

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "app/levels/volume_levels.h"
#include "app/model/workshop/level_maker.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/ingest/converter.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/raw_volume.h"

using namespace farfield;
using namespace farfield::app;
using State = LevelsReport::State;
using farfield::test::kPatienceMs;
using farfield::test::TemporaryFolder;

namespace {

/// Takes for ever to open data for conversion, or until that is stopped.
class SlowReader final : public fields::DataReader {
 public:
  struct Said {
    std::atomic<bool> isSlow{true}, obeys{true}, began{false}, stopped{false}, waitsStopped{false};
  };
  explicit SlowReader(std::shared_ptr<Said> said) : m_said(std::move(said)) {}
  std::string name() const override { return "slow"; }
  bool recognizes(const std::string& source) const override { return m_raw.recognizes(source); }
  bool takes(const fields::OpenRequest& request) const override { return m_raw.takes(request); }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override {
    if (request.forConversion && m_said->isSlow) {
      m_said->began = true;
      // Who never stops it is found out in the end.
      for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
           m_said->isSlow && std::chrono::steady_clock::now() < end; std::this_thread::yield()) {
        if (!request.stop.stop_requested() || !m_said->obeys) continue;
        m_said->stopped = true;
        m_said->waitsStopped = StoppableWaits::current().stop_requested();
        throw Cancelled();
      }
    }
    return m_raw.open(request, account);
  }

 private:
  const raw::RawDataReader m_raw;
  const std::shared_ptr<Said> m_said;
};

/// On a machine that does not answer, while it hangs.
class FarFolder final : public paging::KeptLevels {
 public:
  struct State {
    std::atomic<bool> hangs{false}, isAsked{false};
  };
  FarFolder(Options options, std::shared_ptr<State> state)
      : KeptLevels(std::move(options)), m_state(std::move(state)) {}
  bool isThere(const Place& place) const noexcept override {
    wait();
    return KeptLevels::isThere(place);
  }
  std::uint64_t begunBytes(const Place& place) const noexcept override {
    wait();
    return KeptLevels::begunBytes(place);
  }

 private:
  void wait() const noexcept {
    m_state->isAsked = m_state->hangs.load();
    while (m_state->hangs) std::this_thread::yield();
  }
  const std::shared_ptr<State> m_state;
};

struct Bench {
  explicit Bench(LevelMaker::Options options = {}, std::shared_ptr<SlowReader::Said> slow = nullptr,
                 std::shared_ptr<FarFolder::State> farAway = nullptr)
      : account(std::make_shared<MemoryAccount>(64 << 20)) {
    if (slow) {
      auto registry = std::make_shared<fields::ReaderRegistry>();
      registry->add(std::make_unique<SlowReader>(std::move(slow)));
      readers = registry;
    }
    const paging::KeptLevels::Options where{.folder = folder / "levels", .leastBytes = 1 << 20};
    if (farAway)
      kept = std::make_shared<const FarFolder>(where, std::move(farAway));
    else
      kept = std::make_shared<const paging::KeptLevels>(where);
    options.kept = kept;
    options.rest = std::chrono::milliseconds(1);
    maker = std::make_unique<LevelMaker>(readers, options, account, [this](const LevelsReport& report) {
      const std::lock_guard lock(mutex);
      reports.push_back(report);
    });
  }
  ~Bench() { maker.reset(); }
  std::unique_ptr<fields::OpenData> open(const std::string& name, int seed = 0) {
    test::writeRawVolume(folder / name, seed);
    return readers->open(test::rawRequest({folder / name}), *account);
  }
  State stateOf(ObjectId id) {
    const std::lock_guard lock(mutex);
    for (auto report = reports.rbegin(); report != reports.rend(); ++report)
      if (report->id == id) return report->state;
    return State::None;
  }
  bool hasBeen(ObjectId id, State state) {
    const std::lock_guard lock(mutex);
    return std::any_of(reports.begin(), reports.end(),
                       [&](const LevelsReport& report) { return report.id == id && report.state == state; });
  }

  TemporaryFolder folder;
  std::shared_ptr<const fields::ReaderRegistry> readers = test::rawAndStoreReaders();
  std::shared_ptr<MemoryAccount> account;
  std::shared_ptr<const paging::KeptLevels> kept;
  std::mutex mutex;
  std::vector<LevelsReport> reports;
  std::unique_ptr<LevelMaker> maker;
};

}  // namespace

class TestLevelMaker : public QObject {
  Q_OBJECT
 private slots:
  void makesThemAndSaysSo();
  void asksBeforeItKeepsMuch();
  void stopsAndGoesOn();
  void givesBackAndGoesOn();
  void openingIsStopped();
  void nobodyWaitsForEverForMemory();
  void aFolderFarAwayHoldsNobodyUp();
  void failsOnceAndSaysWhy();
  void whatNobodyShowsIsLeft();
  void makesThoseOfStores();
  void volumesOfTheStageGetThem();
};

void TestLevelMaker::makesThemAndSaysSo() {
  Bench bench;
  const auto data = bench.open("a.raw");
  bench.maker->consider(1, *data, {"v"}, 0);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Made, kPatienceMs);
  QVERIFY(bench.hasBeen(1, State::Waiting));
  QVERIFY(bench.hasBeen(1, State::Making));
  {
    const std::lock_guard lock(bench.mutex);
    QVERIFY(bench.reports.front().bytes > 400'000);
    QVERIFY(!bench.reports.front().justMade);
    QVERIFY(bench.reports.back().justMade);
    QCOMPARE(bench.reports.back().folder, bench.kept->folder().string());
  }
  QVERIFY(openKeptLevel(*bench.kept, *data, {"v"}, 0, 1, *bench.account));
  QVERIFY(!openKeptLevel(*bench.kept, *data, {"v"}, 0, 9, *bench.account));
  // For who comes later they are there.
  bench.maker->consider(2, *data, {"v"}, 0);
  QCOMPARE(bench.stateOf(2), State::Made);
  const std::lock_guard lock(bench.mutex);
  QVERIFY(!bench.reports.back().justMade);
}

void TestLevelMaker::asksBeforeItKeepsMuch() {
  Bench bench({.mostUnasked = 1000});
  const auto data = bench.open("a.raw");
  bench.maker->consider(1, *data, {"v"}, 0);
  QCOMPARE(bench.stateOf(1), State::Offered);
  QTest::qWait(50);
  QCOMPARE(bench.stateOf(1), State::Offered);
  bench.maker->make(1);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Made, kPatienceMs);
}

void TestLevelMaker::stopsAndGoesOn() {
  Bench bench;
  const auto data = bench.open("a.raw");
  bench.maker->consider(1, *data, {"v"}, 0);
  bench.maker->stop(1);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Stopped, kPatienceMs);
  // It stays so, also for another volume of the same.
  bench.maker->consider(2, *data, {"v"}, 0);
  QCOMPARE(bench.stateOf(2), State::Stopped);
  bench.maker->make(2);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(2), State::Made, kPatienceMs);
  QCOMPARE(bench.stateOf(1), State::Made);
}

/// Who needs the memory does not wait until all is made, although it is begun again at once.
void TestLevelMaker::givesBackAndGoesOn() {
  Bench bench;
  const auto data = bench.open("a.raw");
  bench.maker->giveBack();  // of nothing
  bench.maker->consider(1, *data, {"v"}, 0);
  bool before = false;
  const auto isMade = [&] {
    if (bench.stateOf(1) == State::Making && !before) {
      bench.maker->giveBack();
      before = bench.stateOf(1) != State::Made;
    }
    return bench.stateOf(1) == State::Made;
  };
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
       !isMade() && std::chrono::steady_clock::now() < end;)
    std::this_thread::yield();
  QCOMPARE(bench.stateOf(1), State::Made);
  QVERIFY(before);
  QVERIFY(openKeptLevel(*bench.kept, *data, {"v"}, 0, 1, *bench.account));
}

/// Data whose opening takes minutes, as what is compressed does, hold up neither who needs the memory nor the end.
void TestLevelMaker::openingIsStopped() {
  const auto slow = std::make_shared<SlowReader::Said>();
  Bench bench({}, slow);
  const auto data = bench.open("a.raw");
  bench.maker->consider(1, *data, {"v"}, 0);
  QTRY_VERIFY_WITH_TIMEOUT(slow->began, kPatienceMs);
  bench.maker->giveBack();
  QVERIFY(slow->stopped && slow->waitsStopped);
  slow->isSlow = false;
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Made, kPatienceMs);
  // The same at the end.
  const auto other = std::make_shared<SlowReader::Said>();
  {
    Bench ends({}, other);
    const auto its = ends.open("b.raw", 1);
    ends.maker->consider(1, *its, {"v"}, 0);
    QTRY_VERIFY_WITH_TIMEOUT(other->began, kPatienceMs);
    ends.maker.reset();
  }
  QVERIFY(other->stopped);
}

void TestLevelMaker::nobodyWaitsForEverForMemory() {
  const auto slow = std::make_shared<SlowReader::Said>();
  slow->obeys = false;
  Bench bench({}, slow);
  const auto data = bench.open("a.raw");
  bench.maker->consider(1, *data, {"v"}, 0);
  QTRY_VERIFY_WITH_TIMEOUT(slow->began, kPatienceMs);
  bench.maker->giveBack({}, std::chrono::milliseconds(1));
  QCOMPARE(bench.stateOf(1), State::Making);
  std::stop_source stop;
  stop.request_stop();
  bench.maker->giveBack(stop.get_token(), std::chrono::hours(1));
  QCOMPARE(bench.stateOf(1), State::Making);
  slow->isSlow = false;
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Made, kPatienceMs);
}

void TestLevelMaker::aFolderFarAwayHoldsNobodyUp() {
  const auto farAway = std::make_shared<FarFolder::State>();
  Bench bench({.mostUnasked = 0}, nullptr, farAway);
  const auto first = bench.open("a.raw"), second = bench.open("b.raw", 1);
  bench.maker->consider(1, *first, {"v"}, 0);
  QCOMPARE(bench.stateOf(1), State::Offered);
  farAway->hangs = true;
  std::atomic<bool> isAnswered{false};
  std::jthread looking([&] { bench.maker->consider(2, *second, {"v"}, 0); });
  const bool isAsked = QTest::qWaitFor([&] { return farAway->isAsked.load(); }, kPatienceMs);
  // What the window asks for meanwhile.
  std::jthread asking([&] {
    bench.maker->make(1);
    bench.maker->stop(1);
    bench.maker->forget(1);
    isAnswered = true;
  });
  const bool ends = QTest::qWaitFor([&] { return isAnswered.load(); }, kPatienceMs);
  farAway->hangs = false;
  QVERIFY(isAsked && ends);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(2), State::Offered, kPatienceMs);
}

void TestLevelMaker::failsOnceAndSaysWhy() {
  Bench bench;
  std::ofstream(bench.folder / "levels") << "no folder";
  const auto data = bench.open("a.raw");
  bench.maker->consider(1, *data, {"v"}, 0);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Failed, kPatienceMs);
  {
    const std::lock_guard lock(bench.mutex);
    QVERIFY(bench.reports.back().problem.message.find("levels") != std::string::npos);
    QVERIFY(!bench.reports.back().problem.advice.empty());
  }
  std::filesystem::remove(bench.folder / "levels");
  bench.maker->consider(1, *data, {"v"}, 0);
  QCOMPARE(bench.stateOf(1), State::Failed);
  bench.maker->make(1);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Made, kPatienceMs);
}

void TestLevelMaker::whatNobodyShowsIsLeft() {
  Bench bench;
  const auto a = bench.open("a.raw"), b = bench.open("b.raw", 1);
  bench.maker->consider(1, *a, {"v"}, 0);
  bench.maker->forget(1);
  bench.maker->consider(2, *a, {"v"}, 0);
  bench.maker->consider(2, *b, {"v"}, 0);  // another step, another function
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(2), State::Made, kPatienceMs);
  QVERIFY(openKeptLevel(*bench.kept, *b, {"v"}, 0, 1, *bench.account));
  // What has no levels to be made is said to have none.
  bench.maker->consider(2, *b, {"w"}, 0);
  QCOMPARE(bench.stateOf(2), State::None);
}

void TestLevelMaker::makesThoseOfStores() {
  Bench bench;
  const auto data = bench.open("a.raw");
  paging::convert(*data->boxReader(), bench.folder / "store", {}, *bench.account);
  fields::OpenRequest request;
  request.sources = {(bench.folder / "store").string()};
  const auto store = bench.readers->open(request, *bench.account);
  bench.maker->consider(1, *store, {"v"}, 0);
  QTRY_COMPARE_WITH_TIMEOUT(bench.stateOf(1), State::Made, kPatienceMs);
  QVERIFY(openKeptLevel(*bench.kept, *store, {"v"}, 0, 1, *bench.account));
}

void TestLevelMaker::volumesOfTheStageGetThem() {
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  WorkshopOptions options;
  options.memoryBytes = 64 * test::kMiB;
  options.processors = 2;
  options.spoolFolder = folder.path();
  options.keptLevels = std::make_shared<const paging::KeptLevels>(
      paging::KeptLevels::Options{.folder = folder / "levels", .leastBytes = 1 << 20});
  std::atomic<int> made{0};
  /// A volume that casts nothing.
  struct Silent final : session::CastVolume {
    Bounds bounds() const override { return {{0, 0, 0}, {1, 1, 1}}; }
    bool cast(const scene::VolumeCast&, std::span<float>) const override { return true; }
    std::array<double, 2> valueRange() override { return {0, 1}; }
    std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2>) override { return {{0, 1}}; }
    session::VolumeCounts counts() const override { return {}; }
  };
  options.makeVolume = [&](const session::VolumeRequest&) {
    ++made;
    return std::make_shared<Silent>();
  };
  Document document;
  Engine engine(test::rawAndStoreReaders(), options);
  Stage stage(document, engine);
  session::Object object;
  object.name = "volume";
  object.data = "d";
  session::Volume shape;
  shape.by = "v";
  object.shape = shape;
  ObjectId id = 0;
  document.edit("Open", [&](Draft& draft) {
    session::DataSource source{"d", {(folder / "a.raw").string()}, {}, {}, {}};
    source.options = {
        {"dims", std::string("160,150,140")}, {"type", std::string("f32")}, {"name", std::string("v")}};
    draft.frame().data.push_back(source);
    id = draft.add(object);
  });
  QTRY_COMPARE_WITH_TIMEOUT(stage.status(id).levels.state, State::Made, kPatienceMs);
  // Once they are there the volume is made anew, with them.
  QTRY_VERIFY_WITH_TIMEOUT(made == 2, kPatienceMs);
}

QTEST_GUILESS_MAIN(TestLevelMaker)
#include "tst_level_maker.moc"
