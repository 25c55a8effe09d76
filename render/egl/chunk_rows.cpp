#include "render/egl/chunk_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace farfield::egl {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity(),
                kNowhere = std::numeric_limits<float>::quiet_NaN();
/// What is nearer to the plane of the eye than this, in camera coordinates, is seen nobody knows where.
constexpr double kLeastAway = 1e-6;

/// Row `row` of the product of two matrices, columns first.
std::array<double, 4> rowOfProduct(const view::Matrix4& a, const view::Matrix4& b, std::size_t row) {
  std::array<double, 4> product{};
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t n = 0; n < 4; ++n)
      product[column] += static_cast<double>(a[4 * n + row]) * static_cast<double>(b[4 * column + n]);
  return product;
}

double times(const std::array<double, 4>& row, const std::array<float, 3>& local) {
  return row[0] * local[0] + row[1] * local[1] + row[2] * local[2] + row[3];
}

}  // namespace

ChunkRows::ChunkRows(const view::ViewTransform& view, int width, int height)
    : m_frame(view.frame()),
      m_x(rowOfProduct(view.projection(0, height), view.modelView(), 0)),
      m_y(rowOfProduct(view.projection(0, height), view.modelView(), 1)),
      m_w(rowOfProduct(view.projection(0, height), view.modelView(), 3)),
      m_width(width),
      m_height(height) {}

ChunkRows::Pixel ChunkRows::pixelOf(const std::array<float, 3>& local) const {
  const double w = times(m_w, local);
  if (!(w > kLeastAway)) return {kNowhere, kNowhere};
  return {static_cast<float>(0.5 * (1 + times(m_x, local) / w) * m_width),
          static_cast<float>(0.5 * (1 - times(m_y, local) / w) * m_height)};
}

ChunkRows::Span ChunkRows::spanOf(std::span<const double> points) const {
  Bounds bounds;
  for (std::size_t n = 0; n + 2 < points.size(); n += 3) {
    const Vec3 point{points[n], points[n + 1], points[n + 2]};
    if (isFinite(point)) bounds.add(point);
  }
  if (bounds.empty() || points.size() % 3 != 0) return {-kFar, kFar};  // who draws it says what is wrong
  Span span{kFar, -kFar};
  for (int corner = 0; corner < 8; ++corner) {
    const float row = pixelOf(m_frame.local(corner & 1 ? bounds.max.x : bounds.min.x,
                                            corner & 2 ? bounds.max.y : bounds.min.y,
                                            corner & 4 ? bounds.max.z : bounds.min.z))
                          .row;
    // Of what reaches behind the eye no corner says where it is seen.
    if (!std::isfinite(row)) return {-kFar, kFar};
    span.first = std::min(span.first, row);
    span.end = std::max(span.end, row);
  }
  return span;
}

bool ChunkRows::touch(const void* geometry, std::size_t number, std::span<const double> points,
                      const TouchedRows& rows) {
  if (isWhole(rows)) return true;
  std::vector<Span>& known = m_known[geometry];
  if (number == known.size()) known.push_back(spanOf(points));
  if (number > known.size()) return true;
  const Span& its = known[number];
  return its.end + rows.beside >= rows.first && its.first - rows.beside <= rows.first + rows.count;
}

void ChunkRows::findPixels(const view::VertexArrays& arrays) {
  m_pixels.resize(arrays.vertices.size());
  for (std::size_t n = 0; n < m_pixels.size(); ++n) m_pixels[n] = pixelOf(arrays.vertices[n].position);
}

bool ChunkRows::touches(std::span<const std::uint32_t> vertices, const TouchedRows& rows) const {
  float left = kFar, right = -kFar, top = kFar, bottom = -kFar;
  for (const std::uint32_t vertex : vertices) {
    const Pixel& its = m_pixels[vertex];
    if (!std::isfinite(its.column) || !std::isfinite(its.row)) return true;
    left = std::min(left, its.column), right = std::max(right, its.column);
    top = std::min(top, its.row), bottom = std::max(bottom, its.row);
  }
  const double end = rows.first + rows.count;
  if (bottom + rows.beside < rows.first || top - rows.beside > end) return false;
  return !rows.tiles || rows.tiles->any(left - rows.beside, end - bottom - rows.beside, right + rows.beside,
                                        end - top + rows.beside);
}

void ChunkRows::keepTriangles(view::VertexArrays& arrays, const TouchedRows& rows) {
  if (isWhole(rows)) return;
  findPixels(arrays);
  std::vector<std::uint32_t>& indices = arrays.indices;
  std::size_t kept = 0;
  for (std::size_t n = 0; n + 2 < indices.size(); n += 3)
    if (touches(std::span(indices).subspan(n, 3), rows))
      for (std::size_t corner = 0; corner < 3; ++corner) indices[kept++] = indices[n + corner];
  indices.resize(kept);
}

void ChunkRows::keepLines(view::VertexArrays& arrays, const TouchedRows& rows) {
  if (isWhole(rows)) return;
  findPixels(arrays);
  std::vector<std::uint32_t>& indices = arrays.indices;
  std::size_t kept = 0;
  for (std::size_t from = 0; from < indices.size();) {
    std::size_t to = from;
    while (to < indices.size() && indices[to] != view::kRestart) ++to;
    const bool isKept = touches(std::span(indices).subspan(from, to - from), rows);
    if (to < indices.size()) ++to;
    for (std::size_t n = from; n < to && isKept; ++n) indices[kept++] = indices[n];
    from = to;
  }
  indices.resize(kept);
}

}  // namespace farfield::egl
