#pragma once
// Data given by a formula, of any size and not on disk. The samples with exact answers use it.

#include <functional>

#include "core/paging/pages/box_reader.h"

namespace farfield::paging {

class ComputedReader final : public BoxReader {
 public:
  /// Fills `out` as BoxReader::read does. Called from several threads at once.
  using Formula = std::function<void(std::uint32_t array, std::int64_t step, const IndexBox& box,
                                     std::span<std::byte> out)>;
  ComputedReader(DatasetDescription description, Formula formula)
      : m_description(std::move(description)), m_formula(std::move(formula)) {}

  const DatasetDescription& description() const override { return m_description; }
  bool isComputed() const override { return true; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    m_formula(array, step, box, out);
  }

 private:
  DatasetDescription m_description;
  Formula m_formula;
};

}  // namespace farfield::paging
