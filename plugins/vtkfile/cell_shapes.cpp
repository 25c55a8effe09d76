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
    case 61:
    case 71:
    case 78:
      return UnstructuredShape::Tetrahedron;
    case 11:  // voxel
    case 12:  // hexahedron; quadratic; triquadratic; biquadratic; Lagrange; Bézier
    case 25:
    case 29:
    case 33:
    case 65:
    case 72:
    case 79:
      return UnstructuredShape::Hexahedron;
    case 13:
    case 26:
    case 31:
    case 32:
    case 64:
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

}  // namespace

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
