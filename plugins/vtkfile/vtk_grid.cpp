#include "plugins/vtkfile/vtk_grid.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "core/paging/pages/cell_samples.h"
#include "plugins/arrays/axes.h"
#include "plugins/arrays/cell_nodes.h"
#include "plugins/arrays/same_place.h"
#include "plugins/arrays/values_on.h"
#include "plugins/vtkfile/hidden_nodes.h"

namespace farfield::vtkfile {
namespace {

constexpr std::int64_t kMostParts = 1 << 20;
/// Of the values of a grid.
constexpr std::size_t kMostArrays = 4096;

/// In a rehearsal there are no values that would have to be copied.
void checkPlacesThere(const arrays::PlacedArray& array) {
  for (const auto& pieces : array.steps)
    for (const arrays::Piece& piece : pieces)
      if (!piece.bytes) return;
  arrays::checkPlaces(array, static_cast<std::int64_t>(array.steps.size()));
}

/// Coordinates of the nodes of a file, without any that are kept.
arrays::PointReader readerOf(arrays::PlacedArray points) {
  return [points = std::move(points)](std::int64_t step, const IndexBox& box, int first, int count,
                                      std::vector<double>& numbers) {
    const ScalarType type = arrays::keptAs(points.type);
    numbers.resize(static_cast<std::size_t>(product(box.size) * count));
    std::vector<std::byte> stored(numbers.size() * static_cast<std::size_t>(sizeOf(type)));
    arrays::readBox(points, step, box, first, count, stored);
    toDouble(stored.data(), type, 0, static_cast<std::int64_t>(numbers.size()), numbers.data());
  };
}

class Maker {
 public:
  Maker(std::vector<VtkGrid> grids, const std::vector<std::string>& files, const arrays::Options& options,
        MemoryAccount& account)
      : m_grids(std::move(grids)),
        m_files(files),
        m_options(options),
        m_account(account),
        m_first(m_grids.front()) {}

  VtkData make() {
    for (std::size_t n = 1; n < m_grids.size(); ++n)
      if (m_grids[n].kind != m_first.kind || m_grids[n].nodes != m_first.nodes)
        throw Invalid("is unlike the first of the files", "give grids of one kind and size")
            .at(saidOf(m_files[n]));
    chooseCells();
    m_dims = m_cells ? arrays::cellNodes(m_first.nodes) : m_first.nodes;
    m_data.description = arrays::describeBlock("vtk", m_dims);
    m_data.explain.insert(m_data.explain.end(), m_first.notes.begin(), m_first.notes.end());
    addTimes();
    addVariables();
    if (m_data.description.arrays.empty()) m_data.explain.push_back("there are no values, only the grid");
    arrays::makeVectors(m_options, m_data.description, m_data.places);
    if (m_cells) {
      m_data.description.attributes[paging::kSamples] = paging::kCellSamples;
      m_data.explain.emplace_back(arrays::kCellSamplesSaid);
    }
    addGrid();
    addHidden();
    m_data.description.attributes["source"] = lastPartOf(m_files.front());
    return std::move(m_data);
  }

 private:
  void chooseCells() {
    std::array<std::vector<std::string>, 2> names;
    for (const VtkArray& array : m_first.arrays) names[array.onCells ? 1 : 0].push_back(array.name);
    arrays::ValuesOn values = arrays::valuesOn(m_options, names[0], names[1]);
    m_cells = values.cells;
    m_data.choice = std::move(values.choice);
    if (!values.leftOut.empty()) m_data.explain.push_back(values.leftOut);
  }

  void addTimes() {
    std::vector<double> times;
    for (const VtkGrid& grid : m_grids)
      if (grid.time && std::isfinite(*grid.time) && (times.empty() || *grid.time > times.back()))
        times.push_back(*grid.time);
    if (times.size() != m_grids.size()) {
      times.clear();
      for (std::size_t n = 0; n < m_grids.size(); ++n) times.push_back(static_cast<double>(n));
    }
    m_data.description.times = std::move(times);
  }

  /// The same array of every grid, or false if one lacks it.
  bool steps(const VtkArray& array, std::vector<std::vector<arrays::Piece>>& steps) {
    for (VtkGrid& grid : m_grids) {
      const auto same = std::find_if(grid.arrays.begin(), grid.arrays.end(), [&](const VtkArray& its) {
        return its.name == array.name && its.onCells == array.onCells && its.type == array.type &&
               its.components == array.components && its.bigEndian == array.bigEndian;
      });
      if (same == grid.arrays.end()) return false;
      steps.push_back(same->pieces);
    }
    return true;
  }

  void addVariables() {
    const auto stepCount = static_cast<std::int64_t>(m_grids.size());
    for (const VtkArray& array : m_first.arrays) {
      if (array.onCells != m_cells) continue;
      arrays::PlacedArray placed = placedOf(array);
      if (!steps(array, placed.steps)) {
        m_data.explain.push_back("left out: " + printable(array.name) + ", which not all steps have");
        continue;
      }
      for (const auto& pieces : placed.steps) checkCovered(pieces, array.name);
      checkPlacesThere(placed);
      if (m_cells) arrays::placeOnCellNodes(placed, m_first.nodes);
      auto description = arrays::describeArray(arrays::usableName(array.name, m_data.description), m_dims,
                                               array.components, arrays::keptAs(array.type), stepCount);
      if (arrays::losesDigits(array.type))
        m_data.explain.push_back(printable(array.name) + ": 64-bit integers become f64, exact up to 2^53");
      m_data.description.arrays.push_back(std::move(description));
      m_data.places.emplace_back(std::move(placed));
    }
  }

  void checkCovered(const std::vector<arrays::Piece>& pieces, const std::string& name) const {
    if (!covers(pieces, m_cells ? m_first.cells() : m_first.nodes))
      throw Corrupt("its pieces do not hold all values of " + printable(name),
                    "check that the copy is complete");
  }

  /// Lists of hidden points and cells, of those that have any.
  void addHidden() {
    std::vector<HiddenLists> lists;
    std::int64_t unlooked = kMostLookedAt;
    bool any = false;
    const auto take = [&](const std::optional<VtkArray>& list, const Index3& counts, std::int64_t bit,
                          std::optional<arrays::PlacedArray>& taken) {
      if (!list || !covers(list->pieces, counts) || !hasHidden(*list, bit, unlooked)) return;
      taken = placedOf(*list);
      taken->steps.push_back(list->pieces);
      for (std::size_t a = 0; a < 3; ++a)
        if (m_turned[a]) arrays::turnRound(*taken, a, counts[a]);
      any = true;
    };
    for (const VtkGrid& grid : m_grids) {
      HiddenLists& its = lists.emplace_back();
      take(grid.hiddenPoints, grid.nodes, kHiddenPoint, its.points);
      take(grid.hiddenCells, grid.cells(), kHiddenCell, its.cells);
    }
    if (!any) return;
    m_data.description.blocks.front().hasIblank = true;
    m_data.description.arrays.push_back(
        arrays::describeBlanking(m_dims, static_cast<std::int64_t>(lists.size())));
    arrays::ComputedArray valid = hiddenNodes(std::move(lists), m_first.nodes, m_cells);
    if (m_cells) valid = arrays::onCellNodes(std::move(valid), m_first.nodes, sizeof(std::int16_t));
    m_data.places.emplace_back(std::move(valid));
    m_data.explain.push_back(m_cells ? "hidden points and cells are blank"
                                     : "hidden points are blank, and those between hidden cells alone");
  }

  void addGrid() {
    switch (m_first.kind) {
      case VtkKind::Image:
        return addImage();
      case VtkKind::Structured:
        return addPoints();
      case VtkKind::Rectilinear:
        return addAxes();
      case VtkKind::Unstructured:
        break;
    }
  }

  void addAxes() {
    paging::GridAxes axes;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t n = 0; n < m_grids.size(); ++n) {
        std::vector<double> nodes = axisOf(m_grids[n], a);
        if (m_cells) nodes = arrays::cellNodesOf(nodes);
        if (n > 0 && nodes != axes[a])
          throw Unsupported("has other axes than the first of the files",
                            "write moving grids as structured ones")
              .at(saidOf(m_files[n]));
        axes[a] = std::move(nodes);
      }
      m_turned[a] = axes[a].size() > 1 && axes[a].back() < axes[a].front();
    }
    arrays::placeAxes(std::move(axes), m_data.description, m_data.places, m_account, m_data.claims);
  }

  std::vector<double> axisOf(const VtkGrid& grid, std::size_t a) {
    arrays::PlacedArray axis = placedOf(*grid.axes[a]);
    axis.steps.push_back(grid.axes[a]->pieces);
    const std::int64_t count = grid.nodes[a];
    if (!covers(axis.steps.front(), {count, 1, 1}))
      throw Corrupt("its pieces do not hold all of an axis", "check that the copy is complete");
    for (const arrays::Piece& piece : axis.steps.front()) {
      if (piece.bytes) continue;
      // a rehearsal has copied nothing; the positions do not change how much memory the axes take
      std::vector<double> numbers(static_cast<std::size_t>(count));
      for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = static_cast<double>(n);
      return numbers;
    }
    arrays::checkPlaces(axis, 1);
    return arrays::readAxis(axis, count, m_account);
  }

  void addImage() {
    for (std::size_t n = 1; n < m_grids.size(); ++n) try {
        arrays::checkSamePlace({m_first.origin, m_first.directions},
                               {m_grids[n].origin, m_grids[n].directions}, m_first.nodes, m_options);
      } catch (Error& error) {
        error.at(saidOf(m_files[n]))
            .advise(
                "open the steps one at a time, with --option step=N, or place all alike by the options origin and spacing");
        throw;
      }
    const Vec3 origin = arrays::vectorOption(m_options, "origin").value_or(m_first.origin);
    std::array<Vec3, 3> directions = m_first.directions;
    if (const auto spacing = arrays::vectorOption(m_options, "spacing"))
      directions = {Vec3{spacing->x, 0, 0}, Vec3{0, spacing->y, 0}, Vec3{0, 0, spacing->z}};
    // along an axis of one node the file may say 0
    for (std::size_t a = 0; a < 3; ++a) {
      if (m_first.nodes[a] == 1 && !(length(directions[a]) > 0)) {
        directions[a] = {};
        directions[a][static_cast<int>(a)] = 1;
      }
    }
    if (m_cells)
      return arrays::placeCellNodes(origin, directions, m_first.nodes, m_data.description, m_data.places,
                                    m_account, m_data.claims);
    arrays::placeNodes(origin, directions, m_data.description, m_data.places);
  }

  void addPoints() {
    arrays::PlacedArray points = placedOf(*m_first.points);
    bool moves = false;
    for (const VtkGrid& grid : m_grids) {
      if (grid.points->type != points.type || grid.points->bigEndian != points.bigEndian)
        throw Invalid("has coordinates of another type than the first of the files",
                      "give files of one kind");
      points.steps.push_back(grid.points->pieces);
      if (!covers(points.steps.back(), m_first.nodes))
        throw Corrupt("its pieces do not hold all nodes", "check that the copy is complete");
      moves = moves || points.steps.size() > 1;
    }
    checkPlacesThere(points);
    auto xyz = arrays::describeCoordinates(m_dims, m_cells ? ScalarType::F64 : arrays::keptAs(points.type),
                                           moves ? static_cast<std::int64_t>(points.steps.size()) : 1);
    if (!m_cells && xyz.type != ScalarType::F32 && xyz.type != ScalarType::F64)
      throw Unsupported("has coordinates that are integers", "write them as float");
    m_data.description.blocks.front().kind = paging::GridKind::Curvilinear;
    m_data.description.arrays.push_back(std::move(xyz));
    if (m_cells)
      m_data.places.emplace_back(arrays::cellNodesOf(readerOf(std::move(points)), m_first.nodes));
    else
      m_data.places.emplace_back(std::move(points));
  }

  std::vector<VtkGrid> m_grids;
  const std::vector<std::string>& m_files;
  const arrays::Options& m_options;
  MemoryAccount& m_account;
  const VtkGrid& m_first;
  bool m_cells = false;
  std::array<bool, 3> m_turned{};  ///< axes that the files count from the other end
  Index3 m_dims{1, 1, 1};
  VtkData m_data;
};

/// One byte, as often as is asked for.
class SameBytes final : public arrays::ByteSource {
 public:
  SameBytes(std::byte byte, std::uint64_t size) : m_byte(byte), m_size(size) {}
  std::uint64_t size() const override { return m_size; }
  void readAt(std::uint64_t, std::span<std::byte> out) const override {
    std::fill(out.begin(), out.end(), m_byte);
  }

 private:
  std::byte m_byte;
  std::uint64_t m_size;
};

/// Subtracts pieces from `rest` one after the other. False if something is left.
class Cover {
 public:
  explicit Cover(const std::vector<arrays::Piece>& pieces) : m_pieces(pieces) {}
  bool holds(const IndexBox& rest, std::size_t from) {
    if (++m_parts > kMostParts) throw Unsupported("is cut in too many pieces", "write it with fewer");
    for (int a = 0; a < 3; ++a)
      if (rest.size[a] <= 0) return true;
    for (; from < m_pieces.size(); ++from) {
      const IndexBox& piece = m_pieces[from].nodes;
      IndexBox both;
      bool any = true;
      for (int a = 0; a < 3; ++a) {
        both.first[a] = std::max(piece.first[a], rest.first[a]);
        both.size[a] = std::min(piece.first[a] + piece.size[a], rest.first[a] + rest.size[a]) - both.first[a];
        any = any && both.size[a] > 0;
      }
      if (!any) continue;
      // what is left of `rest`: up to two slabs along each axis
      IndexBox left = rest;
      for (int a = 0; a < 3; ++a) {
        IndexBox below = left, above = left;
        below.size[a] = both.first[a] - left.first[a];
        above.first[a] = both.first[a] + both.size[a];
        above.size[a] = left.first[a] + left.size[a] - above.first[a];
        if (!holds(below, from + 1) || !holds(above, from + 1)) return false;
        left.first[a] = both.first[a];
        left.size[a] = both.size[a];
      }
      return true;
    }
    return false;
  }

 private:
  const std::vector<arrays::Piece>& m_pieces;
  std::int64_t m_parts = 0;
};

}  // namespace

VtkArray sameTypes(std::uint8_t type, std::int64_t count) {
  VtkArray types;
  types.onCells = true;
  types.type = arrays::NumberType::U8;
  const auto bytes = std::make_shared<const SameBytes>(std::byte{type}, static_cast<std::uint64_t>(count));
  types.pieces.push_back(arrays::densePiece({count, 1, 1}, types.type, 1, false, bytes, 0));
  return types;
}

arrays::PlacedArray placedOf(const VtkArray& array) {
  arrays::PlacedArray placed;
  placed.type = array.type;
  placed.bigEndian = array.bigEndian;
  placed.components = array.components;
  return placed;
}

void addArray(VtkGrid& grid, VtkArray array) {
  if (grid.arrays.size() == kMostArrays)
    throw Unsupported("has more than " + std::to_string(kMostArrays) + " arrays of values",
                      "write it with fewer");
  grid.arrays.push_back(std::move(array));
}

void markGhosts(VtkGrid& grid, std::size_t firstList, const VtkArray& ghosts) {
  const std::int64_t count = ghosts.pieces.empty() ? 0 : ghosts.pieces.front().nodes.size[0];
  std::int64_t at = 0;
  for (std::size_t n = firstList; n < grid.lists.size(); ++n) {
    VtkCells& cells = grid.lists[n];
    if (cells.count == 0) continue;
    if (ghosts.components != 1 || cells.count > count - at)
      throw Corrupt("its list of ghost cells is wrong", "check the file");
    cells.ghosts = ghosts;
    arrays::Piece& piece = cells.ghosts->pieces.front();
    piece.offset += static_cast<std::uint64_t>(at * piece.strides[0]);
    piece.nodes.size[0] = cells.count;
    at += cells.count;
  }
}

const std::vector<std::string>& gridOptions() {
  static const std::vector<std::string> names = {"on", "origin", "spacing", "vectors"};
  return names;
}

VtkData datasetOf(std::vector<VtkGrid> grids, const std::vector<std::string>& files,
                  const arrays::Options& options, MemoryAccount& account) {
  return Maker(std::move(grids), files, options, account).make();
}

bool covers(const std::vector<arrays::Piece>& pieces, const Index3& dims) {
  // lists follow one another, however many there are
  std::int64_t end = 0;
  const bool inARow = dims[1] == 1 && dims[2] == 1 &&
                      std::all_of(pieces.begin(), pieces.end(), [&](const arrays::Piece& piece) {
                        const bool follows = piece.nodes.first == Index3{end, 0, 0} &&
                                             piece.nodes.size[1] == 1 && piece.nodes.size[2] == 1;
                        end += piece.nodes.size[0];
                        return follows;
                      });
  if (inARow) return end >= dims[0];
  return Cover(pieces).holds({{0, 0, 0}, dims}, 0);
}

}  // namespace farfield::vtkfile
