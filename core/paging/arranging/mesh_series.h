#pragma once
// Unstructured grids whose cells change from step to step: a block for each step's grid. At other steps it has no bounds and its
// points are nowhere (NaN), so whatever finds points, cuts cells or draws faces passes it over.

#include <memory>
#include <vector>

#include "core/paging/arranging/arranged_reader.h"

namespace farfield::paging {

class MeshSeriesReader final : public BoxReader {
 public:
  /// The grid of each step, two or more, with one step each; variables that not all have alike are not there. `times`: one per grid.
  MeshSeriesReader(std::vector<std::shared_ptr<const ArrangedReader>> grids, std::vector<double> times);

  const DatasetDescription& description() const override { return m_description; }
  DatasetDescription& changeDescription() { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;
  void checkUnchanged() const override {
    for (const auto& grid : m_grids) grid->checkUnchanged();
  }
  /// Names of variables that are not there.
  const std::vector<std::string>& leftOut() const { return m_leftOut; }

 private:
  /// An array of a grid.
  struct Part {
    std::uint32_t grid = 0, array = 0;
  };
  bool allHave(const ArrayDescription& wanted) const;

  std::vector<std::shared_ptr<const ArrangedReader>> m_grids;
  DatasetDescription m_description;
  std::vector<Part> m_parts;
  std::vector<std::string> m_leftOut;
};

}  // namespace farfield::paging
