#include "plugins/vtkhdf/vtkhdf_grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "plugins/arrays/axes.h"

namespace farfield::vtkhdf {
namespace {

using arrays::NumberType;
using hdf5::Dataset;
using vtkfile::VtkArray;
using vtkfile::VtkGrid;

constexpr std::int64_t kMostSteps = 1 << 20, kMostPartitions = 1 << 20;
constexpr std::int64_t kMostListed = std::int64_t{1} << 40;
const std::string kRoot = "/VTKHDF";
/// What a grid, a piece of numbers and a list of cells take in all lists.
constexpr std::uint64_t kGridBytes = sizeof(VtkGrid) + 256, kPieceBytes = sizeof(arrays::Piece) + 64,
                        kCellsBytes = sizeof(vtkfile::VtkCells) + 8 * kPieceBytes;

const cf::Attribute* rootAttribute(const hdf5::Contents& contents, std::string_view name) {
  const hdf5::Group* const root = contents.group(kRoot);
  return root ? cf::findAttribute(root->attributes, name) : nullptr;
}

class Maker {
 public:
  Maker(const hdf5::OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches,
        MemoryAccount& account, std::vector<MemoryClaim>& claims)
      : m_opened(opened),
        m_contents(opened.contents),
        m_caches(caches),
        m_account(account),
        m_claims(claims) {}

  std::vector<VtkGrid> make() {
    const std::string type = typeOf();
    findSteps();
    if (type == "ImageData") return images();
    if (type == "UnstructuredGrid") return meshes({topology("", {}, 0, 1)});
    if (type == "PolyData") return surfaces();
    throw Unsupported("is VTKHDF of type " + printable(type) + ", which is not read",
                      "write it as ImageData, UnstructuredGrid, PolyData or OverlappingAMR");
  }

 private:
  /// A file of a few bytes may say that it has a million steps.
  MemoryClaim claimed(std::uint64_t count, std::uint64_t each) {
    return m_account.claimInEarnest(Purpose::Index, count * each, "the steps of the file");
  }
  static std::uint64_t bytesOfArray(const Dataset& data) {
    return sizeof(VtkArray) + data.name().size() + kPieceBytes;
  }

  /// Drafts of the format had no word for it: it follows from the lists.
  std::string typeOf() const {
    if (const cf::Attribute* const type = rootAttribute(m_contents, "Type")) return type->text;
    if (find("Points") && find("Connectivity") && find("Types")) return "UnstructuredGrid";
    if (rootAttribute(m_contents, "WholeExtent")) return "ImageData";
    if (find("Points") && m_contents.group(kRoot + "/Polygons")) return "PolyData";
    throw Unsupported("has a group VTKHDF without a type, and not the lists of one that is read",
                      "write it with VTK 9.1 or newer");
  }

  /// The dataset of that path, or null.
  const Dataset* find(const std::string& path) const {
    const Dataset* const found = m_contents.dataset(kRoot + "/" + path);
    return found && found->why.empty() && !found->dims.empty() ? found : nullptr;
  }
  const Dataset& need(const std::string& path) const {
    const Dataset* const found = find(path);
    if (!found) throw Corrupt("has no numbers " + kRoot + "/" + path, "check the file");
    return *found;
  }

  /// A short list of whole numbers.
  std::vector<std::int64_t> listOf(const Dataset& data, std::int64_t most) {
    std::vector<std::int64_t> list;
    for (const double number : numbersOf(data, most)) {
      if (!(std::abs(number) < 9e15))
        throw Corrupt("has a count that is none in " + data.path, "check the file");
      list.push_back(static_cast<std::int64_t>(number));
    }
    return list;
  }
  std::vector<double> numbersOf(const Dataset& data, std::int64_t most) {
    std::int64_t count = 1;
    for (const std::int64_t dim : data.dims) count = checkedProduct({count, dim});
    if (count > most)
      throw Unsupported("has " + std::to_string(count) + " numbers in " + data.path, "write fewer pieces");
    m_listed.push_back(claimed(static_cast<std::uint64_t>(count), 2 * sizeof(double)));
    arrays::PlacedArray row;
    row.type = data.type;
    row.bigEndian = data.bigEndian;
    row.steps.push_back({arrays::densePiece({count, 1, 1}, data.type, 1, false, bytes(data), 0)});
    return arrays::readAxis(row, count, m_account);
  }
  std::shared_ptr<const arrays::ByteSource> bytes(const Dataset& data) {
    return hdf5::bytesOf(m_opened.file, data, m_caches);
  }

  void findSteps() {
    if (!m_contents.group(kRoot + "/Steps")) return findTime();
    if (const Dataset* const values = find("Steps/Values")) m_times = numbersOf(*values, kMostSteps);
    if (m_times.empty()) throw Corrupt("has steps without values", "check the file");
  }
  /// A file of one step may say its time as VTK's writers of other formats do.
  void findTime() {
    const Dataset* const time = find("FieldData/TimeValue");
    if (!time || time->dims != std::vector<std::int64_t>{1}) return;
    const double value = numbersOf(*time, 1).front();
    if (std::isfinite(value)) m_times.push_back(value);
  }
  bool hasSteps() const { return m_contents.group(kRoot + "/Steps") != nullptr; }
  std::size_t steps() const { return std::max<std::size_t>(1, m_times.size()); }
  /// A list in Steps with a number per step, or `columns` numbers, of which that of `column` is wanted; zeros if there is none.
  std::vector<std::int64_t> stepList(const std::string& name, std::size_t column = 0,
                                     std::size_t columns = 1) {
    std::vector<std::int64_t> list(steps(), 0);
    const Dataset* const found = find("Steps/" + name);
    if (!found) return list;
    const std::vector<std::int64_t> all = listOf(*found, kMostSteps * 4);
    if (all.size() / columns < steps())
      throw Corrupt("has too few numbers in Steps/" + name, "check the file");
    for (std::size_t n = 0; n < list.size(); ++n) list[n] = all[n * columns + column];
    return list;
  }

  /// Datasets of a folder, and what is said of those that cannot be read.
  std::vector<const Dataset*> valuesIn(const std::string& folder, VtkGrid& grid) const {
    std::vector<const Dataset*> found;
    for (const Dataset& data : m_contents.datasets) {
      if (data.folder() != kRoot + "/" + folder || data.dims.empty()) continue;
      if (data.why.empty())
        found.push_back(&data);
      else if (!data.isText)
        grid.notes.push_back("left out: " + printable(data.name()) + ", which " + data.why);
    }
    return found;
  }

  static VtkArray arrayOf(const Dataset& data, bool onCells, int components) {
    VtkArray array;
    array.name = data.name();
    array.onCells = onCells;
    array.type = data.type;
    array.bigEndian = data.bigEndian;
    array.components = components;
    return array;
  }

  std::vector<double> fixedNumbers(const char* name, std::size_t count, std::vector<double> otherwise) const {
    const cf::Attribute* const found = rootAttribute(m_contents, name);
    if (!found || found->numbers.empty()) return otherwise;
    if (found->numbers.size() != count)
      throw Corrupt("its attribute " + std::string(name) + " has not " + std::to_string(count) + " numbers",
                    "check the file");
    return found->numbers;
  }

  std::vector<VtkGrid> images() {
    VtkGrid grid;
    const std::vector<double> extent = fixedNumbers("WholeExtent", 6, {}),
                              origin = fixedNumbers("Origin", 3, {0, 0, 0}),
                              spacing = fixedNumbers("Spacing", 3, {1, 1, 1}),
                              direction = fixedNumbers("Direction", 9, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    if (extent.empty()) throw Corrupt("has no attribute WholeExtent", "check the file");
    for (std::size_t a = 0; a < 3; ++a) {
      const double nodes = extent[2 * a + 1] - extent[2 * a] + 1;
      if (!(nodes >= 1 && nodes <= 0x1p40)) throw Corrupt("its WholeExtent is none", "check the file");
      grid.nodes[a] = static_cast<std::int64_t>(nodes);
      // rows of the matrix are x, y, z; its columns the axes of the image
      grid.directions[a] = spacing[a] * Vec3{direction[a], direction[3 + a], direction[6 + a]};
    }
    grid.origin = {origin[0], origin[1], origin[2]};
    for (std::size_t a = 0; a < 3; ++a) grid.origin = grid.origin + extent[2 * a] * grid.directions[a];
    m_claims.push_back(claimed(steps(), kGridBytes));
    std::vector<VtkGrid> grids(steps(), grid);
    for (const bool onCells : {false, true})
      for (const Dataset* const data : valuesIn(onCells ? "CellData" : "PointData", grids.front()))
        addImage(*data, onCells, grids);
    for (std::size_t n = 0; n < m_times.size(); ++n) grids[n].time = m_times[n];
    return grids;
  }

  void addImage(const Dataset& data, bool onCells, std::vector<VtkGrid>& grids) {
    const Index3 dims = onCells ? grids.front().cells() : grids.front().nodes;
    // (steps,) k, j, i (, components); VTK leaves out axes of one node
    const std::vector<std::int64_t>& shape = data.dims;
    std::vector<std::int64_t> all, thick;
    for (std::size_t a = 3; a-- > 0;) {
      all.push_back(dims[a]);
      if (grids.front().nodes[a] > 1) thick.push_back(dims[a]);
    }
    bool fits = false, inSteps = false;
    std::int64_t components = 1;
    for (const auto& axes : {all, thick})
      for (const bool stepsFirst : {hasSteps(), false}) {
        const std::size_t first = stepsFirst ? 1 : 0, end = first + axes.size();
        if (fits || axes.empty() || shape.size() < end || shape.size() > end + 1) continue;
        if (stepsFirst && shape.front() < static_cast<std::int64_t>(steps())) continue;
        fits = std::equal(axes.begin(), axes.end(), shape.begin() + static_cast<std::ptrdiff_t>(first));
        inSteps = stepsFirst;
        components = shape.size() > end ? shape.back() : 1;
      }
    if (!fits || components < 1 || components > 64) {
      grids.front().notes.push_back("left out: " + printable(data.name()) +
                                    ", which has another extent than the image");
      return;
    }
    StoppableWaits::throwIfStopped();
    m_claims.push_back(claimed(grids.size(), bytesOfArray(data)));
    const auto source = bytes(data);
    const std::uint64_t stepBytes = arrays::bytesOfAll(dims, static_cast<int>(components), data.type);
    const auto listed = static_cast<std::ptrdiff_t>(m_listed.size());
    const bool isGhost = data.name() == vtkfile::kGhostName && components == 1;
    const auto offsets = inSteps ? offsetsOf(data, onCells) : std::vector<std::int64_t>(grids.size(), 0);
    for (std::size_t n = 0; n < grids.size(); ++n) {
      VtkArray array = arrayOf(data, onCells, static_cast<int>(components));
      array.pieces.push_back(arrays::densePiece(dims, data.type, array.components, false, source,
                                                static_cast<std::uint64_t>(offsets[n]) * stepBytes));
      if (offsets[n] < 0 || (inSteps && offsets[n] >= shape.front()))
        throw Corrupt("step " + std::to_string(n) + " of " + data.path + " lies outside", "check the file");
      if (isGhost)
        (onCells ? grids[n].hiddenCells : grids[n].hiddenPoints) = std::move(array);
      else
        grids[n].arrays.push_back(std::move(array));
    }
    m_listed.erase(m_listed.begin() + listed, m_listed.end());
  }

  /// Where the values of each step begin.
  std::vector<std::int64_t> offsetsOf(const Dataset& data, bool onCells) {
    const std::string list = (onCells ? "CellDataOffsets/" : "PointDataOffsets/") + data.name();
    if (find("Steps/" + list)) return stepList(list);
    std::vector<std::int64_t> offsets(steps());
    for (std::size_t n = 0; n < offsets.size(); ++n) offsets[n] = static_cast<std::int64_t>(n);
    return offsets;
  }

  VtkArray listArray(const Dataset& data, std::int64_t first, std::int64_t count, std::int64_t at,
                     int components, bool onCells) {
    VtkArray array = arrayOf(data, onCells, components);
    addPiece(array, data, first, count, at, components);
    return array;
  }
  /// `count` entries of the list from `first` on as those from `at` on of the grid.
  void addPiece(VtkArray& array, const Dataset& data, std::int64_t first, std::int64_t count, std::int64_t at,
                int components) {
    if (first < 0 || count < 0 || first > data.dims.front() || count > data.dims.front() - first)
      throw Corrupt("its list " + data.path + " is too short", "check the file");
    if (count == 0) return;
    auto& source = m_lists[&data];
    if (!source) source = bytes(data);
    arrays::Piece piece =
        arrays::densePiece({count, 1, 1}, data.type, components, false, source,
                           static_cast<std::uint64_t>(first) *
                               static_cast<std::uint64_t>(components * arrays::bytesOf(data.type)));
    piece.nodes.first = {at, 0, 0};
    array.pieces.push_back(std::move(piece));
  }

  static int componentsOf(const Dataset& data) {
    std::int64_t components = 1;
    for (std::size_t d = 1; d < data.dims.size(); ++d)
      components = checkedProduct({components, data.dims[d]});
    if (components > 64)
      throw Unsupported("has values of " + std::to_string(components) + " components in " + data.path);
    return static_cast<int>(components);
  }

  /// Cells of one kind, in lists of their own: how many each piece has, and where those of each step begin.
  struct Topology {
    std::optional<std::uint8_t> type;  ///< of all cells; none: each has one
    const Dataset *types = nullptr, *connectivity = nullptr, *offsets = nullptr;
    std::vector<std::int64_t> cells, ids;          ///< of the pieces of all steps
    std::vector<std::int64_t> cellsBefore;         ///< each piece, and in all
    std::vector<std::int64_t> firstCell, firstId;  ///< of each step
  };

  /// In `folder` ("Polygons/" or ""), number `column` of `columns`.
  Topology topology(const std::string& folder, std::optional<std::uint8_t> type, std::size_t column,
                    std::size_t columns) {
    Topology its;
    its.type = type;
    its.cells = listOf(need(folder + "NumberOfCells"), kMostPartitions);
    its.ids = listOf(need(folder + "NumberOfConnectivityIds"), kMostPartitions);
    its.firstCell = stepList("CellOffsets", column, columns);
    its.firstId = stepList("ConnectivityIdOffsets", column, columns);
    // lists of cells of which there are none may be empty
    if (std::all_of(its.cells.begin(), its.cells.end(), [](std::int64_t count) { return count == 0; }))
      return its;
    if (!type) its.types = &need("Types");
    its.connectivity = &need(folder + "Connectivity");
    its.offsets = &need(folder + "Offsets");
    return its;
  }

  /// The faces of polyhedra, whose lists hold those of all pieces in a row.
  struct Faces {
    const Dataset *cellEnds, *cellFaces, *faceEnds, *facePoints;
    std::vector<std::int64_t> namesBefore, facesBefore, pointsBefore;  ///< each piece, and in all
  };

  /// None where there are none, or their lists are not those of all pieces: polyhedra are refused then.
  std::optional<Faces> facesOf(const Topology& its) {
    Faces made{find("PolyhedronOffsets"),
               find("PolyhedronToFaces"),
               find("FaceOffsets"),
               find("FaceConnectivity"),
               {},
               {},
               {}};
    if (its.type || !made.cellEnds || !made.cellFaces || !made.faceEnds || !made.facePoints)
      return std::nullopt;
    const std::size_t parts = its.cells.size();
    const auto countsOf = [&](const char* name, std::vector<std::int64_t>& before) {
      const Dataset* const list = find(name);
      if (!list || list->dims != std::vector<std::int64_t>{static_cast<std::int64_t>(parts)}) return false;
      before.push_back(0);
      for (const std::int64_t count : listOf(*list, kMostPartitions)) {
        if (count < 0 || count > kMostListed) return false;
        before.push_back(before.back() + count);
      }
      return true;
    };
    if (!countsOf("NumberOfPolyhedronToFaceIds", made.namesBefore) ||
        !countsOf("NumberOfFaces", made.facesBefore) ||
        !countsOf("NumberOfFaceConnectivityIds", made.pointsBefore))
      return std::nullopt;
    // a list of ends has a number more in each piece
    const auto holds = [](const Dataset& list, std::int64_t count) {
      return list.dims == std::vector<std::int64_t>{count};
    };
    const auto more = static_cast<std::int64_t>(parts);
    if (!holds(*made.cellEnds, its.cellsBefore.back() + more) ||
        !holds(*made.cellFaces, made.namesBefore.back()) ||
        !holds(*made.faceEnds, made.facesBefore.back() + more) ||
        !holds(*made.facePoints, made.pointsBefore.back()))
      return std::nullopt;
    return made;
  }

  /// Of one piece; none where it has no faces.
  std::optional<vtkfile::VtkPolyhedra> polyhedraOf(const Faces& faces, const Topology& its,
                                                   std::size_t part) {
    const auto countOf = [part](const std::vector<std::int64_t>& before) {
      return before[part + 1] - before[part];
    };
    const std::int64_t names = countOf(faces.namesBefore), count = countOf(faces.facesBefore),
                       points = countOf(faces.pointsBefore), more = static_cast<std::int64_t>(part);
    if (names == 0 || count == 0 || points == 0) return std::nullopt;
    return vtkfile::VtkPolyhedra{
        listArray(*faces.cellEnds, its.cellsBefore[part] + more, its.cells[part] + 1, 0, 1, true),
        listArray(*faces.cellFaces, faces.namesBefore[part], names, 0, 1, true),
        listArray(*faces.faceEnds, faces.facesBefore[part] + more, count + 1, 0, 1, true),
        listArray(*faces.facePoints, faces.pointsBefore[part], points, 0, 1, true)};
  }

  std::vector<VtkGrid> surfaces() {
    // in the order of vtkfile::kSurfaceCells, which is that of their values
    constexpr const char* kFolders[] = {"Vertices", "Lines", "Polygons", "Strips"};
    std::vector<Topology> found;
    for (std::size_t n = 0; n < std::size(kFolders); ++n)
      if (m_contents.group(kRoot + "/" + kFolders[n]))
        found.push_back(
            topology(std::string(kFolders[n]) + "/", vtkfile::kSurfaceCells[n].type, n, std::size(kFolders)));
    if (found.empty()) throw Corrupt("has no cells", "check the file");
    return meshes(found);
  }

  /// A list of ends has a number more than there are cells in each piece. How many pieces are in the list of `its` before the
  /// cells of a step, whose pieces begin with `firstPart`: fewer where the step has the cells of an earlier one.
  static std::int64_t piecesBefore(const Topology& its, std::int64_t firstCell, std::int64_t firstPart) {
    const auto first = its.cellsBefore.begin();
    if (first[firstPart] <= firstCell) return firstPart;
    return std::lower_bound(first, its.cellsBefore.end(), firstCell) - first;
  }

  std::vector<VtkGrid> meshes(std::vector<Topology> topologies) {
    const Dataset& points = need("Points");
    if (componentsOf(points) != 3) throw Corrupt("its points have not three components", "check the file");
    const std::vector<std::int64_t> pointCounts = listOf(need("NumberOfPoints"), kMostPartitions);
    const auto total = static_cast<std::int64_t>(pointCounts.size());
    for (const Topology& its : topologies)
      if (its.cells.size() != pointCounts.size() || its.ids.size() != pointCounts.size() || total == 0)
        throw Corrupt("its pieces do not agree", "check the file");
    for (Topology& its : topologies) {
      its.cellsBefore.push_back(0);
      for (std::size_t part = 0; part < pointCounts.size(); ++part) {
        if (pointCounts[part] < 0 || its.cells[part] < 0 || its.ids[part] < 0 ||
            pointCounts[part] > kMostListed || its.cells[part] > kMostListed || its.ids[part] > kMostListed)
          throw Corrupt("its pieces have no possible sizes", "check the file");
        its.cellsBefore.push_back(its.cellsBefore.back() + its.cells[part]);
      }
    }
    const std::optional<Faces> faces = facesOf(topologies.front());
    std::vector<std::int64_t> partsOf(steps(), total),
        firstPart = stepList("PartOffsets"), pointOffsets = stepList("PointOffsets"), cellOffsets(steps(), 0);
    for (const Topology& its : topologies)
      for (std::size_t n = 0; n < steps(); ++n) {
        if (its.firstCell[n] < 0 || its.firstCell[n] > kMostListed)
          throw Corrupt("its cells of step " + std::to_string(n) + " do not exist", "check the file");
        cellOffsets[n] += its.firstCell[n];
      }
    if (const Dataset* const parts = find("Steps/NumberOfParts")) partsOf = listOf(*parts, kMostSteps);
    if (partsOf.size() < steps())
      throw Corrupt("has too few numbers in Steps/NumberOfParts", "check the file");
    std::int64_t listedParts = 0;  // of all steps, which may name the same ones
    for (std::size_t n = 0; n < steps(); ++n) {
      if (firstPart[n] < 0 || partsOf[n] < 1 || firstPart[n] > total || partsOf[n] > total - firstPart[n])
        throw Corrupt("its pieces of step " + std::to_string(n) + " do not exist", "check the file");
      listedParts += partsOf[n];
      if (listedParts > static_cast<std::int64_t>(kMostPartitions))
        throw Unsupported("has more than a million pieces in all steps", "write fewer pieces");
    }
    m_claims.push_back(claimed(steps(), kGridBytes));
    m_claims.push_back(
        claimed(static_cast<std::uint64_t>(listedParts), kPieceBytes + topologies.size() * kCellsBytes));
    std::vector<VtkGrid> grids(steps());
    for (std::size_t n = 0; n < grids.size(); ++n) {
      StoppableWaits::throwIfStopped();
      VtkGrid& grid = grids[n];
      grid.kind = vtkfile::VtkKind::Unstructured;
      if (n < m_times.size()) grid.time = m_times[n];
      std::vector<std::int64_t> cellAt(topologies.size(), 0), idAt(topologies.size(), 0), before;
      for (const Topology& its : topologies)
        before.push_back(piecesBefore(its, its.firstCell[n], firstPart[n]));
      std::int64_t pointAt = 0;
      grid.points = arrayOf(points, false, 3);
      for (std::int64_t part = 0; part < partsOf[n]; ++part) {
        const auto p = static_cast<std::size_t>(firstPart[n] + part);
        if (pointAt > kMostListed || grid.listed > kMostListed)
          throw Corrupt("its pieces have no possible sizes", "check the file");
        addPiece(*grid.points, points, pointOffsets[n] + pointAt, pointCounts[p], pointAt, 3);
        for (std::size_t t = 0; t < topologies.size(); ++t) {
          const Topology& its = topologies[t];
          if (its.cells[p] > 0) {
            vtkfile::VtkCells cells;
            cells.count = its.cells[p];
            cells.points = pointCounts[p];
            cells.pointsBefore = pointAt;
            const std::int64_t first = its.firstCell[n] + cellAt[t];
            cells.types = its.type ? vtkfile::sameTypes(*its.type, cells.count)
                                   : listArray(*its.types, first, cells.count, 0, 1, true);
            cells.connectivity =
                listArray(*its.connectivity, its.firstId[n] + idAt[t], its.ids[p], 0, 1, true);
            cells.offsets = listArray(*its.offsets, first + before[t] + part, cells.count + 1, 0, 1, true);
            cells.offsetsFromZero = true;
            if (faces) cells.polyhedra = polyhedraOf(*faces, its, p);
            grid.lists.push_back(std::move(cells));
          }
          cellAt[t] += its.cells[p];
          idAt[t] += its.ids[p];
          grid.listed += its.cells[p];
        }
        pointAt += pointCounts[p];
      }
      grid.nodes = {pointAt, 1, 1};
    }
    for (const bool onCells : {false, true}) addValues(onCells, grids, onCells ? cellOffsets : pointOffsets);
    return grids;
  }

  void addValues(bool onCells, std::vector<VtkGrid>& grids, const std::vector<std::int64_t>& gridOffsets) {
    const std::string folder = onCells ? "CellData" : "PointData";
    for (const Dataset* const data : valuesIn(folder, grids.front())) {
      const bool isGhost = data->name() == vtkfile::kGhostName;
      if (isGhost && !onCells) continue;
      const int components = componentsOf(*data);
      const std::string list = folder + "Offsets/" + data->name();
      const bool own = find("Steps/" + list) != nullptr;
      const auto listed = static_cast<std::ptrdiff_t>(m_listed.size());
      const std::vector<std::int64_t> offsets = own ? stepList(list) : gridOffsets;
      StoppableWaits::throwIfStopped();
      MemoryClaim claim = claimed(grids.size(), bytesOfArray(*data));
      std::uint64_t added = 0;
      for (std::size_t n = 0; n < grids.size(); ++n) {
        const std::int64_t count = onCells ? grids[n].listed : grids[n].nodes[0];
        if (offsets[n] < 0 || offsets[n] > data->dims.front() || count > data->dims.front() - offsets[n]) {
          if (n == 0)
            grids[n].notes.push_back("left out: " + printable(data->name()) + ", which has too few values");
          break;
        }
        VtkArray array = listArray(*data, offsets[n], count, 0, components, onCells);
        if (isGhost)
          vtkfile::markGhosts(grids[n], 0, array);
        else
          grids[n].arrays.push_back(std::move(array));
        ++added;
      }
      claim.shrink(added * bytesOfArray(*data));
      m_claims.push_back(std::move(claim));
      m_listed.erase(m_listed.begin() + listed, m_listed.end());
    }
  }

  const hdf5::OpenedHdf5& m_opened;
  const hdf5::Contents& m_contents;
  std::shared_ptr<chunks::ChunkCaches> m_caches;
  MemoryAccount& m_account;
  std::vector<MemoryClaim>& m_claims;
  std::vector<MemoryClaim> m_listed;  ///< for numbers that are of no use once the grids are made
  std::vector<double> m_times;
  std::map<const Dataset*, std::shared_ptr<const arrays::ByteSource>> m_lists;
};

}  // namespace

bool isVtkHdf(const hdf5::File& file) {
  return file.has(kRoot.c_str() + 1) && !file.has("farfield");
}

std::vector<VtkGrid> gridsOf(const hdf5::OpenedHdf5& opened,
                             const std::shared_ptr<chunks::ChunkCaches>& caches, MemoryAccount& account,
                             std::vector<MemoryClaim>& claims) {
  return Maker(opened, caches, account, claims).make();
}

}  // namespace farfield::vtkhdf
