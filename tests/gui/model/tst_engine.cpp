// The engine behind a window: data are opened and objects computed elsewhere, results come as they are made,
// and whatever is asked next takes the place of what was asked before.

#include <QElapsedTimer>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <semaphore>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "tests/gui/model/theatre.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

std::size_t verticesOf(const scene::SceneItem& item) {
  std::size_t vertices = 0;
  if (item.lines)
    item.lines->visit([&](const scene::LineChunk& chunk) { vertices += chunk.points.size() / 3; });
  return vertices;
}

}  // namespace

class TestEngine : public QObject {
  Q_OBJECT
 private slots:
  void showsWhatTheDocumentSays();
  void listenersMayEdit();
  void resultsComeAsTheyAreMade();
  void linesOnWallsComeAsTheyAreMade();
  void looksAreChangedAtOnce();
  void theNextRequestTakesThePlaceOfTheLast();
  void aDraggedRakeShowsSomething();
  void cancellingKeepsWhatIsShown();
  void hidingAndShowing();
  void undoneAndDoneAgain();
  void problemsAreTold();
  void budgetsActAtOnce();
  void pagesStayWhereTheBudgetMoves();
  void smallBudgetsAreProblems();
  void stepsOfTime();
  void probes();
  void probesWhilePicturesAreDrawn();
  void wordsOfAWindow();
  void writesGeometry();
  void endsWhileBusy();
  void nobodyWaitsForTheLock();
  void resultsAreLetGoElsewhere();
};

void TestEngine::showsWhatTheDocumentSays() {
  Theatre theatre;
  QSignalSpy opened(&theatre.stage, &Stage::dataOpened), busy(&theatre.stage, &Stage::busyChanged);
  const ObjectId id = theatre.open(rake(8));
  QCOMPARE(theatre.stage.dataStatus("flow").state, DataState::Opening);
  QVERIFY(theatre.stage.isBusy());
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QCOMPARE(opened.count(), 1);
  QVERIFY(!theatre.stage.isBusy());
  QCOMPARE(busy.count(), 2);
  const auto summary = theatre.stage.summary("flow");
  QVERIFY(summary);
  QCOMPARE(summary->description.blocks.size(), 1u);
  QVERIFY(std::any_of(summary->functions.begin(), summary->functions.end(),
                      [](const fields::FunctionInfo& f) { return f.name == "velocity"; }));
  const ObjectStatus status = theatre.stage.status(id);
  QVERIFY(status.complete && status.hasPicture && status.shownRange);
  QCOMPARE(status.stats.count, 16u);
  QVERIFY(theatre.pictures.back().complete);
  QVERIFY(verticesOf(theatre.pictures.back().item) > 100);
  QVERIFY(theatre.stage.bounds().contains(status.bounds.min));
}

/// Who hears of data may edit the document at once: names stay whole, and the stage is at what the document says then.
void TestEngine::listenersMayEdit() {
  Theatre theatre;
  std::set<std::string> told;
  bool edited = false;
  QObject::connect(&theatre.stage, &Stage::dataStatusChanged, &theatre.stage, [&](const std::string& name) {
    if (!std::exchange(edited, true))
      theatre.document.edit("More", [](Draft& draft) {
        auto& data = draft.frame().data;
        data.erase(data.begin());
        data.push_back(
            {"data with a name that has no room in a string", {"sample://tornado?size=9"}, {}, {}, {}});
      });
    told.insert(name);
  });
  theatre.document.edit("Open", [](Draft& draft) {
    for (const char* const name : {"flow", "another one, whose name is long enough to be kept elsewhere"})
      draft.frame().data.push_back(
          {name, {*name == 'f' ? "sample://abc?size=9" : "sample://abc?size=11"}, {}, {}, {}});
  });
  const session::Session& now = theatre.document.session();
  QCOMPARE(now.data.size(), 2u);
  const auto allOpen = [&] {
    return std::all_of(now.data.begin(), now.data.end(),
                       [&](const auto& each) { return theatre.stage.summary(each.name) != nullptr; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(allOpen(), kPatienceMs);
  QVERIFY(!theatre.stage.summary("flow"));
  QCOMPARE(told, (std::set<std::string>{"flow", now.data[0].name, now.data[1].name}));
}

void TestEngine::resultsComeAsTheyAreMade() {
  Theatre theatre;
  const ObjectId id = theatre.open(longRake());
  QTRY_VERIFY_WITH_TIMEOUT(theatre.pictures.size() >= 3, kPatienceMs);
  QCOMPARE(theatre.stateOf(id), ObjectState::Running);
  std::size_t before = 0;
  for (const Picture& picture : theatre.pictures) {
    QVERIFY(!picture.complete);
    const std::size_t now = verticesOf(picture.item);  // read while lines are still being made
    QVERIFY(now >= before);
    before = now;
  }
  QVERIFY(before > 0);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.status(id).secondsLeft > 0, kPatienceMs);
  QVERIFY(theatre.stage.status(id).fraction < 1);
}

/// Before those that keep apart are chosen, too; where what there is of them lies, the view is looking.
void TestEngine::linesOnWallsComeAsTheyAreMade() {
  Theatre theatre;
  session::Object object;
  object.data = "flow";
  session::SurfaceLines lines;
  session::GridSurface wall;
  wall.range[2] = {0, 0};
  lines.on.shape = wall;
  lines.count = 100'000;
  lines.spacing = 0.1;
  object.shape = lines;
  const ObjectId id = theatre.open(object);
  QTRY_VERIFY_WITH_TIMEOUT(!theatre.pictures.empty(), kPatienceMs);
  QCOMPARE(theatre.stateOf(id), ObjectState::Running);
  QVERIFY(!theatre.pictures.front().complete && verticesOf(theatre.pictures.front().item) > 0);
  const Bounds shown = theatre.stage.status(id).bounds, all = theatre.stage.summary("flow")->bounds;
  QVERIFY(!shown.empty() && all.contains(shown.min) && all.contains(shown.max));
}

void TestEngine::looksAreChangedAtOnce() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QSignalSpy started(&theatre.engine, &Engine::started);
  const std::size_t shown = theatre.pictures.size();
  session::Object object = *theatre.document.object(id);
  object.color.map = "plasma";
  object.color.range = {{0, 1}};
  theatre.document.setObject(id, object, "Colours");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.pictures.size(), shown + 1, kPatienceMs);
  QCOMPARE(theatre.pictures.back().item.scale.map.name, "plasma");
  QVERIFY(theatre.pictures.back().complete);
  QCOMPARE(theatre.stateOf(id), ObjectState::Done);
  QCOMPARE(started.count(), 0);
  // The very same geometry, so that a view sees that it need not read it again.
  object.opacity = 0.5;
  theatre.document.setObject(id, object, "Opacity");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.pictures.size(), shown + 2, kPatienceMs);
  QCOMPARE(theatre.pictures[shown].item.lines.get(), theatre.pictures[shown + 1].item.lines.get());
  // A logarithm that the range does not have keeps the picture, and says so.
  object.color.range = {{-1, 1}};
  object.color.logarithmic = true;
  theatre.document.setObject(id, object, "Logarithm");
  QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.status(id).scale.logarithmic, kPatienceMs);
  QCOMPARE(theatre.stateOf(id), ObjectState::Done);
  QVERIFY(theatre.stage.status(id).hasPicture && theatre.stage.status(id).scale.reachesDown);
  QVERIFY(theatre.stage.status(id).scale.min > 0 && theatre.stage.status(id).scale.max == 1);
}

void TestEngine::theNextRequestTakesThePlaceOfTheLast() {
  Theatre theatre;
  const ObjectId id = theatre.open(longRake());
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Running, kPatienceMs);
  theatre.document.setObject(id, rake(4), "Shorter");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QCOMPARE(theatre.stage.status(id).stats.count, 8u);
  QVERIFY(theatre.pictures.back().complete);
}

void TestEngine::aDraggedRakeShowsSomething() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(4));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  theatre.stage.setUrgent(id);
  const std::size_t before = theatre.pictures.size();
  // A new place every 15 ms, of lines that take much longer than that: pictures come while it goes on.
  int moves = 0;
  const auto moved = [&] {
    session::Object object = longRake();
    std::get<session::LineSeeds>(std::get<session::Streamlines>(object.shape).seeds).from.x = 0.01 * ++moves;
    theatre.document.setObject(id, object, "Drag", "from");
    QTest::qWait(15);
    return theatre.pictures.size() > before + 2;
  };
  QElapsedTimer patience;
  for (patience.start(); !moved() && patience.elapsed() < kPatienceMs;) {
  }
  QVERIFY2(theatre.pictures.size() > before + 2,
           qPrintable(QString("%1 pictures in %2 moves").arg(theatre.pictures.size() - before).arg(moves)));
  QCOMPARE(theatre.document.undoStack().count(), 2);
}

void TestEngine::cancellingKeepsWhatIsShown() {
  Theatre theatre;
  const ObjectId id = theatre.open(longRake());
  QTRY_VERIFY_WITH_TIMEOUT(!theatre.pictures.empty(), kPatienceMs);
  theatre.stage.cancelAll();
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Cancelled, kPatienceMs);
  // What was there stays, and can still look different.
  QVERIFY(theatre.stage.status(id).hasPicture);
  QVERIFY(!theatre.stage.status(id).complete);
  const std::size_t shown = theatre.pictures.size();
  session::Object object = *theatre.document.object(id);
  object.color.map = "plasma";
  theatre.document.setObject(id, object, "Colours");
  QTRY_VERIFY_WITH_TIMEOUT(theatre.pictures.size() > shown, kPatienceMs);
  QVERIFY(verticesOf(theatre.pictures.back().item) > 0);
  QCOMPARE(theatre.stateOf(id), ObjectState::Cancelled);
  // Asked for again, it is made again.
  theatre.stage.recompute(id);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Running, kPatienceMs);
}

void TestEngine::hidingAndShowing() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QSignalSpy gone(&theatre.stage, &Stage::itemGone), started(&theatre.engine, &Engine::started);
  const auto setVisible = [&](bool visible) {
    session::Object object = *theatre.document.object(id);
    object.visible = visible;
    theatre.document.setObject(id, object, "Visible");
  };
  Bounds told;  // by which the view draws
  connect(&theatre.stage, &Stage::boundsChanged, this, [&] { told = theatre.stage.bounds(); });
  setVisible(false);
  QCOMPARE(gone.count(), 1);
  QCOMPARE(theatre.stateOf(id), ObjectState::Hidden);
  const std::size_t shown = theatre.pictures.size();
  setVisible(true);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.pictures.size(), shown + 1, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QCOMPARE(started.count(), 0);  // it had been computed
  QVERIFY(told.min == theatre.stage.bounds().min && told.max == theatre.stage.bounds().max);
}

void TestEngine::undoneAndDoneAgain() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QSignalSpy gone(&theatre.stage, &Stage::itemGone);
  theatre.document.undoStack().undo();
  QCOMPARE(gone.count(), 1);
  QVERIFY(!theatre.stage.isBusy());
  QVERIFY(!theatre.stage.summary("flow"));
  theatre.document.undoStack().redo();
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QVERIFY(theatre.stage.summary("flow"));
  // Other names open nothing anew.
  QSignalSpy opened(&theatre.engine, &Engine::opened);
  QVERIFY(theatre.document.renameData("flow", "wing").isEmpty());
  QVERIFY(theatre.stage.summary("wing"));
  session::Object object = *theatre.document.object(id);
  object.shape = rake(9).shape;
  theatre.document.setObject(id, object, "Another");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stage.status(id).stats.count, 18u, kPatienceMs);
  QCOMPARE(opened.count(), 0);
  QCOMPARE(theatre.stateOf(id), ObjectState::Done);
}

void TestEngine::problemsAreTold() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8), "/nowhere/grid.xyz");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stage.dataStatus("flow").state, DataState::Failed, kPatienceMs);
  QVERIFY(!theatre.stage.dataStatus("flow").problem.message.empty());
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Failed, kPatienceMs);
  QVERIFY(!theatre.stage.isBusy());
  theatre.document.clear();

  session::Object unknown = rake(8);
  unknown.color.by = "temperature of the moon";
  const ObjectId second = theatre.open(unknown);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(second), ObjectState::Failed, kPatienceMs);
  QVERIFY(theatre.stage.status(second).problem.message.find("color.by") != std::string::npos);
  theatre.document.setObject(second, rake(8), "Mended");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(second), ObjectState::Done, kPatienceMs);
  QVERIFY(theatre.stage.status(second).problem.message.empty());
}

void TestEngine::budgetsActAtOnce() {
  Theatre theatre;
  const ObjectId id = theatre.open(longRake());
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Running, kPatienceMs);
  std::uint64_t used = 0;
  QObject::connect(&theatre.engine, &Engine::counted, &theatre.stage,
                   [&](const WorkshopCounters& counters) { used = counters.usedBytes; });
  theatre.engine.setMemoryBytes(16 * kMiB);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.engine.counters().budgetBytes, 16 * kMiB, kPatienceMs);
  // From then on no more is claimed; what computes gives back what it has.
  QTRY_VERIFY_WITH_TIMEOUT(used <= 16 * kMiB, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().frameBytes > 0, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Running, kPatienceMs);  // it goes on
  theatre.engine.setMemoryBytes(128 * kMiB);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.engine.counters().budgetBytes, 128 * kMiB, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().frameBytes > 16 * kMiB, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().running == 1, kPatienceMs);
}

void TestEngine::pagesStayWhereTheBudgetMoves() {
  Theatre theatre(128 * kMiB);
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  // The counts come a moment later.
  QTRY_VERIFY_WITH_TIMEOUT(
      theatre.engine.counters().running == 0 && theatre.engine.counters().totals.pagesRead > 0, kPatienceMs);
  const std::uint64_t read = theatre.engine.counters().totals.pagesRead;
  for (const std::uint64_t budget : {160 * kMiB, 100 * kMiB}) {
    theatre.engine.setMemoryBytes(budget);
    QTRY_COMPARE_WITH_TIMEOUT(theatre.engine.counters().budgetBytes, budget, kPatienceMs);
    const std::uint64_t before = theatre.engine.counters().totals.requests;
    theatre.stage.recompute(id);
    QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().totals.requests > before, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
    // Of what was read then, everything is still there.
    QCOMPARE(theatre.engine.counters().totals.pagesRead, read);
  }
}

void TestEngine::smallBudgetsAreProblems() {
  Theatre theatre(8 * 1024);
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Failed, kPatienceMs);
  const Problem problem = theatre.stage.status(id).problem;
  QVERIFY2(problem.message.find("budget") != std::string::npos, problem.message.c_str());
  QVERIFY2(!windowAdvice(problem.advice).contains("--memory"), qPrintable(windowAdvice(problem.advice)));
  theatre.engine.setMemoryBytes(64 * kMiB);
  theatre.stage.recompute(id);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
}

void TestEngine::stepsOfTime() {
  Theatre theatre;
  QSignalSpy steps(&theatre.stage, &Stage::stepsChanged);
  const ObjectId id = theatre.open(rake(8), "sample://cylinder?size=17,17,5&steps=4");
  QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.summary("flow") != nullptr, kPatienceMs);
  QCOMPARE(theatre.stage.steps(), 4);
  QCOMPARE(steps.count(), 1);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QSignalSpy started(&theatre.engine, &Engine::started);
  theatre.stage.setStep(2);
  QTRY_COMPARE_WITH_TIMEOUT(started.count(), 1, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  theatre.stage.setStep(99);
  QCOMPARE(theatre.stage.step(), 3);
  QTRY_COMPARE_WITH_TIMEOUT(started.count(), 2, kPatienceMs);
  QVERIFY(theatre.stage.timeOf(3) > theatre.stage.timeOf(0));
}

void TestEngine::probes() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  std::vector<ProbeAnswer> answers;
  QObject::connect(&theatre.engine, &Engine::probed, &theatre.stage,
                   [&](const ProbeAnswer& answer) { answers.push_back(answer); });
  ProbeRequest request;
  request.dataKey = theatre.stage.keyOf("flow");
  request.functions = {"velocity", "velocity-magnitude", "there is no such function"};
  request.point = theatre.stage.summary("flow")->bounds.center();
  // The latest alone is of interest. A burst of which each was answered is possible, where this thread is
  // kept waiting after each; one after another is not.
  std::uint64_t asked = 0;
  for (int burst = 0; burst < 20 && answers.size() == asked; ++burst) {
    for (const std::uint64_t last = asked + 50; asked < last;) {
      request.number = ++asked;
      theatre.engine.probe(request);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!answers.empty() && answers.back().number == asked, kPatienceMs);
  }
  QVERIFY2(answers.size() < asked, std::to_string(asked).c_str());
  const ProbeAnswer& answer = answers.back();
  QVERIFY(answer.found);
  QCOMPARE(answer.block, 0);
  QVERIFY(answer.cell[0] == 15 || answer.cell[0] == 16);  // at the border of both
  QCOMPARE(answer.values.size(), 2u);
  QCOMPARE(answer.values[0].second.size(), 3u);
  const auto& v = answer.values[0].second;
  QVERIFY(std::abs(std::hypot(v[0], v[1], v[2]) - answer.values[1].second[0]) < 0.05);
  request.point = {1e9, 0, 0};
  request.number = 60;
  theatre.engine.probe(request);
  QTRY_COMPARE_WITH_TIMEOUT(answers.back().number, 60u, kPatienceMs);
  QVERIFY(!answers.back().found);
}

void TestEngine::probesWhilePicturesAreDrawn() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  std::binary_semaphore drawing{0}, probed{0};
  std::atomic<bool> inTime{false};
  bool done = false;
  theatre.engine.draw(
      {id}, scene::Scene{},
      [&](const scene::Scene& scene) {
        QCOMPARE(scene.items.size(), 1u);
        drawing.release();
        inTime = probed.try_acquire_for(std::chrono::seconds(20));
      },
      [&](const std::optional<Problem>& problem) {
        QVERIFY(!problem);
        done = true;
      });
  drawing.acquire();
  QObject::connect(&theatre.engine, &Engine::probed, &theatre.stage,
                   [&](const ProbeAnswer&) { probed.release(); });
  ProbeRequest request;
  request.number = 1;
  request.dataKey = theatre.stage.keyOf("flow");
  request.functions = {"velocity"};
  request.point = theatre.stage.summary("flow")->bounds.center();
  theatre.engine.probe(request);
  QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
  QVERIFY(inTime);
}

void TestEngine::wordsOfAWindow() {
  for (const char* const said :
       {"Bound by computing: more --processors would help.", "a larger --memory than 3 MiB would help.",
        "more tasks at a time (--workers, or more lines) would help.",
        "a store with --codec lz4, would help.",
        "a faster disk, or more --readers where it has room for them, would help.",
        "name the grid, and this file as its solution, on the command line with --solution",
        "name the reader, one of: sample, farfield, plot3d", "give at least --memory 300K"})
    QVERIFY2(!windowAdvice(said).contains("--") && !windowAdvice(said).contains("name the reader"),
             qPrintable(windowAdvice(said)));
  // As the field of the budget has it.
  QCOMPARE(
      windowText("volume: the picture needs 7.5 MiB, and 5.7 MiB are left; give at least --memory 22419K"),
      QString("volume: the picture needs 7.5 MiB, and 5.7 MiB are left; make the memory budget at least 30 "
              "MiB"));
  QCOMPARE(windowText("no advice"), QString("no advice"));
}

void TestEngine::writesGeometry() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  const QString path = QString::fromStdString((theatre.folder.path() / "lines.vtp").string());
  bool done = false;
  theatre.engine.writeGeometry(id, path, [&](std::optional<Problem> problem) {
    done = true;
    QVERIFY(!problem);
  });
  QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
  QVERIFY(QFileInfo(path).size() > 1000);
  done = false;
  theatre.engine.writeGeometry(id, "/nowhere/lines.vtp", [&](std::optional<Problem> problem) {
    done = true;
    QVERIFY(problem);
  });
  QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
  // Where nothing is there, what was there before is not written.
  session::Object cut;
  cut.name = "cut";
  cut.data = "flow";
  cut.shape = session::Slice{};
  ObjectId slice = 0;
  theatre.document.edit("Add", [&](Draft& draft) { slice = draft.add(cut); });
  QTRY_VERIFY_WITH_TIMEOUT(
      theatre.stateOf(slice) == ObjectState::Done && theatre.stage.status(slice).hasPicture, kPatienceMs);
  std::get<session::Slice>(cut.shape).origin = Vec3{0, 0, 1e3};
  theatre.document.setObject(slice, cut, "Place");
  QTRY_VERIFY_WITH_TIMEOUT(
      theatre.stateOf(slice) == ObjectState::Done && theatre.stage.status(slice).stats.points == 0,
      kPatienceMs);
  const QString empty = QString::fromStdString((theatre.folder.path() / "empty.vtp").string());
  QFile before(empty);
  // Nor does what was written before stay, as if it were of now.
  for (const bool wasWritten : {false, true}) {
    if (wasWritten) QVERIFY(before.open(QIODevice::WriteOnly));
    before.close();
    QString said;
    theatre.engine.writeGeometry(slice, empty, [&](std::optional<Problem> problem) {
      said = problem ? QString::fromStdString(problem->message) : QStringLiteral("written");
    });
    QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), kPatienceMs);
    QVERIFY2(said.contains("is empty") && said.contains("is removed") == wasWritten, qPrintable(said));
    QVERIFY(!QFile::exists(empty));
  }
}

void TestEngine::endsWhileBusy() {
  std::shared_ptr<const scene::LineGeometry> geometry;
  {
    Theatre theatre;
    theatre.open(longRake());
    QTRY_VERIFY_WITH_TIMEOUT(!theatre.pictures.empty(), kPatienceMs);
    geometry = theatre.pictures.back().item.lines;
  }
  // A view may hold on to what it was given, and read it.
  std::size_t vertices = 0;
  geometry->visit([&](const scene::LineChunk& chunk) { vertices += chunk.points.size() / 3; });
  QVERIFY(vertices > 0);
}

void TestEngine::nobodyWaitsForTheLock() {
  TemporaryFolder folder;
  WorkshopOptions options;
  options.memoryBytes = std::uint64_t{64} << 20;
  options.spoolFolder = folder.path();
  // Whoever tells of an event holds the lock, here until all has been asked for, or for long.
  std::binary_semaphore inside{0}, asked{0};
  std::atomic<bool> inTime{false};
  std::mutex mutex;
  std::map<ObjectId, ObjectEnd> ends;
  WorkshopEvents events;
  events.opened = [&](const std::string&, const std::shared_ptr<const DataSummary>&) {
    inside.release();
    inTime = asked.try_acquire_for(std::chrono::seconds(20));
  };
  events.ended = [&](const ObjectOutcome& outcome) {
    const std::lock_guard lock(mutex);
    ends[outcome.id] = outcome.end;
  };
  Workshop workshop(sampleReaders(), options, events);
  workshop.open("flow", [] { return fields::OpenRequest{{"sample://abc?size=17"}, {}, {}, {}}; });
  inside.acquire();
  ObjectRequest request;
  request.dataKey = "flow";
  request.object = rake(4);
  for (const ObjectId id : {1, 2, 3}) {
    request.id = id;
    QVERIFY(!workshop.compute(request).atOnce);
  }
  workshop.forget(2);
  workshop.cancel(3);
  workshop.setMemoryBytes(std::uint64_t{48} << 20);
  workshop.setSight({});
  QCOMPARE(workshop.memoryBytes(), std::uint64_t{48} << 20);
  asked.release();
  const auto endOf = [&](ObjectId id) -> std::optional<ObjectEnd> {
    const std::lock_guard lock(mutex);
    const auto found = ends.find(id);
    return found == ends.end() ? std::nullopt : std::optional(found->second);
  };
  QTRY_VERIFY_WITH_TIMEOUT(endOf(1) == ObjectEnd::Done, kPatienceMs);
  QVERIFY(inTime);
  // In the order in which it was asked for: what is forgotten and cancelled was never begun.
  QVERIFY(endOf(3) == ObjectEnd::Cancelled);
  QVERIFY(!endOf(2));
}

void TestEngine::resultsAreLetGoElsewhere() {
  std::atomic<std::thread::id> where{};
  struct Thing {
    std::atomic<std::thread::id>* where;
    explicit Thing(std::atomic<std::thread::id>* place) : where(place) {}
    ~Thing() { *where = std::this_thread::get_id(); }
  };
  std::shared_ptr<Thing> late;
  {
    Disposer disposer;
    auto shared = disposer.wrap(std::make_shared<Thing>(&where));
    late = shared;
    shared.reset();
    QVERIFY(where.load() == std::thread::id());  // one owner is left
    late.reset();
    QTRY_VERIFY_WITH_TIMEOUT(where.load() != std::thread::id(), kPatienceMs);
    QVERIFY(where.load() != std::this_thread::get_id());
    where = std::thread::id();
    disposer.drop(std::make_shared<Thing>(&where));
    late = disposer.wrap(std::make_shared<Thing>(&where));
  }
  QVERIFY(where.load() != std::thread::id());  // all that was dropped is gone with the disposer
  QVERIFY(where.load() != std::this_thread::get_id());
  late.reset();
  QVERIFY(where.load() == std::this_thread::get_id());
}

QTEST_MAIN(TestEngine)
#include "tst_engine.moc"
