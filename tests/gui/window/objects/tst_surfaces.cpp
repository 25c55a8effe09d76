// Grid surfaces in the window: which sheet is shown is slid, blocks are ticked, and what is new is coloured by
// something that differs on walls. Needs a display with OpenGL; skips where there is none.

#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSlider>
#include <QStandardPaths>
#include <QToolButton>

#include "app/ui/widgets/notice_bar.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/test_data.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

class TestSurfaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void sheetsAreSlid();
  void whatIsPassedIsNotComplainedOf();
  void blocksAreTicked();
  void newSheetsAreOnTheOutside_data();
  void newSheetsAreOnTheOutside();
  void linesOnNewSheetsWaitForThem();
  void thePlateOfTheBluntFinIsSeen();
  void theSideThatFacesIsSeen();
  void whatIsAddedInsideIsSeen();
  void surfacesComeBackWithARemoval();
  void nothingIsHiddenForNothing();
  void whoeverSeesBothHasChosenSo();
  void whatIsSaidFirstIsNotLost();
};

namespace {

/// A flow as meshes are seen first: by all of its outer faces.
struct Covered : Studio {
  explicit Covered(const std::filesystem::path& data = "sample://abc?size=9") : Studio({1000, 700}) {
    model.open({QString::fromStdString(data.string())});
    opened = QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs);
    model.document().edit("Cover", [&](app::Draft& draft) {
      for (const app::ObjectId id : model.document().objectIds()) draft.remove(id);
      session::Object all;
      all.name = "shell";
      all.data = session().data.front().name;
      all.shape = session::GridSurface{};
      cover = draft.add(all);
    });
    opened = opened && QTest::qWaitFor([&] { return rests(); }, kPatienceMs);
  }
  bool shows(app::ObjectId id) { return model.document().object(id)->visible; }
  QUndoStack& undo() { return model.document().undoStack(); }
  app::ObjectId cover = 0;
  bool opened = false;
};

}  // namespace

void TestSurfaces::initTestCase() {
  skipWithoutOpenGl();
}

void TestSurfaces::sheetsAreSlid() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=17,13,9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSurface");
  const app::ObjectId id = studio.newest();
  const auto shape = [&] {
    return std::get<session::GridSurface>(studio.model.document().object(id)->shape);
  };
  QCOMPARE(studio.model.document().object(id)->color.by, std::string("pressure"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const Bounds first = studio.model.stage().status(id).bounds;

  auto* const slider = studio.child<QSlider>("face.node.slider");
  QVERIFY(slider && slider->isVisible());
  QCOMPARE(studio.child<QComboBox>("face")->currentData().toString(), QString("k"));
  QCOMPARE(slider->maximum(), 8);
  slider->setValue(3);
  QVERIFY((shape().range[2] == session::IndexRange{3, 3}));
  QCOMPARE(studio.child<ui::NumberEdit>("face.node")->text(), QString("3"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!(studio.model.stage().status(id).bounds.min == first.min), kPatienceMs);
  slider->setValue(8);
  QVERIFY((shape().range[2] == session::IndexRange{-1, -1}));
  QCOMPARE(slider->value(), 8);

  // Another axis begins at its first node, and has as many as the grid.
  auto* const face = studio.child<QComboBox>("face");
  face->setCurrentIndex(face->findData("j"));
  emit face->activated(face->currentIndex());
  QVERIFY((shape().range[1] == session::IndexRange{0, 0} && shape().range[2] == session::IndexRange{}));
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QSlider>("face.node.slider") != slider || slider->maximum() == 12,
                           kPatienceMs);
  QList<QSlider*> shown;
  for (QSlider* const each : studio.window.findChildren<QSlider*>("face.node.slider"))
    if (each->isVisible()) shown.append(each);
  QCOMPARE(shown.size(), 1);
  QCOMPARE(shown[0]->maximum(), 12);
  // By keys, node by node.
  shown[0]->setFocus();
  QTest::keyClick(shown[0], Qt::Key_Right);
  QVERIFY((shape().range[1] == session::IndexRange{1, 1}));
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
}

/// Values on walls alone, on sheets inside of the flow: it is said where the hand rests, and once.
void TestSurfaces::whatIsPassedIsNotComplainedOf() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=17,13,9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSurface");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit(
      "Colour", [&](app::Draft& draft) { draft.object(id).color.by = "wall-shear-stress-magnitude"; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const bool wasSaid = studio.stateOf(id) == app::ObjectState::Failed;  // and is the same thing then
  auto* const note = studio.child<QLabel>("properties.note");
  auto* const messages = studio.child<QDockWidget>("dock.messages")->findChild<QAbstractItemView*>();
  QVERIFY(note && messages);
  const QString before = note->isVisible() ? note->text() : QString();
  int said = messages->model()->rowCount();
  int failures = 0, noted = 0;
  connect(&studio.model.stage(), &app::Stage::statusChanged, &studio.window, [&](app::ObjectId its) {
    failures += its == id && studio.stateOf(id) == app::ObjectState::Failed;
    noted += (note->isVisible() ? note->text() : QString()) != before;
  });
  auto* const slider = studio.child<QSlider>("face.node.slider");
  slider->setSliderDown(true);
  QElapsedTimer pause;
  for (int n = 0; failures < 3 && n < 2000; ++n) {
    pause.start();
    slider->setValue(1 + n % 6);
    QTest::qWait(20);
    if (pause.elapsed() > 300) {  // the machine is busy: that was no drag but a rest
      failures = noted = 0;
      said = messages->model()->rowCount();
    }
    QCOMPARE(messages->model()->rowCount(), said);
  }
  QVERIFY(failures >= 3);
  QCOMPARE(noted, 0);
  QCOMPARE(messages->model()->rowCount(), said);
  // At rest in the hand.
  QTRY_VERIFY2_WITH_TIMEOUT(note->isVisible() && note->text().contains("wall"), qPrintable(note->text()),
                            kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(messages->model()->rowCount(), said + !wasSaid, kPatienceMs);
  slider->setSliderDown(false);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QCOMPARE(messages->model()->rowCount(), said + !wasSaid);
  QVERIFY(note->isVisible());
}

void TestSurfaces::blocksAreTicked() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=17,17,9&blocks=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const auto count = [&] { return studio.model.stage().status(id).stats.count; };
  const auto blocks = [&] {
    return std::get<session::GridSurface>(studio.model.document().object(id)->shape).blocks;
  };
  const std::uint64_t all = count();
  auto* const list = studio.child<QListWidget>("blocks.list");
  QVERIFY(list && list->isVisible());
  QCOMPARE(list->count(), 3);
  const int steps = studio.model.document().undoStack().count();
  list->item(1)->setCheckState(Qt::Unchecked);
  QCOMPARE(blocks(), (std::vector<std::int64_t>{0, 2}));
  QCOMPARE(studio.child<QLineEdit>("blocks")->text(), QString("0, 2"));
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && count() < all, kPatienceMs);
  // The last is not taken away; all of them are what no choice is.
  list->item(0)->setCheckState(Qt::Unchecked);
  list->item(2)->setCheckState(Qt::Unchecked);
  QCOMPARE(blocks(), (std::vector<std::int64_t>{2}));
  QCOMPARE(list->item(2)->checkState(), Qt::Checked);
  for (const int n : {0, 1}) list->item(n)->setCheckState(Qt::Checked);
  QVERIFY(blocks().empty());
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && count() == all, kPatienceMs);
}

namespace {

/// Nodes a unit apart from `from` on, upwards with k or downwards, and a velocity, which may be 0 at the lowest.
Plot3dBlock blockAt(Vec3 from, const Index3& dims, bool downwards = false, bool onWall = false) {
  Plot3dBlock block;
  block.dims = dims;
  const std::int64_t nodes = product(dims);
  for (int c = 0; c < 3; ++c)
    for (std::int64_t n = 0; n < nodes; ++n)
      block.xyz.push_back(from[c] + (c == 2 && downwards ? -1 : 1) * double(unlinear(n, dims)[c]));
  for (int variable = 0; variable < 5; ++variable)
    for (std::int64_t n = 0; n < nodes; ++n) {
      const double speed = onWall ? 0.1 * double(unlinear(n, dims)[2]) : 0.5;
      block.q.push_back(variable == 0 ? 1 : variable == 1 ? speed : variable == 4 ? 3 + 0.01 * double(n) : 0);
    }
  return block;
}

const Plot3dBlock kGround = blockAt({}, {7, 6, 5});

}  // namespace

void TestSurfaces::newSheetsAreOnTheOutside_data() {
  using Blocks = std::vector<std::int64_t>;
  QTest::addColumn<std::vector<Plot3dBlock>>("grid");
  QTest::addColumn<Blocks>("blocks");
  QTest::addColumn<int>("axis");
  QTest::addColumn<std::int64_t>("node");
  const auto row = [](const char* name, const std::vector<Plot3dBlock>& grid, const Blocks& blocks, int axis,
                      std::int64_t node) { QTest::newRow(name) << grid << blocks << axis << node; };
  row("on each other", {kGround, blockAt({0, 0, 4}, {7, 6, 5})}, {0}, 2, 0);
  row("into each other", {blockAt({0, 0, 2.5}, {7, 6, 5}), kGround}, {1}, 2, 0);
  row("beside each other", {kGround, blockAt({6, 0, 0}, {5, 6, 5})}, {}, 2, 0);
  row("a wall inside of another", {kGround, blockAt({2, 2, 1}, {3, 3, 3}, false, true)}, {}, 2, 0);
  row("all of them inside", {blockAt({0, 0, 4}, {7, 6, 5}, true), blockAt({0, 0, 4}, {7, 6, 5})}, {}, 2, -1);
  row("a sheet beside a volume", {kGround, blockAt({0, 0, 4}, {7, 6, 5}), blockAt({9, 0, 0}, {3, 3, 1})},
      {0, 2}, 2, 0);
}

/// Where blocks join or overlap, the first sheet of one lies inside of the data, and hides what is behind it.
void TestSurfaces::newSheetsAreOnTheOutside() {
  QFETCH(const std::vector<Plot3dBlock>, grid);
  QFETCH(const std::vector<std::int64_t>, blocks);
  QFETCH(const int, axis);
  QFETCH(const std::int64_t, node);
  Studio studio;
  writePlot3d(studio.folder / "g.xyz", studio.folder / "g.q", grid);
  studio.model.open({studio.at("g.xyz"), studio.at("g.q")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  QUndoStack& undo = studio.model.document().undoStack();
  const int steps = undo.index();
  studio.trigger("addSurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  session::GridSurface expected;
  expected.blocks = blocks;
  expected.range[static_cast<std::size_t>(axis)] = {node, node};
  const auto shape = [&] {
    return std::get<session::GridSurface>(studio.model.document().object(id)->shape);
  };
  QVERIFY(shape() == expected);
  // One step, as ever.
  QCOMPARE(undo.index(), steps + 1);
  undo.undo();
  QVERIFY(!studio.model.document().object(id));
  undo.redo();
  QVERIFY(shape() == expected);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  // Whoever chooses all blocks has them.
  studio.model.document().edit("All", [&](app::Draft& draft) {
    std::get<session::GridSurface>(draft.object(id).shape).blocks.clear();
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(shape().blocks.empty());
}

/// Lines that come with a new surface lie where it does, and are computed once it is there.
void TestSurfaces::linesOnNewSheetsWaitForThem() {
  Studio studio;
  writePlot3d(studio.folder / "g.xyz", studio.folder / "g.q", {kGround, blockAt({0, 0, 4}, {7, 6, 5})});
  studio.model.open({studio.at("g.xyz"), studio.at("g.q")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  QUndoStack& undo = studio.model.document().undoStack();
  const int steps = undo.index();
  studio.trigger("addSurfaceLines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 4, kPatienceMs);
  const auto& objects = studio.session().objects;
  const auto& surface = std::get<session::GridSurface>(objects[2].shape);
  QCOMPARE(surface.blocks, std::vector<std::int64_t>{0});
  const auto& lines = std::get<session::SurfaceLines>(objects[3].shape);
  QCOMPARE(lines.on.name, objects[2].name);
  QVERIFY(std::get<session::GridSurface>(lines.on.shape) == surface);
  QCOMPARE(studio.stateOf(studio.newest()), app::ObjectState::Done);
  QVERIFY(studio.model.stage().status(studio.newest()).stats.points > 0);
  QCOMPARE(undo.index(), steps + 1);
}

/// Of its eight blocks four stand on the plate, and four on these.
void TestSurfaces::thePlateOfTheBluntFinIsSeen() {
  const std::string name = "data/plot3d/bluntfin_8blk_overlap_be_f4_mk";
  NEEDS_DATA(name + ".xyz");
  Studio studio;
  studio.model.open({QString::fromStdString(dataPath(name + ".xyz").string()),
                     QString::fromStdString(dataPath(name + ".q").string())});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(std::get<session::GridSurface>(studio.model.document().object(id)->shape).blocks,
           (std::vector<std::int64_t>{0, 1, 2, 3}));
}

/// Two surfaces at one place, as the sides of a thin wing: the one that faces the eye is seen, all over, from either side.
void TestSurfaces::theSideThatFacesIsSeen() {
  Studio studio({1000, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  for (const app::ObjectId id : studio.model.document().objectIds())
    studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(id); });
  for (const double side : {1.0, -1.0}) {
    studio.trigger("addSlice");
    session::Object object = *studio.model.document().object(studio.newest());
    std::get<session::Slice>(object.shape).normal = {0, 0, side};
    object.color.by.clear();
    object.color.solid = side > 0 ? scene::Rgba{1, 0, 0, 1} : scene::Rgba{0, 0, 1, 1};
    object.lighting = scene::Lighting::Off;
    studio.model.document().setObject(studio.newest(), object, "Side");
  }
  studio.window.pipeline().select(0);
  const auto count = [&](bool red) {
    const QImage image = studio.picture();
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor seen = image.pixelColor(x, y);
        found += red ? seen.red() > 200 && seen.blue() < 60 : seen.blue() > 200 && seen.red() < 60;
      }
    return found;
  };
  studio.trigger("viewPlusZ");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(count(true) > 5000, kPatienceMs);
  // The mark of the z axis may be blue.
  QVERIFY2(count(false) < 200, qPrintable(QString::number(count(false))));
  studio.trigger("viewMinusZ");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(count(false) > 5000, kPatienceMs);
  QVERIFY2(count(true) < 200, qPrintable(QString::number(count(true))));
}

/// A surface around all of the data is hidden together with what is added inside; a line says so, and brings it back.
void TestSurfaces::whatIsAddedInsideIsSeen() {
  for (const char* const kind : {"addSlice", "addIsosurface", "addVolume"}) {
    Covered studio;
    QVERIFY2(studio.opened, kind);
    auto* const notice = studio.child<ui::NoticeBar>("notice");
    const int steps = studio.undo().index();
    studio.trigger(kind);
    QVERIFY2(!studio.shows(studio.cover), kind);
    QVERIFY(studio.shows(studio.newest()));
    QCOMPARE(studio.undo().index(), steps + 1);
    QVERIFY(!notice->isHidden());
    // In words that go with any name, of one thing or of several.
    const QString added = QString::fromStdString(studio.session().objects.back().name);
    QVERIFY2(
        notice->text().contains(
            QString("“shell” lies around all of the data and was hidden, so that “%1” is seen.").arg(added)),
        qPrintable(notice->text()));
    // One step back, and all is as before.
    studio.undo().undo();
    QVERIFY(studio.shows(studio.cover));
    QVERIFY(notice->isHidden());
    studio.undo().redo();
    QVERIFY(!studio.shows(studio.cover) && !notice->isHidden());
    notice->findChild<QPushButton*>("notice.button")->click();
    QVERIFY(studio.shows(studio.cover) && studio.shows(studio.newest()));
    QVERIFY(notice->isHidden());
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  }
}

/// Where what a surface was hidden for is removed again, nothing would be left to see.
void TestSurfaces::surfacesComeBackWithARemoval() {
  Covered studio;
  QVERIFY(studio.opened);
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  studio.trigger("addSlice");
  QVERIFY(!studio.shows(studio.cover) && !notice->isHidden());
  const int steps = studio.undo().index();
  studio.trigger("remove");
  QVERIFY(studio.shows(studio.cover) && notice->isHidden());
  QCOMPARE(studio.undo().index(), steps + 1);
  studio.undo().undo();
  QVERIFY(!studio.shows(studio.cover) && studio.shows(studio.newest()));
  studio.undo().redo();
  QVERIFY(studio.shows(studio.cover));
  studio.undo().undo();
  // While something else inside is shown it stays hidden.
  studio.trigger("addIsosurface");
  studio.window.pipeline().select(studio.newest());
  studio.trigger("remove");
  QVERIFY(!studio.shows(studio.cover));
  studio.window.pipeline().select(studio.newest());
  studio.trigger("remove");
  QVERIFY(studio.shows(studio.cover));
  // In any order.
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.trigger("addIsosurface");
  studio.window.pipeline().select(slice);
  studio.trigger("remove");
  QVERIFY(!studio.shows(studio.cover));
  studio.window.pipeline().select(studio.newest());
  studio.trigger("remove");
  QVERIFY(studio.shows(studio.cover));
  // Whoever has shown and hidden it since has chosen.
  studio.trigger("addSlice");
  notice->findChild<QPushButton*>("notice.button")->click();
  studio.model.tree().setData(studio.model.tree().indexOf(studio.cover), Qt::Unchecked, Qt::CheckStateRole);
  studio.window.pipeline().select(studio.newest());
  studio.trigger("remove");
  QVERIFY(!studio.shows(studio.cover));
}

/// An isosurface of what is the same everywhere is none: the surface comes back in the same step, and nobody speaks of it.
void TestSurfaces::nothingIsHiddenForNothing() {
  const TemporaryFolder folder;
  Plot3dBlock block;
  block.dims = {5, 5, 5};
  const auto nodes = static_cast<std::size_t>(product(block.dims));
  for (int c = 0; c < 3; ++c)
    for (std::size_t n = 0; n < nodes; ++n)
      block.xyz.push_back(double(unlinear(static_cast<std::int64_t>(n), block.dims)[c]));
  for (const double value : {1.0, 0.0, 0.0, 0.0, 2.5}) block.q.insert(block.q.end(), nodes, value);
  writePlot3d(folder / "g.xyz", folder / "g.q", {block});
  Covered studio(folder / "g.xyz");
  QVERIFY(studio.opened);
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  // Lines in a flow at rest are points, one of each seed.
  for (const char* const kind : {"addIsosurface", "addStreamlines"}) {
    const int steps = studio.undo().index();
    studio.trigger(kind);
    const app::ObjectId added = studio.newest();
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(added), app::ObjectState::Done, kPatienceMs);
    const session::ObjectStats& stats = studio.model.stage().status(added).stats;
    QVERIFY2(stats.points == 0 || (stats.type == "streamlines" && stats.points == stats.count), kind);
    QTRY_VERIFY_WITH_TIMEOUT(studio.shows(studio.cover) && notice->isHidden(), kPatienceMs);
    QCOMPARE(studio.undo().index(), steps + 1);
    studio.undo().undo();
    QVERIFY(studio.shows(studio.cover) && !studio.model.document().object(added));
    studio.undo().redo();
    QVERIFY(studio.shows(studio.cover) && studio.model.document().object(added));
    QVERIFY(notice->isHidden());
    studio.trigger("remove");
  }
  // Where something of it is there later, the surface is in front of it, which is said.
  studio.trigger("addIsosurface");
  const app::ObjectId surface = studio.newest();
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(surface) == app::ObjectState::Done && studio.shows(studio.cover),
                           kPatienceMs);
  studio.model.document().edit("Of", [&](app::Draft& draft) {
    auto& its = std::get<session::Isosurface>(draft.object(surface).shape);
    its.by = "x";
    its.values = {2.5};
  });
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  QVERIFY2(notice->text().contains("“isosurface”, of which something is there now, is not seen"),
           qPrintable(notice->text()));
  QVERIFY(studio.shows(studio.cover));
  QTest::mouseClick(notice->findChild<QPushButton*>("notice.button"), Qt::LeftButton);
  QVERIFY(!studio.shows(studio.cover) && notice->isHidden());
  studio.trigger("undo");
  studio.window.pipeline().select(surface);
  studio.trigger("remove");
  // For what is seen it is hidden.
  studio.trigger("addSlice");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kPatienceMs);
  QVERIFY(!studio.shows(studio.cover) && !notice->isHidden());
}

void TestSurfaces::whoeverSeesBothHasChosenSo() {
  Covered studio;
  QVERIFY(studio.opened);
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  const auto isHiddenBy = [&](const char* kind) {
    studio.trigger(kind);
    const bool hidden = !studio.shows(studio.cover);
    studio.undo().undo();
    return hidden;
  };
  // What lies on it or around it is seen.
  for (const char* const kind : {"addOutline", "addArrows", "addSurface"}) QVERIFY2(!isHiddenBy(kind), kind);
  const session::Object whole = *studio.model.document().object(studio.cover);
  const auto change = [&](const std::function<void(session::Object&)>& how) {
    session::Object changed = whole;
    how(changed);
    studio.model.document().setObject(studio.cover, changed, "Change");
  };
  change([](session::Object& its) { its.opacity = 0.5; });
  QVERIFY(!isHiddenBy("addSlice"));
  change([](session::Object& its) { std::get<session::GridSurface>(its.shape).range[2] = {0, 0}; });
  QVERIFY(!isHiddenBy("addSlice"));
  change([](session::Object&) {});
  QVERIFY(isHiddenBy("addSlice"));
  QVERIFY(notice->isHidden());
  // Shown again, it stays.
  studio.trigger("addSlice");
  notice->findChild<QPushButton*>("notice.button")->click();
  QVERIFY(!isHiddenBy("addIsosurface"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
}

/// What is said while something else stands above the view waits, and moves nothing.
void TestSurfaces::whatIsSaidFirstIsNotLost() {
  Covered studio;
  QVERIFY(studio.opened);
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  auto* const button = studio.child<QPushButton>("notice.button");
  auto* const count = studio.child<QToolButton>("notice.count");
  int wentOn = 0, removed = 0;
  notice->say(
      "Stopped.", "Go on", [&] { ++wentOn; }, {"Remove them", [&] { ++removed; }}, "store");
  QTRY_VERIFY_WITH_TIMEOUT(button->isVisible(), kPatienceMs);
  QVERIFY(!count->isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);  // the bar has found its room
  const QRect bar = notice->geometry(), place = button->geometry();
  studio.trigger("addSlice");
  QVERIFY(!studio.shows(studio.cover));
  QCOMPARE(notice->text(), QString("Stopped."));
  QVERIFY(count->isVisible());
  QCOMPARE(count->text(), QString("1 of 2"));
  QCoreApplication::sendPostedEvents();
  QCOMPARE(notice->geometry(), bar);
  QCOMPARE(button->geometry(), place);
  // One looks at the other, and comes back.
  count->click();
  QCOMPARE(count->text(), QString("2 of 2"));
  QVERIFY(notice->text().contains("lies around all of the data"));
  count->click();
  QCOMPARE(notice->text(), QString("Stopped."));
  // The same thing once more is said in place of what was said of it.
  notice->say(
      "Stopped again.", "Go on", [&] { ++wentOn; }, {}, "store");
  QCOMPARE(notice->text(), QString("Stopped again."));
  QCOMPARE(count->text(), QString("1 of 2"));
  // The second click of two is not for what comes next.
  QTest::mouseClick(button, Qt::LeftButton);
  const QPoint middle = button->rect().center();
  for (const auto type : {QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease}) {
    QMouseEvent again(type, middle, button->mapToGlobal(middle), Qt::LeftButton,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, {});
    QApplication::sendEvent(button, &again);
  }
  QCOMPARE(wentOn, 1);
  QCOMPARE(removed, 0);
  QVERIFY(!studio.shows(studio.cover));
  QVERIFY(notice->text().contains("lies around all of the data") && !count->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(studio.shows(studio.cover));
  QVERIFY(notice->isHidden());
  // What waits goes when nothing is left of it; and there is an end to how many wait.
  studio.undo().undo();
  studio.undo().undo();
  notice->say("Stopped.", "Go on", [] {});
  studio.undo().redo();
  QCOMPARE(count->text(), QString("1 of 2"));
  studio.undo().undo();
  QVERIFY(studio.shows(studio.cover) && !count->isVisible());
  QCOMPARE(notice->text(), QString("Stopped."));
  for (int n = 0; n < 30; ++n) notice->say(QString::number(n), "Go on", [] {});
  QCOMPARE(notice->text(), QString("Stopped."));
  QCOMPARE(count->text(), QString("1 of 9"));
  for (const char* const next : {"22", "23"}) {
    studio.child<QToolButton>("notice.close")->click();
    QCOMPARE(notice->text(), QString(next));
  }
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestSurfaces test;
  return QTest::qExec(&test, count, words);
}
#include "tst_surfaces.moc"
