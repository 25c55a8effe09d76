#include "plugins/plot3d/wall_points.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::plot3d {
namespace {

constexpr std::int64_t kNodesAtOnce = 64 * 1024;
constexpr std::int16_t kWallPoint = 2;
const char* const kName = "the wall points of a block";

/// What a node of a face is: a wall point, or one of an interface, whose iblank is the negative number of the block beside it.
enum Node : std::uint8_t { kOther, kWall, kInterface };

/// A face of a block, and what its nodes are.
struct Face {
  std::size_t axis, u, v;  ///< fixed, and the two others in ascending order
  std::int64_t at;
  std::int64_t nu, nv;
  std::vector<Node> nodes;  ///< u fastest

  Node node(std::int64_t a, std::int64_t b) const { return nodes[static_cast<std::size_t>(b * nu + a)]; }
  /// Whether all nodes of a cell are wall points; of one that is not there they are not.
  bool isWall(std::int64_t cu, std::int64_t cv) const {
    if (cu < 0 || cv < 0 || cu + 1 >= nu || cv + 1 >= nv) return false;
    return node(cu, cv) == kWall && node(cu + 1, cv) == kWall && node(cu, cv + 1) == kWall &&
           node(cu + 1, cv + 1) == kWall;
  }
  /// A wall goes on to where its block ends: where another begins, or the block itself comes round, the last nodes are marked as
  /// those of an interface instead. Those within the face are places that another grid's wall covers.
  bool endsAWall(std::int64_t cu, std::int64_t cv) const {
    for (std::int64_t b = cv; b <= cv + 1; ++b)
      for (std::int64_t a = cu; a <= cu + 1; ++a) {
        const bool isEnd = a == 0 || b == 0 || a + 1 == nu || b + 1 == nv;
        if (node(a, b) != kWall && !(node(a, b) == kInterface && isEnd)) return false;
      }
    for (std::int64_t b = cv - 1; b <= cv + 1; ++b)
      for (std::int64_t a = cu - 1; a <= cu + 1; ++a)
        if (isWall(a, b)) return true;
    return false;
  }
  bool cell(std::int64_t cu, std::int64_t cv) const { return isWall(cu, cv) || endsAWall(cu, cv); }
};

std::vector<Face> facesOf(const Index3& dims) {
  std::vector<Face> faces;
  for (const std::size_t axis : {2u, 1u, 0u})
    for (const bool high : {false, true}) {
      const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
      faces.push_back({axis, u, v, high ? dims[axis] - 1 : 0, dims[u], dims[v], {}});
      faces.back().nodes.resize(static_cast<std::size_t>(dims[u] * dims[v]));
    }
  return faces;
}

std::int64_t faceNodes(const Index3& dims) {
  return 2 * (dims[0] * dims[1] + dims[1] * dims[2] + dims[2] * dims[0]);
}

/// In 2-D walls are lines, which have no surface.
bool canHaveWalls(const Index3& dims) {
  return std::min({dims[0], dims[1], dims[2]}) > 1;
}

Node nodeOf(std::int16_t iblank) {
  return iblank == kWallPoint ? kWall : iblank < 0 ? kInterface : kOther;
}

/// Marks the nodes of a piece of the block.
void note(const IndexBox& box, const std::vector<std::int16_t>& iblank, std::vector<Face>& faces) {
  for (Face& face : faces) {
    if (face.at < box.first[face.axis] || face.at >= box.first[face.axis] + box.size[face.axis]) continue;
    Index3 in{0, 0, 0};
    in[face.axis] = face.at - box.first[face.axis];
    for (in [face.v] = 0; in[face.v] < box.size[face.v]; ++in[face.v])
      for (in [face.u] = 0; in[face.u] < box.size[face.u]; ++in[face.u])
        face.nodes[static_cast<std::size_t>((box.first[face.v] + in[face.v]) * face.nu + box.first[face.u] +
                                            in[face.u])] =
            nodeOf(iblank[static_cast<std::size_t>(linear(in, box.size))]);
  }
}

/// The cells of a face that are walls, as rectangles that do not overlap: as long as
/// possible in u, then in v.
void addRectangles(const Face& face, int block, std::vector<paging::NamedSurface>& surfaces) {
  std::vector<std::uint8_t> taken(static_cast<std::size_t>(face.nu * face.nv));
  const auto free = [&](std::int64_t cu, std::int64_t cv) {
    return face.cell(cu, cv) && !taken[static_cast<std::size_t>(cv * face.nu + cu)];
  };
  for (std::int64_t cv = 0; cv + 1 < face.nv; ++cv)
    for (std::int64_t cu = 0; cu + 1 < face.nu; ++cu) {
      if (!free(cu, cv)) continue;
      std::int64_t endU = cu + 1, endV = cv + 1;
      while (endU + 1 < face.nu && free(endU, cv)) ++endU;
      const auto wholeRow = [&](std::int64_t row) {
        for (std::int64_t c = cu; c < endU; ++c)
          if (!free(c, row)) return false;
        return true;
      };
      while (endV + 1 < face.nv && wholeRow(endV)) ++endV;
      for (std::int64_t row = cv; row < endV; ++row)
        std::fill_n(taken.begin() + row * face.nu + cu, endU - cu, std::uint8_t{1});
      if (surfaces.size() == kMostWalls) return;
      paging::NamedSurface surface{"wall", block, {}, "wall", kWallSource};
      surface.nodes.first[face.axis] = face.at;
      surface.nodes.size[face.axis] = 1;
      surface.nodes.first[face.u] = cu;
      surface.nodes.size[face.u] = endU - cu + 1;
      surface.nodes.first[face.v] = cv;
      surface.nodes.size[face.v] = endV - cv + 1;
      surfaces.push_back(std::move(surface));
    }
}

std::uint64_t bytesFor(const Index3& dims) {
  // the marks and, for one face at a time, what has been used
  return static_cast<std::uint64_t>(2 * faceNodes(dims)) + 2 * kNodesAtOnce;
}

}  // namespace

std::uint64_t leastWallBytes(const paging::DatasetDescription& data) {
  std::uint64_t least = 0;
  for (int b = 0; b < static_cast<int>(data.blocks.size()); ++b) {
    const Index3& dims = data.blocks[static_cast<std::size_t>(b)].dims;
    if (data.find(b, paging::ArrayRole::Blanking) >= 0 && canHaveWalls(dims))
      least = std::max(least, bytesFor(dims));
  }
  return least;
}

std::vector<paging::NamedSurface> wallSurfaces(const paging::BoxReader& reader, MemoryAccount& account) {
  const paging::DatasetDescription& data = reader.description();
  std::vector<paging::NamedSurface> surfaces;
  std::vector<std::int16_t> iblank;
  for (int b = 0; b < static_cast<int>(data.blocks.size()); ++b) {
    const int array = data.find(b, paging::ArrayRole::Blanking);
    const Index3 dims = data.blocks[static_cast<std::size_t>(b)].dims;
    if (array < 0 || !canHaveWalls(dims)) continue;
    const MemoryClaim claim = account.claim(Purpose::Work, bytesFor(dims), kName);
    std::vector<Face> faces = facesOf(dims);
    const std::int64_t columns = std::min(dims[0], kNodesAtOnce);
    const std::int64_t rows = std::clamp<std::int64_t>(kNodesAtOnce / columns, 1, dims[1]);
    const paging::PageLayout pieces = paging::PageLayout::ofExtent(dims, {columns, rows, 1});
    for (std::int64_t piece = 0; piece < pieces.pageCount(); ++piece) {
      const IndexBox box = pieces.box(piece);
      iblank.resize(static_cast<std::size_t>(product(box.size)));
      reader.read(static_cast<std::uint32_t>(array), 0, box, std::as_writable_bytes(std::span(iblank)));
      note(box, iblank, faces);
    }
    for (const Face& face : faces) addRectangles(face, b, surfaces);
  }
  return surfaces;
}

}  // namespace farfield::plot3d
