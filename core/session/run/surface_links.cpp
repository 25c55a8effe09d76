#include "core/session/run/surface_links.h"

#include "core/base/temporary_file.h"
#include "core/extract/face_lines.h"

namespace farfield::session {

std::uint64_t SurfaceLinks::bytesFor(const extract::GridSurface& surface) {
  return surface.isFaces() ? extract::FaceLinker::bytesFor(surface.nodes().size[0]) : 0;
}

void SurfaceLinks::find(std::size_t surface, const extract::GridSurface& its,
                        const ObjectSurroundings& surroundings, const fields::FunctionPlan& functions,
                        std::int64_t step, const std::string& name) {
  if (m_links.size() <= surface) m_links.resize(surface + 1);
  if (!its.isFaces() || m_links[surface]) return;
  const std::int64_t faces = its.nodes().size[0];
  extract::FaceLinker linker(faces, extract::FaceLinker::bytesFor(faces), surroundings.account,
                             surroundings.spoolFolder.empty() ? temporaryFolder() : surroundings.spoolFolder);
  tasks::TaskGroup group;
  group.name = name;
  group.count = static_cast<std::size_t>((faces - 1) / extract::kLinkedFaces + 1);
  group.admission = &surroundings.data.admission();
  group.describe = [](std::size_t part) { return "faces, part " + std::to_string(part); };
  group.run = [&](std::size_t part, tasks::TaskContext& context) {
    extract::addFaces(its, part, surroundings.data, context, functions, step, linker);
  };
  surroundings.data.makeScheduler()->run(group, surroundings.stop);
  m_links[surface] = linker.finish(surroundings.stop);
}

}  // namespace farfield::session
