#pragma once
// Which rows of a picture geometry may touch. A large picture is drawn in bands, and one with transparent items band by band in layers: all
// geometry is visited for each of them. Chunks that are known not to touch a band are passed over, and of others those triangles and lines
// alone are handed to the driver that may: so a picture takes about as long as its geometry takes once for each layer, in however many bands.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "render/egl/open_tiles.h"
#include "render/view/vertex_arrays.h"
#include "render/view/view_transform.h"

namespace farfield::egl {

/// Rows of a picture: [first, first + count), and so many pixels beside them from which lines reach into them. With tiles, of the band that these
/// rows are, only what touches open ones.
struct TouchedRows {
  int first = 0, count = 0;
  double beside = 0;
  const OpenTiles* tiles = nullptr;
};

/// Of one picture, whose geometry comes in the same chunks each time that it is visited. Keeps eight bytes for each chunk that was met.
class ChunkRows {
 public:
  ChunkRows(const view::ViewTransform& view, int width, int height);
  /// Whether chunk `number` of `geometry`, with these points (3 per vertex), may touch the rows.
  bool touch(const void* geometry, std::size_t number, std::span<const double> points,
             const TouchedRows& rows);
  /// Takes out of the indices of `arrays`, which are of triangles or of lines, those of triangles or whole lines that do not touch the rows.
  void keepTriangles(view::VertexArrays& arrays, const TouchedRows& rows);
  void keepLines(view::VertexArrays& arrays, const TouchedRows& rows);

 private:
  /// From the uppermost row on to behind the lowest.
  struct Span {
    float first, end;
  };
  /// Where it is seen, in pixels from the upper left corner; not numbers: behind the eye, or nowhere.
  struct Pixel {
    float column, row;
  };
  Pixel pixelOf(const std::array<float, 3>& local) const;
  Span spanOf(std::span<const double> points) const;
  bool isWhole(const TouchedRows& rows) const {
    return !rows.tiles && rows.first <= 0 && rows.first + rows.count >= m_height;
  }
  void findPixels(const view::VertexArrays& arrays);
  /// Whether what has these vertices may touch them.
  bool touches(std::span<const std::uint32_t> vertices, const TouchedRows& rows) const;

  view::LocalFrame m_frame;
  /// Rows of the matrix from local to clip coordinates that tell x, y and w.
  std::array<double, 4> m_x{}, m_y{}, m_w{};
  int m_width, m_height;
  std::map<const void*, std::vector<Span>> m_known;
  std::vector<Pixel> m_pixels;  ///< of the vertices of a chunk
};

}  // namespace farfield::egl
