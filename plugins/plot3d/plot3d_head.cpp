#include "plugins/plot3d/plot3d_head.h"

#include <algorithm>

#include "core/base/bytes.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {
namespace {

/// Smallest size of a node in any PLOT3D file of this content and these dimensions.
std::int64_t smallestNode(Content content, const Format& format) {
  return content == Content::Function ? 4 : std::int64_t{format.dimensions} * 4;
}

bool allowsHead(const Overrides& overrides, const Format& format) {
  return overrides.byteOrder.value_or(format.byteOrder) == format.byteOrder &&
         overrides.markerBytes.value_or(format.markerBytes) == format.markerBytes &&
         overrides.multiGrid.value_or(format.multiGrid) == format.multiGrid &&
         overrides.dimensions.value_or(format.dimensions) == format.dimensions;
}

}  // namespace

std::vector<Format> possibleHeads(Content content, const Overrides& overrides) {
  std::vector<Format> heads;
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big})
    for (const int markerBytes : {0, 4, 8})
      for (const bool multi : {true, false})
        for (const int dimensions : {3, 2})
          for (const bool overflow : {false, true}) {
            const Format format{.byteOrder = order,
                                .markerBytes = markerBytes,
                                .multiGrid = multi,
                                .dimensions = dimensions,
                                .overflow = overflow};
            if ((!overflow || content == Content::Solution) && allowsHead(overrides, format))
              heads.push_back(format);
          }
  return heads;
}

std::optional<Head> readHead(Probe& probe, Content content, const Format& format, Refusal& refusal) {
  const std::uint64_t size = probe.fileBytes();
  const auto marker = static_cast<std::uint64_t>(format.markerBytes);
  const auto refuse = [&](const std::string& why) {
    refusal.reason = why;
    return std::nullopt;
  };
  refusal = {};

  std::int64_t blocks = 1;
  std::uint64_t at = 0;
  if (format.multiGrid) {
    if (!probe.recordAt(0, 4)) return refuse("no record with a block count");
    refusal.markersSeen = marker > 0;
    blocks = *probe.int32At(marker);
    if (blocks < 1) return refuse("block count " + std::to_string(blocks));
    const auto smallest = static_cast<std::uint64_t>(4 * format.dimensions + smallestNode(content, format));
    if (static_cast<std::uint64_t>(blocks) > size / smallest)
      return refuse(std::to_string(blocks) + " blocks, more than the file can hold");
    if (blocks > kMaxBlocks)
      return refuse(std::to_string(blocks) + " blocks, more than the " + std::to_string(kMaxBlocks) +
                    " supported");
    at = 4 + 2 * marker;
  }
  const std::int64_t count = headNumbers(content, format, blocks);
  if (!probe.recordAt(at, static_cast<std::uint64_t>(count) * 4))
    return refuse("no record with the dims of " + std::to_string(blocks) + " blocks");
  refusal.markersSeen = refusal.dimsMarked = marker > 0;

  Head head;
  const std::int64_t room = static_cast<std::int64_t>(size) / smallestNode(content, format);
  const int perBlock = format.dimensions + (content == Content::Function ? 1 : 0);
  // in pieces, so that a wrong guess ends at its first bad number
  constexpr std::int64_t kBlocksAtOnce = 4096;
  for (std::int64_t first = 0; first < blocks; first += kBlocksAtOnce) {
    const std::int64_t some = std::min(kBlocksAtOnce, blocks - first);
    const auto offset = at + marker + static_cast<std::uint64_t>(first * perBlock * 4);
    const std::vector<std::int32_t> numbers = probe.int32sAt(offset, some * perBlock);
    if (numbers.empty()) return refuse("ends in the dims");
    for (std::int64_t b = 0; b < some; ++b) {
      Index3 dims{1, 1, 1};
      for (int a = 0; a < format.dimensions; ++a)
        dims[a] = numbers[static_cast<std::size_t>(b * perBlock + a)];
      const std::string name = "block " + std::to_string(first + b) + " is " + describe(dims);
      if (std::min({dims[0], dims[1], dims[2]}) < 1) return refuse(name);
      refusal.claimedNodes += double(dims[0]) * double(dims[1]) * double(dims[2]);
      std::int64_t nodes = 1;
      for (int a = 0; a < 3; ++a) {
        if (dims[a] > room / nodes) return refuse(name + ", more nodes than the file can hold");
        nodes *= dims[a];
      }
      if (nodes > room - head.nodes)
        return refuse("its blocks up to number " + std::to_string(first + b) +
                      " have more nodes than the file can hold");
      if (content == Content::Function) {
        const std::int32_t variables = numbers[static_cast<std::size_t>((b + 1) * perBlock - 1)];
        if (variables < 1 || variables > kMostVariables)
          return refuse(name + " with " + std::to_string(variables) + " functions");
        if (head.variables != 0 && variables != head.variables)
          return refuse(name + " with " + std::to_string(variables) + " functions, others have " +
                        std::to_string(head.variables));
        head.variables = variables;
      }
      head.nodes += nodes;
      head.dims.push_back(dims);
    }
  }
  if (format.overflow) {
    const std::vector<std::int32_t> counts =
        probe.int32sAt(at + marker + static_cast<std::uint64_t>(blocks * perBlock * 4), 2);
    if (counts.empty()) return refuse("ends in the dims");
    // density, momentum and energy; then gamma, species, and those of a turbulence model
    if (counts[0] < format.dimensions + 2 || counts[0] > kMostVariables || counts[1] < 0 ||
        counts[1] > counts[0])
      return refuse(std::to_string(counts[0]) + " variables with " + std::to_string(counts[1]) + " species");
    head.variables = counts[0];
    head.species = counts[1];
  }
  return head;
}

}  // namespace farfield::plot3d
