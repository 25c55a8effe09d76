#pragma once
// How often values occur in a level of a volume: at first as the ranges of its bricks tell, then, brick by brick, as those that
// are read show. For who looks at the values; nothing that is drawn depends on it.

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/base/memory_account.h"
#include "core/scene/volume.h"
#include "render/volume/brick_source.h"

namespace farfield::volume {

/// Thread-safe.
class ValueCounts {
 public:
  /// Of values within `range`, which ascends. Looks up the ranges of all bricks; those without count when they are read. Throws what
  /// looking them up throws, OverBudget.
  ValueCounts(const BrickSource& source, std::array<double, 2> range, MemoryAccount& account);

  /// `brick` is there. The first time its values replace what its range told.
  void add(std::int64_t number, const Brick& brick);
  /// Bricks whose values have been counted.
  std::size_t seen() const;
  /// Whether the others' ranges are known, so that they are in the histogram, too.
  bool knowsRest() const { return m_knowsRest; }
  scene::VolumeHistogram histogram() const;

 private:
  double binOf(double value) const;
  void addEvenly(const paging::ValueRange& range, double weight);

  const BrickSource& m_source;
  const std::array<double, 2> m_range;
  MemoryClaim m_claim;
  bool m_knowsRest = false;
  mutable std::mutex m_mutex;  ///< guards what follows
  std::vector<bool> m_seen;    ///< by brick
  std::size_t m_seenCount = 0;
  std::vector<double> m_counts;   ///< of values, by bin
  std::vector<double> m_changes;  ///< of what ranges tell, from one bin to the next
};

}  // namespace farfield::volume
