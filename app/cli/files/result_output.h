#pragma once
// Where rows of results go as they come: standard output, or a file that appears when all of them are there.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "app/cli/files/run_files.h"
#include "core/base/file.h"

namespace farfield::cli {

/// Prints to standard output. Throws Io.
void printResult(std::string_view text);
/// What was printed may still be on its way to a full disk. Throws Io.
void flushResults();

class ResultOutput {
 public:
  /// "-" or nothing is standard output. Throws Io.
  explicit ResultOutput(const std::string& name);
  bool isFile() const { return m_file != nullptr; }
  void write(std::string_view text);
  /// From now on what goes to standard output waits until release(), on disk where it is much; without that none of it is printed.
  void hold() { m_isHeld = true; }
  /// Throws Io.
  void release();
  /// Gives a file its name; without it nothing stays behind. Throws Io.
  void finish();

 private:
  std::unique_ptr<NewFile> m_file;
  bool m_isHeld = false;
  std::string m_waiting;          ///< the last of what is held
  File m_held;                    ///< what came before it
  std::uint64_t m_heldBytes = 0;  ///< there
};

/// Declares `csv`, a table's name, as written, where it names a file; tables begin with "step,time,", or "data,step,time," of the data of a
/// session. Throws as RunFiles does.
void declareTable(RunFiles& files, const std::string& csv);

/// A field of a row of comma-separated values (RFC 4180): in quotes where it must be.
std::string csvField(std::string_view text);

}  // namespace farfield::cli
