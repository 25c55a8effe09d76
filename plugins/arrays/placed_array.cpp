#include "plugins/arrays/placed_array.h"

#include <algorithm>
#include <cstring>
#include <cstdlib>
#include <memory>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/arrays/chunked_bytes.h"

namespace farfield::arrays {
namespace {

/// Bytes read at a time if they must be rearranged.
constexpr std::int64_t kScratchBytes = 256 * 1024;
/// Unwanted bytes up to this many are read along: another read would cost more.
constexpr std::int64_t kMostGap = 8 * 1024;
/// Runs of at least so many bytes that need no rearranging are read directly into the result.
constexpr std::int64_t kDirectBytes = 16 * 1024;

/// One of the axes i, j, k and the components, within the wanted part of a piece.
struct Axis {
  std::int64_t count = 1;
  std::int64_t in = 0;   ///< bytes from one to the next in the source
  std::int64_t out = 0;  ///< and in the result
};

/// Reads the wanted part of one piece.
class PartReader {
 public:
  PartReader(const PlacedArray& array, const Piece& piece)
      : m_source(*piece.bytes), m_type(array.type), m_bigEndian(array.bigEndian) {}

  /// `axes` are sorted by distance in the source, nearest first, none negative.
  void read(std::span<const Axis> axes, std::uint64_t from, std::byte* to) {
    m_axes = axes;
    const std::int64_t number = bytesOf(m_type), kept = sizeOf(keptAs(m_type));
    // what is dense in both can be read directly into the result
    std::int64_t denseIn = number, denseOut = kept;
    std::size_t dense = 0;
    while (dense < axes.size() && axes[dense].in == denseIn && axes[dense].out == denseOut) {
      denseIn *= axes[dense].count;
      denseOut *= axes[dense].count;
      ++dense;
    }
    const bool sameSize = number == kept && (m_type != NumberType::I64 && m_type != NumberType::U64);
    if (sameSize && (dense == axes.size() || denseIn >= kDirectBytes)) {
      m_run = denseIn / number;
      return readRuns(axes.size(), dense, from, to);
    }
    planScratch(number);
    readParts(axes.size(), from, to);
  }

 private:
  void readRuns(std::size_t level, std::size_t dense, std::uint64_t from, std::byte* to) {
    if (level > dense) {
      const Axis& axis = m_axes[level - 1];
      for (std::int64_t n = 0; n < axis.count; ++n)
        readRuns(level - 1, dense, from + static_cast<std::uint64_t>(n * axis.in), to + n * axis.out);
      return;
    }
    const int number = bytesOf(m_type);
    m_source.readAt(from, {to, static_cast<std::size_t>(m_run * number)});
    if (m_bigEndian) convert(m_type, true, to, number, m_run, to, number);
  }

  /// Decides how many axes, and how much of the next, one read takes.
  void planScratch(std::int64_t number) {
    m_span = number;
    for (m_level = 0; m_level < m_axes.size(); ++m_level) {
      const Axis& axis = m_axes[m_level];
      m_atATime = 1;
      if (axis.in - m_span > (m_source.inChunks() ? 0 : kMostGap)) break;
      const std::int64_t room = axis.in > 0 ? (kScratchBytes - m_span) / axis.in + 1 : 1;
      m_atATime = std::clamp<std::int64_t>(room, 1, axis.count);
      if (m_atATime < axis.count) break;
      m_span += (axis.count - 1) * axis.in;
    }
    const std::int64_t last = m_level < m_axes.size() ? (m_atATime - 1) * m_axes[m_level].in : 0;
    m_scratchBytes = static_cast<std::size_t>(m_span + last);
    m_scratch = std::make_unique_for_overwrite<std::byte[]>(m_scratchBytes);
  }

  void readParts(std::size_t level, std::uint64_t from, std::byte* to) {
    if (level > m_level + 1) {
      const Axis& axis = m_axes[level - 1];
      for (std::int64_t n = 0; n < axis.count; ++n)
        readParts(level - 1, from + static_cast<std::uint64_t>(n * axis.in), to + n * axis.out);
      return;
    }
    if (m_level == m_axes.size()) return readScratch(1, from, to);
    const Axis& axis = m_axes[m_level];
    for (std::int64_t n = 0; n < axis.count; n += m_atATime)
      readScratch(std::min(m_atATime, axis.count - n), from + static_cast<std::uint64_t>(n * axis.in),
                  to + n * axis.out);
  }

  /// `count` along axis m_level, with all axes before it.
  void readScratch(std::int64_t count, std::uint64_t from, std::byte* to) {
    const bool partial = m_level < m_axes.size();
    const std::int64_t step = partial ? m_axes[m_level].in : 0;
    m_source.readAt(from, {m_scratch.get(), static_cast<std::size_t>(m_span + (count - 1) * step)});
    if (!partial) return sort(m_level, m_scratch.get(), to);
    if (m_level == 0)
      return convert(m_type, m_bigEndian, m_scratch.get(), m_axes[0].in, count, to, m_axes[0].out);
    for (std::int64_t n = 0; n < count; ++n)
      sort(m_level, m_scratch.get() + n * step, to + n * m_axes[m_level].out);
  }

  /// Rearranges the first `level` axes.
  void sort(std::size_t level, const std::byte* from, std::byte* to) {
    if (level == 0) return convert(m_type, m_bigEndian, from, 0, 1, to, 0);
    const Axis& axis = m_axes[level - 1];
    if (level == 1) return convert(m_type, m_bigEndian, from, axis.in, axis.count, to, axis.out);
    for (std::int64_t n = 0; n < axis.count; ++n) sort(level - 1, from + n * axis.in, to + n * axis.out);
  }

  const ByteSource& m_source;
  const NumberType m_type;
  const bool m_bigEndian;
  std::span<const Axis> m_axes;
  std::int64_t m_run = 0, m_span = 0, m_atATime = 1;
  std::size_t m_level = 0, m_scratchBytes = 0;
  std::unique_ptr<std::byte[]> m_scratch;
};

/// The overlap of `piece` and `box`. False if it is empty.
bool overlap(const IndexBox& piece, const IndexBox& box, IndexBox& both) {
  for (int a = 0; a < 3; ++a) {
    both.first[a] = std::max(piece.first[a], box.first[a]);
    both.size[a] = std::min(piece.first[a] + piece.size[a], box.first[a] + box.size[a]) - both.first[a];
    if (both.size[a] <= 0) return false;
  }
  return true;
}

void readStored(const PlacedArray& array, std::int64_t step, const IndexBox& box, int first, int count,
                std::span<std::byte> out) {
  const std::int64_t kept = sizeOf(keptAs(array.type));
  for (const Piece& piece : array.piecesOf(step)) {
    IndexBox part;
    if (!overlap(piece.nodes, box, part)) continue;
    std::array<Axis, 4> axes;
    std::size_t used = 0;
    auto from = static_cast<std::int64_t>(piece.offset) + first * piece.componentStride +
                (array.steps.size() == 1 ? step * array.stepStride : 0);
    std::byte* to = out.data();
    const auto add = [&](std::int64_t number, std::int64_t in, std::int64_t outBytes) {
      if (number == 1) return;
      if (in < 0) {
        from += (number - 1) * in;
        to += (number - 1) * outBytes;
        in = -in;
        outBytes = -outBytes;
      }
      axes[used++] = {number, in, outBytes};
    };
    add(count, piece.componentStride, kept);
    std::int64_t outBytes = kept * count;
    for (std::size_t a = 0; a < 3; ++a) {
      from += (part.first[a] - piece.nodes.first[a]) * piece.strides[a];
      to += (part.first[a] - box.first[a]) * outBytes;
      add(part.size[a], piece.strides[a], outBytes);
      outBytes *= box.size[a];
    }
    const std::span<Axis> wanted(axes.data(), used);
    std::stable_sort(wanted.begin(), wanted.end(), [](const Axis& a, const Axis& b) { return a.in < b.in; });
    PartReader(array, piece).read(wanted, static_cast<std::uint64_t>(from), to);
  }
}

/// The part of a piece that lies in chunks, each of which is taken once.
void readChunks(const PlacedArray& array, std::int64_t step, const ChunkMap& map, const Piece& piece,
                const IndexBox& part, const IndexBox& box, int first, int count, std::byte* out) {
  constexpr std::size_t kAxes = ChunkMap::kAxes;
  std::array<std::int64_t, kAxes> begin{first}, sizes{count}, outStrides{sizeOf(array.valueType())};
  for (std::size_t a = 0; a < 3; ++a) {
    begin[a + 1] = part.first[a] - piece.nodes.first[a];
    sizes[a + 1] = part.size[a];
    outStrides[a + 1] = outStrides[a] * (a == 0 ? count : box.size[a - 1]);
    out += (part.first[a] - box.first[a]) * outStrides[a + 1];
  }
  ChunkBox some{.counts = {}, .in = {}, .out = outStrides};
  for (std::size_t a = 0; a < kAxes; ++a) some.in[a] = map.inner(a);
  std::array<std::int64_t, kAxes> at = begin;
  // boxes that lie in one chunk each, first axis fastest
  for (;;) {
    std::byte* to = out;
    for (std::size_t a = 0; a < kAxes; ++a) {
      some.counts[a] = map.runLength(a, at[a], begin[a] + sizes[a] - at[a]);
      to += (at[a] - begin[a]) * outStrides[a];
    }
    const ChunkMap::Place place = map.placeOf(at);
    map.source().withChunk(place.chunk, [&](std::span<const std::byte> chunk) {
      gather(array.storedAs(step), some, chunk.data() + place.offset, to);
    });
    std::size_t a = 0;
    for (; a < kAxes; ++a) {
      at[a] += some.counts[a];
      if (at[a] < begin[a] + sizes[a]) break;
      at[a] = begin[a];
    }
    if (a == kAxes) return;
  }
}

/// False if not all pieces are in chunks.
bool readAllChunks(const PlacedArray& array, std::int64_t step, const IndexBox& box, int first, int count,
                   std::span<std::byte> out) {
  const std::int64_t offset = array.steps.size() == 1 ? step * array.stepStride : 0;
  bool all = true;
  for (const Piece& piece : array.piecesOf(step)) all = all && piece.bytes->inChunks();
  if (!all) return false;
  for (const Piece& piece : array.piecesOf(step)) {
    IndexBox part;
    if (!overlap(piece.nodes, box, part)) continue;
    const std::optional<ChunkMap> map = ChunkMap::of(piece, array.components, offset);
    if (!map) return false;
    readChunks(array, step, *map, piece, part, box, first, count, out.data());
  }
  return true;
}

/// Values at the places where numbers are, with Unpacking.
void readNumbers(const PlacedArray& array, std::int64_t step, const IndexBox& box, int first, int count,
                 std::span<std::byte> out) {
  if (readAllChunks(array, step, box, first, count, out)) return;
  const Unpacking* const unpacking = array.unpackingAt(step);
  if (!unpacking) return readStored(array, step, box, first, count, out);
  // a few layers at a time, so that stored numbers are not kept beside all values
  IndexBox layer = box;
  layer.size[2] = 1;
  const auto numbers = static_cast<std::size_t>(layer.size[0] * layer.size[1] * count);
  std::vector<std::byte> stored(numbers * static_cast<std::size_t>(sizeOf(keptAs(array.type))));
  const std::size_t bytes = numbers * static_cast<std::size_t>(sizeOf(unpacking->type));
  for (std::int64_t k = 0; k < box.size[2]; ++k) {
    layer.first[2] = box.first[2] + k;
    readStored(array, step, layer, first, count, stored);
    toValues({nativeType(array.type), false, unpacking}, stored.data(), sizeOf(keptAs(array.type)),
             static_cast<std::int64_t>(numbers), out.data() + static_cast<std::size_t>(k) * bytes,
             sizeOf(unpacking->type));
  }
}

/// The values of nodes from numbers between them, layer by layer.
class MeanReader {
 public:
  MeanReader(const PlacedArray& array, std::int64_t step, const IndexBox& box, int first, int count)
      : m_array(array), m_step(step), m_box(box), m_first(first), m_count(count) {
    for (std::size_t a = 0; a < 2; ++a) {
      m_numbers.first[a] = numberAt(a, box.first[a], 0);
      m_numbers.size[a] = numberAt(a, box.first[a] + box.size[a] - 1, 1) - m_numbers.first[a] + 1;
    }
    m_numbers.size[2] = 1;
  }

  void read(std::span<std::byte> out) {
    std::byte* to = out.data();
    for (std::int64_t k = m_box.first[2]; k < m_box.first[2] + m_box.size[2]; ++k) {
      // the upper layer of one node is the lower one of the next
      if (numberAt(2, k, 0) != m_lowerIs) {
        std::swap(m_lower, m_upper);
        std::swap(m_lowerIs, m_upperIs);
      }
      readLayer(numberAt(2, k, 0), m_lower, m_lowerIs);
      if (m_array.between[2].numbers > 0) readLayer(numberAt(2, k, 1), m_upper, m_upperIs);
      const std::vector<double>& upper = m_array.between[2].numbers > 0 ? m_upper : m_lower;
      for (std::size_t n = 0; n < m_lower.size(); ++n) {
        const double mean = (m_lower[n] + upper[n]) / 2;
        if (m_array.valueType() == ScalarType::F32)
          store(to, static_cast<float>(mean));
        else
          store(to, mean);
        to += sizeOf(m_array.valueType());
      }
    }
  }

 private:
  /// The number before a node (`side` 0) or after it (1); both are the node's own where numbers lie on nodes.
  std::int64_t numberAt(std::size_t axis, std::int64_t node, std::int64_t side) const {
    const Between& between = m_array.between[axis];
    if (between.numbers == 0) return node;
    return std::clamp<std::int64_t>(node + between.lower + side, 0, between.numbers - 1);
  }

  /// Means along x and y in layer `k` of the numbers.
  void readLayer(std::int64_t k, std::vector<double>& to, std::int64_t& layerIs) {
    if (layerIs == k) return;
    layerIs = k;
    m_numbers.first[2] = k;
    const auto count = static_cast<std::size_t>(product(m_numbers.size) * m_count);
    m_stored.resize(count * static_cast<std::size_t>(sizeOf(m_array.valueType())));
    readNumbers(m_array, m_step, m_numbers, m_first, m_count, m_stored);
    m_values.resize(count);
    toDouble(m_stored.data(), m_array.valueType(), 0, static_cast<std::int64_t>(count), m_values.data());
    to.clear();
    const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t c) {
      return m_values[static_cast<std::size_t>(
          c + m_count * (i - m_numbers.first[0] + m_numbers.size[0] * (j - m_numbers.first[1])))];
    };
    for (std::int64_t j = m_box.first[1]; j < m_box.first[1] + m_box.size[1]; ++j)
      for (std::int64_t i = m_box.first[0]; i < m_box.first[0] + m_box.size[0]; ++i)
        for (std::int64_t c = 0; c < m_count; ++c) {
          const auto along = [&](std::int64_t row) {
            return (at(numberAt(0, i, 0), row, c) + at(numberAt(0, i, 1), row, c)) / 2;
          };
          to.push_back((along(numberAt(1, j, 0)) + along(numberAt(1, j, 1))) / 2);
        }
  }

  const PlacedArray& m_array;
  const std::int64_t m_step;
  const IndexBox m_box;
  const int m_first, m_count;
  IndexBox m_numbers{};  ///< of a layer
  std::vector<std::byte> m_stored;
  std::vector<double> m_values, m_lower, m_upper;
  std::int64_t m_lowerIs = -1, m_upperIs = -1;  ///< layers of the numbers
};

}  // namespace

Piece densePiece(const Index3& dims, NumberType type, int components, bool planar,
                 std::shared_ptr<const ByteSource> bytes, std::uint64_t offset) {
  Piece piece{{{0, 0, 0}, dims}, std::move(bytes), offset, {}, 0};
  const std::int64_t number = bytesOf(type);
  std::int64_t stride = planar ? number : number * components;
  for (std::size_t a = 0; a < 3; ++a) {
    piece.strides[a] = stride;
    stride *= dims[a];
  }
  piece.componentStride = planar ? stride : number;
  return piece;
}

std::uint64_t bytesOfAll(const Index3& dims, int components, NumberType type) {
  return static_cast<std::uint64_t>(checkedProduct({dims[0], dims[1], dims[2], components, bytesOf(type)}));
}

void checkPlaces(const PlacedArray& array, std::int64_t stepCount) {
  const auto extent = [](std::int64_t count, std::int64_t stride) {
    return checkedProduct({count - 1, std::abs(stride)});
  };
  for (const std::vector<Piece>& pieces : array.steps)
    for (const Piece& piece : pieces) {
      // from the lowest number to the end of the highest
      std::int64_t before = 0, after = bytesOf(array.type);
      const auto add = [&](std::int64_t count, std::int64_t stride) {
        std::int64_t& side = stride < 0 ? before : after;
        if (__builtin_add_overflow(side, extent(count, stride), &side))
          throw Corrupt("a size is larger than any file can be");
      };
      for (std::size_t a = 0; a < 3; ++a) add(piece.nodes.size[a], piece.strides[a]);
      add(array.components, piece.componentStride);
      if (array.steps.size() == 1) add(stepCount, array.stepStride);
      const std::uint64_t size = piece.bytes->size();
      if (piece.offset > size || static_cast<std::uint64_t>(after) > size - piece.offset ||
          static_cast<std::uint64_t>(before) > piece.offset)
        throw Corrupt("is too short: " + std::to_string(size) + " bytes where " +
                          std::to_string(piece.offset + static_cast<std::uint64_t>(after)) + " are needed",
                      "check that the copy is complete");
    }
}

void readBox(const PlacedArray& array, std::int64_t step, const IndexBox& box, int first, int count,
             std::span<std::byte> out) {
  if (array.isNearest())
    return readNearest(array.between, box, sizeOf(array.valueType()) * count, out,
                       [&](const IndexBox& numbers, std::span<std::byte> to) {
                         readNumbers(array, step, numbers, first, count, to);
                       });
  if (array.isBetween()) return MeanReader(array, step, box, first, count).read(out);
  readNumbers(array, step, box, first, count, out);
}

void readNearest(const std::array<Between, 3>& between, const IndexBox& box, int bytes,
                 std::span<std::byte> out,
                 const std::function<void(const IndexBox& numbers, std::span<std::byte> out)>& read) {
  const auto numberAt = [&](std::size_t a, std::int64_t node) {
    if (between[a].numbers == 0) return node;
    return std::clamp<std::int64_t>(node + between[a].lower, 0, between[a].numbers - 1);
  };
  IndexBox numbers;
  for (std::size_t a = 0; a < 3; ++a) {
    numbers.first[a] = numberAt(a, box.first[a]);
    numbers.size[a] = numberAt(a, box.first[a] + box.size[a] - 1) - numbers.first[a] + 1;
  }
  // They are put at the end of `out`. From there each is moved forwards, to places whose own numbers are not wanted any more: after a
  // node there are at least as many nodes as there are numbers after its own.
  const auto size = static_cast<std::size_t>(bytes);
  const std::span<std::byte> stored = out.last(static_cast<std::size_t>(product(numbers.size)) * size);
  read(numbers, stored);
  if (stored.size() == out.size()) return;
  std::byte* to = out.data();
  for (std::int64_t k = 0; k < box.size[2]; ++k)
    for (std::int64_t j = 0; j < box.size[1]; ++j) {
      const Index3 row{0, numberAt(1, box.first[1] + j) - numbers.first[1],
                       numberAt(2, box.first[2] + k) - numbers.first[2]};
      const std::byte* const from =
          stored.data() + static_cast<std::size_t>(linear(row, numbers.size)) * size;
      for (std::int64_t i = 0; i < box.size[0]; ++i, to += bytes)
        std::memmove(to,
                     from + static_cast<std::size_t>(numberAt(0, box.first[0] + i) - numbers.first[0]) * size,
                     size);
    }
}

}  // namespace farfield::arrays
