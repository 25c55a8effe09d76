#include "plugins/plot3d/boundary_files.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "plugins/plot3d/plot3d_format.h"

namespace farfield::plot3d {
namespace {

using paging::NamedSurface;

/// Limits the memory that a hostile file can take; far more than any grid has.
constexpr std::uint64_t kMostBytes = 16 << 20;
constexpr std::size_t kMostSurfaces = 100'000;
/// Longest name or type, which every surface copies, and most words of a line that are read.
constexpr std::size_t kMostNameBytes = 200, kMostWords = 32;

std::string trimmed(const std::string& text) {
  const auto isBlank = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto first = std::find_if_not(text.begin(), text.end(), isBlank);
  const auto last = std::find_if_not(text.rbegin(), std::make_reverse_iterator(first), isBlank).base();
  return {first, last};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The lines with content, with their numbers from 1.
class Lines {
 public:
  explicit Lines(const std::string& text) : m_text(text) {}
  /// False at the end.
  bool next() {
    while (m_at < m_text.size()) {
      const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
      m_line = trimmed(m_text.substr(m_at, end - m_at));
      m_at = end + 1;
      ++m_number;
      if (!m_line.empty() && m_line[0] != '#') return true;
    }
    m_line.clear();
    return false;
  }
  const std::string& line() const { return m_line; }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Corrupt(why).at("line " + std::to_string(m_number));
  }
  /// The first ones; more than any line needs.
  std::vector<std::string> words(std::size_t from = 0) const {
    std::vector<std::string> words;
    for (std::size_t at = from; at < m_line.size() && words.size() < kMostWords;) {
      const std::size_t begin = m_line.find_first_not_of(" \t\r,", at);
      if (begin == std::string::npos) break;
      at = std::min(m_line.find_first_of(" \t\r,", begin), m_line.size());
      words.push_back(m_line.substr(begin, at - begin));
    }
    return words;
  }

 private:
  const std::string& m_text;
  std::string m_line;
  std::size_t m_at = 0, m_number = 0;
};

std::int64_t number(const Lines& lines, const std::string& word) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size())
    lines.refuse("'" + word.substr(0, 40) + "' is no whole number");
  return value;
}

/// The block number in `word`, which counts from 1.
int blockNumber(const Lines& lines, const std::string& word, const std::vector<Index3>& blocks) {
  const std::int64_t block = number(lines, word);
  if (block < 1 || block > static_cast<std::int64_t>(blocks.size()))
    lines.refuse("there is no block " + std::to_string(block) + " of " + std::to_string(blocks.size()));
  return static_cast<int>(block - 1);
}

void checkName(const Lines& lines, const std::string& name) {
  if (name.size() > kMostNameBytes)
    lines.refuse("has a name of " + std::to_string(name.size()) + " bytes, of which " +
                 std::to_string(kMostNameBytes) + " are possible");
}

/// Sets `box` to nodes `first` to `last`, counted from 1, along `axis`.
void setRange(const Lines& lines, std::int64_t first, std::int64_t last, std::size_t axis, const Index3& dims,
              IndexBox& box) {
  if (first > last) std::swap(first, last);
  if (first < 1 || last > dims[axis])
    lines.refuse("nodes " + std::to_string(first) + " to " + std::to_string(last) + " of " +
                 std::string(1, "ijk"[axis]) + " are not there: the block is " + describe(dims));
  box.first[axis] = first - 1;
  box.size[axis] = last - first + 1;
}

void addSheet(const Lines& lines, NamedSurface surface, std::vector<NamedSurface>& surfaces) {
  const auto thin = std::count(surface.nodes.size.begin(), surface.nodes.size.end(), 1);
  if (thin == 0) lines.refuse("is a box of nodes, not a sheet");
  if (thin > 1) return;  // a line of nodes, which shows nothing
  if (surfaces.size() == kMostSurfaces)
    lines.refuse("there are more than " + std::to_string(kMostSurfaces) + " surfaces");
  surfaces.push_back(std::move(surface));
}

std::string contentsOf(const std::filesystem::path& path) {
  const File file = File::openForReading(path);
  if (file.size() > kMostBytes) throw Corrupt("is too large for names of surfaces");
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.readAt(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

std::vector<NamedSurface> surfacesFromFvbnd(const std::string& text, const std::vector<Index3>& blocks) {
  Lines lines(text);
  if (!lines.next() || !lower(lines.line()).starts_with("fvbnd")) lines.refuse("does not begin with FVBND");
  std::vector<std::string> names;
  for (;;) {
    if (!lines.next()) lines.refuse("ends before BOUNDARIES");
    if (lower(lines.line()) == "boundaries") break;
    if (names.size() == kMostSurfaces) lines.refuse("has too many names");
    checkName(lines, lines.line());
    names.push_back(lines.line());
  }
  std::vector<NamedSurface> surfaces;
  while (lines.next()) {
    const std::vector<std::string> words = lines.words();
    if (words.size() < 8) lines.refuse("needs a name's number, a block and six nodes");
    const std::int64_t name = number(lines, words[0]);
    if (name < 1 || name > static_cast<std::int64_t>(names.size()))
      lines.refuse("there is no name " + std::to_string(name) + " of " + std::to_string(names.size()));
    NamedSurface surface;
    surface.name = names[static_cast<std::size_t>(name - 1)];
    surface.block = blockNumber(lines, words[1], blocks);
    const Index3& dims = blocks[static_cast<std::size_t>(surface.block)];
    for (std::size_t a = 0; a < 3; ++a) {
      const auto node = [&](const std::string& word) { return word == "$" ? dims[a] : number(lines, word); };
      setRange(lines, node(words[2 + 2 * a]), node(words[3 + 2 * a]), a, dims, surface.nodes);
    }
    addSheet(lines, std::move(surface), surfaces);
  }
  return surfaces;
}

std::vector<NamedSurface> surfacesFromNmf(const std::string& text, const std::vector<Index3>& blocks) {
  Lines lines(text);
  if (!lines.next()) lines.refuse("has no count of blocks");
  const std::vector<std::string> head = lines.words();
  if (head.size() != 1 || number(lines, head[0]) != static_cast<std::int64_t>(blocks.size()))
    lines.refuse("is not of " + std::to_string(blocks.size()) + " blocks, as the grid is");
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!lines.next()) lines.refuse("ends in the dims of the blocks");
    const std::vector<std::string> words = lines.words();
    if (words.size() != 4) lines.refuse("needs a block's number and its dims");
    const int block = blockNumber(lines, words[0], blocks);
    for (std::size_t a = 0; a < 3; ++a)
      if (number(lines, words[a + 1]) != blocks[static_cast<std::size_t>(block)][a])
        lines.refuse("has other dims than the grid, whose block is " +
                     describe(blocks[static_cast<std::size_t>(block)]));
  }
  std::vector<NamedSurface> surfaces;
  while (lines.next()) {
    const std::string& line = lines.line();
    NamedSurface surface;
    std::size_t behind = 0;
    if (line[0] == '\'' || line[0] == '"') {
      behind = line.find(line[0], 1);
      if (behind == std::string::npos) lines.refuse("has a quote without its end");
      surface.name = trimmed(line.substr(1, behind++ - 1));
    } else {
      behind = std::min(line.find_first_of(" \t"), line.size());
      surface.name = line.substr(0, behind);
    }
    if (surface.name.empty()) lines.refuse("has no type");
    checkName(lines, surface.name);
    surface.kind = lower(surface.name);
    std::replace(surface.kind.begin(), surface.kind.end(), '_', '-');
    const std::vector<std::string> words = lines.words(behind);
    if (words.size() < 6) lines.refuse("needs a block, a face and four nodes");
    surface.block = blockNumber(lines, words[0], blocks);
    const Index3& dims = blocks[static_cast<std::size_t>(surface.block)];
    const std::int64_t face = number(lines, words[1]);
    if (face < 1 || face > 6) lines.refuse("there is no face " + std::to_string(face));
    const std::size_t fixed = face < 3 ? 2 : face < 5 ? 0 : 1;
    const std::int64_t at = face % 2 ? 1 : dims[fixed];
    setRange(lines, at, at, fixed, dims, surface.nodes);
    for (std::size_t n = 0; n < 2; ++n)
      setRange(lines, number(lines, words[2 + 2 * n]), number(lines, words[3 + 2 * n]), (fixed + 1 + n) % 3,
               dims, surface.nodes);
    if (surface.kind != "one-to-one") addSheet(lines, std::move(surface), surfaces);
  }
  return surfaces;
}

std::vector<NamedSurface> surfacesBeside(const std::filesystem::path& grid, const std::vector<Index3>& blocks,
                                         std::vector<std::string>& explain) {
  std::vector<NamedSurface> all;
  for (const auto& [ending, parse] : {std::pair{".fvbnd", &surfacesFromFvbnd}, {".nmf", &surfacesFromNmf}}) {
    std::filesystem::path appended = grid, replaced = grid;
    appended += ending;
    replaced.replace_extension(ending);
    for (const std::filesystem::path& path : {appended, replaced}) {
      std::error_code failure;
      if (path == grid || !std::filesystem::is_regular_file(path, failure)) continue;
      try {
        std::vector<NamedSurface> surfaces = parse(contentsOf(path), blocks);
        explain.push_back("file " + path.string() + " names " + std::to_string(surfaces.size()) +
                          " surfaces");
        for (NamedSurface& surface : surfaces) surface.from = path.filename().string();
        std::move(surfaces.begin(), surfaces.end(), std::back_inserter(all));
      } catch (Error& error) {
        // the grid can be shown without
        error.at("file " + path.string());
        log::warning(std::string(error.what()) + "; its surfaces are left out");
        explain.push_back("file " + path.string() + " is not used: " + error.message());
      }
      break;
    }
  }
  return all;
}

}  // namespace farfield::plot3d
