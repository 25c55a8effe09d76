#include "app/ui/dialogs/open_preview.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPixmap>
#include <QPointer>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextEdit>
#include <QThreadPool>
#include <QVBoxLayout>
#include <utility>

#include "app/model/files/data_files.h"
#include "app/model/files/numbered_names.h"
#include "app/model/files/series_names.h"
#include "app/model/files/session_files.h"
#include "app/model/words/info_words.h"
#include "app/model/workshop/engine.h"
#include "app/ui/editors/raw_options.h"
#include "app/ui/widgets/typed_paths.h"
#include "core/base/foreign_file.h"

namespace farfield::ui {
namespace {

/// Who goes through a list by the arrow keys is not held up.
constexpr int kSoonMs = 250;
constexpr int kPixels = 224;
constexpr int kColumns = 46;  ///< letters in a line: the size of a grid, and what it is, fit
const char* const kPicture = "picture.png";

/// "wing.xyz with wing.q", "day1.nc and 2 more as steps".
QString togetherOf(const app::DataFiles& files) {
  const QString first = QFileInfo(files.source).fileName();
  if (app::isStack(files))
    return OpenPreview::tr("%1 and %n more, together", nullptr, static_cast<int>(files.later.size()))
        .arg(first);
  if (!files.later.isEmpty())
    return OpenPreview::tr("%1 and %n more as steps", nullptr, static_cast<int>(files.later.size()))
        .arg(first);
  if (files.solutions.isEmpty()) return first;
  const QString solution = QFileInfo(files.solutions.front()).fileName();
  if (files.solutions.size() == 1) return OpenPreview::tr("%1 with %2").arg(first, solution);
  return OpenPreview::tr("%1 with %2 and %n more", nullptr, static_cast<int>(files.solutions.size()) - 1)
      .arg(first, solution);
}

/// As Open would find it: what is wrong with it, or what it shows. Reads all of it: not on the UI thread.
QStringList linesOfSession(const QString& path) {
  const app::LoadedSession session = app::loadSession(path);
  if (!session.session) return {session.problem};
  QStringList lines{OpenPreview::tr("A session of Farfield.")};
  for (const session::DataSource& source : session.session->data)
    lines.append(QString::fromStdString(source.name));
  return lines;
}

/// Letters before what is said of the first word of a line, or before all of it.
int indentOf(const QString& line) {
  static const QRegularExpression label("^ {0,3}\\S+ {2,}(?=\\S)"), empty("^ *");
  constexpr int kDeeper = 2;
  if (const auto found = label.match(line); found.hasMatch()) return static_cast<int>(found.capturedLength());
  const int spaces = static_cast<int>(empty.match(line).capturedLength());
  return spaces == 0 || spaces > kDeeper ? spaces : spaces + kDeeper;
}

/// "x 0 … 114  y 0 … 100" is torn between x and y alone.
QString keptTogether(QString line) {
  static const QRegularExpression range("(?:\\b(\\w) )?(\\S+) … (\\S+)");
  constexpr QChar kUntorn(QChar::Nbsp);
  for (qsizetype at = 0; at >= 0;) {
    const auto found = range.match(line, at);
    if (!found.hasMatch()) break;
    line.replace(found.capturedStart(), found.capturedLength(), found.captured().replace(' ', kUntorn));
    at = found.capturedEnd();
  }
  return line;
}

}  // namespace

OpenPreview::OpenPreview(const QString& program, QWidget* parent, Folders folders)
    : QWidget(parent),
      m_program(program),
      m_folders(folders),
      m_picture(new QLabel(this)),
      m_words(new QTextEdit(this)),
      m_asks(new QGroupBox(tr("If it is plain numbers"), this)) {
  setObjectName("open.preview");
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  m_picture->setObjectName("open.preview.picture");
  m_picture->setAccessibleName(tr("A small picture of the file"));
  m_picture->setAlignment(Qt::AlignCenter);
  m_picture->setFixedHeight(kPixels);
  column->addWidget(m_picture);
  m_words->setObjectName("open.preview.words");
  m_words->setAccessibleName(tr("What the file holds"));
  m_words->setReadOnly(true);
  // What is at the end of a line is seen in a narrow dialog, too.
  m_words->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  m_words->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_words->setMinimumWidth(
      m_words->fontMetrics().averageCharWidth() * kColumns +
      m_words->verticalScrollBar()->sizeHint().width() +
      2 * (m_words->frameWidth() + static_cast<int>(m_words->document()->documentMargin())));
  column->addWidget(m_words, 1);
  m_asks->setObjectName("open.raw");
  m_asks->setLayout(new QVBoxLayout);
  m_asks->hide();
  column->addWidget(m_asks);
  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoonMs);
  connect(&m_soon, &QTimer::timeout, this, [this] { m_raw ? lookAtSet() : find(); });
  lookAt({});
}

OpenPreview::~OpenPreview() {
  giveUp();
}

void OpenPreview::follow(QFileDialog& dialog) {
  auto* const names = dialog.findChild<QLineEdit*>();
  if (!names) {
    connect(&dialog, &QFileDialog::currentChanged, this, &OpenPreview::lookAt);
    return;
  }
  connect(names, &QLineEdit::textChanged, this,
          [this, &dialog](const QString& line) { lookAtNames(dialog, line); });
  const auto* const list = dialog.findChild<QListView*>("listView");
  connect(&dialog, &QFileDialog::currentChanged, this, [this, &dialog, names, list](const QString& path) {
    // Files that are chosen in the list are in the line then. Folders never are; one that is chosen may be data.
    const bool isChosen = list && list->selectionModel()->isSelected(list->selectionModel()->currentIndex());
    if (isChosen && QFileInfo(path).isDir() && app::kindOf(path) == app::FileKind::Data) return lookAt(path);
    lookAtNames(dialog, names->text());
  });
  if (m_folders == Folders::GoneInto) return;
  // Who goes into a folder may open it from there, with nothing chosen in it.
  const auto here = [this, &dialog, names] { lookAtNames(dialog, names->text()); };
  connect(&dialog, &QFileDialog::directoryEntered, this, here);
  here();
}

void OpenPreview::lookAtNames(const QFileDialog& dialog, const QString& line) {
  // Where there is none, the folder may be data.
  if (const QStringList paths = pathsIn(dialog, line); paths != m_paths) lookAtAll(paths);
}

void OpenPreview::say(const QString& words) {
  m_words->clear();
  QTextCursor at(m_words->document());
  at.beginEditBlock();
  const qreal letter = QFontMetricsF(m_words->font()).horizontalAdvance(' ');
  const QStringList lines = words.split('\n');
  for (qsizetype n = 0; n < lines.size(); ++n) {
    QTextBlockFormat hanging;
    hanging.setLeftMargin(indentOf(lines[n]) * letter);
    hanging.setTextIndent(-hanging.leftMargin());
    if (n == 0)
      at.setBlockFormat(hanging);
    else
      at.insertBlock(hanging);
    at.insertText(keptTogether(lines[n]));
  }
  at.endEditBlock();
}

void OpenPreview::giveUp() {
  m_soon.stop();
  QProcess* const process = std::exchange(m_process, nullptr);
  if (!process) return;
  process->disconnect(this);
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  process->kill();
}

void OpenPreview::lookAtAll(const QStringList& paths) {
  giveUp();
  ++m_looks;
  m_paths = paths;
  m_picture->clear();
  stopAsking();
  const QString path = paths.value(0);
  if (paths.size() > 1) {
    say(tr("Looking …"));
    m_soon.start();
  } else if (path.isEmpty() || (!QFileInfo::exists(path) && !app::isPattern(path)) ||
             (m_folders == Folders::GoneInto && app::kindOf(path) == app::FileKind::Folder)) {
    say(m_folders == Folders::GoneInto ? tr("What the chosen file holds\nis shown here.")
                                       : tr("What the chosen folder is opened as\nis shown here."));
  } else {
    say(tr("Looking …"));
    m_soon.start();
  }
}

/// Also finds what belongs to the files: a solution is of a grid, and a grid of its solutions, so that what Open would put together is
/// looked at together.
void OpenPreview::find() {
  QThreadPool::globalInstance()->start(
      [paths = m_paths, solutions = m_solutions, look = m_looks, guard = QPointer(this)] {
        QStringList steps;
        for (const QString& each : solutions) steps += app::filesOf(each);
        const app::Picked picked =
            steps.isEmpty() ? app::PathSorter::sort(paths) : app::Picked{{}, {{paths.front(), steps}}, {}};
        const QStringList session = picked.session.isEmpty() ? QStringList() : linesOfSession(picked.session);
        std::optional<app::NumberFiles> numbers;
        if (steps.isEmpty() && picked.data.size() == 1)
          if (const app::DataFiles& files = picked.data.front();
              files.solutions.isEmpty() && app::mayBePlainNumbers(files.source))
            numbers = app::sizesOf(QStringList{files.source} + files.later);
        QMetaObject::invokeMethod(
            qApp,
            [=] {
              if (guard && guard->m_looks == look) guard->take(picked, session, numbers);
            },
            Qt::QueuedConnection);
      });
}

void OpenPreview::take(const app::Picked& picked, const QStringList& session,
                       const std::optional<app::NumberFiles>& numbers) {
  if (!picked.session.isEmpty()) {
    const bool isChosen = m_paths.size() == 1 && QFileInfo(m_paths.front()) == QFileInfo(picked.session);
    const QStringList name = isChosen ? QStringList() : QStringList(QFileInfo(picked.session).fileName());
    return say((name + session + picked.remarks).join('\n'));
  }
  if (picked.data.size() == 1) {
    m_files = picked.data.front();
    // Of a folder its name does not say which file in it is meant.
    const bool isOneFile = m_files.solutions.isEmpty() && m_files.later.isEmpty() && m_paths.size() == 1 &&
                           QFileInfo(m_files.source) == QFileInfo(m_paths.front());
    m_together = isOneFile ? QString() : togetherOf(m_files) + "\n\n";
    if (numbers) ask(*numbers);
    return lookAtSet();
  }
  QStringList lines;
  if (!picked.data.empty()) lines.append(tr("%n data sets:", nullptr, static_cast<int>(picked.data.size())));
  for (const app::DataFiles& each : picked.data) lines.append(togetherOf(each));
  say((lines + picked.remarks).join('\n'));
}

void OpenPreview::ask(const app::NumberFiles& numbers) {
  m_raw = new RawOptions(m_asks);
  m_raw->setOptions(rawOptionsInName(QFileInfo(m_files.source).fileName()));
  m_raw->setFiles(numbers);
  m_asks->layout()->addWidget(m_raw);
  m_asks->show();
  connect(m_raw, &RawOptions::changed, this, [this] {
    giveUp();
    m_picture->clear();
    say(tr("Looking …"));
    m_soon.start();
  });
}

void OpenPreview::stopAsking() {
  m_asks->hide();
  if (!m_raw) return;
  m_raw->disconnect(this);
  m_raw->hide();
  std::exchange(m_raw, nullptr)->deleteLater();
}

std::map<std::string, std::string> OpenPreview::options() const {
  return m_raw ? m_raw->options() : std::map<std::string, std::string>{};
}

void OpenPreview::lookAtSet() {
  // What is wrong with one of them as a grid is of no use to somebody who knows that they are not.
  if (m_raw && app::isStack(m_files) && options().empty())
    return say(
        m_together +
        tr("No format is known that begins so. Say below how the numbers are stored, if they are nothing else."));
  start(Part::Words);
}

void OpenPreview::start(Part part) {
  m_part = part;
  QStringList arguments{"info", m_files.source};
  arguments += m_files.later;
  arguments += {"--memory", "256M", "--quiet", "--at-first"};
  for (const QString& solution : m_files.solutions) arguments << "--solution" << solution;
  for (const auto& [key, value] : options())
    arguments << "--option" << QString::fromStdString(key + '=' + value);
  if (part == Part::Picture)
    arguments += {
        "--thumbnail", m_folder.filePath(kPicture), "--size", QString::number(kPixels), "--time-limit", "10"};
  m_process = new QProcess(this);
  m_process->setStandardInputFile(QProcess::nullDevice());
  connect(m_process, &QProcess::finished, this, &OpenPreview::finish);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    say(m_process->errorString());
    std::exchange(m_process, nullptr)->deleteLater();
  });
  m_process->start(m_program, arguments);
}

void OpenPreview::finish(int status, QProcess::ExitStatus how) {
  QProcess* const process = std::exchange(m_process, nullptr);
  process->deleteLater();
  const bool isDone = how == QProcess::NormalExit && status == 0;
  if (m_part == Part::Picture) {
    if (isDone) m_picture->setPixmap(QPixmap(m_folder.filePath(kPicture)));
    return;
  }
  if (isDone) {
    say(m_together + app::InfoWords::forWindow(QString::fromUtf8(process->readAllStandardOutput())));
    if (m_folder.isValid()) start(Part::Picture);
    return;
  }
  if (const QString kind = app::foreignKind(m_files.source); !kind.isEmpty()) {
    say(QFileInfo(m_files.source).fileName() + ":\n" +
        QString::fromStdString(foreignMessage(kind.toStdString())) + "\n" + app::foreignAdvice());
    return;
  }
  QString problem = QString::fromUtf8(process->readAllStandardError()).trimmed();
  if (problem.startsWith("farfield: ")) problem.remove(0, 10);
  // What can be done about it is done in the window then.
  if (const qsizetype advice = problem.indexOf("; "); advice >= 0)
    problem = problem.left(advice + 2) + app::windowAdvice(problem.mid(advice + 2).toStdString());
  say(problem.isEmpty() ? tr("It cannot be opened by itself.")
                        : problem.replace("; ", "\n").replace(": ", ":\n"));
}

}  // namespace farfield::ui
