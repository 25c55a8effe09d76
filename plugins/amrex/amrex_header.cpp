#include "plugins/amrex/amrex_header.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amr/amr_hierarchy.h"
#include "plugins/arrays/text_lines.h"

namespace farfield::amrex {
namespace {

using arrays::trimmed;

constexpr std::int64_t kMostVariables = 4096;
constexpr std::size_t kLongestLine = 256 * 1024, kFabHead = 1024;
/// Boxes for which memory is claimed at a time, and what one takes.
constexpr std::size_t kTogether = 256;
constexpr std::uint64_t kBoxBytes = 256;

Corrupt wrong(const std::string& what) {
  return Corrupt(what, "check that the copy is complete");
}

/// Whole numbers in a text, whatever is between them.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : m_text(text) {}
  std::optional<std::int64_t> next() {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    while (!m_text.empty() && !isDigit(m_text.front()) &&
           !(m_text.front() == '-' && m_text.size() > 1 && isDigit(m_text[1])))
      m_text.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), number);
    if (status != std::errc()) return std::nullopt;
    m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
    return number;
  }
  /// Of which there must be one within the bounds. Throws Corrupt.
  std::int64_t need(const char* what, std::int64_t least, std::int64_t most) {
    const auto number = next();
    if (!number || *number < least || *number > most) throw wrong(std::string("its ") + what + " is wrong");
    return *number;
  }
  /// "((0,0,0) (31,31,31) (0,0,0))". Throws Corrupt, Unsupported.
  IndexBox box(int dimensions) {
    std::array<std::int64_t, 3> low{}, high{};
    for (int a = 0; a < dimensions; ++a)
      low[static_cast<std::size_t>(a)] = need("box", -amr::kFarthest, amr::kFarthest);
    for (int a = 0; a < dimensions; ++a)
      high[static_cast<std::size_t>(a)] = need("box", -amr::kFarthest, amr::kFarthest);
    for (int a = 0; a < dimensions; ++a)
      if (need("box", 0, 1) != 0)
        throw Unsupported("has values that are not those of cells", "write them at the centres of cells");
    IndexBox box{{0, 0, 0}, {1, 1, 1}};
    for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a) {
      if (high[a] < low[a]) throw wrong("has a box that is none");
      box.first[a] = low[a];
      box.size[a] = high[a] - low[a] + 1;
    }
    return box;
  }

 private:
  std::string_view m_text;
};

/// The lines of a header, each of which must be there.
class Lines {
 public:
  explicit Lines(const arrays::ByteSource& file) : m_lines(file, kLongestLine) {}
  std::string_view need(const char* what) {
    std::string_view line;
    if (!m_lines.next(line)) throw wrong(std::string("ends before its ") + what);
    return trimmed(line);
  }
  std::int64_t count(const char* what, std::int64_t least, std::int64_t most) {
    return Numbers(need(what)).need(what, least, most);
  }
  /// At least `wanted` numbers of one line. Throws Corrupt.
  std::vector<double> numbers(const char* what, std::size_t wanted) {
    std::string_view text = need(what);
    std::vector<double> found;
    while (found.size() < wanted) {
      text = trimmed(text);
      double number = 0;
      const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (status != std::errc() || !std::isfinite(number))
        throw wrong(std::string("its ") + what + " is wrong");
      found.push_back(number);
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return found;
  }

 private:
  arrays::TextLines m_lines;
};

/// Names that stand in the texts are those of files beside or below them.
bool isPlainName(std::string_view name) {
  return !name.empty() && name.find('/') == std::string_view::npos && name != "." && name != "..";
}

}  // namespace

bool isPlotHeader(const std::string& head) {
  // "HyperCLaw-V1.1": the family of programs and a version, then the number of variables
  const std::size_t end = head.find('\n');
  if (end == std::string::npos || end > 64) return false;
  const std::string_view first = trimmed(std::string_view(head).substr(0, end));
  const std::size_t version = first.find("-V");
  if (version == 0 || version == std::string_view::npos || first.find(' ') != std::string_view::npos ||
      version + 2 >= first.size() || first[version + 2] < '0' || first[version + 2] > '9')
    return false;
  const std::string_view rest = std::string_view(head).substr(end + 1);
  const std::string_view second = trimmed(rest.substr(0, rest.find('\n')));
  return !second.empty() && second.find_first_not_of("0123456789") == std::string_view::npos;
}

PlotHeader readPlotHeader(const arrays::ByteSource& file) {
  Lines lines(file);
  PlotHeader header;
  lines.need("version");
  const std::int64_t variables = lines.count("number of variables", 1, kMostVariables);
  for (std::int64_t n = 0; n < variables; ++n) header.variables.emplace_back(lines.need("names"));
  header.dimensions = static_cast<int>(lines.count("number of dimensions", 1, 3));
  if (header.dimensions < 2)
    throw Unsupported("has cells along one line", "give data of two or three dimensions");
  const auto axes = static_cast<std::size_t>(header.dimensions);
  header.time = lines.numbers("time", 1)[0];
  const std::int64_t levels = lines.count("finest level", 0, paging::kMostAmrLevels - 1) + 1;
  const std::vector<double> low = lines.numbers("lower corner", axes);
  for (std::size_t a = 0; a < axes; ++a) header.low[static_cast<int>(a)] = low[a];
  lines.need("upper corner");
  lines.need("ratios");  // the cells' sizes say them for each axis
  header.levels.resize(static_cast<std::size_t>(levels));
  Numbers domains(lines.need("domains"));
  for (PlotLevel& level : header.levels) level.domainFirst = domains.box(header.dimensions).first;
  lines.need("numbers of steps");
  for (PlotLevel& level : header.levels) {
    const std::vector<double> spacing = lines.numbers("cells' sizes", axes);
    for (std::size_t a = 0; a < axes; ++a) {
      if (!(spacing[a] > 0)) throw wrong("has cells of no size");
      level.spacing[static_cast<int>(a)] = spacing[a];
    }
  }
  header.coordinates = static_cast<int>(lines.count("kind of coordinates", 0, 2));
  lines.need("width of the border");
  for (PlotLevel& level : header.levels) {
    Numbers counts(lines.need("levels"));
    counts.need("levels", 0, paging::kMostAmrLevels);
    level.boxes = counts.need("number of boxes", 0, static_cast<std::int64_t>(amr::kMostBoxes));
    lines.need("step of a level");
    for (std::int64_t n = 0; n < level.boxes * header.dimensions; ++n) lines.need("corners of boxes");
    const std::string_view path = lines.need("folder of a level");
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos || !isPlainName(path.substr(0, slash)) ||
        !isPlainName(path.substr(slash + 1)))
      throw Corrupt("names '" + printable(path) + "', which does not lie below its own folder",
                    "check the file");
    level.folder = path.substr(0, slash);
    level.name = path.substr(slash + 1);
  }
  return header;
}

std::vector<BoxPlace> readBoxList(const arrays::ByteSource& file, const PlotHeader& header,
                                  const PlotLevel& level, MemoryAccount& account,
                                  std::vector<MemoryClaim>& claims) {
  Lines lines(file);
  if (lines.count("version", 0, 100) != 1)
    throw Unsupported("has boxes without heads of their own, of a newer kind of plotfile",
                      "write it with AMReX's usual version of VisMF's header, 1");
  lines.need("way of writing");
  const std::int64_t components = lines.count("number of values", 0, kMostVariables);
  if (components != static_cast<std::int64_t>(header.variables.size()))
    throw wrong("has " + std::to_string(components) + " values for " +
                std::to_string(header.variables.size()) + " names");
  lines.need("number of ghost cells");  // each box says with its values how many it has
  const std::int64_t boxes = lines.count("number of boxes", 0, static_cast<std::int64_t>(amr::kMostBoxes));
  if (boxes != level.boxes)
    throw wrong("lists " + std::to_string(boxes) + " boxes where there are " + std::to_string(level.boxes));
  std::vector<BoxPlace> places;
  for (std::int64_t n = 0; n < boxes; ++n) {
    if (places.size() % kTogether == 0)
      claims.push_back(account.claimInEarnest(Purpose::Index, kTogether * kBoxBytes, "lists of boxes"));
    places.push_back({Numbers(lines.need("boxes")).box(header.dimensions), {}, 0});
  }
  lines.need("end of the boxes");
  if (lines.count("number of values' places", 0, static_cast<std::int64_t>(amr::kMostBoxes)) != boxes)
    throw wrong("has not as many places of values as boxes");
  constexpr std::string_view kKey = "FabOnDisk:";
  for (BoxPlace& place : places) {
    std::string_view line = lines.need("places of values");
    if (!line.starts_with(kKey)) throw wrong("has no places of values");
    line = trimmed(line.substr(kKey.size()));
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos) throw wrong("has no places of values");
    const std::string_view name = trimmed(line.substr(0, blank));
    if (!isPlainName(name))
      throw Corrupt("names '" + printable(name) + "', which does not lie beside it", "check the file");
    place.file = name;
    place.offset = static_cast<std::uint64_t>(
        Numbers(line.substr(blank)).need("place of values", 0, std::int64_t{1} << 62));
  }
  return places;
}

Fab readFab(const arrays::ByteSource& file, std::uint64_t offset, int dimensions) {
  if (offset >= file.size()) throw wrong("has values of a box behind its end");
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(kFabHead, file.size() - offset)), '\0');
  file.readAt(offset, std::as_writable_bytes(std::span(head)));
  const std::size_t end = head.find('\n');
  if (!head.starts_with("FAB ((") || end == std::string::npos)
    throw wrong("has no box where one is said to be");
  Numbers numbers(std::string_view(head).substr(0, end));
  // ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1))): sizes of a number's parts in bits, then the order of its bytes
  const std::int64_t parts = numbers.need("kind of numbers", 3, 16);
  std::array<std::int64_t, 3> bits{};
  for (std::int64_t n = 0; n < parts; ++n) {
    const std::int64_t part = numbers.need("kind of numbers", 0, 1 << 20);
    if (n < 3) bits[static_cast<std::size_t>(n)] = part;
  }
  Fab fab;
  const bool isDouble = bits == std::array<std::int64_t, 3>{64, 11, 52};
  if (!isDouble && bits != std::array<std::int64_t, 3>{32, 8, 23})
    throw Unsupported("has numbers of a kind that is not read", "write it in single or double precision");
  fab.type = isDouble ? arrays::NumberType::F64 : arrays::NumberType::F32;
  const std::int64_t each = arrays::bytesOf(fab.type);
  if (numbers.need("order of bytes", 1, 16) != each) throw wrong("has numbers of no possible order");
  for (std::int64_t n = 0; n < each; ++n) {
    const std::int64_t place = numbers.need("order of bytes", 1, each);
    if (n == 0) fab.bigEndian = place == 1;
    if (place != (fab.bigEndian ? n + 1 : each - n))
      throw Unsupported("has bytes in an order that is not read", "write it on another machine");
  }
  fab.box = numbers.box(dimensions);
  fab.components = numbers.need("number of values", 1, kMostVariables);
  fab.begin = offset + end + 1;
  const std::int64_t bytes =
      checkedProduct({fab.box.size[0], fab.box.size[1], fab.box.size[2], fab.components, each});
  if (static_cast<std::uint64_t>(bytes) > file.size() - fab.begin)
    throw wrong("has values of a box behind its end");
  return fab;
}

}  // namespace farfield::amrex
