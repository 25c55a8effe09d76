// Animations: of steps and of turns, what is offered for them, those that are stopped and go on, and quitting meanwhile. Needs a
// display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressDialog>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QUndoStack>
#include <mutex>
#include <optional>
#include <vector>

#include "app/model/document/view_layout.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/what_is_this.h"
#include "app/video/ffmpeg.h"
#include "core/session/view_layout.h"
#include "render/color/legend.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/written_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

using Kind = ui::AnimationChoice::Kind;

}  // namespace

class TestAnimations : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void stepsAreAnimated();
  void turnsAreAnimated();
  void animationsOfferWhatWasTaken();
  void stepAndTimeMayBeLeftOut();
  void fewStepsMakeAFilm();
  void videosAreSpokenOf();
  void turnsKeepAllInThePicture();
  void filmsAreOfTheFirstView();
  void stepsAreThoseOfWhatIsShown();
  void typedNumbersStayAsTyped();
};

void TestAnimations::initTestCase() {
  skipWithoutOpenGl();
}

void TestAnimations::stepsAreAnimated() {
  Studio studio;
  studio.model.open({"sample://taylor-green?steps=4&size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("exportAnimation");
  auto* const dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog && dialog->choice().kind == ui::AnimationChoice::Kind::Steps);
  QCOMPARE(dialog->choice().last, 3);
  // The picture has no title, those of steps will.
  QVERIFY(dialog->findChild<QCheckBox*>("stepTitle")->isVisible() && dialog->choice().stepTitle);
  dialog->findChild<QSpinBox*>("every")->setValue(2);
  const ui::AnimationChoice choice = dialog->choice();
  QVERIFY(dialog->findChild<QLabel*>("count")->text().startsWith("2 "));
  dialog->reject();
  const std::uint64_t budget = studio.model.engine().memoryBytes();
  const int done = studio.model.document().undoStack().count();
  QVERIFY(QDir().mkpath(studio.at("steps")));
  studio.window.exportAnimationTo(studio.at("steps"), choice);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.engine().memoryBytes(), budget - budget / 2, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.engine().memoryBytes(), budget, kPatienceMs);
  const QStringList files = QDir(studio.at("steps")).entryList({"*.png"});
  QCOMPARE(files.size(), 2);
  QVERIFY(files[0].contains("_0000") && files[1].contains("_0002"));
  QVERIFY(studio.action("exportAnimation")->isEnabled());
  QCOMPARE(studio.model.document().undoStack().count(), done);
}

/// Of several views: with what that shows, which is not all, and this is said.
void TestAnimations::filmsAreOfTheFirstView() {
  Studio studio;
  studio.model.open({"sample://taylor-green?steps=3&size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  app::Document& document = studio.model.document();
  session::Object sheet;
  sheet.name = "sheet";
  sheet.data = studio.session().data.front().name;
  sheet.shape = session::GridSurface{};
  sheet.color.solid = {1, 0, 1, 1};  // which axes do not have
  sheet.lighting = scene::Lighting::Off;
  document.edit("Sheet", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds()) draft.object(id).visible = false;
    draft.add(sheet);
    session::Object outline = sheet;
    outline.name = "frame";
    outline.shape = session::Outline{};
    outline.color.solid = {0, 0, 1, 1};
    draft.add(outline);
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  const auto offered = [&] {
    studio.trigger("exportAnimation");
    auto* const dialog = studio.child<ui::AnimationDialog>("animation");
    const bool says = dialog->findChild<QLabel*>("firstViewNote");
    ui::AnimationChoice choice = dialog->choice();
    dialog->reject();
    choice.sizePixels = {320, 200};
    choice.video.clear();
    choice.pictures = 2;
    return std::pair(choice, says);
  };
  QVERIFY(!offered().second);
  QVERIFY(app::arrange(document, app::Arrangement::Two));
  app::showIn(document, 0, "sheet", false);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  auto [choice, says] = offered();
  QVERIFY(says);
  const auto seenIn = [](const QImage& picture) {
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor color = picture.pixelColor(x, y);
        count += color.red() > 200 && color.green() < 60 && color.blue() > 200;
      }
    return count;
  };
  for (const auto& [kind, pictures] : {std::pair(Kind::Steps, 3), std::pair(Kind::Turn, 2)})
    for (const bool shown : {false, true}) {
      if (session::isShownIn(studio.session().layout, 0, sheet) != shown)
        app::showIn(document, 0, "sheet", shown);
      QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
      const QString folder = studio.at(qPrintable(QString("film-%1-%2").arg(pictures).arg(shown)));
      QVERIFY(QDir().mkpath(folder));
      choice.kind = kind;
      studio.window.exportAnimationTo(folder, choice);
      QTRY_COMPARE_WITH_TIMEOUT(QDir(folder).entryList({"*.png"}).size(), pictures, kPatienceMs);
      QTRY_VERIFY_WITH_TIMEOUT(
          !studio.child<QDialog>("animationJob") && studio.action("exportAnimation")->isEnabled(),
          kPatienceMs);
      for (const QString& file : QDir(folder).entryList({"*.png"})) {
        const int seen = seenIn(QImage(folder + '/' + file));
        QVERIFY2(shown ? seen > 1000 : seen == 0, qPrintable(file + ": " + QString::number(seen)));
      }
    }
}

/// Other data, which the first view does not show, may have more steps.
void TestAnimations::stepsAreThoseOfWhatIsShown() {
  Studio studio;
  for (const char* const name :
       {"sample://taylor-green?steps=3&size=9", "sample://taylor-green?steps=6&size=9"}) {
    const std::size_t had = studio.session().objects.size();
    studio.model.open({name});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() > had, kPatienceMs);
  }
  const auto offered = [&] {
    studio.trigger("exportAnimation");
    auto* const dialog = studio.child<ui::AnimationDialog>("animation");
    const ui::AnimationChoice choice = dialog->choice();
    dialog->reject();
    return QTest::qWaitFor([&] { return !studio.child<ui::AnimationDialog>("animation"); }, kPatienceMs)
               ? choice.last
               : -1;
  };
  QCOMPARE(offered(), std::int64_t{5});
  QVERIFY(app::arrange(studio.model.document(), app::Arrangement::Compare));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QCOMPARE(studio.model.stage().steps(), std::int64_t{6});
  QCOMPARE(offered(), std::int64_t{2});
}

void TestAnimations::turnsAreAnimated() {
  Studio studio;
  studio.model.open({"sample://cylinder"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const int done = studio.model.document().undoStack().count();
  ui::AnimationChoice choice;
  choice.pictures = 4;
  choice.axis = ui::AnimationChoice::Axis::Z;
  choice.sizePixels = {320, 200};
  choice.nothingBehind = true;
  if (!app::findFfmpeg().empty()) choice.video = ".mp4";
  QVERIFY(QDir().mkpath(studio.at("turn")));
  studio.window.exportAnimationTo(studio.at("turn"), choice);
  // The data changes meanwhile; the pictures do not.
  studio.model.document().undoStack().undo();
  QVERIFY(studio.session().objects.empty());
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  const QStringList files = QDir(studio.at("turn")).entryList({"*.png"}, QDir::Files, QDir::Name);
  QCOMPARE(files.size(), 4);
  const QStringList films = QDir(studio.at("turn")).entryList({"*.mp4"}, QDir::Files);
  QCOMPARE(films.size(), choice.video.isEmpty() ? 0 : 1);
  std::vector<QImage> pictures;
  for (const QString& file : files) {
    pictures.emplace_back(studio.at("turn") + '/' + file);
    QCOMPARE(pictures.back().size(), QSize(320, 200));
    QVERIFY(colouredPixels(pictures.back(), pictures.back().rect()) > 100);
    QCOMPARE(pictures.back().pixelColor(2, 2).alpha(), 0);
  }
  QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[2] != pictures[3]);
  studio.model.document().undoStack().redo();
  QCOMPARE(studio.model.document().undoStack().count(), done);

  // Stopped: what is written stays, nothing more comes.
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  choice.pictures = 3000;
  QVERIFY(QDir().mkpath(studio.at("long")));
  const auto written = [&] { return QDir(studio.at("long")).entryList({"*.png"}).size(); };
  studio.window.exportAnimationTo(studio.at("long"), choice);
  QTRY_VERIFY_WITH_TIMEOUT(written() >= 2, kPatienceMs);
  auto* const stop = studio.child<QProgressDialog>("animationJob")->findChild<QPushButton*>();
  for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Space})
    QTest::keyClick(studio.child<QProgressDialog>("animationJob"), key);
  QVERIFY(!stop->autoDefault() && !stop->isDefault());
  QVERIFY(!studio.child<QProgressDialog>("animationJob")->wasCanceled());
  stop->click();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  const auto count = written();
  QVERIFY(count < 3000);
  // Pictures are drawn one after the other: what had been asked for before this one would be there.
  bool drawn = false;
  studio.model.engine().draw(
      {}, scene::Scene{}, [](const scene::Scene&) {}, [&](const auto&) { drawn = true; });
  QTRY_VERIFY_WITH_TIMEOUT(drawn, kPatienceMs);
  QCOMPARE(written(), count);
}

void TestAnimations::animationsOfferWhatWasTaken() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder"));
  const bool videos = !app::findFfmpeg().empty();
  studio.trigger("exportAnimation");
  auto* dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog);
  // As the view is, and a film where one can be made.
  const QSize view = studio.window.viewport().size() * studio.window.viewport().devicePixelRatioF();
  QCOMPARE(dialog->choice().sizePixels, (std::array{view.width() / 2 * 2, view.height() / 2 * 2}));
  QCOMPARE(dialog->choice().video, videos ? QString(".mp4") : QString());
  auto* const video = dialog->findChild<QComboBox*>("video");
  if (videos) video->setCurrentIndex(video->findText("WebM"));
  dialog->findChild<QSpinBox*>("rate")->setValue(12);
  dialog->accept();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  studio.child<QFileDialog>({})->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<ui::AnimationDialog>("animation"), kPatienceMs);
  studio.trigger("exportAnimation");
  dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog);
  QCOMPARE(dialog->choice().video, videos ? QString(".webm") : QString());
  QCOMPARE(dialog->choice().picturesPerSecond, 12);
  dialog->reject();
  // One that is too large for films keeps its shape.
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<ui::AnimationDialog>("animation"), kPatienceMs);
  studio.model.document().edit("Size", [](app::Draft& draft) {
    draft.frame().image.sizePixels = {10000, 4000};
  });
  studio.trigger("exportAnimation");
  dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog);
  QCOMPARE(dialog->choice().sizePixels, (std::array{8192, 3276}));
  dialog->reject();
}

/// The choice is offered as it was made last.
void TestAnimations::stepAndTimeMayBeLeftOut() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?steps=2&size=9"));
  const auto tick = [&] {
    return studio.child<ui::AnimationDialog>("animation")->findChild<QCheckBox*>("stepTitle");
  };
  const auto close = [&] {
    studio.child<ui::AnimationDialog>("animation")->reject();
    return QTest::qWaitFor([&] { return !studio.child<ui::AnimationDialog>("animation"); }, kPatienceMs);
  };
  studio.trigger("exportAnimation");
  QVERIFY(tick()->isChecked() && tick()->isEnabled());
  studio.child<ui::AnimationDialog>("animation")->findChild<QRadioButton*>("turn")->click();
  QVERIFY(!tick()->isEnabled());
  studio.child<ui::AnimationDialog>("animation")->findChild<QRadioButton*>("steps")->click();
  ui::AnimationChoice choice = studio.child<ui::AnimationDialog>("animation")->choice();
  tick()->click();
  QVERIFY(choice.stepTitle && !studio.child<ui::AnimationDialog>("animation")->choice().stepTitle);
  studio.child<ui::AnimationDialog>("animation")->accept();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  studio.child<QFileDialog>({})->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}) && !studio.child<ui::AnimationDialog>("animation"),
                           kPatienceMs);
  studio.trigger("exportAnimation");
  QVERIFY(!tick()->isChecked());
  QVERIFY(close());

  const auto darkAtTheTop = [&](bool titled) {
    choice.stepTitle = titled;
    choice.video.clear();
    choice.sizePixels = {400, 300};
    const QString folder = studio.at(titled ? "titled" : "untitled");
    QDir().mkpath(folder);
    studio.window.exportAnimationTo(folder, choice);
    if (!QTest::qWaitFor(
            [&] { return filesIn(folder, "*.png").size() == 2 && !studio.child<QDialog>("programJob"); },
            kPatienceMs))
      return -1;
    const QImage picture(folder + '/' + filesIn(folder, "*.png")[1]);
    int dark = 0;
    for (int y = 0; y < 26; ++y)
      for (int x = 0; x < 120; ++x) dark += qGray(picture.pixel(x, y)) < 128;
    return dark;
  };
  const int with = darkAtTheTop(true), without = darkAtTheTop(false);
  QVERIFY2(with > without + 20 && without >= 0, qPrintable(QString("%1, %2").arg(with).arg(without)));

  // A title of one's own is no step and time.
  studio.model.document().edit("Title", [](app::Draft& draft) { draft.frame().image.title = "Vortices"; });
  studio.trigger("exportAnimation");
  QVERIFY(!tick()->isVisible());
  QVERIFY(close());
}

void TestAnimations::fewStepsMakeAFilm() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?steps=12&size=9"));
  studio.trigger("exportAnimation");
  auto* dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog && dialog->choice().kind == Kind::Steps);
  // Twelve pictures at the usual speed are over before anybody looks.
  QCOMPARE(dialog->choice().picturesPerSecond, 3);
  QCOMPARE(dialog->findChild<QLabel*>("count")->text(), QString("12 numbered pictures, 4.0 s"));
  dialog->findChild<QSpinBox*>("every")->setValue(3);
  QCOMPARE(dialog->choice().picturesPerSecond, 2);
  dialog->findChild<QRadioButton*>("turn")->click();
  QCOMPARE(dialog->choice().picturesPerSecond, 25);
  // What cannot be chosen says why, where it is seen, under the cursor and when asked what it is.
  auto* const flow = dialog->findChild<QRadioButton*>("flow");
  const QString reason = dialog->findChild<QLabel*>("stillReason")->text();
  QVERIFY(!flow->isEnabled() && dialog->findChild<QLabel*>("stillReason")->isVisible());
  QVERIFY(reason.contains("particles") && reason.contains("dashes") && reason.contains("texture"));
  QCOMPARE(flow->toolTip(), reason);
  QCOMPARE(ui::WhatIsThis::textFor(flow), reason);
  // A speed that was chosen stays.
  dialog->findChild<QSpinBox*>("rate")->setValue(7);
  dialog->findChild<QRadioButton*>("steps")->click();
  QCOMPARE(dialog->choice().picturesPerSecond, 7);
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<ui::AnimationDialog>("animation"), kPatienceMs);
  studio.trigger("addStreamlines");
  const app::ObjectId lines = studio.newest();
  studio.model.document().edit("Particles", [&](app::Draft& draft) {
    std::get<session::Streamlines>(draft.object(lines).shape).form = session::LineForm::Particles;
  });
  studio.trigger("exportAnimation");
  dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog && dialog->findChild<QRadioButton*>("flow")->isEnabled());
  QVERIFY(dialog->findChild<QLabel*>("stillReason")->isHidden());
  dialog->reject();
}

void TestAnimations::videosAreSpokenOf() {
  if (app::findFfmpeg().empty()) QSKIP("there is no FFmpeg");
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder"));
  const QString folder = studio.at("film");
  QVERIFY(QDir().mkpath(folder));
  ui::AnimationChoice choice = shortTurn(4);
  choice.video = ".mp4";
  studio.window.exportAnimationTo(folder, choice);
  QTRY_COMPARE_WITH_TIMEOUT(filesIn(folder, "*.mp4").size(), 1, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  const QString said = studio.window.findChild<ui::MessageList*>()->allText();
  QVERIFY2(said.contains(QDir(folder).filePath(filesIn(folder, "*.mp4")[0])), qPrintable(said));
}

/// With the choices that are offered first, seen aslant: up is a direction of no axis.
void TestAnimations::turnsKeepAllInThePicture() {
  std::mutex mutex;
  std::vector<scene::Camera> cameras;
  Bounds shown;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [&, draw = parts.drawImage](const scene::Scene& scene, std::array<int, 2> size,
                                                  const std::filesystem::path& path) {
      if (path.string().find("_turn_") != std::string::npos) {
        const std::lock_guard lock(mutex);
        cameras.push_back(scene.camera);
        shown = scene.bounds;
      }
      draw(scene, size, path);
    };
  });
  studio.model.open({"sample://cylinder"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty() && studio.viewRests(),
                           kPatienceMs);
  const auto offered = [&](const char* note) -> std::optional<ui::AnimationChoice> {
    studio.trigger("exportAnimation");
    auto* const dialog = studio.child<ui::AnimationDialog>("animation");
    if (!dialog) return std::nullopt;
    dialog->findChild<QRadioButton*>("turn")->click();
    const bool says = dialog->findChild<QLabel*>("turnNote")->text().contains(note);
    const ui::AnimationChoice choice = dialog->choice();
    dialog->reject();
    const bool isGone =
        QTest::qWaitFor([&] { return !studio.child<ui::AnimationDialog>("animation"); }, kPatienceMs);
    return says && isGone ? std::optional(choice) : std::nullopt;
  };
  const auto said = [&] { return studio.window.findChild<ui::MessageList*>()->allText(); };
  for (const char* const view : {"viewIsometric", "viewPlusZ"}) {
    studio.trigger(view);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    auto choice = offered("stays in the picture");
    QVERIFY(choice && choice->axis == ui::AnimationChoice::Axis::View && choice->degrees == 360);
    choice->pictures = 12;
    choice->video.clear();
    cameras.clear();
    QVERIFY(QDir().mkpath(studio.at(view)));
    studio.window.exportAnimationTo(studio.at(view), *choice);
    QTRY_VERIFY_WITH_TIMEOUT(said().contains("Wrote 12 pictures to " + studio.at(view)), kPatienceMs);
    QCOMPARE(cameras.size(), 12u);
    const auto [width, height] = choice->sizePixels;
    const double free = color::partBesideLegends(width, height) * (1 - color::kLegendStrip) * width;
    for (const scene::Camera& camera : cameras) {
      const view::ScreenMap map(camera, width, height);
      for (int corner = 0; corner < 8; ++corner) {
        const auto at =
            map.project({corner & 1 ? shown.max.x : shown.min.x, corner & 2 ? shown.max.y : shown.min.y,
                         corner & 4 ? shown.max.z : shown.min.z});
        QVERIFY(at);
        QVERIFY2(at->x > 0 && at->x < free + 1 && at->y > 0 && at->y < height,
                 qPrintable(QString("%1 %2 of %3 %4").arg(at->x).arg(at->y).arg(free).arg(height)));
      }
    }
  }
  // Seen from above a disc comes near to the eye.
  QVERIFY2(said().contains(studio.at("viewPlusZ") + ", from 1."), qPrintable(said()));
  QVERIFY2(said().contains("so that all stays in the picture"), qPrintable(said()));
  // Who has gone near looks at something.
  const scene::Camera camera = studio.window.viewport().camera();
  scene::Camera near = camera;
  near.position = near.target + 0.2 * (near.position - near.target);
  studio.window.viewport().setCamera(near);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(offered("not all is in the picture"));
}

/// A number that is not taken is red and said, and no other one is taken in its place; nor do steps go backwards without a word.
void TestAnimations::typedNumbersStayAsTyped() {
  Studio studio;
  studio.model.open({"sample://taylor-green?steps=100&size=5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("exportAnimation");
  QPointer<QDialog> dialog = studio.child<QDialog>("animation");
  QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
  const auto box = [&](const char* name) { return dialog->findChild<QSpinBox*>(name); };
  const auto line = [&](const char* name) { return box(name)->findChild<QLineEdit*>(); };
  const auto isRed = [&](const char* name) {
    return line(name)->palette().color(QPalette::Text) == ui::warningColor();
  };
  const auto said = [&](const QString& name) {
    const auto* const label = dialog->findChild<QLabel*>(name + ".error");
    return label && label->isVisible() ? label->text() : QString();
  };
  const auto type = [&](const char* name, const char* text) {
    box(name)->setFocus(Qt::TabFocusReason);
    box(name)->selectAll();
    QTest::keyClicks(box(name), text);
  };
  const auto goesOn = [&] {
    return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled();
  };
  type("first", "90");
  QVERIFY(!isRed("first") && goesOn());
  type("last", "250");
  QCOMPARE(line("last")->text(), QString("250"));
  QVERIFY(isRed("last") && !goesOn());
  QCOMPARE(said("last"), QString("From 0 to 99."));
  QTest::keyClick(box("last"), Qt::Key_Return);
  QVERIFY(dialog && dialog->isVisible());
  QCOMPARE(line("last")->text(), QString("99"));
  QVERIFY(!isRed("last") && !said("last").isEmpty() && goesOn());
  type("last", "99999999999");
  QVERIFY(isRed("last") && line("last")->text() == "99999999999");
  type("last", "25");
  QVERIFY(!isRed("last") && said("last").isEmpty());
  const auto* const count = dialog->findChild<QLabel*>("count");
  QVERIFY2(count->text().contains("behind"), qPrintable(count->text()));
  QVERIFY(!goesOn());
  type("first", "10");
  QVERIFY2(count->text().startsWith("16 "), qPrintable(count->text()));
  QVERIFY(goesOn());
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatienceMs);
  studio.trigger("exportImage");
  dialog = studio.child<QDialog>("exportImage.dialog");
  QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
  type("export.width", "99999");
  QVERIFY2(line("export.width")->text().startsWith("99999"), qPrintable(line("export.width")->text()));
  QVERIFY(isRed("export.width") && said("export.width").startsWith("From 1 to ") && !goesOn());
  type("export.width", "640");
  QVERIFY(!isRed("export.width") && goesOn());
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestAnimations test;
  return QTest::qExec(&test, count, words);
}
#include "tst_animations.moc"
