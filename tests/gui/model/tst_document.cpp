// The document: every change can be taken back and done again, and those who watch are told exactly what
// differs.

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <numbers>
#include <random>

#include "app/model/document/document.h"
#include "app/model/document/kept_views.h"
#include "app/model/document/plot_line.h"
#include "app/model/document/view_layout.h"
#include "app/model/files/session_files.h"
#include "core/session/json/session_json.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::app;

namespace {

session::Object lines(const std::string& name, const std::string& data = "flow") {
  session::Object object;
  object.name = name;
  object.data = data;
  session::Streamlines shape;
  shape.seeds = session::LineSeeds{{0, 0, 0}, {1, 1, 1}, 8};
  object.shape = shape;
  return object;
}

session::DataSource sample(const std::string& name) {
  session::DataSource source;
  source.name = name;
  source.source = {"sample://abc?size=17"};
  return source;
}

void openSample(Document& document) {
  document.edit("Open", [](Draft& draft) {
    draft.frame().data.push_back(sample("flow"));
    draft.add(lines("lines"));
  });
}

}  // namespace

class TestDocument : public QObject {
  Q_OBJECT
 private slots:
  void oneStepForSeveralChanges();
  void continuousChangesAreOneStep();
  void whatIsTakenBackInOneGoKeepsWhatCanBeDoneAgain();
  void changesThatChangeNothing();
  void namesAreUniqueAndGood();
  void renamedDataKeepTheirObjects();
  void orderOfObjects();
  void whatLiesOnASurfaceFollowsIt();
  void savedStates();
  void laterAnswersKeepWhatCanBeDoneAgain();
  void laterAnswersAreKnownInWhatIsDoneAgain();
  void anyChangesCanBeTakenBack();
  void numbersOfEndsThatGoAreOfTheirSteps();
  void keptViewsAreSeenWholeInNarrowerViews();
};

void TestDocument::oneStepForSeveralChanges() {
  Document document;
  QSignalSpy dataAdded(&document, &Document::dataAdded), objectAdded(&document, &Document::objectAdded),
      objectRemoved(&document, &Document::objectRemoved), changed(&document, &Document::changed);
  QVERIFY(document.isEmpty());
  openSample(document);
  QCOMPARE(document.undoStack().count(), 1);
  QCOMPARE(dataAdded.count(), 1);
  QCOMPARE(objectAdded.count(), 1);
  QCOMPARE(changed.count(), 1);
  QVERIFY(document.isModified());
  const ObjectId id = document.idNamed("lines");
  QVERIFY(id != 0);
  document.undoStack().undo();
  QVERIFY(document.isEmpty());
  QVERIFY(!document.isModified());
  QCOMPARE(objectRemoved.count(), 1);
  document.undoStack().redo();
  QCOMPARE(document.idNamed("lines"), id);  // the same object as before
  QCOMPARE(document.session().objects.size(), 1u);
}

void TestDocument::continuousChangesAreOneStep() {
  Document document;
  openSample(document);
  const ObjectId id = document.idNamed("lines");
  const session::Object before = *document.object(id);
  QSignalSpy changed(&document, &Document::objectChanged);
  const auto setOpacity = [&](double opacity) {
    session::Object object = *document.object(id);
    object.opacity = opacity;
    document.setObject(id, object, "Opacity", "opacity");
  };
  for (int n = 1; n <= 9; ++n) setOpacity(1 - 0.1 * n);
  QCOMPARE(changed.count(), 9);
  QCOMPARE(document.undoStack().count(), 2);
  document.endMerge();
  setOpacity(0.5);
  QCOMPARE(document.undoStack().count(), 3);
  document.undoStack().undo();
  document.undoStack().undo();
  QCOMPARE(*document.object(id), before);
  document.undoStack().redo();
  QVERIFY(std::abs(document.object(id)->opacity - 0.1) < 1e-12);
  // Dragged there and back in one go: nothing to take back, and what was taken back can still be done again.
  document.endMerge();
  const double there = document.object(id)->opacity;
  setOpacity(0.7);
  QCOMPARE(document.undoStack().index(), 3);
  setOpacity(there);
  QCOMPARE(document.undoStack().index(), 2);
  QCOMPARE(document.undoStack().count(), 3);
}

/// A drag that Esc takes back, after undo: what was undone, and what was saved among it, are there as before.
void TestDocument::whatIsTakenBackInOneGoKeepsWhatCanBeDoneAgain() {
  Document document;
  openSample(document);
  const ObjectId id = document.idNamed("lines");
  const auto setOpacity = [&](double opacity, const char* key) {
    session::Object object = *document.object(id);
    object.opacity = opacity;
    document.setObject(id, object, QString("Opacity by ") + key, key);
  };
  setOpacity(0.9, "a");
  document.endMerge();
  setOpacity(0.8, "a");
  document.markSaved("/nowhere/work.json", document.state());
  setOpacity(0.7, "b");
  document.endMerge();
  QUndoStack& stack = document.undoStack();
  QCOMPARE(stack.count(), 4);
  for (int n = 0; n < 3; ++n) stack.undo();
  QVERIFY(document.isModified());
  const session::Object before = *document.object(id);
  QSignalSpy changed(&document, &Document::objectChanged);
  for (const double each : {0.5, 0.4, 0.3, before.opacity}) setOpacity(each, "drag");
  document.endMerge();
  QCOMPARE(changed.count(), 4);
  QCOMPARE(*document.object(id), before);
  QCOMPARE(stack.index(), 1);
  QCOMPARE(stack.count(), 4);
  QCOMPARE(stack.redoText(), QString("Opacity by a"));
  for (const double each : {0.9, 0.8, 0.7}) {
    stack.redo();
    QCOMPARE(document.object(id)->opacity, each);
    QCOMPARE(document.isModified(), each != 0.8);
  }
  for (int n = 0; n < 3; ++n) stack.undo();
  QCOMPARE(*document.object(id), before);
  // What stays changed takes their place.
  setOpacity(0.5, "drag");
  document.endMerge();
  setOpacity(0.4, "other");
  setOpacity(0.5, "other");
  QVERIFY(!stack.canRedo());
  QCOMPARE(stack.count(), 2);
}

void TestDocument::changesThatChangeNothing() {
  Document document;
  openSample(document);
  const ObjectId id = document.idNamed("lines");
  QSignalSpy changed(&document, &Document::changed);
  document.setObject(id, *document.object(id), "Nothing");
  QCOMPARE(document.undoStack().count(), 1);
  QCOMPARE(changed.count(), 0);
}

void TestDocument::namesAreUniqueAndGood() {
  Document document;
  openSample(document);
  const ObjectId second = document.addObject(lines("lines"));
  QCOMPARE(document.object(second)->name, "lines 2");
  QVERIFY(!document.renameObject(second, "lines").isEmpty());
  QVERIFY(!document.renameObject(second, "a/b").isEmpty());
  QVERIFY(!document.renameObject(second, "100%").isEmpty());
  QVERIFY(!document.renameObject(second, "  ").isEmpty());
  QVERIFY(!document.renameObject(second, QString(101, 'x')).isEmpty());
  QCOMPARE(document.object(second)->name, "lines 2");
  QVERIFY(document.renameObject(second, " Wake ").isEmpty());
  QCOMPARE(document.object(second)->name, "Wake");
  QVERIFY(document.renameObject(second, "Wake").isEmpty());
  // Whatever the name check lets pass, a session file can hold.
  for (const char* name : {"a b", "ä-1_2", "(x)", "100 mm"}) {
    QVERIFY(document.renameObject(second, name).isEmpty());
    QCOMPARE(session::parseSession(session::toJson(document.session())).objects[1].name, name);
  }
}

void TestDocument::renamedDataKeepTheirObjects() {
  Document document;
  openSample(document);
  QVERIFY(document.renameData("flow", "wing").isEmpty());
  QCOMPARE(document.session().objects[0].data, "wing");
  QCOMPARE(document.session().data[0].name, "wing");
  document.undoStack().undo();
  QCOMPARE(document.session().objects[0].data, "flow");
  document.removeData("flow");
  QVERIFY(document.isEmpty());
  document.undoStack().undo();
  QCOMPARE(document.session().objects.size(), 1u);
}

void TestDocument::orderOfObjects() {
  Document document;
  openSample(document);
  const ObjectId b = document.addObject(lines("b")), c = document.addObject(lines("c"));
  QSignalSpy removed(&document, &Document::objectRemoved);
  document.edit("Move", [&](Draft& draft) { draft.move(c, 0); });
  QCOMPARE(document.objectIds().front(), c);
  document.edit("Remove", [&](Draft& draft) { draft.remove(b); });
  QCOMPARE(removed.count(), 1);
  document.undoStack().undo();
  QCOMPARE(document.objectIds().back(), b);
  document.undoStack().undo();
  QCOMPARE(document.objectIds().back(), c);
}

void TestDocument::whatLiesOnASurfaceFollowsIt() {
  Document document;
  openSample(document);
  ObjectId slice = 0, isolines = 0;
  document.edit("Add", [&](Draft& draft) {
    session::Object cut, on;
    cut.name = "cut";
    cut.data = on.data = "flow";
    cut.shape = session::Slice{};
    on.name = "isolines";
    session::Isolines shape;
    shape.on.name = "cut";
    shape.by = "velocity-magnitude";
    on.shape = shape;
    isolines = draft.add(on);
    slice = draft.add(cut);
  });
  const auto surface = [&] { return std::get<session::Isolines>(document.object(isolines)->shape).on; };
  const auto normal = [&] { return std::get<session::Slice>(surface().shape).normal; };
  QCOMPARE(surface().name, "cut");
  // moved, in the same step
  QSignalSpy changed(&document, &Document::objectChanged);
  const int steps = document.undoStack().count();
  document.edit("Turn", [&](Draft& draft) {
    std::get<session::Slice>(draft.object(slice).shape).normal = {1, 0, 0};
  });
  QVERIFY(normal() == (Vec3{1, 0, 0}));
  QCOMPARE(changed.count(), 2);
  QCOMPARE(document.undoStack().count(), steps + 1);
  document.undoStack().undo();
  QVERIFY(normal() == (Vec3{0, 0, 1}));
  document.undoStack().redo();
  // renamed; and what is written can be read
  QCOMPARE(document.renameObject(slice, "plane"), QString());
  QCOMPARE(surface().name, "plane");
  QVERIFY(session::parseSession(session::toJson(document.session())).objects == document.session().objects);
  // removed: the lines stay where they were
  document.edit("Remove", [&](Draft& draft) { draft.remove(slice); });
  QCOMPARE(surface().name, "");
  QVERIFY(normal() == (Vec3{1, 0, 0}));
  QVERIFY(session::parseSession(session::toJson(document.session())).objects == document.session().objects);
  document.undoStack().undo();
  QCOMPARE(surface().name, "plane");
}

/// What belongs to an earlier step comes while others are taken back: they can still be done again, and have it as well.
void TestDocument::laterAnswersKeepWhatCanBeDoneAgain() {
  Document document;
  document.edit(
      "Open", [](Draft& draft) { draft.frame().data.push_back(sample("flow")); }, "open/1");
  document.edit("Title", [](Draft& draft) { draft.frame().image.title = "first"; });
  document.edit(
      "Open another", [](Draft& draft) { draft.frame().data.push_back(sample("other")); }, "open/2");
  document.undoStack().undo();
  document.undoStack().undo();
  QCOMPARE(document.undoStack().index(), 1);
  ObjectId id = 0;
  QSignalSpy added(&document, &Document::objectAdded);
  document.editFurther(
      "Show", [&](Draft& draft) { id = draft.add(lines("lines")); }, "open/1");
  QCOMPARE(added.size(), 1);
  QVERIFY(document.object(id));
  QCOMPARE(document.undoStack().count(), 3);
  document.undoStack().redo();
  QVERIFY(document.object(id));
  QCOMPARE(document.session().image.title, std::string("first"));
  // One step further on, with another taken back.
  document.editFurther(
      "Show",
      [&](Draft& draft) {
        std::get<session::Streamlines>(draft.object(id).shape).seeds =
            session::LineSeeds{{0, 0, 0}, {2, 2, 2}, 8};
      },
      "open/1");
  document.undoStack().redo();
  QCOMPARE(document.session().data.size(), 2u);
  const auto seeds = [&] {
    return std::get<session::LineSeeds>(std::get<session::Streamlines>(document.object(id)->shape).seeds);
  };
  QCOMPARE(seeds().to.x, 2.0);
  // All of it belongs to the step that opened the data.
  document.undoStack().undo();
  document.undoStack().undo();
  QVERIFY(document.object(id));
  QCOMPARE(document.session().image.title, std::string());
  QCOMPARE(seeds().to.x, 2.0);
  document.undoStack().undo();
  QVERIFY(document.isEmpty());
  document.undoStack().redo();
  QVERIFY(document.object(id));
  // What somebody did to it later in another way stays; where its data are gone, nothing is added.
  const ObjectId later = id;
  session::Object changed = *document.object(id);
  changed.color.solid = {1, 0, 0, 1};
  document.setObject(id, changed, "Colour");
  document.removeData("flow");
  document.undoStack().undo();
  document.undoStack().undo();
  document.editFurther(
      "Show",
      [&](Draft& draft) {
        std::get<session::Streamlines>(draft.object(later).shape).seeds =
            session::LineSeeds{{0, 0, 0}, {3, 3, 3}, 8};
        draft.add(lines("more"));
      },
      "open/1");
  QCOMPARE(document.objectIds().size(), 2u);
  document.undoStack().redo();
  QCOMPARE(document.objectIds().size(), 2u);
  QCOMPARE(seeds().to.x, 3.0);
  QVERIFY(document.object(later)->color.solid == changed.color.solid);
  document.undoStack().redo();
  QVERIFY(document.isEmpty());
  QVERIFY(!document.undoStack().canRedo());
}

/// Colours that stand in for others are known to do so in what is done again, too.
void TestDocument::laterAnswersAreKnownInWhatIsDoneAgain() {
  Document document;
  ObjectId id = 0;
  document.edit(
      "Open",
      [&](Draft& draft) {
        draft.frame().data.push_back(sample("flow"));
        id = draft.add(lines("lines"));
      },
      "open/1");
  document.edit("Title", [](Draft& draft) { draft.frame().image.title = "first"; });
  document.undoStack().undo();
  const session::Coloring before = document.object(id)->color;
  session::Coloring given = before;
  given.by = "pressure";
  document.editFurther(
      "Colour",
      [&](Draft& draft) {
        draft.object(id).color = given;
        draft.standIns().push_back({id, before, given});
      },
      "open/1");
  document.undoStack().redo();
  QCOMPARE(document.session().image.title, std::string("first"));
  QCOMPARE(document.object(id)->color.by, given.by);
  QCOMPARE(document.state().standIns.size(), 1u);
  document.undoStack().undo();
  document.undoStack().undo();
  QVERIFY(document.state().standIns.empty());
}

void TestDocument::savedStates() {
  const test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder.path() / "work.json").string());
  Document document;
  openSample(document);
  SessionFiles files;
  const DocumentState saved = document.state();
  QString problem = "not called";
  files.save(document.session(), path, false, [&](const SavedSession& its) {
    problem = its.problem;
    document.markSaved(path, saved);
  });
  QTRY_COMPARE_WITH_TIMEOUT(problem, QString(), 60'000);
  QVERIFY(!document.isModified());
  QCOMPARE(document.title(), QString("work"));
  document.addObject(lines("more"));
  QVERIFY(document.isModified());
  document.undoStack().undo();
  QVERIFY(!document.isModified());

  // What is changed while the file is written is not in it.
  const DocumentState early = document.state();
  document.addObject(lines("late"));
  document.markSaved(path, early);
  QVERIFY(document.isModified());
  // Nor is then what was in it before.
  document.undoStack().undo();
  document.markSaved(path, document.state());
  document.addObject(lines("between"));
  const DocumentState between = document.state();
  document.addObject(lines("later"));
  document.markSaved(path, between);
  document.undoStack().undo();
  document.undoStack().undo();
  QVERIFY(document.isModified());

  std::optional<session::Session> loaded;
  files.load(path, [&](LoadedSession its) { loaded = std::move(its.session); });
  QTRY_VERIFY_WITH_TIMEOUT(loaded.has_value(), 60'000);
  QCOMPARE(loaded->objects.size(), 1u);
  QSignalSpy replaced(&document, &Document::replaced);
  document.replace(std::move(*loaded), path);
  QCOMPARE(replaced.count(), 1);
  QVERIFY(!document.isModified());
  QCOMPARE(document.undoStack().count(), 0);
  QCOMPARE(document.session().objects[0].name, "lines");
}

void TestDocument::anyChangesCanBeTakenBack() {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Document document;
  // A mirror that follows the signals alone must end up with what the document says.
  std::map<ObjectId, session::Object> mirror;
  const auto take = [&](ObjectId id) { mirror[id] = *document.object(id); };
  connect(&document, &Document::objectAdded, this, take);
  connect(&document, &Document::objectChanged, this, [&](ObjectId id) { take(id); });
  connect(&document, &Document::objectRemoved, this, [&](ObjectId id) { QVERIFY(mirror.erase(id) == 1); });
  const auto agree = [&] {
    const auto ids = document.objectIds();
    if (ids.size() != mirror.size()) return false;
    return std::all_of(ids.begin(), ids.end(), [&](ObjectId id) {
      return mirror.contains(id) && mirror[id] == *document.object(id);
    });
  };
  std::vector<session::Session> states{document.session()};
  for (int n = 0; n < 400; ++n) {
    const auto index = static_cast<std::size_t>(document.undoStack().index());
    bool isNew = true;
    const auto ids = document.objectIds();
    const ObjectId some = ids.empty() ? 0 : ids[static_cast<std::size_t>(pick(static_cast<int>(ids.size())))];
    switch (pick(8)) {
      case 0:
      case 1:
        document.addObject(lines("x"));
        break;
      case 2:
        document.edit("Remove", [&](Draft& draft) { draft.remove(some); });
        break;
      case 3:
        document.edit("Move", [&](Draft& draft) { draft.move(some, static_cast<std::size_t>(pick(5))); });
        break;
      case 4:
        if (some) {
          session::Object object = *document.object(some);
          object.opacity = 0.01 * pick(100);
          document.setObject(some, object, "Opacity");
        }
        break;
      case 5:
        document.edit("Camera", [&](Draft& draft) {
          draft.frame().camera = session::FixedCamera{{double(pick(9)), 1, 2}, {0, 0, 0}, {0, 0, 1}, 30, {}};
        });
        break;
      case 6:
        document.undoStack().undo();
        isNew = false;
        break;
      default:
        document.undoStack().redo();
        isNew = false;
        break;
    }
    if (isNew && static_cast<std::size_t>(document.undoStack().index()) == index + 1) {
      states.resize(index + 1);  // steps that were undone are cut off by a new one
      states.push_back(document.session());
    }
    QVERIFY(agree());
    QCOMPARE(document.session(), states[static_cast<std::size_t>(document.undoStack().index())]);
  }
  while (document.undoStack().canUndo()) {
    document.undoStack().undo();
    QCOMPARE(document.session(), states[static_cast<std::size_t>(document.undoStack().index())]);
  }
  QVERIFY(document.isEmpty());
}

/// A line between probes that go with a body does so still when a number of one end is typed.
void TestDocument::numbersOfEndsThatGoAreOfTheirSteps() {
  Document document;
  openSample(document);
  const std::string data = document.session().data.front().name;
  ObjectId line{};
  document.edit("Add", [&](Draft& draft) {
    session::Object object;
    object.name = "probes";
    object.data = data;
    object.shape = session::Probe{
        .points = {{0, 0, 0}, {1, 0, 0}}, .show = {}, .goesFrom = {0, 3}, .look = {.texts = false}};
    line = draft.add(std::move(object));
  });
  QCOMPARE(putPlotLine(document, data, {0, 0, 0}, {1, -0.2, 0}), line);
  const auto& its = std::get<session::Probe>(document.object(line)->shape);
  QVERIFY((its.goesFrom == std::vector<std::int64_t>{0, 3}));
  QVERIFY((its.points == std::vector<Vec3>{{0, 0, 0}, {1, -0.2, 0}}));
}

void TestDocument::keptViewsAreSeenWholeInNarrowerViews() {
  Document document;
  openSample(document);
  const auto camera = [&] { return document.session().camera; };
  const auto lookFromElsewhere = [&] {
    document.edit("Elsewhere", [](Draft& draft) {
      draft.frame().camera = session::AutoCamera{{1, 0, 0}, {0, 0, 1}};
    });
  };
  session::FixedCamera place;
  place.position = {0, -6, 0};
  document.edit("Look", [&](Draft& draft) { draft.frame().camera = place; });
  const std::string name = keepView(document, {1.6});
  QVERIFY(document.session().views[0].aspect == 1.6);
  arrange(document, Arrangement::Two, {1.6, 0.8});
  lookFromElsewhere();
  const int steps = document.undoStack().index();
  goToView(document, name, {0.8});
  QCOMPARE(document.undoStack().index(), steps + 1);
  const auto seen = std::get<session::FixedCamera>(camera());
  const auto halfWidth = [](const session::FixedCamera& its, double aspect) {
    return aspect * std::tan(its.fieldOfViewDegrees * std::numbers::pi / 360);
  };
  QVERIFY(std::abs(halfWidth(seen, 0.8) - halfWidth(place, 1.6)) < 1e-9);
  QVERIFY(seen.position == place.position && seen.target == place.target);
  // What was kept stays what it is; with room again it is seen so, and in a wider view as well.
  QVERIFY(document.session().views[0].camera == AnyCamera(place));
  arrange(document, Arrangement::One, {0.8, 1.6});
  QVERIFY(std::abs(std::get<session::FixedCamera>(camera()).fieldOfViewDegrees - place.fieldOfViewDegrees) <
          1e-9);
  lookFromElsewhere();
  goToView(document, name, {2.5});
  QVERIFY(camera() == AnyCamera(place));
  // As sessions say it, and as those of before do.
  QVERIFY(session::parseSession(session::toJson(document.session())).views == document.session().views);
  document.edit("Of before", [](Draft& draft) { draft.frame().views[0].aspect.reset(); });
  lookFromElsewhere();
  goToView(document, name, {0.8});
  QVERIFY(camera() == AnyCamera(place));
  // Automatic ones are fitted to any shape.
  lookFromElsewhere();
  replaceView(document, name, {0.8});
  QVERIFY(!document.session().views[0].aspect);
}

QTEST_MAIN(TestDocument)
#include "tst_document.moc"
