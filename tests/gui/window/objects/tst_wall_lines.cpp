// Lines on walls in the window: which walls are offered, what lines there follow, how large they begin, and what is said where nothing
// flows. Needs a display with OpenGL; skips where there is none.

#include <QComboBox>
#include <QLabel>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/first/first_objects.h"
#include "app/model/document/line_shapes.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/object_tree.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/widgets/message_list.h"
#include "tests/gui/window/support/surface_studio.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A block whose velocity grows from 0 at its first sheet, which is called a wall or not.
std::filesystem::path writeBoundaryLayer(const std::filesystem::path& at, bool namesWall) {
  std::vector<Plot3dBlock> blocks(1);
  Plot3dBlock& block = blocks.front();
  block.dims = {17, 13, 9};
  const auto nodes = static_cast<std::size_t>(product(block.dims));
  for (int c = 0; c < 3; ++c)
    for (std::size_t n = 0; n < nodes; ++n)
      block.xyz.push_back(double(unlinear(static_cast<std::int64_t>(n), block.dims)[c]));
  for (int variable = 0; variable < 5; ++variable)
    for (std::size_t n = 0; n < nodes; ++n) {
      const Index3 node = unlinear(static_cast<std::int64_t>(n), block.dims);
      const double momentum = variable == 1 ? 0.1 * double(node[2]) : 0;
      block.q.push_back(variable == 0 ? 1 : variable == 4 ? 3 + 0.1 * double(node[0]) : momentum);
    }
  for (std::size_t n = 0; n < nodes; ++n)
    block.iblank.push_back(namesWall && unlinear(static_cast<std::int64_t>(n), block.dims)[2] == 0 ? 2 : 1);
  writePlot3d(at / "g.xyz", at / "g.q", blocks);
  // Shear needs a Reynolds number: the third of the four numbers behind the blocks and their nodes.
  std::fstream file(at / "g.q", std::ios::in | std::ios::out | std::ios::binary);
  const float reynolds = 100;
  file.seekp(4 + 3 * 4 + 2 * 4);
  file.write(reinterpret_cast<const char*>(&reynolds), sizeof reynolds);
  return at / "g.xyz";
}

}  // namespace

class TestWallLines : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void linesAreSeenOnWalls();
  void linesComeWithAWall();
  void linesOnAWallFollowWhatIsBehindThem();
  void linesKnowTheSizeBeforeTheyBegin();
  void whatLiesOnAWallBeginsWithWhatIsThere();
  void wallsThatNobodyCallsSo();
  void linesInsideOfTheFlow();
  void theCursorReadsWalls();
  void plotsSayWhereWallFunctionsHaveValues();
  void aFlowAtRestIsSaid();
};

void TestWallLines::initTestCase() {
  Surface surface;
  surface.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  if (surface.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// Near black they would not be on the low end of the usual map, in which most of a wall is.
void TestWallLines::linesAreSeenOnWalls() {
  Surface surface;
  app::Document& document = surface.model.document();
  const auto color = [&] { return document.object(surface.newest())->color.solid; };
  surface.trigger("addSurface");
  const app::ObjectId wall = surface.newest();
  QVERIFY(!document.object(wall)->color.by.empty());
  for (const char* const action : {"addIsolines", "addArrows"}) {
    surface.window.pipeline().select(wall);
    surface.trigger(action);
    QCOMPARE(surface.objects(), action == std::string("addIsolines") ? 2u : 3u);
    QVERIFY(color() == (scene::Rgba{1, 1, 1, 1}));
  }
  // On an isosurface they are of what colours it: what it is of is the same all over.
  surface.trigger("addIsosurface");
  const app::ObjectId isosurface = surface.newest();
  document.edit("Colour", [&](app::Draft& draft) {
    std::get<session::Isosurface>(draft.object(isosurface).shape).by = "velocity-magnitude";
    draft.object(isosurface).color.by = "velocity-x";
  });
  surface.window.pipeline().select(isosurface);
  surface.trigger("addIsolines");
  QCOMPARE(std::get<session::Isolines>(document.object(surface.newest())->shape).by,
           std::string("velocity-x"));
  // Of one colour a wall is light.
  document.edit("Colour", [&](app::Draft& draft) {
    draft.object(wall).color.by.clear();
    draft.object(wall).color.solid = app::kSurfaceColor;
  });
  surface.window.pipeline().select(wall);
  surface.trigger("addIsolines");
  QVERIFY(color() == session::Coloring{}.solid);
}

void TestWallLines::linesComeWithAWall() {
  Surface surface("sample://cylinder?size=33,17,9");
  surface.trigger("addSurfaceLines");
  QCOMPARE(surface.objects(), 2u);
  QVERIFY(std::holds_alternative<session::GridSurface>(surface.session().objects.front().shape));
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  const std::uint64_t all = surface.points();
  QVERIFY(all > 0);
  // They stand out from the colours of the wall.
  QVERIFY(!surface.session().objects.front().color.by.empty());
  QVERIFY(surface.session().objects.back().color.by.empty());
  QVERIFY(surface.session().objects.back().color.solid == app::kOnColorsColor);
  surface.type("count", "50");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() < all, kPatienceMs);
  surface.keep("surface-lines");
  // On a wall that is a small part of the data they are as close as it takes to see them there.
  const auto spacing = [&] {
    return std::get<session::SurfaceLines>(surface.model.document().object(surface.newest())->shape)
        .spacing.value_or(0);
  };
  const double ofData = spacing();
  const app::ObjectId wall = surface.model.document().objectIds().front();
  surface.model.document().edit("Wall", [&](app::Draft& draft) {
    draft.object(wall).shape = session::GridSurface{{}, {{{0, -1}, {0, 0}, {0, -1}}}, {}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(surface.rests() && surface.isDone(), kPatienceMs);
  surface.window.pipeline().select(wall);
  surface.trigger("addSurfaceLines");
  QVERIFY2(spacing() > 0 && spacing() < 0.5 * ofData, qPrintable(QString::number(spacing())));
  // a plane has none; arrows go on it
  surface.trigger("addSlice");
  surface.trigger("addSurfaceLines");
  const auto& lines =
      std::get<session::SurfaceLines>(surface.model.document().object(surface.newest())->shape);
  QVERIFY(std::holds_alternative<session::GridSurface>(lines.on.shape));
}

/// As isolines and arrows do: white ones would not be seen on white once their surface is hidden, or gone.
void TestWallLines::linesOnAWallFollowWhatIsBehindThem() {
  Surface surface("sample://cylinder?size=33,17,9");
  app::Document& document = surface.model.document();
  const scene::Rgba light{1, 1, 1, 1}, dark = session::Coloring{}.solid, chosen{1, 0, 0, 1};
  document.edit("Day", [&](app::Draft& draft) { draft.frame().image.background = {1, 1, 1, 1}; });
  surface.trigger("addSurface");
  const app::ObjectId wall = surface.newest();
  QVERIFY(!document.object(wall)->color.by.empty());
  const auto setMap = [&](const char* name) {
    document.edit("Map", [&](app::Draft& draft) { draft.object(wall).color.map = scene::MapChoice(name); });
  };
  setMap("viridis");
  surface.window.pipeline().select(wall);
  surface.trigger("addSurfaceLines");
  const app::ObjectId lines = surface.newest();
  const auto color = [&] { return document.object(lines)->color.solid; };
  QCOMPARE(color(), light);
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() > 0, kPatienceMs);
  setMap("cool-warm");
  QCOMPARE(color(), dark);
  surface.trigger("undo");
  QCOMPARE(color(), light);
  document.edit("Hide", [&](app::Draft& draft) { draft.object(wall).visible = false; });
  QCOMPARE(color(), dark);
  // They are seen there.
  surface.window.viewport().setHandles({});
  const auto darks = [&] {
    const QImage image = surface.middle();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += qGray(image.pixel(x, y)) < 160;
    return count;
  };
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && darks() > 100, kPatienceMs);
  document.edit("Night", [&](app::Draft& draft) { draft.frame().image.background = {0, 0, 0, 1}; });
  QCOMPARE(color(), light);
  surface.trigger("undo");
  surface.trigger("undo");
  QCOMPARE(color(), light);
  surface.window.pipeline().select(wall);
  surface.trigger("remove");
  QVERIFY(!document.object(wall));
  QCOMPARE(color(), dark);
  surface.trigger("undo");
  QCOMPARE(color(), light);
  // What somebody has chosen stays.
  document.edit("Colour", [&](app::Draft& draft) { draft.object(lines).color.solid = chosen; });
  document.edit("Hide", [&](app::Draft& draft) { draft.object(wall).visible = false; });
  QCOMPARE(color(), chosen);
}

/// Of a surface that is not there yet, either: following lines takes long, and would be done twice.
void TestWallLines::linesKnowTheSizeBeforeTheyBegin() {
  Surface surface("sample://cylinder?size=33,17,9");
  app::Document& document = surface.model.document();
  const std::string data = surface.session().data.front().name;
  const auto summary = surface.model.stage().summary(data);
  std::vector<double> begun;
  QObject::connect(&surface.model.engine(), &app::Engine::started, &surface.window, [&](app::ObjectId id) {
    if (const auto* const its = std::get_if<session::SurfaceLines>(&document.object(id)->shape))
      begun.push_back(its->spacing.value_or(0));
  });
  session::Object wall = app::newObject(session::kTypeOf<session::GridSurface>, *summary, data);
  wall.shape = session::GridSurface{{}, {{{0, -1}, {0, 0}, {0, -1}}}, {}};
  surface.window.pipeline().select(document.addObject(wall));
  surface.trigger("addSurfaceLines");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  QVERIFY(surface.points() > 0);
  QCOMPARE(begun.size(), std::size_t{1});
  QVERIFY(begun.front() > 0 && begun.front() < 0.5 * app::lineSpacingFor(summary->bounds));
  // They came in one step.
  surface.trigger("undo");
  QCOMPARE(surface.objects(), 1u);
  // One that is hidden meanwhile, or goes, is waited for no longer.
  surface.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  wall.name = "other";
  const app::ObjectId other = document.addObject(wall);
  surface.window.pipeline().select(other);
  surface.trigger("addSurfaceLines");
  document.edit("Hide", [&](app::Draft& draft) { draft.object(other).visible = false; });
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
}

/// Where a wall is, nothing moves: isolines begin with what colours it, arrows and textures with its shear, as lines on a wall do.
void TestWallLines::whatLiesOnAWallBeginsWithWhatIsThere() {
  const QTemporaryDir folder;
  Surface surface(writeBoundaryLayer(folder.path().toStdString(), true).c_str());
  app::Document& document = surface.model.document();
  const auto said = [&] { return app::stateText(surface.model.stage().status(surface.newest())); };
  surface.trigger("addSurface");
  const app::ObjectId wall = surface.newest();
  QCOMPARE(std::get<session::GridSurface>(document.object(wall)->shape).surface, std::string("wall"));
  QCOMPARE(document.object(wall)->color.by, std::string("pressure"));
  surface.trigger("addIsolines");
  QCOMPARE(std::get<session::Isolines>(document.object(surface.newest())->shape).by, std::string("pressure"));
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() > 0, kPatienceMs);
  QVERIFY2(said().isEmpty(), qPrintable(said()));
  for (const char* const action : {"addArrows", "addLic"}) {
    surface.window.pipeline().select(wall);
    surface.trigger(action);
    QCOMPARE(*app::vectorIn(*document.object(surface.newest())),
             std::vector<std::string>{"wall-shear-stress"});
    QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() > 0, kPatienceMs);
    QVERIFY2(said().isEmpty(), qPrintable(said()));
  }
  QCOMPARE(document.object(surface.newest())->color.by, std::string("pressure"));
  // Who chooses what is 0 there is told what to do.
  surface.window.pipeline().select(wall);
  surface.trigger("addIsolines");
  document.edit("Of", [&](app::Draft& draft) {
    std::get<session::Isolines>(draft.object(surface.newest()).shape).by = "velocity-magnitude";
  });
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && said().contains("another function"), kPatienceMs);
}

/// Whether a face is a wall is seen once something was computed on it: what shows nothing there gives way, in the same step.
void TestWallLines::wallsThatNobodyCallsSo() {
  const QTemporaryDir folder;
  Surface surface(writeBoundaryLayer(folder.path().toStdString(), false).c_str());
  app::Document& document = surface.model.document();
  const auto vector = [&] { return *app::vectorIn(*document.object(surface.newest())); };
  const auto said = [&] { return app::stateText(surface.model.stage().status(surface.newest())); };
  const std::vector<std::string> shear{"wall-shear-stress"}, velocity{"velocity"};
  // Nothing is said of what it does not stay.
  const auto* const messages = surface.window.findChild<ui::MessageList*>();
  const auto* const note = surface.child<QLabel>("properties.note");
  QStringList notes;
  connect(&surface.model.stage(), &app::Stage::statusChanged, this,
          [&] { notes.append(note->isHidden() ? QString() : note->text()); });
  const auto saysOf = [&](const char* what) {
    return (notes.join('\n') + messages->allText()).contains(what);
  };
  surface.trigger("addSurface");
  const app::ObjectId face = surface.newest();
  QVERIFY(std::get<session::GridSurface>(document.object(face)->shape).surface.empty());
  for (const char* const action : {"addArrows", "addLic", "addSurfaceLines"}) {
    surface.window.pipeline().select(face);
    const int steps = document.undoStack().index();
    surface.trigger(action);
    QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && vector() == shear && surface.points() > 0, kPatienceMs);
    QVERIFY2(said().isEmpty(), qPrintable(said()));
    QVERIFY2(!saysOf("vector is 0"), qPrintable(notes.join('\n') + messages->allText()));
    if (action == std::string("addLic"))
      QCOMPARE(document.object(surface.newest())->color.by, document.object(face)->color.by);
    QCOMPARE(document.undoStack().index(), steps + 1);
    surface.trigger("undo");
    QCOMPARE(surface.newest(), face);
    surface.trigger("redo");
    QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && vector() == shear, kPatienceMs);
    surface.trigger("undo");
  }
  // At the other end of the block the velocity is seen, and stays; so does what somebody has chosen.
  document.edit("Face", [&](app::Draft& draft) {
    std::get<session::GridSurface>(draft.object(face).shape).range[2] = {-1, -1};
  });
  surface.window.pipeline().select(face);
  surface.trigger("addArrows");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() > 0, kPatienceMs);
  QCOMPARE(vector(), velocity);
  document.edit("Back", [&](app::Draft& draft) {
    std::get<session::GridSurface>(draft.object(face).shape).range[2] = {0, 0};
  });
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && said().contains("the vector is 0 everywhere"), kPatienceMs);
  QCOMPARE(vector(), velocity);
  // Of what somebody has left so it is said.
  QVERIFY(saysOf("the vector is 0 everywhere"));
}

/// Where shear has no values, lines follow the velocity; who asks for it is told why there are none.
void TestWallLines::linesInsideOfTheFlow() {
  const QTemporaryDir folder;
  Surface surface(writeBoundaryLayer(folder.path().toStdString(), true).c_str());
  app::Document& document = surface.model.document();
  const auto said = [&] { return app::stateText(surface.model.stage().status(surface.newest())); };
  surface.trigger("addSurface");
  const app::ObjectId sheet = surface.newest();
  document.edit("Inside", [&](app::Draft& draft) {
    session::GridSurface inside;
    inside.range[2] = {4, 4};
    draft.object(sheet).shape = inside;
  });
  surface.trigger("addSurfaceLines");
  QCOMPARE(*app::vectorIn(*document.object(surface.newest())), std::vector<std::string>{"velocity"});
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() > 0, kPatienceMs);
  QVERIFY2(said().isEmpty(), qPrintable(said()));
  document.edit("Vector", [&](app::Draft& draft) {
    *app::vectorIn(draft.object(surface.newest())) = {"wall-shear-stress"};
  });
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && said().startsWith("No line is seen"), kPatienceMs);
  QVERIFY2(said().contains("Choose another vector"), qPrintable(said()));
}

/// What has values on walls alone is read where the cursor is on one, as it is drawn there, and nowhere else.
void TestWallLines::theCursorReadsWalls() {
  const QTemporaryDir folder;
  Surface surface(writeBoundaryLayer(folder.path().toStdString(), true).c_str());
  app::Document& document = surface.model.document();
  surface.trigger("addSurface");
  const app::ObjectId wall = surface.newest();
  const QString shear = "wall-shear-stress-magnitude";
  document.edit("Colour", [&](app::Draft& draft) { draft.object(wall).color.by = shear.toStdString(); });
  QTRY_VERIFY_WITH_TIMEOUT(
      surface.isDone() && surface.model.stage().status(wall).scale.title == shear.toStdString(), kPatienceMs);
  const scene::ColorScale drawn = surface.model.stage().status(wall).scale;
  QString said;
  int answers = 0;
  connect(surface.window.findChild<ui::ViewController*>(), &ui::ViewController::probed, this,
          [&](const QString& text) { said = text, ++answers; });
  const auto pointAt = [&](Vec3 place, app::ObjectId id) {
    answers = 0;
    emit surface.window.viewport().pointedAt(place, ui::ViewController::idText(id));
    return QTest::qWaitFor([&] { return answers > 0; }, kPatienceMs);
  };
  // In the middle of a patch, at its border and at the edge of the wall; the last is what a flat picture may be beside it.
  for (const Vec3 place : {Vec3{8.3, 6.2, 0}, Vec3{16, 3.5, 0}, Vec3{0, 0, 0}, Vec3{5.5, 5.5, 1e-3}}) {
    QVERIFY(pointAt(place, wall));
    const qsizetype at = said.indexOf(shear + ' ');
    QVERIFY2(at >= 0, qPrintable(said));
    const double value = said.mid(at + shear.size() + 1).section(' ', 0, 0).toDouble();
    QVERIFY2(value > 0 && std::abs(value - drawn.min) <= 1e-5 * value, qPrintable(said));
  }
  surface.trigger("addSlice");
  const app::ObjectId slice = surface.newest();
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  QVERIFY(pointAt({8.3, 6.2, 4}, slice));
  QVERIFY2(said.contains("cell (8, 6, 3)") && !said.contains("wall"), qPrintable(said));
}

/// A line through the flow and a point in it have none of them: where they are is said.
void TestWallLines::plotsSayWhereWallFunctionsHaveValues() {
  const QTemporaryDir folder;
  Surface surface(writeBoundaryLayer(folder.path().toStdString(), true).c_str());
  for (const char* const command : {"plotLine", "plotTime"}) {
    surface.trigger(command);
    const auto* const curve = surface.child<ui::CurveView>("plot.curve");
    QTRY_VERIFY_WITH_TIMEOUT(!curve->curve().values.empty() || curve->text().contains("one step only"),
                             kPatienceMs);
    auto* const by = surface.child<QComboBox>("plot.by");
    by->lineEdit()->setFocus();
    by->lineEdit()->selectAll();
    QTest::keyClicks(by->lineEdit(), "wall-shear-stress-magnitude");
    QTest::keyClick(by->lineEdit(), Qt::Key_Return);
    QTRY_VERIFY2_WITH_TIMEOUT(
        curve->text().startsWith("“wall-shear-stress-magnitude” has values on walls only. "
                                 "Plot it along the lines of an object on a wall"),
        qPrintable(curve->text()), kPatienceMs);
  }
}

/// As simulations begin: there is no wall to speak of, and no other vector that is more likely to be seen.
void TestWallLines::aFlowAtRestIsSaid() {
  Studio studio;
  std::vector<Plot3dBlock> blocks(1);
  Plot3dBlock& block = blocks.front();
  block.dims = {9, 8, 7};
  const auto nodes = static_cast<std::size_t>(product(block.dims));
  for (int c = 0; c < 3; ++c)
    for (std::size_t n = 0; n < nodes; ++n)
      block.xyz.push_back(double(unlinear(static_cast<std::int64_t>(n), block.dims)[c]));
  int step = 0;
  for (const double momentum : {0.0, 0.0, 0.5}) {
    block.q.clear();
    for (const double value : {1.0, momentum, 0.0, 0.0, 3.0}) block.q.insert(block.q.end(), nodes, value);
    writePlot3d(studio.folder / "g.xyz", studio.folder / ("g_" + std::to_string(step++) + ".q"), blocks);
  }
  studio.model.openData({{studio.at("g.xyz"), {studio.at("g_0.q"), studio.at("g_1.q"), studio.at("g_2.q")}}});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QCOMPARE(studio.model.stage().steps(), std::int64_t{3});
  auto* const note = studio.child<QLabel>("properties.note");
  const auto isDone = [&] {
    return studio.rests() && studio.stateOf(studio.newest()) == app::ObjectState::Done;
  };
  for (const char* const action : {"addStreamlines", "addArrows", "addLic", "addSurfaceLines"}) {
    studio.model.stage().setStep(0);
    studio.trigger(action);
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    const app::ObjectId id = studio.newest();
    if (std::holds_alternative<session::SurfaceLines>(studio.model.document().object(id)->shape)) {
      studio.model.document().edit(
          "Follow", [&](app::Draft& draft) { *app::vectorIn(draft.object(id)) = {"velocity"}; });
      QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    }
    QTRY_VERIFY2_WITH_TIMEOUT(
        note->isVisible() && note->text().startsWith("The flow is at rest at this step"),
        qPrintable(QString(action) + ": " + note->text()), kPatienceMs);
    QVERIFY2(!note->text().contains("wall"), qPrintable(note->text()));
    QVERIFY(app::isNote(studio.model.stage().status(id)));
    QCOMPARE(*app::vectorIn(*studio.model.document().object(id)), std::vector<std::string>{"velocity"});
    // It may go on so for a while.
    studio.model.stage().setStep(1);
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(note->isVisible() && note->text().startsWith("Nothing moves here"),
                              qPrintable(QString(action) + ": " + note->text()), kPatienceMs);
    QVERIFY(app::isNote(studio.model.stage().status(id)));
    studio.model.stage().setStep(2);
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(!note->text().contains("at rest"), qPrintable(note->text()), kPatienceMs);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestWallLines test;
  return QTest::qExec(&test, count, words);
}
#include "tst_wall_lines.moc"
