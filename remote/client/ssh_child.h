#pragma once
// The user's own paging server on another machine, started by ssh, which carries the connection:
// far+ssh://user@host/path. Nothing listens anywhere, and no token is needed: ssh authenticates, and the
// server reads as that user.

#include <sys/types.h>

#include <memory>
#include <string>

namespace farfield::remote {

struct SshPlace {
  std::string user;  ///< empty: ssh's default
  std::string host;
  int port = 0;             ///< 0: ssh's default
  bool asksNobody = false;  ///< it fails where it would ask for a password
};

/// A process that is ended by the destructor. Not thread-safe.
class SshChild {
 public:
  /// Starts the command in FARFIELD_SSH ("ssh" without it; words separated by blanks) with the destination
  /// and the server's command line as further words. Throws Io, NotFound (no ssh).
  explicit SshChild(const SshPlace& place);
  ~SshChild();
  SshChild(const SshChild&) = delete;
  SshChild& operator=(const SshChild&) = delete;

  /// The socket of the connection; the caller owns it from now on.
  int takeSocket();
  /// The last line of error output of ssh or the server; empty: none. Does not wait.
  std::string lastWords();

 private:
  pid_t m_process = -1;
  int m_socket = -1, m_errors = -1;
  std::string m_said;
};

}  // namespace farfield::remote
