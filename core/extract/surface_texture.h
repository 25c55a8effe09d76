#pragma once
// Textures of a vector on surfaces, by line integral convolution (line_convolution.h), as triangles as fine as their
// texels: of planes, whose texels are the nodes of a net that is laid over the data and sampled; and of grid
// surfaces, whose cells are divided into texels. Values of a texel are those of the functions, of which the
// first three are the vector, then light, cosine and sine of LineConvolution::Shade.
//
// The work is cut into tiles, a task each, which read what lies around them as far as lines reach. A texel that two
// tiles share has the same place in both. Memory is that of a tile, whatever the size of the surface and of the
// texels. A patch of a grid surface has as many texels as its cells are large; where these are many it is the work of
// several tasks, each with some of the pieces in which texels are passed on, so that what is passed on is the same in all.
//
// Texels are even, and lines and noise alike, where axes are stretched as LineConvolution::stretch() says.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/extract/flow_sheet.h"
#include "core/extract/grid_surface.h"
#include "core/extract/line_convolution.h"
#include "core/extract/plane.h"

namespace farfield::extract {

constexpr int kShadeValues = 3;

/// Immutable.
class PlaneTexture {
 public:
  static constexpr std::int64_t kTileTexels = 64;

  /// Where `plane` meets the bounds of the blocks. A plane that passes them by has no tiles. Overlapping blocks count as
  /// they do everywhere: a texel is where a search finds it, once.
  PlaneTexture(const paging::DatasetDescription& description, const Plane& plane,
               const LineConvolution& lines);

  std::size_t taskCount() const { return static_cast<std::size_t>(m_tiles[0] * m_tiles[1]); }
  /// Computes tile `number`; one task's work. Throws what sampling throws.
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
               const std::shared_ptr<const fields::FunctionPlan>& functions, std::int64_t step,
               const LineConvolution& lines, SurfaceSink& sink) const;
  static std::uint64_t taskBytes(const fields::FunctionPlan& functions, const LineConvolution& lines);

 private:
  Plane m_plane;
  Vec3 m_stretch;
  std::array<Vec3, 2> m_axes;                  ///< of the net, where all is stretched
  std::array<double, 2> m_first{}, m_texel{};  ///< of the net, along the axes, from the plane's origin
  std::array<std::int64_t, 2> m_nodes{}, m_tiles{};
};

/// One of so many parts of a patch's texture. Together, in this order, they are the whole.
struct TexturePart {
  std::size_t number = 0, of = 1;
};
/// In how many parts the texture of each patch of `surface` is good work for tasks, by the size of its block.
std::size_t texturePartsOf(const GridSurface& surface, const paging::DatasetDescription& description,
                           const LineConvolution& lines);
/// Computes a part of the texture of patch `number` of `surface`, which is not of faces; one task's work. Throws what
/// gathering throws.
void extractTexture(const GridSurface& surface, std::size_t number, TexturePart part, fields::PagedData& data,
                    tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
                    const LineConvolution& lines, SurfaceSink& sink);
std::uint64_t sheetTextureBytes(const fields::FunctionPlan& functions);

namespace detail {

/// Of some texels of a sheet: places along u and along v, ascending.
struct TexelRows {
  std::vector<double> u, v;
};
/// Passes the triangles of a part of the texels' net, where it lies in usable cells, to `sink` as patches of that number.
/// `normals`: of the nodes of the sheet, or one for all, in the data's space.
void drawTexels(const FlowSheet& sheet, const TexelRows& texels, const std::vector<Vec3>& normals,
                bool seenFromBehind, TexturePart part, const LineConvolution& lines,
                tasks::TaskContext& context, std::size_t number, SurfaceSink& sink);
std::uint64_t drawTexelsBytes(std::size_t valuesPerNode);

}  // namespace detail

}  // namespace farfield::extract
