// What the window does with files: opening, saving, exporting.

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QGroupBox>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStatusBar>
#include <QTemporaryFile>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/first/first_objects.h"
#include "app/model/batch_command.h"
#include "app/model/document/kept_views.h"
#include "app/model/document/volume_looks.h"
#include "app/model/fields/picture_fields.h"
#include "app/model/files/series_names.h"
#include "app/model/kept_steps.h"
#include "app/model/known_texts.h"
#include "app/model/stage/view_bounds.h"
#include "app/model/words/some_names.h"
#include "app/ui/dialogs/export_image_dialog.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/dialogs/open_preview.h"
#include "app/ui/editors/plot3d_options.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/panels/view_panel.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/window/awaited_objects.h"
#include "app/ui/window/main_window.h"
#include "core/scene/legend_looks.h"
#include "core/scene/legend_title.h"
#include "core/scene/line_scale.h"
#include "core/session/legend_owner.h"
#include "core/session/session_camera.h"

namespace farfield::ui {
namespace {

QString folderOf(const QString& path) {
  return path.isEmpty() ? QDir::currentPath() : QFileInfo(path).absolutePath();
}

/// What a file holds is seen before it is opened.
OpenPreview* addPreview(QFileDialog& dialog, app::AppModel& model,
                        OpenPreview::Folders folders = OpenPreview::Folders::GoneInto) {
  const QString& program = model.parts().program;
  auto* const preview = new OpenPreview(program.isEmpty() ? QCoreApplication::applicationFilePath() : program,
                                        &dialog, folders);
  if (auto* const grid = qobject_cast<QGridLayout*>(dialog.layout()))
    grid->addWidget(preview, 0, grid->columnCount(), grid->rowCount(), 1);
  preview->follow(dialog);
  // Names of results are long.
  const QFontMetrics letters = dialog.fontMetrics();
  keepSize(dialog, model.settings(), "files.open",
           {letters.averageCharWidth() * 136 + preview->minimumSizeHint().width(), letters.height() * 32});
  return preview;
}

}  // namespace

void MainWindow::openDialog() {
  QFileDialog* const dialog =
      newOpenDialog(this, tr("Open data or a session"), m_model.settings().lastFolder());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  const auto patterns = [](const QStringList& endings) { return "(*." + endings.join(" *.") + ")"; };
  const QString plot3d = tr("PLOT3D %1").arg(patterns(app::plot3dEndings()));
  QStringList filters{tr("All files (*)"), tr("Sessions (*.json)"), plot3d,
                      tr("Paged stores %1").arg(patterns(app::storeEndings()))};
  for (const app::FileFormat& format : app::markedFormats())
    filters.append(format.name + " " + patterns(format.endings));
  dialog->setNameFilters(filters);
  prepareFileDialog(*dialog);
  // Who knows how a PLOT3D file was written can say so before it is opened.
  auto* const written = new QGroupBox(tr("How PLOT3D files were written"), dialog);
  written->setObjectName("open.plot3d");
  auto* const column = new QVBoxLayout(written);
  auto* const choices = new Plot3dOptions(2, written);
  column->addWidget(choices);
  if (auto* const grid = qobject_cast<QGridLayout*>(dialog->layout()))
    grid->addWidget(written, grid->rowCount(), 0, 1, grid->columnCount());
  written->hide();
  const auto* const preview = addPreview(*dialog, m_model);
  connect(dialog, &QFileDialog::filterSelected, written,
          [written, plot3d](const QString& filter) { written->setVisible(filter == plot3d); });
  connect(dialog, &QFileDialog::filesSelected, this,
          [this, choices, written, preview](const QStringList& paths) {
            m_model.settings().setLastFolder(QFileInfo(paths.front()).absolutePath());
            const auto numbers = preview->options();
            const bool isPlot3d = numbers.empty() && written->isVisibleTo(written->parentWidget());
            openPaths(paths, isPlot3d ? choices->options() : numbers);
          });
  dialog->open();
}

void MainWindow::openPaths(const QStringList& paths, const std::map<std::string, std::string>& options) {
  if (paths.isEmpty()) return;
  // Folders and files may be slow to answer.
  const auto picked = std::make_shared<app::Picked>();
  m_model.files().look(
      [picked, paths, options] {
        *picked = app::PathSorter::sort(paths);
        for (app::DataFiles& files : picked->data) files.options = options;
      },
      [this, picked, guard = QPointer(this)] {
        if (!guard) return;
        // Only a session takes the place of what is there.
        if (picked->session.isEmpty() || mayClose([=, this] { m_model.openPicked(*picked); }))
          m_model.openPicked(*picked);
      });
}

void MainWindow::openFolderDialog() {
  QFileDialog* const dialog =
      newFileDialog(this, tr("Open a folder of data"), m_model.settings().lastFolder());
  dialog->setObjectName("openFolder");
  dialog->setFileMode(
      QFileDialog::Directory);  // files are shown as well: who looks for data knows a folder by them
  dialog->setLabelText(QFileDialog::Accept, tr("Open"));
  prepareFileDialog(*dialog);
  const auto* const preview = addPreview(*dialog, m_model, OpenPreview::Folders::Opened);
  connect(dialog, &QFileDialog::fileSelected, this, [this, preview](const QString& folder) {
    m_model.settings().setLastFolder(QFileInfo(folder).absolutePath());
    openPaths({folder}, preview->options());
  });
  dialog->open();
}

void MainWindow::askForGrid(const std::string& dataName) {
  const session::DataSource* const source = m_model.document().session().find(dataName);
  if (!source) return;
  const QString file = QString::fromStdString(m_model.document().session().resolve(source->source.front()));
  QFileDialog* const dialog =
      newFileDialog(this, tr("The grid of %1").arg(app::shownPattern(QFileInfo(file).fileName())),
                    QFileInfo(file).absolutePath());
  dialog->setObjectName("chooseGrid");
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(tr("All files (*)"));
  prepareFileDialog(*dialog);
  QStringList solutions;
  for (const std::string& each : source->source)
    solutions.append(QString::fromStdString(m_model.document().session().resolve(each)));
  addPreview(*dialog, m_model)->setSolutions(solutions);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, dataName](const QString& grid) { m_model.giveGrid(dataName, grid); });
  dialog->open();
}

QString MainWindow::suggestedName() const {
  if (!m_model.document().path().isEmpty()) return QFileInfo(m_model.document().path()).completeBaseName();
  const auto& sources = m_model.document().session().data;
  return sources.empty() ? QStringLiteral("session") : QString::fromStdString(sources.front().name);
}

void MainWindow::save(bool as) {
  restViews();
  const QString path = m_model.document().path();
  if (!as && !path.isEmpty()) return m_model.save(path);
  m_time->playAction()->setChecked(false);  // as for a picture: the session keeps the step
  // A session that has a file stays beside it, whatever else is written.
  const QString name = path.isEmpty() ? suggestedName() + ".json" : path;
  askForNewFile(
      this, m_model.settings(),
      {tr("Save the session"), tr("Sessions (*.json)"), "json", name, folderOf(path)},
      [this](const QString& chosen) { m_model.save(chosen, true); }, [this] { m_afterSave = nullptr; });
}

void MainWindow::askToReplaceSession(const QString& path) {
  auto* const box = new QMessageBox(QMessageBox::Warning, tr("Farfield"),
                                    tr("%1 was changed by somebody else since it was opened or saved here.")
                                        .arg(QFileInfo(path).fileName()),
                                    QMessageBox::NoButton, this);
  box->setObjectName("changedElsewhere");
  box->setInformativeText(tr("What was changed there is lost where it is replaced. It is not saved yet."));
  QPushButton* const other = box->addButton(tr("Save &as …"), QMessageBox::AcceptRole);
  QPushButton* const replace = box->addButton(tr("&Replace it"), QMessageBox::DestructiveRole);
  QPushButton* const cancel = box->addButton(QMessageBox::Cancel);
  box->setDefaultButton(other);
  box->setEscapeButton(cancel);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, this, [=, this] {
    if (box->clickedButton() == other) return save(true);
    if (box->clickedButton() == replace) return m_model.save(path, true);
    m_afterSave = nullptr;
  });
  box->open();
}

bool MainWindow::mayClose(std::function<void()> then, const QString& why) {
  const QList<PendingFile*> files = findChildren<PendingFile*>();
  const auto drawn =
      std::find_if(files.begin(), files.end(), [](const PendingFile* file) { return !file->canBeStopped; });
  if (drawn == files.end()) return mayReplace(std::move(then), why);
  auto* const box = new QMessageBox(QMessageBox::Question, tr("Farfield"),
                                    tr("%1 is not written yet.").arg(QFileInfo((*drawn)->path).fileName()),
                                    QMessageBox::NoButton, this);
  box->setObjectName("unwritten");
  box->setInformativeText(
      tr("It shows what is open now, and is left out where that goes. Without an answer it goes on once "
         "the picture is written."));
  QPushButton* const leave = box->addButton(tr("&Leave it out"), QMessageBox::DestructiveRole);
  QPushButton* const stay = box->addButton(tr("&Stay"), QMessageBox::RejectRole);
  box->setDefaultButton(stay);
  box->setEscapeButton(stay);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(
      *drawn, &QObject::destroyed, box,
      [=, this] {
        box->reject();
        if (mayClose(then, why)) then();
      },
      Qt::QueuedConnection);
  const auto leaveOut = [=, this] {
    for (PendingFile* const file : findChildren<PendingFile*>())
      if (!file->canBeStopped) file->unwanted.request_stop();
    then();
  };
  connect(box, &QMessageBox::finished, this, [=, this] {
    if (box->clickedButton() == leave && mayReplace(leaveOut, why)) leaveOut();
  });
  box->open();
  return false;
}

bool MainWindow::mayReplace(std::function<void()> then, const QString& why) {
  restViews();
  if (!m_model.document().isModified() || m_model.document().session().data.empty()) return true;
  auto* const box = new QMessageBox(QMessageBox::Question, tr("Farfield"),
                                    tr("Save the changes to %1?").arg(m_model.document().title()),
                                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box->setObjectName("saveChanges");
  box->button(QMessageBox::Save)->setText(tr("&Save"));
  box->button(QMessageBox::Discard)->setText(tr("&Discard"));
  const QString lost = tr("They are lost otherwise.");
  box->setInformativeText(why.isEmpty() ? lost : why + ' ' + lost);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, this, [this, then = std::move(then)](int result) {
    if (result == QMessageBox::Discard) {
      then();
    } else if (result == QMessageBox::Save) {
      // What was changed while it was being written is not in the file.
      m_afterSave = [this, then] {
        if (mayReplace(then, tr("They came while the session was being saved."))) then();
      };
      save(false);
    }
  });
  box->open();
  return false;
}

MainWindow::Looks MainWindow::looksNow() const {
  const session::Session& session = m_model.document().session();
  return {session.camera, session.layout, m_viewport->size()};
}

MainWindow::Shot MainWindow::shotNow(std::array<int, 2> sizePixels, const Looks& from,
                                     std::size_t view) const {
  const session::ImageSettings image = app::withKnownTexts(m_model.document().session().image, m_model, view);
  Shot shot;
  shot.legend = image.legend;
  shot.legends = image.legends;
  shot.scene.bounds = m_model.stage().bounds();
  const double aspect = static_cast<double>(sizePixels[0]) / sizePixels[1];
  shot.scene.camera = m_controller->pictureCamera(from.camera, from.seen, aspect);
  shot.lineScale = lineScaleFor(sizePixels, from.seen);
  shot.scene.background = image.background;
  shot.scene.title = image.title;
  shot.scene.notes = image.notes;
  shot.scene.clip = image.clip;
  shot.scene.phase = image.phase;
  shot.scene.notes.orientation = image.notes.orientation || m_actions.at("axes")->isChecked();
  for (const app::ObjectId id : m_model.document().objectIds())
    if (m_model.document().object(id)->visible && m_model.stage().status(id).hasPicture) {
      shot.ids.push_back(id);
      const session::Object& object = *m_model.document().object(id);
      shot.scales[object.name] = m_model.stage().status(id).scale;
      shot.legendOwners[object.name] = session::legendOwner(object, m_model.document().session());
    }
  return shot;
}

void MainWindow::Shot::finish(scene::Scene& whole) const {
  for (scene::SceneItem& item : whole.items) {
    if (const auto found = scales.find(item.name);
        found != scales.end() && (item.colored || found->second.map.inks)) {
      item.colored = true;
      item.scale = found->second;
    }
    const auto its = legendOwners.find(item.name);
    if (const auto* const look = scene::legendLook(
            legends, its == legendOwners.end() ? std::string() : its->second, item.scale.title))
      scene::setLegend(item.scale, *look);
    if (!legend) item.scale.title.clear();
  }
  scene::scaleLines(whole, lineScale);
}

double MainWindow::lineScaleFor(std::array<int, 2> sizePixels, QSize seen) const {
  const double exact = std::min(static_cast<double>(sizePixels[0]) / std::max(1, seen.width()),
                                static_cast<double>(sizePixels[1]) / std::max(1, seen.height()));
  // Few digits, because commands say it; in small pictures thinner lines would fade.
  return std::clamp(std::round(100 * exact) / 100, 1.0, scene::kMostLineScale);
}

void MainWindow::drawView(const std::variant<session::AutoCamera, session::FixedCamera>& camera,
                          std::array<int, 2> sizePixels, std::function<void(QImage)> done) {
  Shot shot = shotNow(sizePixels, looksNow());
  // Volumes would be cast to the end, for which data may have to be read that nobody looks at: they are seen in the view
  // alone, from where it looks.
  const bool hasVolumes = std::any_of(shot.ids.begin(), shot.ids.end(), [this](app::ObjectId id) {
    return app::volumeIn(*m_model.document().object(id)) != nullptr;
  });
  if (hasVolumes || !m_model.parts().drawImage) {
    if (camera != m_model.document().session().camera) return done({});
    m_viewport->capture([sizePixels, done](const QImage& whole) {
      const QSize size(sizePixels[0], sizePixels[1]);
      const QImage filled = whole.scaled(size, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
      done(filled.copy(
          QRect(QPoint((filled.width() - size.width()) / 2, (filled.height() - size.height()) / 2), size)));
    });
    return;
  }
  shot.scene.camera =
      session::cameraOf(camera, shot.scene.bounds, static_cast<double>(sizePixels[0]) / sizePixels[1]);
  shot.scene.notes = {};
  shot.scene.title.clear();
  shot.legend = false;
  const auto file = std::make_shared<QTemporaryFile>(QDir::tempPath() + "/farfield-XXXXXX.png");
  if (!file->open()) return done({});
  file->close();
  m_model.engine().draw(
      shot.ids, shot.scene,
      [draw = m_model.parts().drawImage, sizePixels, shot,
       path = file->fileName().toStdString()](const scene::Scene& whole) {
        scene::Scene shown = whole;
        shot.finish(shown);
        for (scene::SceneItem& item : shown.items) item.markLook.texts = false;
        draw(shown, sizePixels, path);
      },
      [file, done](const std::optional<app::Problem>& problem) {
        done(problem ? QImage() : QImage(file->fileName()));
      });
}

void MainWindow::keepView() {
  restViews();
  const std::string name = app::keepView(m_model.document(), seenIn());
  tell(tr("Kept as “%1”, in the panel Views.").arg(QString::fromStdString(name)));
}

/// The view that keys and commands move.
app::SeenIn MainWindow::seenIn() const {
  const std::size_t number = m_group->activeOnItsOwn();
  const qt3d::Viewport& view = m_group->view(number);
  return {view.height() > 0 ? static_cast<double>(view.width()) / view.height() : 1, number};
}

void MainWindow::flyTo(const std::string& view) {
  const app::SeenIn seen = seenIn();
  if (seen.number > 0) m_group->rest();
  app::goToView(m_model.document(), view, seen,
                [this](const session::AutoCamera& camera) { return m_controller->fittedCamera(camera); });
}

std::array<int, 2> MainWindow::seenPixels() const {
  const double ratio = m_viewport->devicePixelRatioF();
  const QSize shown = m_group->count() > 1 ? m_group->size() : m_viewport->size();
  return {std::max(1, static_cast<int>(std::lround(shown.width() * ratio))),
          std::max(1, static_cast<int>(std::lround(shown.height() * ratio)))};
}

std::array<int, 2> MainWindow::offeredPixels() const {
  const std::array<int, 2> kept = m_model.document().session().image.sizePixels;
  return kept == session::ImageSettings{}.sizePixels ? seenPixels() : kept;
}

std::array<int, 2> MainWindow::offeredPixelsOfOne() const {
  const std::array<int, 2> offered = offeredPixels();
  if (m_group->count() == 1 || offered != seenPixels()) return offered;
  const QSizeF size = QSizeF(m_viewport->size()) * m_viewport->devicePixelRatioF();
  return {std::max(1, qRound(size.width())), std::max(1, qRound(size.height()))};
}

void MainWindow::exportImage() {
  m_time->playAction()->setChecked(false);  // what is written is the step at which it was asked for
  const std::array<int, 2> offered = offeredPixels();
  const bool wasTransparent = app::hasNothingBehind(m_model.document().session().image);
  auto* const size = new ExportImageDialog(offered, seenPixels(), wasTransparent, this);
  size->setAttribute(Qt::WA_DeleteOnClose);
  connect(size, &QDialog::accepted, this, [=, this] {
    const std::array<int, 2> pixels = size->sizePixels();
    const bool isTransparent = size->isTransparent();
    askForNewFile(this, m_model.settings(),
                  {tr("Export picture"), tr("Pictures (*.png)"), "png", suggestedName() + ".png",
                   folderOf(m_model.document().path())},
                  [=, this](const QString& path) {
                    // What was offered and taken is no change of the session.
                    if (pixels != offered || isTransparent != wasTransparent)
                      m_model.document().edit(
                          pixels != offered ? tr("Size of pictures") : tr("What is behind pictures"),
                          [&](app::Draft& draft) {
                            draft.frame().image.sizePixels = pixels;
                            app::putNothingBehind(draft.frame().image, isTransparent);
                          });
                    exportImageTo(path, pixels);
                  });
  });
  size->open();
}

void MainWindow::tellWritten(const QString& path, const std::optional<app::Problem>& problem,
                             const QStringList& missing) {
  if (!problem) noteWritten(m_model.settings(), path);
  if (!problem && !missing.isEmpty()) {
    const auto said = [&](const QString& file) {
      return tr("Wrote %1 without this, which could not be computed: %2.")
          .arg(file, app::someNames(missing, ", "));
    };
    tell(said(path), true);
    m_notice->say(said(QFileInfo(path).fileName()), {}, {}, {}, path);
  } else if (!problem) {
    tell(tr("Wrote %1").arg(path));
    // Others are said to be on their way until they are there.
    if (const PendingFile* const next = pendingFile(); next && !next->canBeStopped) sayDrawing(next->path);
  } else {
    const QString why = QString::fromStdString(problem->message);
    tell(why.contains(path) ? why : tr("%1: %2").arg(path, why), true);
  }
  showSights();
}

void MainWindow::tellLeftOut(const QString& path) {
  tell(tr("%1 is not written: it was left out.").arg(QFileInfo(path).fileName()));
  showSights();
}

void MainWindow::exportImageTo(const QString& path, std::array<int, 2> sizePixels) {
  restViews();
  whenComplete(
      path, [=, this, from = looksNow()] { drawImageTo(path, sizePixels, from); },
      tr("It is of this step, seen from where you look now; what else is changed until then is in it."));
}

void MainWindow::drawImageTo(const QString& path, std::array<int, 2> sizePixels, const Looks& from) {
  if (!m_model.parts().drawImage) {
    // A build without the batch renderer: what the view shows, as large as it is.
    m_viewport->capture([this, path](const QImage& image) {
      const bool good = !image.isNull() && image.save(path);
      if (good) noteWritten(m_model.settings(), path);
      tell(good ? tr("Wrote %1").arg(path) : tr("%1 could not be written.").arg(path), !good);
    });
    return;
  }
  sayDrawing(path);
  if (from.layout.views.size() > 1) return exportViewsTo(path, sizePixels, from);
  const Shot shot = shotNow(sizePixels, from);
  drawFile(path, shot,
           [draw = m_model.parts().drawImage, sizePixels, shot,
            file = path.toStdString()](const scene::Scene& whole) {
             scene::Scene shown = whole;
             shot.finish(shown);
             draw(shown, sizePixels, file);
           });
}

void MainWindow::exportGeometry() {
  m_time->playAction()->setChecked(false);
  const auto write = [this](const QString& folder) {
    std::map<app::ObjectId, QString> files;
    QStringList paths;
    for (const app::ObjectId id : m_model.document().objectIds()) {
      const session::Object& object = *m_model.document().object(id);
      // Of volumes there are pictures alone.
      if (!object.visible || app::volumeIn(object)) continue;
      files[id] = QDir(folder).filePath(QString::fromStdString(object.name) + ".vtp");
      paths.append(files[id]);
    }
    if (files.empty()) return tell(tr("Nothing is shown that has lines or surfaces."), true);
    const auto writeAll = [this, files] {
      for (const auto& [id, path] : files) {
        const QPointer pending(new PendingFile(path, false, this));
        const std::stop_token unwanted = pending->unwanted.get_token();
        m_model.engine().writeGeometry(
            id, path,
            [this, path = path, pending, unwanted](const std::optional<app::Problem>& problem) {
              delete pending;
              if (!problem || !unwanted.stop_requested()) return tellWritten(path, problem);
              tellLeftOut(path);
            },
            unwanted);
      }
    };
    askToReplace(this, paths, [=, this] {
      whenComplete(folder, writeAll, tr("It is of this step; what else is changed until then is in it."));
    });
  };
  askForFolder(this, m_model.settings(), tr("Folder for the geometry"), folderOf(m_model.document().path()),
               write);
}

void MainWindow::copyBatchCommand() {
  const auto copyWith = [this](const std::vector<std::string>& ofSteps) {
    // What the window knows and the session does not: which step is shown, of several, and the axes in the corner.
    std::vector<std::string> changes;
    if (m_model.stage().steps() > 1) {
      changes.push_back("time.steps=" + std::to_string(m_model.stage().step()));
      for (const auto& [number, release] : app::releasesInTheWindow(m_model.document().session()))
        changes.push_back(app::pathOfObject(m_model.document().session().objects, number) +
                          ".release={\"steps\":\"" + std::to_string(release.steps.first) + ":" +
                          std::to_string(release.steps.last) + "\"}");
    }
    changes.insert(changes.end(), ofSteps.begin(), ofSteps.end());
    if (m_actions.at("axes")->isChecked() && !m_model.document().session().image.notes.orientation)
      changes.push_back("image.orientation=true");
    // What is copied is a picture; geometry of large data would fill the folder unasked.
    const session::Session& session = m_model.document().session();
    if (session.output.geometry) changes.push_back("output.geometry=false");
    for (std::string& change : app::automaticOfVolumes(m_model.document(), m_model.stage()))
      changes.push_back(std::move(change));
    // And what follows from the view's shape and from the screen.
    const std::array<int, 2> pixels = offeredPixelsOfOne();
    if (pixels != session.image.sizePixels)
      changes.push_back("image.size=[" + std::to_string(pixels[0]) + "," + std::to_string(pixels[1]) + "]");
    const double aspect = static_cast<double>(pixels[0]) / pixels[1];
    const scene::Camera camera = m_controller->pictureCamera(aspect);
    Bounds drawn;
    for (const app::ObjectId id : app::shownIn(m_model.document(), m_model.stage(), session.layout, {0}))
      drawn.add(m_model.stage().status(id).bounds);
    if (camera != session::cameraOf(session, drawn.empty() ? m_model.stage().bounds() : drawn, aspect))
      changes.push_back("camera=" + session::textOfCamera(camera));
    const std::string command =
        app::batchCommand(m_model.document().path().toStdString(), m_model.memoryBytes(), changes,
                          lineScaleFor(pixels, m_viewport->size()), session.layout.views.empty() ? 0 : 1);
    QApplication::clipboard()->setText(QString::fromStdString(command));
    tell((m_group->count() > 1 ? tr("Copied, of the first view alone: %1") : tr("Copied: %1"))
             .arg(QString::fromStdString(command)));
  };
  const auto copy = [=, this] {
    const auto known = app::knownSteps(m_model.document(), m_model.stage());
    if (!app::areLeftOut(known)) return copyWith({});
    const auto changes = std::make_shared<std::vector<std::string>>();
    const auto problem = std::make_shared<QString>();
    m_model.files().look(
        [=, session = m_model.document().session()] {
          *changes = app::changesNamingSteps(session, known, *problem);
        },
        [=, this, guard = QPointer(this)] {
          if (!guard) return;
          if (!problem->isEmpty()) return tell(*problem, true);
          copyWith(*changes);
        });
  };
  if (!m_model.document().path().isEmpty() && !m_model.document().isModified()) return copy();
  // The command reads the file, so the file has to say what is shown; but nothing is saved unasked.
  auto* const box =
      new QMessageBox(QMessageBox::Question, tr("Farfield"),
                      tr("The command reads the session from its file, which does not say what is "
                         "shown now."),
                      QMessageBox::Save | QMessageBox::Cancel, this);
  box->setObjectName("saveForCommand");
  box->setInformativeText(tr("Save the session, and copy the command then?"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, this, [this](int answer) {
    if (answer != QMessageBox::Save) return;
    m_afterSave = [this] { copyBatchCommand(); };  // which asks about what was changed meanwhile
    save(false);
  });
  box->open();
}

}  // namespace farfield::ui
