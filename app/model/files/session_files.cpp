#include "app/model/files/session_files.h"

#include <QCryptographicHash>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>

#include "app/model/files/file_saver.h"
#include "app/transfer/transfer_files.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/followed_path.h"
#include "core/session/json/session_json.h"

namespace farfield::app {
namespace {

/// What is left of the last look when the program ends.
constexpr std::chrono::seconds kLastLook{2};

using Kept = std::optional<std::set<std::string>>;

bool isInside(const std::filesystem::path& relative) {
  return !relative.empty() && *relative.begin() != "..";
}

std::string rewritten(const session::Session& session, const std::string& written,
                      const std::filesystem::path& folder, const Kept& kept) {
  if (written.find("://") != std::string::npos) return written;
  const std::filesystem::path absolute = followedPath(std::filesystem::absolute(session.resolve(written)));
  const bool isAbsolute = std::filesystem::path(written).is_absolute();
  if (isAbsolute && (!kept || kept->contains(written) || kept->contains(absolute.string())))
    return absolute.string();
  const std::filesystem::path relative = absolute.lexically_relative(folder);
  // The folder itself keeps its name, which says more than a dot.
  const bool isItself = isAbsolute && relative == ".";
  return isInside(relative) && !isItself ? relative.string() : absolute.string();
}

std::filesystem::path pathOf(const QString& path) {
  return std::filesystem::path(path.toStdString());
}

/// The absolute paths in a session file; none where there is no such file.
std::set<std::string> absoluteNamesIn(const std::filesystem::path& file) {
  std::set<std::string> names;
  try {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return names;
    for (const session::DataSource& source : session::readSession(file).data)
      for (const auto* const its : {&source.source, &source.solution})
        for (const std::string& name : *its)
          if (std::filesystem::path(name).is_absolute()) names.insert(name);
  } catch (const Error&) {
    // What is no session says nothing.
  }
  return names;
}

QByteArray digestOf(const QByteArray& bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
}

/// Empty of a file that cannot be read, and of one that is larger than any session.
QByteArray digestOfFile(const std::filesystem::path& path) {
  try {
    const File file = File::openForReading(path);
    if (file.size() > session::kMaxSessionBytes) return {};
    QByteArray bytes(static_cast<qsizetype>(file.size()), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
    return digestOf(bytes);
  } catch (const Error&) {
    return {};  // who reads or writes it says why
  }
}

/// Throws Io.
void write(const std::string& text, const QString& path) {
  if (const QString problem = saveFile(path, QByteArray::fromStdString(text)); !problem.isEmpty())
    throw Io("cannot be written: " + problem.toStdString(), "name another folder")
        .at("file " + path.toStdString());
}

/// Where in a session that was written, and what; empty: nothing.
std::string problemIn(const std::string& text) {
  try {
    session::parseSession(text);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

session::Session withPathsFrom(session::Session session, const std::filesystem::path& folder,
                               const Kept& kept) {
  const std::filesystem::path absolute = followedPath(std::filesystem::absolute(folder));
  for (session::DataSource& source : session.data) {
    for (std::string& name : source.source) name = rewritten(session, name, absolute, kept);
    for (std::string& name : source.solution) name = rewritten(session, name, absolute, kept);
  }
  session.baseFolder = absolute;
  return session;
}

LoadedSession loadSession(const QString& path) {
  LoadedSession loaded;
  loaded.digest = digestOfFile(pathOf(path));
  try {
    session::Session session = session::readSession(std::filesystem::absolute(pathOf(path)));
    takeTransferFiles(session);
    loaded.session = std::move(session);
  } catch (const std::exception& error) {
    loaded.problem = QString::fromUtf8(error.what());
  }
  return loaded;
}

SavedSession saveSession(const session::Session& session, const QString& path, const QByteArray& known) {
  SavedSession saved;
  try {
    if (const QByteArray there = known.isEmpty() ? known : digestOfFile(pathOf(path));
        !there.isEmpty() && there != known) {
      saved.changedElsewhere = true;
      return saved;
    }
    const std::filesystem::path file = std::filesystem::absolute(pathOf(path));
    const std::string text =
        session::toJson(withPathsFrom(session, file.parent_path(), absoluteNamesIn(file)));
    // What could not be opened again must not take the place of what can.
    if (const std::string wrong = problemIn(text); !wrong.empty()) {
      saved.problem = QObject::tr("No session can hold this: %1").arg(QString::fromStdString(wrong));
      return saved;
    }
    write(text, path);
    saved.digest = digestOf(QByteArray::fromStdString(text));
  } catch (const std::exception& error) {
    saved.problem = QString::fromUtf8(error.what());
  }
  return saved;
}

/// What is to be looked at, in order. The thread has it, too.
struct SessionFiles::Looks {
  struct Look {
    std::function<void()> work, done;
  };

  void add(Look look) {
    const std::lock_guard lock(mutex);
    if (!owner) return;
    waiting.push_back(std::move(look));
    changed.notify_one();
  }
  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return !owner || !waiting.empty(); });
      if (!owner) return;
      Look look = std::move(waiting.front());
      waiting.pop_front();
      isLooking = true;
      lock.unlock();
      look.work();
      look.work = nullptr;
      lock.lock();
      isLooking = false;
      changed.notify_all();
      if (owner) QMetaObject::invokeMethod(owner, look.done, Qt::QueuedConnection);
    }
  }

  std::mutex mutex;  ///< guards all that follows
  std::condition_variable changed;
  std::deque<Look> waiting;
  bool isLooking = false;
  SessionFiles* owner = nullptr;  ///< null once it goes
};

SessionFiles::SessionFiles(QObject* parent) : QObject(parent), m_looks(std::make_shared<Looks>()) {
  m_thread.setMaxThreadCount(1);
  m_looks->owner = this;
  m_looking = std::thread([looks = m_looks] { looks->run(); });
}

SessionFiles::~SessionFiles() {
  bool isLooking = false;
  {
    std::unique_lock lock(m_looks->mutex);
    m_looks->owner = nullptr;
    m_looks->waiting.clear();
    m_looks->changed.notify_all();
    m_looks->changed.wait_for(lock, kLastLook, [this] { return !m_looks->isLooking; });
    isLooking = m_looks->isLooking;
  }
  // What takes longer may take for ever.
  isLooking ? m_looking.detach() : m_looking.join();
  m_thread.waitForDone();
}

void SessionFiles::run(std::function<void()> work, std::function<void()> done) {
  m_thread.start([this, work = std::move(work), done = std::move(done)] {
    work();
    if (done) QMetaObject::invokeMethod(this, done, Qt::QueuedConnection);
  });
}

void SessionFiles::load(const QString& path, std::function<void(LoadedSession)> done) {
  const auto result = std::make_shared<LoadedSession>();
  run([looks = m_looks, result, path, done = std::move(done)] {
    looks->add(
        {[result, path] { *result = loadSession(path); }, [result, done] { done(std::move(*result)); }});
  });
}

void SessionFiles::look(std::function<void()> work, std::function<void()> done) {
  m_looks->add({std::move(work), std::move(done)});
}

void SessionFiles::know(const QString& path, const QByteArray& digest) {
  run([this, path, digest] { m_known = {path, digest}; });
}

void SessionFiles::save(const session::Session& session, const QString& path, bool mayReplace,
                        std::function<void(SavedSession)> done) {
  const auto result = std::make_shared<SavedSession>();
  const auto work = [this, result, session, path, mayReplace] {
    const bool isKnown = !mayReplace && path == m_known.path;
    *result = saveSession(session, path, isKnown ? m_known.digest : QByteArray());
    if (!result->digest.isEmpty()) m_known = {path, result->digest};
  };
  run(work, [result, done = std::move(done)] { done(std::move(*result)); });
}

}  // namespace farfield::app
