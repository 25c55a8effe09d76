#include "plugins/plot3d/box_read.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "core/base/bytes.h"

namespace farfield::plot3d {
namespace {

constexpr std::size_t kScratchBytes = 256 * 1024;
/// Rows closer than this are read together with what lies between them: copying it costs less than a call.
constexpr std::int64_t kGapBytes = 4096;

/// `count` elements in a row: at `offset` in the file, from element `target` of the box on.
struct Run {
  std::uint64_t offset;
  std::int64_t target;
  std::int64_t count;
};

/// Rows of equal length at equal distances, in two levels. Rows that touch are one.
struct RunGrid {
  std::int64_t length;
  Index3 counts{1, 1, 1};  // [0]: rows at rowStride, [1]: groups of rows at groupStride
  std::uint64_t rowStride = 0, groupStride = 0;

  RunGrid(const VariablePlace& place, const Index3& dims, const IndexBox& box, std::int64_t element)
      : length(box.size[0]) {
    const auto plane = static_cast<std::uint64_t>(dims[0] * dims[1] * element);
    if (box.size[0] < dims[0]) {
      counts = {box.size[1], box.size[2], 1};
      rowStride = static_cast<std::uint64_t>(dims[0] * element);
      groupStride = place.planeStride;
      return;
    }
    length *= box.size[1];
    if (box.size[1] == dims[1] && place.planeStride == plane) {
      length *= box.size[2];
      return;
    }
    counts = {box.size[2], 1, 1};
    rowStride = place.planeStride;
  }
};

/// Reads the rows of `box` and hands them over: deliver(bytes, Run) per row or piece of one.
template <class Deliver>
void readRuns(const File& file, const VariablePlace& place, const Index3& dims, const IndexBox& box,
              std::int64_t element, Deliver deliver) {
  const RunGrid grid(place, dims, box, element);
  const std::int64_t rowBytes = grid.length * element;
  const std::int64_t span = rowBytes + static_cast<std::int64_t>(grid.rowStride) * (grid.counts[0] - 1);
  const std::size_t scratchBytes = std::min<std::size_t>(kScratchBytes, static_cast<std::size_t>(span));
  const std::unique_ptr<std::byte[]> scratch(new std::byte[scratchBytes]);
  const auto room = static_cast<std::int64_t>(scratchBytes);

  const std::uint64_t first = place.offset + static_cast<std::uint64_t>(box.first[2]) * place.planeStride +
                              static_cast<std::uint64_t>((box.first[1] * dims[0] + box.first[0]) * element);
  const std::int64_t gap = static_cast<std::int64_t>(grid.rowStride) - rowBytes;
  std::int64_t together = 1;
  if (gap <= kGapBytes && rowBytes <= room && grid.rowStride > 0)
    together = 1 + (room - rowBytes) / static_cast<std::int64_t>(grid.rowStride);

  std::int64_t target = 0;
  for (std::int64_t group = 0; group < grid.counts[1]; ++group) {
    for (std::int64_t row = 0; row < grid.counts[0];) {
      const std::uint64_t at = first + static_cast<std::uint64_t>(group) * grid.groupStride +
                               static_cast<std::uint64_t>(row) * grid.rowStride;
      if (rowBytes <= room) {
        const std::int64_t rows = std::min(together, grid.counts[0] - row);
        const std::int64_t bytes = rowBytes + static_cast<std::int64_t>(grid.rowStride) * (rows - 1);
        file.readAt(at, {scratch.get(), static_cast<std::size_t>(bytes)});
        for (std::int64_t r = 0; r < rows; ++r, target += grid.length)
          deliver(scratch.get() + static_cast<std::uint64_t>(r) * grid.rowStride,
                  Run{at, target, grid.length});
        row += rows;
        continue;
      }
      const std::int64_t most = room / element;
      for (std::int64_t done = 0; done < grid.length; done += most) {
        const std::int64_t count = std::min(most, grid.length - done);
        const std::uint64_t from = at + static_cast<std::uint64_t>(done * element);
        file.readAt(from, {scratch.get(), static_cast<std::size_t>(count * element)});
        deliver(scratch.get(), Run{from, target + done, count});
      }
      target += grid.length;
      ++row;
    }
  }
}

template <class T, bool swap>
void scatter(const std::byte* from, std::int64_t count, int stride, T* to) {
  for (std::int64_t n = 0; n < count; ++n) {
    const T value = load<T>(from + static_cast<std::size_t>(n) * sizeof(T));
    to[n * stride] = swap ? byteSwapped(value) : value;
  }
}

/// As unsigned integers, so that no bit of a signalling NaN is lost on the way.
template <class T>
void readAs(const File& file, const VariablePlace& place, const Index3& dims, const IndexBox& box,
            ByteOrder order, int component, int stride, std::span<std::byte> out) {
  T* const to = reinterpret_cast<T*>(out.data()) + component;
  readRuns(file, place, dims, box, sizeof(T), [&](const std::byte* bytes, const Run& run) {
    if (order == ByteOrder::Big)
      scatter<T, true>(bytes, run.count, stride, to + run.target * stride);
    else
      scatter<T, false>(bytes, run.count, stride, to + run.target * stride);
  });
}

}  // namespace

void readReals(const File& file, const VariablePlace& place, const Index3& dims, const IndexBox& box,
               ScalarType type, ByteOrder order, int component, int stride, std::span<std::byte> out) {
  assert(out.size() ==
         static_cast<std::size_t>(product(box.size)) * static_cast<std::size_t>(stride * sizeOf(type)));
  if (type == ScalarType::F32)
    readAs<std::uint32_t>(file, place, dims, box, order, component, stride, out);
  else
    readAs<std::uint64_t>(file, place, dims, box, order, component, stride, out);
}

void readIblank(const File& file, const VariablePlace& place, const Index3& dims, const IndexBox& box,
                ByteOrder order, std::span<std::byte> out) {
  assert(out.size() == static_cast<std::size_t>(product(box.size)) * 2);
  std::byte* const to = out.data();
  readRuns(file, place, dims, box, 4, [&](const std::byte* bytes, const Run& run) {
    for (std::int64_t n = 0; n < run.count; ++n) {
      auto value = load<std::int32_t>(bytes + n * 4);
      if (order == ByteOrder::Big) value = byteSwapped(value);
      value = std::clamp<std::int32_t>(value, INT16_MIN, INT16_MAX);
      store(to + (run.target + n) * 2, static_cast<std::int16_t>(value));
    }
  });
}

}  // namespace farfield::plot3d
