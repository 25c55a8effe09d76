#include "app/model/workshop/item_sums.h"

#include <algorithm>
#include <cmath>

namespace farfield::app {
namespace {

Vec3 pointAt(std::span<const double> points, std::size_t n) {
  return {points[3 * n], points[3 * n + 1], points[3 * n + 2]};
}

void addPiece(ItemSums& sums, double size, std::span<const double> values) {
  sums.size += size;
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  if (values.empty()) return;
  sums.values.addSpread(values, size);
  if (!std::isfinite(mean)) return;
  for (const double value : values) {
    sums.least = std::min(sums.least, value);
    sums.greatest = std::max(sums.greatest, value);
  }
  sums.valued += size;
  sums.integral += size * mean;
}

void addTriangles(ItemSums& sums, const scene::TriangleChunk& chunk) {
  for (std::size_t t = 0; t + 2 < chunk.triangles.size(); t += 3) {
    const std::array<std::uint32_t, 3> corners{chunk.triangles[t], chunk.triangles[t + 1],
                                               chunk.triangles[t + 2]};
    const Vec3 a = pointAt(chunk.points, corners[0]);
    Vec3 area = 0.5 * cross(pointAt(chunk.points, corners[1]) - a, pointAt(chunk.points, corners[2]) - a);
    Vec3 normal{0, 0, 0};
    for (const std::uint32_t corner : corners) normal = normal + pointAt(chunk.normals, corner);
    // Out of the data where these end, whatever way the corners go around.
    if (const double same = dot(area, normal); chunk.isBorder ? same > 0 : same < 0) area = -1 * area;
    std::array<double, 3> values{};
    const bool valued = !chunk.scalars.empty();
    for (std::size_t c = 0; valued && c < 3; ++c) values[c] = chunk.scalars[corners[c]];
    addPiece(sums, length(area), valued ? std::span<const double>(values) : std::span<const double>());
    sums.vectorArea = sums.vectorArea + area;
    const double mean = (values[0] + values[1] + values[2]) / 3;
    if (valued && std::isfinite(mean)) sums.through = sums.through + mean * area;
  }
}

void addLines(ItemSums& sums, const scene::LineChunk& chunk) {
  std::size_t first = 0;
  for (const std::uint32_t count : chunk.lengths) {
    for (std::size_t n = first + 1; n < first + count; ++n) {
      std::array<double, 2> values{};
      const bool valued = !chunk.scalars.empty();
      if (valued) values = {chunk.scalars[n - 1], chunk.scalars[n]};
      addPiece(sums, length(pointAt(chunk.points, n) - pointAt(chunk.points, n - 1)),
               valued ? std::span<const double>(values) : std::span<const double>());
    }
    first += count;
  }
}

}  // namespace

std::optional<ItemSums> sumsOf(const scene::SceneItem& item) {
  ItemSums sums;
  if (item.triangles) {
    sums.isSurface = true;
    item.triangles->visit([&](const scene::TriangleChunk& chunk) { addTriangles(sums, chunk); });
  } else if (item.lines) {
    item.lines->visit([&](const scene::LineChunk& chunk) { addLines(sums, chunk); });
  } else {
    return std::nullopt;
  }
  return sums;
}

}  // namespace farfield::app
