#include "plugins/plot3d/plot3d_detect.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/bytes.h"
#include "core/base/log.h"
#include "plugins/plot3d/cut_solution.h"
#include "plugins/plot3d/foreign_names.h"
#include "plugins/plot3d/other_kinds.h"
#include "plugins/plot3d/plot3d_head.h"

namespace farfield::plot3d {
namespace {

/// The nearest wrong guess, for the error message.
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

/// True if `probe`'s file has `bytes` bytes, except for zeros that fill its last 512-byte block (left by old
/// file systems).
bool fitsPadded(const Probe& probe, std::uint64_t bytes) {
  constexpr std::uint64_t kPaddingBlock = 512;
  if ((bytes + kPaddingBlock - 1) / kPaddingBlock * kPaddingBlock != probe.fileBytes()) return false;
  return probe.zeroFrom(bytes);
}

struct Search {
  std::vector<Layout> fits;    ///< exactly
  std::vector<Layout> padded;  ///< exactly, after filling up to whole blocks
  std::vector<std::string> explain;
  NearMiss nearest;
  bool markedMulti = false, markedSingle = false;  ///< heads between markers were seen
};

/// Discards guesses without markers that fit by chance. Two head records between markers leave no doubt; a
/// single one may be a row of dims (12 blocks, the second with 12 nodes in i), but nothing else.
void dropChanceFits(Search& search) {
  const auto byChance = [&](const Layout& layout) {
    return layout.format.markerBytes == 0 &&
           (search.markedMulti || (search.markedSingle && !layout.format.multiGrid));
  };
  std::erase_if(search.fits, byChance);
  std::erase_if(search.padded, byChance);
}

std::vector<Index3> dimsOf(const Layout& layout) {
  std::vector<Index3> dims;
  for (const BlockLayout& block : layout.blocks) dims.push_back(block.dims);
  return dims;
}

/// Name of the first record that is not between markers of its size; empty if all are. Afterwards `probe`
/// knows where records are split.
std::string brokenRecord(Probe& probe, const Layout& layout) {
  const auto marker = static_cast<std::uint64_t>(layout.format.markerBytes);
  if (marker == 0) return {};
  for (int b = 0; b < static_cast<int>(layout.blocks.size()); ++b) {
    if (layout.content == Content::Solution) {
      const Record header = layout.headerRecord(b);
      if (!probe.recordAt(header.payload - marker, header.bytes))
        return "header of block " + std::to_string(b);
    }
    for (std::int64_t n = 0; n < layout.dataRecords(b); ++n) {
      const Record data = layout.dataRecord(b, n);
      if (probe.recordAt(data.payload - marker, data.bytes)) continue;
      const std::string plane = layout.format.planes ? "plane " + std::to_string(n) + " of " : "data of ";
      return plane + "block " + std::to_string(b);
    }
  }
  return {};
}

/// The result of comparing a layout with the file.
struct Verdict {
  std::string text;
  bool exact = false, padded = false;  ///< it fits, exactly or with zeros after it
};

/// Adds the splits that are found to `layout`.
Verdict judge(Probe& probe, Layout& layout) {
  const auto fits = [&](std::uint64_t bytes) {
    return bytes == probe.fileBytes() || fitsPadded(probe, bytes);
  };
  const bool whole = fits(layout.fileBytes);
  const bool perhapsSplit = layout.format.markerBytes > 0 && layout.fileBytes < probe.fileBytes();
  const std::string size = "takes " + std::to_string(layout.fileBytes) + " bytes";
  if (!whole && !perhapsSplit) return {size};
  if (const std::string broken = brokenRecord(probe, layout); !broken.empty())
    return {(whole ? "has the file's size" : size) + ", but the record with the " + broken +
            " is not between its markers"};
  if (!fits(probe.withSplits(layout.fileBytes))) return {size};
  layout.splits = probe.splits();
  layout.fileBytes = probe.withSplits(layout.fileBytes);
  const bool exact = layout.fileBytes == probe.fileBytes();
  std::string text = exact ? "fits" : "fits, with zeros behind it";
  if (!layout.splits.empty()) text += ", in " + std::to_string(layout.splits.size() + 1) + " subrecords";
  return {text, exact, !exact};
}

/// Length of the numbers before an OVERFLOW block: from its record, or, without markers, what is left of the
/// file. 0 if that is impossible.
int overflowHeader(Probe& probe, const Format& format, const Head& head) {
  constexpr std::uint64_t kLeastNumbers = 13, kMostNumbers = 24;  // and the gas constants of the species
  const auto blocks = static_cast<std::uint64_t>(head.dims.size());
  const std::uint64_t begin = headBytes(Content::Solution, format, static_cast<std::int64_t>(blocks));
  std::uint64_t bytes = 0;
  if (format.markerBytes > 0) {
    bytes = probe.recordLengthAt(begin).value_or(0);
  } else {
    const auto data = static_cast<std::uint64_t>(
        checkedProduct({head.nodes, head.variables, std::int64_t{sizeOf(format.precision)}}));
    if (data > probe.fileBytes() || probe.fileBytes() - data < begin) return 0;
    const std::uint64_t left = probe.fileBytes() - data - begin;
    bytes = left % blocks == 0 ? left / blocks : 0;
  }
  const auto real = static_cast<std::uint64_t>(sizeOf(format.precision));
  const bool possible = bytes >= kLeastNumbers * real && bytes % 4 == 0 &&
                        bytes <= (kMostNumbers + static_cast<std::uint64_t>(head.species)) * real;
  return possible ? static_cast<int>(bytes) : 0;
}

/// Whole, and in planes if that differs. Without markers the two have one size: then whole, unless the user
/// says otherwise.
std::vector<bool> possiblePlanes(const Format& format, const Head& head, const Overrides& overrides) {
  const auto thick = [](const Index3& dims) { return dims[2] > 1; };
  if (format.markerBytes == 0 || std::none_of(head.dims.begin(), head.dims.end(), thick))
    return {overrides.planes.value_or(false)};
  return {false, true};
}

/// Compares the precisions (and iblank) that go with a readable head with the file.
void tryBodies(Probe& probe, Content content, Format format, const Head& head, const Overrides& overrides,
               Search& search) {
  std::string line = describeHead(format) + ": " + describe(head.dims) + ";";
  for (const ScalarType precision : {ScalarType::F32, ScalarType::F64})
    for (const bool iblank : {false, true})
      for (const bool planes : possiblePlanes(format, head, overrides)) {
        if (content != Content::Grid && iblank) continue;
        format.precision = precision;
        format.iblank = iblank;
        format.planes = planes;
        format.variables = head.variables;
        format.species = head.species;
        const std::string name =
            std::string(nameOf(precision)) + (iblank ? " with iblank" : "") + (planes ? " in planes" : "");
        if (format.overflow) format.headerBytes = overflowHeader(probe, format, head);
        if (format.overflow && format.headerBytes == 0) {
          line += " " + name + " leaves no numbers before the blocks,";
          continue;
        }
        if (!overrides.allow(format, content)) {
          line += " " + name + " is not what the options say,";
          continue;
        }
        Layout layout = makeLayout(content, format, head.dims);
        const double size = static_cast<double>(layout.fileBytes);
        const Verdict verdict = judge(probe, layout);
        line += " " + name + " " + verdict.text + ",";
        if (verdict.exact || verdict.padded)
          (verdict.exact ? search.fits : search.padded).push_back(std::move(layout));
        else
          search.nearest.offer(
              "as " + describe(format, content) + ", " + describe(head.dims) + ", it " + verdict.text,
              format.markerBytes > 0, size, static_cast<double>(probe.fileBytes()));
      }
  line.back() = '.';
  search.explain.push_back(line);
}

Search search(const paging::ByteObject& file, Content content, const Overrides& overrides) {
  Search result;
  const auto fileBytes = static_cast<double>(file.size());
  for (const Format& format : possibleHeads(content, overrides)) {
    Refusal refusal;
    Probe probe(file, format.byteOrder, format.markerBytes);
    const auto head = readHead(probe, content, format, refusal);
    if (refusal.dimsMarked) (format.multiGrid ? result.markedMulti : result.markedSingle) = true;
    if (head) {
      tryBodies(probe, content, format, *head, overrides, result);
    } else {
      const std::string text = describeHead(format) + ": " + refusal.reason;
      result.explain.push_back(text);
      result.nearest.offer("as " + text, refusal.markersSeen,
                           refusal.claimedNodes * static_cast<double>(nodeBytes(content, format)), fileBytes);
    }
  }
  dropChanceFits(result);
  return result;
}

/// The guesses to choose from: padded ones only if no other fits.
std::vector<Layout>& candidates(Search& found) {
  return found.fits.empty() ? found.padded : found.fits;
}

/// For --verbose, since an error cannot carry all of it.
void sayWhatWasTried(const paging::ByteObject& file, const Search& found) {
  log::detail(file.name() + " was held against:");
  for (const std::string& line : found.explain) log::detail("  " + line);
}

[[noreturn]] void refuseAmbiguous(const paging::ByteObject& file, const Search& found,
                                  const std::vector<Layout>& fits, Content content) {
  sayWhatWasTried(file, found);
  std::string list;
  for (const Layout& layout : fits)
    list +=
        (list.empty() ? "" : "; or ") + describe(layout.format, content) + " of " + describe(dimsOf(layout));
  const std::string prefix = content == Content::Grid ? "" : "solution.";
  throw Invalid("its bytes can be read in " + std::to_string(fits.size()) + " ways: " + list,
                "settle it with the options " + prefix + "byteOrder, " + prefix + "markers, " + prefix +
                    "multiGrid, " + prefix + "precision" + (content == Content::Grid ? ", iblank" : "") +
                    ", " + prefix + "dimensions or " + prefix + "layout");
}

/// Whether a file begins with words rather than numbers of any kind.
bool isProse(const paging::ByteObject& file) {
  std::array<std::byte, 256> head;
  const std::size_t count = file.readSomeAt(0, head);
  return count > 0 &&
         std::all_of(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(count), [](std::byte b) {
           const auto letter = std::to_integer<unsigned char>(b);
           return letter >= ' ' ? letter != 0x7f : letter == '\n' || letter == '\r' || letter == '\t';
         });
}

/// `grid`: of a solution's grid, null where none is known. `overrides`: of the solution, or of what is taken for a grid.
[[noreturn]] void refuseNothingFits(const paging::ByteObject& file, const Search& found, Content content,
                                    const Layout* grid, const Overrides& overrides) {
  sayWhatWasTried(file, found);
  const char* wanted = content == Content::Grid ? "grid" : "solution";
  const Content other = content == Content::Grid ? Content::Solution : Content::Grid;
  const Search swapped = search(file, other, {});
  const bool isSwapped = swapped.fits.size() == 1 || (swapped.fits.empty() && swapped.padded.size() == 1);
  // What begins as a solution of this grid does, or as one between markers, is nothing else that has its size by chance.
  if (const auto cut = isSwapped ? std::nullopt : cutSolution(file, grid, overrides))
    throw Corrupt(cut->message, cut->advice);
  if (const std::string kind = otherKind(file); !kind.empty())
    throw Unsupported(std::string("is ") + kind + ", not a PLOT3D " + wanted,
                      "give the " + std::string(wanted) + " file");
  if (isSwapped) {
    if (content == Content::Grid)
      throw Invalid("is a PLOT3D solution, not a grid",
                    "name the grid, and this file as its solution, on the command line with --solution");
    throw Invalid("is a PLOT3D grid, not a solution", "give the solution file that belongs to the grid");
  }
  if (const auto named = content == Content::Grid ? foreignName(file.name()) : std::nullopt)
    throw Unsupported(named->message, named->advice);
  if (isProse(file)) throw Unsupported("is text, and of no format that is read", "name a file of data");
  throw Corrupt(
      "is not a complete PLOT3D " + std::string(wanted) + " of " + std::to_string(file.size()) +
          " bytes; nearest guess: " + found.nearest.text,
      "check that the copy is complete; if it is, set the PLOT3D options that are wrongly guessed, or, if "
      "these are plain numbers, give --option dims=NI,NJ,NK --option type=u8 (or i16, f32, …)");
}

std::vector<Reading> readingsFrom(const std::vector<Layout>& fits, Content content) {
  std::vector<Reading> readings;
  const std::string prefix = content == Content::Solution ? "solution." : "";
  for (const Layout& layout : fits) {
    const Format& format = layout.format;
    if (format.dimensions != 3) continue;
    Reading reading{describe(format, content) + ": " + describe(dimsOf(layout)),
                    {{prefix + "byteOrder", format.byteOrder == ByteOrder::Little ? "little" : "big"},
                     {prefix + "markers", std::to_string(format.markerBytes)},
                     {prefix + "multiGrid", format.multiGrid ? "true" : "false"},
                     {prefix + "precision", format.precision == ScalarType::F64 ? "f64" : "f32"},
                     {prefix + "dimensions", "3"},
                     {prefix + "layout", format.planes ? "planes" : "whole"}}};
    if (content == Content::Grid) reading.options["iblank"] = format.iblank ? "true" : "false";
    readings.push_back(std::move(reading));
  }
  return readings;
}

Detection single(Search found, Content content) {
  Detection detection{std::move(candidates(found).front()), std::move(found.explain)};
  detection.explain.push_back("Taken: " + describe(detection.layout.format, content) + ".");
  return detection;
}

}  // namespace

Detection detectGrid(const paging::ByteObject& file, const Overrides& overrides) {
  try {
    Search found = search(file, Content::Grid, overrides);
    const std::vector<Layout>& fits = candidates(found);
    if (fits.empty()) refuseNothingFits(file, found, Content::Grid, nullptr, overrides);
    if (fits.size() > 1) refuseAmbiguous(file, found, fits, Content::Grid);
    return single(std::move(found), Content::Grid);
  } catch (Error& error) {
    if (error.place().empty()) error.at(file.name());
    throw;
  }
}

Detection detectSolution(const paging::ByteObject& file, const Layout& grid, const Overrides& overrides) {
  try {
    Content content = Content::Solution;
    Search found = search(file, content, overrides);
    if (candidates(found).empty()) {
      Search functions = search(file, Content::Function, overrides);
      if (candidates(functions).empty()) refuseNothingFits(file, found, content, &grid, overrides);
      content = Content::Function;
      found = std::move(functions);
    }
    std::vector<Layout>& fits = candidates(found);
    const std::vector<Index3> wanted = dimsOf(grid);
    const std::vector<Index3> others = dimsOf(fits.front());
    std::erase_if(fits, [&](const Layout& layout) { return dimsOf(layout) != wanted; });
    if (fits.empty())
      throw Invalid("the solution has " + describe(others) + ", but its grid has " + describe(wanted),
                    "give the solution that belongs to the grid");
    if (fits.size() > 1) refuseAmbiguous(file, found, fits, content);
    return single(std::move(found), content);
  } catch (Error& error) {
    if (error.place().empty()) error.at(file.name());
    throw;
  }
}

std::vector<Reading> readingsOf(const std::string& grid, const std::string& solution,
                                const paging::ByteStores& stores) {
  const auto gridFile = stores.open(grid);
  Search found = search(*gridFile, Content::Grid, {});
  const std::vector<Layout>& grids = candidates(found);
  if (grids.size() > 1) return readingsFrom(grids, Content::Grid);
  if (grids.empty() || solution.empty()) return {};
  const auto solutionFile = stores.open(solution);
  Search its = search(*solutionFile, Content::Solution, {});
  std::vector<Layout>& solutions = candidates(its);
  std::erase_if(solutions, [&](const Layout& layout) { return dimsOf(layout) != dimsOf(grids.front()); });
  return solutions.size() > 1 ? readingsFrom(solutions, Content::Solution) : std::vector<Reading>{};
}

}  // namespace farfield::plot3d
