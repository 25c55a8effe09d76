// What the window has done by the command line's program, beside the work in it: pictures of all steps, and
// conversion into a paged store.

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QTemporaryDir>
#include <QTimer>
#include <memory>

#include "app/ui/main_window.h"
#include "app/ui/program_job.h"

namespace farfield::ui {
namespace {

constexpr int kLookMs = 500;

QString memoryText(std::uint64_t bytes) {
  return QString::number(std::max<std::uint64_t>(1, bytes >> 20)) + 'M';
}

}  // namespace

ProgramJob* MainWindow::runJob(const QString& what, const QStringList& arguments, const QString& madeText,
                               std::function<void()> made) {
  // The budget holds for both together: the job gets a half of it for as long as it runs.
  const std::uint64_t budget = m_model.engine().memoryBytes();
  m_model.engine().setMemoryBytes(budget - budget / 2);
  const auto giveBack = [this, budget] {
    // Unless it was set anew meanwhile.
    if (m_model.engine().memoryBytes() == budget - budget / 2) m_model.engine().setMemoryBytes(budget);
    m_actions.at("exportSteps")->setEnabled(m_model.stage().steps() > 1);
  };
  QString program = m_model.parts().program;
  if (program.isEmpty()) program = QCoreApplication::applicationFilePath();
  auto* const job = new ProgramJob(what, program, arguments + QStringList{"--memory", memoryText(budget / 2)},
                                   {.done =
                                        [=, this](const QString& problem) {
                                          giveBack();
                                          if (problem.isEmpty() && made) made();
                                          tell(problem.isEmpty() ? madeText : problem, !problem.isEmpty());
                                        },
                                    .stopped =
                                        [=, this] {
                                          giveBack();
                                          tell(tr("Stopped: %1").arg(what));
                                        }},
                                   this);
  job->show();
  return job;
}

void MainWindow::exportSteps() {
  auto* const dialog = new QFileDialog(this, tr("Folder for the pictures of all steps"),
                                       QFileInfo(m_model.document().path()).absolutePath());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::exportStepsTo);
  dialog->open();
}

void MainWindow::exportStepsTo(const QString& folder) {
  const auto place = std::make_shared<QTemporaryDir>();
  session::Session session = m_model.document().session();
  session.time = {};
  session.output = {.images = true, .geometry = false};
  const QString file = place->filePath(m_model.document().title() + ".json");
  m_model.files().save(session, file, [=, this](const QString& problem) {
    if (!problem.isEmpty()) return tell(problem, true);
    ProgramJob* const job = runJob(tr("Pictures of all steps"), {"batchvis", file, "-o", folder},
                                   tr("Wrote the pictures of all steps to %1").arg(folder),
                                   [place] {});  // keeps the session file until the end
    // Its lines speak of one step; how far all of it is can be seen by its files.
    auto* const look = new QTimer(job);
    const QDateTime start = QDateTime::currentDateTime().addSecs(-1);
    const auto total = static_cast<int>(m_model.stage().steps());
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

void MainWindow::convertData(const std::string& name) {
  const session::DataSource* const source = m_model.document().session().find(name);
  if (!source) return;
  const QString beside = QString::fromStdString(m_model.document().session().resolve(source->source.front()));
  const QFileInfo file(beside);
  auto* const dialog =
      new QFileDialog(this, tr("Where the paged store is to be"), file.absolutePath(), tr("Stores (*.h5)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("h5");
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  dialog->selectFile(QString::fromStdString(name) + ".h5");
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, name](const QString& path) { convertDataTo(name, path); });
  dialog->open();
}

void MainWindow::convertDataTo(const std::string& name, const QString& path) {
  const session::Session& session = m_model.document().session();
  const session::DataSource* const source = session.find(name);
  if (!source) return;
  QStringList arguments{"convert"};
  for (const std::string& each : source->source) arguments << QString::fromStdString(session.resolve(each));
  arguments << "-o" << path << "--overwrite";
  for (const std::string& each : source->solution)
    arguments << "--solution" << QString::fromStdString(session.resolve(each));
  if (!source->reader.empty()) arguments << "--reader" << QString::fromStdString(source->reader);
  for (const auto& [key, value] : source->options)
    arguments << "--option" << QString::fromStdString(key + '=' + session::textOf(value));
  const session::DataSource before = *source;
  runJob(tr("Converting %1 into a paged store").arg(QString::fromStdString(name)), arguments,
         tr("Converted: %1 reads from %2 now").arg(QString::fromStdString(name), path), [=, this] {
           m_model.document().edit(tr("Use the paged store"), [&](app::Draft& draft) {
             for (session::DataSource& each : draft.frame().data)
               if (each == before) each = {each.name, {path.toStdString()}, {}, {}, {}};
           });
           m_model.settings().addRecent(path);
         });
}

}  // namespace farfield::ui
