#include "plugins/vtkfile/cell_shapes.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace farfield::vtkfile {
namespace {

using paging::CellNodes;
using paging::UnstructuredShape;

/// The shape whose corners the first points of a type are.
std::optional<UnstructuredShape> shapeOfType(std::int64_t type) {
  switch (type) {
    case 10:  // tetra; quadratic; of higher order; Bézier
    case 24:
    case 64:
    case 71:
    case 78:
      return UnstructuredShape::Tetrahedron;
    case 11:  // voxel
    case 12:  // hexahedron; quadratic; triquadratic; biquadratic; Lagrange; Bézier
    case 25:
    case 29:
    case 33:
    case 67:
    case 72:
    case 79:
      return UnstructuredShape::Hexahedron;
    case 13:
    case 26:
    case 31:
    case 32:
    case 65:
    case 73:
    case 80:
      return UnstructuredShape::Wedge;
    case 14:
    case 27:
    case 37:
    case 66:
    case 74:
    case 81:
      return UnstructuredShape::Pyramid;
    default:
      return std::nullopt;
  }
}

std::int32_t numbered(std::int64_t point) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return point >= 0 && point <= kMost ? static_cast<std::int32_t>(point) : -1;
}

bool cutPolyhedron(std::span<const std::int64_t> faces, const std::function<void(const CellNodes&)>& add) {
  if (faces.empty()) return false;
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  const auto forEachFace = [&](auto visit) {
    std::size_t at = 1;
    for (std::int64_t face = 0; face < faces[0]; ++face) {
      if (at >= faces.size()) return false;
      const std::int64_t size = faces[at++];
      if (size < 3 || static_cast<std::uint64_t>(size) > faces.size() - at) return false;
      visit(faces.subspan(at, static_cast<std::size_t>(size)));
      at += static_cast<std::size_t>(size);
    }
    return faces[0] >= 4;
  };
  const auto lowestOf = [](std::span<const std::int64_t> face) {
    return static_cast<std::size_t>(std::min_element(face.begin(), face.end()) - face.begin());
  };
  if (!forEachFace(
          [&](std::span<const std::int64_t> face) { lowest = std::min(lowest, face[lowestOf(face)]); }))
    return false;
  return forEachFace([&](std::span<const std::int64_t> face) {
    if (std::find(face.begin(), face.end(), lowest) != face.end()) return;
    const std::size_t first = lowestOf(face);
    for (std::size_t n = 1; n + 1 < face.size(); ++n) {
      const std::int32_t a = numbered(face[first]), b = numbered(face[(first + n) % face.size()]),
                         c = numbered(face[(first + n + 1) % face.size()]), top = numbered(lowest);
      add({a, b, c, c, top, top, top, top});
    }
  });
}

/// What a type of cells without a volume is.
enum class Area { None, Triangle, Pixel, Quad, Polygon, Strip };

Area areaOfType(std::int64_t type) {
  switch (type) {
    case 5:  // triangle; quadratic; biquadratic; of higher order; Lagrange; Bézier
    case 22:
    case 34:
    case 61:
    case 69:
    case 76:
      return Area::Triangle;
    case 8:
      return Area::Pixel;
    case 9:  // quadrilateral; quadratic; biquadratic; quadratic-linear; of higher order; Lagrange; Bézier
    case 23:
    case 28:
    case 30:
    case 62:
    case 70:
    case 77:
      return Area::Quad;
    case 7:  // polygon; quadratic: corners come first
    case 36:
      return Area::Polygon;
    case 6:
      return Area::Strip;
    default:
      return Area::None;
  }
}

/// Triangles from the lowest corner of a polygon.
void cutPolygon(std::span<const std::int64_t> points,
                const std::function<void(const std::array<std::int32_t, 4>&)>& add) {
  const auto first =
      static_cast<std::size_t>(std::min_element(points.begin(), points.end()) - points.begin());
  const auto p = [&](std::size_t n) { return numbered(points[(first + n) % points.size()]); };
  for (std::size_t n = 1; n + 1 < points.size(); ++n) add({p(0), p(n), p(n + 1), p(n + 1)});
}

}  // namespace

bool hasArea(std::int64_t type) {
  return areaOfType(type) != Area::None;
}

bool flatCellsOf(std::int64_t type, std::span<const std::int64_t> points,
                 const std::function<void(const std::array<std::int32_t, 4>&)>& add) {
  const Area area = areaOfType(type);
  if (type == 36) points = points.first(points.size() / 2);
  const auto p = [&](std::size_t n) { return numbered(points[n]); };
  switch (area) {
    case Area::None:
      return true;
    case Area::Triangle:
      if (points.size() < 3) return false;
      add({p(0), p(1), p(2), p(2)});
      return true;
    case Area::Pixel:
    case Area::Quad:
      if (points.size() < 4) return false;
      if (area == Area::Pixel)
        add({p(0), p(1), p(3), p(2)});
      else
        add({p(0), p(1), p(2), p(3)});
      return true;
    case Area::Polygon:
      if (points.size() < 3) return false;
      if (points.size() == 4)
        add({p(0), p(1), p(2), p(3)});
      else
        cutPolygon(points, add);
      return true;
    case Area::Strip:
      if (points.size() < 3) return false;
      // every other triangle is turned
      for (std::size_t n = 0; n + 2 < points.size(); ++n)
        add({p(n), p(n + 1 + n % 2), p(n + 2 - n % 2), p(n + 2 - n % 2)});
      return true;
  }
  return true;
}

bool hasVolume(std::int64_t type) {
  return type == kPolyhedron || shapeOfType(type).has_value();
}

bool cellsOf(std::int64_t type, std::span<const std::int64_t> points, std::span<const std::int64_t> faces,
             const std::function<void(const CellNodes&)>& add) {
  if (type == kPolyhedron) return cutPolyhedron(faces, add);
  const auto shape = shapeOfType(type);
  if (!shape) return true;
  const paging::OwnCorners own = paging::ownCorners(*shape);
  if (points.size() < own.count) return false;
  const auto p = [&](std::size_t n) { return numbered(points[n]); };
  switch (*shape) {
    case UnstructuredShape::Tetrahedron:
      add({p(0), p(1), p(2), p(2), p(3), p(3), p(3), p(3)});
      break;
    case UnstructuredShape::Pyramid:
      add({p(0), p(1), p(3), p(2), p(4), p(4), p(4), p(4)});
      break;
    case UnstructuredShape::Wedge:
      add({p(0), p(1), p(2), p(2), p(3), p(4), p(5), p(5)});
      break;
    case UnstructuredShape::Hexahedron:
      if (type == 11)
        add({p(0), p(1), p(2), p(3), p(4), p(5), p(6), p(7)});
      else
        add({p(0), p(1), p(3), p(2), p(4), p(5), p(7), p(6)});
      break;
  }
  return true;
}

}  // namespace farfield::vtkfile
