#pragma once
// Bricks that were dear to make, kept in a file of bounded size that no name leads to. The oldest give way.

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
  /// At most `mostBytes`. Where the folder takes no file, nothing is kept.
  BrickFile(const std::filesystem::path& folder, const BrickFormat& format, std::uint64_t mostBytes);

  /// Fills `out` with brick `number`; false where it is not there.
  bool get(std::int64_t number, Brick& out);
  /// Keeps a filled brick, where there is room on the disk.
  void put(std::int64_t number, const Brick& brick);
  std::uint64_t bytes() const;

 private:
  const std::uint64_t m_brickBytes;
  const std::size_t m_places;
  mutable std::mutex m_mutex;
  File m_file;
  bool m_works = false;
  std::size_t m_next = 0;
  std::vector<std::int64_t> m_numbers;  ///< by place; -1: being written
  std::unordered_map<std::int64_t, std::size_t> m_placeOf;
};

}  // namespace farfield::volume
