#include "core/extract/face_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/extract/face_walk.h"

namespace farfield::extract {
namespace {

/// Texels that are worked on together, and vertices that are passed on together.
constexpr int kPieceColumns = 64, kPieceRows = 32;
constexpr std::size_t kMostVertices = (kPieceColumns + 1) * (kPieceRows + 1);
/// Along a side of a face. A face that is longer than so many texels has larger ones.
constexpr double kMostOfFace = 1024;
constexpr std::size_t kKeptFaces = 256;
/// Of a face: noise is as coarse as two texels, and lines need not be finer than their faces.
constexpr double kStep = 0.5;
/// To either side. In faces much smaller than texels lines end before their length.
constexpr int kMostSteps = 512;

/// How a face is divided: along u and along v; of a triangle alike.
struct Division {
  int u = 1, v = 1;
  int across() const { return (u + kPieceColumns - 1) / kPieceColumns; }
  int pieces() const { return across() * ((v + kPieceRows - 1) / kPieceRows); }
};

Division divisionOf(const FlowFace& face, double texel) {
  const auto texels = [&](std::initializer_list<int> sides) {
    double longest = 0;
    for (const int side : sides)
      if (const double its = length(face.alongSide(side)); std::isfinite(its))
        longest = std::max(longest, its);
    return static_cast<int>(std::clamp(std::ceil(longest / texel), 1.0, kMostOfFace));
  };
  if (face.sides == 4) return {texels({0, 2}), texels({1, 3})};
  const int count = texels({0, 1, 2});
  return {count, count};
}

/// Vertices and triangles, until there are enough of them to be passed on.
class Texels {
 public:
  Texels(detail::FaceStock& stock, const LineConvolution& lines, std::size_t number, SurfaceSink& sink)
      : m_lines(lines), m_number(number), m_sink(sink), m_walks{{{stock, 1, kStep}, {stock, -1, kStep}}} {}

  void add(const std::shared_ptr<const FlowFace>& face, const Division& division, int piece) {
    const int row = kPieceRows * (piece / division.across()),
              column = kPieceColumns * (piece % division.across());
    const int rows = std::min(kPieceRows, division.v - row),
              columns = std::min(kPieceColumns, division.u - column);
    // of a triangle those that are in it
    const auto isIn = [&](int i, int j) { return face->sides == 4 || column + i + row + j <= division.u; };
    if (!isIn(0, 0)) return;
    if (m_points.size() / 3 + static_cast<std::size_t>((rows + 1) * (columns + 1)) > kMostVertices) pass();
    m_vertexOf.clear();
    for (int j = 0; j <= rows; ++j)
      for (int i = 0; i <= columns; ++i)
        m_vertexOf.push_back(isIn(i, j) ? vertex(face, {static_cast<double>(column + i) / division.u,
                                                        static_cast<double>(row + j) / division.v})
                                        : 0);
    const auto at = [&](int i, int j) { return m_vertexOf[static_cast<std::size_t>(j * (columns + 1) + i)]; };
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        if (isIn(i + 1, j))  // and so is what is above the first
          m_triangles.insert(m_triangles.end(), {at(i, j), at(i + 1, j), at(i, j + 1)});
        if (isIn(i + 1, j + 1))
          m_triangles.insert(m_triangles.end(), {at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
  }
  void pass() {
    if (m_triangles.empty()) return;
    // faces point out of their cells
    m_sink.patch(m_number, {m_points, m_normals, m_values, m_triangles, true});
    m_points.clear(), m_normals.clear(), m_values.clear(), m_triangles.clear();
  }

 private:
  std::uint32_t vertex(const std::shared_ptr<const FlowFace>& face, FlowSheet::Place place) {
    const auto number = static_cast<std::uint32_t>(m_points.size() / 3);
    const FlowSheet::Here here = face->at(place);
    std::array<int, 2> steps{};
    for (detail::FaceWalk& walk : m_walks) walk.start(face, place);
    const LineConvolution::Shade shade = m_lines.along(here.point, [&](int side) -> std::optional<Vec3> {
      const std::size_t which = side > 0 ? 0 : 1;
      for (double left = m_lines.texel(); left > kRounding * m_lines.texel();) {
        const auto gone = steps[which]++ < kMostSteps ? m_walks[which].goOn(left) : std::nullopt;
        if (!gone) return std::nullopt;
        left -= *gone;
      }
      return m_walks[which].here().point;
    });
    const Vec3 point = over(here.point, face->stretch);
    // areas stretch as lengths at right angles to them do
    Vec3 normal = times(cross(here.alongU, here.alongV), face->stretch);
    const double size = length(normal);
    normal = size > 0 && std::isfinite(size) ? 1 / size * normal : Vec3{};
    m_points.insert(m_points.end(), {point.x, point.y, point.z});
    m_normals.insert(m_normals.end(), {normal.x, normal.y, normal.z});
    for (std::size_t n = 0; n < face->width; ++n) m_values.push_back(face->valueAt(here, n));
    m_values.insert(m_values.end(), {shade.light, shade.cosine, shade.sine});
    return number;
  }

  static constexpr double kRounding = 1e-9;
  const LineConvolution& m_lines;
  std::size_t m_number;
  SurfaceSink& m_sink;
  std::array<detail::FaceWalk, 2> m_walks;
  std::vector<double> m_points, m_normals, m_values;
  std::vector<std::uint32_t> m_triangles, m_vertexOf;
};

}  // namespace

void extractFaceTexture(const GridSurface& surface, const FaceLinks& links, std::size_t number,
                        TexturePart part, fields::PagedData& data, tasks::TaskContext& context,
                        const fields::FunctionPlan& functions, std::int64_t step,
                        const LineConvolution& lines, SurfaceSink& sink) {
  detail::FaceStock stock(surface, links, data, context, functions, step, kKeptFaces, lines.stretch());
  const IndexBox faces = surface.patchNodes(number);
  const std::int64_t first = faces.first[0] - surface.nodes().first[0];
  std::size_t pieces = 0;
  for (std::int64_t n = 0; n < faces.size[0]; ++n)
    pieces += static_cast<std::size_t>(divisionOf(*stock.at(first + n), lines.texel()).pieces());
  const std::size_t from = pieces * part.number / part.of, to = pieces * (part.number + 1) / part.of;
  Texels texels(stock, lines, number, sink);
  std::size_t piece = 0;
  for (std::int64_t n = 0; n < faces.size[0] && piece < to; ++n) {
    const std::shared_ptr<const FlowFace> face = stock.at(first + n);
    const Division division = divisionOf(*face, lines.texel());
    // what is nowhere is not drawn
    const bool isThere = std::all_of(face->points.begin(), face->points.begin() + face->sides,
                                     [](const Vec3& point) { return isFinite(point); });
    for (int own = 0; own < division.pieces(); ++own, ++piece)
      if (isThere && piece >= from && piece < to) texels.add(face, division, own);
  }
  texels.pass();
}

std::uint64_t faceTextureBytes(const fields::FunctionPlan& functions) {
  const auto width = static_cast<std::size_t>(functions.outputCount());
  // vectors may have room for twice as much
  return detail::FaceStock::bytesFor(functions, kKeptFaces) + 2 * detail::drawTexelsBytes(width);
}

}  // namespace farfield::extract
