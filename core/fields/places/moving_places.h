#pragma once
// Places that go where the cells go in which they lie. Where nodes move from step to step, as those of a body that is bent or crushed,
// these are places of what the body is made of, and not of the space that it passes.

#include <memory>
#include <optional>
#include <span>

#include "core/fields/places/surface_places.h"

namespace farfield::fields {

/// Whether nodes move from step to step while cells stay what they are, and it is known where they are.
bool cellsMove(const paging::DatasetDescription& data);
/// Whether these are bodies, meshes of their own nodes, and not grids through which something flows.
bool bodiesMove(const paging::DatasetDescription& data);

/// Belongs to one task, which has no other cursor meanwhile. Of data of which cellsMove(). Every call may stop the task; throws what a
/// sampler throws.
class MovingPlaces {
 public:
  struct Place {
    Location where;
    bool isOnFace = false;  ///< of a surface in space
  };

  MovingPlaces(PagedData& data, tasks::TaskContext& context, std::shared_ptr<const FunctionPlan> functions);
  static std::uint64_t bytesFor(const paging::DatasetDescription& data, const FunctionPlan& functions);

  /// The cell in which `point` lies at `step`, or the face on which it does (kOnSurface). A step behind the last is the last.
  std::optional<Place> find(Vec3 point, std::int64_t step);
  /// Values there, as Sampler::evaluate() gives them. False where the cell is not there at `step`.
  bool evaluate(const Place& place, std::int64_t step, std::span<double> out);
  /// Where it is at `step`.
  Vec3 pointAt(const Place& place, std::int64_t step);

 private:
  Sampler& sampler();
  SurfacePlaces& faces();
  std::int64_t stepOf(std::int64_t step) const;

  PagedData& m_data;
  tasks::TaskContext& m_context;
  std::shared_ptr<const FunctionPlan> m_functions;
  // A task has room for one of them.
  std::unique_ptr<Sampler> m_sampler;
  std::unique_ptr<SurfacePlaces> m_faces;
};

}  // namespace farfield::fields
