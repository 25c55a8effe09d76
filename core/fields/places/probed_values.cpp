#include "core/fields/places/probed_values.h"

#include <optional>

#include "core/paging/pages/amr_boxes.h"

namespace farfield::fields {

ProbedValues::ProbedValues(const paging::DatasetDescription& data) : m_data(data) {
  const std::optional<paging::AmrLevels> amr = paging::amrOf(data);
  m_ofCells = amr && amr->onCells;
}

Location ProbedValues::at(Vec3 point, const Location& place, FieldTime time, Sampler& sampler) const {
  if (!m_ofCells) return place;
  Location centre = place;
  const auto& block = m_data.blocks[static_cast<std::size_t>(place.block)];
  const bool found = sampler.locate(paging::amrCellAt(block, point).centre, time, centre);
  return found && centre.block == place.block ? centre : place;
}

}  // namespace farfield::fields
