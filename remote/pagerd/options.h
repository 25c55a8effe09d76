#pragma once
// The options of farfield-pagerd, from the command line and from its configuration file. An option is
// declared once; --help and the man page are made from that.

#include <optional>
#include <string>
#include <vector>

#include "remote/server/server.h"

namespace farfield::remote {

struct PagerdOptions {
  ServerOptions server;
  std::string config;    ///< its file; empty: none
  std::string auditLog;  ///< a file for what clients do; empty: stderr, with --verbose
  bool stdio = false;    ///< one client, over standard input and output
  bool checkConfig = false, quiet = false, verbose = false;
  std::optional<std::string> text;  ///< output requested instead of serving: --help, --version, the man page
};

/// Also reads the file of --config; the command line takes precedence. Throws Invalid (place "command line"
/// for the command line), NotFound, Io.
PagerdOptions parsePagerd(const std::vector<std::string>& arguments);

}  // namespace farfield::remote
