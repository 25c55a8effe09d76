#include "plugins/vtkfile/vtk_xml.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "plugins/vtkfile/cell_shapes.h"
#include "plugins/vtkfile/data_arrays.h"
#include "plugins/vtkfile/number_list.h"
#include "plugins/vtkfile/xml_values.h"

namespace farfield::vtkfile {
namespace {

constexpr std::size_t kMostPieces = 4096;
constexpr int kMostComponents = 1024;
/// Points, or cells, of an unstructured grid.
constexpr std::int64_t kMostListed = (std::int64_t{1} << 31) - 1;

Vec3 vectorFrom(std::string_view text, const char* what, Vec3 otherwise) {
  if (text.empty()) return otherwise;
  const auto numbers = numbersIn<double>(text, what);
  if (numbers.size() != 3) throw Corrupt("its " + std::string(what) + " '" + printable(text) + "' is wrong");
  return {numbers[0], numbers[1], numbers[2]};
}

class GridReader {
 public:
  GridReader(std::shared_ptr<const arrays::ByteSource> file, bool copy, SharedArrays& shared,
             const PieceOf* piece)
      : m_piece(piece),
        m_file(std::move(file)),
        m_elements(readElements(*m_file)),
        m_words(wordsOf()),
        m_values(m_file, m_words, copy, shared) {}

  VtkGrid read() {
    const std::string type(m_elements.front()["type"]);
    if (type == "ImageData")
      m_grid.kind = VtkKind::Image;
    else if (type == "RectilinearGrid")
      m_grid.kind = VtkKind::Rectilinear;
    else if (type == "StructuredGrid")
      m_grid.kind = VtkKind::Structured;
    else if (type == "UnstructuredGrid" || type == "PolyData")
      m_grid.kind = VtkKind::Unstructured;
    else
      throw Unsupported(
          "is VTK's " + printable(type.empty() ? "file of no type" : type) + ", which is not read",
          "give ImageData, RectilinearGrid, StructuredGrid, UnstructuredGrid or PolyData");
    const std::vector<int> data = childrenOf(m_elements, 0, type);
    if (data.empty()) throw Corrupt("has no element " + type, "check the file");
    const XmlElement& grid = m_elements[static_cast<std::size_t>(data.front())];
    if (m_grid.kind != VtkKind::Unstructured) {
      m_whole = m_piece && m_piece->whole ? *m_piece->whole : extentFrom(grid["WholeExtent"]);
      m_grid.nodes = m_whole.size;
    }
    if (m_grid.kind == VtkKind::Image) placeImage(grid);
    readTime(data.front());
    const std::vector<int> pieces = childrenOf(m_elements, data.front(), "Piece");
    if (pieces.empty()) throw Corrupt("has no pieces", "check that the copy is complete");
    if (pieces.size() > kMostPieces)
      throw Unsupported("has more than " + std::to_string(kMostPieces) + " pieces", "write it with fewer");
    if (m_grid.kind == VtkKind::Unstructured) {
      m_grid.nodes = {0, 1, 1};
      for (const int piece : pieces) type == "PolyData" ? readSurfacePiece(piece) : readListedPiece(piece);
      if (!m_piece && (!m_grid.points || m_grid.listed == 0))
        throw Unsupported("has no cells", "give a grid with cells");
    } else {
      for (const int piece : pieces) readPiece(piece);
    }
    if (m_values.copies())
      m_grid.notes.push_back("text, base64 or large blocks, copied into a temporary file");
    if (m_words.compressed) m_grid.notes.push_back("compressed in blocks, each unpacked when it is read");
    return std::move(m_grid);
  }

 private:
  FileWords wordsOf() const {
    if (m_elements.front().name != "VTKFile")
      throw Corrupt("is XML, but no file of VTK: it begins with " + printable(m_elements.front().name),
                    "check the file");
    return FileWords::from(m_elements, *m_file);
  }

  void placeImage(const XmlElement& image) {
    const Vec3 spacing = vectorFrom(image["Spacing"], "spacing", {1, 1, 1});
    std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    if (const std::string_view text = image["Direction"]; !text.empty()) {
      const auto numbers = numbersIn<double>(text, "direction");
      if (numbers.size() != 9) throw Corrupt("its direction '" + printable(text) + "' is wrong");
      // its columns are the directions of the axes
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
          axes[static_cast<std::size_t>(a)][c] = numbers[static_cast<std::size_t>(3 * c + a)];
    }
    m_grid.origin = vectorFrom(image["Origin"], "origin", {});
    for (std::size_t a = 0; a < 3; ++a) {
      m_grid.directions[a] = spacing[static_cast<int>(a)] * axes[a];
      m_grid.origin = m_grid.origin + static_cast<double>(m_whole.first[a]) * m_grid.directions[a];
    }
  }

  void readTime(int data) {
    for (const int fields : childrenOf(m_elements, data, "FieldData"))
      for (const int child : childrenOf(m_elements, fields, "DataArray")) {
        const XmlElement& array = m_elements[static_cast<std::size_t>(child)];
        if (array["Name"] != "TimeValue") continue;
        if (array["format"] != "ascii") {
          readStoredTime(child);
          continue;
        }
        if (array.end - array.begin > 200) continue;
        std::string text(static_cast<std::size_t>(array.end - array.begin), ' ');
        m_file->readAt(array.begin, std::as_writable_bytes(std::span(text)));
        const auto numbers = numbersIn<double>(text, "time");
        if (!numbers.empty()) m_grid.time = numbers.front();
      }
  }
  /// A time that is written as the values are. A rehearsal does not know one in base64.
  void readStoredTime(int child) {
    const XmlElement& element = m_elements[static_cast<std::size_t>(child)];
    if (!arrays::numberTypeNamed(element["type"]) || element["NumberOfTuples"] == "0") return;
    const VtkArray array = readArray(child, {1, 1, 1}, false);
    if (!array.pieces.front().bytes) return;
    arrays::PlacedArray placed = placedOf(array);
    placed.steps.push_back(array.pieces);
    arrays::checkPlaces(placed, 1);
    const ScalarType type = arrays::keptAs(array.type);
    std::vector<std::byte> value(static_cast<std::size_t>(sizeOf(type)));
    arrays::readBox(placed, 0, {{0, 0, 0}, {1, 1, 1}}, 0, 1, value);
    m_grid.time = valueAt(value.data(), type, 0);
  }

  void readPiece(int number) {
    const XmlElement& element = m_elements[static_cast<std::size_t>(number)];
    if (m_piece && isEmptyExtent(element["Extent"])) return;
    IndexBox piece = element.has("Extent") ? extentFrom(element["Extent"]) : m_whole;
    for (std::size_t a = 0; a < 3; ++a) {
      piece.first[a] -= m_whole.first[a];
      if (piece.first[a] < 0 || piece.first[a] + piece.size[a] > m_whole.size[a])
        throw Corrupt("a piece lies outside of the whole extent", "check the file");
    }
    IndexBox cells = piece;
    for (std::size_t a = 0; a < 3; ++a) cells.size[a] = piece.size[a] > 1 ? piece.size[a] - 1 : 1;
    m_own = m_piece ? ownCells(number, cells) : cells;
    if (product(m_own.size) == 0) return;
    for (const int group : childrenOf(m_elements, number, "PointData")) readArrays(group, piece, false);
    for (const int group : childrenOf(m_elements, number, "CellData")) readArrays(group, cells, true);
    if (m_grid.kind == VtkKind::Structured) readPoints(number, piece);
    if (m_grid.kind == VtkKind::Rectilinear) readAxes(number, piece);
  }

  /// An extent without cells, which a process without a part of the grid writes.
  static bool isEmptyExtent(std::string_view text) {
    if (text.empty()) return false;
    const auto numbers = numbersIn<std::int64_t>(text, "extent");
    return numbers.size() == 6 &&
           (numbers[1] < numbers[0] || numbers[3] < numbers[2] || numbers[5] < numbers[4]);
  }

  /// The cells of a structured piece that no other piece has; all of them where nothing says so, or they are no box.
  IndexBox ownCells(int number, const IndexBox& cells) {
    for (const int group : childrenOf(m_elements, number, "CellData"))
      for (const int child : childrenOf(m_elements, group, "DataArray")) {
        const XmlElement& element = m_elements[static_cast<std::size_t>(child)];
        if (element["Name"] != kGhostName || !arrays::numberTypeNamed(element["type"])) continue;
        const VtkArray ghosts = readArray(child, cells.size, true);
        if (ghosts.components != 1) throw Corrupt("its list of ghost cells is wrong", "check the file");
        return ghosts.pieces.front().bytes ? boxOfOwn(ghosts, cells) : cells;
      }
    return cells;
  }
  static IndexBox boxOfOwn(const VtkArray& ghosts, const IndexBox& cells) {
    arrays::PlacedArray placed = placedOf(ghosts);
    placed.steps.push_back(ghosts.pieces);
    arrays::checkPlaces(placed, 1);
    const ScalarType type = arrays::keptAs(ghosts.type);
    constexpr std::int64_t kAtATime = 65536;
    Index3 low = cells.size, high{0, 0, 0}, at;
    std::int64_t own = 0;
    std::vector<std::byte> values;
    for (at[2] = 0; at[2] < cells.size[2]; ++at[2])
      for (at[1] = 0; at[1] < cells.size[1]; ++at[1])
        for (at[0] = 0; at[0] < cells.size[0]; at[0] += kAtATime) {
          StoppableWaits::throwIfStopped();
          const std::int64_t count = std::min(kAtATime, cells.size[0] - at[0]);
          values.resize(static_cast<std::size_t>(count * sizeOf(type)));
          arrays::readBox(placed, 0, {at, {count, 1, 1}}, 0, 1, values);
          for (std::int64_t n = 0; n < count; ++n) {
            if ((static_cast<std::int64_t>(valueAt(values.data(), type, n)) & kLeftOutCells) != 0) continue;
            ++own;
            for (std::size_t a = 0; a < 3; ++a) {
              const std::int64_t index = at[a] + (a == 0 ? n : 0);
              low[a] = std::min(low[a], index);
              high[a] = std::max(high[a], index + 1);
            }
          }
        }
    IndexBox box{cells.first, {0, 0, 0}};
    if (own == 0) return box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.first[a] += low[a];
      box.size[a] = high[a] - low[a];
    }
    return product(box.size) == own ? box : cells;
  }

  /// Leaves of a structured piece what is its own.
  void keepOwn(VtkArray& array) const {
    if (!m_piece || m_grid.kind == VtkKind::Unstructured) return;
    arrays::Piece& piece = array.pieces.front();
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t count =
          array.onCells || piece.nodes.size[a] == 1 ? m_own.size[a] : m_own.size[a] + 1;
      piece.offset += static_cast<std::uint64_t>((m_own.first[a] - piece.nodes.first[a]) * piece.strides[a]);
      piece.nodes.first[a] = m_own.first[a];
      piece.nodes.size[a] = count;
    }
  }

  void readPoints(int number, const IndexBox& piece) {
    const std::vector<int> points = childrenOf(m_elements, number, "Points");
    const auto arrays = points.empty() ? points : childrenOf(m_elements, points.front(), "DataArray");
    if (arrays.empty()) throw Corrupt("a piece has no points", "check that the copy is complete");
    VtkArray array = readArray(arrays.front(), piece.size, false);
    if (array.components != 3) throw Corrupt("its points have not three coordinates", "check the file");
    if (!m_grid.points)
      m_grid.points = arrayWithoutPieces(array);
    else if (m_grid.points->type != array.type || m_grid.points->bigEndian != array.bigEndian)
      throw Unsupported("its pieces have coordinates of different types");
    array.pieces.front().nodes.first = piece.first;
    keepOwn(array);
    m_grid.points->pieces.push_back(array.pieces.front());
  }

  std::int64_t countOf(const XmlElement& element, const char* name) {
    const auto numbers = numbersIn<std::int64_t>(element[name], name);
    if (numbers.size() != 1 || numbers[0] < 0 || numbers[0] > kMostListed)
      throw Corrupt("a piece's " + std::string(name) + " is wrong", "check the file");
    return numbers[0];
  }

  /// A piece of an unstructured grid.
  void readListedPiece(int number) {
    const XmlElement& element = m_elements[static_cast<std::size_t>(number)];
    VtkCells cells;
    cells.points = countOf(element, "NumberOfPoints");
    cells.count = countOf(element, "NumberOfCells");
    cells.pointsBefore = m_grid.nodes[0];
    if (cells.points == 0) return;
    const IndexBox nodes{{m_grid.nodes[0], 0, 0}, {cells.points, 1, 1}},
        own{{m_grid.listed, 0, 0}, {cells.count, 1, 1}};
    m_grid.nodes[0] += cells.points;
    m_grid.listed += cells.count;
    if (m_grid.nodes[0] > kMostListed || m_grid.listed > kMostListed)
      throw Unsupported("has too many points or cells", "grids have up to 2^31 - 1");
    for (const int group : childrenOf(m_elements, number, "PointData")) readArrays(group, nodes, false);
    readPoints(number, nodes);
    if (cells.count == 0) return;
    for (const int group : childrenOf(m_elements, number, "CellData")) readArrays(group, own, true);
    const std::vector<int> groups = childrenOf(m_elements, number, "Cells");
    if (groups.empty()) throw Corrupt("a piece has no cells", "check that the copy is complete");
    const int group = groups.front();
    cells.types = neededList(group, "types", cells.count);
    cells.offsets = neededList(group, "offsets", cells.count);
    cells.connectivity = neededList(group, "connectivity", lastOf(*cells.offsets));
    cells.faceOffsets = listIn(group, "faceoffsets", cells.count);
    if (cells.faceOffsets)
      if (const std::int64_t faces = lastOf(*cells.faceOffsets); faces > 0)
        cells.faces = listIn(group, "faces", faces);
    if (!cells.faces) cells.polyhedra = polyhedraIn(group, cells);
    m_grid.lists.push_back(std::move(cells));
    readGhosts(number, m_grid.lists.size() - 1, own.size);
  }

  /// Of a piece of `counts` cells, which are in the lists from `firstList` on.
  void readGhosts(int number, std::size_t firstList, const Index3& counts) {
    for (const int group : childrenOf(m_elements, number, "CellData"))
      for (const int child : childrenOf(m_elements, group, "DataArray")) {
        const XmlElement& array = m_elements[static_cast<std::size_t>(child)];
        if (array["Name"] == kGhostName && arrays::numberTypeNamed(array["type"]))
          markGhosts(m_grid, firstList, readArray(child, counts, true));
      }
  }

  /// The lists of version 2.3 of the format. Where no cell is a polyhedron they may be empty.
  std::optional<VtkPolyhedra> polyhedraIn(int group, const VtkCells& cells) {
    const std::vector<int> lists = childrenOf(m_elements, group, "DataArray");
    const bool isThere = std::any_of(lists.begin(), lists.end(), [&](int child) {
      return m_elements[static_cast<std::size_t>(child)]["Name"] == "polyhedron_offsets";
    });
    if (!isThere || !hasPolyhedra(cells)) return std::nullopt;
    VtkPolyhedra made;
    made.cellEnds = neededList(group, "polyhedron_offsets", cells.count);
    made.cellFaces = neededList(group, "polyhedron_to_faces", lastOf(made.cellEnds));
    made.faceEnds = neededList(group, "face_offsets", lastOf(made.cellFaces) + 1);
    made.facePoints = neededList(group, "face_connectivity", lastOf(made.faceEnds));
    return made;
  }
  /// False in a rehearsal.
  static bool hasPolyhedra(const VtkCells& cells) {
    if (!cells.types.pieces.front().bytes) return false;
    NumberList types(cells.types);
    for (std::int64_t first = 0; first < cells.count; first += kAtATime) {
      StoppableWaits::throwIfStopped();
      const auto its = types.read(first, std::min(kAtATime, cells.count - first));
      if (std::find(its.begin(), its.end(), kPolyhedron) != its.end()) return true;
    }
    return false;
  }

  /// A list of whole numbers of cells.
  std::optional<VtkArray> listIn(int group, std::string_view name, std::int64_t count) {
    for (const int child : childrenOf(m_elements, group, "DataArray")) {
      if (m_elements[static_cast<std::size_t>(child)]["Name"] != name) continue;
      VtkArray array = readArray(child, {count, 1, 1}, true);
      if (array.components != 1)
        throw Corrupt("its list " + std::string(name) + " is wrong", "check the file");
      return array;
    }
    return std::nullopt;
  }
  VtkArray neededList(int group, std::string_view name, std::int64_t count) {
    auto array = listIn(group, name, count);
    if (!array) throw Corrupt("a piece has no " + std::string(name), "check that the copy is complete");
    return std::move(*array);
  }

  /// A piece of polygonal data: its vertices, lines, polygons and strips are a list each, on the same points.
  void readSurfacePiece(int number) {
    const XmlElement& element = m_elements[static_cast<std::size_t>(number)];
    const std::int64_t points = countOf(element, "NumberOfPoints"), before = m_grid.nodes[0];
    if (points == 0) return;
    const std::size_t firstList = m_grid.lists.size();
    std::int64_t count = 0;
    for (const SurfaceCells& its : kSurfaceCells) {
      const std::string attribute = "NumberOf" + std::string(its.element);
      VtkCells cells;
      cells.count = element.has(attribute) ? countOf(element, attribute.c_str()) : 0;
      const std::vector<int> groups = childrenOf(m_elements, number, its.element);
      if (cells.count == 0) continue;
      if (groups.empty())
        throw Corrupt("a piece has no " + std::string(its.element), "check that the copy is complete");
      cells.points = points;
      cells.pointsBefore = before;
      cells.types = sameTypes(its.type, cells.count);
      cells.offsets = neededList(groups.front(), "offsets", cells.count);
      cells.connectivity = neededList(groups.front(), "connectivity", lastOf(*cells.offsets));
      count += cells.count;
      m_grid.lists.push_back(std::move(cells));
    }
    const IndexBox nodes{{before, 0, 0}, {points, 1, 1}}, own{{m_grid.listed, 0, 0}, {count, 1, 1}};
    m_grid.nodes[0] += points;
    m_grid.listed += count;
    if (m_grid.nodes[0] > kMostListed || m_grid.listed > kMostListed)
      throw Unsupported("has too many points or cells", "grids have up to 2^31 - 1");
    for (const int group : childrenOf(m_elements, number, "PointData")) readArrays(group, nodes, false);
    readPoints(number, nodes);
    if (count == 0) return;
    for (const int group : childrenOf(m_elements, number, "CellData")) readArrays(group, own, true);
    readGhosts(number, firstList, own.size);
  }

  /// The greatest number of a list of ends; 0 in a rehearsal, which copies nothing.
  std::int64_t lastOf(const VtkArray& list) {
    const arrays::Piece& piece = list.pieces.front();
    if (!piece.bytes) return 0;
    arrays::PlacedArray placed;
    placed.type = list.type;
    placed.bigEndian = list.bigEndian;
    placed.steps.push_back(list.pieces);
    arrays::checkPlaces(placed, 1);
    const ScalarType type = arrays::keptAs(list.type);
    constexpr std::int64_t kAtATime = 4096;
    double last = 0;
    for (std::int64_t at = 0; at < piece.nodes.size[0]; at += kAtATime) {
      StoppableWaits::throwIfStopped();
      const std::int64_t count = std::min(kAtATime, piece.nodes.size[0] - at);
      std::vector<std::byte> bytes(static_cast<std::size_t>(count * sizeOf(type)));
      arrays::readBox(placed, 0, {{at, 0, 0}, {count, 1, 1}}, 0, 1, bytes);
      for (std::int64_t n = 0; n < count; ++n) last = std::max(last, valueAt(bytes.data(), type, n));
    }
    if (!(last >= 0 && last <= 64.0 * kMostListed))
      throw Corrupt("its offsets of cells are wrong", "check the file");
    return static_cast<std::int64_t>(last);
  }

  void readAxes(int number, const IndexBox& piece) {
    const std::vector<int> groups = childrenOf(m_elements, number, "Coordinates");
    const auto axes = groups.empty() ? groups : childrenOf(m_elements, groups.front(), "DataArray");
    if (axes.size() != 3) throw Corrupt("a piece has not three axes", "check that the copy is complete");
    for (std::size_t a = 0; a < 3; ++a) {
      VtkArray array = readArray(axes[a], {piece.size[a], 1, 1}, false);
      if (array.components != 1) throw Corrupt("an axis has not one coordinate", "check the file");
      if (!m_grid.axes[a])
        m_grid.axes[a] = arrayWithoutPieces(array);
      else if (m_grid.axes[a]->type != array.type || m_grid.axes[a]->bigEndian != array.bigEndian)
        throw Unsupported("its pieces have axes of different types");
      array.pieces.front().nodes.first = {piece.first[a], 0, 0};
      m_grid.axes[a]->pieces.push_back(array.pieces.front());
    }
  }

  static VtkArray arrayWithoutPieces(VtkArray array) {
    array.pieces.clear();
    return array;
  }

  /// What is hidden of a structured piece.
  void readHidden(int number, const IndexBox& box, bool onCells) {
    VtkArray array = readArray(number, box.size, onCells);
    if (array.components != 1) throw Corrupt("its list of ghost cells is wrong", "check the file");
    array.pieces.front().nodes.first = box.first;
    keepOwn(array);
    std::optional<VtkArray>& list = onCells ? m_grid.hiddenCells : m_grid.hiddenPoints;
    if (!list)
      list = array;
    else if (list->type == array.type && list->bigEndian == array.bigEndian)
      list->pieces.push_back(array.pieces.front());
  }

  /// `box`: the piece's nodes, or cells.
  void readArrays(int group, const IndexBox& box, bool onCells) {
    for (const int child : childrenOf(m_elements, group, "DataArray")) {
      const XmlElement& element = m_elements[static_cast<std::size_t>(child)];
      const std::string name(element["Name"]);
      const bool isNumber = arrays::numberTypeNamed(element["type"]).has_value();
      if (name == kGhostName && isNumber) {
        // of an unstructured grid it is read with the cells
        if (m_grid.kind != VtkKind::Unstructured) readHidden(child, box, onCells);
        continue;
      }
      const bool isGhost = name == kGhostName || name == "vtkValidPointMask";
      if (!isNumber || isGhost) {
        m_grid.notes.push_back("left out: " + printable(name) + " of type " + printable(element["type"]));
        continue;
      }
      VtkArray array = readArray(child, box.size, onCells);
      array.pieces.front().nodes.first = box.first;
      keepOwn(array);
      const auto same = std::find_if(m_grid.arrays.begin(), m_grid.arrays.end(), [&](const VtkArray& its) {
        return its.name == array.name && its.onCells == onCells;
      });
      if (same == m_grid.arrays.end()) {
        addArray(m_grid, std::move(array));
      } else if (same->type != array.type || same->components != array.components ||
                 same->bigEndian != array.bigEndian) {
        throw Unsupported("array " + printable(name) + " differs in type from piece to piece");
      } else {
        same->pieces.push_back(array.pieces.front());
      }
    }
  }

  /// For one piece, which begins at 0.
  VtkArray readArray(int number, const Index3& dims, bool onCells) {
    const XmlElement& element = m_elements[static_cast<std::size_t>(number)];
    VtkArray array;
    array.name = element["Name"];
    array.onCells = onCells;
    const auto type = arrays::numberTypeNamed(element["type"]);
    if (!type) throw Corrupt("an array has no type of numbers", "check the file");
    array.type = *type;
    if (const std::string_view text = element["NumberOfComponents"]; !text.empty()) {
      const auto counts = numbersIn<std::int64_t>(text, "number of components");
      if (counts.size() != 1 || counts[0] < 1 || counts[0] > kMostComponents)
        throw Corrupt("its number of components '" + printable(text) + "' is wrong", "check the file");
      array.components = static_cast<int>(counts[0]);
    }
    const auto numbers =
        static_cast<std::uint64_t>(checkedProduct({dims[0], dims[1], dims[2], array.components}));
    const DataArrays::Found found = m_values.numbersOf(element, array.type, numbers);
    array.bigEndian = found.bigEndian && arrays::bytesOf(array.type) > 1;
    array.pieces.push_back(arrays::densePiece(dims, array.type, array.components, false, found.bytes, 0));
    return array;
  }

  const PieceOf* m_piece;  ///< null: the file is a whole
  std::shared_ptr<const arrays::ByteSource> m_file;
  std::vector<XmlElement> m_elements;
  FileWords m_words;
  DataArrays m_values;
  IndexBox m_whole;
  IndexBox m_own;  ///< cells of the structured piece that is being read
  VtkGrid m_grid;
};

}  // namespace

VtkGrid readXmlGrid(std::shared_ptr<const arrays::ByteSource> file, bool copy, SharedArrays& shared,
                    const PieceOf* piece) {
  return GridReader(std::move(file), copy, shared, piece).read();
}

std::string xmlTypeOf(const arrays::ByteSource& file) {
  std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 2048)), ' ');
  file.readAt(0, std::as_writable_bytes(std::span(start)));
  const std::size_t tag = start.find("<VTKFile");
  const std::size_t end = tag == std::string::npos ? tag : start.find('>', tag);
  const std::size_t type = tag == std::string::npos ? tag : start.find("type=\"", tag);
  if (type == std::string::npos || type > end) return {};
  return start.substr(type + 6, start.find('"', type + 6) - type - 6);
}

}  // namespace farfield::vtkfile
