#include "core/session/results/surface_spool.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"

namespace farfield::session {
namespace {

constexpr std::size_t kVerticesPerChunk = 65'536;

class SpooledTriangles final : public scene::TriangleGeometry {
 public:
  SpooledTriangles(std::shared_ptr<const SurfaceSpool> spool, std::optional<int> value,
                   std::optional<int> shade, std::shared_ptr<const SurfaceSpool> standIn)
      : m_spool(std::move(spool)), m_standIn(std::move(standIn)), m_value(value), m_shade(shade) {}

  void visit(const std::function<void(const scene::TriangleChunk&)>& draw) const override {
    std::vector<double> points, normals, scalars, shades;
    std::vector<std::uint32_t> triangles;
    bool isBorder = false;
    const auto flush = [&] {
      if (!triangles.empty()) draw({points, normals, scalars, triangles, shades, isBorder});
      points.clear(), normals.clear(), scalars.clear(), triangles.clear(), shades.clear();
    };
    const auto take = [&](const extract::SurfacePatch& patch) {
      if ((points.size() + patch.points.size()) / 3 > kVerticesPerChunk || patch.isBorder != isBorder)
        flush();
      isBorder = patch.isBorder;
      const auto first = static_cast<std::uint32_t>(points.size() / 3);
      points.insert(points.end(), patch.points.begin(), patch.points.end());
      const double side = patch.seenFromBehind ? -1 : 1;
      for (const double component : patch.normals) normals.push_back(side * component);
      const auto width = static_cast<std::size_t>(m_spool->valuesPerNode());
      const auto takeValues = [&](std::vector<double>& out, int column, std::size_t count) {
        for (auto at = static_cast<std::size_t>(column); at < patch.values.size(); at += width)
          for (std::size_t n = 0; n < count; ++n) out.push_back(patch.values[at + n]);
      };
      if (m_value) takeValues(scalars, *m_value, 1);
      if (m_shade) takeValues(shades, *m_shade, 3);
      for (const std::uint32_t node : patch.triangles) triangles.push_back(first + node);
    };
    const SurfaceSpool::Parts parts{.values = m_value || m_shade};
    if (m_standIn)
      m_spool->visitEither(*m_standIn, parts, take);
    else
      m_spool->visit(parts, take);
    flush();
  }

 private:
  std::shared_ptr<const SurfaceSpool> m_spool, m_standIn;
  std::optional<int> m_value, m_shade;
};

/// Patch by patch: what two of them share is drawn twice.
class SpooledEdges final : public scene::LineGeometry {
 public:
  explicit SpooledEdges(std::shared_ptr<const SurfaceSpool> spool) : m_spool(std::move(spool)) {}

  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    std::vector<double> points, normals;
    std::vector<std::uint32_t> lengths;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    m_spool->visit({.values = false, .sides = true}, [&](const extract::SurfacePatch& patch) {
      edges.clear();
      for (std::size_t t = 0; t < patch.sides.size(); ++t)
        for (std::size_t n = 0; n < 3; ++n)
          if (patch.sides[t] >> n & 1)
            edges.push_back(std::minmax(patch.triangles[3 * t + n], patch.triangles[3 * t + (n + 1) % 3]));
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      points.clear(), normals.clear(), lengths.clear();
      const double side = patch.seenFromBehind ? -1 : 1;
      const auto flush = [&] {
        if (!lengths.empty()) draw({.points = points, .scalars = {}, .lengths = lengths, .normals = normals});
        points.clear(), normals.clear(), lengths.clear();
      };
      for (const auto& [from, to] : edges) {
        if (points.size() / 3 + 2 > kVerticesPerChunk) flush();
        for (const std::uint32_t node : {from, to}) {
          points.insert(points.end(), patch.points.begin() + 3 * node, patch.points.begin() + 3 * node + 3);
          for (std::uint32_t n = 3 * node; n < 3 * node + 3; ++n) normals.push_back(side * patch.normals[n]);
        }
        lengths.push_back(2);
      }
      flush();
    });
  }

 private:
  std::shared_ptr<const SurfaceSpool> m_spool;
};

}  // namespace

SurfaceSpool::SurfaceSpool(const std::filesystem::path& folder, std::uint64_t numberCount, int valuesPerNode,
                           MemoryAccount& account)
    : m_file(folder, static_cast<std::uint64_t>(checkedProduct({static_cast<std::int64_t>(numberCount),
                                                                static_cast<std::int64_t>(sizeof(Entry))}))),
      m_numberCount(numberCount),
      m_values(valuesPerNode),
      m_account(&account),
      m_extent(valuesPerNode) {}

void SurfaceSpool::patch(std::size_t number, const extract::SurfacePatch& patch) {
  if (patch.triangles.empty()) return;
  if (patch.points.size() / 3 > kVerticesPerChunk)
    throw Invalid("a patch of a surface has more than 65536 nodes");
  const Head head{0, static_cast<std::uint32_t>(patch.points.size() / 3),
                  static_cast<std::uint32_t>(patch.triangles.size() / 3),
                  (patch.seenFromBehind ? kFromBehind : 0) | (patch.isBorder ? kBorder : 0),
                  static_cast<std::uint32_t>(patch.sides.size())};
  const std::array<std::span<const std::byte>, 6> parts{
      std::as_bytes(std::span(&head, 1)), std::as_bytes(patch.points),    std::as_bytes(patch.normals),
      std::as_bytes(patch.values),        std::as_bytes(patch.triangles), std::as_bytes(patch.sides)};
  std::uint64_t bytes = 0;
  for (const auto& part : parts) bytes += part.size();
  const std::uint64_t start = m_file.allocate(bytes);
  m_file.write(start, parts);
  const auto width = static_cast<std::size_t>(m_values);
  ResultExtent extent(m_values);
  for (std::size_t n = 0; n < head.nodes; ++n)
    extent.add({patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]},
               patch.values.subspan(n * width, width));
  // before its entry, so that readers of the patch claim enough for it
  std::uint64_t largest = m_largestPatch.load();
  while (largest < bytes && !m_largestPatch.compare_exchange_weak(largest, bytes)) {
  }
  {
    const std::lock_guard lock(m_directory);
    Entry entry;
    m_file.read(number * sizeof entry, std::as_writable_bytes(std::span(&entry, 1)));
    if (entry.first == 0)
      entry.first = start;
    else
      m_file.write(entry.last + offsetof(Head, next), std::as_bytes(std::span(&start, 1)));
    entry.last = start;
    m_file.write(number * sizeof entry, std::as_bytes(std::span(&entry, 1)));
  }
  m_nodes += head.nodes;
  m_triangles += head.triangles;
  const std::lock_guard lock(m_extentMutex);
  m_extent.add(extent);
}

void SurfaceSpool::drop(std::size_t number) {
  const Entry none;
  const std::lock_guard lock(m_directory);
  m_file.write(number * sizeof none, std::as_bytes(std::span(&none, 1)));
}

struct SurfaceSpool::Buffers {
  std::vector<double> points, normals, values;
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint8_t> sides;
};

void SurfaceSpool::visitEntries(std::uint64_t first, std::uint64_t end,
                                const std::function<void(std::uint64_t, const Entry&)>& visit) const {
  std::array<Entry, 256> entries;
  for (; first < end; first += entries.size()) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(entries.size(), end - first));
    {
      const std::lock_guard lock(m_directory);
      m_file.read(first * sizeof(Entry), std::as_writable_bytes(std::span(entries).first(n)));
    }
    for (std::size_t k = 0; k < n; ++k) visit(first + k, entries[k]);
  }
}

SurfaceSpool::Head SurfaceSpool::headAt(std::uint64_t offset) const {
  Head head;
  const std::lock_guard lock(m_directory);
  m_file.read(offset, std::as_writable_bytes(std::span(&head, 1)));
  return head;
}

std::vector<SurfaceSpool::Piece> SurfaceSpool::pieces(std::uint64_t triangles) const {
  std::vector<Piece> pieces{Piece{}};
  visitEntries(0, m_numberCount, [&](std::uint64_t number, const Entry& entry) {
    Piece own{number, number + 1};
    for (std::uint64_t offset = entry.first; offset != 0;) {
      const Head head = headAt(offset);
      own.nodes += head.nodes, own.triangles += head.triangles;
      offset = head.next;
    }
    if (own.triangles == 0) return;
    if (pieces.back().triangles > 0 && pieces.back().triangles + own.triangles > triangles)
      pieces.push_back({number, number});
    Piece& last = pieces.back();
    last.end = own.end, last.nodes += own.nodes, last.triangles += own.triangles;
  });
  return pieces;
}

void SurfaceSpool::visitPiece(const Piece& piece, const Parts& parts,
                              const std::function<void(const extract::SurfacePatch&)>& visit) const {
  MemoryClaim claim;
  Buffers buffers;
  visitEntries(piece.first, piece.end, [&](std::uint64_t, const Entry& entry) {
    for (std::uint64_t offset = entry.first; offset != 0;)
      offset = visitPatch(offset, parts, claim, buffers, visit);
  });
}

void SurfaceSpool::visitEither(const SurfaceSpool& standIn, const Parts& parts,
                               const std::function<void(const extract::SurfacePatch&)>& visit) const {
  MemoryClaim claim;
  Buffers buffers;
  standIn.visitEntries(0, standIn.m_numberCount, [&](std::uint64_t number, const Entry& standing) {
    // What was dropped meanwhile can still be read.
    for (std::uint64_t offset = standing.first; offset != 0;)
      offset = standIn.visitPatch(offset, parts, claim, buffers, visit);
    if (standing.first == 0) visitPiece({number, number + 1}, parts, visit);
  });
}

/// Returns the offset of the next patch of the same number; 0 if there is none.
std::uint64_t SurfaceSpool::visitPatch(std::uint64_t offset, const Parts& parts, MemoryClaim& claim,
                                       Buffers& buffers,
                                       const std::function<void(const extract::SurfacePatch&)>& visit) const {
  StoppableWaits::throwIfStopped();
  const Head head = headAt(offset);
  if (const std::uint64_t largest = m_largestPatch.load(); claim.bytes() < largest) {
    claim.release();
    claim = m_account->claim(Purpose::Results, largest, "reading a surface");
  }
  offset += sizeof head;
  const auto part = [&](bool wanted, auto& out, std::size_t count) {
    out.resize(wanted ? count : 0);
    if (wanted) m_file.read(offset, std::as_writable_bytes(std::span(out)));
    offset += count * sizeof out[0];
  };
  part(parts.points, buffers.points, std::size_t{3} * head.nodes);
  part(parts.normals, buffers.normals, std::size_t{3} * head.nodes);
  part(parts.values, buffers.values, static_cast<std::size_t>(m_values) * head.nodes);
  part(parts.triangles, buffers.triangles, std::size_t{3} * head.triangles);
  part(parts.sides, buffers.sides, head.sides);
  visit({buffers.points, buffers.normals, buffers.values, buffers.triangles, (head.seen & kFromBehind) != 0,
         buffers.sides, (head.seen & kBorder) != 0});
  return head.next;
}

std::optional<double> SurfaceSpool::usualLeast(int value) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.usualLeast(value);
}

std::optional<std::array<double, 2>> SurfaceSpool::range(int value) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.range(value);
}

Bounds SurfaceSpool::bounds() const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.bounds();
}

std::shared_ptr<const scene::TriangleGeometry> triangleGeometry(std::shared_ptr<const SurfaceSpool> spool,
                                                                std::optional<int> value,
                                                                std::optional<int> shade,
                                                                std::shared_ptr<const SurfaceSpool> standIn) {
  return std::make_shared<SpooledTriangles>(std::move(spool), value, shade, std::move(standIn));
}

std::shared_ptr<const scene::LineGeometry> edgeGeometry(std::shared_ptr<const SurfaceSpool> spool) {
  return std::make_shared<SpooledEdges>(std::move(spool));
}

}  // namespace farfield::session
