#pragma once
// Where bricks come from: pages of a level of a regular grid, or any grid resampled. A source is one level of
// one variable at one step.

#include <memory>
#include <optional>

#include "core/paging/store/page_summary.h"
#include "core/tasks/scheduler.h"
#include "render/volume/brick.h"

namespace farfield::volume {

/// Thread-safe, except where noted.
class BrickSource {
 public:
  virtual ~BrickSource() = default;
  virtual const BrickGrid& grid() const = 0;
  virtual BrickFormat format() const = 0;
  /// A range that holds all values of the brick's cells, if known without reading them. Throws Io, Corrupt.
  virtual std::optional<paging::ValueRange> range(const Index3& brick) const = 0;
  /// Of all values, as far as known without reading them.
  virtual std::optional<paging::ValueRange> wholeRange() const { return std::nullopt; }
  /// How many bricks along each axis are read at once, as far as that is known: those that one page goes through. A
  /// picture takes them one after another where it can, since memory may not suffice for all pages until the next.
  virtual Vec3 bricksTogether() const { return {1, 1, 1}; }
  /// Reads a brick, within a task of makeScheduler() that admission() let in. May stop the task. `out` has
  /// this source's format and the brick's cells. Throws what reading throws.
  virtual void read(const Index3& brick, tasks::TaskContext& context, Brick& out) = 0;
  /// Memory of one read() besides the brick.
  virtual std::uint64_t readBytes() const = 0;
  virtual std::unique_ptr<tasks::Scheduler> makeScheduler() const = 0;
  virtual tasks::Admission* admission() = 0;
};

}  // namespace farfield::volume
