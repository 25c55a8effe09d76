// Two and four views in one window: what each of them shows, cameras that move together or apart, undoing, saving and reading, pictures of
// all of them. Needs a display with OpenGL; skips where there is none.

#include <QFileDialog>
#include <QFileInfo>
#include <QSpinBox>
#include <QStandardPaths>

#include "app/model/document/view_layout.h"
#include "app/model/known_texts.h"
#include "app/ui/dialogs/export_image_dialog.h"
#include "core/base/error.h"
#include "core/session/json/session_json.h"
#include "core/session/run/picture_text.h"
#include "tests/gui/window/support/split_studio.h"

using namespace farfield;
using namespace farfield::test;

class TestLinkedViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void viewsStandBesideOneAnother();
  void camerasMoveTogetherOrApart();
  void eachShowsWhatIsChosen();
  void whatIsDoneInOneIsDone();
  void framesAreDrawnInAnyOfThem();
  void textsAreOfWhatAViewShows();
  void fourSmallViewsHaveAllLegends();
  void namesAreFollowed();
  void dividedBeforeTheFirstFit();
  void savedAndRead();
  void pictureHasAllViews();
  void handlesAreWhereTheirObjectIs();
};

void TestLinkedViews::initTestCase() {
  Split split;
  QVERIFY(split.opened);
  if (split.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestLinkedViews::viewsStandBesideOneAnother() {
  Split split;
  const QSize whole = split.view(0).size();
  const int before = split.steps();
  split.divide("twoViews");
  QCOMPARE(split.window.views().count(), std::size_t(2));
  QVERIFY(split.view(1).isVisible());
  QCOMPARE(split.view(0).size(), split.view(1).size());
  QVERIFY(split.view(0).geometry().right() < split.view(1).geometry().left());
  QVERIFY(std::abs(2 * split.view(0).width() - whole.width()) < 8);
  QVERIFY(sameCamera(split.view(0).camera(), split.view(1).camera()));
  // The same is drawn in both.
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
  QCOMPARE(split.drawn(1), split.drawn(0));
  split.divide("fourViews");
  QCOMPARE(split.window.views().count(), std::size_t(4));
  QVERIFY(split.view(2).geometry().top() > split.view(0).geometry().bottom());
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(3) > 50, kPatienceMs);
  QCOMPARE(split.drawn(3), split.drawn(0));
  QCOMPARE(split.steps(), before + 2);
  split.trigger("undo");
  QCOMPARE(split.window.views().count(), std::size_t(2));
  QVERIFY(!split.view(3).isVisible());
  QCOMPARE(split.view(3).geometryBytes(), std::size_t(0));
  split.trigger("undo");
  QCOMPARE(split.window.views().count(), std::size_t(1));
  QCOMPARE(split.view(0).size(), whole);
  QVERIFY(split.action("oneView")->isChecked());
  split.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
}

void TestLinkedViews::camerasMoveTogetherOrApart() {
  Split split;
  split.divide("twoViews");
  const scene::Camera start = split.view(0).camera();
  // Turning the second one turns the first, and is the session's camera.
  split.turn(1, {80, 30});
  QVERIFY(!sameCamera(split.view(0).camera(), start));
  QVERIFY(sameCamera(split.view(0).camera(), split.view(1).camera()));
  const auto* const kept = std::get_if<session::FixedCamera>(&split.session().camera);
  QVERIFY(kept && length(kept->position - split.view(0).camera().position) < 1e-9 * length(kept->position));
  split.turn(0, {-40, 10});
  QVERIFY(sameCamera(split.view(0).camera(), split.view(1).camera()));
  // Apart.
  split.child<QToolButton>("view2.link")->click();
  QVERIFY(!split.action("linkCameras")->isChecked());
  const scene::Camera first = split.view(0).camera();
  const int before = split.steps();
  split.turn(1, {60, 0});
  QVERIFY(sameCamera(split.view(0).camera(), first));
  QVERIFY(!sameCamera(split.view(1).camera(), first));
  QCOMPARE(split.steps(), before + 1);
  // Commands go to the view that has the keyboard.
  split.view(1).setFocus();
  split.trigger("viewPlusX");
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(split.view(1).camera().position.x - split.view(1).camera().target.x) >
                               0.99 * length(split.view(1).camera().position - split.view(1).camera().target),
                           kPatienceMs);
  QVERIFY(sameCamera(split.view(0).camera(), first));
  QTest::qWait(800);
  split.trigger("undo");
  split.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(sameCamera(split.view(1).camera(), first), kPatienceMs);
  // Linked again.
  split.trigger("redo");
  split.trigger("linkCameras");
  QVERIFY(split.action("linkCameras")->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(sameCamera(split.view(1).camera(), first), kPatienceMs);
  // All of them at once are one step.
  split.divide("fourViews");
  for (const bool linked : {false, true}) {
    const int steps = split.steps();
    split.trigger("linkCameras");
    QCOMPARE(split.window.views().areCamerasLinked(), linked);
    QCOMPARE(split.steps(), steps + 1);
  }
  split.trigger("undo");
  for (std::size_t number = 1; number < 4; ++number) QVERIFY(split.session().layout.views[number].camera);
}

void TestLinkedViews::eachShowsWhatIsChosen() {
  Split split;
  // Few lines, so that a slice is seen beside them.
  session::Object lines = *split.model.document().object(split.newest());
  std::get<session::Streamlines>(lines.shape).seeds = session::SpreadSeeds{8};
  split.model.document().setObject(split.newest(), lines, "Seed");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
  const int without = split.drawn(1);
  split.trigger("addSlice");
  split.window.pipeline().select(0);  // no handle is drawn
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  const QString slice = QString::fromStdString(split.session().objects.back().name);
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > without + 1000, kPatienceMs);
  const int whole = split.drawn(0);
  split.choose(2, slice);
  QVERIFY(split.child<QToolButton>("view2.shown")->text().contains("2 of 3"));
  // but for a few pixels at the edges of lines
  const auto near = [](int drawn, int expected) { return std::abs(drawn - expected) < 300; };
  QTRY_VERIFY_WITH_TIMEOUT(near(split.drawn(1), without), kPatienceMs);
  QVERIFY(split.drawn(0) > without + 1000);
  // It stays hidden there while it changes.
  session::Object object = *split.model.document().object(split.newest());
  std::get<session::Slice>(object.shape).normal = {1, 0, 0};
  split.model.document().setObject(split.newest(), object, "Turn");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests() && split.drawn(0) != whole, kPatienceMs);
  QVERIFY(near(split.drawn(1), without));
  split.trigger("undo");
  split.choose(2, "All objects");
  QTRY_VERIFY_WITH_TIMEOUT(near(split.drawn(1), whole), kPatienceMs);
}

/// Pointing, clicking and dragging handles in the second view.
void TestLinkedViews::whatIsDoneInOneIsDone() {
  Split split;
  split.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 2000, kPatienceMs);
  const auto plane = [&] { return *std::get<session::Slice>(split.session().objects.back().shape).origin; };
  const Vec3 was = plane();
  const QSize size = split.view(1).size();
  const auto knob = view::ScreenMap(split.view(1).camera(), size.width(), size.height()).project(was);
  QVERIFY(knob.has_value());
  const QPoint from(qRound(knob->x), qRound(knob->y));
  qt3d::Viewport& second = split.view(1);
  const auto move = [&](QPoint to, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, to, second.mapToGlobal(to), Qt::NoButton, held, {});
    QApplication::sendEvent(&second, &event);
  };
  move(from, Qt::NoButton);
  QTest::mousePress(&second, Qt::LeftButton, {}, from);
  for (int step = 1; step <= 4; ++step) move(from + QPoint(0, 8 * step), Qt::LeftButton);
  QTest::mouseRelease(&second, Qt::LeftButton, {}, from + QPoint(0, 32));
  QVERIFY2(length(plane() - was) > 0, "the slice stayed where it was");
  split.trigger("undo");
  QVERIFY(length(plane() - was) == 0);
}

/// Wherever the hand draws it; and then it is waited for in none.
void TestLinkedViews::framesAreDrawnInAnyOfThem() {
  Split split;
  split.divide("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests() && split.drawn(1) > 200, kPatienceMs);
  QCOMPARE(&split.window.views().active(), &split.view(0));
  const auto away = [&](std::size_t number) {
    const scene::Camera camera = split.view(number).camera();
    return length(camera.position - camera.target);
  };
  const double before = away(1);
  split.trigger("zoomBox");
  const QSize size = split.view(1).size();
  const QPoint corner(size.width() / 8, size.height() / 8);
  qt3d::Viewport& second = split.view(1);
  const QPoint from = second.rect().center() - corner, to = second.rect().center() + corner;
  QTest::mousePress(&second, Qt::LeftButton, {}, from);
  for (int step = 1; step <= 4; ++step) {
    const QPoint at = from + (to - from) * step / 4;
    QMouseEvent event(QEvent::MouseMove, at, second.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&second, &event);
  }
  QTest::mouseRelease(&second, Qt::LeftButton, {}, to);
  QVERIFY(!split.action("zoomBox")->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(before / away(1) - 4) < 0.2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  // A drag in the one that the keys are in turns it again.
  const double near = away(0);
  const Vec3 was = split.view(0).camera().position;
  split.turn(0, {40, 0});
  QVERIFY(std::abs(away(0) - near) < 1e-6 * near && length(split.view(0).camera().position - was) > 0);
}

/// Steps and times, of the data that have the most of them there.
void TestLinkedViews::textsAreOfWhatAViewShows() {
  Studio studio;
  for (const char* const sample :
       {"sample://taylor-green?size=9&steps=3", "sample://tornado?size=9&steps=5"}) {
    const std::size_t had = studio.session().objects.size();
    studio.model.open({sample});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() > had, kPatienceMs);
  }
  studio.trigger("twoViews");
  const std::string first = studio.session().data[0].name;
  studio.model.document().edit("Title", [&](app::Draft& draft) {
    draft.frame().image.title = "{step}: {time}";
    for (const session::Object& object : studio.session().objects)
      if (object.data != first) draft.frame().layout.views[0].hidden.push_back(object.name);
  });
  studio.model.stage().setStep(2);
  const auto said = [&](std::size_t view) {
    return app::withKnownTexts(studio.session().image, studio.model, view).title;
  };
  const auto timeOf = [&](std::size_t data) {
    const auto summary = studio.model.stage().summary(studio.session().data[data].name);
    return session::pictureText("{step}: {time}", summary->description, 2);
  };
  QVERIFY(timeOf(0) != timeOf(1));
  QCOMPARE(said(0), timeOf(0));
  QCOMPARE(said(1), timeOf(1));
}

/// Of a small window: three quantities have three legends, each as it is told by its name.
void TestLinkedViews::fourSmallViewsHaveAllLegends() {
  Split split;
  QVERIFY(split.opened);
  split.window.resize(1024, 700);
  QStringList functions;
  for (const char* const function : {"velocity-magnitude", "vorticity-magnitude", "pressure"}) {
    split.trigger("addSlice");
    split.model.document().edit("Colour",
                                [&](app::Draft& draft) { draft.object(split.newest()).color.by = function; });
    functions.append(function);
  }
  split.divide("fourViews");
  qt3d::Viewport& view = split.view(3);
  const auto told = [&] {
    QStringList names;
    for (int y = 0; y < view.height(); y += 8) {
      const QPoint place(view.width() - 40, y);
      QMouseEvent over(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
      QApplication::sendEvent(&view, &over);
      if (!view.toolTip().isEmpty() && !names.contains(view.toolTip())) names.append(view.toolTip());
    }
    return names;
  };
  QTRY_COMPARE_WITH_TIMEOUT(told().size(), functions.size(), kPatienceMs);
  for (const QString& function : functions)
    QVERIFY2(!told().filter(function).isEmpty(), qPrintable(told().join(", ")));
}

void TestLinkedViews::namesAreFollowed() {
  Split split(true);
  app::Document& document = split.model.document();
  split.divide("twoViews");
  const std::string name = split.session().objects.front().name;
  app::showIn(document, 1, name, false);
  app::showDataIn(document, 0, split.session().data[1].name);
  QVERIFY(document.renameObject(document.objectIds().front(), "box").isEmpty());
  QCOMPARE(split.session().layout.views[1].hidden, std::vector<std::string>{"box"});
  QVERIFY(document.renameData(split.session().data[1].name, "other").isEmpty());
  QCOMPARE(split.session().layout.views[0].data, std::string("other"));
  document.edit("remove", [&](app::Draft& draft) { draft.remove(document.objectIds().front()); });
  QVERIFY(split.session().layout.views[1].hidden.empty());
  document.removeData("other");
  QVERIFY(split.session().layout.views[0].data.empty());
}

/// A view that has never been fitted has no camera to keep: the one that views begin with sees nothing.
void TestLinkedViews::dividedBeforeTheFirstFit() {
  Studio studio(QSize(1280, 800));
  studio.model.open({"sample://cylinder?size=17,17,9"});
  // At once: neither data nor bounds are there.
  studio.trigger("twoViews");
  studio.trigger("linkCameras");
  studio.trigger("keepView");
  QVERIFY(std::holds_alternative<session::AutoCamera>(studio.session().camera));
  for (const session::SideView& side : studio.session().layout.views) QVERIFY(!side.camera);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  QCOMPARE(studio.window.views().count(), std::size_t(2));
  QVERIFY(studio.window.views().areCamerasLinked());
  QVERIFY(studio.action("linkCameras")->isChecked());
  const Bounds bounds = studio.model.stage().bounds();
  for (const std::size_t number : {std::size_t(0), std::size_t(1)}) {
    qt3d::Viewport& view = studio.window.views().view(number);
    const auto isSeen = [&] {
      const auto at = view::ScreenMap(view.camera(), view.width(), view.height()).project(bounds.center());
      return at && view.rect().contains(qRound(at->x), qRound(at->y));
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSeen(), kPatienceMs);
  }
  for (const session::NamedView& kept : studio.session().views)
    QVERIFY(std::holds_alternative<session::AutoCamera>(kept.camera));
}

void TestLinkedViews::savedAndRead() {
  Split split(true);
  split.divide("twoViews");
  split.choose(1, "Only " + QString::fromStdString(split.session().data[0].name));
  split.child<QToolButton>("view2.link")->click();
  const session::ViewLayout layout = split.session().layout;
  QVERIFY(layout.views[1].camera.has_value());
  QVERIFY(session::parseSession(session::toJson(split.session())).layout == layout);
  // A window that opens it has the same views.
  const QString path = split.at("two.json");
  split.model.save(path);
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path) && !split.model.document().isModified(), kPatienceMs);
  split.trigger("new");
  QCOMPARE(split.window.views().count(), std::size_t(1));
  split.window.openPaths({path});
  QTRY_VERIFY_WITH_TIMEOUT(split.window.views().count() == 2 && split.rests(), kPatienceMs);
  QVERIFY(split.session().layout == layout);
  QTRY_VERIFY_WITH_TIMEOUT(sameCamera(split.view(1).camera(),
                                      [&] {
                                        scene::Camera camera;
                                        camera.position = layout.views[1].camera->position;
                                        camera.target = layout.views[1].camera->target;
                                        return camera;
                                      }()),
                           kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
  // What a file must not say.
  for (const char* const wrong :
       {R"({"views": [{}]})", R"({"views": [{}, {}, {}, {}], "over": true})",
        R"({"views": [{}, {}], "divider": 2})",
        R"({"views": [{"camera": {"position": [0, 0, 1], "target": [0, 0, 0], "up": [0, 1, 0]}}, {}]})",
        R"({"views": [{}, {"camera": "auto"}]})", R"({"over": true})"}) {
    const std::string text =
        R"({"farfield": 1, "data": {}, "objects": [], "layout": )" + std::string(wrong) + "}";
    QVERIFY_THROWS_EXCEPTION(Invalid, (void)session::parseSession(text));
  }
}

void TestLinkedViews::pictureHasAllViews() {
  Split split;
  split.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  app::showIn(split.model.document(), 1, split.session().objects.back().name, false);
  const QString path = split.at("two.png");
  split.trigger("exportImage");
  auto* const size = split.window.findChild<ui::ExportImageDialog*>();
  QVERIFY(size);
  QCOMPARE(size->sizePixels()[0], split.window.views().width());
  size->findChild<QSpinBox*>("export.width")->setValue(1001);
  size->findChild<QSpinBox*>("export.height")->setValue(700);
  size->accept();
  auto* const files = split.window.findChild<QFileDialog*>();
  QVERIFY(files);
  emit files->fileSelected(path);
  files->close();
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path), kPatienceMs);
  const QImage image(path);
  QCOMPARE(image.size(), QSize(1001, 700));
  // Parted unevenly it is filled all the same.
  QCOMPARE(image.pixelColor(1000, 5), image.pixelColor(998, 5));
  QVERIFY(image.pixelColor(500, 5) != image.pixelColor(998, 5));  // the line between them
  const int left = colouredPixels(image, QRect(100, 140, 300, 420)),
            right = colouredPixels(image, QRect(600, 140, 300, 420));
  QVERIFY2(left > right + 1000, qPrintable(QString("%1 %2").arg(left).arg(right)));
}

void TestLinkedViews::handlesAreWhereTheirObjectIs() {
  Split split;
  split.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  const std::string name = split.session().objects.back().name;
  const auto orange = [&](std::size_t number) {
    const QImage image = split.pictureOf(number);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor seen = image.pixelColor(x, y);
        count += seen.red() > 220 && std::abs(seen.green() - 153) < 24 && seen.blue() < 70;
      }
    return count;
  };
  QTRY_VERIFY_WITH_TIMEOUT(orange(0) > 40 && orange(1) > 40, kPatienceMs);
  app::showIn(split.model.document(), 1, name, false);
  QTRY_VERIFY_WITH_TIMEOUT(orange(1) < 5, kPatienceMs);
  QVERIFY(orange(0) > 40);
  split.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(orange(1) > 40, kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLinkedViews test;
  return QTest::qExec(&test, count, words);
}
#include "tst_linked_views.moc"
