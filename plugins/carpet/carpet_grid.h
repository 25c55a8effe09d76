#pragma once
// The grid functions of a set of files of Cactus/Carpet as an adaptive grid: components of all processes are boxes of nodes, without
// the ghost zones that other components have; iterations are steps, whose boxes may change.

#include <memory>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/amr/amr_dataset.h"
#include "plugins/arrays/option_words.h"
#include "plugins/carpet/carpet_name.h"

namespace farfield::carpet {

/// A grid function on one component at one iteration, as it is in a file. Axes are x, y, z.
struct Component {
  DatasetName name;
  Index3 dims{1, 1, 1};
  int rank = 3;
  Vec3 origin, delta{1, 1, 1};
  std::array<std::int64_t, 6> trim{};  ///< ghost zones at the low and the high end of x, y, z
  double time = 0;
  arrays::NumberType type = arrays::NumberType::F64;
  bool bigEndian = false;
  std::shared_ptr<const arrays::ByteSource> bytes;
};

/// One input for all iterations with equal boxes, or one for each where boxes change. Options: `iteration` (one alone). Throws
/// Corrupt, Unsupported, Invalid, OverBudget.
std::vector<amr::AmrInput> inputsOf(std::vector<Component> components, const arrays::Options& options,
                                    MemoryAccount& account);

}  // namespace farfield::carpet
