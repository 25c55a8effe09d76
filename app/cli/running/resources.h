#pragma once
// What of the machine a command may use: options that several commands share.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/files/run_files.h"
#include "app/cli/options/command.h"

namespace farfield::cli {

/// A quarter of the machine's memory, at least 64 MiB and at most 4 GiB.
std::uint64_t defaultMemoryBytes();

/// "--memory", into `bytes`, which gets its default.
Option memoryOption(std::uint64_t& bytes);
/// "--processors", into `count`, which gets its default.
Option processorsOption(int& count);

/// "--overwrite", into `overwrite`, for RunFiles.
Option overwriteOption(bool& overwrite);

/// What names a data set, and how it is read.
struct DataArguments {
  std::vector<std::string> sources, solutions, settings;
  std::string reader;

  /// --solution, --reader, --option.
  std::vector<Option> options();
  /// Patterns replaced by files; solutions that are named alone get the grid that lies beside them, which is said once, as is what a pattern lacks. A paging
  /// server is asked for it, which waits. With `stop` in it. Throws UsageError, NotFound, and for such a server as remote::ServerFolders.
  fields::OpenRequest request(const std::stop_token& stop) const;

 private:
  mutable bool m_gridIsSaid = false, m_gapsAreSaid = false;
  mutable std::optional<std::string> m_farGrid;  ///< once a server was asked; empty: it has none
};

/// Declares the files of a data set as read, before those that are written.
void declareReads(RunFiles& files, const fields::OpenRequest& request);
/// And what they are read from beside that, as headers and lists name other files.
void declareReads(RunFiles& files, const fields::OpenData& data);

/// Whether the file `name` is a session rather than data: a JSON object that is not known as data by its name.
/// Throws NotFound, Io.
bool looksLikeSession(const std::string& name);

/// Throws Unsupported where `data`, opened by `request`, are known to a renderer alone, which gives pictures of them.
void requireValues(const fields::OpenData& data, const fields::OpenRequest& request);

}  // namespace farfield::cli
