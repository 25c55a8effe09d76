#pragma once
// Arrays stored in chunks: boxes of an array of any rank, each compressed by itself. To most readers of arrays they are bytes
// in a row, as if the array were unpacked and its last dimension the fastest. Who knows of the chunks takes each once.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "plugins/arrays/placed_array.h"

namespace farfield::arrays {

class ChunkedBytes : public ByteSource {
 public:
  /// A dimension of the array.
  struct Cut {
    std::int64_t count = 1;   ///< elements along it, > 0
    std::int64_t chunk = 1;   ///< of a chunk, > 0; the last chunk may reach beyond the end
    std::int64_t stride = 0;  ///< bytes from one to the next in the row of all
    std::int64_t inner = 0;   ///< and within a chunk
    std::int64_t grid = 1;    ///< chunk numbers from one chunk to the next along it

    std::int64_t chunks() const { return (count - 1) / chunk + 1; }
  };
  /// Gets all bytes of a chunk, of its full extent.
  using Use = std::function<void(std::span<const std::byte> chunk)>;

  /// `counts` and `chunks`: of each dimension, slowest first, at least one. Throws Corrupt if they are no sizes of an array.
  ChunkedBytes(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& chunks,
               int elementBytes);
  const std::vector<Cut>& cuts() const { return m_cuts; }
  int elementBytes() const { return m_elementBytes; }
  std::int64_t chunkBytes() const { return m_chunkBytes; }
  /// Numbers of chunks go from 0 on, last dimension fastest.
  std::int64_t chunkCount() const { return m_chunkCount; }

  /// Chunk number `chunk`, unpacked. Thread-safe. Waits. Throws Corrupt, Io.
  virtual void withChunk(std::int64_t chunk, const Use& use) const = 0;

  std::uint64_t size() const override { return m_size; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override;
  const ChunkedBytes* inChunks() const override { return this; }

 private:
  std::vector<Cut> m_cuts;
  int m_elementBytes;
  std::int64_t m_chunkBytes = 0, m_chunkCount = 0;
  std::uint64_t m_size = 0;
};

/// How the nodes of a piece go through a chunked array at one step.
class ChunkMap {
 public:
  /// The component, i, j and k.
  static constexpr std::size_t kAxes = 4;

  /// Nothing if the bytes of `piece` are not in chunks, or an axis is none of their dimensions. `offset`: bytes added to that
  /// of the piece, for a step.
  static std::optional<ChunkMap> of(const Piece& piece, int components, std::int64_t offset);

  /// Nodes (components) from `first` on along an axis that lie in one chunk; at most `most`.
  std::int64_t runLength(std::size_t axis, std::int64_t first, std::int64_t most) const;
  struct Place {
    std::int64_t chunk = 0;   ///< its number
    std::int64_t offset = 0;  ///< of the number in it
  };
  /// Of component at[0] of node (at[1], at[2], at[3]), counted from the piece's first.
  Place placeOf(const std::array<std::int64_t, kAxes>& at) const;
  /// Bytes from one to the next in a chunk; 0 along an axis of one node.
  std::int64_t inner(std::size_t axis) const;
  /// Nodes of a chunk along an axis (all of them where it is not cut), and whether chunks begin at multiples of it.
  std::int64_t extent(std::size_t axis) const;
  bool isEven(std::size_t axis) const;
  const ChunkedBytes& source() const { return *m_source; }

 private:
  struct Axis {
    int cut = -1;
    std::int64_t first = 0;  ///< index along the dimension of number 0
    std::int64_t count = 1;
    bool reversed = false;
  };
  const ChunkedBytes* m_source = nullptr;
  std::array<Axis, kAxes> m_axes;
  std::int64_t m_chunk = 0, m_offset = 0;  ///< by the dimensions that are no axis
};

/// A box of numbers in a chunk. Along component, i, j, k: how many, and bytes from one to the next there and in the result.
struct ChunkBox {
  std::array<std::int64_t, ChunkMap::kAxes> counts, in, out;
};
/// Values of the numbers of `box`, the first at `from`, to `to`.
void gather(const StoredAs& how, const ChunkBox& box, const std::byte* from, std::byte* to);

}  // namespace farfield::arrays
