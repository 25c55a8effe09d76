// Streamlines in the window as tubes, ribbons and arrows, of one radius or by a function, evenly spaced, and with dashes that move:
// set in the panel, seen in the view. Needs a display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStandardPaths>
#include <fstream>

#include "app/model/document/view_layout.h"
#include "app/ui/view/view_group.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Lines : Studio {
  explicit Lines(const std::string& source = "sample://taylor-green?size=17") {
    model.open({QString::fromStdString(source)});
    if (!QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs)) return;
    model.document().edit("Remove", [&](app::Draft& draft) {
      for (const app::ObjectId id : model.document().objectIds()) draft.remove(id);
    });
    trigger("addStreamlines");
  }
  session::Streamlines shape() {
    return std::get<session::Streamlines>(model.document().object(newest())->shape);
  }
  bool isDone() { return stateOf(newest()) == app::ObjectState::Done; }
  void choose(const char* field, const QString& value) {
    auto* const list = child<QComboBox>(field);
    list->setCurrentIndex(list->findData(value));
    emit list->activated(list->currentIndex());
  }
  void type(const char* field, const QString& text) {
    auto* const edit = child<QLineEdit>(field);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
  }
  int coloured() {
    const QSize view = window.viewport().size();
    return colouredPixels(
        picture(), QRect(view.width() / 8, view.height() / 8, view.width() / 2, 3 * view.height() / 4));
  }
  void keep(const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(
          window.grab().toImage().convertToFormat(QImage::Format_RGB32).save(where + "/" + name + ".png"));
  }
};

}  // namespace

class TestLineLooks : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void formsAndRadii();
  void ribbonsTurn();
  void evenlySpaced();
  void dashesMove();
  void dashesKeepNoOtherViewCoarse();
  void whatDashesKeepCoarseIsSaid();
  void dashesThatAreNotSeenMoveNothing();
  void particlesMove();
};

void TestLineLooks::initTestCase() {
  Lines lines;
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone(), kPatienceMs);
  if (lines.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestLineLooks::formsAndRadii() {
  Lines lines;
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests(), kPatienceMs);
  const int thin = lines.coloured();
  QVERIFY(lines.child<QWidget>("width") && !lines.child<QWidget>("radius"));

  lines.choose("as", "tubes");
  QVERIFY(lines.shape().form == session::LineForm::Tubes);
  QTRY_VERIFY_WITH_TIMEOUT(lines.child<QLineEdit>("radius"), kPatienceMs);
  QVERIFY(!lines.child<QWidget>("width"));
  // As they come they are wider than the lines were.
  QVERIFY(lines.shape().radius.constant && lines.shape().radius.constant != 0.15);
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests() && lines.coloured() > 1.5 * thin, kPatienceMs);
  lines.type("radius", "0.15");
  QCOMPARE(lines.shape().radius.constant, std::optional(0.15));
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests() && lines.coloured() > 2 * thin, kPatienceMs);
  lines.keep("tubes");

  // By a function, with radii that suit the data.
  lines.choose("radius.by", "pressure");
  QCOMPARE(lines.shape().radius.by, "pressure");
  QVERIFY(lines.shape().radius.range[0] > 0 && lines.shape().radius.range[1] > lines.shape().radius.range[0]);
  QTRY_VERIFY_WITH_TIMEOUT(lines.child<QLineEdit>("radius.range.1"), kPatienceMs);
  lines.type("radius.range.1", "0.2");
  QCOMPARE(lines.shape().radius.range[1], 0.2);
  for (const char* const form : {"ribbons", "arrows"}) {
    lines.choose("as", form);
    QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests() && lines.coloured() > thin, kPatienceMs);
    lines.keep(form);
  }
  QVERIFY(lines.shape().form == session::LineForm::Arrows);
}

/// In a flow that goes round its own lines; how far is a look, which is seen at once, and can be undone.
void TestLineLooks::ribbonsTurn() {
  Lines lines("sample://abc?size=17");
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests(), kPatienceMs);
  QVERIFY(!lines.child<QWidget>("twist"));
  lines.choose("as", "ribbons");
  QTRY_VERIFY_WITH_TIMEOUT(lines.child<QLineEdit>("twist"), kPatienceMs);
  QCOMPARE(lines.child<QLineEdit>("twist")->text(), "1");
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests() && lines.coloured() > 0, kPatienceMs);
  const QImage turning = lines.picture();
  lines.keep("ribbons_turning");
  lines.type("twist", "0");
  QCOMPARE(lines.shape().twist, 0.0);
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests() && lines.picture() != turning, kPatienceMs);
  lines.keep("ribbons_carried");
  const QImage carried = lines.picture();
  lines.trigger("undo");
  QCOMPARE(lines.shape().twist, 1.0);
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests() && lines.picture() != carried, kPatienceMs);
  lines.choose("as", "lines");
  QTRY_VERIFY_WITH_TIMEOUT(!lines.child<QWidget>("twist"), kPatienceMs);
}

void TestLineLooks::evenlySpaced() {
  Lines lines;
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone(), kPatienceMs);
  const auto before = lines.model.stage().status(lines.newest()).stats.count;
  lines.type("spacing", "0.8");
  QCOMPARE(lines.shape().spacing, std::optional(0.8));
  QTRY_VERIFY_WITH_TIMEOUT(
      lines.isDone() && lines.model.stage().status(lines.newest()).stats.count * 3 < before * 2, kPatienceMs);
  lines.keep("spaced");
}

void TestLineLooks::dashesMove() {
  Lines lines;
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests(), kPatienceMs);
  auto* const dashed = lines.child<QCheckBox>("dashed");
  QVERIFY(dashed && !dashed->isChecked());
  dashed->click();
  QVERIFY(lines.shape().dashes == std::optional(session::Streamlines::kBySpeed));
  // Pictures come by themselves, and none is like the one before.
  const QImage one = lines.picture();
  QTRY_VERIFY_WITH_TIMEOUT(lines.picture() != one, kPatienceMs);
  QVERIFY(!lines.viewRests());
  lines.keep("dashes");
  QTRY_VERIFY_WITH_TIMEOUT(lines.child<QLineEdit>("dashes"), kPatienceMs);
  lines.type("dashes", "0.4");
  QVERIFY(lines.shape().dashes == std::optional(0.4));
  lines.child<QCheckBox>("dashed")->click();
  QVERIFY(!lines.shape().dashes);
  QTRY_VERIFY_WITH_TIMEOUT(lines.viewRests(), kPatienceMs);
}

/// A view in which nothing moves becomes sharp beside one with moving dashes.
void TestLineLooks::dashesKeepNoOtherViewCoarse() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=33,33,17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  studio.trigger("addSlice");
  studio.trigger("twoViews");
  app::showIn(studio.model.document(), 1, studio.model.document().object(lines)->name, false);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  qt3d::Viewport& other = studio.window.views().view(1);
  other.setHandles({});
  const auto shown = [&] { return other.grab().toImage(); };
  // What it shows once it is as sharp as it becomes, which does not change any more.
  QImage sharp;
  for (int same = 0, tries = 0; same < 8 && tries < 300; ++tries) {
    QTest::qWait(200);
    const QImage now = shown();
    same = now == sharp ? same + 1 : 0;
    sharp = now;
  }
  studio.model.document().edit("Dashes", [&](app::Draft& draft) {
    std::get<session::Streamlines>(draft.object(lines).shape).dashes = true;
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.views().view(0).movesByItself(), kPatienceMs);
  const scene::Camera camera = other.camera();
  scene::Camera turned = camera;
  turned.position = camera.position + 0.2 * length(camera.position - camera.target) * Vec3{1, 0, 0};
  other.setCamera(turned);
  QTRY_VERIFY_WITH_TIMEOUT(shown() != sharp, kPatienceMs);
  other.setCamera(camera);
  QTRY_VERIFY_WITH_TIMEOUT(shown() == sharp, kPatienceMs);
  QVERIFY(studio.window.views().view(0).movesByItself());
}

/// In whichever view, for as long as they move there and it is drawn coarsely for them.
void TestLineLooks::whatDashesKeepCoarseIsSaid() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=33,33,17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  auto* const detail = studio.child<QLabel>("detail");
  const auto isSaid = [&] {
    return detail->text().contains("not as sharp as it can be while dashes or particles move");
  };
  const auto dash = [&](bool on) {
    studio.model.document().edit("Dashes", [&](app::Draft& draft) {
      auto& dashes = std::get<session::Streamlines>(draft.object(lines).shape).dashes;
      if (on)
        dashes = session::Streamlines::kBySpeed;
      else
        dashes.reset();
    });
  };
  qt3d::Viewport& first = studio.window.viewport();
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && detail->text().isEmpty(), kPatienceMs);
  first.holdDetail(2);
  dash(true);
  QTRY_VERIFY_WITH_TIMEOUT(first.movesByItself(), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(isSaid(), qPrintable(detail->text()), kPatienceMs);
  // Sharp ones are no less for it.
  first.holdDetail(0);
  QTRY_VERIFY2_WITH_TIMEOUT(!isSaid(), qPrintable(detail->text()), kPatienceMs);
  QVERIFY(first.movesByItself());
  first.holdDetail(2);
  QTRY_VERIFY_WITH_TIMEOUT(isSaid(), kPatienceMs);
  dash(false);
  QTRY_VERIFY2_WITH_TIMEOUT(!isSaid() && !first.movesByItself(), qPrintable(detail->text()), kPatienceMs);
  // Of a view beside it.
  first.holdDetail(0);
  studio.trigger("twoViews");
  qt3d::Viewport& other = studio.window.views().view(1);
  other.holdDetail(2);
  dash(true);
  QTRY_VERIFY2_WITH_TIMEOUT(isSaid(), qPrintable(detail->text()), kPatienceMs);
  studio.trigger("oneView");
  QTRY_VERIFY2_WITH_TIMEOUT(!isSaid(), qPrintable(detail->text()), kPatienceMs);
}

/// Behind a surface, hidden, or away from where the view looks: it becomes sharp as if there were none.
void TestLineLooks::dashesThatAreNotSeenMoveNothing() {
  Lines studio;
  QTRY_VERIFY_WITH_TIMEOUT(studio.isDone(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  app::Document& document = studio.model.document();
  // The flow stays in planes across z: all lines lie below the slice, which hides them from above.
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  const auto look = [&](Vec3 direction) {
    document.edit("Look", [&](app::Draft& draft) {
      draft.frame().camera = session::AutoCamera{direction, {0, 1, 0}};
    });
  };
  document.edit("Dashes", [&](app::Draft& draft) {
    auto& shape = std::get<session::Streamlines>(draft.object(lines).shape);
    shape.seeds = session::LineSeeds{{1, 2, 1}, {5, 3, 1}, 8};
    shape.dashes = session::Streamlines::kBySpeed;
    auto& plane = std::get<session::Slice>(draft.object(slice).shape);
    plane.origin = {3, 3, 4};
    plane.normal = {0, 0, 1};
  });
  look({0, 0, -1});
  qt3d::Viewport& view = studio.window.viewport();
  auto* const detail = studio.child<QLabel>("detail");
  const auto comesToRest = [&] {
    return studio.viewRests() && !view.movesByItself() && detail->text().isEmpty();
  };
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && view.movesByItself(), kPatienceMs);
  look({0, 0, 1});
  QTRY_VERIFY2_WITH_TIMEOUT(comesToRest(), qPrintable(detail->text()), kPatienceMs);
  // What hid them goes.
  document.edit("Hide", [&](app::Draft& draft) { draft.object(slice).visible = false; });
  QTRY_VERIFY_WITH_TIMEOUT(view.movesByItself(), kPatienceMs);
  document.edit("Hide", [&](app::Draft& draft) { draft.object(lines).visible = false; });
  QTRY_VERIFY2_WITH_TIMEOUT(comesToRest(), qPrintable(detail->text()), kPatienceMs);
  // In a view beside it they are seen to move, and in this one they are not there.
  document.edit("Show",
                [&](app::Draft& draft) { draft.object(lines).visible = draft.object(slice).visible = true; });
  studio.trigger("twoViews");
  app::showIn(document, 0, document.object(lines)->name, false);
  QTRY_VERIFY2_WITH_TIMEOUT(!studio.window.views().view(1).movesByItself() && comesToRest(),
                            qPrintable(detail->text()), kPatienceMs);
  look({0, 0, -1});
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.views().view(1).movesByItself() && !view.movesByItself(),
                           kPatienceMs);
}

/// Chosen in the panel, seen to move, made fewer and larger, taken back, and there again when the session is opened again.
void TestLineLooks::particlesMove() {
  Lines lines;
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.viewRests(), kPatienceMs);
  QVERIFY(!lines.child<QWidget>("every"));
  lines.choose("as", "particles");
  QVERIFY(lines.shape().form == session::LineForm::Particles &&
          lines.shape().every == session::Streamlines::kBySpeed);
  QTRY_VERIFY_WITH_TIMEOUT(lines.child<QLineEdit>("every") && lines.child<QLineEdit>("radius"), kPatienceMs);
  const QImage one = lines.picture();
  QTRY_VERIFY_WITH_TIMEOUT(lines.picture() != one, kPatienceMs);
  QVERIFY(!lines.viewRests());
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone(), kPatienceMs);
  lines.keep("particles");
  // Half of the particles leave about half of the colour.
  lines.type("radius", "0.12");
  lines.type("every", "0.4");
  QCOMPARE(lines.shape().radius.constant, std::optional(0.12));
  QCOMPARE(lines.shape().every, 0.4);
  lines.type("radius", "0.02");  // so that few hide others
  QTest::qWait(500);
  QTRY_VERIFY_WITH_TIMEOUT(lines.isDone() && lines.coloured() > 0, kPatienceMs);
  const int many = lines.coloured();
  lines.type("every", "1.6");
  QTRY_VERIFY_WITH_TIMEOUT(lines.coloured() < 0.6 * many && lines.coloured() > 0, kPatienceMs);
  lines.keep("particles_fewer");
  lines.trigger("undo");
  QCOMPARE(lines.shape().every, 0.4);
  lines.trigger("redo");
  QCOMPARE(lines.shape().every, 1.6);
  const session::Session kept = lines.session();
  const auto file = (lines.folder / "particles.json").string();
  std::ofstream(file) << session::toJson(kept);
  QVERIFY(session::readSession(file, {}).objects == kept.objects);
  lines.choose("as", "lines");
  QTRY_VERIFY_WITH_TIMEOUT(lines.viewRests(), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLineLooks test;
  return QTest::qExec(&test, count, words);
}
#include "tst_line_looks.moc"
