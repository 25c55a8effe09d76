// Files that the window writes: pictures as the view shows them, commands that make them, where dialogs begin, and what is replaced.

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolButton>

#include <utility>
#include <vector>

#include "app/model/document/plot_line.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/written_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

using Kind = ui::AnimationChoice::Kind;

/// As somebody does it in the dialogs, of that size or, without one, of what is offered.
bool exportsPicture(Studio& studio, const char* name, QSize pixels = {}) {
  studio.trigger("exportImage");
  auto* const size = studio.child<QDialog>("exportImage.dialog");
  if (!size) return false;
  if (!pixels.isEmpty()) {
    size->findChild<QSpinBox*>("export.width")->setValue(pixels.width());
    size->findChild<QSpinBox*>("export.height")->setValue(pixels.height());
  }
  size->accept();
  if (!QTest::qWaitFor([&] { return studio.child<QFileDialog>({}); }, kPatienceMs)) return false;
  auto* const files = studio.child<QFileDialog>({});
  files->setDirectory(QFileInfo(studio.settingsFile).absolutePath());
  files->selectFile(name);
  QMetaObject::invokeMethod(files, "accept");
  const auto isOver = [&] {
    return QFile::exists(studio.at(name)) && !studio.child<QFileDialog>({}) &&
           !studio.child<QDialog>("exportImage.dialog");
  };
  return QTest::qWaitFor(isOver, kPatienceMs);
}

/// Saves the session, copies its command and gives it to a shell. Null where that is not one picture and nothing else.
QImage pictureOfCopiedCommand(Studio& studio) {
  studio.model.save(studio.at("shown.json"));
  if (!QTest::qWaitFor([&] { return !studio.model.document().isModified(); }, kPatienceMs)) return {};
  studio.trigger("copyCommand");
  QString command = QApplication::clipboard()->text();
  if (!command.startsWith("farfield ") || !QDir().mkpath(studio.at("shell"))) return {};
  command.replace(0, 8, "'" + studio.parts().program + "'");
  QProcess shell;
  shell.setWorkingDirectory(studio.at("shell"));
  shell.start("/bin/sh", {"-c", command});
  if (!shell.waitForFinished(kPatienceMs) || shell.exitCode() != 0) {
    qWarning("%s\n%s", qPrintable(command), shell.readAllStandardError().constData());
    return {};
  }
  // The step that is seen, and none besides; and no geometry that nobody asked for.
  const QStringList written = filesIn(studio.at("shell"), "*");
  return written.size() == 1 ? QImage(studio.at("shell") + '/' + written[0]) : QImage();
}

/// Keeps the cameras of pictures.
struct WatchedPen {
  std::map<std::string, scene::Camera> cameras;  ///< by the files' names; not while one is drawn
  std::function<void(app::AppParts&)> parts() {
    return [this](app::AppParts& parts) {
      parts.drawImage = [this, draw = parts.drawImage](const scene::Scene& scene, std::array<int, 2> size,
                                                       const std::filesystem::path& path) {
        cameras[path.filename().string()] = scene.camera;
        draw(scene, size, path);
      };
    };
  }
};

/// How much of a picture is not its background, which is white, in pixels.
double inkOf(const QImage& picture) {
  double ink = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) ink += 1 - qGray(picture.pixel(x, y)) / 255.0;
  return ink;
}

}  // namespace

class TestExports : public QObject {
  Q_OBJECT
 private slots:
  void picturesShowWhatTheViewShows_data();
  void picturesShowWhatTheViewShows();
  void linesAreAsThickAsInTheView();
  void linesOfPlotsAreThere();
  void copiedCommandsMakeTheSamePicture_data();
  void copiedCommandsMakeTheSamePicture();
  void particlesAreLetGoAsInTheView();
  void dialogsBeginWhereFilesWereWritten();
  void foldersCanBeNew();
  void picturesAsOfferedChangeNothing();
  void textsAreOfThePartTheyAreIn();
  void nothingIsReplacedUnasked();
};

void TestExports::picturesShowWhatTheViewShows_data() {
  QTest::addColumn<QSize>("pixels");
  QTest::addColumn<bool>("turned");
  for (const bool turned : {false, true})
    for (const QSize& pixels : {QSize(240, 400), QSize(640, 200)})
      QTest::addRow("%d x %d, %s", pixels.width(), pixels.height(), turned ? "turned by hand" : "automatic")
          << pixels << turned;
}

/// Whatever its shape, a picture is seen from where the view is, and shows all that it shows.
void TestExports::picturesShowWhatTheViewShows() {
  QFETCH(QSize, pixels);
  QFETCH(bool, turned);
  WatchedPen pen;
  Studio studio({1280, 800}, {}, {}, nullptr, pen.parts());
  QVERIFY(opens(studio, "sample://taylor-green?steps=3&size=9"));
  // Pictures of steps have a title of their own otherwise.
  studio.model.document().edit("Title", [](app::Draft& draft) { draft.frame().image.title = "Vortices"; });
  if (turned) {
    const QPoint middle = studio.window.viewport().rect().center();
    studio.drag(middle, middle + QPoint(90, 40));
  }
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const scene::Camera seen = studio.window.viewport().camera();
  QVERIFY(exportsPicture(studio, "seen.png", pixels));
  QCOMPARE(QImage(studio.at("seen.png")).size(), pixels);
  const scene::Camera made = pen.cameras.at("seen.png");
  const double away = length(seen.position - seen.target);
  QVERIFY(length(made.position - seen.position) < 1e-9 * away);
  QVERIFY(length(made.target - seen.target) < 1e-9 * away);
  const QSizeF view = studio.window.viewport().size();
  const double half = away * std::tan(seen.fieldOfViewDegrees * M_PI / 360);
  const scene::CameraAxes axes = scene::axesOf(seen);
  const view::ScreenMap map(made, pixels.width(), pixels.height());
  for (const double across : {-1, 1})
    for (const double upwards : {-1, 1}) {
      const auto at = map.project(seen.target + across * half * view.width() / view.height() * axes.right +
                                  upwards * half * axes.up);
      QVERIFY(at);
      QVERIFY2(QRectF(-0.01, -0.01, pixels.width() + 0.02, pixels.height() + 0.02).contains(at->x, at->y),
               qPrintable(QString("%1, %2").arg(at->x).arg(at->y)));
    }

  // And so are the pictures of animations.
  const QString folder = studio.at("film");
  QVERIFY(QDir().mkpath(folder));
  ui::AnimationChoice choice = shortTurn(2);
  choice.sizePixels = {pixels.width(), pixels.height()};
  studio.window.exportAnimationTo(folder, choice);
  QTRY_COMPARE_WITH_TIMEOUT(filesIn(folder, "*_turn_*.png").size(), 2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  const QString beginning = filesIn(folder, "*_turn_*.png")[0];
  // From farther where the turn would leave the picture, but the same way.
  const scene::Camera began = pen.cameras.at(beginning.toStdString());
  const Vec3 way = began.target - began.position, seenWay = made.target - made.position;
  QVERIFY(length(cross(way, seenWay)) < 1e-9 * length(way) * length(seenWay));
  QVERIFY(dot(way, seenWay) > 0 && length(way) > (1 - 1e-9) * length(seenWay));
  if (length(began.position - made.position) < 1e-9 * away)
    QCOMPARE(QImage(folder + '/' + beginning), QImage(studio.at("seen.png")));
  else
    QVERIFY(pixels.width() > pixels.height());
  choice.kind = Kind::Steps;
  choice.last = 1;
  studio.window.exportAnimationTo(folder, choice);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDialog>("programJob"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("programJob"), kPatienceMs);
  const QStringList steps = filesIn(folder, "taylor-green_0*.png");
  QCOMPARE(steps.size(), 2);
  QCOMPARE(QImage(folder + '/' + steps[0]), QImage(studio.at("seen.png")));
}

/// On a screen where one pixel of the window is two of the screen, which only another process can have.
void TestExports::linesAreAsThickAsInTheView() {
  if (qEnvironmentVariable("QT_SCALE_FACTOR") != "2") {
    QProcess other;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_SCALE_FACTOR", "2");
    other.setProcessEnvironment(environment);
    other.setProcessChannelMode(QProcess::MergedChannels);
    other.start(QApplication::applicationFilePath(), {"linesAreAsThickAsInTheView"});
    QVERIFY(other.waitForFinished(4 * kPatienceMs));
    const QByteArray said = other.readAll();
    QVERIFY2(other.exitStatus() == QProcess::NormalExit && other.exitCode() == 0, said.constData());
    if (said.contains("SKIP")) QSKIP(said.constData());
    return;
  }
  Studio studio({800, 560});
  QVERIFY(opens(studio, "sample://abc?size=9"));
  if (!studio.window.viewport().problem().isEmpty()) QSKIP("nothing can be drawn");
  QCOMPARE(studio.window.viewport().devicePixelRatioF(), 2.0);
  // An outline, and nothing else.
  for (const app::ObjectId id : studio.model.document().objectIds())
    if (!std::holds_alternative<session::Outline>(studio.model.document().object(id)->shape))
      studio.model.document().edit("Hide", [id](app::Draft& draft) { draft.object(id).visible = false; });
  if (studio.action("axes")->isChecked()) studio.trigger("axes");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  double view = 0;
  const auto settles = [&] {  // what was hidden is gone
    const double before = std::exchange(view, inkOf(studio.picture()));
    return view > 0 && view == before;
  };
  QVERIFY(QTest::qWaitFor(settles, kPatienceMs));
  QVERIFY(exportsPicture(studio, "seen.png"));
  const QImage picture(studio.at("seen.png"));
  QCOMPARE(picture.size(), studio.picture().size());
  const double exported = inkOf(picture);
  QVERIFY2(exported > 0.85 * view && exported < 1.15 * view,
           qPrintable(QString("%1 in the picture, %2 in the view").arg(exported).arg(view)));
  const QImage made = pictureOfCopiedCommand(studio);
  QVERIFY(!made.isNull());
  QCOMPARE(made, picture);
}

/// Beside the plot they say where it was made, also where no hand is on them.
void TestExports::linesOfPlotsAreThere() {
  Studio studio;
  studio.model.open({"sample://taylor-green?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty() && studio.viewRests(),
                           kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
  studio.trigger("plotLine");
  const app::ObjectId line = studio.newest();
  QVERIFY(app::isPlotLine(*studio.model.document().object(line)));
  for (const app::ObjectId id : studio.model.document().objectIds())
    if (id != line)
      studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(id).visible = false; });
  studio.window.pipeline().selectData("taylor-green");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  /// Of many places of the line, how many are red in a picture as large as the view.
  const std::vector<Vec3> ends = std::get<session::Probe>(studio.model.document().object(line)->shape).points;
  const auto red = [&](const QImage& picture) {
    const double scale = picture.width() / double(studio.window.viewport().width());
    int count = 0;
    for (int n = 1; n < 20; ++n) {
      const QPoint at = scale * studio.pixelOf(ends[0] + n / 20.0 * (ends[1] - ends[0]));
      bool isRed = false;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          const QColor color = picture.pixelColor(at + QPoint(dx, dy));
          isRed = isRed || color.red() > color.green() + 80;
        }
      count += isRed;
    }
    return count;
  };
  QTRY_COMPARE_WITH_TIMEOUT(red(studio.picture()), 19, kPatienceMs);
  const QSize view = studio.window.viewport().size();
  QVERIFY(exportsPicture(studio, "line.png", view));
  const auto written = [&] {
    const QImage picture(studio.at("line.png"));
    return picture.size() == view ? red(picture) : 0;
  };
  QTRY_COMPARE_WITH_TIMEOUT(written(), 19, kPatienceMs);
  // Not where it is not ticked.
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(line).visible = false; });
  QTRY_COMPARE_WITH_TIMEOUT(red(studio.picture()), 0, kPatienceMs);
}

void TestExports::copiedCommandsMakeTheSamePicture_data() {
  QTest::addColumn<Vec3>("stretch");
  QTest::newRow("as the data are") << scene::kUnstretched;
  QTest::newRow("stretched") << Vec3{1, 1, 2.5};
}

void TestExports::copiedCommandsMakeTheSamePicture() {
  QFETCH(Vec3, stretch);
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?steps=3&size=9"));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.model.stage().setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  if (stretch != scene::kUnstretched) {
    studio.trigger("stretch");
    auto* const dialog = studio.window.findChild<QDialog*>("stretchDialog");
    QVERIFY(dialog);
    auto* const z = dialog->findChild<ui::NumberEdit*>("stretch.z");
    z->selectAll();
    QTest::keyClicks(z, QString::number(stretch.z));
    QTest::keyClick(z, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.window.viewport().camera().stretch == stretch,
                             kPatienceMs);
    dialog->close();
  }
  QVERIFY(exportsPicture(studio, "seen.png", QSize(320, 200)));
  const QImage made = pictureOfCopiedCommand(studio);
  QVERIFY(!made.isNull());
  QCOMPARE(made, QImage(studio.at("seen.png")));
}

/// At the first step of the data, whatever step a picture or a series begins with; and legends are in the same order, of several data.
void TestExports::particlesAreLetGoAsInTheView() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?steps=4&size=9"));
  QVERIFY(opens(studio, "sample://cylinder?size=17,17,9&blocks=1"));
  for (const char* const kind : {"addPathlines", "addStreaklines"}) {
    studio.window.pipeline().select(studio.model.document().objectIds().front());
    studio.trigger(kind);
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
    studio.model.document().edit("Colours",
                                 [&](app::Draft& draft) { draft.object(studio.newest()).color.by = "age"; });
  }
  QCOMPARE(studio.session().objects.back().data, studio.session().objects.front().data);
  studio.model.stage().setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(exportsPicture(studio, "seen.png", QSize(320, 200)));
  const QImage seen(studio.at("seen.png")), made = pictureOfCopiedCommand(studio);
  QVERIFY(!made.isNull());
  QCOMPARE(made, seen);

  ui::AnimationChoice choice{
      .kind = Kind::Steps, .first = 2, .last = 3, .sizePixels = {320, 200}, .video = {}};
  choice.stepTitle = false;
  QVERIFY(QDir().mkpath(studio.at("steps")));
  studio.window.exportAnimationTo(studio.at("steps"), choice);
  QTRY_VERIFY_WITH_TIMEOUT(
      filesIn(studio.at("steps"), "*.png").size() == 2 && !studio.child<QDialog>("programJob"), kPatienceMs);
  QCOMPARE(QImage(studio.at("steps") + '/' + filesIn(studio.at("steps"), "*.png")[0]), seen);
}

void TestExports::dialogsBeginWhereFilesWereWritten() {
  QString settings, folder;
  TemporaryFolder kept;
  settings = QString::fromStdString((kept / "settings.ini").string());
  folder = QString::fromStdString((kept / "written").string());
  QVERIFY(QDir().mkpath(folder));
  const auto filesOf = [](Studio& studio) { return studio.child<QFileDialog>({}); };
  {
    Studio studio({1280, 800}, settings);
    QVERIFY(opens(studio, "sample://cylinder"));
    studio.trigger("exportImage");
    studio.child<QDialog>("exportImage.dialog")->accept();
    QTRY_VERIFY_WITH_TIMEOUT(filesOf(studio), kPatienceMs);
    filesOf(studio)->setDirectory(folder);
    filesOf(studio)->selectFile("wake.png");
    QMetaObject::invokeMethod(filesOf(studio), "accept");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder + "/wake.png"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!filesOf(studio), kPatienceMs);

    // Where nothing could be written nothing was: here a folder is in the way.
    QVERIFY(QDir().mkpath(folder + "/../closed/wake.png"));
    studio.trigger("exportImage");
    studio.child<QDialog>("exportImage.dialog")->accept();
    QTRY_VERIFY_WITH_TIMEOUT(filesOf(studio), kPatienceMs);
    int ends = 0;
    QObject::connect(studio.window.statusBar(), &QStatusBar::messageChanged, &studio.window,
                     [&](const QString& text) { ends += text.contains("closed/wake.png"); });
    emit filesOf(studio)->fileSelected(QDir::cleanPath(folder + "/../closed/wake.png"));
    filesOf(studio)->reject();
    QTRY_VERIFY_WITH_TIMEOUT(ends > 0 && !filesOf(studio), kPatienceMs);

    // A curve goes there, too.
    studio.trigger("plotLine");
    QTRY_VERIFY_WITH_TIMEOUT(studio.child<QToolButton>("plot.csv")->isEnabled(), kPatienceMs);
    QTest::mouseClick(studio.child<QToolButton>("plot.csv"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(filesOf(studio), kPatienceMs);
    QCOMPARE(filesOf(studio)->directory().absolutePath(), QDir(folder).absolutePath());
    QMetaObject::invokeMethod(filesOf(studio), "accept");
    QTRY_COMPARE_WITH_TIMEOUT(filesIn(folder, "*.csv").size(), 1, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!filesOf(studio), kPatienceMs);
  }
  // And the next time.
  Studio studio({1280, 800}, settings);
  QVERIFY(opens(studio, "sample://cylinder"));
  studio.trigger("save");
  QTRY_VERIFY_WITH_TIMEOUT(filesOf(studio), kPatienceMs);
  QCOMPARE(filesOf(studio)->directory().absolutePath(), QDir(folder).absolutePath());
  filesOf(studio)->reject();
}

/// Pictures can go into a folder that is not there yet.
void TestExports::foldersCanBeNew() {
  Studio studio;
  const QString base = studio.at("pictures");
  QVERIFY(QDir().mkpath(base));
  QString chosen;
  ui::askForFolder(&studio.window, studio.model.settings(), "Folder", base,
                   [&](const QString& path) { chosen = path; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  auto* const dialog = studio.child<QFileDialog>({});
  auto* const name = dialog->findChild<QLineEdit*>();
  QAbstractButton* const choose = dialog->findChild<QDialogButtonBox*>()->buttons().front();
  // Of a longer path that is not there nothing is made.
  name->clear();
  QTest::keyClicks(name, "no/such");
  QTest::qWait(0);
  QVERIFY(!choose->isEnabled());
  name->selectAll();
  QTest::keyClicks(name, "film");
  QTRY_VERIFY_WITH_TIMEOUT(choose->isEnabled(), kPatienceMs);
  QCOMPARE(name->text(), QString("film"));
  QVERIFY(!QFileInfo::exists(base + "/film"));  // only once it is chosen
  choose->click();
  QTRY_VERIFY_WITH_TIMEOUT(!chosen.isEmpty(), kPatienceMs);
  QCOMPARE(QFileInfo(chosen).absoluteFilePath(), QFileInfo(base + "/film").absoluteFilePath());
  QVERIFY(QFileInfo(chosen).isDir() && !QFileInfo::exists(base + "/no"));
}

void TestExports::picturesAsOfferedChangeNothing() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder"));
  const auto before = studio.session().image;
  studio.trigger("exportImage");
  studio.child<QDialog>("exportImage.dialog")->accept();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  studio.child<QFileDialog>({})->setDirectory(QFileInfo(studio.settingsFile).absolutePath());
  studio.child<QFileDialog>({})->selectFile("seen.png");
  QMetaObject::invokeMethod(studio.child<QFileDialog>({}), "accept");
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("writing seen.png"),
           qPrintable(studio.window.statusBar()->currentMessage()));
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("seen.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}), kPatienceMs);
  QCOMPARE(studio.session().image.sizePixels, before.sizePixels);
  QVERIFY(!studio.model.document().isModified());

  // Nor does a size that was typed, where no picture came of it.
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("exportImage.dialog"), kPatienceMs);
  studio.trigger("exportImage");
  studio.child<QSpinBox>("export.width")->setValue(320);
  studio.child<QDialog>("exportImage.dialog")->accept();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  studio.child<QFileDialog>({})->reject();
  QCOMPARE(studio.session().image.sizePixels, before.sizePixels);
  QVERIFY(!studio.model.document().isModified());
}

/// As over the views: each part of a comparison names what it shows.
void TestExports::textsAreOfThePartTheyAreIn() {
  // Of what is drawn nothing is seen but what is written over it.
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [](const scene::Scene&, std::array<int, 2> size, const std::filesystem::path& path) {
      QImage blank(size[0], size[1], QImage::Format_RGB32);
      blank.fill(Qt::white);
      blank.save(QString::fromStdString(path.string()), "PNG");
    };
  });
  for (const char* const name : {"sample://abc?size=9", "sample://taylor-green?size=9&steps=6"}) {
    const std::size_t had = studio.session().objects.size();
    studio.model.open({name});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() > had && studio.viewRests(),
                             kPatienceMs);
  }
  studio.trigger("compareData");
  studio.model.stage().setStep(3);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.window.views().count() == 2, kPatienceMs);
  /// The parts at the left and at the right.
  const auto partsWith = [&](const char* title, const char* file) {
    studio.model.document().edit("Title", [&](app::Draft& draft) { draft.frame().image.title = title; });
    QImage picture;
    if (exportsPicture(studio, file))
      (void)QTest::qWaitFor([&] { return picture.load(studio.at(file)); }, kPatienceMs);
    const int half = picture.width() / 2;
    return std::pair(picture.copy(0, 0, half, picture.height()),
                     picture.copy(half, 0, half, picture.height()));
  };
  const auto both = partsWith("at {step}", "both.png"), first = partsWith("at 0", "first.png"),
             third = partsWith("at 3", "third.png");
  QVERIFY(!both.first.isNull());
  QVERIFY(first.first != third.first && first.second != third.second);
  QVERIFY(both.first == first.first && both.second == third.second);
}

/// Files that are there are named before they are replaced, and stay unless somebody says so.
void TestExports::nothingIsReplacedUnasked() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?size=9"));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const QString folder = studio.at("results");
  QVERIFY(QDir().mkpath(folder));
  const auto put = [&](const QString& name) {
    QFile file(folder + '/' + name);
    return file.open(QIODevice::WriteOnly) && file.write("of somebody else") > 0;
  };
  const auto isAsItWas = [&](const QString& name) {
    QFile file(folder + '/' + name);
    return file.open(QIODevice::ReadOnly) && file.readAll() == "of somebody else";
  };
  const auto choose = [&] {
    auto* const files = studio.child<QFileDialog>({});
    files->setDirectory(folder);
    files->selectFile(folder);
    QMetaObject::invokeMethod(files, "accept");
  };
  const auto question = [&] { return studio.child<QMessageBox>("replaceFiles"); };
  const auto answer = [&](QMessageBox::ButtonRole role) {
    QAbstractButton* const button = buttonOf(*question(), role);
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!question(), kPatienceMs);
  };

  // Nothing is there: nothing is asked.
  studio.trigger("exportGeometry");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  choose();
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder + "/slice.vtp"), kPatienceMs);
  QVERIFY(!question());
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}), kPatienceMs);

  QVERIFY(put("slice.vtp"));
  studio.trigger("exportGeometry");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  choose();
  QTRY_VERIFY_WITH_TIMEOUT(question(), kPatienceMs);
  QVERIFY2(question()->informativeText().contains("slice.vtp"), qPrintable(question()->informativeText()));
  QCOMPARE(question()->buttonRole(question()->defaultButton()), QMessageBox::RejectRole);
  answer(QMessageBox::RejectRole);
  QVERIFY(isAsItWas("slice.vtp"));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}), kPatienceMs);

  studio.trigger("exportGeometry");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  choose();
  QTRY_VERIFY_WITH_TIMEOUT(question(), kPatienceMs);
  answer(QMessageBox::AcceptRole);
  QTRY_VERIFY_WITH_TIMEOUT(!isAsItWas("slice.vtp"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}), kPatienceMs);

  // Pictures of a turn.
  QVERIFY(put("taylor-green_turn_0001.png"));
  studio.trigger("exportAnimation");
  auto* const dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog && dialog->choice().kind == Kind::Turn);
  dialog->accept();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  choose();
  QTRY_VERIFY_WITH_TIMEOUT(question(), kPatienceMs);
  QVERIFY2(question()->text().contains("taylor-green_turn_0001.png"), qPrintable(question()->text()));
  answer(QMessageBox::RejectRole);
  QVERIFY(isAsItWas("taylor-green_turn_0001.png"));
  QCOMPARE(filesIn(folder, "*.png").size(), 1);

  // What is empty now leaves no file of before, but only where somebody says so.
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}), kPatienceMs);
  studio.model.document().edit("Place", [&](app::Draft& draft) {
    std::get<session::Slice>(draft.object(studio.newest()).shape).origin = Vec3{1e3, 1e3, 1e3};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().status(studio.newest()).stats.points == 0,
                           kPatienceMs);
  const auto files = filesIn(folder, "*.vtp").size();
  for (const auto role : {QMessageBox::RejectRole, QMessageBox::AcceptRole}) {
    QVERIFY(QFile::exists(folder + "/slice.vtp"));
    studio.trigger("exportGeometry");
    QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
    choose();
    QTRY_VERIFY_WITH_TIMEOUT(question(), kPatienceMs);
    answer(role);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QFileDialog>({}), kPatienceMs);
  }
  QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(folder + "/slice.vtp"), kPatienceMs);
  QCOMPARE(filesIn(folder, "*.vtp").size(), files - 1);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestExports test;
  return QTest::qExec(&test, count, words);
}
#include "tst_exports.moc"
