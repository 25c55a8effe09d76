#pragma once
// An unstructured grid in memory whose cells stay while the flow on it turns from step to step.

#include <cmath>
#include <memory>

#include "core/fields/data/mesh_data.h"
#include "tests/support/memory_mesh.h"

namespace farfield::test {

/// The unit cube in `along`³ cells, with a vector "flow" at its nodes.
inline std::unique_ptr<fields::OpenData> openTurningFlow(int along, int steps, MemoryAccount& account) {
  const auto mesh = cubeOf(MeshOf::Hexahedra, along, 3);
  const MemoryMesh& its = *mesh;
  mesh->named = {{.name = "flow", .components = 3, .onCells = false, .steps = steps}};
  mesh->value = [&its](std::size_t, std::int64_t step, std::int64_t number, int component) {
    const Vec3 out = its.points[static_cast<std::size_t>(number)] - Vec3{0.5, 0.5, 0.5};
    const double angle = 0.3 * static_cast<double>(step);
    const Vec3 flow{out.x * std::cos(angle) - out.y * std::sin(angle),
                    out.x * std::sin(angle) + out.y * std::cos(angle), 0.3};
    return flow[component];
  };
  std::vector<double> times;
  for (int n = 0; n < steps; ++n) times.push_back(n);
  return fields::openMesh(mesh, {.format = "mesh", .name = "cube", .times = times}, account);
}

}  // namespace farfield::test
