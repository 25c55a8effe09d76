#pragma once
// What paging servers say of files that are open, looked at from outside: whether they have become longer. A folder is
// asked for over a connection that stays, no more often than costs little.

#include <QObject>
#include <chrono>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/session/run/file_look.h"
#include "remote/protocol/messages.h"

namespace farfield::remote {
class ServerFolders;
}

namespace farfield::app {

/// A child of whoever asks; add() is for one thread at a time, which must have ended when this goes.
class ServerLooks : public QObject {
 public:
  explicit ServerLooks(QObject* parent);
  ~ServerLooks() override;
  /// That of `parent`.
  static ServerLooks& of(const QObject& parent);

  /// Adds the files on paging servers that `alone` names; those reached by ssh are passed over. Waits. Throws what
  /// connecting and listing throw.
  void add(const session::Session& alone, session::FileLook& look);
  /// Ends a wait, and every later one.
  void stop() { m_stop.request_stop(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Folder {
    std::vector<remote::ListEntry> entries;
    Clock::time_point due{};  ///< when it is asked for again
  };
  const std::vector<remote::ListEntry>& list(const std::string& hosts, const std::string& path,
                                             const std::string& url);

  std::stop_source m_stop;
  std::map<std::string, std::unique_ptr<remote::ServerFolders>> m_servers;  ///< by their hosts
  std::map<std::string, Folder> m_folders;                                  ///< by hosts and path
};

}  // namespace farfield::app
