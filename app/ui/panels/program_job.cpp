#include "app/ui/panels/program_job.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QAction>
#include <QDeadlineTimer>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QProgressDialog>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace farfield::ui {
namespace {
constexpr int kLastWaitMs = 3000;
constexpr int kAskMs = 50, kMostBeforeStartMs = 10'000;
}  // namespace

std::optional<JobProgress> jobProgress(const QString& line) {
  static const QRegularExpression kShape("^[^:]+: (\\d+) %, (.*)$");
  const auto match = kShape.match(line);
  if (!match.hasMatch()) return std::nullopt;
  return JobProgress{match.captured(1).toInt(), match.captured(2)};
}

QString whyNoOtherJob() {
  return ProgramJob::tr("Another job is running: begin this when it is done.");
}

void placeAside(QDialog& job) {
  constexpr int kAway = 24;
  job.setAttribute(Qt::WA_ShowWithoutActivating);
  // Where the keyboard has come to it all the same, the window's keys do what they do in the window; Esc is the job's own.
  for (QAction* const each : job.parentWidget()->window()->actions())
    if (each->shortcut() != QKeySequence(Qt::Key_Escape)) job.addAction(each);
  job.adjustSize();
  const QWidget* const window = job.parentWidget()->window();
  const QSize size = job.sizeHint().expandedTo(job.minimumSize());
  // In the lower left, where neither legends nor properties are, and above what lies below the view: the buttons of time.
  const auto* const main = qobject_cast<const QMainWindow*>(window);
  const QWidget* const view = main ? main->centralWidget() : nullptr;
  const int bottom = view ? view->mapTo(window, QPoint(0, view->height())).y() : window->height() - 2 * kAway;
  job.move(window->mapToGlobal(QPoint(kAway, std::max(0, bottom - size.height() - 2 * kAway))));
}

QProgressDialog* makeJobDialog(const char* objectName, const QString& title, const QString& text, int most,
                               QWidget* parent) {
  auto* const progress = new QProgressDialog(text, ProgramJob::tr("Stop"), 0, most, parent);
  progress->setObjectName(objectName);
  progress->setWindowTitle(title);
  progress->setAutoClose(false);
  progress->setAutoReset(false);
  // As with other jobs Return, and Space of one who goes on working, stop nothing.
  progress->findChild<QPushButton*>()->setAutoDefault(false);
  progress->setFocusPolicy(Qt::StrongFocus);
  progress->setFocus();
  placeAside(*progress);
  return progress;
}

ProgramJob::ProgramJob(const QString& what, const QString& program, const QStringList& arguments, Ends ends,
                       QWidget* parent, std::function<bool()> mayStart)
    : QDialog(parent), m_ends(std::move(ends)), m_bar(new QProgressBar(this)), m_text(new QLabel(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName("programJob");
  setWindowTitle(what);
  setMinimumWidth(fontMetrics().averageCharWidth() * 70);
  auto* const column = new QVBoxLayout(this);
  column->addWidget(new QLabel(what, this));
  m_bar->setRange(0, 0);
  m_bar->setAccessibleName(what);
  column->addWidget(m_bar);
  m_text->setForegroundRole(QPalette::PlaceholderText);
  m_text->setText(tr("Starting. You can go on working."));
  column->addWidget(m_text);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Cancel)->setText(tr("Stop"));
  // Who goes on typing while it comes up has meant something else: Return never stops what runs, and Space does so only
  // where somebody went to the button.
  buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
  setFocusPolicy(Qt::StrongFocus);
  setFocus();
  connect(buttons, &QDialogButtonBox::rejected, this, &ProgramJob::reject);
  column->addWidget(buttons);

  m_process.setProcessChannelMode(QProcess::SeparateChannels);
  // Also where the window is killed: nobody would hear what becomes of it.
  m_process.setChildProcessModifier([window = ::getpid()] {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != window) ::_exit(1);
  });
  m_process.setStandardInputFile(QProcess::nullDevice());
  m_process.setStandardOutputFile(QProcess::nullDevice());
  connect(&m_process, &QProcess::readyReadStandardError, this, &ProgramJob::read);
  connect(&m_process, &QProcess::finished, this, &ProgramJob::finish);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      m_lastLine = m_process.errorString();
      finish(1, QProcess::NormalExit);
    }
  });
  m_toStart.setSingleShot(true);
  const auto begin = [=, this, latest = QDeadlineTimer(kMostBeforeStartMs)] {
    if (!mayStart || mayStart() || latest.hasExpired())
      m_process.start(program, arguments);
    else
      m_toStart.start(kAskMs);
  };
  connect(&m_toStart, &QTimer::timeout, this, begin);
  begin();
}

ProgramJob::~ProgramJob() {
  m_process.disconnect(this);
  if (m_process.state() == QProcess::NotRunning) return;
  ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
  if (!m_process.waitForFinished(kLastWaitMs)) {
    m_process.kill();
    m_process.waitForFinished(kLastWaitMs);
  }
}

void ProgramJob::reject() {
  if (m_toStart.isActive()) {
    m_toStart.stop();
    m_ends.stopped();
    return QDialog::done(0);
  }
  if (m_process.state() == QProcess::NotRunning || m_stopping) return;
  m_stopping = true;
  m_text->setText(tr("Stopping …"));
  // As Ctrl-C would: nothing half-written stays.
  ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
}

void ProgramJob::read() {
  m_rest += m_process.readAllStandardError();
  for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n')) {
    const QString line = QString::fromUtf8(m_rest.left(end)).trimmed();
    m_rest.remove(0, end + 1);
    if (line.isEmpty()) continue;
    m_lastLine = line;
    const auto progress = jobProgress(line);
    if (progress && !m_told) set(*progress);
  }
}

void ProgramJob::showProgress(const JobProgress& progress) {
  m_told = true;
  set(progress);
}

void ProgramJob::set(const JobProgress& progress) {
  if (m_stopping) return;
  m_bar->setRange(0, 100);
  m_bar->setValue(progress.percent);
  m_text->setText(progress.text);
}

void ProgramJob::finish(int status, QProcess::ExitStatus how) {
  if (how == QProcess::NormalExit && status == 0)
    m_ends.done({});
  else if (m_stopping)
    m_ends.stopped();
  else
    m_ends.done(m_lastLine.isEmpty() ? tr("The program ended unexpectedly.") : m_lastLine);
  QDialog::done(0);
}

}  // namespace farfield::ui
