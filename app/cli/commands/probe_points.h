#pragma once
// The points that a probe looks at: single ones, then those of lines. Made when asked for, so that their
// number takes no memory.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::cli {

struct ProbePoint {
  Vec3 at;
  std::optional<std::size_t> line;  ///< whose number it is on
  double distance = 0;              ///< along the line from its start
};

class ProbePoints {
 public:
  /// `single` are points X,Y,Z; of `ends` two after each other are the ends of a line of `count` points, both
  /// ends included. Throws UsageError.
  ProbePoints(const std::vector<std::string>& single, const std::vector<std::string>& ends,
              std::uint64_t count);
  std::uint64_t size() const { return m_single.size() + m_ends.size() / 2 * m_count; }
  ProbePoint operator[](std::uint64_t number) const;

 private:
  std::vector<Vec3> m_single, m_ends;
  std::uint64_t m_count;
};

}  // namespace farfield::cli
