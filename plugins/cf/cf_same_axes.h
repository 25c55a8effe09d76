#pragma once
// Files of a series lie on the grid of the first: an axis with other nodes would show values where they are not.

#include <array>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/cf/cf_axes.h"

namespace farfield::cf {

/// The one-dimensional axes of a file.
class KnownAxes {
 public:
  /// Memory for the axes is claimed from `account`, which must outlive this. Throws OverBudget, Corrupt, Io.
  KnownAxes(const File& first, const CfGrid& grid, MemoryAccount& account);
  /// Throws Invalid if `other` has an axis of one of these names and as many nodes, which are not at the same places. Rounding does not count.
  void requireSame(const File& other) const;

 private:
  struct Axis {
    std::string name;
    std::vector<double> nodes;
    MemoryClaim claim;
    double slack = 0;
  };
  MemoryAccount& m_account;
  std::vector<Axis> m_axes;
};

}  // namespace farfield::cf
