// Two data sets compared, and no longer: the colours that were joined for it are what they were before, unless somebody changed them.
// Views beside one another are equally large, and show what one showed. Needs a display with OpenGL; skips where there is none.

#include <QApplication>
#include <QClipboard>
#include <QColorSpace>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/model/view_layout.h"
#include "app/ui/animation_dialog.h"
#include "app/ui/export_image_dialog.h"
#include "app/ui/message_list.h"
#include "app/ui/notice_bar.h"
#include "app/ui/view_group.h"
#include "core/session/session_camera.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Two data sets, each with a slice of the same function; that of the first one is in other colours.
struct Compared : Studio {
  Compared() : Studio(QSize(1280, 800)) {
    for (const char* const name : {"sample://cylinder?size=17,17,9", "sample://abc?size=17"}) {
      const std::size_t had = session().objects.size();
      model.open({name});
      if (!QTest::qWaitFor([&] { return rests() && session().objects.size() > had; }, kPatienceMs)) return;
    }
    for (const session::DataSource& source : std::vector(session().data)) ids.push_back(slice(source.name));
    opened = QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
  }
  app::ObjectId slice(const std::string& data) {
    window.pipeline().selectData(data);
    trigger("addSlice");
    session::Object object = *model.document().object(newest());
    object.color.by = "velocity-x";
    if (ids.empty()) object.color.map.name = "plasma";
    if (ids.size() == 2) object.color = model.document().object(ids[1])->color;  // as the panel makes it
    model.document().setObject(newest(), object, "colour");
    return newest();
  }
  std::string mapOf(app::ObjectId id) { return model.document().object(id)->color.map.name; }
  std::vector<app::ObjectId> ids;
  bool opened = false;
};

/// Whether all of that is in the view, and takes up most of it.
bool fills(const qt3d::Viewport& view, const Bounds& its) {
  const view::ScreenMap map(view.camera(), view.width(), view.height());
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 place;
    for (int axis = 0; axis < 3; ++axis) place[axis] = (corner >> axis & 1 ? its.max : its.min)[axis];
    const auto at = map.project(place);
    if (!at) return false;
    left = std::min(left, at->x), right = std::max(right, at->x);
    top = std::min(top, at->y), bottom = std::max(bottom, at->y);
  }
  const bool isSeen = left > 0 && right < view.width() && top > 0 && bottom < view.height();
  return isSeen && (right - left > 0.6 * view.width() || bottom - top > 0.6 * view.height());
}

/// The picture of all views, as it is written; null where it is not.
QImage exported(Studio& studio, const char* name, QSize pixels) {
  const QString path = studio.at(name);
  studio.trigger("exportImage");
  auto* const size = studio.window.findChild<ui::ExportImageDialog*>();
  if (!size) return {};
  size->findChild<QSpinBox*>("export.width")->setValue(pixels.width());
  size->findChild<QSpinBox*>("export.height")->setValue(pixels.height());
  size->accept();
  auto* const files = studio.window.findChild<QFileDialog*>();
  if (!files) return {};
  emit files->fileSelected(path);
  files->close();
  QImage picture;
  (void)QTest::qWaitFor([&] { return picture.load(path); }, kPatienceMs);
  return picture;
}

}  // namespace

class TestTwoViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void whoLeavesHasTheColorsFromBefore();
  void sessionsKeepTheColoursFromBefore();
  void whatWasChangedMeanwhileStays();
  void closingTheOtherDataLeavesAsWell();
  void aThirdDataSetIsSaidToBeUnseen();
  void viewsAreEquallyLarge();
  void whatWasSeenStaysInSight_data();
  void whatWasSeenStaysInSight();
  void allOfWhatAViewShows();
  void whatTheFirstViewShowsIsItsWhole();
  void picturesOfComparedDataHaveALine();
  void picturesOfComparedDataSayWhichIsWhere();
  void narrowHeadsEndWithDots();
  void textsAreOfWhatAPartShows();
  void picturesOfStepsHaveTheColoursOfTheComparison();
};

void TestTwoViews::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestTwoViews::whoLeavesHasTheColorsFromBefore() {
  Compared compared;
  QVERIFY(compared.opened);
  const app::ObjectId second = compared.ids[1];
  const session::Coloring before = compared.model.document().object(second)->color;
  QVERIFY(before.map.name != "plasma");
  for (const char* const leave : {"oneView", "twoViews"}) {
    compared.trigger("compareData");
    QCOMPARE(compared.mapOf(second), std::string("plasma"));
    // What came since with the joined colours goes with them.
    const app::ObjectId later = compared.slice(compared.session().data[1].name);
    QCOMPARE(compared.mapOf(later), std::string("plasma"));
    compared.trigger(leave);
    QVERIFY(compared.model.document().object(second)->color == before);
    QCOMPARE(compared.mapOf(later), before.map.name);
    QCOMPARE(compared.mapOf(compared.ids[0]), std::string("plasma"));
    // Each of it is a step, there and back.
    compared.trigger("undo");
    QCOMPARE(compared.mapOf(second), std::string("plasma"));
    compared.trigger("redo");
    QVERIFY(compared.model.document().object(second)->color == before);
    compared.trigger("undo");
    compared.trigger(leave);
    QVERIFY(compared.model.document().object(second)->color == before);
    while (compared.session().layout.over || !compared.session().layout.views.empty())
      compared.trigger("undo");
    QVERIFY(compared.model.document().object(second)->color == before);
  }
}

/// Also where it is saved and opened again while they are compared.
void TestTwoViews::sessionsKeepTheColoursFromBefore() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.model.document().edit("Bands", [&](app::Draft& draft) {
    scene::MapChoice& map = draft.object(compared.ids[1]).color.map;
    map.name = "turbo";
    map.bands = 10;
  });
  const session::Coloring before = compared.model.document().object(compared.ids[1])->color;
  compared.trigger("compareData");
  QVERIFY(compared.model.document().object(compared.ids[1])->color != before);
  QSignalSpy saved(&compared.model, &app::AppModel::saved),
      loaded(&compared.model, &app::AppModel::sessionLoaded);
  compared.model.save(compared.at("compared.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  const session::Session was = compared.session();
  compared.model.open({compared.at("compared.json")});
  QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, kPatienceMs);
  QVERIFY(compared.session().objects == was.objects && compared.session().layout == was.layout);
  QTRY_VERIFY_WITH_TIMEOUT(compared.rests(), kPatienceMs);
  compared.trigger("oneView");
  QVERIFY(compared.session().objects.back().color == before);
  QVERIFY(compared.session().objects.front().color == was.objects.front().color);
}

void TestTwoViews::whatWasChangedMeanwhileStays() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  session::Object object = *compared.model.document().object(compared.ids[1]);
  QCOMPARE(object.color.map.name, std::string("plasma"));
  object.color.map.name = "inferno";
  compared.model.document().setObject(compared.ids[1], object, "other colours");
  compared.trigger("oneView");
  QCOMPARE(compared.mapOf(compared.ids[1]), std::string("inferno"));
}

void TestTwoViews::closingTheOtherDataLeavesAsWell() {
  Compared compared;
  QVERIFY(compared.opened);
  const std::string before = compared.mapOf(compared.ids[1]);
  compared.trigger("compareData");
  QCOMPARE(compared.mapOf(compared.ids[1]), std::string("plasma"));
  compared.model.document().removeData(compared.session().data[0].name);
  QVERIFY(!compared.session().layout.over);
  QCOMPARE(compared.mapOf(compared.ids[1]), before);
}

void TestTwoViews::narrowHeadsEndWithDots() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  const std::string name = compared.session().data[0].name;
  compared.model.document().renameData(name,
                                       "a name that is longer than the line above the view has room for");
  auto* const head = compared.child<QToolButton>("view1.shown");
  QVERIFY(head);
  head->parentWidget()->setMaximumWidth(160);
  QTRY_VERIFY_WITH_TIMEOUT(head->parentWidget()->width() <= 160, kPatienceMs);
  QVERIFY2(head->text().startsWith("1 ·") && head->text().endsWith(QChar(0x2026)), qPrintable(head->text()));
  QTRY_VERIFY_WITH_TIMEOUT(head->width() >= head->sizeHint().width(), kPatienceMs);
}

/// Nothing of it would be in the view, and nobody would know why.
void TestTwoViews::aThirdDataSetIsSaidToBeUnseen() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  const auto& bar = *compared.window.findChild<ui::NoticeBar*>();
  const auto opens = [&](const char* name) {
    const std::size_t had = compared.session().objects.size();
    compared.model.open({name});
    return QTest::qWaitFor([&] { return compared.rests() && compared.session().objects.size() > had; },
                           kPatienceMs);
  };
  QVERIFY(opens("sample://tornado?size=9"));
  QVERIFY(bar.isVisible() && bar.says("unseen/tornado"));
  QVERIFY2(bar.text().contains("data tornado are not seen") && bar.text().contains("cylinder and abc"),
           qPrintable(bar.text()));
  QPushButton* show = nullptr;
  for (QPushButton* const each : bar.findChildren<QPushButton*>())
    if (each->text() == "Compare it with cylinder") show = each;
  QVERIFY(show && show->isVisible());
  QTest::mouseClick(show, Qt::LeftButton);
  QCOMPARE(compared.session().layout.views[1].data, std::string("tornado"));
  QVERIFY(compared.session().layout.over && !bar.says("unseen/tornado"));
  QCOMPARE(compared.mapOf(compared.slice("tornado")), std::string("plasma"));
  compared.trigger("oneView");
  // Of views that show all there is nothing to say, of those that show other data there is.
  QVERIFY(opens("sample://abc?size=9&steps=2") && !bar.isVisible());
  compared.trigger("twoViews");
  for (const std::size_t number : {0U, 1U}) app::showDataIn(compared.model.document(), number, "cylinder");
  QVERIFY(opens("sample://taylor-green?size=9") && bar.says("unseen/taylor-green"));
  QVERIFY2(bar.text().contains("each view shows other data"), qPrintable(bar.text()));
  compared.trigger("oneView");
  QVERIFY(!bar.says("unseen/taylor-green"));
}

void TestTwoViews::viewsAreEquallyLarge() {
  Compared compared;
  QVERIFY(compared.opened);
  ui::ViewGroup& views = compared.window.views();
  for (const char* const how : {"twoViews", "fourViews"}) {
    compared.trigger(how);
    for (const int more : {0, 1, 2, 3}) {
      compared.window.resize(1281 + more, 801 + more);
      QTRY_COMPARE_WITH_TIMEOUT(compared.window.size(), QSize(1281 + more, 801 + more), kPatienceMs);
      QTest::qWait(50);
      for (std::size_t number = 1; number < views.count(); ++number)
        QCOMPARE(views.view(number).size(), views.view(0).size());
      // They fill what is theirs.
      const QRect last = views.view(views.count() - 1).geometry();
      QCOMPARE(last.right(), views.rect().right());
      QCOMPARE(last.bottom(), views.rect().bottom());
    }
  }
}

void TestTwoViews::whatWasSeenStaysInSight_data() {
  QTest::addColumn<bool>("flat");
  QTest::newRow("perspective") << false;
  QTest::newRow("without") << true;
}

void TestTwoViews::whatWasSeenStaysInSight() {
  QFETCH(bool, flat);
  Studio studio({1280, 800});
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  // A camera that was chosen by hand.
  studio.action("orthographic")->setChecked(flat);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  qt3d::Viewport& first = studio.window.viewport();
  studio.drag(first.rect().center(), first.rect().center() + QPoint(37, 11));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const auto isCamera = [&](const scene::Camera& camera) {
    return studio.viewRests() && ui::sameCamera(first.camera(), camera);
  };
  const scene::Camera before = first.camera();
  QVERIFY(std::holds_alternative<session::FixedCamera>(studio.session().camera));
  const auto kept = studio.session().camera;
  // Places at the edges of what is seen, at the depth of what is looked at.
  std::vector<Vec3> edges;
  const double aspect = double(first.width()) / first.height();
  const double high = flat ? 0.5 * before.orthographicHeight
                           : length(before.position - before.target) *
                                 std::tan(0.5 * before.fieldOfViewDegrees * std::numbers::pi / 180);
  const scene::CameraAxes axes = scene::axesOf(before);
  for (const double way : {-0.98, 0.98}) {
    edges.push_back(before.target + way * aspect * high * axes.right);
    edges.push_back(before.target + way * high * axes.up);
  }
  const auto seesAll = [&](qt3d::Viewport& view) {
    const view::ScreenMap map(view.camera(), view.width(), view.height());
    return std::all_of(edges.begin(), edges.end(), [&](Vec3 place) {
      const auto at = map.project(place);
      return at && view.rect().contains(qRound(at->x), qRound(at->y));
    });
  };
  QVERIFY(seesAll(first));
  const int steps = studio.model.document().undoStack().count();
  studio.trigger("twoViews");
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && seesAll(first), kPatienceMs);
  QVERIFY(ui::sameCamera(studio.window.views().view(1).camera(), first.camera()));
  // From the same place, and that is the session's camera, which commands and pictures take.
  QVERIFY(length(first.camera().position - before.position) < 1e-9 * length(before.position));
  const auto& fixed = std::get<session::FixedCamera>(studio.session().camera);
  QVERIFY(ui::sameCamera(session::cameraOf(fixed), first.camera()));
  const scene::Camera two = first.camera();
  // There and back, by any way.
  studio.trigger("fourViews");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && seesAll(first), kPatienceMs);
  studio.trigger("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(two), kPatienceMs);
  studio.trigger("oneView");
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(before), kPatienceMs);
  QVERIFY(studio.session().camera == kept);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(two), kPatienceMs);
  // Turned meanwhile it sees as much as at first, from where it is.
  studio.drag(first.rect().center(), first.rect().center() + QPoint(-60, 20));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const scene::Camera turned = first.camera();
  QVERIFY(!ui::sameCamera(turned, two));
  studio.trigger("oneView");
  scene::Camera wanted = turned;
  wanted.fieldOfViewDegrees = before.fieldOfViewDegrees;
  wanted.orthographicHeight = before.orthographicHeight;
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(wanted), kPatienceMs);
}

/// A view that moves on its own and shows one of two data sets: all of it is all of that.
void TestTwoViews::allOfWhatAViewShows() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("twoViews");
  app::showDataIn(studio.model.document(), 1, studio.session().data[1].name);
  studio.child<QToolButton>("view2.link")->click();
  qt3d::Viewport& view = studio.window.views().view(1);
  view.setFocus();
  const Bounds its = studio.model.stage().summary(studio.session().data[1].name)->bounds;
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(!fills(view, its));  // the other one is larger
  for (const char* const how : {"fit", "resetView", "viewPlusX"}) {
    studio.trigger(how);
    QTRY_VERIFY2_WITH_TIMEOUT(fills(view, its), how, kPatienceMs);
  }
}

/// The same of the first view, while the other one moves on its own; and its axes are those of what it shows, in pictures, too.
void TestTwoViews::whatTheFirstViewShowsIsItsWhole() {
  Compared studio;
  QVERIFY(studio.opened);
  app::Document& document = studio.model.document();
  const std::string large = studio.session().data[0].name, small = studio.session().data[1].name;
  document.edit("Axes", [&](app::Draft& draft) {
    draft.frame().image.notes.axes = true;
    draft.frame().image.legend = false;
  });
  studio.trigger("twoViews");
  app::showDataIn(document, 0, small);
  app::showDataIn(document, 1, large);
  qt3d::Viewport& view = studio.window.viewport();
  const Bounds its = studio.model.stage().summary(small)->bounds;
  const auto rests = [&] { return studio.viewRests() && studio.rests(); };
  // Both look from one place: there is room for what the other one shows.
  studio.trigger("fit");
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  QVERIFY(!fills(view, its));
  studio.child<QToolButton>("view2.link")->click();
  view.setFocus();
  for (const char* const how : {"fit", "resetView", "viewPlusX"}) {
    studio.trigger(how);
    QTRY_VERIFY2_WITH_TIMEOUT(fills(view, its), how, kPatienceMs);
  }
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  // Once nothing else is there at all, the axes are where they were.
  const QImage seen = studio.picture(), written = exported(studio, "both.png", {900, 500});
  QVERIFY(!seen.isNull() && written.size() == QSize(900, 500));
  document.edit("Hide", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds())
      if (document.object(id)->data == large) draft.object(id).visible = false;
  });
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  QVERIFY(fills(view, its));
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture() == seen, kPatienceMs);
  const QRect left(0, 0, 440, 500);
  QVERIFY(exported(studio, "one.png", {900, 500}).copy(left) == written.copy(left));
}

/// Without it two halves look like one data set.
void TestTwoViews::picturesOfComparedDataHaveALine() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("compareData");
  app::setDivider(studio.model.document(), 0.4);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.rests(), kPatienceMs);
  const QImage picture = exported(studio, "compared.png", {900, 500});
  QCOMPARE(picture.size(), QSize(900, 500));
  for (int y = 0; y < picture.height(); ++y)
    for (const int x : {359, 360}) QCOMPARE(picture.pixelColor(x, y), QColor(128, 128, 128));
  QVERIFY(picture.pixelColor(357, 2) == picture.pixelColor(362, 2) &&
          picture.pixelColor(357, 2) != picture.pixelColor(360, 2));
}

/// Each part has its own directions, as in the window, and its name, unless somebody has written it.
void TestTwoViews::picturesOfComparedDataSayWhichIsWhere() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("compareData");
  app::setDivider(studio.model.document(), 0.4);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.rests(), kPatienceMs);
  constexpr int kDivider = 360, kHeight = 500;
  const auto differsIn = [](const QImage& a, const QImage& b, const QRect& area) {
    return a.copy(area) != b.copy(area);
  };
  const QRect corners[] = {{0, kHeight - 130, 130, 130}, {kDivider + 1, kHeight - 130, 130, 130}},
              names[] = {{kDivider - 80, 0, 78, 30}, {kDivider + 2, 0, 78, 30}};
  const QImage with = exported(studio, "with.png", {900, kHeight});
  QVERIFY(studio.action("axes")->isChecked());
  studio.trigger("axes");
  const QImage without = exported(studio, "without.png", {900, kHeight});
  for (const QRect& corner : corners) QVERIFY(differsIn(with, without, corner));
  studio.model.document().edit("Text", [](app::Draft& draft) {
    std::string all;
    for (const session::DataSource& source : draft.frame().data) all += source.name + ", ";
    draft.frame().image.notes.texts = {{.text = all, .place = {0.5, 0.96}}};
  });
  const QImage written = exported(studio, "written.png", {900, kHeight});
  for (const QRect& name : names) {
    QVERIFY(differsIn(with, written, name));
    QVERIFY(!differsIn(with, without, name));
    // Nothing else is there.
    const QImage ground = written.copy(name);
    QVERIFY(ground.pixelColor(0, 0) == ground.pixelColor(40, 15));
  }
  // A batch run has one view, which the command says.
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("compared.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  const auto* const messages = studio.window.findChild<ui::MessageList*>();
  for (const char* const arrangement : {"", "oneView"}) {
    if (*arrangement) studio.trigger(arrangement);
    if (*arrangement) studio.model.save(studio.at("compared.json"));
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && !studio.model.document().isModified(), kPatienceMs);
    studio.trigger("copyCommand");
    QCOMPARE(messages->allText().count("Copied, of the first view alone: farfield batchvis"), 1);
    QCOMPARE(messages->allText().count("Copied: farfield batchvis"), *arrangement ? 1 : 0);
  }
}

/// The values of both count, also where one alone is seen.
void TestTwoViews::picturesOfStepsHaveTheColoursOfTheComparison() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("compareData");
  constexpr int kWidth = 600, kHeight = 400;
  studio.model.document().edit("Plain", [&](app::Draft& draft) {
    session::ImageSettings& image = draft.frame().image;
    image.legend = false;  // those of the left part lie at the left while two are compared
    image.sizePixels = {kWidth, kHeight};
    draft.frame().layout.divider = 0.6;
    // Smaller values than those of the other.
    draft.object(studio.ids[0]).color.range.reset();
  });
  if (studio.action("axes")->isChecked()) studio.trigger("axes");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  QVERIFY(studio.session().layout.over && !studio.session().objects.back().color.range);
  // Below the names of the data.
  const QRect left(0, 40, static_cast<int>(0.6 * kWidth) - 4, kHeight - 40);
  // Qt's pictures say a colour space and ours none, by which they would differ.
  const auto plain = [](QImage picture) {
    picture.setColorSpace({});
    return picture.convertToFormat(QImage::Format_RGB32);
  };
  const QImage seen = plain(exported(studio, "seen.png", {kWidth, kHeight}));
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("compared.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  studio.trigger("copyCommand");
  QStringList words = QApplication::clipboard()->text().split(' ');
  QVERIFY2(words.size() > 4 && words.contains("--view"), qPrintable(words.join(' ')));
  words.removeFirst();
  words.replaceInStrings(QRegularExpression("^'|'$"), "");
  const auto isAsSeen = [&](const QString& file) {
    const QImage picture = plain(QImage(file));
    return picture.size() == seen.size() && picture.copy(left) == seen.copy(left);
  };
  const auto run = [&](const QStringList& arguments) {
    const Outcome outcome = runFarfield(arguments, QFileInfo(studio.at("compared.json")).path());
    if (outcome.status != 0) qWarning("%s", outcome.errors.constData());
    return outcome.status == 0;
  };
  words.replace(words.indexOf("-o") + 1, "command");
  QVERIFY2(run(words), qPrintable(words.join(' ')));
  QVERIFY(isAsSeen(studio.at("command/compared.png")));
  // Without it all lies in one picture.
  QStringList all = words;
  all.remove(all.indexOf("--view"), 2);
  all.replace(all.indexOf("-o") + 1, "all");
  QVERIFY(run(all) && !isAsSeen(studio.at("all/compared.png")));
  QVERIFY(
      !runFarfield({"batchvis", "compared.json", "--view", "3"}, QFileInfo(studio.at("compared.json")).path())
           .errors.isEmpty());
  // Numbered pictures are of the same view.
  ui::AnimationChoice choice;
  choice.kind = ui::AnimationChoice::Kind::Steps;
  choice.sizePixels = {kWidth, kHeight};
  choice.stepTitle = false;
  QVERIFY(QDir().mkpath(studio.at("film")));
  studio.window.exportAnimationTo(studio.at("film"), choice);
  const auto files = [&] { return QDir(studio.at("film")).entryList({"*.png"}); };
  QTRY_VERIFY_WITH_TIMEOUT(files().size() == 1 && !studio.child<QDialog>("animationJob"), kPatienceMs);
  QVERIFY(isAsSeen(studio.at("film") + '/' + files().front()));
}

/// In title and texts, what stands in braces is what the data of that part know.
void TestTwoViews::textsAreOfWhatAPartShows() {
  Studio studio(QSize(1280, 800));
  for (const char* const name : {"sample://abc?size=9", "sample://taylor-green?size=9&steps=6"}) {
    const std::size_t had = studio.session().objects.size();
    studio.model.open({name});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() > had && studio.viewRests(),
                             kPatienceMs);
  }
  studio.trigger("compareData");
  studio.model.stage().setStep(3);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.window.views().count() == 2, kPatienceMs);
  app::Document& document = studio.model.document();
  // The one at the left has one step.
  const auto write = [&](const char* title, const char* text) {
    document.edit("Write", [&](app::Draft& draft) {
      draft.frame().image.title = title;
      draft.frame().image.notes.texts = {scene::TextNote{.text = text, .place = {0.1, 0.5}}};
    });
  };
  const auto parts = [&] {
    std::array<QImage, 2> made;
    for (std::size_t number = 0; number < 2; ++number) {
      bool done = false;
      studio.window.views().view(number).capture([&](const QImage& image) {
        made[number] = image;
        done = true;
      });
      if (!QTest::qWaitFor([&] { return done; }, kPatienceMs)) return std::array<QImage, 2>{};
    }
    // Of the one at the left as much as is seen.
    made[0] = made[0].copy(0, 0, made[0].width() / 2 - 8, made[0].height());
    made[1] = made[1].copy(made[1].width() / 2 + 8, 0, made[1].width() / 2 - 8, made[1].height());
    return made;
  };
  // What is written comes a little later than all else, at once in both.
  const auto changed = [&](const std::array<QImage, 2>& from) {
    std::array<QImage, 2> last = from;
    const bool is = QTest::qWaitFor(
        [&] {
          const std::array<QImage, 2> now = parts(), before = std::exchange(last, now);
          return now == before && now[0] != from[0] && now[1] != from[1] && studio.viewRests();
        },
        kPatienceMs);
    return is ? last : std::array<QImage, 2>{};
  };
  for (const std::size_t ofOneStep : {0, 1}) {
    const std::array<QImage, 2> before = parts();
    write("at 0", "step 0");
    const std::array<QImage, 2> first = changed(before);
    QVERIFY(!first[0].isNull());
    write("at 3", "step 3");
    const std::array<QImage, 2> third = changed(first);
    QVERIFY(!third[0].isNull());
    write("at {step}", "step {step}");
    QTRY_VERIFY_WITH_TIMEOUT(parts()[ofOneStep] == first[ofOneStep], kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(parts()[1 - ofOneStep] == third[1 - ofOneStep], kPatienceMs);
    // They go with the data that a part shows.
    write("other", "other");
    document.edit("Turn round", [&](app::Draft& draft) {
      auto& views = draft.frame().layout.views;
      std::swap(views[0].data, views[1].data);
    });
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestTwoViews test;
  return QTest::qExec(&test, count, words);
}
#include "tst_two_views.moc"
