#include "render/view/vertex_arrays.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "render/color/color_scale.h"

namespace farfield::view {
namespace {

// of values without a logarithm; between them and others colours run through the low end of the map
constexpr double kBelowLogarithms = -0.1;

bool isFiniteVertex(const std::array<float, 3>& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

}  // namespace

void VertexArrays::setVertices(std::span<const double> points, std::span<const double> scalars,
                               const scene::SceneItem& item, const LocalFrame& frame) {
  const std::size_t count = points.size() / 3;
  if (points.size() % 3 != 0 || (!scalars.empty() && scalars.size() != count))
    throw Invalid("a chunk of geometry has " + std::to_string(points.size()) + " coordinates and " +
                  std::to_string(scalars.size()) + " scalars")
        .at(item.name);
  vertices.assign(count, Vertex{});
  for (std::size_t i = 0; i < count; ++i)
    vertices[i].position = frame.local(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  if (!item.colored || scalars.empty()) return;
  const color::Normalizer place(item.scale);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = place(scalars[i]);
    if (std::isinf(t) && item.scale.logarithmic)
      vertices[i].scalar = {static_cast<float>(t < 0 ? kBelowLogarithms : kFarthestPlace), 1};
    else if (!std::isnan(t))
      vertices[i].scalar = {static_cast<float>(std::clamp(t, -kFarthestPlace, kFarthestPlace)), 1};
  }
}

void VertexArrays::setNormals(std::span<const double> from) {
  for (std::size_t i = 0; 3 * i < from.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto component = static_cast<float>(from[3 * i + axis]);
      normals[i][axis] = std::isfinite(component) ? component : 0.0f;
    }
}

void VertexArrays::set(const scene::LineChunk& chunk, const scene::SceneItem& item, const LocalFrame& frame) {
  setVertices(chunk.points, chunk.scalars, item, frame);
  if (!chunk.phases.empty() && chunk.phases.size() != vertices.size())
    throw Invalid("a chunk of lines has not one phase for each vertex").at(item.name);
  for (std::size_t i = 0; i < chunk.phases.size(); ++i)
    vertices[i].phase = static_cast<float>(std::clamp(chunk.phases[i], -kFarthestPlace, kFarthestPlace));
  if (!chunk.radii.empty() && chunk.radii.size() != vertices.size())
    throw Invalid("a chunk of particles has not one radius for each vertex").at(item.name);
  radii.resize(chunk.radii.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto radius = static_cast<float>(chunk.radii[i] * frame.factor);
    radii[i] = std::isfinite(radius) ? radius : 0.0f;
  }
  if (!chunk.normals.empty() && chunk.normals.size() != chunk.points.size())
    throw Invalid("a chunk of lines has not one normal for each vertex").at(item.name);
  normals.assign(chunk.normals.size() / 3, {});
  setNormals(chunk.normals);
  waves.clear();
  indices.clear();
  // A run of usable vertices a b … y z becomes a a b … y z z: the ends are their own neighbours.
  std::size_t begin = indices.size();
  const auto endRun = [&] {
    if (indices.size() - begin >= 3) {
      indices.push_back(indices.back());
      indices.push_back(kRestart);
    } else {
      indices.resize(begin);  // one vertex is not a line
    }
    begin = indices.size();
  };
  std::uint64_t vertex = 0;
  for (const std::uint32_t length : chunk.lengths) {
    if (vertex + length > vertices.size())
      throw Invalid("a chunk of lines has fewer vertices than its lengths say").at(item.name);
    for (const std::uint64_t end = vertex + length; vertex < end; ++vertex) {
      const auto& position = vertices[vertex].position;
      if (!isFiniteVertex(position)) {
        endRun();
        continue;
      }
      const bool first = indices.size() == begin;
      // a vertex equal to the one before has no direction
      if (!first && vertices[indices.back()].position == position) continue;
      if (first) indices.push_back(static_cast<std::uint32_t>(vertex));
      indices.push_back(static_cast<std::uint32_t>(vertex));
    }
    endRun();
  }
}

void VertexArrays::set(const scene::TriangleChunk& chunk, const scene::SceneItem& item,
                       const LocalFrame& frame) {
  setVertices(chunk.points, chunk.scalars, item, frame);
  if (!chunk.normals.empty() && chunk.normals.size() != chunk.points.size())
    throw Invalid("a chunk of triangles has not one normal for each vertex").at(item.name);
  normals.assign(vertices.size(), {});
  setNormals(chunk.normals);
  if (!chunk.shades.empty() && chunk.shades.size() != chunk.points.size())
    throw Invalid("a chunk of triangles has not one shade for each vertex").at(item.name);
  waves.clear();
  radii.clear();
  for (Vertex& vertex : vertices) vertex.phase = kNoTexture;
  const auto within = [](double shade) { return static_cast<float>(std::clamp(shade, -1.0, 1.0)); };
  for (std::size_t i = 0; 3 * i < chunk.shades.size(); ++i) {
    const auto shade = chunk.shades.subspan(3 * i, 3);
    vertices[i].phase = std::max(within(shade[0]), 0.0f);
    waves.push_back({within(shade[1]), within(shade[2])});
  }
  indices.clear();
  if (chunk.triangles.size() % 3 != 0) throw Invalid("a chunk of triangles ends within one").at(item.name);
  for (std::size_t i = 0; i < chunk.triangles.size(); i += 3) {
    const auto corners = chunk.triangles.subspan(i, 3);
    for (const std::uint32_t corner : corners)
      if (corner >= vertices.size())
        throw Invalid("a triangle names vertex " + std::to_string(corner) + " of " +
                      std::to_string(vertices.size()))
            .at(item.name);
    if (std::all_of(corners.begin(), corners.end(),
                    [&](std::uint32_t corner) { return isFiniteVertex(vertices[corner].position); }))
      indices.insert(indices.end(), corners.begin(), corners.end());
  }
}

void checkSlab(const scene::Slab& slab) {
  const std::size_t points = slab.points.size();
  bool good = slab.image && slab.image->width > 0 && slab.image->height > 0 && slab.places.size() == points;
  good = good && (slab.image->valueBytes == 1 || slab.image->valueBytes == 2) &&
         slab.image->rgba.size() == slab.image->expectedBytes();
  for (const Vec3& point : slab.points) good = good && isFinite(point);
  for (const auto& triangle : slab.triangles)
    for (const std::uint32_t corner : triangle) good = good && corner < points;
  if (!good) throw Invalid("a slab whose points, triangles and picture do not go together");
}

bool isTransparent(const scene::SceneItem& item) {
  if (!(item.opacity > 0)) return false;  // nothing of it is drawn
  if (item.volume) return false;          // blended separately
  if (item.opacity < 1 || item.slabs) return true;
  if (!item.colored) return item.color[3] < 1;
  const auto isClear = [](const std::optional<scene::Rgba>& color) { return color && (*color)[3] < 1; };
  return item.scale.nanColor[3] < 1 || isClear(item.scale.below) || isClear(item.scale.above);
}

}  // namespace farfield::view
