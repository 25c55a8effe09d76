#pragma once
// The paths of many particles, on disk, as runs of vertices in the order in which they were made. Each run
// knows the position of the particle's run before it, so a path is found from its last run backwards. What
// has been written never changes: a copy up to some length is a state to return to.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/session/spool_file.h"

namespace farfield::session {

/// Thread-safe.
class PathLog {
 public:
  /// Vertices have `width` doubles. Throws Io.
  PathLog(const std::filesystem::path& folder, int width);

  int width() const { return m_width; }
  /// Appends a run after `previous` (0: the first of its particle); returns its position, never 0. Throws Io.
  std::uint64_t append(std::uint64_t previous, std::span<const double> vertices);
  /// Visits the runs of the path that ends with `last`, from the first on. `run` is scratch memory. Throws
  /// Io.
  void visit(std::uint64_t last, std::vector<double>& run,
             const std::function<void(std::span<const double>)>& visit) const;

  /// Bytes so far; all of them are written while no task appends.
  std::uint64_t length() const { return m_file.length(); }
  /// Copies bytes from `first` on to or from the same position in `file`. Throws Io.
  void copyTo(File& file, std::uint64_t first) const;
  void copyFrom(const File& file, std::uint64_t length);

 private:
  struct Head {
    std::uint64_t previous = 0, doubles = 0;
  };
  int m_width;
  SpoolFile m_file;
};

}  // namespace farfield::session
