// What lies on surfaces in the window: arrows, textures and lines are added to the surface that is there or with one, follow it, are set in
// the panel, seen in the view, and undone in one step; a texture that moves. Needs a display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QStandardPaths>

#include "app/model/object_tree.h"
#include "core/session/json/on_surface.h"
#include "tests/gui/window/support/surface_studio.h"

using namespace farfield;
using namespace farfield::test;

class TestOnSurfaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void arrowsComeWithASlice();
  void theSurfaceThatIsSeenIsTaken();
  void linesAreSeenOnSlices();
  void linesBeginInSightOnHiddenSlices();
  void arrowsOfNoLengthAreSaid();
  void texturesMove();
  void texturesAreEvenAsSeen();
};

void TestOnSurfaces::initTestCase() {
  Surface surface;
  surface.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  if (surface.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestOnSurfaces::arrowsComeWithASlice() {
  Surface surface;
  surface.trigger("addArrows");
  QCOMPARE(surface.objects(), 2u);  // and the slice
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  const std::uint64_t usual = surface.points();
  QVERIFY(usual > 100);
  const QImage before = surface.middle();
  surface.type("spacing", "1.2");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() < usual, kPatienceMs);
  QVERIFY(surface.middle() != before);
  surface.keep("arrows");
  // they follow the slice, in the same step
  app::Document& document = surface.model.document();
  const app::ObjectId slice = document.objectIds().front();
  const std::uint64_t few = surface.points();
  const int steps = document.undoStack().count();
  document.edit("Turn", [&](app::Draft& draft) {
    std::get<session::Slice>(draft.object(slice).shape).normal = {1, 1, 0};  // larger
  });
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() != few, kPatienceMs);
  document.undoStack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() == few, kPatienceMs);
  QCOMPARE(document.undoStack().index(), steps);
  document.undoStack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() == usual, kPatienceMs);
  document.undoStack().undo();
  QCOMPARE(surface.objects(), 0u);
}

/// The surface of what is selected, or else the last one that is seen; a hidden one only where there is no other.
void TestOnSurfaces::theSurfaceThatIsSeenIsTaken() {
  Surface surface;
  app::Document& document = surface.model.document();
  const auto seen = [&](app::ObjectId id, bool visible) {
    document.edit("See", [&](app::Draft& draft) { draft.object(id).visible = visible; });
  };
  const auto under = [&] { return session::surfaceUnder(*document.object(surface.newest()))->name; };
  surface.trigger("addSlice");
  const app::ObjectId slice = surface.newest();
  const std::string name = document.object(slice)->name;
  surface.trigger("addIsosurface");
  const app::ObjectId isosurface = surface.newest();
  const std::string other = document.object(isosurface)->name;
  seen(isosurface, false);
  surface.window.pipeline().select(slice);
  surface.trigger("addIsolines");
  QCOMPARE(under(), name);
  // They are selected, and lie on the slice.
  const app::ObjectId isolines = surface.newest();
  for (const char* const action : {"addArrows", "addIsolines", "addLic"}) {
    surface.window.pipeline().select(isolines);
    surface.trigger(action);
    QCOMPARE(under(), name);
    surface.window.pipeline().selectData(surface.session().data.front().name);
    surface.trigger(action);
    QCOMPARE(under(), name);
  }
  // Chosen by hand it is taken hidden as well.
  surface.window.pipeline().select(isosurface);
  surface.trigger("addArrows");
  QCOMPARE(under(), other);
  // None is seen: the last one.
  seen(slice, false);
  surface.window.pipeline().selectData(surface.session().data.front().name);
  surface.trigger("addArrows");
  QCOMPARE(under(), other);
}

/// As on a wall without slip: else somebody looks for arrows that are there and have no length.
void TestOnSurfaces::arrowsOfNoLengthAreSaid() {
  Surface surface;
  surface.trigger("addArrows");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  const auto said = [&] { return app::stateText(surface.model.stage().status(surface.newest())); };
  QVERIFY2(said().isEmpty(), qPrintable(said()));
  session::Object still = *surface.model.document().object(surface.newest());
  std::get<session::Arrows>(still.shape).vector = {"0*velocity-x", "0*velocity-y", "0*velocity-z"};
  surface.model.document().setObject(surface.newest(), still, "Still");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && said().contains("the vector is 0 everywhere"), kPatienceMs);
  QVERIFY2(said().contains("wall-shear-stress"), qPrintable(said()));
}

void TestOnSurfaces::texturesMove() {
  Surface surface;
  surface.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  const QImage plain = surface.middle();
  const session::Coloring colors = surface.model.document().object(surface.newest())->color;
  surface.trigger("addLic");
  QCOMPARE(surface.objects(), 2u);
  QVERIFY(!colors.by.empty() && surface.model.document().object(surface.newest())->color == colors);
  surface.type("resolution", "200");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  // in front of its surface, which is at the same place
  const QImage still = surface.middle();
  QVERIFY(still != plain);
  QCOMPARE(surface.middle(), still);
  surface.keep("texture");
  surface.child<QCheckBox>("animated")->click();
  QVERIFY(std::get<session::Lic>(surface.model.document().object(surface.newest())->shape).animated);
  const QImage moving = surface.middle();
  QTRY_VERIFY_WITH_TIMEOUT(surface.middle() != moving, kPatienceMs);
  // nothing is computed for it
  QCOMPARE(surface.stateOf(surface.newest()), app::ObjectState::Done);
  surface.child<QCheckBox>("animated")->click();
  QTRY_COMPARE_WITH_TIMEOUT(surface.middle(), still, kPatienceMs);
}

/// As arrows are: in the view to which they are added, until somebody takes that back.
void TestOnSurfaces::texturesAreEvenAsSeen() {
  Surface surface;
  app::Document& document = surface.model.document();
  const Vec3 stretch{1, 1, 8};
  document.edit("Stretch",
                [&](app::Draft& draft) { draft.frame().camera = session::AutoCamera{.stretch = stretch}; });
  surface.trigger("addLic");
  const auto its = [&] { return std::get<session::Lic>(document.object(surface.newest())->shape).stretch; };
  QVERIFY(its() == stretch);
  surface.type("resolution", "200");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  const std::uint64_t even = surface.points();
  auto* const asSeen = surface.child<QCheckBox>("stretch");
  QVERIFY(asSeen && asSeen->isChecked());
  asSeen->click();
  QVERIFY(its() == scene::kUnstretched);
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && surface.points() != even, kPatienceMs);
  document.undoStack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(its() == stretch && surface.isDone() && surface.points() == even, kPatienceMs);
}

/// Light on what is dark, dark on what is light, also once that changes; a colour that was chosen stays.
void TestOnSurfaces::linesAreSeenOnSlices() {
  Surface surface;
  app::Document& document = surface.model.document();
  const auto color = [&](app::ObjectId id) { return document.object(id)->color.solid; };
  const scene::Rgba light{1, 1, 1, 1}, dark = session::Coloring{}.solid, chosen{1, 0, 0, 1};
  surface.trigger("addSlice");
  const app::ObjectId slice = surface.newest();
  const auto setMap = [&](const char* name) {
    document.edit("Map", [&](app::Draft& draft) { draft.object(slice).color.map = scene::MapChoice(name); });
  };
  setMap("viridis");
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone(), kPatienceMs);
  surface.window.viewport().setHandles({});
  const auto whites = [&] {
    const QImage image = surface.middle();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += qGray(image.pixel(x, y)) > 240;
    return count;
  };
  const int before = whites();
  std::vector<app::ObjectId> lines;
  for (const char* const action : {"addIsolines", "addArrows", "addIsolines"}) {
    surface.window.pipeline().select(slice);
    surface.trigger(action);
    lines.push_back(surface.newest());
    QCOMPARE(color(lines.back()), light);
  }
  QTRY_VERIFY_WITH_TIMEOUT(surface.isDone() && whites() > before + 300, kPatienceMs);
  surface.keep("lines-on-dark");
  document.edit("Colour", [&](app::Draft& draft) { draft.object(lines[2]).color.solid = chosen; });
  setMap("cool-warm");
  QCOMPARE(color(lines[0]), dark);
  QCOMPARE(color(lines[1]), dark);
  QCOMPARE(color(lines[2]), chosen);
  surface.trigger("undo");
  QCOMPARE(color(lines[0]), light);
  // Before the background where the surface is hidden.
  document.edit("Hide", [&](app::Draft& draft) { draft.object(slice).visible = false; });
  QCOMPARE(color(lines[0]), dark);
  document.edit("Night", [&](app::Draft& draft) { draft.frame().image.background = {0, 0, 0, 1}; });
  QCOMPARE(color(lines[0]), light);
  QCOMPARE(color(lines[2]), chosen);
  surface.trigger("undo");
  surface.trigger("undo");
  QCOMPARE(color(lines[0]), light);
  // Also where it is gone, and there they go on following it.
  surface.window.pipeline().select(slice);
  surface.trigger("remove");
  QVERIFY(!document.object(slice));
  QCOMPARE(color(lines[0]), dark);
  QCOMPARE(color(lines[1]), dark);
  document.edit("Night", [&](app::Draft& draft) { draft.frame().image.background = {0, 0, 0, 1}; });
  QCOMPARE(color(lines[0]), light);
  QCOMPARE(color(lines[2]), chosen);
}

/// Not white on white until the surface is shown and hidden again: what is below them at first is the background.
void TestOnSurfaces::linesBeginInSightOnHiddenSlices() {
  Surface surface;
  app::Document& document = surface.model.document();
  const auto color = [&](app::ObjectId id) { return document.object(id)->color.solid; };
  const scene::Rgba light{1, 1, 1, 1}, dark = session::Coloring{}.solid;
  surface.trigger("addOutline");
  const app::ObjectId outline = surface.newest();
  surface.trigger("addSlice");
  const app::ObjectId slice = surface.newest();
  const auto see = [&](bool seen) {
    document.edit("See", [&](app::Draft& draft) {
      draft.object(slice).color.map = scene::MapChoice("viridis");
      draft.object(slice).visible = seen;
    });
  };
  for (const char* const action : {"addIsolines", "addArrows"})
    for (const app::ObjectId selected : {slice, outline}) {
      see(false);
      document.edit("Day", [&](app::Draft& draft) { draft.frame().image.background = {1, 1, 1, 1}; });
      surface.window.pipeline().select(selected);
      QTRY_VERIFY_WITH_TIMEOUT(surface.viewRests(), kPatienceMs);
      surface.window.viewport().setHandles({});
      const QImage before = surface.middle();
      surface.trigger(action);
      const app::ObjectId lines = surface.newest();
      QVERIFY2(color(lines) == dark, action);
      surface.window.viewport().setHandles({});
      const auto darker = [&] {
        const QImage now = surface.middle();
        int count = 0;
        for (int y = 0; y < now.height(); ++y)
          for (int x = 0; x < now.width(); ++x)
            count += qGray(now.pixel(x, y)) < qGray(before.pixel(x, y)) - 60;
        return count;
      };
      QTRY_VERIFY2_WITH_TIMEOUT(surface.isDone() && darker() > 200, action, kPatienceMs);
      see(true);
      QVERIFY2(color(lines) == light, action);
      document.edit("Remove", [&](app::Draft& draft) { draft.remove(lines); });
      // Of a dark picture they are light.
      see(false);
      document.edit("Night", [&](app::Draft& draft) { draft.frame().image.background = {0, 0, 0, 1}; });
      surface.window.pipeline().select(selected);
      surface.trigger(action);
      QVERIFY2(color(surface.newest()) == light, action);
      document.edit("Remove", [&](app::Draft& draft) { draft.remove(surface.newest()); });
    }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestOnSurfaces test;
  return QTest::qExec(&test, count, words);
}
#include "tst_on_surfaces.moc"
