#include "plugins/plot3d/cut_solution.h"

#include <algorithm>

#include "core/base/error.h"
#include "plugins/plot3d/plot3d_head.h"

namespace farfield::plot3d {
namespace {

/// What an OVERFLOW solution has at least before each block.
constexpr int kLeastOverflowNumbers = 13;

struct Beginning {
  std::vector<Index3> dims;
  int variables = 0;  ///< where the head says; the same in all blocks
  int species = 0;
};

/// The head under one guess, whole between its markers, but whatever the file is long. Nothing if it makes no sense.
std::optional<Beginning> beginningOf(Probe& probe, Content content, const Format& format) {
  const auto marker = static_cast<std::uint64_t>(format.markerBytes);
  std::int64_t blocks = 1;
  std::uint64_t at = 0;
  if (format.multiGrid) {
    if (!probe.recordAt(0, 4)) return std::nullopt;
    blocks = probe.int32At(marker).value_or(0);
    at = 4 + 2 * marker;
  }
  if (blocks < 1 || blocks > kMaxBlocks) return std::nullopt;
  const std::int64_t count = headNumbers(content, format, blocks);
  if (!probe.recordAt(at, static_cast<std::uint64_t>(count) * 4)) return std::nullopt;
  const std::vector<std::int32_t> numbers = probe.int32sAt(at + marker, count);
  if (numbers.empty()) return std::nullopt;
  Beginning found;
  const int perBlock = format.dimensions + (content == Content::Function ? 1 : 0);
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int32_t* const its = &numbers[static_cast<std::size_t>(b * perBlock)];
    Index3 dims{its[0], its[1], format.dimensions == 3 ? its[2] : 1};
    if (std::min({dims[0], dims[1], dims[2]}) < 1) return std::nullopt;
    found.dims.push_back(dims);
    if (content != Content::Function) continue;
    if (b > 0 && its[format.dimensions] != found.variables) return std::nullopt;
    found.variables = its[format.dimensions];
  }
  if (format.overflow) {
    found.variables = numbers[numbers.size() - 2];
    found.species = numbers.back();
    if (found.variables < format.dimensions + 2 || found.species < 0 || found.species > found.variables)
      return std::nullopt;
  }
  const bool saysVariables = content == Content::Function || format.overflow;
  if (saysVariables && (found.variables < 1 || found.variables > kMostVariables)) return std::nullopt;
  return found;
}

/// Whether the first block begins as `layout` says: what lies before its variables is a record, and so is the beginning of these.
bool beginsSo(Probe& probe, const Layout& layout) {
  const auto marker = static_cast<std::uint64_t>(layout.format.markerBytes);
  if (layout.content == Content::Solution) {
    const Record header = layout.headerRecord(0);
    if (!probe.recordAt(header.payload - marker, header.bytes)) return false;
  }
  const Record data = layout.dataRecord(0, 0);
  const std::vector<std::int32_t> leading =
      probe.int32sAt(data.payload - marker, layout.format.markerBytes / 4);
  if (leading.empty()) return true;  // it is cut off before
  const bool isLittle = layout.format.byteOrder == ByteOrder::Little;
  const std::int32_t low = isLittle ? leading.front() : leading.back();
  if (leading.size() == 2)
    return data.bytes == ((static_cast<std::uint64_t>(
                               static_cast<std::uint32_t>(isLittle ? leading.back() : leading.front()))
                           << 32) |
                          static_cast<std::uint32_t>(low));
  // Of a record that is too long for its marker the first part says how long that is.
  return low < 0 || data.bytes > static_cast<std::uint64_t>(kMaxMarked4) ||
         static_cast<std::uint64_t>(low) == data.bytes;
}

struct Candidate {
  Layout layout;
  bool isLeast = false;  ///< it may have to be longer
};

/// What the file may be the beginning of with this head.
void addCandidates(Probe& probe, Content content, Format format, const Beginning& head, const Layout* grid,
                   const Overrides& overrides, std::vector<Candidate>& candidates) {
  const bool isMarked = format.markerBytes > 0;
  format.variables = head.variables;
  format.species = head.species;
  std::vector<Candidate> found;
  bool fits = false;
  for (const ScalarType precision : {ScalarType::F32, ScalarType::F64})
    for (const bool planes : {false, true}) {
      format.precision = precision;
      format.planes = isMarked ? planes : overrides.planes.value_or(false);
      if (!isMarked && planes) continue;
      bool isLeast = format.overflow && !isMarked;
      if (format.overflow) {
        const auto least = static_cast<std::uint64_t>(kLeastOverflowNumbers * sizeOf(precision));
        const auto its =
            probe.recordLengthAt(headBytes(content, format, static_cast<std::int64_t>(head.dims.size())));
        format.headerBytes = static_cast<int>(std::clamp<std::uint64_t>(its.value_or(least), least, 1 << 20));
      }
      if (!overrides.allow(format, content)) continue;
      Layout layout;
      try {
        layout = makeLayout(content, format, head.dims);
      } catch (const Error&) {
        continue;  // larger than any file
      }
      if (isMarked && !beginsSo(probe, layout)) continue;
      if (layout.fileBytes > probe.fileBytes())
        found.push_back({std::move(layout), isLeast});
      else
        fits = true;
    }
  // Without markers nothing but its length says how precise it is: what is too long for the one need not be the other.
  if (!isMarked && fits)
    std::erase_if(found, [&](const Candidate& its) {
      return !grid || its.layout.format.precision != grid->format.precision;
    });
  for (Candidate& each : found) {
    each.isLeast = each.isLeast || found.size() > 1;
    candidates.push_back(std::move(each));
  }
}

}  // namespace

std::optional<CutSolution> cutSolution(const paging::ByteObject& file, const Layout* grid,
                                       const Overrides& overrides) {
  std::vector<Index3> wanted;
  if (grid)
    for (const BlockLayout& block : grid->blocks) wanted.push_back(block.dims);
  std::vector<Candidate> candidates;
  for (const Content content : {Content::Solution, Content::Function})
    for (const Format& format : possibleHeads(content, overrides)) {
      // A head alone is a few small numbers, which many files begin with.
      if (!grid && (format.markerBytes == 0 || content != Content::Solution || format.overflow)) continue;
      Probe probe(file, format.byteOrder, format.markerBytes);
      const auto head = beginningOf(probe, content, format);
      if (head && (!grid || head->dims == wanted))
        addCandidates(probe, content, format, *head, grid, overrides, candidates);
    }
  if (candidates.empty()) return std::nullopt;
  const auto least = std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.layout.fileBytes < b.layout.fileBytes;
  });
  const Layout& layout = least->layout;
  std::vector<Index3> dims;
  for (const BlockLayout& block : layout.blocks) dims.push_back(block.dims);
  const std::string kind = layout.content == Content::Solution ? "solution" : "function file";
  const std::string bytes = std::to_string(file.size()) + " bytes";
  return CutSolution{(grid ? "is not a complete PLOT3D " + kind + " of " + bytes
                           : "is a PLOT3D " + kind + ", not a grid, and not a complete one of " + bytes) +
                         ": it is cut off, " + (least->isLeast ? "at least " : "") +
                         std::to_string(layout.fileBytes - file.size()) + " bytes are missing of the " +
                         std::to_string(layout.fileBytes) + " that " + describe(dims) + " nodes take (" +
                         describe(layout.format, layout.content) + ")",
                     "copy it once more, or write it anew"};
}

}  // namespace farfield::plot3d
