// What a run asks of its objects, in which order, and which files come of it: of kinds that compute each step for
// itself and of kinds that carry state, also where a run was interrupted and goes on.

#include <QTest>

#include <fstream>
#include <map>
#include <sstream>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stoppable_waits.h"
#include "core/fields/functions/forwarded_data.h"
#include "core/fields/samples/sample_data.h"
#include "core/session/run/follow.h"
#include "core/session/run/runner.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;

namespace {

constexpr std::int64_t kSteps = 5;

std::string contentsOf(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What a counter is, and what happens to it.
struct Script {
  bool carries = false;
  GeometryFiles files = GeometryFiles::PerStep;
  std::int64_t failsAt = -1;
  bool lacksTime = false;  ///< for three of four tasks of each step
  std::function<void(std::int64_t step)> during = {};
  std::vector<std::string> calls = {};
};

/// Computes the list of steps that it has gone through, or the last alone, where it carries no state.
class Counter final : public ObjectRun {
 public:
  Counter(const Object& object, const paging::DatasetDescription& description, Script& script)
      : ObjectRun(object, description, {}), m_script(script) {}

  TaskName taskName() const override { return {"count", "counts"}; }
  std::uint64_t taskBytes() const override { return 0; }
  std::uint64_t stateBytes() const override { return m_script.carries ? kState : 0; }
  int stepsAtATime() const override { return m_script.carries ? 2 : 1; }
  bool carriesState() const override { return m_script.carries; }
  GeometryFiles geometryFiles() const override { return m_script.files; }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return 1; }
  tasks::GroupResult tryTasks(const ObjectSurroundings&, std::int64_t, std::span<const std::size_t>,
                              std::chrono::milliseconds) const override {
    return {};
  }

  std::size_t begin(const ObjectSurroundings& surroundings, const RunSteps& steps) override {
    m_script.calls.push_back("begin " + std::to_string(steps.first) + "/" +
                             std::to_string(steps.chosen.size()));
    if (!m_script.carries) return ObjectRun::begin(surroundings, steps);
    m_claim = surroundings.account.claim(Purpose::Work, kState, "the counter");
    std::ifstream in(steps.checkpoint);
    std::string line, kept;
    if (steps.checkpoint.empty() || !std::getline(in, line) || !std::getline(in, kept)) return 0;
    const std::size_t passed = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), ' '));
    if (passed > steps.first) return 0;
    m_text = kept;
    return passed;
  }
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override {
    m_script.calls.push_back("step " + std::to_string(step));
    if (surroundings.data.stepsAtATime() < stepsAtATime()) throw Invalid("was planned for one step");
    if (m_script.during) m_script.during(step);
    if (step == m_script.failsAt) throw Invalid("does not go on");
    if (m_script.lacksTime) noteMissing(1, 4);
    if (!m_script.carries) m_text.clear();
    m_text += std::to_string(step) + " ";
  }
  void writeCheckpoint(const std::filesystem::path& path) const override {
    m_script.calls.push_back("checkpoint");
    NewFile file(path);
    file.write(kCheckpointHead + m_text + "\n");
    file.commit();
  }
  void removeCheckpoint(const std::filesystem::path& path) const noexcept override {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  void end(const ObjectSurroundings&) override { m_script.calls.push_back("end"); }
  void writeGeometry(const std::filesystem::path& path) const override {
    m_script.calls.push_back("write " + path.filename().string());
    std::ofstream(path) << m_text;
  }
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override {
    scene::SceneItem item;
    item.name = look.name;
    return item;
  }
  Bounds bounds() const override { return {}; }
  void count(ObjectStats& stats) const override {
    m_script.calls.push_back("count");
    stats.count += 1;
    stats.set("steps", std::uint64_t{m_text.size() / 2});
  }

 private:
  static constexpr std::uint64_t kState = 100'000;
  Script& m_script;
  MemoryClaim m_claim;
  std::string m_text;
};

/// A sample that may have changed since it was opened.
class ChangingData final : public fields::ForwardedData {
 public:
  ChangingData(std::unique_ptr<fields::OpenData> data, const bool& hasChanged)
      : ForwardedData(std::move(data)), m_hasChanged(hasChanged) {}
  void checkUnchanged() const override {
    if (m_hasChanged) throw Corrupt("has changed since it was opened", "open the data again");
  }

 private:
  const bool& m_hasChanged;
};

class ChangingReader final : public fields::DataReader {
 public:
  explicit ChangingReader(const bool& hasChanged) : m_hasChanged(hasChanged) {}
  std::string name() const override { return "changing"; }
  bool recognizes(const std::string& source) const override { return m_samples.recognizes(source); }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override {
    return std::make_unique<ChangingData>(m_samples.open(request, account), m_hasChanged);
  }

 private:
  samples::SampleDataReader m_samples;
  const bool& m_hasChanged;
};

/// A session of counters on a sample of several steps.
struct Stage {
  Stage() {
    session.name = "picture";
    session.data.push_back(
        {"flow", {"sample://taylor-green?size=9&steps=" + std::to_string(kSteps)}, {}, {}, {}});
    session.output.images = false;
    options.outputFolder = folder.path();
    options.memoryBytes = std::uint64_t{32} << 20;
    options.makeRun = [this](const Object& object, const paging::DatasetDescription& description) {
      return std::make_unique<Counter>(object, description, scripts.at(object.name));
    };
    options.declareFile = [this](const std::filesystem::path& file, bool kept) {
      declared[file.filename().string()] = kept;
    };
    options.drawImage = [this](const scene::Scene&, std::array<int, 2>, const std::filesystem::path& path) {
      drawn.push_back(path.filename().string());
      std::ofstream(path) << "picture";
    };
    readers.add(std::make_unique<ChangingReader>(hasChanged));
  }
  Script& add(const std::string& name, Script script) {
    Object object;
    object.name = name;
    object.data = "flow";
    object.shape = Outline{};
    session.objects.push_back(object);
    return scripts[name] = std::move(script);
  }
  RunStats run(std::stop_token stop = {}) {
    declared.clear();
    drawn.clear();
    for (auto& [name, script] : scripts) script.calls.clear();
    return runSession(session, readers, options, stop);
  }
  std::string textOf(const std::string& file) const { return contentsOf(folder / file); }

  test::TemporaryFolder folder;
  Session session;
  RunOptions options;
  bool hasChanged = false;  ///< the data, since they were opened
  fields::ReaderRegistry readers;
  std::map<std::string, Script> scripts;
  std::map<std::string, bool> declared;
  std::vector<std::string> drawn;
};

using Calls = std::vector<std::string>;

}  // namespace

class TestRunLifetime : public QObject {
  Q_OBJECT
 private slots:
  void beginsStepsAndEnds();
  void oneFileForTheRun();
  void goesOnWithItsCheckpoint();
  void catchesUpWithoutCheckpoint();
  void stepsThatAreThereAreLeftOut();
  void whatIsMissingOfAllPassesIsCounted();
  void nothingIsBegunWhereAllIsThere();
  void filesOfShorterRunsDoNotStay();
  void whatNothingTellsTheStepsOfIsMadeAgain();
  void whatIsOfDataThatChangedDoesNotStay();
  void wordsAreOfTheDataWithTheSteps();
  void stepsAreThoseOfAllData();
  void anErrorNamesTheObject();
  void windowsComputeUpToAStep();
  void drawingCanBeStopped();
};

void TestRunLifetime::beginsStepsAndEnds() {
  Stage stage;
  stage.session.output.images = true;
  stage.session.time.steps = {1, 3};
  const Script& each = stage.add("each", {});
  const RunStats stats = stage.run();
  QCOMPARE(each.calls,
           (Calls{"begin 0/3", "step 1", "write each_0001.vtp", "count", "step 2", "write each_0002.vtp",
                  "count", "step 3", "write each_0003.vtp", "count", "end"}));
  QCOMPARE(stage.textOf("each_0002.vtp"), std::string("2 "));
  QCOMPARE(stage.drawn, (Calls{"picture_0001.png", "picture_0002.png", "picture_0003.png"}));
  QCOMPARE(stage.declared.size(), 6u);
  QVERIFY(!stage.declared.contains("each.checkpoint"));
  QCOMPARE(stats.objects[0].count, 3u);
  QCOMPARE(stats.stepsLeftOut, 0u);
}

void TestRunLifetime::oneFileForTheRun() {
  Stage stage;
  stage.session.output.images = true;
  const Script& whole = stage.add("whole", {.carries = true, .files = GeometryFiles::PerRun});
  const Script& none = stage.add("none", {.files = GeometryFiles::None});
  const RunStats stats = stage.run();
  Calls expected{"begin 0/5"};
  for (int n = 0; n < kSteps; ++n) {
    expected.push_back("step " + std::to_string(n));
    expected.push_back("checkpoint");
  }
  expected.insert(expected.end(), {"end", "write whole.vtp", "count"});
  QCOMPARE(whole.calls, expected);
  QCOMPARE(stage.textOf("whole.vtp"), std::string("0 1 2 3 4 "));
  QCOMPARE(stage.drawn.size(), std::size_t{kSteps});
  QVERIFY(!std::filesystem::exists(stage.folder / "whole_0000.vtp"));
  QVERIFY(!std::filesystem::exists(stage.folder / "whole.checkpoint"));
  QVERIFY(stage.declared.contains("whole.vtp") && stage.declared.contains("whole.checkpoint"));
  for (const auto& [file, kept] : stage.declared) QVERIFY2(!kept && !file.starts_with("none"), file.c_str());
  QCOMPARE(std::count(none.calls.begin(), none.calls.end(), "count"), kSteps);
  QCOMPARE(stats.objects[0].count, 1u);
  QVERIFY(toJson(stats).find("\"steps\": 5\n") != std::string::npos);
}

void TestRunLifetime::goesOnWithItsCheckpoint() {
  Stage stage;
  std::stop_source stop;
  Script& whole = stage.add("whole", {.carries = true, .files = GeometryFiles::PerRun});
  Script& trail = stage.add("trail", {.carries = true});
  whole.during = [&](std::int64_t step) {
    if (step == 3) stop.request_stop();
  };
  QVERIFY_THROWS_EXCEPTION(Cancelled, stage.run(stop.get_token()));
  // Nothing more is asked of it, and what is there is of whole steps.
  QCOMPARE(whole.calls.back(), std::string("step 3"));
  QCOMPARE(trail.calls.back(), std::string("checkpoint"));
  QVERIFY(!std::filesystem::exists(stage.folder / "whole.vtp"));
  QCOMPARE(stage.textOf("whole.checkpoint"), kCheckpointHead + std::string("0 1 2 \n"));

  whole.during = {};
  stage.options.resume = true;
  const RunStats stats = stage.run();
  QVERIFY(stage.declared.at("whole.checkpoint") && stage.declared.at("trail_0002.vtp"));
  QVERIFY(!stage.declared.at("whole.vtp") && !stage.declared.at("trail_0003.vtp"));
  QCOMPARE(whole.calls[0], std::string("begin 3/5"));
  QCOMPARE(whole.calls[1], std::string("step 3"));
  QCOMPARE(trail.calls[1], std::string("step 3"));
  QCOMPARE(stats.stepsLeftOut, 3u);
  QCOMPARE(stage.textOf("whole.vtp"), std::string("0 1 2 3 4 "));
  QCOMPARE(stage.textOf("trail_0004.vtp"), std::string("0 1 2 3 4 "));
  QVERIFY(!std::filesystem::exists(stage.folder / "whole.checkpoint"));
}

void TestRunLifetime::catchesUpWithoutCheckpoint() {
  Stage stage;
  const Script& trail = stage.add("trail", {.carries = true});
  const Script& each = stage.add("each", {});
  stage.run();
  const std::string last = stage.textOf("trail_0004.vtp");
  std::filesystem::remove(stage.folder / "trail_0003.vtp");
  stage.options.resume = true;
  const RunStats stats = stage.run();
  // The state of step 3 needs the steps before, of which nothing is written; the last is there.
  QCOMPARE(trail.calls,
           (Calls{"begin 3/5", "step 0", "checkpoint", "step 1", "checkpoint", "step 2", "checkpoint",
                  "step 3", "write trail_0003.vtp", "count", "checkpoint", "step 4", "checkpoint", "end"}));
  QCOMPARE(each.calls, (Calls{"begin 3/5", "step 3", "write each_0003.vtp", "count", "end"}));
  QCOMPARE(stage.textOf("trail_0003.vtp"), std::string("0 1 2 3 "));
  QCOMPARE(stage.textOf("trail_0004.vtp"), last);
  QCOMPARE(stats.stepsLeftOut, 0u);
}

/// Of a run that follows a series.
void TestRunLifetime::whatIsMissingOfAllPassesIsCounted() {
  Stage stage;
  stage.add("hurried", {.lacksTime = true});
  FollowOptions follow;
  follow.interval = follow.idle.emplace(1);
  follow.look = [](const Session&) { return FileLook(); };
  // As if the last step had come only now.
  follow.waiting = [&](const std::string&) {
    std::filesystem::remove(stage.folder / ("hurried_000" + std::to_string(kSteps - 1) + ".vtp"));
  };
  const RunStats all = followSession(stage.session, stage.readers, stage.options, follow, {});
  QCOMPARE(all.objects.size(), std::size_t{1});
  const auto countOf = [&](const char* key) {
    const StatsValue* const value = all.objects.front().find(key);
    return value ? std::get<std::uint64_t>(*value) : 0;
  };
  QCOMPARE(countOf("missing"), std::uint64_t{3 * (kSteps + 1)});
  QCOMPARE(countOf("missingOf"), std::uint64_t{4 * (kSteps + 1)});
}

void TestRunLifetime::stepsThatAreThereAreLeftOut() {
  Stage stage;
  const Script& each = stage.add("each", {});
  stage.run();
  std::filesystem::remove(stage.folder / "each_0001.vtp");
  std::filesystem::remove(stage.folder / "each_0004.vtp");
  stage.options.resume = true;
  const RunStats stats = stage.run();
  QCOMPARE(each.calls, (Calls{"begin 1/5", "step 1", "write each_0001.vtp", "count", "step 4",
                              "write each_0004.vtp", "count", "end"}));
  QCOMPARE(stats.stepsLeftOut, 3u);
  QVERIFY(stage.declared.at("each_0000.vtp") && !stage.declared.at("each_0001.vtp"));
}

void TestRunLifetime::nothingIsBegunWhereAllIsThere() {
  Stage stage;
  const Script& whole = stage.add("whole", {.carries = true, .files = GeometryFiles::PerRun});
  stage.session.output.images = true;
  stage.run();
  stage.options.resume = true;
  const RunStats stats = stage.run();
  QVERIFY(whole.calls.empty());
  QCOMPARE(stats.stepsLeftOut, std::uint64_t{kSteps});
  QVERIFY(stage.declared.at("whole.vtp"));
  // Without the file of the run all is gone through again, and no picture drawn.
  std::filesystem::remove(stage.folder / "whole.vtp");
  stage.run();
  QCOMPARE(stage.textOf("whole.vtp"), std::string("0 1 2 3 4 "));
  QVERIFY(stage.drawn.empty());
}

/// A run that was stopped when all its steps were done, in a folder with the file of an earlier one.
void TestRunLifetime::filesOfShorterRunsDoNotStay() {
  for (const bool follows : {false, true}) {
    Stage stage;
    Script& whole = stage.add("whole", {.carries = true, .files = GeometryFiles::PerRun});
    stage.session.output.images = true;
    stage.options.numbered = true;
    if (follows) {
      stage.options.unfinished = true;  // a pass, after which no step has come
      stage.run();
      stage.options.unfinished = false;
    } else {
      std::stop_source stop;
      whole.during = [&](std::int64_t step) {
        if (step == kSteps - 1) stop.request_stop();
      };
      QVERIFY_THROWS_EXCEPTION(Cancelled, stage.run(stop.get_token()));
      whole.during = {};
      std::ofstream(stage.folder / "picture_0004.png") << "picture";
    }
    std::ofstream(stage.folder / "whole.vtp") << "0 1 2 ";
    stage.options.resume = true;
    stage.run();
    QCOMPARE(stage.textOf("whole.vtp"), std::string("0 1 2 3 4 "));
    QVERIFY(!stage.declared.at("whole.vtp") && stage.declared.at("whole.checkpoint"));
    QVERIFY(!std::filesystem::exists(stage.folder / "whole.checkpoint"));
    QVERIFY(stage.drawn.empty());
  }
}

void TestRunLifetime::whatNothingTellsTheStepsOfIsMadeAgain() {
  Stage stage;
  stage.add("whole", {.carries = true, .files = GeometryFiles::PerRun});
  std::ofstream(stage.folder / "whole.vtp") << "0 1 2 ";
  stage.options.resume = true;
  const RunStats stats = stage.run();
  QCOMPARE(stage.textOf("whole.vtp"), std::string("0 1 2 3 4 "));
  QVERIFY(stats.stepsLeftOut < stats.steps);
}

void TestRunLifetime::whatIsOfDataThatChangedDoesNotStay() {
  for (const bool unfinished : {false, true}) {
    Stage stage;
    stage.session.output.images = true;
    Script& each = stage.add("each", {});
    stage.add("trail", {.carries = true});
    stage.run();
    for (const char* const file : {"each_0003.vtp", "each_0004.vtp"})
      std::filesystem::remove(stage.folder / file);
    each.during = [&](std::int64_t step) { stage.hasChanged = step == 4; };
    stage.options.resume = true;
    stage.options.unfinished = unfinished;
    QVERIFY_THROWS_EXCEPTION(Corrupt, stage.run());
    // What was there before is.
    QVERIFY(std::filesystem::exists(stage.folder / "each_0002.vtp"));
    QVERIFY(std::filesystem::exists(stage.folder / "picture_0002.png"));
    for (const char* const file : {"each_0003.vtp", "each_0004.vtp", "trail_0003.vtp", "trail_0004.vtp",
                                   "picture_0003.png", "picture_0004.png", "trail.checkpoint"})
      QVERIFY2(!std::filesystem::exists(stage.folder / file), file);
    each.during = {};
    stage.hasChanged = false;
    stage.run();
    QCOMPARE(stage.textOf("each_0004.vtp"), std::string("4 "));
    QCOMPARE(stage.textOf("trail_0004.vtp"), std::string("0 1 2 3 4 "));
  }
}

/// A body of one step stands first.
void TestRunLifetime::wordsAreOfTheDataWithTheSteps() {
  Stage stage;
  stage.session.output.images = true;
  stage.session.data.insert(stage.session.data.begin(), {"body", {"sample://tornado?size=8"}, {}, {}, {}});
  stage.add("wall", {});
  stage.session.objects.back().data = "body";
  stage.add("each", {});
  scene::TextNote note;
  note.text = "s {step} t {time}";
  stage.session.image.notes.texts.push_back(note);
  std::vector<std::string> titles, texts;
  stage.options.drawImage = [&](const scene::Scene& scene, std::array<int, 2>,
                                const std::filesystem::path& path) {
    titles.push_back(scene.title);
    texts.push_back(scene.notes.texts.at(0).text);
    std::ofstream(path) << "picture";
  };
  stage.run();
  QCOMPARE(titles.size(), std::size_t{kSteps});
  QVERIFY2(titles[4].starts_with("step 4, t = ") && titles[4] != "step 4, t = 0", titles[4].c_str());
  QVERIFY2(texts[4] == "s 4 t " + titles[4].substr(12), texts[4].c_str());
}

/// As in a window, also of data of which nothing is shown.
void TestRunLifetime::stepsAreThoseOfAllData() {
  Stage stage;
  const std::string longer = std::to_string(kSteps + 2);
  stage.session.data.push_back({"longer", {"sample://taylor-green?size=9&steps=" + longer}, {}, {}, {}});
  const Script& each = stage.add("each", {});
  stage.add("hidden", {});
  stage.session.objects.back().data = "longer";
  stage.session.objects.back().visible = false;
  stage.session.time.steps = {kSteps + 1, kSteps + 1};
  QCOMPARE(stage.run().steps, 1u);
  QVERIFY(std::find(each.calls.begin(), each.calls.end(), "step " + std::to_string(kSteps - 1)) !=
          each.calls.end());
  stage.session.time.steps = {kSteps + 2, kSteps + 2};
  try {
    stage.run();
    QFAIL("no error");
  } catch (const Error& error) {
    QVERIFY2(std::string(error.what()).find("the data have " + longer + " steps") != std::string::npos,
             error.what());
  }
}

void TestRunLifetime::anErrorNamesTheObject() {
  Stage stage;
  const Script& trail = stage.add("trail", {.carries = true, .failsAt = 2});
  try {
    stage.run();
    QFAIL("no error");
  } catch (const Invalid& error) {
    QCOMPARE(error.place(), std::string("object trail"));
  }
  QCOMPARE(trail.calls.back(), std::string("step 2"));
  QVERIFY(std::filesystem::exists(stage.folder / "trail_0001.vtp"));
  QCOMPARE(stage.textOf("trail.checkpoint"), kCheckpointHead + std::string("0 1 \n"));
}

void TestRunLifetime::windowsComputeUpToAStep() {
  Stage stage;
  MemoryAccount account(std::uint64_t{16} << 20);
  const auto data = stage.readers.open({.sources = stage.session.data[0].source}, account);
  for (const bool carries : {true, false}) {
    Script script{.carries = carries};
    Object object;
    object.shape = Outline{};
    Counter counter(object, data->description(), script);
    fields::PagedDataOptions options;
    options.stepsAtATime = counter.stepsAtATime();
    fields::PagedData paged(*data, account, options);
    computeAlone(counter, {paged, account, stage.folder.path(), {}, {}}, 2);
    QCOMPARE(script.calls, (carries ? Calls{"begin 2/3", "step 0", "step 1", "step 2", "end"}
                                    : Calls{"begin 0/1", "step 2", "end"}));
  }
}

/// What a picture is of is visited as it is drawn, which may take long: it ends where the run is to.
void TestRunLifetime::drawingCanBeStopped() {
  Stage stage;
  stage.session.output.images = true;
  stage.session.time.steps = {0, 0};
  stage.add("each", {});
  std::stop_source source;
  stage.options.drawImage = [&](const scene::Scene&, std::array<int, 2>, const std::filesystem::path&) {
    StoppableWaits::throwIfStopped();
    source.request_stop();
    StoppableWaits::throwIfStopped();
    QFAIL("goes on");
  };
  QVERIFY_THROWS_EXCEPTION(Cancelled, stage.run(source.get_token()));
  QVERIFY(!StoppableWaits::current().stop_possible());
}

QTEST_APPLESS_MAIN(TestRunLifetime)
#include "tst_run_lifetime.moc"
