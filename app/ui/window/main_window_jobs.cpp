// What the window has done by the command line's program, beside the work in it, such as conversion into a
// paged store.

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QProgressDialog>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTimer>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "app/model/fields/window_kinds.h"
#include "app/model/words/some_names.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/panels/program_job.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/widgets/elided_label.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/window/awaited_objects.h"
#include "app/ui/window/main_window.h"
#include "core/base/stoppable_waits.h"
#include "core/base/told_progress.h"
#include "core/base/units.h"
#include "core/fields/functions/defined_functions.h"
#include "core/paging/store/partial_store.h"

namespace farfield::ui {
namespace {

constexpr int kPictureSoonMs = 1500;

/// Options that say how data are looked at, whatever files they come from; the others are of the files.
bool staysWithSession(const std::string& option) {
  return option.starts_with(fields::kDefinitionKey) || option == "resample";
}

QString memoryText(std::uint64_t bytes) {
  return QString::number(std::max<std::uint64_t>(1, bytes >> 20)) + 'M';
}

/// What a conversion that did not end has left of a store, to go on from; 0 where there is nothing to go on from. Looks at the disk.
std::uintmax_t bytesLeftOf(const QString& path) {
  const std::filesystem::path store = path.toStdString();
  std::error_code problem;
  if (!std::filesystem::exists(paging::detail::journalPath(store), problem)) return 0;
  const std::uintmax_t size = std::filesystem::file_size(paging::detail::partialPath(store), problem);
  return problem ? 0 : size;
}

/// What is wrong, as the program says it, in the words of the window, whose budget is twice the job's.
QString inTheWindow(QString line) {
  static const QRegularExpression kProgram("^farfield: ");
  line.remove(kProgram);
  static const QRegularExpression kBudget("(?<=give at least --memory )(\\d+)(?=K)");
  if (const auto match = kBudget.match(line); match.hasMatch())
    line.replace(match.capturedStart(), match.capturedLength(),
                 QString::number(2 * match.captured(1).toULongLong()));
  line.replace("use the same, or convert without --resume", "convert again, and begin anew");
  line.replace("convert again, without --resume", "convert again, and begin anew");
  return app::windowText(line);
}

/// Of a store of which an earlier conversion has left so much: `then` hears whether to go on with it or to begin anew, or nothing.
void askToGoOn(QWidget* parent, const QString& path, std::uintmax_t bytes,
               std::function<void(bool goesOn)> then) {
  auto* const box =
      new QMessageBox(QMessageBox::Question, QObject::tr("Farfield"),
                      QObject::tr("%1 is there in part: %2 of it were written before.")
                          .arg(QFileInfo(path).fileName(), QString::fromStdString(formatBytes(bytes))),
                      QMessageBox::NoButton, parent);
  box->setObjectName("goOnConverting");
  box->setInformativeText(QObject::tr("Go on with the rest, or begin anew? What was written is lost then."));
  QPushButton* const goOn = box->addButton(QObject::tr("&Go on with the rest"), QMessageBox::AcceptRole);
  QPushButton* const anew = box->addButton(QObject::tr("&Begin anew"), QMessageBox::DestructiveRole);
  box->setEscapeButton(box->addButton(QMessageBox::Cancel));
  box->setDefaultButton(goOn);
  box->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(box, &QMessageBox::buttonClicked, parent,
                   [=, then = std::move(then)](QAbstractButton* clicked) {
                     if (clicked == goOn || clicked == anew) then(clicked == goOn);
                   });
  box->open();
}

}  // namespace

bool MainWindow::hasAnimations() const {
  return !m_model.document().session().data.empty() &&
         (m_model.stage().steps() > 1 || m_model.parts().drawImage);
}

ProgramJob* MainWindow::runJob(const QString& what, const QStringList& arguments,
                               std::function<QString()> made, std::function<void()> stopped,
                               std::function<void()> failed) {
  if (m_model.lentBytes() > 0) {
    tell(whyNoOtherJob(), true);
    return nullptr;
  }
  // The budget holds for both together: the job gets a half of it for as long as it runs, and begins once the window has given that back.
  const std::uint64_t lent = m_model.lendMemory();
  QString program = m_model.parts().program;
  if (program.isEmpty()) program = QCoreApplication::applicationFilePath();
  auto* const job =
      new ProgramJob(what, program, arguments + QStringList{"--memory", memoryText(lent)},
                     {.done =
                          [=, this](const QString& problem) {
                            m_model.takeMemoryBack();
                            tell(problem.isEmpty() ? made() : tr("%1: %2").arg(what, inTheWindow(problem)),
                                 !problem.isEmpty());
                            if (!problem.isEmpty() && failed) failed();
                          },
                      .stopped =
                          [=, this] {
                            m_model.takeMemoryBack();
                            tell(tr("Stopped: %1").arg(what));
                            if (stopped) stopped();
                          }},
                     this, [this] {
                       const app::Engine& engine = m_model.engine();
                       const app::WorkshopCounters& now = engine.counters();
                       return now.budgetBytes <= engine.memoryBytes() && now.usedBytes <= now.budgetBytes;
                     });
  placeAside(*job);
  job->show();
  return job;
}

PendingFile* MainWindow::pendingFile() const {
  return findChild<PendingFile*>();
}

void MainWindow::drawFile(const QString& path, const Shot& shot,
                          std::function<void(const scene::Scene&)> draw) {
  const QPointer pending(new PendingFile(path, false, this));
  const std::stop_token unwanted = pending->unwanted.get_token();
  const auto isDrawn = std::make_shared<bool>(false);  // on another thread, before it is done
  const QStringList missing = AwaitedObjects::failedIn(m_model);
  const auto isStopped = std::make_shared<bool>(false);  // by who asked for it
  const QPointer progress(progressOf(path, [=] {
    *isStopped = true;
    if (pending) pending->unwanted.request_stop();
  }));
  const auto show = [=, shown = std::make_shared<int>(0)](double part) {
    // Some is told of twice, as by a volume whose data were planned anew.
    const int percent = std::clamp(static_cast<int>(100 * part), 0, 99);
    if (percent <= *shown) return;
    *shown = percent;
    QMetaObject::invokeMethod(
        qApp,
        [=] {
          if (progress && !*isStopped) progress->setValue(percent);
        },
        Qt::QueuedConnection);
  };
  m_model.engine().draw(
      shot.ids, shot.scene,
      [=, draw = std::move(draw)](const scene::Scene& whole) {
        if (unwanted.stop_requested()) return;
        const StoppableWaits waits(unwanted);
        const ToldProgress told(show);
        draw(whole);
        *isDrawn = true;
      },
      [=, this](const std::optional<app::Problem>& problem) {
        delete progress;
        delete pending;
        if (*isDrawn || problem) return tellWritten(path, problem, missing);
        if (!*isStopped) return tellLeftOut(path);
        tell(tr("Stopped: %1 is not written.").arg(QFileInfo(path).fileName()));
        showSights();
      },
      unwanted);
}

QProgressDialog* MainWindow::progressOf(const QString& picture, const std::function<void()>& stop) {
  QProgressDialog* const progress = makeJobDialog(
      "pictureJob", tr("Export picture"),
      tr("Drawing and writing %1. You can go on working.").arg(QFileInfo(picture).fileName()), 100, this);
  // Most are there sooner.
  progress->setMinimumDuration(kPictureSoonMs);
  connect(progress, &QProgressDialog::canceled, this, stop);
  connect(progress, &QDialog::rejected, this, stop);
  return progress;
}

void MainWindow::sayDrawing(const QString& path) {
  QString text = tr("Drawing and writing %1 …").arg(QFileInfo(path).fileName());
  // What it draws of a volume, and what the view draws of it, are drawn by turns.
  const bool isRefined = std::any_of(m_sights.begin(), m_sights.end(), [](const auto& each) {
    return each.second.state == qt3d::VolumeSight::State::Refining;
  });
  if (isRefined) text += ' ' + tr("Until then the view becomes sharp more slowly.");
  m_drawingSaid = text;
  if (statusBar()->currentMessage() != text) statusBar()->showMessage(text);
  m_sight->showText({});  // that of the picture goes before that of the view
}

bool MainWindow::mayStopJobs(const std::function<void()>& then) {
  const auto jobNow = [this]() -> QObject* {
    for (const char* const name : {"programJob", "animationJob"})
      if (QDialog* const dialog = findChild<QDialog*>(name)) return dialog;
    return pendingFile();
  };
  if (!jobNow()) return true;
  if (QWidget* const asked = findChild<QMessageBox*>("stopJobs")) {
    asked->activateWindow();
    return false;
  }
  auto* const box = new QMessageBox(QMessageBox::Question, tr("Farfield"), {}, QMessageBox::NoButton, this);
  box->setObjectName("stopJobs");
  QPushButton* const stop = box->addButton(tr("&Quit"), QMessageBox::DestructiveRole);
  QPushButton* const goOn = box->addButton(tr("&Stay"), QMessageBox::RejectRole);
  box->setDefaultButton(goOn);
  box->setEscapeButton(goOn);
  box->setAttribute(Qt::WA_DeleteOnClose);
  // Of the one that is there, and of the next once that has ended. After the last nothing is left to ask, and what was asked for goes
  // on: but for what went wrong meanwhile, which is to be seen.
  const auto ask = [=, this, problems = m_messages->problems()](const auto& again) -> void {
    const QObject* const job = jobNow();
    if (!job) {
      box->reject();
      if (m_messages->problems() == problems) then();
      return;
    }
    const auto* const file = qobject_cast<const PendingFile*>(job);
    const bool canStop = !file || file->canBeStopped, areSeveral = findChildren<PendingFile*>().size() > 1;
    box->setText(
        file ? tr("%1 is not written yet.").arg(QFileInfo(file->path).fileName())
             : tr("%1: files are still being written.").arg(static_cast<const QDialog*>(job)->windowTitle()));
    const QString quitting = canStop      ? tr("Quitting stops that. Files that are whole already stay.")
                             : areSeveral ? tr("The window goes, and the program ends once it is there. "
                                               "Others that were to be written are not.")
                                          : tr("The window goes, and the program ends once it is there.");
    box->setInformativeText(quitting + ' ' + tr("Without an answer you quit once all is written."));
    stop->setText(canStop ? tr("&Stop and quit") : tr("&Quit"));
    goOn->setText(canStop ? tr("&Go on writing") : tr("&Stay"));
    // It is a child of the window until it is gone.
    connect(
        job, &QObject::destroyed, box, [again] { again(again); }, Qt::QueuedConnection);
  };
  ask(ask);
  connect(box, &QMessageBox::finished, this, [box, stop, then] {
    if (box->clickedButton() == stop) then();
  });
  box->open();
  return false;
}

void MainWindow::whenComplete(const QString& path, std::function<void()> write, const QString& besides) {
  const QStringList names = AwaitedObjects::namesIn(m_model);
  // Who plays sees one step after another: a picture is of the one that is seen.
  if (names.isEmpty() || m_time->isPlaying()) return write();
  // Asked for once more, it is that one.
  for (AwaitedObjects* const before : findChildren<AwaitedObjects*>())
    if (before->path == path) delete before;
  auto* const awaited = new AwaitedObjects(m_model, path, this);
  const auto now = [=, this, guard = QPointer(awaited)] {
    // A step may have been shown since.
    if (guard && !guard->isAtItsStep()) return guard->lookAgain();
    m_notice->unsay(path);
    if (!guard) return;
    delete guard;
    write();
  };
  const auto say = [=, this, guard = QPointer(awaited)](const QString& what) {
    m_notice->say(besides.isEmpty() ? what : what + ' ' + besides, tr("Write what is there"), now,
                  {tr("Do not write it"), [guard] { delete guard; }}, path);
  };
  const QString file = QFileInfo(path).fileName();
  connect(awaited, &AwaitedObjects::closed, this, [=, this] {
    m_notice->unsay(path);
    awaited->deleteLater();
    tell(tr("%1 is not written: what it was to show is no longer there.").arg(file), true);
  });
  connect(awaited, &AwaitedObjects::elsewhere, this, [=, this, guard = QPointer(awaited)](std::int64_t its) {
    const auto goBack = [=, this] {
      m_time->playAction()->setChecked(false);
      if (guard) m_model.stage().setStep(guard->step());
    };
    m_notice->say(tr("%1 is of step %2, and step %3 is shown now. It is written once step %2 is shown again.")
                      .arg(file)
                      .arg(its)
                      .arg(m_model.stage().step()),
                  tr("Back to step %1").arg(its), goBack, {tr("Do not write it"), [guard] { delete guard; }},
                  path);
  });
  connect(awaited, &AwaitedObjects::allThere, this, now, Qt::QueuedConnection);
  connect(awaited, &AwaitedObjects::stopped, this, [=](const QStringList& stopped) {
    say(tr("%1 is not written: this was stopped before it was complete: %2.")
            .arg(file, app::someNames(stopped, ", ")));
  });
  const auto sayAwaited = [=](const QStringList& awaitedNow) {
    say(tr("%1 is written once this is complete: %2.").arg(file, app::someNames(awaitedNow, ", ")));
  };
  connect(awaited, &AwaitedObjects::goesOn, this, sayAwaited);
  sayAwaited(names);
}

std::string MainWindow::dataToConvert() const {
  const auto can = [this](const std::string& name) {
    const auto summary = m_model.stage().summary(name);
    return summary && app::canBeConverted(*summary);
  };
  if (const std::string selected = m_pipeline->selectedData(); !selected.empty())
    return can(selected) ? selected : std::string();
  const auto& sources = m_model.document().session().data;
  return sources.size() == 1 && can(sources.front().name) ? sources.front().name : std::string();
}

void MainWindow::convertData(const std::string& name) {
  const session::DataSource* const source = m_model.document().session().find(name);
  if (!source) return;
  const QString beside = QString::fromStdString(m_model.document().session().resolve(source->source.front()));
  const QFileInfo file(beside);
  // Beside the data, where that can be.
  QString store = QString::fromStdString(name) + ".h5";
  if (QFileInfo(file.absolutePath()).isWritable()) store = file.absoluteDir().filePath(store);
  askForNewFile(this, m_model.settings(),
                {tr("Where the paged store is to be"), tr("Stores (*.h5)"), "h5", store, {}},
                [this, name](const QString& path) {
                  // The keyboard goes back to the window with the dialog, which is still there: the newest window would get it.
                  QTimer::singleShot(0, this, [=, this] { convertDataTo(name, path); });
                });
}

void MainWindow::convertDataTo(const std::string& name, const QString& path) {
  const session::Session& session = m_model.document().session();
  const session::DataSource* const found = session.find(name);
  if (!found) return;
  session::DataSource source = *found;
  for (auto* const paths : {&source.source, &source.solution})
    for (std::string& each : *paths) each = session.resolve(each);
  QStringList arguments{"convert"};
  for (const std::string& each : source.source) arguments << QString::fromStdString(each);
  arguments << "-o" << path << "--overwrite";
  for (const std::string& each : source.solution) arguments << "--solution" << QString::fromStdString(each);
  if (!source.reader.empty()) arguments << "--reader" << QString::fromStdString(source.reader);
  // What is defined stays with the session, where it can be changed and removed.
  for (const auto& [key, value] : source.options)
    if (!staysWithSession(key))
      arguments << "--option" << QString::fromStdString(key + '=' + session::textOf(value));
  const auto left = std::make_shared<std::uintmax_t>(0);
  m_model.files().look([=] { *left = bytesLeftOf(path); },
                       [=, this, guard = QPointer(this)] {
                         if (!guard) return;
                         if (*left == 0) return runConversion(source, path, arguments);
                         askToGoOn(this, path, *left, [=, this](bool goesOn) {
                           runConversion(source, path,
                                         goesOn ? arguments + QStringList{"--resume"} : arguments);
                         });
                       });
}

void MainWindow::runConversion(const session::DataSource& source, const QString& path,
                               const QStringList& arguments) {
  const QString name = QString::fromStdString(source.name);
  const ProgramJob* const job = runJob(
      tr("Converting %1 into a paged store").arg(name), arguments,
      [=, this] { return useStore(source, path); }, [=, this] { offerRestOfStore(source, path, arguments); },
      [=, this] { offerRestOfStore(source, path, arguments); });  // as where the disk is full
  if (job)
    m_notice->unsay(path);
  else if (arguments.contains("--resume"))
    offerRestOfStore(source, path, arguments);  // still
}

QString MainWindow::useStore(const session::DataSource& source, const QString& path) {
  // They may have been renamed while it was made, or given functions, which stay with the session; and the session saved elsewhere.
  const auto readFrom = [this](const session::DataSource& each) {
    session::DataSource files = each;
    for (auto* const paths : {&files.source, &files.solution})
      for (std::string& file : *paths) file = m_model.document().session().resolve(file);
    files.name.clear();
    std::erase_if(files.options, [](const auto& option) { return staysWithSession(option.first); });
    return files;
  };
  QString name;
  m_model.document().edit(tr("Use the paged store"), [&](app::Draft& draft) {
    std::vector<session::DataSource>& sources = draft.frame().data;
    const auto is = [&](const session::DataSource& each) { return readFrom(each) == readFrom(source); };
    auto its = std::find_if(sources.begin(), sources.end(), [&](const session::DataSource& each) {
      return each.name == source.name && is(each);
    });
    if (its == sources.end()) its = std::find_if(sources.begin(), sources.end(), is);
    if (its == sources.end()) return;
    session::DataSource store{its->name, {path.toStdString()}, {}, {}, its->options};
    std::erase_if(store.options, [](const auto& option) { return !staysWithSession(option.first); });
    *its = std::move(store);
    name = QString::fromStdString(its->name);
  });
  m_model.settings().addRecent(path);
  noteWritten(m_model.settings(), path);
  if (name.isEmpty())
    return tr("Converted: the store is %1. What it was made of is not open any more.").arg(path);
  return tr("Converted: the data %1 are read from %2 now").arg(name, path);
}

void MainWindow::offerRestOfStore(const session::DataSource& source, const QString& path,
                                  const QStringList& arguments) {
  const std::filesystem::path store = path.toStdString();
  const auto bytes = std::make_shared<std::uintmax_t>(0);
  const auto offer = [=, this] {
    if (*bytes == 0) return;  // stopped before anything was written
    const auto goOn = [=, this] {
      QStringList rest = arguments;
      if (!rest.contains("--resume")) rest << "--resume";
      runConversion(source, path, rest);
    };
    const auto remove = [=, this] {
      m_model.files().run(
          [store] {
            std::error_code ignored;
            std::filesystem::remove(paging::detail::journalPath(store), ignored);
            std::filesystem::remove(paging::detail::partialPath(store), ignored);
          },
          [=, this] { tell(tr("Removed what was written of %1").arg(path)); });
    };
    m_notice->say(tr("Conversion stopped: %1 of %2 are written and kept, to go on from there.")
                      .arg(QString::fromStdString(formatBytes(*bytes)), QFileInfo(path).fileName()),
                  tr("Go on with the rest"), goOn, {tr("Remove them"), remove}, path);
  };
  m_model.files().look([=] { *bytes = bytesLeftOf(path); }, offer);
}

}  // namespace farfield::ui
