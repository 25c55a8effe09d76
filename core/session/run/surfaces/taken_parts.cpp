#include "core/session/run/surfaces/taken_parts.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::session {

void TakenPatches::line(const LinePart&) {
  throw Invalid("lines of an object of triangles");
}

void TakenPatches::patch(std::uint64_t number, const extract::SurfacePatch& patch) {
  const std::size_t nodes = patch.points.size() / 3, triangles = patch.triangles.size() / 3;
  const bool fits = number < m_numbers && patch.points.size() == 3 * nodes &&
                    patch.normals.size() == 3 * nodes && patch.triangles.size() == 3 * triangles &&
                    patch.values.size() == nodes * static_cast<std::size_t>(m_spool->valuesPerNode()) &&
                    (patch.sides.empty() || patch.sides.size() == triangles);
  if (!fits || std::any_of(patch.triangles.begin(), patch.triangles.end(),
                           [&](std::uint32_t node) { return node >= nodes; }))
    throw Invalid("a part of a surface that was not asked for");
  m_spool->patch(static_cast<std::size_t>(number), patch);
}

void TakenBundles::line(const LinePart& part) {
  const auto width = static_cast<std::size_t>(m_spool->width());
  if (part.number >= m_numbers || part.vertices.size() < m_cells + width ||
      (part.vertices.size() - m_cells) % width != 0)
    throw Invalid("a line that was not asked for");
  auto open = m_open.find(part.number);
  if (open == m_open.end()) {
    m_whole.resize(static_cast<std::size_t>(m_numbers));
    if (m_whole[static_cast<std::size_t>(part.number)]) throw Invalid("a line that came twice");
    open = m_open.emplace(part.number, m_spool->open(part.number)).first;
  }
  BundleSpool::Writer& bundle = open->second;
  const std::span<const double> vertices = part.vertices.subspan(m_cells);
  bundle.line(vertices.size() / width, part.vertices.first(m_cells));
  for (std::size_t at = 0; at < vertices.size(); at += width) bundle.vertex(vertices.subspan(at, width));
  if (!part.ends) return;
  bundle.finish();
  m_open.erase(open);
  m_whole[static_cast<std::size_t>(part.number)] = true;
}

void TakenBundles::patch(std::uint64_t, const extract::SurfacePatch&) {
  throw Invalid("triangles of an object of lines");
}

void handOverBundles(const BundleSpool& spool, MemoryAccount& account, const TaskShare& share,
                     ResultSink& sink) {
  // A line at a time; the last one of a bundle ends it, so that one is always kept back.
  MemoryClaim claim;
  std::vector<double> numbers;
  std::uint64_t bundle = 0;
  std::optional<std::uint64_t> line;
  const auto give = [&](bool ends) {
    if (line) sink.line({.number = bundle, .ends = ends, .vertices = numbers});
  };
  spool.visitBundles([&](std::uint64_t number, const PolylineSummary& its, std::span<const double> run) {
    if (!share.has(number)) return;
    if (line != its.number) {
      give(bundle != number);
      line = its.number;
      bundle = number;
      const std::uint64_t count = its.cells.size() + its.vertices * static_cast<std::uint64_t>(spool.width());
      if (claim.bytes() < count * sizeof(double)) {
        numbers = {};
        claim.release();
        claim = account.claim(Purpose::Results, count * sizeof(double), "a line on its way to a viewer");
      }
      numbers.reserve(static_cast<std::size_t>(count));
      numbers.assign(its.cells.begin(), its.cells.end());
    }
    numbers.insert(numbers.end(), run.begin(), run.end());
  });
  give(true);
}

void handOverPatches(const SurfaceSpool& spool, std::uint64_t numbers, const TaskShare& share,
                     ResultSink& sink) {
  const SurfaceSpool::Parts all{.sides = true};
  for (std::uint64_t number = share.part; number < numbers; number += share.of)
    spool.visitPiece({number, number + 1}, all,
                     [&](const extract::SurfacePatch& patch) { sink.patch(number, patch); });
}

}  // namespace farfield::session
