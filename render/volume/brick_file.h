#pragma once
// Keeps bricks that were expensive to make in a file without a name, of bounded size. The oldest are
// replaced.

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/base/temporary_file.h"
#include "render/volume/brick.h"

namespace farfield::volume {

/// Thread-safe.
class BrickFile {
 public:
  /// At most `mostBytes`. If the folder accepts no file, nothing is kept.
  BrickFile(const std::filesystem::path& folder, const BrickFormat& format, std::uint64_t mostBytes);

  /// Fills `out` with brick `number`; false if it is not there.
  bool get(std::int64_t number, Brick& out);
  /// Keeps a filled brick, if there is room on the disk.
  void put(std::int64_t number, const Brick& brick);
  std::uint64_t bytes() const;

 private:
  const std::uint64_t m_brickBytes;
  const std::size_t m_places;
  mutable std::mutex m_mutex;
  File m_file;
  bool m_works = false;
  std::size_t m_next = 0;
  std::vector<std::int64_t> m_numbers;  ///< by slot; -1: being written
  std::unordered_map<std::int64_t, std::size_t> m_placeOf;
};

}  // namespace farfield::volume
