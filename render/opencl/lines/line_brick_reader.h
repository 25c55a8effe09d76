#pragma once
// Makes bricks for lines from the pages of the data: what processors do for the device. A task makes several bricks one
// after the other, neighbours if they are given in order, so that it holds the pages that they share.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/functions/box_functions.h"
#include "core/fields/paged/paged_data.h"
#include "render/opencl/lines/line_grid.h"
#include "render/opencl/lines/line_layout.h"

namespace farfield::opencl {

/// Numbers as a brick holds them, floats or doubles.
class BrickNumbers {
 public:
  void resize(std::uint64_t count, std::uint64_t numberBytes) {
    m_numberBytes = numberBytes;
    m_bytes.resize(count * numberBytes);
  }
  void put(std::size_t n, double value);
  const std::vector<std::byte>& bytes() const { return m_bytes; }

 private:
  std::uint64_t m_numberBytes = 0;
  std::vector<std::byte> m_bytes;
};

/// As the layout says.
struct FilledBrick {
  BrickNumbers positions, values;
  std::vector<std::uint8_t>
      flags;    ///< 1 for cells that are blank or beyond the block; also of one layer around the brick
  Vec3 origin;  ///< that positions are counted from: a number of the device's; 0 in double precision
  bool isThere = false;
};

/// Of one job. Immutable; used by many tasks.
class LineBrickReader {
 public:
  /// All of it outlives the reader.
  LineBrickReader(fields::PagedData& data, std::shared_ptr<const fields::FunctionPlan> functions,
                  std::int64_t step, const LineLayout& layout, const LineGrid& grid);

  /// Memory of a task, beside its cursor and what it fills.
  std::uint64_t taskBytes() const;
  /// Fills out[n] with the brick of numbers[n]. May stop the task; throws what gathering throws.
  void read(std::span<const std::int64_t> numbers, tasks::TaskContext& context,
            std::span<FilledBrick> out) const;
  /// Whether all pages that a brick is made of are in the cache now.
  bool isInCache(std::int64_t number) const;

 private:
  std::int64_t layers() const;
  void readNodes(paging::Cursor& cursor, const fields::BlockSlots& slots, const LineGrid::Brick& brick,
                 FilledBrick& out) const;
  void readFlags(paging::Cursor& cursor, int iblank, const LineGrid::Brick& brick, FilledBrick& out) const;

  fields::PagedData& m_data;
  const std::shared_ptr<const fields::FunctionPlan> m_functions;
  const std::int64_t m_step;
  const LineLayout& m_layout;
  const LineGrid& m_grid;
  std::vector<std::vector<std::size_t>>
      m_arrays;  ///< of each block: numbers of those that bricks are made of
};

}  // namespace farfield::opencl
