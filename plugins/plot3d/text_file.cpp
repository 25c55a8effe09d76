#include "plugins/plot3d/text_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/base/temporary_file.h"
#include "core/paging/bytes/local_file.h"
#include "plugins/plot3d/plot3d_head.h"

namespace farfield::plot3d {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kMostWordBytes = 64;
/// Numbers that any text may have by repetition, and how many per byte of it; limits what a few words can
/// make us write.
constexpr std::uint64_t kAlwaysNumbers = 16 << 20;
constexpr std::uint64_t kNumbersPerByte = 16;
/// Numbers in the head with the largest block count that is tried for text.
constexpr std::size_t kMostHeadNumbers = 1 + 4 * 4096;

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '\f' || c == '\v';
}

struct Run {
  double value = 0;
  std::uint64_t count = 1;
};

/// The numbers of a text file, in runs of equal ones.
class Numbers {
 public:
  explicit Numbers(const paging::ByteObject& file) : m_file(file), m_piece(kPieceBytes) {}

  std::optional<Run> next() {
    char word[kMostWordBytes];
    std::size_t length = 0;
    for (;;) {
      if (m_at == m_end && !refill()) break;
      const char c = static_cast<char>(m_piece[m_at]);
      if (isBlank(c)) {
        if (length > 0) break;
        ++m_at;
        continue;
      }
      if (length == kMostWordBytes) refuse({word, length});
      word[length++] = c;
      ++m_at;
    }
    if (length == 0) return std::nullopt;
    return parse({word, length});
  }

  /// Most numbers that the file may have.
  std::uint64_t most() const { return std::max(kAlwaysNumbers, kNumbersPerByte * m_file.size()); }

 private:
  bool refill() {
    StoppableWaits::throwIfStopped();
    m_before += m_end;
    m_at = 0;
    m_end = m_file.readSomeAt(m_before, m_piece);
    return m_end > 0;
  }

  [[noreturn]] void refuse(std::string_view word) const {
    throw Corrupt("'" + std::string(word) + "' is not a number", "give a PLOT3D text file, of numbers alone")
        .at(m_file.name() + ", byte " + std::to_string(m_before + m_at - std::min(m_at, word.size())));
  }

  Run parse(std::string_view word) const {
    Run run;
    std::string_view number = word;
    if (const std::size_t star = word.find('*'); star != std::string_view::npos) {
      const std::string_view repeats = word.substr(0, star);
      const auto [end, status] = std::from_chars(repeats.begin(), repeats.end(), run.count);
      if (status != std::errc() || end != repeats.end() || run.count < 1 || run.count > most()) refuse(word);
      number = word.substr(star + 1);
    }
    if (number.starts_with('+')) number.remove_prefix(1);
    char plain[kMostWordBytes];
    std::transform(number.begin(), number.end(), plain,
                   [](char c) { return c == 'd' || c == 'D' ? 'e' : c; });
    const auto [end, status] = std::from_chars(plain, plain + number.size(), run.value);
    const bool tiny = status == std::errc::result_out_of_range;  // or huge; both get the value of strtod
    if (tiny) run.value = std::strtod(std::string(plain, number.size()).c_str(), nullptr);
    if ((status != std::errc() && !tiny) || end != plain + number.size() || number.empty()) refuse(word);
    return run;
  }

  const paging::ByteObject& m_file;
  std::vector<std::byte> m_piece;
  std::size_t m_at = 0, m_end = 0;
  std::uint64_t m_before = 0;  ///< bytes of the file before the piece
};

/// Results of the first reading.
struct Overview {
  std::uint64_t count = 0;
  std::vector<double> first;
};

Overview overviewOf(const paging::ByteObject& text) {
  Overview overview;
  Numbers numbers(text);
  while (const auto run = numbers.next()) {
    overview.count += run->count;
    if (overview.count > numbers.most())
      throw Unsupported("repeats so many numbers that " + std::to_string(text.size()) +
                            " bytes become more than " + std::to_string(numbers.most()) + " of them",
                        "write it in binary");
    for (std::uint64_t n = 0; n < run->count && overview.first.size() < kMostHeadNumbers; ++n)
      overview.first.push_back(run->value);
  }
  return overview;
}

std::optional<std::int64_t> asCount(const Overview& overview, std::size_t n) {
  if (n >= overview.first.size()) return std::nullopt;
  const double value = overview.first[n];
  if (!(value >= 1 && value <= 2147483647.0) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

/// The layout of the binary copy, if `overview` has exactly the numbers of the format.
std::optional<Layout> layoutFor(const Overview& overview, Content content, Format format) {
  std::size_t at = 0;
  std::int64_t blocks = 1;
  if (format.multiGrid) {
    const auto count = asCount(overview, at++);
    if (!count || *count > static_cast<std::int64_t>(kMostHeadNumbers)) return std::nullopt;
    blocks = *count;
  }
  std::vector<Index3> dims;
  double nodes = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    Index3 own{1, 1, 1};
    for (int a = 0; a < format.dimensions; ++a) {
      const auto count = asCount(overview, at++);
      if (!count) return std::nullopt;
      own[a] = *count;
    }
    if (content == Content::Function) {
      const auto count = asCount(overview, at++);
      if (!count || *count > kMostVariables || (b > 0 && *count != format.variables)) return std::nullopt;
      format.variables = static_cast<int>(*count);
    }
    nodes += double(own[0]) * double(own[1]) * double(own[2]);
    if (nodes > static_cast<double>(overview.count)) return std::nullopt;
    dims.push_back(own);
  }
  const int perNode = variableCount(content, format) + (format.iblank ? 1 : 0);
  const double headers = content == Content::Solution ? 4.0 * static_cast<double>(blocks) : 0;
  if (static_cast<double>(at) + headers + nodes * perNode != static_cast<double>(overview.count))
    return std::nullopt;
  return makeLayout(content, format, dims);
}

std::vector<Layout> fittingLayouts(const Overview& overview, const Layout* grid, const Overrides& overrides) {
  std::vector<Layout> fits;
  const auto contents = grid ? std::vector{Content::Solution, Content::Function} : std::vector{Content::Grid};
  for (const Content content : contents)
    for (const bool multi : {true, false})
      for (const int dimensions : {3, 2})
        for (const bool iblank : {false, true}) {
          if (iblank && content != Content::Grid) continue;
          const Format format{.multiGrid = multi,
                              .precision = ScalarType::F64,
                              .iblank = iblank,
                              .dimensions = dimensions,
                              .planes = overrides.planes.value_or(false)};
          if (overrides.multiGrid.value_or(multi) != multi ||
              overrides.dimensions.value_or(dimensions) != dimensions ||
              (content == Content::Grid && overrides.iblank.value_or(iblank) != iblank))
            continue;
          const auto layout = layoutFor(overview, content, format);
          if (!layout) continue;
          const bool belongs =
              !grid || std::equal(layout->blocks.begin(), layout->blocks.end(), grid->blocks.begin(),
                                  grid->blocks.end(), [](const BlockLayout& a, const BlockLayout& b) {
                                    return a.dims == b.dims;
                                  });
          if (belongs) fits.push_back(*layout);
        }
  return fits;
}

/// Appends numbers to a file.
class Appender {
 public:
  explicit Appender(File& file) : m_file(file) { m_bytes.reserve(kPieceBytes); }
  template <class T>
  void put(T value) {
    if (m_bytes.size() + sizeof(T) > kPieceBytes) flush();
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof(T));
  }
  void flush() {
    StoppableWaits::throwIfStopped();  // a few letters may stand for very many numbers
    m_file.writeAt(m_written, m_bytes);
    m_written += m_bytes.size();
    m_bytes.clear();
  }

 private:
  File& m_file;
  std::vector<std::byte> m_bytes;
  std::uint64_t m_written = 0;
};

std::int32_t asInteger(double value) {
  // an iblank that is not an integer is wrong, but not worth refusing the file
  if (!(value > -2147483648.0 && value < 2147483647.0)) return 0;
  return static_cast<std::int32_t>(value);
}

/// Which numbers are integers in the binary file: the head, and the iblank of each block.
class IntegerRanges {
 public:
  explicit IntegerRanges(const Layout& layout) {
    const auto blocks = static_cast<std::int64_t>(layout.blocks.size());
    m_end = static_cast<std::uint64_t>(headNumbers(layout.content, layout.format, blocks)) +
            (layout.format.multiGrid ? 1 : 0);
    std::uint64_t at = m_end;
    for (const BlockLayout& block : layout.blocks) {
      // written together: the whole block, or each plane of k
      const std::int64_t pieces = layout.format.planes ? block.dims[2] : 1;
      const auto nodes = static_cast<std::uint64_t>(product(block.dims) / pieces);
      at += layout.content == Content::Solution ? 4 : 0;
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        at += nodes * static_cast<std::uint64_t>(variableCount(layout.content, layout.format));
        if (!layout.format.iblank) continue;
        m_later.push_back({at, at + nodes});
        at += nodes;
      }
    }
  }
  /// Must be called with ascending numbers.
  bool holds(std::uint64_t number) {
    while (number >= m_end && m_next < m_later.size()) {
      if (number < m_later[m_next].first) return false;
      m_end = m_later[m_next++].second;
    }
    return number < m_end;
  }

 private:
  std::uint64_t m_end = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> m_later;
  std::size_t m_next = 0;
};

std::string readingOf(const Layout& layout) {
  std::string text = layout.format.multiGrid
                         ? "multi grid, " + std::to_string(layout.blocks.size()) + " blocks, the first "
                         : "single grid, ";
  text += describe(layout.blocks.front().dims);
  if (layout.format.dimensions == 2) text += ", 2-D";
  if (layout.content == Content::Grid) text += layout.format.iblank ? ", iblank" : ", no iblank";
  if (layout.format.planes) text += ", planes";
  if (layout.content == Content::Solution) text += ", solution";
  if (layout.content == Content::Function)
    text += ", " + std::to_string(layout.format.variables) + " functions";
  return text;
}

Layout onlyLayout(std::vector<Layout> fits, const Overview& overview, const Layout* grid) {
  const std::string count = std::to_string(overview.count) + " numbers";
  if (fits.empty())
    throw Corrupt(
        std::string("is text of ") + count + ", which is no PLOT3D " +
            (grid ? "solution of its grid" : "grid"),
        grid ? "check that the copy is complete and that it is PLOT3D text"
             : "if it is a solution, name its grid first; otherwise check that the copy is complete");
  if (fits.size() == 1) return std::move(fits.front());
  std::string list;
  for (const Layout& layout : fits) list += (list.empty() ? "" : "; or ") + readingOf(layout);
  const std::string prefix = grid ? "solution." : "";
  throw Invalid(
      "is text of " + count + " that can be read in " + std::to_string(fits.size()) + " ways: " + list,
      "settle it with the options " + prefix + "multiGrid, " + prefix + "dimensions or iblank");
}

}  // namespace

bool looksLikeText(const paging::ByteObject& file) {
  std::byte bytes[256];
  const std::size_t count = file.readSomeAt(0, bytes);
  bool digit = false;
  for (std::size_t n = 0; n < count; ++n) {
    const auto letter = static_cast<char>(bytes[n]);
    if (std::string_view("0123456789").find(letter) != std::string_view::npos)
      digit = true;
    else if (std::string_view(" \t\r\n+-.,*eEdD").find(letter) == std::string_view::npos)
      return false;
  }
  return digit;
}

TextAsBinary binaryFromText(const paging::ByteObject& text, const Layout* grid, const Overrides& overrides) {
  try {
    const Overview overview = overviewOf(text);
    TextAsBinary result;
    result.layout = onlyLayout(fittingLayouts(overview, grid, overrides), overview, grid);
    File copy = makeTemporaryFile(temporaryFolder());
    takeRoom(copy, result.layout.fileBytes);
    Appender to(copy);
    IntegerRanges integers(result.layout);
    Numbers numbers(text);
    std::uint64_t number = 0;
    while (const auto run = numbers.next())
      for (std::uint64_t n = 0; n < run->count; ++n, ++number) {
        if (integers.holds(number))
          to.put(asInteger(run->value));
        else
          to.put(run->value);
      }
    to.flush();
    if (copy.size() != result.layout.fileBytes) throw Corrupt("changed while it was read", "open it again");
    result.file = std::make_shared<const paging::LocalFile>(std::move(copy));
    result.explain.push_back("text of " + std::to_string(overview.count) +
                             " numbers. Taken: " + readingOf(result.layout) + ".");
    return result;
  } catch (Error& error) {
    if (error.place().find(text.name()) == std::string::npos) error.at(text.name());
    throw;
  }
}

}  // namespace farfield::plot3d
