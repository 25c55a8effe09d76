#pragma once
// The paths of many particles, on disk, in the order in which they were made: runs of vertices, each of which
// says where the run before it of the same particle is. A path is found from its last run backwards. What has
// been written never changes, so a copy up to some length is a state to go back to.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/session/spool_file.h"

namespace farfield::session {

/// Thread-safe.
class PathLog {
 public:
  /// Of vertices with `width` doubles. Throws Io.
  PathLog(const std::filesystem::path& folder, int width);

  int width() const { return m_width; }
  /// Appends a run behind `previous` (0: the first of its particle); returns where it is, never 0. Throws Io.
  std::uint64_t append(std::uint64_t previous, std::span<const double> vertices);
  /// The runs of a path in order, from the first on. `run` is scratch memory. Throws Io.
  void visit(std::uint64_t last, std::vector<double>& run,
             const std::function<void(std::span<const double>)>& visit) const;

  /// How much there is; all of what is before has been written once no task appends.
  std::uint64_t length() const { return m_file.length(); }
  /// Copies bytes from `first` on to or from the same place of `file`. Throws Io.
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
