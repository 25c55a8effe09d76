// Animations as numbered pictures: of the steps of the data, by a batch run beside the window, or of the view
// going round what is shown or of particles in it, drawn from what is there; and a video of them where FFmpeg is installed. Neither touches the document.

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QProgressDialog>
#include <QPushButton>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "app/model/batch_command.h"
#include "app/model/document/line_shapes.h"
#include "app/model/document/view_layout.h"
#include "app/model/fields/picture_fields.h"
#include "app/model/kept_steps.h"
#include "app/model/known_texts.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/panels/program_job.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/window/main_window.h"
#include "app/video/ffmpeg.h"
#include "app/video/video_writer.h"
#include "core/base/error.h"
#include "core/base/step_suffix.h"
#include "core/base/stoppable_waits.h"
#include "core/fields/words/dates.h"
#include "core/scene/turntable.h"
#include "core/session/session_camera.h"
#include "core/session/view_layout.h"
#include "render/color/legend.h"

namespace farfield::ui {
namespace {
constexpr int kLookMs = 500;
constexpr double kSeenFarther = 1.05;  ///< what nobody notices is not said
constexpr const char* kLastFilm = "film";

/// What a run that makes the pictures of steps writes. All calls look at its folder: not on the UI thread.
struct StepFiles {
  QString folder, video;
  QStringList pictures;
  QStringList checkpoints;  ///< that the run may leave
  int total = 0;            ///< pictures
  QDateTime start;          ///< of the run

  /// How many pictures there are.
  int written() const {
    // Others may write pictures into the folder as well.
    const auto isNew = [this](const QString& file) {
      const QFileInfo info(file);
      return info.isFile() && info.lastModified() >= start;
    };
    return static_cast<int>(std::count_if(pictures.begin(), pictures.end(), isNew));
  }
  /// Those that are to be replaced would be taken for pictures of this run by one that goes on with it.
  void removeOldPictures() const {
    for (const QString& file : pictures)
      if (const QFileInfo info(file); info.isFile() && info.lastModified() < start) QFile::remove(file);
  }
  /// The video that was to be replaced would show something else than the pictures beside it.
  void removeOldVideo() const {
    if (!video.isEmpty() && written() > 0 && QFileInfo(video).lastModified() < start) QFile::remove(video);
  }
  void removeCheckpoints() const {
    for (const QString& file : checkpoints)
      if (const QFileInfo info(file); info.isFile() && info.lastModified() >= start) QFile::remove(file);
  }
};

bool moves(const session::Object& object) {
  if (const auto* const lines = std::get_if<session::Streamlines>(&object.shape))
    return lines->form == session::LineForm::Particles ||
           (lines->form == session::LineForm::Lines && lines->dashes);
  const auto* const texture = std::get_if<session::Lic>(&object.shape);
  return texture && texture->animated;
}

/// Films are of the first of several views, with what that shows.
bool isFilmed(const session::Session& session, const session::Object& object) {
  return object.visible && session::isShownIn(session.layout, 0, object);
}

/// Of what is in a film.
Bounds filmedBounds(app::AppModel& model) {
  const session::Session& session = model.document().session();
  Bounds bounds;
  if (!session.layout.views.empty())
    for (const app::ObjectId id : model.document().objectIds())
      if (const app::ObjectStatus status = model.stage().status(id);
          status.hasPicture && isFilmed(session, *model.document().object(id)))
        bounds.add(status.bounds);
  return bounds.empty() ? model.stage().bounds() : bounds;
}

/// What the pictures and the video of a turn, or of what flows, are called, or of steps, of what is called `name`.
QString nameOfFilm(const QString& name, const AnimationChoice& choice) {
  using Kind = AnimationChoice::Kind;
  return choice.kind == Kind::Steps ? name : name + (choice.kind == Kind::Turn ? "_turn" : "_flow");
}

QString pictureOfFilm(const QString& film, int number) {
  return film + QStringLiteral("_%1.png").arg(number, 4, 10, QChar('0'));
}

/// Everything that is written into `folder`.
QStringList filesOfAnimation(const QString& folder, const QString& name, const AnimationChoice& choice) {
  const QString film = QDir(folder).filePath(nameOfFilm(name, choice));
  QStringList files;
  if (!choice.video.isEmpty()) files.append(film + choice.video);
  if (choice.kind != AnimationChoice::Kind::Steps)
    for (int n = 0; n < choice.pictures; ++n) files.append(pictureOfFilm(film, n));
  else
    for (std::int64_t step = choice.first; step <= choice.last; step += choice.every)
      files.append(film + QString::fromStdString(stepSuffix(step)) + ".png");
  return files;
}
}  // namespace

void MainWindow::exportAnimation() {
  m_time->playAction()->setChecked(false);
  app::Settings& settings = m_model.settings();
  std::array<int, 2> pixels = offeredPixelsOfOne();
  // Videos have even numbers of pixels; those of a view would get a line more.
  for (int& side : pixels) side = std::max(2, side / 2 * 2);
  const double aspect = static_cast<double>(pixels[0]) / pixels[1];
  const auto timed = app::timedInTexts(m_model);  // of what is in the pictures
  auto* const dialog = new AnimationDialog(
      {.steps = timed ? timed->description.steps() : m_model.stage().steps(),
       .turns = static_cast<bool>(m_model.parts().drawImage),
       .flows = showsWhatMoves(),
       .seesAll = scene::seesAll(m_controller->pictureCamera(aspect), filmedBounds(m_model), aspect),
       .sizePixels = pixels,
       .videos = !app::findFfmpeg().empty(),
       .severalViews = !m_model.document().session().layout.views.empty(),
       .nothingBehind = app::hasNothingBehind(m_model.document().session().image),
       .titled = !m_model.document().session().image.title.empty(),
       .last = QString::fromUtf8(settings.windowLayout(kLastFilm)),
       .dateOf =
           [timed](std::int64_t step) {
             const auto date = timed ? fields::saidDate(timed->description, step) : std::nullopt;
             return date ? QString::fromStdString(*date) : QString();
           }},
      this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const AnimationChoice choice = dialog->choice();
    m_model.settings().setWindowLayout(kLastFilm, dialog->howFilmed().toUtf8());
    askForFolder(this, m_model.settings(), tr("Folder for the pictures"),
                 QFileInfo(m_model.document().path()).absolutePath(), [this, choice](const QString& chosen) {
                   askToReplace(this, filesOfAnimation(chosen, suggestedName(), choice),
                                [=, this] { exportAnimationTo(chosen, choice); });
                 });
  });
  dialog->open();
}

void MainWindow::exportAnimationTo(const QString& folder, const AnimationChoice& choice) {
  if (choice.kind == AnimationChoice::Kind::Steps)
    exportSteps(folder, choice);
  else
    whenComplete(
        folder, [=, this, from = looksNow()] { exportSeries(folder, choice, from); },
        tr("They are of this step, seen from where you look now; what else is changed until then is in them."));
}

bool MainWindow::showsWhatMoves() const {
  const auto ids = m_model.document().objectIds();
  return std::any_of(ids.begin(), ids.end(), [this](app::ObjectId id) {
    const session::Object& object = *m_model.document().object(id);
    return isFilmed(m_model.document().session(), object) && moves(object);
  });
}

/// A batch run that makes the pictures of steps. It has a session file of its own, so what is done in the window
/// meanwhile changes nothing, also where it is stopped and goes on. Once nobody can go on with it, what only that is for goes, too.
struct MainWindow::StepPictures {
  QTemporaryDir place;  ///< where that file is
  QString name;
  QStringList command;
  StepFiles files;

  ~StepPictures() {
    QThreadPool::globalInstance()->start([its = files] {
      its.removeCheckpoints();
      its.removeOldVideo();
    });
  }
};

void MainWindow::exportSteps(const QString& folder, const AnimationChoice& choice) {
  const auto its = std::make_shared<StepPictures>();
  session::Session session = m_model.document().session();
  session.time = {{choice.first, choice.last}, choice.every};
  for (const auto& [number, release] : app::releasesInTheWindow(session))
    *app::releaseIn(session.objects[number]) = release;
  session.output = {.images = true, .geometry = false};
  session.image.sizePixels = choice.sizePixels;
  app::putNothingBehind(session.image, choice.nothingBehind);
  session.image.notes.orientation |= m_actions.at("axes")->isChecked();  // as in all pictures of the window
  // The view as it is now, in every picture: one that followed what each step shows would jump.
  const scene::Camera seen =
      m_controller->pictureCamera(static_cast<double>(choice.sizePixels[0]) / choice.sizePixels[1]);
  session.camera = session::fixedCamera(seen);
  its->files.folder = folder;
  its->name = suggestedName();
  const QString file = its->place.filePath(its->name + ".json");
  // Whether files of these names may be replaced was asked.
  its->command = {"batchvis", file, "-o", folder, "--overwrite"};
  if (const double scale = lineScaleFor(choice.sizePixels, m_viewport->size()); scale != 1)
    its->command << "--line-scale" << QString::number(scale);
  if (!choice.stepTitle) its->command << "--no-step-title";
  if (!session.layout.views.empty())
    its->command << "--view"
                 << "1";
  if (!choice.video.isEmpty()) {
    its->files.video = QDir(folder).filePath(its->name + choice.video);
    its->command << "--video" << its->files.video << "--frame-rate"
                 << QString::number(choice.picturesPerSecond);
  }
  for (const session::Object& object : session.objects)
    for (const char* const ending : {".checkpoint", ".checkpoint.paths"})
      its->files.checkpoints << QDir(folder).filePath(QString::fromStdString(object.name) + ending);
  AnimationChoice alone = choice;
  alone.video.clear();
  its->files.pictures = filesOfAnimation(folder, its->name, alone);
  its->files.total = static_cast<int>((choice.last - choice.first) / choice.every + 1);
  its->files.start = QDateTime::currentDateTime().addSecs(-1);
  const auto problem = std::make_shared<QString>();
  m_model.files().look(
      [=, known = app::knownSteps(m_model.document(), m_model.stage())]() mutable {
        *problem = app::keepSteps(session, known);
        if (problem->isEmpty()) *problem = app::saveSession(session, file).problem;
      },
      [=, this, guard = QPointer(this)] {
        if (!guard) return;
        if (problem->isEmpty()) return runSteps(its, false);
        tell(*problem, true);
        m_notice->say(
            tr("No picture of the animation was made. Why: %1").arg(*problem), tr("Try again"),
            [=, this] { exportSteps(folder, choice); }, {}, folder);
      });
}

void MainWindow::runSteps(const std::shared_ptr<const StepPictures>& its, bool goesOn) {
  const auto made = [=, this] {
    noteWritten(m_model.settings(), its->files.folder);
    return its->files.video.isEmpty()
               ? tr("Wrote the pictures of the steps to %1").arg(its->files.folder)
               : tr("Wrote the pictures of the steps and the video %1").arg(its->files.video);
  };
  const auto goOn = [=, this] {
    m_model.files().look([its] { its->files.removeOldPictures(); },
                         [=, this, guard = QPointer(this)] {
                           if (guard) runSteps(its, true);
                         });
  };
  const auto offerRest = [=, this](bool failed) {
    const auto written = std::make_shared<int>(0);
    m_model.files().look(
        [=] {
          *written = its->files.written();
          its->files.removeOldVideo();
        },
        [=, this, guard = QPointer(this)] {
          if (!guard) return;
          const QString said = failed ? tr("%1 of %2 pictures are in %3; why not the others, Messages say.")
                                      : tr("Stopped: %1 of %2 pictures are in %3.");
          m_notice->say(said.arg(*written).arg(its->files.total).arg(its->files.folder),
                        *written == 0 ? tr("Try again") : tr("Go on with the rest"), goOn, {},
                        its->files.folder);
        });
  };
  ProgramJob* const job = runJob(
      tr("Pictures of the steps"), goesOn ? its->command + QStringList{"--resume"} : its->command, made,
      [=] { offerRest(false); }, [=] { offerRest(true); });
  if (!job) {
    if (goesOn) offerRest(false);  // still
    return;
  }
  m_notice->unsay(its->files.folder);
  // Its lines speak of one step; how far all of it is can be seen by its files. One look at a time: where that takes long, what is saved
  // or opened meanwhile would wait behind many.
  auto* const look = new QTimer(job);
  look->setSingleShot(true);
  connect(look, &QTimer::timeout, job, [=, this] {
    const auto written = std::make_shared<int>(0);
    m_model.files().look(
        [=] { *written = its->files.written(); },
        [=, guard = QPointer<ProgramJob>(job)] {
          if (!guard) return;
          const int total = its->files.total, done = *written;
          const bool films = done == total && !its->files.video.isEmpty();
          guard->showProgress(
              {100 * done / total, films ? tr("All pictures are there; the video is made of them …")
                                         : tr("%1 of %2 pictures").arg(done).arg(total)});
          look->start(kLookMs);
        });
  });
  look->start(kLookMs);
}

/// Pictures of one moment: of a turn, or of what moves by itself.
struct MainWindow::Series {
  QString folder, name;
  AnimationChoice choice;
  Shot shot;
  std::vector<scene::Camera> cameras;
  double farther = 1;      ///< scene::Turn
  session::Session shown;  ///< as it was at the beginning
  std::int64_t step = 0;

  QString fileOf(int n) const { return QDir(folder).filePath(pictureOfFilm(name, n)); }
  QString video() const { return QDir(folder).filePath(name + choice.video); }
  bool turns() const { return choice.kind == AnimationChoice::Kind::Turn; }
};

void MainWindow::exportSeries(const QString& folder, const AnimationChoice& choice, const Looks& from) {
  const auto series = std::make_shared<Series>();
  series->choice = choice;
  series->folder = folder;
  series->name = nameOfFilm(suggestedName(), choice);
  const session::Session& session = m_model.document().session();
  series->shot = shotNow(choice.sizePixels, from);
  std::erase_if(series->shot.ids,
                [&](app::ObjectId id) { return !isFilmed(session, *m_model.document().object(id)); });
  series->shot.scene.background[3] = choice.nothingBehind ? 0.0F : 1.0F;
  series->shown = m_model.document().session();
  series->step = m_model.stage().step();
  const scene::Camera& camera = series->shot.scene.camera;
  series->cameras.assign(static_cast<std::size_t>(choice.pictures), camera);
  if (series->turns()) {
    scene::Turntable turntable{choice.pictures, static_cast<double>(choice.degrees), camera.up};
    if (choice.axis != AnimationChoice::Axis::View) {
      turntable.axis = {};
      turntable.axis[static_cast<int>(choice.axis) - static_cast<int>(AnimationChoice::Axis::X)] = 1;
    }
    const auto [width, height] = choice.sizePixels;
    scene::PictureRoom room;
    if (series->shot.legend) room.right = (1 + room.right) * color::partBesideLegends(width, height) - 1;
    scene::Turn turn =
        scene::turnOf(turntable, camera, filmedBounds(m_model), static_cast<double>(width) / height, room);
    series->cameras = std::move(turn.cameras);
    series->farther = turn.farther;
  }
  drawSeries(series, 0);
}

void MainWindow::drawSeries(const std::shared_ptr<const Series>& series, int first) {
  const AnimationChoice& choice = series->choice;
  m_notice->unsay(series->fileOf(0));
  QProgressDialog* const progress =
      makeJobDialog("animationJob", tr("Export animation"), tr("Drawing pictures. You can go on working."),
                    choice.pictures, this);
  progress->setAttribute(Qt::WA_DeleteOnClose);
  progress->setMinimumDuration(0);
  progress->setValue(first);
  // Also where the window goes before the last picture is drawn.
  const auto stopped = std::make_shared<std::stop_source>();
  connect(progress, &QObject::destroyed, [stopped] { stopped->request_stop(); });
  connect(progress, &QProgressDialog::canceled, this, [stopped] { stopped->request_stop(); });
  const auto written = std::make_shared<std::atomic<int>>(first);
  const auto filmed = std::make_shared<std::atomic<bool>>(series->choice.video.isEmpty());
  const auto show = [guard = QPointer(progress)](int value, const QString& text) {
    QMetaObject::invokeMethod(
        qApp,
        [=] {
          if (!guard || guard->wasCanceled()) return;
          guard->setLabelText(text);
          guard->setValue(value);
        },
        Qt::QueuedConnection);
  };
  const QString draws = progress->labelText(),
                films = tr("All pictures are there; the video is made of them …");
  // On the thread that draws, which may wait.
  const auto film = [=] {
    std::vector<std::filesystem::path> pictures;
    for (int n = 0; n < series->choice.pictures; ++n) pictures.emplace_back(series->fileOf(n).toStdString());
    show(0, films);
    const scene::Rgba& behind = series->shown.image.background;
    try {
      app::writeVideo(pictures, {.file = series->video().toStdString(),
                                 .picturesPerSecond = static_cast<double>(series->choice.picturesPerSecond),
                                 .background = {behind[0], behind[1], behind[2]},
                                 .stop = stopped->get_token(),
                                 .progress = [&](std::size_t done, std::size_t) {
                                   show(static_cast<int>(done), films);
                                 }});
      *filmed = true;
    } catch (const Cancelled&) {
      // The pictures are there, and it is said of them.
    }
  };
  m_model.engine().draw(
      series->shot.ids, series->shot.scene,
      [=, draw = m_model.parts().drawImage](const scene::Scene& whole) {
        const StoppableWaits waits(stopped->get_token());
        scene::Scene scene = whole;
        series->shot.finish(scene);
        // Those that were written before its data were planned anew stay.
        for (int n = *written; n < series->choice.pictures; ++n) {
          if (stopped->stop_requested()) return;
          scene.camera = series->cameras[static_cast<std::size_t>(n)];
          if (!series->turns()) scene.phase = whole.phase + static_cast<double>(n) / series->choice.pictures;
          draw(scene, series->choice.sizePixels, series->fileOf(n).toStdString());
          // The video that is to be replaced shows something else from here on.
          if (n == 0 && !series->choice.video.isEmpty()) QFile::remove(series->video());
          show(++*written, draws);
        }
        if (!*filmed) film();
      },
      [=, this, guard = QPointer(progress)](const std::optional<app::Problem>& problem) {
        if (guard) guard->close();
        endSeries(series, *written, *filmed, problem);
      },
      stopped->get_token());
}

void MainWindow::endSeries(const std::shared_ptr<const Series>& series, int count, bool filmed,
                           const std::optional<app::Problem>& problem) {
  const int all = series->choice.pictures;
  const QString& folder = series->folder;
  if (count > 0) noteWritten(m_model.settings(), folder);
  if (!problem && count == all && filmed) {
    QString said = series->choice.video.isEmpty()
                       ? tr("Wrote %1 pictures to %2").arg(all).arg(folder)
                       : tr("Wrote %1 pictures and the video %2").arg(all).arg(series->video());
    if (series->farther > kSeenFarther)
      said += tr(", from %1 times as far as the view, so that all stays in the picture")
                  .arg(series->farther, 0, 'f', 1);
    return tell(said);
  }
  if (problem) tell(tr("%1: %2").arg(folder, QString::fromStdString(problem->message)), true);
  const QString there = count < all
                            ? tr("Stopped: %1 of %2 pictures are in %3").arg(count).arg(all).arg(folder)
                            : tr("Stopped: all %1 pictures are in %2, but no video").arg(all).arg(folder);
  if (!problem) tell(there);
  // Why stays to be read, where the way to go on is.
  const QString why = problem ? ' ' + tr("Why: %1").arg(QString::fromStdString(problem->message)) : QString();
  offerRest(series, count, there + '.' + why);
}

void MainWindow::offerRest(const std::shared_ptr<const Series>& series, int count, const QString& there) {
  m_notice->say(
      there, count == 0 ? tr("Try again") : tr("Go on with the rest"),
      [=, this] {
        session::Session now = m_model.document().session();
        // From where those pictures look is known.
        now.camera = series->shown.camera;
        now.views = series->shown.views;
        const bool isSame = now == series->shown && m_model.stage().step() == series->step;
        if (isSame || count == series->choice.pictures) return drawSeries(series, count);
        warn(
            tr("The rest of the pictures would show something else."),
            tr("What is shown has changed since. Undo the changes and go on, or export the animation again."));
        offerRest(series, count, there);
      },
      {}, series->fileOf(0));
}

}  // namespace farfield::ui
