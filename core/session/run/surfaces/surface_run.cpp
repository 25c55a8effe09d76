#include "core/session/run/surfaces/surface_run.h"

namespace farfield::session {

std::unique_ptr<SurfaceTasks> tasksOf(const SurfaceShape& shape,
                                      const paging::DatasetDescription& description,
                                      std::shared_ptr<const fields::FunctionPlan> functions) {
  return std::visit([&](const auto& its) { return makeTasks(its, description, std::move(functions)); },
                    shape);
}

SurfaceRun::SurfaceRun(const Object& object, const SurfaceShape& shape,
                       const paging::DatasetDescription& description)
    : TrianglesRun(object, description, {}), m_tasks(tasksOf(shape, description, m_functions)) {}

}  // namespace farfield::session
