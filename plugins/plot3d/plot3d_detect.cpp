#include "plugins/plot3d/plot3d_detect.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/bytes.h"
#include "plugins/plot3d/other_kinds.h"
#include "plugins/plot3d/plot3d_head.h"

namespace farfield::plot3d {
namespace {

/// The wrong guess that came nearest, for the error message.
struct NearMiss {
  std::string text;
  bool markersSeen = false;
  double distance = std::numeric_limits<double>::infinity();  ///< |log(size needed / size of the file)|

  void offer(const std::string& what, bool seen, double neededBytes, double fileBytes) {
    const double off = neededBytes > 0 && fileBytes > 0 ? std::abs(std::log(neededBytes / fileBytes))
                                                        : std::numeric_limits<double>::infinity();
    const bool better = text.empty() || (seen != markersSeen ? seen : off < distance);
    if (better) *this = {what, seen, off};
  }
};

/// True where `probe`'s file is `bytes` long, but for zeros that fill its last 512-byte block (as old file
/// systems left them).
bool fitsPadded(const Probe& probe, std::uint64_t bytes) {
  constexpr std::uint64_t kPaddingBlock = 512;
  if ((bytes + kPaddingBlock - 1) / kPaddingBlock * kPaddingBlock != probe.fileBytes()) return false;
  return probe.zeroFrom(bytes);
}

struct Search {
  std::vector<Layout> fits;    ///< to the byte
  std::vector<Layout> padded;  ///< to the byte, after filling up to whole blocks
  std::vector<std::string> explain;
  NearMiss nearest;
  bool subrecords = false;
  bool markedMulti = false, markedSingle = false;  ///< heads between markers were seen
};

/// Takes back guesses without markers that are fits by chance. Two head records between markers leave no
/// doubt; one may be a row of dims (12 blocks, the second with 12 nodes in i), but nothing else.
void dropChanceFits(Search& search) {
  const auto byChance = [&](const Layout& layout) {
    return layout.format.markerBytes == 0 &&
           (search.markedMulti || (search.markedSingle && !layout.format.multiGrid));
  };
  std::erase_if(search.fits, byChance);
  std::erase_if(search.padded, byChance);
}

std::string shortDims(const std::vector<Index3>& dims) {
  std::string text = dims.size() == 1 ? "" : std::to_string(dims.size()) + " blocks, ";
  for (std::size_t b = 0; b < std::min<std::size_t>(dims.size(), 3); ++b)
    text += (b > 0 ? " + " : "") + describe(dims[b]);
  return dims.size() > 3 ? text + " + ..." : text;
}

std::vector<Index3> dimsOf(const Layout& layout) {
  std::vector<Index3> dims;
  for (const BlockLayout& block : layout.blocks) dims.push_back(block.dims);
  return dims;
}

/// Name of the first record that is not between two markers of its size; empty when all are.
std::string brokenRecord(const Probe& probe, const Layout& layout) {
  const int markerBytes = layout.format.markerBytes;
  if (markerBytes == 0) return {};
  const auto marker = static_cast<std::uint64_t>(markerBytes);
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    const BlockLayout& block = layout.blocks[b];
    if (layout.content == Content::Solution &&
        !probe.recordAt(block.header - marker,
                        4 * static_cast<std::uint64_t>(sizeOf(layout.format.precision)), markerBytes))
      return "header of block " + std::to_string(b);
    if (!probe.recordAt(block.data - marker,
                        static_cast<std::uint64_t>(layout.dataBytes(static_cast<int>(b))), markerBytes))
      return "data of block " + std::to_string(b);
  }
  return {};
}

/// Holds the precisions (and iblank) that go with a readable head against the file.
void tryBodies(const Probe& probe, Content content, Format format, const Head& head,
               const Overrides& overrides, Search& search) {
  std::string line = describeHead(format) + ": " + shortDims(head.dims) + ";";
  for (const ScalarType precision : {ScalarType::F32, ScalarType::F64}) {
    for (const bool iblank : {false, true}) {
      if (content == Content::Solution && iblank) continue;
      format.precision = precision;
      format.iblank = iblank;
      if (!overrides.allow(format, content)) continue;
      Layout layout = makeLayout(content, format, head.dims);
      const std::string name = std::string(nameOf(precision)) + (iblank ? " with iblank" : "");
      std::string verdict;
      const bool exact = layout.fileBytes == probe.fileBytes();
      if (!exact && !fitsPadded(probe, layout.fileBytes))
        verdict = "takes " + std::to_string(layout.fileBytes) + " bytes";
      else if (const std::string broken = brokenRecord(probe, layout); !broken.empty())
        verdict = "has the file's size, but the record with the " + broken + " is not between its markers";
      else
        verdict = exact ? "fits" : "fits, with zeros behind it";
      line += " " + name + " " + verdict + ",";
      if (verdict.starts_with("fits"))
        (exact ? search.fits : search.padded).push_back(std::move(layout));
      else
        search.nearest.offer(
            "as " + describe(format, content) + ", " + shortDims(head.dims) + ", it " + verdict,
            format.markerBytes > 0, static_cast<double>(layout.fileBytes),
            static_cast<double>(probe.fileBytes()));
    }
  }
  line.back() = '.';
  search.explain.push_back(line);

  // A record too long for its marker begins with a negative one.
  if (format.markerBytes == 4) {
    const auto first = probe.markerAt(headBytes(format, static_cast<std::int64_t>(head.dims.size())), 4);
    const auto second = probe.markerAt(
        headBytes(format, static_cast<std::int64_t>(head.dims.size())) + 8 + (first.value_or(0) & 0x7fffffff),
        4);
    if ((first && *first > 0x80000000u) || (second && *second > 0x80000000u)) search.subrecords = true;
  }
}

Search search(const File& file, Content content, const Overrides& overrides) {
  Search result;
  const auto fileBytes = static_cast<double>(file.size());
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const Probe probe(file, order);
    for (const int markerBytes : {0, 4, 8}) {
      for (const bool multi : {true, false}) {
        for (const int dimensions : {3, 2}) {
          const Format format{
              .byteOrder = order, .markerBytes = markerBytes, .multiGrid = multi, .dimensions = dimensions};
          if (overrides.byteOrder.value_or(order) != order ||
              overrides.markerBytes.value_or(markerBytes) != markerBytes ||
              overrides.multiGrid.value_or(multi) != multi ||
              overrides.dimensions.value_or(dimensions) != dimensions)
            continue;
          Refusal refusal;
          const auto head = readHead(file, format, refusal);
          if (refusal.dimsMarked) (multi ? result.markedMulti : result.markedSingle) = true;
          if (head) {
            tryBodies(probe, content, format, *head, overrides, result);
          } else {
            const std::string text = describeHead(format) + ": " + refusal.reason;
            result.explain.push_back(text);
            result.nearest.offer("as " + text, refusal.markersSeen,
                                 refusal.claimedNodes * static_cast<double>(nodeBytes(content, format)),
                                 fileBytes);
          }
        }
      }
    }
  }
  dropChanceFits(result);
  return result;
}

/// The guesses to choose from: padding counts only where nothing fits without.
std::vector<Layout>& candidates(Search& found) {
  return found.fits.empty() ? found.padded : found.fits;
}

[[noreturn]] void refuseAmbiguous(const std::vector<Layout>& fits, Content content) {
  std::string list;
  for (const Layout& layout : fits)
    list +=
        (list.empty() ? "" : "; or ") + describe(layout.format, content) + " of " + shortDims(dimsOf(layout));
  const std::string prefix = content == Content::Solution ? "solution." : "";
  throw Invalid("its bytes can be read in " + std::to_string(fits.size()) + " ways: " + list,
                "settle it with the options " + prefix + "byteOrder, " + prefix + "markers, " + prefix +
                    "multiGrid, " + prefix + "precision" + (content == Content::Grid ? ", iblank" : "") +
                    " or " + prefix + "dimensions");
}

[[noreturn]] void refuseNothingFits(const File& file, const Search& found, Content content) {
  const char* wanted = content == Content::Grid ? "grid" : "solution";
  if (looksLikeText(file)) throw Unsupported("looks like a text (ASCII) PLOT3D file", "write it in binary");
  if (const std::string kind = otherKind(file); !kind.empty())
    throw Unsupported(std::string("is ") + kind + ", not a PLOT3D " + wanted,
                      "give the " + std::string(wanted) + " file");
  const Content other = content == Content::Grid ? Content::Solution : Content::Grid;
  if (const Search swapped = search(file, other, {}); swapped.fits.size() == 1) {
    if (content == Content::Grid)
      throw Invalid("is a PLOT3D solution, not a grid",
                    "name the grid file first, and this one as its solution");
    throw Invalid("is a PLOT3D grid, not a solution", "give the solution file that belongs to the grid");
  }
  if (found.subrecords)
    throw Unsupported("has Fortran records of more than 2 GiB, split into subrecords",
                      "write it as a C binary");
  throw Corrupt("is not a complete PLOT3D " + std::string(wanted) + " of " + std::to_string(file.size()) +
                    " bytes; nearest guess: " + found.nearest.text,
                "check that the copy is complete; if it is, set the PLOT3D options that are wrongly guessed");
}

std::vector<Reading> readingsFrom(const std::vector<Layout>& fits, Content content) {
  std::vector<Reading> readings;
  const std::string prefix = content == Content::Solution ? "solution." : "";
  for (const Layout& layout : fits) {
    const Format& format = layout.format;
    if (format.dimensions != 3) continue;
    Reading reading{describe(format, content) + ": " + shortDims(dimsOf(layout)),
                    {{prefix + "byteOrder", format.byteOrder == ByteOrder::Little ? "little" : "big"},
                     {prefix + "markers", std::to_string(format.markerBytes)},
                     {prefix + "multiGrid", format.multiGrid ? "true" : "false"},
                     {prefix + "precision", format.precision == ScalarType::F64 ? "f64" : "f32"},
                     {prefix + "dimensions", "3"}}};
    if (content == Content::Grid) reading.options["iblank"] = format.iblank ? "true" : "false";
    readings.push_back(std::move(reading));
  }
  return readings;
}

Detection single(Search found, Content content) {
  Detection detection{std::move(candidates(found).front()), std::move(found.explain)};
  if (detection.layout.format.dimensions == 2)
    throw Unsupported("is a two-dimensional PLOT3D file (" + shortDims(dimsOf(detection.layout)) + ")",
                      "only three-dimensional ones are read; write it with three planes in k");
  detection.explain.push_back("Taken: " + describe(detection.layout.format, content) + ".");
  return detection;
}

}  // namespace

Detection detectGrid(const File& file, const Overrides& overrides) {
  try {
    Search found = search(file, Content::Grid, overrides);
    const std::vector<Layout>& fits = candidates(found);
    if (fits.empty()) refuseNothingFits(file, found, Content::Grid);
    if (fits.size() > 1) refuseAmbiguous(fits, Content::Grid);
    return single(std::move(found), Content::Grid);
  } catch (Error& error) {
    if (error.place().empty()) error.at("file " + file.path().string());
    throw;
  }
}

Detection detectSolution(const File& file, const Layout& grid, const Overrides& overrides) {
  try {
    Search found = search(file, Content::Solution, overrides);
    std::vector<Layout>& fits = candidates(found);
    if (fits.empty()) refuseNothingFits(file, found, Content::Solution);
    const std::vector<Index3> wanted = dimsOf(grid);
    const std::vector<Index3> others = dimsOf(fits.front());
    std::erase_if(fits, [&](const Layout& layout) { return dimsOf(layout) != wanted; });
    if (fits.empty())
      throw Invalid("the solution has " + shortDims(others) + ", but its grid has " + shortDims(wanted),
                    "give the solution that belongs to the grid");
    if (fits.size() > 1) refuseAmbiguous(fits, Content::Solution);
    return single(std::move(found), Content::Solution);
  } catch (Error& error) {
    if (error.place().empty()) error.at("file " + file.path().string());
    throw;
  }
}

std::vector<Reading> readingsOf(const std::string& grid, const std::string& solution) {
  const File gridFile = File::openForReading(grid);
  Search found = search(gridFile, Content::Grid, {});
  const std::vector<Layout>& grids = candidates(found);
  if (grids.size() > 1) return readingsFrom(grids, Content::Grid);
  if (grids.empty() || solution.empty()) return {};
  const File solutionFile = File::openForReading(solution);
  Search its = search(solutionFile, Content::Solution, {});
  std::vector<Layout>& solutions = candidates(its);
  std::erase_if(solutions, [&](const Layout& layout) { return dimsOf(layout) != dimsOf(grids.front()); });
  return solutions.size() > 1 ? readingsFrom(solutions, Content::Solution) : std::vector<Reading>{};
}

}  // namespace farfield::plot3d
