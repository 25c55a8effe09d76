#include "plugins/plot3d/box_read.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "core/base/bytes.h"

namespace farfield::plot3d {
namespace {

constexpr std::int64_t kScratchBytes = 256 * 1024;
/// Rows closer than this are read together with what lies between them: that takes a disk less time than
/// another read.
constexpr std::int64_t kGapBytes = 8192;
/// The system is told of boxes up to this size as a whole before their rows are read one after the other, so
/// that a disk reads them all at once; larger ones keep it busy anyway.
constexpr std::int64_t kExpectedBytes = 4 * 1024 * 1024;

/// The rows of a box in one variable: of equal length, at equal distances, in two levels. Adjacent rows are
/// merged.
struct Rows {
  std::int64_t length;                 ///< elements
  std::int64_t count = 1, groups = 1;  ///< rows at rowStride, groups of them at groupStride
  std::int64_t rowStride = 0, groupStride = 0;
  std::int64_t first = 0;  ///< of the first row, from the variable's beginning; in bytes

  Rows(std::int64_t planeStride, const Index3& dims, const IndexBox& box, std::int64_t element)
      : length(box.size[0]) {
    first = box.first[2] * planeStride + (box.first[1] * dims[0] + box.first[0]) * element;
    if (box.size[0] < dims[0]) {
      count = box.size[1];
      rowStride = dims[0] * element;
      groups = box.size[2];
      groupStride = planeStride;
      return;
    }
    length *= box.size[1];
    if (box.size[1] == dims[1] && planeStride == dims[0] * dims[1] * element) {
      length *= box.size[2];
    } else {
      count = box.size[2];
      rowStride = planeStride;
    }
  }
};

/// What is read at once: one row or several, or a part of a long row.
struct Piece {
  std::int64_t at, bytes;                ///< in each variable
  std::int64_t rows, length, rowStride;  ///< rows of `length` elements, `rowStride` bytes apart
  std::int64_t target;                   ///< index of the first element in the box
};

/// Cuts rows into pieces of up to `room` bytes, in their order.
template <class Visit>
void forPieces(const Rows& rows, std::int64_t room, std::int64_t element, Visit visit) {
  const std::int64_t rowBytes = rows.length * element;
  std::int64_t together = 1;
  if (rows.rowStride - rowBytes <= kGapBytes && rowBytes <= room && rows.rowStride > 0)
    together = 1 + (room - rowBytes) / rows.rowStride;
  const std::int64_t most = room / element;
  std::int64_t target = 0;
  for (std::int64_t group = 0; group < rows.groups; ++group)
    for (std::int64_t row = 0; row < rows.count;) {
      const std::int64_t at = rows.first + group * rows.groupStride + row * rows.rowStride;
      if (rowBytes <= room) {
        const std::int64_t some = std::min(together, rows.count - row);
        visit(Piece{at, rowBytes + rows.rowStride * (some - 1), some, rows.length, rows.rowStride, target});
        target += some * rows.length;
        row += some;
        continue;
      }
      for (std::int64_t done = 0; done < rows.length; done += most) {
        const std::int64_t count = std::min(most, rows.length - done);
        visit(Piece{at + done * element, count * element, 1, count, 0, target + done});
      }
      target += rows.length;
      ++row;
    }
}

/// Reads the rows of a box from `variables` that are arranged alike, a piece of each at a time, and passes
/// them on: deliver(bytes of the first variable's row, bytes from one variable to the next, first element of
/// the box in the row, count).
template <class Deliver>
void readRows(const paging::ByteObject& file, const Layout& layout, std::span<const VariablePlace> variables,
              const Rows& rows, std::int64_t element, Deliver deliver) {
  const auto variableCount = static_cast<std::int64_t>(variables.size());
  const std::int64_t span = rows.length * element + rows.rowStride * (rows.count - 1);
  const std::int64_t room = std::min(kScratchBytes / variableCount / 8 * 8, span);
  const std::unique_ptr<std::byte[]> scratch(new std::byte[static_cast<std::size_t>(room * variableCount)]);
  const auto placeOf = [&](std::int64_t variable, const Piece& piece) {
    return variables[static_cast<std::size_t>(variable)].offset + static_cast<std::uint64_t>(piece.at);
  };
  const std::int64_t allBytes = rows.length * rows.count * rows.groups * element * variableCount;
  if (rows.count * rows.groups * variableCount > 1 && allBytes <= kExpectedBytes)
    forPieces(rows, room, element, [&](const Piece& piece) {
      for (std::int64_t v = 0; v < variableCount; ++v)
        layout.expect(file, placeOf(v, piece), static_cast<std::uint64_t>(piece.bytes));
    });
  forPieces(rows, room, element, [&](const Piece& piece) {
    for (std::int64_t v = 0; v < variableCount; ++v)
      layout.read(file, placeOf(v, piece), {scratch.get() + v * room, static_cast<std::size_t>(piece.bytes)});
    for (std::int64_t r = 0; r < piece.rows; ++r)
      deliver(scratch.get() + r * piece.rowStride, room, piece.target + r * piece.length, piece.length);
  });
}

/// Interleaves `kCount` variables (0: `count` of them), whose pieces are `apart` bytes apart. T is an
/// unsigned integer, so that no bit of a signalling NaN is changed.
template <class T, bool kSwap, int kCount>
void interleave(const std::byte* from, std::int64_t apart, std::int64_t nodes, int count, T* to) {
  const int variables = kCount > 0 ? kCount : count;
  for (std::int64_t n = 0; n < nodes; ++n, from += sizeof(T))
    for (int v = 0; v < variables; ++v) {
      const T value = load<T>(from + v * apart);
      *to++ = kSwap ? byteSwapped(value) : value;
    }
}

template <class T, bool kSwap>
void interleaveAny(const std::byte* from, std::int64_t apart, std::int64_t nodes, int count, T* to) {
  switch (count) {
    case 1:
      return interleave<T, kSwap, 1>(from, apart, nodes, count, to);
    case 3:
      return interleave<T, kSwap, 3>(from, apart, nodes, count, to);
    case 5:
      return interleave<T, kSwap, 5>(from, apart, nodes, count, to);
    default:
      return interleave<T, kSwap, 0>(from, apart, nodes, count, to);
  }
}

template <class T>
void readAs(const paging::ByteObject& file, const Layout& layout, int block, int first, int count,
            const IndexBox& box, T* out) {
  std::vector<VariablePlace> places;
  for (int v = 0; v < count; ++v) places.push_back(layout.place(block, first + v));
  const Rows rows(static_cast<std::int64_t>(places.front().planeStride),
                  layout.blocks[static_cast<std::size_t>(block)].dims, box, sizeof(T));
  const bool swap = layout.format.byteOrder == ByteOrder::Big;
  if (count == 1 && rows.count == 1 && rows.groups == 1) {
    // one run of one variable: read directly into the result
    const std::span<T> all(out, static_cast<std::size_t>(rows.length));
    layout.read(file, places.front().offset + static_cast<std::uint64_t>(rows.first),
                std::as_writable_bytes(all));
    if (swap)
      for (T& value : all) value = byteSwapped(value);
    return;
  }
  readRows(file, layout, places, rows, sizeof(T),
           [&](const std::byte* bytes, std::int64_t apart, std::int64_t node, std::int64_t nodes) {
             if (swap)
               interleaveAny<T, true>(bytes, apart, nodes, count, out + node * count);
             else
               interleaveAny<T, false>(bytes, apart, nodes, count, out + node * count);
           });
}

/// What does not fit becomes the nearest number that does. Compilers make vectors of this, as nothing else is looked at meanwhile.
template <bool kSwap>
void toShort(const std::byte* from, std::int64_t nodes, std::byte* to) {
  for (std::int64_t n = 0; n < nodes; ++n) {
    auto value = load<std::int32_t>(from + n * 4);
    if (kSwap) value = byteSwapped(value);
    value = std::clamp<std::int32_t>(value, INT16_MIN, INT16_MAX);
    store(to + n * 2, static_cast<std::int16_t>(value));
  }
}

}  // namespace

void readReals(const paging::ByteObject& file, const Layout& layout, int block, int first, int count,
               const IndexBox& box, std::span<std::byte> out) {
  assert(out.size() == static_cast<std::size_t>(product(box.size) * count * sizeOf(layout.format.precision)));
  if (layout.format.precision == ScalarType::F32)
    readAs(file, layout, block, first, count, box, reinterpret_cast<std::uint32_t*>(out.data()));
  else
    readAs(file, layout, block, first, count, box, reinterpret_cast<std::uint64_t*>(out.data()));
}

void readIblank(const paging::ByteObject& file, const Layout& layout, int block, const IndexBox& box,
                std::span<std::byte> out) {
  assert(out.size() == static_cast<std::size_t>(product(box.size)) * 2);
  const VariablePlace place = layout.iblankPlace(block);
  const Rows rows(static_cast<std::int64_t>(place.planeStride),
                  layout.blocks[static_cast<std::size_t>(block)].dims, box, 4);
  const bool swap = layout.format.byteOrder == ByteOrder::Big;
  readRows(file, layout, {&place, 1}, rows, 4,
           [&](const std::byte* bytes, std::int64_t, std::int64_t node, std::int64_t nodes) {
             std::byte* const to = out.data() + node * 2;
             if (swap)
               toShort<true>(bytes, nodes, to);
             else
               toShort<false>(bytes, nodes, to);
           });
}

}  // namespace farfield::plot3d
