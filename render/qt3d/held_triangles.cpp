#include "render/qt3d/held_triangles.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield::qt3d {
namespace {

using view::Vertex;

/// What an entry of the map takes, with its share of the table.
constexpr std::size_t kEntryBytes = 48;
/// The first cubes, in edges of triangles: about a quarter of the vertices stays.
constexpr double kFirstEdges = 2;
/// Beyond that there is nothing left to simplify.
constexpr std::size_t kFewTriangles = 32;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr double kHalfRange = 1 << 20;  // cubes along an axis, of 21 bits

template <class T>
void append(QByteArray& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), qsizetype(sizeof value));
}

/// Moves entry `from` of `bytes` to the place of entry `to`.
template <std::size_t Size>
void moveEntry(QByteArray& bytes, std::size_t from, std::size_t to) {
  if (!bytes.isEmpty()) std::memmove(bytes.data() + to * Size, bytes.constData() + from * Size, Size);
}

}  // namespace

std::size_t HeldTriangles::bytes() const {
  return std::size_t(vertices.size() + normals.size() + waves.size()) +
         indices.size() * sizeof(std::uint32_t) + m_vertexIn.size() * kEntryBytes;
}

double HeldTriangles::heldPart() const {
  return m_met == 0 ? 1 : double(indices.size() / 3) / double(m_met);
}

void HeldTriangles::append(const view::VertexArrays& chunk, std::size_t vertex) {
  qt3d::append(vertices, chunk.vertices[vertex]);
  if (!chunk.normals.empty()) qt3d::append(normals, chunk.normals[vertex]);
  if (!chunk.waves.empty()) qt3d::append(waves, chunk.waves[vertex]);
}

void HeldTriangles::addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if (a != b && b != c && c != a) indices.insert(indices.end(), {a, b, c});
}

std::uint64_t HeldTriangles::cubeOf(const Vertex& vertex) const {
  std::uint64_t cube = 0;
  for (const float along : vertex.position) {
    const double number = std::clamp(std::floor(double(along) / m_width), -kHalfRange, kHalfRange - 1);
    cube = cube << 21 | std::uint64_t(number + kHalfRange);
  }
  return cube;
}

void HeldTriangles::add(const view::VertexArrays& chunk) {
  m_met += chunk.indices.size() / 3;
  std::vector<std::uint32_t> heldAs(chunk.vertices.size(), kNone);
  for (std::size_t n = 0; n + 2 < chunk.indices.size(); n += 3) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint32_t& held = heldAs[chunk.indices[n + c]];
      if (held == kNone) {
        held = std::uint32_t(vertexCount());
        if (m_width > 0)
          held = m_vertexIn.try_emplace(cubeOf(chunk.vertices[chunk.indices[n + c]]), held).first->second;
        if (held == vertexCount()) append(chunk, chunk.indices[n + c]);
      }
      corners[c] = held;
    }
    addTriangle(corners[0], corners[1], corners[2]);
  }
  while (bytes() > m_mostBytes) coarsen();
}

double HeldTriangles::meanEdge() const {
  double sum = 0;
  for (std::size_t n = 0; n + 2 < indices.size(); n += 3) {
    const auto &a = vertex(indices[n]).position, &b = vertex(indices[n + 1]).position;
    sum += std::hypot(double(a[0]) - b[0], double(a[1]) - b[1], double(a[2]) - b[2]);
  }
  return sum / double(std::max<std::size_t>(1, indices.size() / 3));
}

/// Merges what is held with cubes twice as wide.
void HeldTriangles::coarsen() {
  const double edge = meanEdge();
  if (indices.size() / 3 < kFewTriangles || !(edge > 0))
    throw OverBudget(
        "the surface is too large to be shown: its triangles take more than " + formatBytes(m_mostBytes),
        "show a part of it, or a coarser one");
  m_width = m_width > 0 ? 2 * m_width : kFirstEdges * edge;
  m_vertexIn.clear();
  std::vector<std::uint32_t> heldAs(vertexCount());
  std::uint32_t kept = 0;
  for (std::size_t n = 0; n < heldAs.size(); ++n) {
    heldAs[n] = m_vertexIn.try_emplace(cubeOf(vertex(n)), kept).first->second;
    if (heldAs[n] != kept) continue;
    moveEntry<sizeof(Vertex)>(vertices, n, kept);
    moveEntry<3 * sizeof(float)>(normals, n, kept);
    moveEntry<2 * sizeof(float)>(waves, n, kept);
    ++kept;
  }
  vertices.truncate(qsizetype(kept * sizeof(Vertex)));
  if (!normals.isEmpty()) normals.truncate(qsizetype(kept * 3 * sizeof(float)));
  if (!waves.isEmpty()) waves.truncate(qsizetype(kept * 2 * sizeof(float)));
  const std::vector<std::uint32_t> before = std::move(indices);
  indices.clear();
  for (std::size_t n = 0; n + 2 < before.size(); n += 3)
    addTriangle(heldAs[before[n]], heldAs[before[n + 1]], heldAs[before[n + 2]]);
}

}  // namespace farfield::qt3d
