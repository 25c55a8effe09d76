#pragma once
// The options of farfield-pagerd, from the command line and from its configuration file. An option is declared once;
// --help and the man page follow from it.

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
  std::optional<std::string> text;  ///< was asked for in place of serving: --help, --version, the man page
};

/// Reads the file that --config names, too; the command line counts before it. Throws Invalid (of the command line
/// with place "command line"), NotFound, Io.
PagerdOptions parsePagerd(const std::vector<std::string>& arguments);

}  // namespace farfield::remote
