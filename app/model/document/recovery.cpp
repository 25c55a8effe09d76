#include "app/model/document/recovery.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QSysInfo>
#include <QUuid>
#include <algorithm>

#include "app/model/document/shared_colors.h"
#include "app/model/files/file_saver.h"
#include "core/base/error.h"
#include "core/session/json/session_json.h"

namespace farfield::app {
namespace {

constexpr const char* kWork = "work.json";
constexpr const char* kLock = "lock";
constexpr int kTries = 3;

/// The problem; empty where it was written.
QString writeWork(const QString& file, const QString& path, const session::Session& session) {
  QJsonObject work;
  work["path"] = path;
  work["changed"] = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
  work["name"] = QString::fromStdString(session.name);
  work["folder"] = QString::fromStdString(
      (std::filesystem::current_path() / session.baseFolder).lexically_normal().string());
  const std::string text = session::toJson(session);
  work["session"] = QString::fromStdString(text);
  if (const QString problem = saveFile(file, QJsonDocument(work).toJson()); !problem.isEmpty())
    return problem;
  // Said while it can still be mended.
  std::vector<std::string> leftOut;
  try {
    session::parseGoodParts(text, leftOut);
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return leftOut.empty() ? QString() : QString::fromStdString(leftOut.front());
}

std::optional<LeftWork> readWork(const QString& folder) {
  QFile in(folder + '/' + kWork);
  if (!in.open(QIODevice::ReadOnly)) return std::nullopt;
  const QJsonObject work = QJsonDocument::fromJson(in.readAll()).object();
  LeftWork left;
  left.folder = folder;
  left.path = work["path"].toString();
  left.changed = QDateTime::fromString(work["changed"].toString(), Qt::ISODateWithMs);
  try {
    std::vector<std::string> leftOut;
    left.session = session::parseGoodParts(work["session"].toString().toStdString(), leftOut);
    for (const std::string& line : leftOut) left.leftOut.append(QString::fromStdString(line));
  } catch (const Error&) {
    return std::nullopt;  // of a later version, or no session at all
  }
  left.session.name = work["name"].toString().toStdString();
  left.session.baseFolder = work["folder"].toString().toStdString();
  return left;
}

/// Takes the lock of a program that is gone. A lock says which process made it, whose number another program of the same name may have
/// by now, after a restart of the machine or in a container; the system knows who still has the file.
bool takeLock(QLockFile& lock) {
  lock.setStaleLockTime(0);
  if (lock.tryLock()) return true;
  qint64 process = 0;
  QString machine, program;
  // Of a program on another machine the system here need not know.
  if (!lock.getLockInfo(&process, &machine, &program) || machine != QSysInfo::machineHostName()) return false;
  const QByteArray name = QFile::encodeName(lock.fileName());
  const int file = ::open(name.constData(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct stat mine {
  }, there{};
  // Another that looks may have put its own in the place of the one that was opened.
  const bool isGone = ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &mine) == 0 &&
                      ::stat(name.constData(), &there) == 0 && mine.st_ino == there.st_ino;
  if (isGone) QFile::remove(lock.fileName());
  ::close(file);
  return isGone && lock.tryLock();
}

/// But for the folder `own`.
std::vector<LeftWork> leftWorkIn(const QString& all, const QString& own) {
  std::vector<LeftWork> found;
  for (const QString& name : QDir(all).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    const QString folder = all + '/' + name;
    if (folder == own) continue;
    QLockFile lock(folder + '/' + kLock);
    if (!takeLock(lock)) continue;  // its program is running
    std::optional<LeftWork> work = readWork(folder);
    // What cannot be read here, as that of a later version, may be read by another.
    const bool isEmpty = !work && !QFile::exists(folder + '/' + kWork);
    if (isEmpty)
      for (const QString& file : QDir(folder).entryList(QDir::Files))
        if (file != kLock) QFile::remove(folder + '/' + file);
    lock.unlock();
    // Not with what is in it: a program that has just made the folder may be locking it now.
    if (isEmpty) QDir().rmdir(folder);
    if (work) found.push_back(std::move(*work));
  }
  std::sort(found.begin(), found.end(),
            [](const LeftWork& a, const LeftWork& b) { return a.changed > b.changed; });
  return found;
}

}  // namespace

Recovery::Recovery(Document& document, SessionFiles& files, QString folder, QObject* parent)
    : QObject(parent), m_document(document), m_files(files), m_folder(std::move(folder)) {
  m_own = m_folder + '/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
  // Again where another program that looks for left work took the empty folder away.
  for (int tries = 0; tries < kTries && !m_lock && QDir().mkpath(m_own); ++tries) {
    m_lock = std::make_unique<QLockFile>(m_own + '/' + kLock);
    m_lock->setStaleLockTime(0);  // only the end of the process makes it stale, not its age
    if (!m_lock->tryLock()) m_lock.reset();
  }
  if (!m_lock) m_problem = tr("Unsaved work cannot be kept safe: %1 cannot be written to.").arg(m_folder);
  m_timer.setSingleShot(true);
  m_timer.setInterval(kDelayMs);
  connect(&m_timer, &QTimer::timeout, this, [this] { writeNow(); });
  connect(&m_document, &Document::changed, this, &Recovery::schedule);
  connect(&m_document, &Document::replaced, this, &Recovery::schedule);
  connect(&m_document, &Document::modifiedChanged, this, &Recovery::schedule);
}

Recovery::~Recovery() {
  if (!m_lock) return;
  m_files.run([own = m_own, lock = std::shared_ptr<QLockFile>(std::move(m_lock))] {
    QFile::remove(own + '/' + kWork);
    lock->unlock();
    QDir(own).removeRecursively();
  });
}

void Recovery::schedule() {
  // Not started anew by each change: during a long drag, work is written all the same.
  if (!m_timer.isActive()) m_timer.start();
}

void Recovery::writeNow(const QString& left) {
  if (!m_lock) return;
  const QString file = m_own + '/' + kWork;
  // Also what was only opened: a program that ended unexpectedly goes on with it.
  if ((!m_document.isModified() && m_document.undoStack().isClean()) || m_document.session().data.empty()) {
    m_files.run([file] { QFile::remove(file); });
    return;
  }
  const auto problem = std::make_shared<QString>();
  session::Session session = m_document.session();
  session.layout.before = joinedColors(m_document.state());
  if (m_shown) {
    const ShownStep shown = m_shown();
    session.shownStep = shown.step;
    session.shownTime = shown.time;
  }
  m_files.run(
      [problem, file, left, path = m_document.path(), session = std::move(session)] {
        *problem = writeWork(file, path, session);
        if (problem->isEmpty() && !left.isEmpty()) QDir(left).removeRecursively();
      },
      [this, guard = QPointer<Recovery>(this), problem] {
        if (guard) report(*problem);
      });
}

void Recovery::keepNow() {
  m_timer.stop();
  writeNow();
  m_files.wait(kLastWriteMs);
}

void Recovery::report(const QString& problem) {
  const QString text =
      problem.isEmpty() ? QString() : tr("Unsaved work cannot be kept safe: %1.").arg(problem);
  if (text == m_problem) return;
  m_problem = text;
  emit problemChanged(m_problem);
}

std::vector<LeftWork> Recovery::findLeftWork() const {
  return leftWorkIn(m_folder, m_own);
}

void Recovery::findLeftWork(std::function<void(const std::vector<LeftWork>&)> done) const {
  const auto found = std::make_shared<std::vector<LeftWork>>();
  m_files.run([found, folder = m_folder, own = m_own] { *found = leftWorkIn(folder, own); },
              [found, done = std::move(done)] { done(*found); });
}

void Recovery::takeOver(const LeftWork& work) {
  writeNow(work.folder);  // where this program cannot keep it safe, it stays where it is
}

void Recovery::discard(const LeftWork& work) {
  m_files.run([folder = work.folder] { QDir(folder).removeRecursively(); });
}

}  // namespace farfield::app
