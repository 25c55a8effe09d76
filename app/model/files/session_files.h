#pragma once
// Reading and writing session files away from the UI thread: a file on a slow server stops nobody.

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "core/session/session.h"

namespace farfield::app {

/// The session with its paths written for a file in `folder`. Data inside `folder` get relative paths, so that a folder can be moved as a
/// whole; others are absolute. What is absolute now stays so if it is among `kept`; without such a list, all of it.
session::Session withPathsFrom(session::Session session, const std::filesystem::path& folder,
                               const std::optional<std::set<std::string>>& kept = std::nullopt);

struct LoadedSession {
  std::optional<session::Session> session;
  QString problem;  ///< one line, with the path of the wrong key; empty where it was read
};
/// On any thread.
LoadedSession loadSession(const QString& path);
/// Writes `session` to `path`, whole or not at all, with relative paths to what is in its folder, unless the session that is there now
/// has absolute ones to it: somebody wants them so. The problem; empty where it was written. On any thread.
QString saveSession(const session::Session& session, const QString& path);

/// Does one file after the other on a thread of its own. Lives on the UI thread, where the functions are
/// called; waits for what is being written when it is destroyed.
class SessionFiles : public QObject {
  Q_OBJECT
 public:
  explicit SessionFiles(QObject* parent = nullptr);
  ~SessionFiles() override;
  void load(const QString& path, std::function<void(LoadedSession)> done);
  void save(const session::Session& session, const QString& path, std::function<void(QString problem)> done);
  /// Any other work with files: `work` there, then `done` here.
  void run(std::function<void()> work, std::function<void()> done = {});

  /// Waits so long for what is being done; what is done afterwards goes on.
  void wait(int milliseconds) { m_thread.waitForDone(milliseconds); }

 private:
  QThreadPool m_thread;
};

}  // namespace farfield::app
