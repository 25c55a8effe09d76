#include "core/session/run/surfaces/surface_links.h"

#include <algorithm>

#include "core/base/temporary_file.h"
#include "core/extract/face_lines.h"
#include "core/fields/places/moving_places.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/trace/trace.h"

namespace farfield::session {

std::uint64_t SurfaceLinks::bytesFor(const extract::GridSurface& surface) {
  return surface.isFaces() ? extract::FaceLinker::bytesFor(surface.nodes().size[0]) : 0;
}

std::uint64_t SurfaceLinks::seamBytesFor(const std::vector<extract::GridSurface>& surfaces) {
  return extract::FaceLinker::bytesFor(extract::SheetSeamer(surfaces).faces());
}

void SurfaceLinks::startStep(const paging::DatasetDescription& description, std::int64_t step,
                             std::chrono::milliseconds limit) {
  m_there = paging::blocksAt(description, step);
  if (std::find(m_there.begin(), m_there.end(), true) == m_there.end()) m_there.clear();
  std::erase_if(m_known, [&](const Known& known) { return !known.isUsed || !isThere(known.block); });
  for (Known& known : m_known) known.isUsed = false;
  m_links.clear();
  if (fields::cellsMove(description) && m_seamsStep != step) m_seams.reset();
  if (m_known.empty()) m_file.reset();
  m_end = limit.count() > 0 ? std::optional(m_now() + limit) : std::nullopt;
  m_cost = {};
  m_surfacesRead = 0;
}

bool SurfaceLinks::isThere(const extract::GridSurface& its) const {
  return !its.isFaces() || isThere(its.block());
}

SurfaceLinks::Known* SurfaceLinks::knownOf(const extract::GridSurface& its) {
  const IndexBox faces = its.nodes();
  const auto found = std::find_if(m_known.begin(), m_known.end(), [&](const Known& known) {
    return known.block == its.block() && known.first == faces.first[0] && known.count == faces.size[0];
  });
  return found == m_known.end() ? nullptr : &*found;
}

void SurfaceLinks::find(std::size_t surface, const extract::GridSurface& its,
                        const ObjectSurroundings& surroundings, const fields::FunctionPlan& functions,
                        std::int64_t step, const std::string& name) {
  if (m_links.size() <= surface) m_links.resize(surface + 1);
  if (!its.isFaces() || !isThere(its.block())) return;
  if (Known* const known = knownOf(its)) {
    known->isUsed = true;
    m_links[surface] = known->links;
    return;
  }
  using Linker = extract::FaceLinker;
  const auto partsOf = [](std::int64_t count) {
    return static_cast<std::size_t>((count + extract::kLinkedFaces - 1) / extract::kLinkedFaces);
  };
  const std::int64_t count = its.nodes().size[0];
  m_links[surface] =
      made(count, surroundings, name, m_file,
           {[&](const Linker&) { return partsOf(count); },
            [&](std::size_t part, tasks::TaskContext& context, Linker& linker) {
              extract::addFaces(its, part, surroundings.data, context, functions, step, linker);
            }},
           {[&](const Linker& linker) { return partsOf(linker.looseSides()); },
            [&](std::size_t part, tasks::TaskContext& context, Linker& linker) {
              extract::placeLooseSides(its, part, surroundings.data, context, functions, step, linker);
            }});
  if (!m_links[surface]) {
    m_cost.outOfTime = true;
    return;
  }
  const IndexBox faces = its.nodes();
  m_known.push_back({its.block(), faces.first[0], faces.size[0], m_links[surface], true});
}

void SurfaceLinks::findSeams(const std::vector<extract::GridSurface>& surfaces,
                             const ObjectSurroundings& surroundings, const fields::FunctionPlan& functions,
                             std::int64_t step, const std::string& name) {
  if (m_seams && m_seams->sheets() == surfaces) return;
  m_seams.reset();
  extract::SheetSeamer seamer(surfaces);
  if (seamer.faces() == 0) return;
  // A file of their own: those that move are found at each step, while what is known of faces stays.
  std::shared_ptr<File> file;
  const auto links = made(seamer.faces(), surroundings, name, file, {},
                          {[&](const extract::FaceLinker&) { return seamer.edges(); },
                           [&](std::size_t edge, tasks::TaskContext& context, extract::FaceLinker& linker) {
                             seamer.placeEdge(edge, surroundings.data, context, functions, step, linker);
                           }});
  if (!links) {
    m_cost.outOfTime = true;
    return;
  }
  m_seams = seamer.finish(links);
  m_seamsStep = step;
}

std::shared_ptr<const extract::FaceLinks> SurfaceLinks::made(std::int64_t faces,
                                                             const ObjectSurroundings& surroundings,
                                                             const std::string& name,
                                                             std::shared_ptr<File>& file, const Parts& add,
                                                             const Parts& place) {
  const std::filesystem::path folder =
      surroundings.spoolFolder.empty() ? temporaryFolder() : surroundings.spoolFolder;
  const auto limit = [this] {
    // what is left of a moment is one
    return m_end ? std::chrono::ceil<std::chrono::milliseconds>(*m_end - m_now())
                 : std::chrono::milliseconds{0};
  };
  if (m_end && limit().count() <= 0) return nullptr;
  if (add.count) ++m_surfacesRead;
  const trace::Scope scope("surface", "link faces", static_cast<std::uint64_t>(faces));
  extract::FaceLinker linker(faces, extract::FaceLinker::bytesFor(faces), surroundings.account, folder);
  /// False where the time was up.
  const auto run = [&](const Parts& parts) {
    tasks::TaskGroup group;
    group.name = name;
    group.count = parts.count ? parts.count(linker) : 0;
    if (group.count == 0) return true;
    if (m_end && limit().count() <= 0) return false;
    group.timeBudget = limit();
    group.admission = &surroundings.data.admission();
    group.run = [&](std::size_t part, tasks::TaskContext& context) { parts.each(part, context, linker); };
    const tasks::GroupResult done = surroundings.data.makeScheduler()->run(group, surroundings.stop);
    m_cost.busySeconds += done.busySeconds;
    return done.finished == group.count;
  };
  if (!run(add)) return nullptr;
  const auto isTimeUp = [this] { return m_end && m_now() >= *m_end; };
  Clock::time_point start = Clock::now();
  const auto countTime = [&] {
    m_cost.busySeconds += std::chrono::duration<double>(Clock::now() - start).count();
  };
  const bool areLinked = linker.linkByNodes(surroundings.stop, isTimeUp);
  countTime();
  if (!areLinked) return nullptr;
  if (!run(place)) return nullptr;
  if (!file) file = std::make_shared<File>(makeTemporaryFile(folder));
  const std::uint64_t before = file->size();
  start = Clock::now();
  std::shared_ptr<const extract::FaceLinks> links;
  try {
    links = linker.finish(surroundings.stop, file, isTimeUp);
  } catch (...) {
    file->resize(before);  // else what is stopped again and again would fill the disk
    throw;
  }
  if (!links) file->resize(before);
  countTime();
  return links;
}

}  // namespace farfield::session
