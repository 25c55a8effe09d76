#include "core/paging/arranging/mesh_arranger.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/record_sorter.h"
#include "core/paging/arranging/curve.h"
#include "core/paging/arranging/face_table.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/arranging/paged_array.h"
#include "core/paging/arranging/part_writer.h"
#include "core/paging/location/cell_boxes.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20;
constexpr std::int64_t kMostNumbered = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kPointsAtATime = 4096;
constexpr std::int64_t kCellsBetweenChecks = 4096;
/// Of a file that changes while it is read.
constexpr const char *kOtherCells = "has other cells than when it was opened", *kOpenAgain = "open it again";
/// Parts of a polyhedron among which the one is looked for that a face belongs to.
constexpr std::int32_t kMostLookedAt = 1024;

/// A cell on its way to its place.
struct PlacedCell {
  std::uint64_t key = 0;
  std::int64_t number = 0;  ///< in the file
  CellNodes nodes{};
  CellBox box;
  std::int32_t part = 0;  ///< of the pieces of a polyhedron
  bool operator<(const PlacedCell& other) const {
    if (key != other.key) return key < other.key;
    return number != other.number ? number < other.number : part < other.part;
  }
};

/// The same cell, with the other handedness.
CellNodes mirrored(const CellNodes& c) {
  switch (shapeOf(c)) {
    case UnstructuredShape::Tetrahedron:
      return {c[1], c[0], c[2], c[2], c[4], c[4], c[4], c[4]};
    case UnstructuredShape::Pyramid:
      return {c[1], c[0], c[3], c[2], c[4], c[4], c[4], c[4]};
    case UnstructuredShape::Wedge:
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {c[4], c[5], c[6], c[7], c[0], c[1], c[2], c[3]};
}

/// Where the cells of a file have come to, by their numbers there and the parts of those that come as several.
class NewNumbers {
 public:
  /// Of cells with numbers below `numbers`; `countParts` calls its argument with the number of each cell in the file's order, and is null where no
  /// cell comes in parts.
  NewNumbers(std::uint64_t numbers,
             const std::function<void(const std::function<void(std::int64_t)>&)>& countParts,
             std::uint64_t memoryBytes, MemoryAccount& account, const std::filesystem::path& folder) {
    if (countParts) {
      m_parts.emplace(numbers, sizeof(Parts), memoryBytes / 2, account, folder);
      std::int32_t all = 0;
      countParts([&](std::int64_t number) {
        auto parts = m_parts->get<Parts>(at(number));
        if (parts.count < 0) parts = {all, 0};
        ++parts.count;
        ++all;
        m_parts->set(at(number), parts);
      });
      numbers = at(all);
    }
    m_placed.emplace(numbers, sizeof(std::int32_t), m_parts ? memoryBytes / 2 : memoryBytes, account, folder);
  }

  void set(std::int64_t number, std::int32_t part, std::int32_t cell) {
    m_placed->set(placeOf(number, part), cell);
  }
  /// 0 where no cell has the number.
  std::int32_t partsOf(std::int64_t number) {
    if (!m_parts) return get(number, 0) < 0 ? 0 : 1;
    return std::max(0, m_parts->get<Parts>(at(number)).count);
  }
  /// Of a part that there is.
  std::int32_t get(std::int64_t number, std::int32_t part) {
    return m_placed->get<std::int32_t>(placeOf(number, part));
  }

 private:
  struct Parts {
    std::int32_t first, count;  ///< both -1 where no cell has the number
  };
  static std::uint64_t at(std::int64_t number) { return static_cast<std::uint64_t>(number); }
  std::uint64_t placeOf(std::int64_t number, std::int32_t part) {
    if (!m_parts) return at(number);
    const auto parts = m_parts->get<Parts>(at(number));
    // they were counted when the file was read once more
    if (part >= parts.count) throw Corrupt(kOtherCells, kOpenAgain);
    return at(parts.first) + at(part);
  }

  std::optional<PagedArray> m_parts;   ///< of numbers
  std::optional<PagedArray> m_placed;  ///< of parts, or of numbers where there are none
};

class Arranger {
 public:
  Arranger(const MeshInput& input, File out, MemoryAccount& account, const std::filesystem::path& folder,
           const std::stop_token& stop)
      : m_input(input), m_out(std::move(out)), m_account(account), m_folder(folder), m_stop(stop) {
    m_memory = std::max(kLeastBytes, account.obtainableBytes() / 2);
    m_mesh.nodes = input.nodes();
    m_mesh.pointSteps = input.pointSteps();
    m_mesh.pointType = input.pointType() == ScalarType::F32 ? ScalarType::F32 : ScalarType::F64;
    if (m_mesh.nodes < 1 || m_mesh.nodes > kMostNumbered)
      throw Unsupported("has " + std::to_string(m_mesh.nodes) + " points", "grids have 1 to 2^31 - 1");
  }

  ArrangedMesh arrange() {
    const trace::Scope scope("convert", "arrange cells");
    findBounds();
    {
      RecordSorter<PlacedCell> cells(m_memory / 2, m_account, m_folder);
      placeCells(cells);
      m_mesh.cells = static_cast<std::int64_t>(cells.count());
      if (m_mesh.cells == 0)
        throw Unsupported(
            "has no cell with a volume or an area, and points and lines alone are not shown (points: " +
                std::to_string(m_mesh.nodes) + ")",
            "give a grid with cells");
      if (m_mesh.cells > kMostNumbered)
        throw Unsupported("has " + std::to_string(m_mesh.cells) + " cells", "grids have up to 2^31 - 1");
      m_mesh.placeParts();
      PagedArray numberOf(count(m_mesh.nodes), sizeof(std::int32_t), m_memory / 8, m_account, m_folder);
      std::optional<NewNumbers> cellOf;
      if (!m_input.surfaces().empty()) {
        const auto countParts = [&](const std::function<void(std::int64_t)>& countOne) {
          std::int64_t seen = 0;
          m_input.forEachCell([&](std::int64_t number, const CellNodes&) {
            if (seen++ % kCellsBetweenChecks == 0) checkStop();
            if (number > m_lastNumber) throw Corrupt(kOtherCells, kOpenAgain);
            countOne(number);
          });
        };
        using Count = std::function<void(const std::function<void(std::int64_t)>&)>;
        cellOf.emplace(sourceCells(), m_hasParts ? Count(countParts) : Count(), m_memory / 16, m_account,
                       m_folder);
      }
      const Border border = writeCells(cells, numberOf, cellOf ? &*cellOf : nullptr);
      numberRest(numberOf);
      writeFaces(border.faces, numberOf, cellOf ? &*cellOf : nullptr);
    }
    writeMovedBounds();
    for (std::int64_t step = 0; step < m_mesh.pointSteps; ++step) writeUpperBounds(step);
    if (m_mesh.pointSteps == 1) writePoints();
    m_mesh.file = std::make_shared<const File>(std::move(m_out));
    return std::move(m_mesh);
  }

 private:
  static std::uint64_t count(std::int64_t items) { return static_cast<std::uint64_t>(items); }
  std::uint64_t sourceCells() const { return count(m_lastNumber + 1); }
  void checkStop() const {
    if (m_stop.stop_requested()) throw Cancelled();
  }

  void findBounds() {
    std::vector<double> points;
    for (std::int64_t step = 0; step < m_mesh.pointSteps; ++step)
      for (std::int64_t first = 0; first < m_mesh.nodes; first += kPointsAtATime) {
        checkStop();
        points.resize(static_cast<std::size_t>(3 * std::min(kPointsAtATime, m_mesh.nodes - first)));
        m_input.readPoints(step, first, points);
        for (std::size_t n = 0; n < points.size(); n += 3) {
          const Vec3 point{points[n], points[n + 1], points[n + 2]};
          if (isFinite(point)) m_mesh.bounds.add(point);
        }
      }
    if (m_mesh.bounds.empty()) throw Unsupported("has no point with finite coordinates", "check the file");
  }

  PagedArray pointsOf(std::int64_t step, std::uint64_t memoryBytes) {
    return PagedArray(count(m_mesh.nodes), sizeof(Vec3), memoryBytes, m_account, m_folder,
                      [this, step](std::uint64_t offset, std::span<std::byte> out) {
                        m_input.readPoints(
                            step, static_cast<std::int64_t>(offset / sizeof(Vec3)),
                            {reinterpret_cast<double*>(out.data()), out.size() / sizeof(double)});
                      });
  }

  /// Empty of a cell with a corner that is not finite.
  static CellBox boxAround(const std::array<Vec3, kCellCorners>& corners) {
    CellBox box;
    for (const Vec3& corner : corners) {
      if (!isFinite(corner)) return {};
      for (int a = 0; a < 3; ++a) {
        box.min[a] = std::min(box.min[a], roundedDown(corner[a]));
        box.max[a] = std::max(box.max[a], roundedUp(corner[a]));
      }
    }
    return box;
  }

  /// Where the nodes stood in the grid, once these places are written.
  PagedArray nodeOrder() {
    return PagedArray(count(m_mesh.nodes), sizeof(std::int32_t), m_memory / 8, m_account, m_folder,
                      [this](std::uint64_t offset, std::span<std::byte> out) {
                        m_out.readAt(m_mesh.nodeOrderAt + offset, out);
                      });
  }

  void placeCells(RecordSorter<PlacedCell>& cells) {
    PagedArray points = pointsOf(0, m_memory / 2);
    std::int64_t last = -1;
    std::int32_t part = 0;
    m_input.forEachCell([&](std::int64_t number, const CellNodes& nodes) {
      if (cells.count() % kCellsBetweenChecks == 0) checkStop();
      part = number == last ? part + 1 : 0;
      m_hasParts = m_hasParts || part > 0;
      last = number;
      m_lastNumber = std::max(m_lastNumber, number);
      PlacedCell cell{0, number, nodes, {}, part};
      std::array<Vec3, kCellCorners> corners;
      Vec3 sum;
      for (std::size_t c = 0; c < kCellCorners; ++c) {
        if (nodes[c] < 0 || nodes[c] >= m_mesh.nodes)
          throw Corrupt("cell " + std::to_string(number) + " has point " + std::to_string(nodes[c]) +
                            ", and there are " + std::to_string(m_mesh.nodes),
                        "check the file");
        corners[c] = points.get<Vec3>(count(nodes[c]));
        sum = sum + corners[c];
      }
      if (isFinite(sum)) cell.key = placeOnCurve(1.0 / kCellCorners * sum, m_mesh.bounds);
      cell.box = boxAround(corners);
      // the volume's sign, from the directions between the means of opposite faces
      std::array<Vec3, 3> across;
      for (std::size_t c = 0; c < kCellCorners; ++c)
        for (std::size_t a = 0; a < 3; ++a) across[a] = across[a] + ((c >> a & 1) ? 1.0 : -1.0) * corners[c];
      if (dot(across[0], cross(across[1], across[2])) < 0) cell.nodes = mirrored(nodes);
      cells.add(cell);
    });
  }

  /// Writes cells, their order, neighbours and bounds, and numbers their nodes. Returns the border.
  Border writeCells(RecordSorter<PlacedCell>& cells, PagedArray& numberOf, NewNumbers* cellOf) {
    PagedArray neighbours(count(m_mesh.cells), kCellFaces * sizeof(std::int32_t), m_memory / 8, m_account,
                          m_folder);
    FaceTable table(m_account);
    PartWriter out(m_out, m_mesh.cellsAt), order(m_out, m_mesh.cellOrderAt), nodes(m_out, m_mesh.nodeOrderAt),
        bounds(m_out, m_mesh.boundsAt.front());
    CellBox box;
    std::int32_t number = 0;
    cells.forEach([&](const PlacedCell& cell) {
      if (number % kCellsBetweenChecks == 0) checkStop();
      CellNodes numbered;
      for (std::size_t c = 0; c < kCellCorners; ++c) {
        const auto node = count(cell.nodes[c]);
        std::int32_t known = numberOf.get<std::int32_t>(node);
        if (known < 0) {
          known = m_numbered++;
          numberOf.set(node, known);
          nodes.add(cell.nodes[c]);
        }
        numbered[c] = known;
      }
      if (isFlat(numbered))
        ++m_mesh.flat;
      else
        ++m_mesh.shapes[static_cast<std::size_t>(shapeOf(numbered))];
      for (std::size_t face = 0; face < kCellFaces && !isFlat(numbered); ++face) {
        FaceNodes sorted = faceOf(numbered, face);
        if (!sortFace(sorted)) continue;
        const CellFace own{number, static_cast<std::int32_t>(face)};
        const CellFace other = table.meet(sorted, own);
        if (other.cell < 0) continue;
        setNeighbour(neighbours, own, other.cell);
        setNeighbour(neighbours, other, number);
      }
      out.add(numbered);
      order.add(static_cast<std::int32_t>(cell.number));
      if (cellOf) cellOf->set(cell.number, cell.part, number);
      box.merge(cell.box);
      if (++number % kCellsPerBoxAxis == 0) {
        bounds.add(box);
        box = {};
      }
    });
    if (number % kCellsPerBoxAxis != 0) bounds.add(box);
    for (PartWriter* const writer : {&out, &order, &nodes, &bounds}) writer->flush();
    neighbours.writeTo(m_out, m_mesh.neighboursAt);
    return table.takeRest();
  }

  static void setNeighbour(PagedArray& neighbours, const CellFace& of, std::int32_t cell) {
    std::memcpy(neighbours.change(count(of.cell)) + static_cast<std::size_t>(of.face) * sizeof cell, &cell,
                sizeof cell);
  }

  /// Points that no cell uses come last.
  void numberRest(PagedArray& numberOf) {
    PartWriter nodes(m_out, m_mesh.nodeOrderAt + count(m_numbered) * sizeof(std::int32_t));
    for (std::int64_t node = 0; node < m_mesh.nodes && m_numbered < m_mesh.nodes; ++node) {
      if (numberOf.get<std::int32_t>(count(node)) >= 0) continue;
      numberOf.set(count(node), m_numbered++);
      nodes.add(static_cast<std::int32_t>(node));
    }
    nodes.flush();
  }

  void writeFaces(const std::vector<CellFace>& border, PagedArray& numberOf, NewNumbers* cellOf) {
    PartWriter out(m_out, m_mesh.facesAt);
    const auto add = [&](std::int32_t cell, const FaceNodes& nodes) {
      out.add(cell);
      out.add(nodes);
      ++m_mesh.faces;
    };
    std::optional<PagedArray> sources;  // of a layer, where its nodes stood
    if (m_input.firstUpperNode() < m_mesh.nodes) sources.emplace(nodeOrder());
    const auto isAbove = [&](std::int32_t node) {
      return sources->get<std::int32_t>(count(node)) >= m_input.firstUpperNode();
    };
    for (const CellFace& face : border) {
      CellNodes cell;
      m_out.readAt(m_mesh.cellsAt + count(face.cell) * sizeof cell, std::as_writable_bytes(std::span(cell)));
      const FaceNodes nodes = faceOf(cell, static_cast<std::size_t>(face.face));
      // A layer stands for a sheet: with both of its sides everything would be there twice.
      if (!sources || std::all_of(nodes.begin(), nodes.end(), isAbove)) add(face.cell, aroundFace(nodes));
    }
    m_mesh.surfaces.push_back({kBorderName, sources ? kLayerKind : "border", "cells", 0, m_mesh.faces});
    for (std::size_t s = 0; s < m_input.surfaces().size(); ++s) {
      const MeshSurface& surface = m_input.surfaces()[s];
      const std::int64_t first = m_mesh.faces;
      std::int64_t seen = 0;
      m_input.forEachFace(s, [&](const MeshFace& face) {
        if (seen++ % kCellsBetweenChecks == 0) checkStop();
        if (face.cell < 0 || face.cell > m_lastNumber) return;
        if (face.part < 0 || face.part >= cellOf->partsOf(face.cell)) return;
        FaceNodes nodes;
        bool there = true;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
          there = there && face.nodes[n] >= 0 && face.nodes[n] < m_mesh.nodes;
          nodes[n] = there ? numberOf.get<std::int32_t>(count(face.nodes[n])) : 0;
        }
        if (there) add(cellWith(nodes, face, *cellOf), nodes);
      });
      if (m_mesh.faces > first)
        m_mesh.surfaces.push_back({surface.name, surface.kind, surface.from, first, m_mesh.faces - first});
    }
    out.flush();
    m_mesh.end = m_mesh.facesAt + count(m_mesh.faces) * (sizeof(std::int32_t) + sizeof(FaceNodes));
  }

  /// The cell of a face, by its number here: of one that comes in parts that which has the face's nodes.
  std::int32_t cellWith(const FaceNodes& nodes, const MeshFace& face, NewNumbers& cellOf) const {
    const std::int32_t said = cellOf.get(face.cell, face.part);
    const std::int32_t parts = std::min(cellOf.partsOf(face.cell), kMostLookedAt);
    if (parts == 1 || hasNodes(said, nodes)) return said;
    for (std::int32_t part = 0; part < parts; ++part)
      if (const std::int32_t cell = cellOf.get(face.cell, part); hasNodes(cell, nodes)) return cell;
    return said;
  }
  bool hasNodes(std::int32_t number, const FaceNodes& nodes) const {
    CellNodes cell;
    m_out.readAt(m_mesh.cellsAt + count(number) * sizeof cell, std::as_writable_bytes(std::span(cell)));
    return std::all_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
      return std::find(cell.begin(), cell.end(), node) != cell.end();
    });
  }

  /// With the last corner of a triangle twice.
  static FaceNodes aroundFace(const FaceNodes& nodes) {
    FaceNodes around{};
    std::size_t have = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (std::find(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(n), nodes[n]) ==
          nodes.begin() + static_cast<std::ptrdiff_t>(n))
        around[have++] = nodes[n];
    for (; have < around.size(); ++have) around[have] = around[have - 1];
    return around;
  }

  /// Those of level 0 at the steps after the first, where the points move.
  void writeMovedBounds() {
    for (std::int64_t step = 1; step < m_mesh.pointSteps; ++step) {
      PagedArray points = pointsOf(step, m_memory / 2);
      PagedArray order = nodeOrder();
      PartWriter out(m_out, m_mesh.boundsPlace(0, step));
      std::vector<CellNodes> cells;
      for (std::int64_t first = 0; first < m_mesh.cells; first += kPointsAtATime) {
        checkStop();
        cells.resize(static_cast<std::size_t>(std::min(kPointsAtATime, m_mesh.cells - first)));
        m_out.readAt(m_mesh.cellsAt + count(first) * sizeof(CellNodes),
                     std::as_writable_bytes(std::span(cells)));
        for (std::size_t n = 0; n < cells.size(); n += kCellsPerBoxAxis) {
          CellBox all;
          for (std::size_t m = n; m < std::min(n + kCellsPerBoxAxis, cells.size()); ++m) {
            std::array<Vec3, kCellCorners> corners;
            for (std::size_t c = 0; c < kCellCorners; ++c)
              corners[c] = points.get<Vec3>(count(order.get<std::int32_t>(count(cells[m][c]))));
            all.merge(boxAround(corners));
          }
          out.add(all);
        }
      }
      out.flush();
    }
  }

  void writeUpperBounds(std::int64_t step) {
    const Index3 dims{m_mesh.cells, 1, 1};
    for (int level = 1; level < levelCount(dims); ++level) {
      const std::int64_t below = levelDims(dims, level - 1)[0];
      PartWriter out(m_out, m_mesh.boundsPlace(level, step));
      std::vector<CellBox> boxes;
      for (std::int64_t first = 0; first < below; first += kPointsAtATime) {
        boxes.resize(static_cast<std::size_t>(std::min(kPointsAtATime, below - first)));
        m_out.readAt(m_mesh.boundsPlace(level - 1, step) + count(first) * sizeof(CellBox),
                     std::as_writable_bytes(std::span(boxes)));
        for (std::size_t n = 0; n < boxes.size(); n += kBoxesPerBoxAxis) {
          CellBox all;
          for (std::size_t m = n; m < std::min(n + kBoxesPerBoxAxis, boxes.size()); ++m) all.merge(boxes[m]);
          out.add(all);
        }
      }
      out.flush();
    }
  }

  void writePoints() {
    PagedArray points = pointsOf(0, m_memory / 2);
    PartWriter out(m_out, m_mesh.pointsAt);
    std::vector<std::int32_t> order;
    for (std::int64_t first = 0; first < m_mesh.nodes; first += kPointsAtATime) {
      checkStop();
      order.resize(static_cast<std::size_t>(std::min(kPointsAtATime, m_mesh.nodes - first)));
      m_out.readAt(m_mesh.nodeOrderAt + count(first) * sizeof(std::int32_t),
                   std::as_writable_bytes(std::span(order)));
      for (const std::int32_t node : order) {
        const auto point = points.get<Vec3>(count(node));
        if (m_mesh.pointType == ScalarType::F64) {
          out.add(point);
          continue;
        }
        for (int a = 0; a < 3; ++a) out.add(static_cast<float>(point[a]));
      }
    }
    out.flush();
  }

  const MeshInput& m_input;
  File m_out;
  MemoryAccount& m_account;
  std::filesystem::path m_folder;
  std::stop_token m_stop;
  std::uint64_t m_memory = 0;
  ArrangedMesh m_mesh;
  std::int64_t m_lastNumber = -1;
  bool m_hasParts = false;  ///< some cells come as several of one number
  std::int32_t m_numbered = 0;
};

}  // namespace

ArrangedMesh arrangeMesh(const MeshInput& input, File out, MemoryAccount& account,
                         const std::filesystem::path& folder, const std::stop_token& stop) {
  return Arranger(input, std::move(out), account, folder, stop).arrange();
}

}  // namespace farfield::paging
