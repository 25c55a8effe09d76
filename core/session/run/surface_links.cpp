#include "core/session/run/surface_links.h"

#include <algorithm>

#include "core/base/temporary_file.h"
#include "core/extract/face_lines.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::session {

std::uint64_t SurfaceLinks::bytesFor(const extract::GridSurface& surface) {
  return surface.isFaces() ? extract::FaceLinker::bytesFor(surface.nodes().size[0]) : 0;
}

void SurfaceLinks::startStep(const paging::DatasetDescription& description, std::int64_t step) {
  m_there = paging::blocksAt(description, step);
  if (std::find(m_there.begin(), m_there.end(), true) == m_there.end()) m_there.clear();
  bool areKnown = false;
  for (Known& known : m_links) {
    if (known.links && !isThere(known.block)) known = {};
    areKnown |= known.links != nullptr;
  }
  if (!areKnown) m_file.reset();
}

bool SurfaceLinks::isThere(const extract::GridSurface& its) const {
  return !its.isFaces() || isThere(its.block());
}

void SurfaceLinks::find(std::size_t surface, const extract::GridSurface& its,
                        const ObjectSurroundings& surroundings, const fields::FunctionPlan& functions,
                        std::int64_t step, const std::string& name) {
  if (m_links.size() <= surface) m_links.resize(surface + 1);
  if (!its.isFaces() || !isThere(its.block()) || m_links[surface].links) return;
  const std::int64_t faces = its.nodes().size[0];
  const std::filesystem::path folder =
      surroundings.spoolFolder.empty() ? temporaryFolder() : surroundings.spoolFolder;
  extract::FaceLinker linker(faces, extract::FaceLinker::bytesFor(faces), surroundings.account, folder);
  tasks::TaskGroup group;
  group.name = name;
  group.count = static_cast<std::size_t>((faces - 1) / extract::kLinkedFaces + 1);
  group.admission = &surroundings.data.admission();
  group.run = [&](std::size_t part, tasks::TaskContext& context) {
    extract::addFaces(its, part, surroundings.data, context, functions, step, linker);
  };
  surroundings.data.makeScheduler()->run(group, surroundings.stop);
  if (!m_file) m_file = std::make_shared<File>(makeTemporaryFile(folder));
  const std::uint64_t before = m_file->size();
  try {
    m_links[surface] = {linker.finish(surroundings.stop, m_file), its.block()};
  } catch (...) {
    m_file->resize(before);  // else what is stopped again and again would fill the disk
    throw;
  }
}

}  // namespace farfield::session
