#pragma once
// The triangles of one item within a number of bytes. A surface that takes more is simplified as it comes, chunk by chunk, so
// that all of it is seen, in less detail: space is divided into cubes, all vertices in one become the first that was met in it, and
// triangles that collapse go (Rossignac and Borrel, "Multi-resolution 3D approximations", 1993; Lindstrom, "Out-of-core
// simplification of large polygonal models", SIGGRAPH 2000). Whenever that is too much again, the cubes become twice as wide.
//
// A vertex that is kept is one of the surface, with its own normal and value: nothing is averaged. Chunks that meet in equal
// points stay together, so simplifying makes no cracks.

#include <QByteArray>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "render/view/vertex_arrays.h"

namespace farfield::qt3d {

/// Not thread-safe.
class HeldTriangles {
 public:
  explicit HeldTriangles(std::size_t mostBytes) : m_mostBytes(mostBytes) {}

  /// Throws OverBudget where not even some dozens of triangles fit.
  void add(const view::VertexArrays& chunk);
  /// Triangles held, of those that were added.
  double heldPart() const;
  std::size_t bytes() const;

  // what there is; to be moved away at the end
  QByteArray vertices;  ///< view::Vertex
  QByteArray normals;   ///< 3 floats each
  QByteArray waves;     ///< 2 floats each; or empty
  std::vector<std::uint32_t> indices;

 private:
  std::size_t vertexCount() const { return std::size_t(vertices.size()) / sizeof(view::Vertex); }
  const view::Vertex& vertex(std::size_t n) const {
    return reinterpret_cast<const view::Vertex*>(vertices.constData())[n];
  }
  void append(const view::VertexArrays& chunk, std::size_t vertex);
  void addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  std::uint64_t cubeOf(const view::Vertex& vertex) const;
  double meanEdge() const;
  void coarsen();

  std::size_t m_mostBytes;
  double m_width = 0;  ///< of the cubes, in the frame's unit; 0: nothing is simplified yet
  std::unordered_map<std::uint64_t, std::uint32_t> m_vertexIn;  ///< by cube
  std::uint64_t m_met = 0;                                      ///< triangles that were added
};

}  // namespace farfield::qt3d
