#pragma once
// Reading and writing session files away from the UI thread: a file on a slow server stops nobody.

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "core/session/session.h"

namespace farfield::app {

/// The session with its paths written for a file in `folder`. Data inside `folder` get relative paths, so that a folder can be moved as a
/// whole; others are absolute. What is absolute now stays so if it is among `kept`; without such a list, all of it.
session::Session withPathsFrom(session::Session session, const std::filesystem::path& folder,
                               const std::optional<std::set<std::string>>& kept = std::nullopt);

struct LoadedSession {
  std::optional<session::Session> session;
  QString problem;    ///< one line, with the path of the wrong key; empty where it was read
  QByteArray digest;  ///< of the file's bytes as they were before it was read; empty where they could not be
};
/// On any thread.
LoadedSession loadSession(const QString& path);
struct SavedSession {
  QString problem;                ///< empty where it was written
  bool changedElsewhere = false;  ///< nothing was written: the file is not as it was known
  QByteArray digest;              ///< of the file's bytes, where it was written
};
/// Writes `session` to `path`, whole or not at all, with the rights of what is there, or to where a link leads, and with relative paths to
/// what is in its folder, unless the session that is there now has absolute ones to it: somebody wants them so. Where `known` has the digest
/// of the file as it was read or written last, a file that is there and has another one is left as it is. On any thread.
SavedSession saveSession(const session::Session& session, const QString& path, const QByteArray& known = {});

/// Writes one file after the other on a thread of its own, and looks at one after the other on another: a disk that does not answer keeps
/// nothing from being saved on others. Lives on the UI thread, where the functions are called; waits for what is being written when it is
/// destroyed, and for a look no longer than a moment.
class SessionFiles : public QObject {
  Q_OBJECT
 public:
  explicit SessionFiles(QObject* parent = nullptr);
  ~SessionFiles() override;
  /// Once all is written that was to be before: it may be that file.
  void load(const QString& path, std::function<void(LoadedSession)> done);
  /// That is what the session at `path` held when it became the document; so does what save() has written.
  void know(const QString& path, const QByteArray& digest);
  /// As saveSession() does; a file that is not as it is known is replaced only where it `mayReplace` it.
  void save(const session::Session& session, const QString& path, bool mayReplace,
            std::function<void(SavedSession)> done);
  /// Any other writing: `work` there, then `done` here.
  void run(std::function<void()> work, std::function<void()> done = {});
  /// A look at files that are the user's, wherever they lie: `work` on the thread for looks, then `done` here. What `work` needs is its own:
  /// it may go on when all else is gone.
  void look(std::function<void()> work, std::function<void()> done);

  /// Waits so long for what is being done; what is done afterwards goes on.
  void wait(int milliseconds) { m_thread.waitForDone(milliseconds); }

 private:
  struct {
    QString path;
    QByteArray digest;
  } m_known;  ///< on the thread alone: what follows one another there is told apart from what others do
  struct Looks;
  const std::shared_ptr<Looks> m_looks;
  std::thread m_looking;
  QThreadPool m_thread;  ///< last: it hands over to the others
};

}  // namespace farfield::app
