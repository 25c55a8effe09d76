#include "plugins/vtkfile/vtk_legacy.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/arrays/copies.h"

namespace farfield::vtkfile {
namespace {

using arrays::NumberType;

constexpr std::int64_t kMostNodes = std::int64_t{1} << 40;
constexpr int kMostComponents = 1024;
constexpr std::size_t kMostNotes = 1000;

std::string lower(std::string_view text) {
  std::string result;
  for (const char letter : text)
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

/// Blanks in names are written as "%20".
std::string decoded(std::string_view name) {
  std::string result;
  for (std::size_t at = 0; at < name.size(); ++at) {
    unsigned code = 0;
    if (name[at] == '%' && at + 2 < name.size() &&
        std::from_chars(name.data() + at + 1, name.data() + at + 3, code, 16).ptr == name.data() + at + 3) {
      result += static_cast<char>(code);
      at += 2;
    } else {
      result += name[at];
    }
  }
  return result;
}

class LegacyReader {
 public:
  LegacyReader(std::shared_ptr<const arrays::ByteSource> file, bool copy, SharedArrays& shared)
      : m_file(std::move(file)), m_mayCopy(copy), m_shared(shared) {}

  VtkGrid read() {
    const std::string head = line();
    if (!head.starts_with("# vtk DataFile")) throw Corrupt("does not begin as a file of VTK does");
    const std::size_t version = head.find_first_of("0123456789");
    m_newCells = version != std::string::npos && head[version] >= '5';
    line();  // a title
    const std::string way = lower(word());
    if (way != "ascii" && way != "binary")
      throw Corrupt("is neither ASCII nor BINARY, but '" + printable(way) + "'", "check the file");
    m_text = way == "ascii";
    if (lower(word()) != "dataset") throw Corrupt("has no DATASET", "check the file");
    const std::string kind = word();
    if (lower(kind) == "structured_points")
      m_grid.kind = VtkKind::Image;
    else if (lower(kind) == "rectilinear_grid")
      m_grid.kind = VtkKind::Rectilinear;
    else if (lower(kind) == "structured_grid")
      m_grid.kind = VtkKind::Structured;
    else if (lower(kind) == "unstructured_grid" || lower(kind) == "polydata")
      m_grid.kind = VtkKind::Unstructured;
    else
      throw Unsupported(
          "is VTK's " + printable(kind) + ", which is not read",
          "give STRUCTURED_POINTS, RECTILINEAR_GRID, STRUCTURED_GRID, UNSTRUCTURED_GRID or POLYDATA");
    m_isSurface = lower(kind) == "polydata";
    for (std::string key = lower(word()); !key.empty() && m_more; key = lower(word())) readKey(key);
    if (m_grid.kind == VtkKind::Unstructured) finishCells();
    if (!m_hasDims) throw Corrupt("has no DIMENSIONS", "check that the copy is complete");
    if (m_grid.kind == VtkKind::Structured && !m_grid.points)
      throw Corrupt("has no POINTS", "check that the copy is complete");
    for (const auto& axis : m_grid.axes)
      if (m_grid.kind == VtkKind::Rectilinear && !axis)
        throw Corrupt("has not three axes of coordinates", "check that the copy is complete");
    m_grid.notes.insert(m_grid.notes.begin(),
                        m_text ? "text, copied as numbers into a temporary file" : "binary, read in place");
    return std::move(m_grid);
  }

 private:
  void note(const std::string& text) {
    if (m_grid.notes.size() < kMostNotes) m_grid.notes.push_back(text);
  }

  void readKey(const std::string& key) {
    if (key == "dimensions") {
      for (std::int64_t& count : m_grid.nodes) count = integer(1, kMostNodes);
      m_hasDims = true;
    } else if (key == "origin") {
      for (int a = 0; a < 3; ++a) m_grid.origin[a] = real();
    } else if (key == "spacing" || key == "aspect_ratio") {
      for (int a = 0; a < 3; ++a) {
        m_grid.directions[static_cast<std::size_t>(a)] = {};
        m_grid.directions[static_cast<std::size_t>(a)][a] = real();
      }
    } else if (key == "points" && m_grid.kind == VtkKind::Unstructured) {
      readListedPoints();
    } else if (m_isSurface && isSurfaceKey(key)) {
      readSurfaceCells(key);
    } else if ((key == "cells" || key == "cell_types") && m_grid.kind == VtkKind::Unstructured &&
               !m_isSurface) {
      key == "cells" ? readCells(cellLists()) : readCellTypes();
    } else if (key == "points") {
      m_grid.points = coordinates(3, product(dims()));
    } else if (key == "x_coordinates" || key == "y_coordinates" || key == "z_coordinates") {
      const auto axis = static_cast<std::size_t>(key[0] - 'x');
      m_grid.axes[axis] = coordinates(1, dims()[axis]);
      m_grid.axes[axis]->pieces.front().nodes.size = {dims()[axis], 1, 1};
    } else if (key == "point_data" || key == "cell_data") {
      m_onCells = key == "cell_data";
      m_inData = true;
      const Index3 counts = m_onCells ? m_grid.cells() : dims();
      const std::int64_t values = integer(0, kMostNodes * 4);
      if (values != checkedProduct({counts[0], counts[1], counts[2]}))
        throw Corrupt("has values for " + std::to_string(values) + (m_onCells ? " cells" : " points") +
                          ", which is not as many as its dimensions say",
                      "check the file");
    } else if (key == "field") {
      word();  // its name
      const std::int64_t count = integer(0, 100000);
      for (std::int64_t n = 0; n < count && m_more; ++n) readFieldArray();
    } else if (key == "metadata") {
      skipMetadata();
    } else if (!m_inData || !readAttribute(key)) {
      // unknown data have unknown length: nothing after them can be found
      note("left out: '" + printable(key) + "' and all that follows");
      m_more = false;
    }
  }

  void readListedPoints() {
    m_grid.nodes = {integer(1, kMostNodes), 1, 1};
    m_hasDims = true;
    const std::string type = word();
    const auto number = typeNamed(type);
    if (!number) throw Unsupported("has coordinates of type " + printable(type));
    m_grid.points = placed(*number, 3, m_grid.nodes);
  }

  VtkCells& cellLists() {
    if (m_grid.lists.empty()) m_grid.lists.emplace_back();
    return m_grid.lists.front();
  }

  static bool isSurfaceKey(const std::string& key) {
    return std::any_of(std::begin(kSurfaceCells), std::end(kSurfaceCells),
                       [&](const SurfaceCells& its) { return key == its.key; });
  }

  /// Vertices, lines, polygons or strips of polygonal data, a list each, in the order in which they are due.
  void readSurfaceCells(const std::string& key) {
    if (m_inData || m_nextSurface == std::size(kSurfaceCells) || !m_hasDims)
      throw Corrupt("has " + key + " where none are due", "check the file");
    while (m_nextSurface < std::size(kSurfaceCells) && key != kSurfaceCells[m_nextSurface].key)
      ++m_nextSurface;
    if (m_nextSurface == std::size(kSurfaceCells))
      throw Unsupported("has " + key + " behind other cells",
                        "write vertices, lines, polygons and strips in this order");
    VtkCells cells;
    readCells(cells);
    cells.points = m_grid.nodes[0];
    if (cells.count > 0) cells.types = sameTypes(kSurfaceCells[m_nextSurface].type, cells.count);
    ++m_nextSurface;
    m_grid.listed += cells.count;
    if (cells.count > 0) m_grid.lists.push_back(std::move(cells));
  }

  /// Either the number of cells and of all numbers of their list, in which each cell begins with its number of
  /// points; or, since version 5, the numbers of offsets and of points, in two lists.
  void readCells(VtkCells& cells) {
    const std::int64_t first = integer(0, kMostNodes), second = integer(0, 64 * kMostNodes);
    cells.facesInConnectivity = true;
    if (!m_newCells) {
      // each cell begins with a number
      if (first > second) throw Corrupt("has fewer numbers of cells than cells", "check the file");
      cells.count = first;
      cells.connectivity = placed(NumberType::I32, 1, {second, 1, 1});
      return;
    }
    cells.count = std::max<std::int64_t>(0, first - 1);
    cells.offsetsFromZero = true;
    for (const bool offsets : {true, false}) {
      if (lower(word()) != (offsets ? "offsets" : "connectivity"))
        throw Corrupt("its CELLS have no OFFSETS and CONNECTIVITY", "check the file");
      const std::string type = word();
      const auto number = typeNamed(type);
      if (!number) throw Unsupported("has cells of type " + printable(type));
      VtkArray list = placed(*number, 1, {offsets ? first : second, 1, 1});
      if (offsets)
        cells.offsets = std::move(list);
      else
        cells.connectivity = std::move(list);
    }
  }

  void readCellTypes() {
    const std::int64_t count = integer(0, kMostNodes);
    VtkCells& cells = cellLists();
    cells.types = placed(NumberType::I32, 1, {count, 1, 1});
    if (count != cells.count)
      throw Corrupt("has " + std::to_string(count) + " types of " + std::to_string(cells.count) + " cells",
                    "check the file");
    m_grid.listed = count;
  }

  void finishCells() {
    if (m_isSurface && m_grid.points && m_grid.listed > 0) return;
    if (!m_grid.points || m_grid.lists.empty() || m_grid.lists.front().types.pieces.empty() ||
        m_grid.lists.front().connectivity.pieces.empty() || m_grid.listed == 0)
      throw Unsupported("has no POINTS, CELLS or CELL_TYPES", "check that the copy is complete");
    m_grid.lists.front().points = m_grid.nodes[0];
  }

  /// Skips to an empty line.
  void skipMetadata() {
    line();
    while (!atEnd() && !line().empty()) {
    }
  }

  bool readAttribute(const std::string& key) {
    if (key == "lookup_table") {
      const std::string name = word();
      const std::int64_t size = integer(0, 1 << 24);
      skipNumbers(m_text ? NumberType::F32 : NumberType::U8, 4 * size);
      note("left out: the lookup table " + printable(name));
    } else if (key == "scalars") {
      const std::string name = decoded(word());
      const std::string type = word();
      int components = 1;
      std::string next = lower(word());
      if (!next.empty() && next != "lookup_table") {
        components = static_cast<int>(integerIn(next, 1, kMostComponents));
        next = lower(word());
      }
      if (next == "lookup_table")
        word();
      else
        throw Corrupt("the scalars " + printable(name) + " name no LOOKUP_TABLE", "check the file");
      addValues(name, type, components);
    } else if (key == "vectors" || key == "normals") {
      const std::string name = decoded(word());
      addValues(name, word(), 3);
    } else if (key == "tensors" || key == "tensors6") {
      const std::string name = decoded(word());
      addValues(name, word(), key == "tensors" ? 9 : 6);
    } else if (key == "texture_coordinates") {
      const std::string name = decoded(word());
      const int components = static_cast<int>(integer(1, 3));
      addValues(name, word(), components);
    } else if (key == "color_scalars") {
      const std::string name = decoded(word());
      const int components = static_cast<int>(integer(1, 16));
      addValues(name, m_text ? "float" : "unsigned_char", components);
    } else {
      return false;
    }
    return true;
  }

  void readFieldArray() {
    std::string name = decoded(word());
    while (lower(name) == "metadata") {
      skipMetadata();
      name = decoded(word());
    }
    const std::int64_t components = integer(0, kMostComponents), tuples = integer(0, kMostNodes);
    const std::string type = word();
    if (m_inData && components > 0 && tuples == product(m_onCells ? m_grid.cells() : dims()))
      return addValues(name, type, static_cast<int>(components));
    const auto number = typeNamed(type);
    const std::int64_t count = checkedProduct({components, tuples});
    if (!number) {
      note("left out: " + printable(name) + " of type " + printable(type) + " and all that follows");
      m_more = false;
      return;
    }
    // VISIT's name, and VTK's own.
    if ((lower(name) == "time" || lower(name) == "timevalue") && count == 1) {
      readTime(*number);
      return;
    }
    skipNumbers(*number, count);
    note("left out: the field " + printable(name));
  }

  void readTime(NumberType type) {
    double value = 0;
    if (m_text) {
      value = real();
    } else {
      std::byte bytes[8], kept[8];
      const std::uint64_t at = values(static_cast<std::uint64_t>(arrays::bytesOf(type)));
      m_file->readAt(at, {bytes, static_cast<std::size_t>(arrays::bytesOf(type))});
      arrays::convert(type, true, bytes, 0, 1, kept, 0);
      value = valueAt(kept, arrays::keptAs(type), 0);
    }
    m_grid.time = value;
  }

  Index3 dims() const {
    if (!m_hasDims) throw Corrupt("has values before its DIMENSIONS", "check the file");
    checkedProduct({m_grid.nodes[0], m_grid.nodes[1], m_grid.nodes[2]});
    return m_grid.nodes;
  }

  static std::optional<NumberType> typeNamed(const std::string& name) {
    const std::string plain = lower(name);
    // "long" was written by machines where it has 64 bits; identifiers differ between text and binary
    if (plain == "long" || plain == "vtktypeint64") return NumberType::I64;
    if (plain == "unsigned_long" || plain == "vtktypeuint64") return NumberType::U64;
    if (plain == "vtkidtype") return NumberType::I32;
    return arrays::numberTypeNamed(plain);
  }

  VtkArray coordinates(int components, std::int64_t nodes) {
    const std::int64_t count = integer(0, kMostNodes * 4);
    const std::string type = word();
    const auto number = typeNamed(type);
    if (!number) throw Unsupported("has coordinates of type " + printable(type));
    if (count != nodes)
      throw Corrupt(
          "has " + std::to_string(count) + " coordinates where its dimensions say " + std::to_string(nodes),
          "check the file");
    return placed(*number, components, m_grid.kind == VtkKind::Structured ? dims() : Index3{nodes, 1, 1});
  }

  void addValues(const std::string& name, const std::string& type, int components) {
    const auto number = typeNamed(type);
    const Index3 counts = m_onCells ? m_grid.cells() : dims();
    if (lower(type) == "bit" && !m_text) {
      values(
          static_cast<std::uint64_t>((checkedProduct({product(counts), std::int64_t{components}}) + 7) / 8));
      return note("left out: " + printable(name) + ", which is bits");
    }
    if (!number) {
      m_more = false;
      return note("left out: " + printable(name) + " of type " + printable(type) + " and all that follows");
    }
    VtkArray array = placed(*number, components, counts);
    if (name == kGhostName && m_grid.kind == VtkKind::Unstructured) {
      if (m_onCells) markGhosts(m_grid, 0, array);
      return;
    }
    if (name == kGhostName && components == 1) {
      (m_onCells ? m_grid.hiddenCells : m_grid.hiddenPoints) = std::move(array);
      return;
    }
    array.name = name;
    array.onCells = m_onCells;
    const bool twice = std::any_of(m_grid.arrays.begin(), m_grid.arrays.end(), [&](const VtkArray& its) {
      return its.name == name && its.onCells == m_onCells;
    });
    if (twice) array.name += " again";
    addArray(m_grid, std::move(array));
  }

  /// The values that follow here.
  VtkArray placed(NumberType type, int components, const Index3& counts) {
    VtkArray array;
    array.type = type;
    array.components = components;
    array.bigEndian = !m_text && arrays::bytesOf(type) > 1;
    const std::uint64_t bytes = arrays::bytesOfAll(counts, components, type);
    const auto numbers = bytes / static_cast<std::uint64_t>(arrays::bytesOf(type));
    std::shared_ptr<const arrays::ByteSource> source = m_file;
    std::uint64_t offset = 0;
    if (!m_text) {
      offset = values(bytes);
    } else {
      // as many numbers as there is room for
      if (numbers > (m_file->size() - position() + 1) / 2)
        throw Corrupt("ends before its values do", "check that the copy is complete");
      if (m_mayCopy) {
        arrays::GrowingCopy& copy = m_shared.copyFile();
        offset = copy.size();
        arrays::TextNumbers text(*m_file, position());
        text.append(type, numbers, copy.file());
        seek(text.offset());
        source = m_shared.copy;
      } else {
        skipNumbers(type, static_cast<std::int64_t>(numbers));
        source = nullptr;
      }
    }
    array.pieces.push_back(arrays::densePiece(counts, type, components, false, std::move(source), offset));
    return array;
  }

  void skipNumbers(NumberType type, std::int64_t count) {
    if (!m_text) {
      values(static_cast<std::uint64_t>(checkedProduct({count, std::int64_t{arrays::bytesOf(type)}})));
      return;
    }
    arrays::TextNumbers text(*m_file, position());
    for (std::int64_t n = 0; n < count; ++n)
      if (text.word().empty()) throw Corrupt("ends before its values do", "check that the copy is complete");
    seek(text.offset());
  }

  /// The offset of `bytes` bytes that begin on the next line; continues after them.
  std::uint64_t values(std::uint64_t bytes) {
    line();
    const std::uint64_t at = position();
    if (bytes > m_file->size() - at)
      throw Corrupt("is too short: " + std::to_string(m_file->size()) + " bytes where " +
                        std::to_string(at + bytes) + " are needed",
                    "check that the copy is complete");
    seek(at + bytes);
    return at;
  }

  // --- letters

  std::uint64_t position() const { return m_pieceOffset + m_at; }
  void seek(std::uint64_t offset) {
    m_pieceOffset = offset;
    m_piece.clear();
    m_at = 0;
  }
  bool atEnd() { return m_at == m_piece.size() && !fill(); }
  bool fill() {
    m_pieceOffset += m_piece.size();
    m_piece.clear();
    m_at = 0;
    const std::uint64_t left = m_file->size() - std::min(m_file->size(), m_pieceOffset);
    if (left == 0) return false;
    m_piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, 4096)));
    m_file->readAt(m_pieceOffset, std::as_writable_bytes(std::span(m_piece)));
    return true;
  }
  /// The rest of the line without its end; continues with the next.
  std::string line() {
    std::string text;
    while (!atEnd()) {
      const char letter = m_piece[m_at++];
      if (letter == '\n') break;
      if (text.size() == 4096) throw Corrupt("has a line that does not end", "check the file");
      text += letter;
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
    return text;
  }
  /// The next word, on this line or a later one; empty at the end of the file.
  std::string word() {
    while (!atEnd() && std::isspace(static_cast<unsigned char>(m_piece[m_at]))) ++m_at;
    std::string text;
    while (!atEnd() && !std::isspace(static_cast<unsigned char>(m_piece[m_at]))) {
      if (text.size() == 1024) throw Corrupt("has a word that does not end", "check the file");
      text += m_piece[m_at++];
    }
    return text;
  }
  std::int64_t integer(std::int64_t low, std::int64_t high) { return integerIn(word(), low, high); }
  static std::int64_t integerIn(const std::string& text, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || value < low || value > high)
      throw Corrupt("'" + printable(text) + "' is not a whole number from " + std::to_string(low) + " to " +
                        std::to_string(high),
                    "check the file");
    return value;
  }
  double real() {
    const std::string text = word();
    double value = 0;
    const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, status] = std::from_chars(begin, text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size())
      throw Corrupt("'" + printable(text) + "' is not a number", "check the file");
    return value;
  }

  std::shared_ptr<const arrays::ByteSource> m_file;
  bool m_newCells = false;        ///< of version 5
  bool m_isSurface = false;       ///< polygonal data
  std::size_t m_nextSurface = 0;  ///< of kSurfaceCells
  bool m_mayCopy, m_text = false, m_hasDims = false, m_inData = false, m_onCells = false, m_more = true;
  SharedArrays& m_shared;
  std::string m_piece;
  std::size_t m_at = 0;
  std::uint64_t m_pieceOffset = 0;
  VtkGrid m_grid;
};

}  // namespace

VtkGrid readLegacyGrid(std::shared_ptr<const arrays::ByteSource> file, bool copy, SharedArrays& shared) {
  return LegacyReader(std::move(file), copy, shared).read();
}

}  // namespace farfield::vtkfile
