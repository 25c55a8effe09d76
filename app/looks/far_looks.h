#pragma once
// What can be seen from here of files on other machines that are open: whether they have become longer. What a paging server shares is
// listed folder by folder over a connection that stays, by ssh only where nobody has to type anything; a web server is asked
// for a byte. Nothing is asked for more often than costs little.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/session/run/file_look.h"

namespace farfield::remote {
class ServerFolders;
struct FarUrl;
}  // namespace farfield::remote
namespace farfield::http {
class HttpStore;
}

namespace farfield::app {

/// For one thread at a time, but for stop().
class FarLooks {
 public:
  FarLooks();
  ~FarLooks();

  /// Adds the files on other machines that `session` names. Waits. Throws what connecting and listing throw, and what
  /// a web server refuses; nothing by ssh: a machine that cannot be reached so is not tried again.
  void add(const session::Session& session, session::FileLook& look);
  /// At all files that `session` names, here and there; of those that cannot be looked at now as they were seen last.
  /// Waits. Throws Cancelled.
  session::FileLook at(const session::Session& session);
  /// Ends a wait, and every later one.
  void stop() { m_stop.request_stop(); }

 private:
  using Clock = std::chrono::steady_clock;
  using Seen = std::vector<session::FileLook::Seen>;
  struct Place {
    Seen seen;
    Clock::time_point due{};  ///< when it is looked at again
  };
  const Seen& lookAt(const std::string& place, const std::function<Seen()>& look);
  Seen listed(const remote::FarUrl& url, const std::string& hosts, const std::string& folder);
  Seen asked(const std::string& name);

  std::stop_source m_stop;
  std::map<std::string, std::unique_ptr<remote::ServerFolders>> m_servers;  ///< by their hosts
  std::set<std::string> m_reached, m_givenUp;                               ///< hosts: once, and never
  std::map<std::string, Place> m_places;                                    ///< folders and files
  std::shared_ptr<http::HttpStore> m_web;                                   ///< null in builds without
  session::FileLook m_last;                                                 ///< of at(), elsewhere
};

}  // namespace farfield::app
