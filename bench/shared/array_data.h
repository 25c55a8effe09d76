#pragma once
// A data set as a program without paging holds it: every array whole in memory, i fastest. The same rules of
// location and interpolation as core/fields/paged/structured_sampler.h, written for such arrays. Streamlines
// through pages are compared with this: the results must be equal bit for bit, and the difference in time is
// the price of paging.

#include <array>
#include <memory>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/cells/trilinear.h"
#include "core/fields/functions/functions.h"
#include "core/fields/paged/box_search.h"
#include "core/fields/paged/sampler.h"
#include "core/paging/location/box_pyramid.h"
#include "core/paging/sources/memory_reader.h"

namespace farfield::bench {

/// One step; coordinates and variables f32, iblank i16. Immutable; thread-safe.
class ArrayData {
 public:
  struct Block {
    paging::BlockDescription description;
    Index3 cells{};
    const float* xyz = nullptr;
    const std::int16_t* iblank = nullptr;
    std::vector<const float*> variables;  ///< in the order of FunctionPlan::arrays
    paging::BoxPyramid pyramid;           ///< empty for regular blocks
  };

  /// `values` outlives it. Throws Unsupported for other types, OverBudget.
  ArrayData(std::shared_ptr<const paging::MemoryReader> values,
            std::shared_ptr<const fields::FunctionPlan> functions, MemoryAccount& account);

  const std::vector<Block>& blocks() const { return m_blocks; }
  const Bounds& bounds() const { return m_bounds; }
  const fields::FunctionPlan& functions() const { return *m_functions; }
  /// Components of each of FunctionPlan::arrays.
  const std::vector<int>& components() const { return m_components; }

 private:
  std::shared_ptr<const paging::MemoryReader> m_values;
  std::shared_ptr<const fields::FunctionPlan> m_functions;
  std::vector<Block> m_blocks;
  std::vector<int> m_components;
  Bounds m_bounds;
};

class ArraySampler final : public fields::Sampler {
 public:
  explicit ArraySampler(const ArrayData& data);

  bool locate(Vec3 point, fields::FieldTime time, fields::Location& location) override;
  fields::Nearness locateNear(Vec3 point, fields::FieldTime time, fields::Location& location) override;
  void evaluate(const fields::Location& location, fields::FieldTime time, std::span<double> out) override;
  int valueCount() const override { return m_data.functions().outputCount(); }
  std::optional<fields::CellFlow> flowIn(const fields::Location& location, fields::FieldTime time) override;
  bool crossFace(fields::Location& location, fields::FieldTime time, int face) override;
  double outsideBy(const fields::Location& location) override {
    return fields::Hexahedron::outsideBy(location.xi);
  }
  double cellsPerTime(const fields::Location& location, fields::FieldTime time, Vec3 velocity) override;
  const Bounds& bounds() const override { return m_data.bounds(); }

 private:
  /// A recently used cell.
  struct RecentCell {
    std::int64_t number = -1, node = 0;  ///< `node`: its lowest
    Index3 at{};
    bool hasGrid = false, hasValues = false, blank = false;
    fields::TrilinearMap map;
  };
  void bind(int block);
  std::size_t recent(std::int64_t cell);
  const RecentCell& withGrid(std::int64_t cell);
  const double* withValues(std::int64_t cell);
  fields::Nearness walk(Vec3 point, fields::Location& location);
  bool searchBlock(int block, Vec3 point, fields::Location& location);
  bool searchCurvilinear(Vec3 point, fields::Location& location);
  void searchGroup(const fields::CellGroup& group, Vec3 point, fields::Location& best);
  bool locateRegular(Vec3 point, fields::Location& location);
  std::vector<fields::CellGroup> candidates(Vec3 point) const;

  static constexpr std::size_t kRecentCells = 4;
  const ArrayData& m_data;
  const ArrayData::Block* m_block = nullptr;
  int m_number = -1;
  std::array<std::int64_t, 8> m_corners{};  ///< from the lowest node of a cell to its eight corners
  std::array<RecentCell, kRecentCells> m_recent;
  std::size_t m_latest = 0;
  std::vector<double> m_nodeInputs;
  std::vector<double> m_values;  ///< functions at the corners of the recent cells
};

}  // namespace farfield::bench
