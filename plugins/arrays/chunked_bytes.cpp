#include "plugins/arrays/chunked_bytes.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/error.h"

namespace farfield::arrays {

ChunkedBytes::ChunkedBytes(const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& chunks,
                           int elementBytes)
    : m_cuts(counts.size()), m_elementBytes(elementBytes) {
  std::int64_t stride = elementBytes, inner = elementBytes, grid = 1;
  for (std::size_t d = counts.size(); d-- > 0;) {
    if (counts[d] < 1 || chunks[d] < 1)
      throw Corrupt("an array or its chunks have no extent", "check the file");
    m_cuts[d] = {counts[d], chunks[d], stride, inner, grid};
    stride = checkedProduct({stride, counts[d]});
    inner = checkedProduct({inner, chunks[d]});
    grid = checkedProduct({grid, m_cuts[d].chunks()});
  }
  m_size = static_cast<std::uint64_t>(stride);
  m_chunkBytes = inner;
  m_chunkCount = grid;
}

void ChunkedBytes::readAt(std::uint64_t offset, std::span<std::byte> out) const {
  auto at = static_cast<std::int64_t>(offset);
  while (!out.empty()) {
    std::int64_t rest = at, chunk = 0, within = 0, run = 0;
    for (std::size_t d = 0; d < m_cuts.size(); ++d) {
      const Cut& cut = m_cuts[d];
      const std::int64_t index = rest / cut.stride;
      rest %= cut.stride;
      chunk += index / cut.chunk * cut.grid;
      within += index % cut.chunk * cut.inner;
      if (d + 1 == m_cuts.size())
        run = std::min(cut.chunk - index % cut.chunk, cut.count - index) * cut.stride - rest;
    }
    // `rest` bytes into an element
    const auto bytes = std::min(out.size(), static_cast<std::size_t>(run));
    withChunk(chunk, [&](std::span<const std::byte> all) {
      std::memcpy(out.data(), all.data() + within + rest, bytes);
    });
    out = out.subspan(bytes);
    at += static_cast<std::int64_t>(bytes);
  }
}

std::optional<ChunkMap> ChunkMap::of(const Piece& piece, int components, std::int64_t offset) {
  const ChunkedBytes* const source = piece.bytes->inChunks();
  if (!source) return std::nullopt;
  const std::vector<ChunkedBytes::Cut>& cuts = source->cuts();
  ChunkMap map;
  map.m_source = source;
  std::int64_t rest = static_cast<std::int64_t>(piece.offset) + offset;
  std::vector<std::int64_t> index(cuts.size());
  for (std::size_t d = 0; d < cuts.size(); ++d) {
    index[d] = rest / cuts[d].stride;
    rest %= cuts[d].stride;
  }
  if (rest != 0) return std::nullopt;
  std::vector<bool> isAxis(cuts.size(), false);
  const auto place = [&](Axis& axis, std::int64_t count, std::int64_t stride) {
    axis.count = count;
    if (count == 1) return true;
    for (std::size_t d = 0; d < cuts.size(); ++d) {
      if (isAxis[d] || cuts[d].count < 2 || cuts[d].stride != std::abs(stride)) continue;
      const std::int64_t last = index[d] + (stride < 0 ? 1 - count : count - 1);
      if (last < 0 || last >= cuts[d].count) return false;
      isAxis[d] = true;
      axis.cut = static_cast<int>(d);
      axis.first = index[d];
      axis.reversed = stride < 0;
      return true;
    }
    return false;
  };
  if (!place(map.m_axes[0], components, piece.componentStride)) return std::nullopt;
  for (std::size_t a = 0; a < 3; ++a)
    if (!place(map.m_axes[a + 1], piece.nodes.size[a], piece.strides[a])) return std::nullopt;
  for (std::size_t d = 0; d < cuts.size(); ++d) {
    if (isAxis[d]) continue;
    map.m_chunk += index[d] / cuts[d].chunk * cuts[d].grid;
    map.m_offset += index[d] % cuts[d].chunk * cuts[d].inner;
  }
  return map;
}

std::int64_t ChunkMap::runLength(std::size_t axis, std::int64_t first, std::int64_t most) const {
  const Axis& its = m_axes[axis];
  if (its.cut < 0) return most;
  const std::int64_t chunk = m_source->cuts()[static_cast<std::size_t>(its.cut)].chunk;
  const std::int64_t index = its.reversed ? its.first - first : its.first + first;
  return std::min(most, its.reversed ? index % chunk + 1 : chunk - index % chunk);
}

ChunkMap::Place ChunkMap::placeOf(const std::array<std::int64_t, kAxes>& at) const {
  Place place{m_chunk, m_offset};
  for (std::size_t a = 0; a < kAxes; ++a) {
    const Axis& its = m_axes[a];
    if (its.cut < 0) continue;
    const ChunkedBytes::Cut& cut = m_source->cuts()[static_cast<std::size_t>(its.cut)];
    const std::int64_t index = its.reversed ? its.first - at[a] : its.first + at[a];
    place.chunk += index / cut.chunk * cut.grid;
    place.offset += index % cut.chunk * cut.inner;
  }
  return place;
}

std::int64_t ChunkMap::inner(std::size_t axis) const {
  const Axis& its = m_axes[axis];
  if (its.cut < 0) return 0;
  const std::int64_t inner = m_source->cuts()[static_cast<std::size_t>(its.cut)].inner;
  return its.reversed ? -inner : inner;
}

std::int64_t ChunkMap::extent(std::size_t axis) const {
  const Axis& its = m_axes[axis];
  if (its.cut < 0) return its.count;
  return std::min(its.count, m_source->cuts()[static_cast<std::size_t>(its.cut)].chunk);
}

bool ChunkMap::isEven(std::size_t axis) const {
  const Axis& its = m_axes[axis];
  if (its.cut < 0) return true;
  const std::int64_t chunk = m_source->cuts()[static_cast<std::size_t>(its.cut)].chunk;
  // one chunk holds all, or the first node begins one
  return runLength(axis, 0, its.count) == std::min(chunk, its.count);
}

void gather(const StoredAs& how, const ChunkBox& box, const std::byte* from, std::byte* to) {
  struct Loop {
    std::int64_t count, in, out;
  };
  std::array<Loop, ChunkMap::kAxes> loops;
  std::size_t used = 0;
  for (std::size_t a = 0; a < ChunkMap::kAxes; ++a) {
    if (box.counts[a] == 1) continue;
    // an axis that goes on where the one before ends is one with it
    if (used > 0 && box.in[a] == loops[used - 1].in * loops[used - 1].count &&
        box.out[a] == loops[used - 1].out * loops[used - 1].count)
      loops[used - 1].count *= box.counts[a];
    else
      loops[used++] = {box.counts[a], box.in[a], box.out[a]};
  }
  for (std::size_t n = used; n < ChunkMap::kAxes; ++n) loops[n] = {1, 0, 0};
  // long rows
  if (loops[1].count > loops[0].count && loops[0].count < 8) std::swap(loops[0], loops[1]);
  for (std::int64_t d = 0; d < loops[3].count; ++d)
    for (std::int64_t c = 0; c < loops[2].count; ++c)
      for (std::int64_t b = 0; b < loops[1].count; ++b)
        toValues(how, from + d * loops[3].in + c * loops[2].in + b * loops[1].in, loops[0].in, loops[0].count,
                 to + d * loops[3].out + c * loops[2].out + b * loops[1].out, loops[0].out);
}

}  // namespace farfield::arrays
