#include "core/fields/places/moving_places.h"

#include <algorithm>
#include <array>

#include "core/fields/functions/node_places.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/changing_cells.h"

namespace farfield::fields {
namespace {

std::shared_ptr<const FunctionPlan> placesOf(const paging::DatasetDescription& data) {
  return std::make_shared<const FunctionPlan>(data, std::vector<std::string>{"x", "y", "z"});
}

}  // namespace

bool cellsMove(const paging::DatasetDescription& data) {
  const bool moves =
      std::any_of(data.arrays.begin(), data.arrays.end(), [](const paging::ArrayDescription& array) {
        return array.role == paging::ArrayRole::Coordinates && array.steps > 1;
      });
  return moves && data.steps() > 1 && !paging::cellsChange(data) && placeFunctions(data).size() == 3;
}

bool bodiesMove(const paging::DatasetDescription& data) {
  return cellsMove(data) && data.blocks.front().isUnstructured();
}

MovingPlaces::MovingPlaces(PagedData& data, tasks::TaskContext& context,
                           std::shared_ptr<const FunctionPlan> functions)
    : m_data(data), m_context(context), m_functions(std::move(functions)) {}

std::uint64_t MovingPlaces::bytesFor(const paging::DatasetDescription& data, const FunctionPlan& functions) {
  return sizeof(MovingPlaces) +
         std::max({PagedData::samplerBytes(functions), PagedData::samplerBytes(*placesOf(data)),
                   SurfacePlaces::bytesFor(functions)});
}

Sampler& MovingPlaces::sampler() {
  m_faces.reset();
  if (!m_sampler) m_sampler = m_data.makeSampler(m_context, m_functions);
  return *m_sampler;
}

SurfacePlaces& MovingPlaces::faces() {
  m_sampler.reset();
  if (!m_faces) m_faces = std::make_unique<SurfacePlaces>(m_data, m_context, m_functions);
  return *m_faces;
}

std::int64_t MovingPlaces::stepOf(std::int64_t step) const {
  return std::clamp<std::int64_t>(step, 0, m_data.description().steps() - 1);
}

std::optional<MovingPlaces::Place> MovingPlaces::find(Vec3 point, std::int64_t step) {
  Location where;
  if (sampler().locate(point, FieldTime{stepOf(step)}, where)) return Place{where, false};
  if (!hasSurfacesInSpace(m_data.description())) return std::nullopt;
  const auto face = faces().nearest(point, kOnSurface * m_data.bounds().diagonal(), stepOf(step));
  return face ? std::optional(Place{face->where, true}) : std::nullopt;
}

bool MovingPlaces::evaluate(const Place& place, std::int64_t step, std::span<double> out) {
  const std::vector<bool> there = paging::blocksAt(m_data.description(), stepOf(step));
  if (!there.empty() && !there[static_cast<std::size_t>(place.where.block)]) return false;
  if (out.empty()) return true;
  if (place.isOnFace)
    faces().evaluate(place.where, stepOf(step), out);
  else
    sampler().evaluate(place.where, FieldTime{stepOf(step)}, out);
  return true;
}

Vec3 MovingPlaces::pointAt(const Place& place, std::int64_t step) {
  if (place.isOnFace) return faces().pointAt(place.where, stepOf(step));
  m_sampler.reset();
  std::array<double, 3> at{};
  m_data.makeSampler(m_context, placesOf(m_data.description()))
      ->evaluate(place.where, FieldTime{stepOf(step)}, at);
  return {at[0], at[1], at[2]};
}

}  // namespace farfield::fields
