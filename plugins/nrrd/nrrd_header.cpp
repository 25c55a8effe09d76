#include "plugins/nrrd/nrrd_header.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::nrrd {
namespace {

constexpr std::uint64_t kMostHeaderBytes = 4 << 20;
constexpr std::size_t kMostAxes = 16;
constexpr std::size_t kMostFiles = 1 << 17;
/// No file has a longer name; a pattern is written once for many names that are as long.
constexpr std::size_t kMostNameBytes = 4096;
constexpr std::uint64_t kMostNamesBytes = 32 << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    std::size_t end = at;
    while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end]))) ++end;
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

[[noreturn]] void wrong(std::string_view what, const char* expected) {
  throw Corrupt("'" + printable(what) + "' is not " + expected, "check the header");
}

std::int64_t integerOf(std::string_view word) {
  std::int64_t value = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) wrong(word, "a whole number");
  return value;
}

/// NaN if it says so: unknown.
double realOf(std::string_view word) {
  double value = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) wrong(word, "a number");
  return value;
}

/// "(1,0,0)".
std::vector<double> vectorOf(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('(') || !text.ends_with(')')) wrong(text, "a vector in parentheses");
  text = text.substr(1, text.size() - 2);
  std::vector<double> numbers;
  while (true) {
    const std::size_t comma = text.find(',');
    numbers.push_back(realOf(trimmed(text.substr(0, comma))));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (numbers.size() == kMostAxes) wrong(text, "part of a vector");
  }
  return numbers;
}

/// Words, some of which are vectors with blanks in them.
std::vector<std::string_view> vectorsIn(std::string_view text) {
  std::vector<std::string_view> found;
  text = trimmed(text);
  while (!text.empty()) {
    std::size_t end = 0;
    if (text.front() == '(') {
      end = text.find(')');
      if (end == std::string_view::npos) wrong(text, "a vector in parentheses");
      ++end;
    } else {
      while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end])) && text[end] != '(')
        ++end;
    }
    found.push_back(text.substr(0, end));
    text = trimmed(text.substr(end));
  }
  return found;
}

/// Words between quotes: "x" "y".
std::vector<std::string> quotedIn(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at)) {
    const std::size_t end = text.find('"', at + 1);
    if (end == std::string_view::npos) break;
    found.emplace_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return found;
}

Encoding encodingNamed(std::string_view word) {
  const std::string name = lower(word);
  if (name == "raw") return Encoding::Raw;
  if (name == "ascii" || name == "text" || name == "txt") return Encoding::Ascii;
  if (name == "hex") return Encoding::Hex;
  if (name == "gzip" || name == "gz") return Encoding::Gzip;
  if (name == "bzip2" || name == "bz2") return Encoding::Bzip2;
  wrong(word, "an encoding");
}

/// "quarter.%03d" with `number` in place of the conversion. Only conversions that number files are supported.
std::string numbered(std::string_view pattern, std::int64_t number) {
  const std::size_t percent = pattern.find('%');
  std::size_t at = percent == std::string_view::npos ? percent : percent + 1;
  bool zeros = false;
  std::size_t width = 0;
  if (at != std::string_view::npos) {
    if (at < pattern.size() && pattern[at] == '0') zeros = true, ++at;
    while (at < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[at])) && width < 100)
      width = 10 * width + static_cast<std::size_t>(pattern[at++] - '0');
  }
  if (at == std::string_view::npos || at >= pattern.size() || (pattern[at] != 'd' && pattern[at] != 'i') ||
      pattern.find('%', at) != std::string_view::npos || width >= 100)
    wrong(pattern, "a pattern of file names with one %d");
  std::string digits = std::to_string(number);
  while (digits.size() < width) digits.insert(digits.begin(), zeros ? '0' : ' ');
  return std::string(pattern.substr(0, percent)) + digits + std::string(pattern.substr(at + 1));
}

/// Reads the header line by line.
class Lines {
 public:
  explicit Lines(const arrays::ByteSource& file) : m_file(file) {}
  /// The next line without its end; nothing at the end of the file.
  std::optional<std::string> next() {
    std::string line;
    for (;;) {
      if (m_at == m_piece.size() && !fill()) return line.empty() ? std::nullopt : std::optional(line);
      const std::size_t end = m_piece.find('\n', m_at);
      line.append(m_piece, m_at, end == std::string::npos ? end : end - m_at);
      m_offset += (end == std::string::npos ? m_piece.size() : end + 1) - m_at;
      m_at = end == std::string::npos ? m_piece.size() : end + 1;
      if (m_offset > kMostHeaderBytes)
        throw Corrupt("its header does not end", "check that it is a NRRD file");
      if (end == std::string::npos) continue;
      if (line.ends_with('\r')) line.pop_back();
      ++m_number;
      return line;
    }
  }
  std::uint64_t offset() const { return m_offset; }
  std::size_t number() const { return m_number; }

 private:
  bool fill() {
    const std::uint64_t left = m_file.size() - std::min(m_file.size(), m_offset);
    if (left == 0) return false;
    m_piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, 4096)));
    m_file.readAt(m_offset, std::as_writable_bytes(std::span(m_piece)));
    m_at = 0;
    return true;
  }
  const arrays::ByteSource& m_file;
  std::string m_piece;
  std::size_t m_at = 0, m_number = 0;
  std::uint64_t m_offset = 0;
};

class Parser {
 public:
  explicit Parser(const arrays::ByteSource& file) : m_lines(file) {}

  NrrdHeader parse() {
    const auto magic = m_lines.next();
    if (!magic || !magic->starts_with("NRRD"))
      throw Corrupt("does not begin with NRRD", "name the header file");
    try {
      while (const auto line = m_lines.next()) {
        if (line->empty()) break;
        readLine(*line);
        if (m_listsFiles) break;
      }
      if (m_listsFiles) listFiles();
    } catch (Error& error) {
      error.at("line " + std::to_string(m_lines.number()));
      throw;
    }
    if (!m_hasType || !m_hasEncoding || m_header.axes.empty() || m_header.axes.front().size == 0)
      throw Corrupt("its header lacks one of type, dimension, sizes and encoding", "check the header");
    m_header.dataOffset = m_lines.offset();
    return std::move(m_header);
  }

 private:
  void readLine(const std::string& line) {
    if (line.front() == '#') return;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) wrong(line, "a field");
    // keys are for the programs that wrote them, but one program writes its skip as a key
    const bool isKey = colon + 1 < line.size() && line[colon + 1] == '=';
    const std::string field = lower(trimmed(std::string_view(line).substr(0, colon)));
    if (isKey && field != "byte skip" && field != "line skip") return;
    const std::string_view value = trimmed(std::string_view(line).substr(colon + (isKey ? 2 : 1)));
    if (!readPlain(field, value) && !readOfAxes(field, value))
      m_header.notes.push_back("left out: the header's field " + printable(field));
  }

  bool readPlain(const std::string& field, std::string_view value) {
    if (field == "dimension") {
      const std::int64_t count = integerOf(value);
      if (count < 1 || count > static_cast<std::int64_t>(kMostAxes)) wrong(value, "a number of dimensions");
      m_header.axes.assign(static_cast<std::size_t>(count), {});
    } else if (field == "type") {
      if (lower(value) == "block") throw Unsupported("its values are blocks, which have no numbers");
      const auto type = arrays::numberTypeNamed(value);
      if (!type) wrong(value, "a number type");
      m_header.type = *type;
      m_hasType = true;
    } else if (field == "encoding") {
      m_header.encoding = encodingNamed(value);
      m_hasEncoding = true;
    } else if (field == "endian") {
      if (lower(value) != "big" && lower(value) != "little") wrong(value, "a byte order");
      m_header.bigEndian = lower(value) == "big";
    } else if (field == "line skip" || field == "lineskip") {
      m_header.lineSkip = integerOf(value);
      if (m_header.lineSkip < 0) wrong(value, "a number of lines to skip");
    } else if (field == "byte skip" || field == "byteskip") {
      m_header.byteSkip = integerOf(value);
      if (m_header.byteSkip < -1)
        wrong(value, "a number of bytes to skip (0 or more; -1: the last bytes count)");
    } else if (field == "data file" || field == "datafile") {
      readDataFile(value);
    } else if (field == "space origin") {
      m_header.spaceOrigin = vectorOf(value);
    } else if (field == "space") {
      m_header.space = value;
    } else if (field == "content") {
      m_header.content = value;
    } else {
      return false;
    }
    return true;
  }

  bool readOfAxes(const std::string& field, std::string_view value) {
    const auto each = [&](auto action) {
      const auto words = wordsOf(value);
      if (m_header.axes.empty()) throw Corrupt("the field " + field + " comes before the dimension");
      if (words.size() != m_header.axes.size())
        throw Corrupt("the field " + field + " has " + std::to_string(words.size()) + " entries for " +
                          std::to_string(m_header.axes.size()) + " dimensions",
                      "check the header");
      for (std::size_t a = 0; a < words.size(); ++a) action(m_header.axes[a], words[a]);
    };
    const auto number = [](std::optional<double>& to, std::string_view word) {
      const double known = realOf(word);
      if (std::isfinite(known)) to = known;
    };
    if (field == "sizes") {
      each([](NrrdAxis& axis, std::string_view word) {
        axis.size = integerOf(word);
        if (axis.size < 1) wrong(word, "a size");
      });
    } else if (field == "spacings") {
      each([&](NrrdAxis& axis, std::string_view word) { number(axis.spacing, word); });
    } else if (field == "axis mins" || field == "axismins") {
      each([&](NrrdAxis& axis, std::string_view word) { number(axis.min, word); });
    } else if (field == "axis maxs" || field == "axismaxs") {
      each([&](NrrdAxis& axis, std::string_view word) { number(axis.max, word); });
    } else if (field == "centers" || field == "centerings") {
      each([](NrrdAxis& axis, std::string_view word) { axis.center = lower(word); });
    } else if (field == "kinds") {
      each([](NrrdAxis& axis, std::string_view word) { axis.kind = lower(word); });
    } else if (field == "labels") {
      const std::vector<std::string> labels = quotedIn(value);
      for (std::size_t a = 0; a < std::min(labels.size(), m_header.axes.size()); ++a)
        m_header.axes[a].label = labels[a];
    } else if (field == "space directions") {
      const auto vectors = vectorsIn(value);
      if (vectors.size() != m_header.axes.size())
        throw Corrupt("the field space directions has another number of entries than there are dimensions",
                      "check the header");
      for (std::size_t a = 0; a < vectors.size(); ++a) {
        if (lower(vectors[a]) == "none")
          m_header.axes[a].isNoDirection = true;
        else
          m_header.axes[a].direction = vectorOf(vectors[a]);
      }
    } else {
      return false;
    }
    return true;
  }

  /// A name; a pattern with first, last and step; or LIST, with names on the following lines.
  void readDataFile(std::string_view value) {
    m_header.detached = true;
    const auto words = wordsOf(value);
    if (!words.empty() && words.front() == "LIST") {
      m_listsFiles = true;
      return;
    }
    if (words.size() >= 4 && words.front().find('%') != std::string_view::npos) {
      const std::int64_t first = integerOf(words[1]), last = integerOf(words[2]), step = integerOf(words[3]);
      // differences of such numbers do not overflow
      constexpr std::int64_t kMost = std::int64_t{1} << 40;
      const auto isHuge = [](std::int64_t n) { return n > kMost || n < -kMost; };
      if (step == 0 || isHuge(first) || isHuge(last) || isHuge(step) || (last - first) / step < 0 ||
          (last - first) / step >= static_cast<std::int64_t>(kMostFiles))
        wrong(value, "a range of file numbers");
      checkName(words.front());
      for (std::int64_t n = 0; n <= (last - first) / step; ++n)
        addFile(numbered(words.front(), first + n * step));
      return;
    }
    if (value.empty()) wrong(value, "a file name");
    addFile(std::string(value));
  }

  static void checkName(std::string_view name) {
    if (name.size() > kMostNameBytes)
      wrong(std::string(name.substr(0, 60)) + "…", "a file name: it is too long");
  }

  /// The names of a header of the greatest size fit; those of a pattern may be many times as long.
  void addFile(std::string name) {
    checkName(name);
    if (m_header.dataFiles.size() == kMostFiles)
      throw Unsupported("lists more than " + std::to_string(kMostFiles) + " files");
    m_nameBytes += name.size();
    if (m_nameBytes > kMostNamesBytes)
      throw Unsupported("the names of its files are longer than 32 MiB together", "use shorter names");
    m_header.dataFiles.push_back(std::move(name));
  }

  void listFiles() {
    while (const auto line = m_lines.next()) {
      if (trimmed(*line).empty()) continue;
      addFile(std::string(trimmed(*line)));
    }
    if (m_header.dataFiles.empty()) throw Corrupt("lists no data files", "check the header");
  }

  Lines m_lines;
  NrrdHeader m_header;
  bool m_hasType = false, m_hasEncoding = false, m_listsFiles = false;
  std::uint64_t m_nameBytes = 0;
};

}  // namespace

NrrdHeader readHeader(const arrays::ByteSource& file) {
  return Parser(file).parse();
}

}  // namespace farfield::nrrd
