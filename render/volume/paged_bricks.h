#pragma once
// Bricks of a regular or rectilinear block, from its pages: a stored variable, or a function computed at the
// nodes. Blank nodes and values that are not numbers are NaN.

#include <memory>
#include <vector>

#include "core/fields/paged/paged_data.h"
#include "render/volume/brick_source.h"

namespace farfield::volume {

class PagedBricks final : public BrickSource {
 public:
  /// From the only block of `data`, which outlives it; `data` is level `level` of what is shown. The function
  /// has one component. Throws Unsupported for blocks that are curvilinear or less than two nodes thick;
  /// Invalid for a vector.
  PagedBricks(fields::PagedData& data, std::shared_ptr<const fields::FunctionPlan> function,
              std::int64_t step, int level = 0);
  /// Whether the constructor accepts `data`.
  static bool canShow(const paging::DatasetDescription& data);
  /// A stored variable that is shown unchanged.
  struct Stored {
    int array = -1, component = 0;  ///< in the description
    BrickFormat format;
  };
  /// In the first block; nothing for computed functions and for blocks with blank nodes.
  static std::optional<Stored> storedIn(const paging::DatasetDescription& data,
                                        const fields::FunctionPlan& function);

  const BrickGrid& grid() const override { return m_grid; }
  BrickFormat format() const override { return m_format; }
  std::optional<paging::ValueRange> range(const Index3& brick) const override;
  std::optional<paging::ValueRange> wholeRange() const override;
  Vec3 bricksTogether() const override;
  void read(const Index3& brick, tasks::TaskContext& context, Brick& out) override;
  std::uint64_t readBytes() const override;
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override { return m_data.makeScheduler(); }
  tasks::Admission* admission() override { return &m_data.admission(); }
  /// Pages that a brick at another step is made of.
  std::vector<paging::PageKey> pagesOf(const Index3& brick, std::int64_t step) const;
  fields::PagedData& data() const { return m_data; }
  /// Memory for reading a brick of a function.
  static std::uint64_t readBytesFor(const fields::FunctionPlan& function);

 private:
  /// The brick's nodes, as far as there are any; `shift` takes a node to its place in the brick.
  IndexBox nodesOf(const Index3& brick, Index3& shift) const;
  void readStored(paging::Cursor& cursor, int slot, const IndexBox& nodes, const Index3& shift,
                  Brick& out) const;
  void readComputed(paging::Cursor& cursor, tasks::TaskContext& context, const IndexBox& nodes,
                    const Index3& shift, Brick& out) const;

  fields::PagedData& m_data;
  std::shared_ptr<const fields::FunctionPlan> m_function;
  const std::int64_t m_step;
  BrickGrid m_grid;
  BrickFormat m_format;
  int m_array = -1, m_component = 0;  ///< of the variable, in the description; -1: computed
};

}  // namespace farfield::volume
