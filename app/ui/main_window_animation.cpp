// Animations as numbered pictures: of the steps of the data, by a batch run beside the window, or of the view
// going round what is shown or of particles in it, drawn from what is there; and a video of them where FFmpeg is installed. Neither touches the document.

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QProgressDialog>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "app/ui/animation_dialog.h"
#include "app/ui/main_window.h"
#include "app/ui/program_job.h"
#include "app/ui/view_controller.h"
#include "app/video/ffmpeg.h"
#include "app/video/video_writer.h"
#include "core/base/error.h"
#include "core/scene/turntable.h"

namespace farfield::ui {
namespace {
constexpr int kLookMs = 500;

bool moves(const session::Object& object) {
  if (const auto* const lines = std::get_if<session::Streamlines>(&object.shape))
    return lines->form == session::LineForm::Particles ||
           (lines->form == session::LineForm::Lines && lines->dashes);
  const auto* const texture = std::get_if<session::Lic>(&object.shape);
  return texture && texture->animated;
}
}  // namespace

void MainWindow::exportAnimation() {
  auto* const dialog = new AnimationDialog({.steps = m_model.stage().steps(),
                                            .turns = static_cast<bool>(m_model.parts().drawImage),
                                            .flows = showsWhatMoves(),
                                            .sizePixels = m_model.document().session().image.sizePixels,
                                            .videos = !app::findFfmpeg().empty()},
                                           this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const AnimationChoice choice = dialog->choice();
    auto* const folder = new QFileDialog(this, tr("Folder for the pictures"),
                                         QFileInfo(m_model.document().path()).absolutePath());
    folder->setAttribute(Qt::WA_DeleteOnClose);
    folder->setFileMode(QFileDialog::Directory);
    folder->setOption(QFileDialog::ShowDirsOnly);
    folder->setOption(QFileDialog::DontUseNativeDialog);
    connect(folder, &QFileDialog::fileSelected, this,
            [this, choice](const QString& chosen) { exportAnimationTo(chosen, choice); });
    folder->open();
  });
  dialog->open();
}

void MainWindow::exportAnimationTo(const QString& folder, const AnimationChoice& choice) {
  if (choice.kind == AnimationChoice::Kind::Steps)
    exportSteps(folder, choice);
  else
    exportSeries(folder, choice);
}

bool MainWindow::showsWhatMoves() const {
  const auto ids = m_model.document().objectIds();
  return std::any_of(ids.begin(), ids.end(), [this](app::ObjectId id) {
    const session::Object& object = *m_model.document().object(id);
    return object.visible && moves(object);
  });
}

void MainWindow::exportSteps(const QString& folder, const AnimationChoice& choice) {
  const auto place = std::make_shared<QTemporaryDir>();
  session::Session session = m_model.document().session();
  session.time = {{choice.first, choice.last}, choice.every};
  session.output = {.images = true, .geometry = false};
  session.image.sizePixels = choice.sizePixels;
  // The view as it is now, in every picture: one that followed what each step shows would jump.
  const scene::Camera seen =
      m_controller->cameraFor(static_cast<double>(choice.sizePixels[0]) / choice.sizePixels[1]);
  session::FixedCamera camera{seen.position, seen.target, seen.up, seen.fieldOfViewDegrees, {}};
  if (seen.orthographic) camera.orthographicHeight = seen.orthographicHeight;
  session.camera = camera;
  const QString file = place->filePath(suggestedName() + ".json");
  m_model.files().save(session, file, [=, this](const QString& problem) {
    if (!problem.isEmpty()) return tell(problem, true);
    QStringList command{"batchvis", file, "-o", folder};
    // The user has chosen the folder for it, and a new film of the same name takes the place of an old one.
    if (!choice.video.isEmpty())
      command << "--video" << QDir(folder).filePath(suggestedName() + choice.video) << "--frame-rate"
              << QString::number(choice.picturesPerSecond) << "--overwrite";
    ProgramJob* const job =
        runJob(tr("Pictures of the steps"), command, tr("Wrote the pictures of the steps to %1").arg(folder),
               [place] {});  // keeps the session file until the end
    // Its lines speak of one step; how far all of it is can be seen by its files.
    auto* const look = new QTimer(job);
    const QDateTime start = QDateTime::currentDateTime().addSecs(-1);
    const auto total = static_cast<int>((choice.last - choice.first) / choice.every + 1);
    connect(look, &QTimer::timeout, job, [=, this] {
      const auto written = std::make_shared<int>(0);
      m_model.files().run(
          [=] {
            for (const QFileInfo& each : QDir(folder).entryInfoList({"*.png"}, QDir::Files))
              *written += each.lastModified() >= start;
          },
          [=, guard = QPointer<ProgramJob>(job)] {
            const int done = std::min(*written, total);
            if (guard)
              guard->showProgress({100 * done / total, tr("%1 of %2 pictures").arg(done).arg(total)});
          });
    });
    look->start(kLookMs);
  });
}

void MainWindow::exportSeries(const QString& folder, const AnimationChoice& choice) {
  Shot shot = shotNow(choice.sizePixels);
  const bool turns = choice.kind == AnimationChoice::Kind::Turn;
  std::vector<scene::Camera> cameras(static_cast<std::size_t>(choice.pictures), shot.scene.camera);
  if (turns) {
    scene::Turntable turntable{choice.pictures, static_cast<double>(choice.degrees), shot.scene.camera.up};
    if (choice.axis != AnimationChoice::Axis::View) {
      turntable.axis = {};
      turntable.axis[static_cast<int>(choice.axis) - static_cast<int>(AnimationChoice::Axis::X)] = 1;
    }
    cameras = scene::camerasOf(turntable, shot.scene.camera);
  }
  auto* const progress = new QProgressDialog(tr("Drawing pictures. You can go on working."), tr("Stop"), 0,
                                             choice.pictures, this);
  progress->setObjectName("animationJob");
  progress->setWindowTitle(tr("Export animation"));
  progress->setAttribute(Qt::WA_DeleteOnClose);
  progress->setAutoClose(false);
  progress->setAutoReset(false);
  progress->setMinimumDuration(0);
  // As with other jobs Return, and Space of one who goes on working, stop nothing.
  progress->findChild<QPushButton*>()->setAutoDefault(false);
  progress->setFocusPolicy(Qt::StrongFocus);
  progress->setFocus();
  progress->setValue(0);
  // Also where the window goes before the last picture is drawn.
  const auto stopped = std::make_shared<std::stop_source>();
  connect(progress, &QObject::destroyed, [stopped] { stopped->request_stop(); });
  connect(progress, &QProgressDialog::canceled, this, [stopped] { stopped->request_stop(); });
  const auto written = std::make_shared<std::atomic<int>>(0);
  const QString name = suggestedName() + (turns ? "_turn" : "_flow");
  const auto fileOf = [folder, name](int n) {
    return QDir(folder).filePath(QStringLiteral("%1_%2.png").arg(name).arg(n, 4, 10, QChar('0')));
  };
  // On the thread that draws, which may wait.
  const auto film = [=] {
    std::vector<std::filesystem::path> pictures;
    for (int n = 0; n < choice.pictures; ++n) pictures.emplace_back(fileOf(n).toStdString());
    try {
      app::writeVideo(pictures, {.file = QDir(folder).filePath(name + choice.video).toStdString(),
                                 .picturesPerSecond = static_cast<double>(choice.picturesPerSecond),
                                 .stop = stopped->get_token()});
    } catch (const Cancelled&) {
      // The pictures are there, and it is said of them.
    }
  };
  m_model.engine().draw(
      shot.ids, shot.scene,
      [=, draw = m_model.parts().drawImage, guard = QPointer(progress)](const scene::Scene& whole) {
        scene::Scene scene = whole;
        shot.finish(scene);
        for (int n = 0; n < choice.pictures; ++n) {
          if (stopped->stop_requested()) return;
          scene.camera = cameras[static_cast<std::size_t>(n)];
          if (!turns) scene.phase = whole.phase + static_cast<double>(n) / choice.pictures;
          draw(scene, choice.sizePixels, fileOf(*written).toStdString());
          const int done = ++*written;
          QMetaObject::invokeMethod(
              qApp,
              [guard, done] {
                if (guard) guard->setValue(done);
              },
              Qt::QueuedConnection);
        }
        if (!choice.video.isEmpty()) film();
      },
      [=, this, guard = QPointer(progress)](const std::optional<app::Problem>& problem) {
        const int count = *written;
        if (problem)
          tell(tr("%1: %2").arg(folder, QString::fromStdString(problem->message)), true);
        else if (count < choice.pictures)
          tell(tr("Stopped: %1 of %2 pictures are in %3").arg(count).arg(choice.pictures).arg(folder));
        else
          tell(tr("Wrote %1 pictures to %2").arg(count).arg(folder));
        if (guard) guard->close();
      });
}

}  // namespace farfield::ui
