#include "plugins/vtkfile/vtk_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/base/count_text.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/vtkfile/cell_shapes.h"
#include "plugins/vtkfile/number_list.h"
#include "plugins/vtkfile/polyhedron_faces.h"
#include "plugins/vtkfile/same_grid.h"

namespace farfield::vtkfile {
namespace {

/// The cells of one piece, one after the other.
class CellStream {
 public:
  explicit CellStream(const VtkCells& cells)
      : m_cells(cells), m_types(cells.types), m_connectivity(cells.connectivity) {
    if (cells.offsets) m_offsets.emplace(*cells.offsets);
    if (cells.ghosts) m_ghosts.emplace(*cells.ghosts);
    if (cells.faces && cells.faceOffsets) {
      m_faces.emplace(*cells.faces);
      m_faceOffsets.emplace(*cells.faceOffsets);
    } else if (cells.polyhedra) {
      m_polyhedra.emplace(*cells.polyhedra, cells.offsetsFromZero);
    }
  }

  /// Calls `visit(type, points, faces)`: of polyhedra the faces as count, then count and points of each. Cells that are left out
  /// have the type 0.
  template <class Visit>
  void forEach(Visit visit) {
    std::int64_t at = 0;
    for (std::int64_t first = 0; first < m_cells.count; first += kAtATime) {
      const std::int64_t count = std::min(kAtATime, m_cells.count - first);
      const auto types = m_types.read(first, count);
      m_typesNow.assign(types.begin(), types.end());
      if (m_ghosts) {
        const auto ghosts = m_ghosts->read(first, count);
        for (std::size_t n = 0; n < ghosts.size(); ++n)
          if ((ghosts[n] & kLeftOutCells) != 0) m_typesNow[n] = 0;
      }
      readEnds(first, count);
      m_faceEnds.clear();
      if (m_faceOffsets) {
        const auto ends = m_faceOffsets->read(first, count);
        m_faceEnds.assign(ends.begin(), ends.end());
      }
      for (std::size_t n = 0; n < m_typesNow.size(); ++n) {
        std::int64_t size = 0;
        if (m_offsets) {
          size = m_ends[n] - at;
        } else {
          size = m_connectivity.read(at, 1)[0];
          ++at;
        }
        if (size < 0 || size > kMostNumbers)
          throw Corrupt("cell " + std::to_string(first + static_cast<std::int64_t>(n)) + " has " +
                            std::to_string(size) + " points",
                        "check the file");
        const auto points = pointsOf(at, size);
        at += size;
        visit(m_typesNow[n], points,
              m_polyhedra && m_typesNow[n] == kPolyhedron
                  ? m_polyhedra->of(first + static_cast<std::int64_t>(n))
                  : facesOf(m_typesNow[n], points, n));
      }
    }
  }

 private:
  /// A part of the connectivity is kept, because cells are read in order.
  std::span<const std::int64_t> pointsOf(std::int64_t at, std::int64_t size) {
    if (at < m_windowAt || at + size > m_windowAt + static_cast<std::int64_t>(m_window.size())) {
      const std::int64_t count =
          std::clamp<std::int64_t>(m_connectivity.size() - at, size, std::max(size, 8 * kAtATime));
      const auto numbers = m_connectivity.read(at, count);
      m_window.assign(numbers.begin(), numbers.end());
      m_windowAt = at;
    }
    return std::span(m_window).subspan(static_cast<std::size_t>(at - m_windowAt),
                                       static_cast<std::size_t>(size));
  }

  void readEnds(std::int64_t first, std::int64_t count) {
    m_ends.clear();
    if (!m_offsets) return;
    const auto ends = m_offsets->read(first + (m_cells.offsetsFromZero ? 1 : 0), count);
    m_ends.assign(ends.begin(), ends.end());
  }

  std::span<const std::int64_t> facesOf(std::int64_t type, std::span<const std::int64_t> points,
                                        std::size_t n) {
    if (!m_faces)
      return m_cells.facesInConnectivity && type == kPolyhedron ? points : std::span<const std::int64_t>{};
    const std::int64_t end = m_faceEnds[n], begin = m_facesAt;
    // of cells that are left out, too, the faces are passed
    if (type != kPolyhedron) {
      m_facesAt = std::max(begin, end);
      return {};
    }
    if (end < begin || end - begin > kMostNumbers) return {};
    m_facesAt = end;
    return m_faces->read(begin, end - begin);
  }

  const VtkCells& m_cells;
  NumberList m_types, m_connectivity;
  std::optional<NumberList> m_offsets, m_faces, m_faceOffsets, m_ghosts;
  std::optional<PolyhedronFaces> m_polyhedra;
  std::vector<std::int64_t> m_typesNow, m_ends, m_faceEnds, m_window;
  std::int64_t m_windowAt = 0, m_facesAt = 0;
};

class VtkMeshInput final : public paging::MeshInput {
 public:
  VtkMeshInput(std::vector<VtkGrid> grids, bool moves) : m_grids(std::move(grids)) {
    m_points = placedOf(*m_grids.front().points);
    for (const VtkGrid& grid : m_grids)
      if (moves || m_points.steps.empty()) m_points.steps.push_back(grid.points->pieces);
    arrays::checkPlaces(m_points, pointSteps());
  }

  std::int64_t nodes() const override { return m_grids.front().nodes[0]; }
  ScalarType pointType() const override { return arrays::keptAs(m_points.type); }
  std::int64_t pointSteps() const override { return static_cast<std::int64_t>(m_points.steps.size()); }
  void readPoints(std::int64_t step, std::int64_t first, std::span<double> out) const override {
    readPointsOf(m_points, step, first, out);
  }

  bool hasVolumes() const override { return m_hasVolumes; }
  void forEachCell(const VisitCell& visit) const override {
    if (!m_hasVolumes) return;
    forEachOf([](std::int64_t type, std::span<const std::int64_t> points, std::span<const std::int64_t> faces,
                 const auto& add) { return cellsOf(type, points, faces, add); },
              visit);
  }
  void forEachFlatCell(const VisitFlatCell& visit) const override {
    forEachOf([](std::int64_t type, std::span<const std::int64_t> points, std::span<const std::int64_t>,
                 const auto& add) { return flatCellsOf(type, points, add); },
              visit);
  }
  void setHasVolumes(bool has) { m_hasVolumes = has; }
  const std::vector<paging::MeshVariable>& variables() const override { return m_variables; }
  void readVariable(std::size_t variable, std::int64_t step, std::int64_t first,
                    std::span<std::byte> out) const override {
    const arrays::PlacedArray& array = m_values[variable];
    const std::int64_t count =
        static_cast<std::int64_t>(out.size()) / (sizeOf(array.valueType()) * array.components);
    arrays::readBox(array, step, {{first, 0, 0}, {count, 1, 1}}, 0, array.components, out);
  }

  void add(paging::MeshVariable variable, arrays::PlacedArray values) {
    m_variables.push_back(std::move(variable));
    m_values.push_back(std::move(values));
  }
  const std::vector<VtkGrid>& grids() const { return m_grids; }

 private:
  /// Calls visit(number, nodes) for what `make(type, points, faces, add)` adds for each cell.
  template <class Make, class Visit>
  void forEachOf(Make make, const Visit& visit) const {
    std::int64_t number = 0;
    for (const VtkCells& cells : m_grids.front().lists) {
      CellStream stream(cells);
      stream.forEach(
          [&](std::int64_t type, std::span<const std::int64_t> points, std::span<const std::int64_t> faces) {
            const bool made = make(type, points, faces, [&](auto nodes) {
              for (std::int32_t& node : nodes) {
                if (node < 0 || node >= cells.points)
                  throw Corrupt("cell " + std::to_string(number) + " has point " + std::to_string(node) +
                                    ", and there are " + std::to_string(cells.points),
                                "check the file");
                node += static_cast<std::int32_t>(cells.pointsBefore);
              }
              visit(number, nodes);
            });
            if (!made)
              throw Corrupt("cell " + std::to_string(number) + " of type " + std::to_string(type) + " has " +
                                std::to_string(points.size()) + " points",
                            "check the file");
            ++number;
          });
    }
  }

  bool m_hasVolumes = true;
  std::vector<VtkGrid> m_grids;
  arrays::PlacedArray m_points;
  std::vector<paging::MeshVariable> m_variables;
  std::vector<arrays::PlacedArray> m_values;
};

/// What cells a grid has.
struct CellKinds {
  std::int64_t volumes = 0, areas = 0, ghosts = 0;
  std::map<std::int64_t, std::int64_t> without;  ///< cells without a volume, by type

  void explain(std::vector<std::string>& lines) const {
    if (ghosts > 0)
      lines.push_back("left out: " + countText(ghosts, "cell that another piece has, or that is hidden",
                                               "cells that other pieces have, or that are hidden"));
    for (const auto& [type, count] : without)
      if (volumes > 0 || !hasArea(type))
        lines.push_back("left out: " + countText(count, "cell", "cells") + " without " +
                        (volumes > 0 ? "a volume" : "an area") + ", of VTK's type " + std::to_string(type));
  }
};

CellKinds kindsOf(const VtkGrid& grid) {
  CellKinds kinds;
  for (const VtkCells& cells : grid.lists) {
    NumberList types(cells.types);
    std::optional<NumberList> ghosts;
    if (cells.ghosts) ghosts.emplace(*cells.ghosts);
    for (std::int64_t first = 0; first < cells.count; first += kAtATime) {
      const std::int64_t count = std::min(kAtATime, cells.count - first);
      const auto its = types.read(first, count);
      const auto hidden = ghosts ? ghosts->read(first, count) : std::span<const std::int64_t>{};
      for (std::size_t n = 0; n < its.size(); ++n) {
        if (!hidden.empty() && (hidden[n] & kLeftOutCells) != 0) {
          ++kinds.ghosts;
        } else if (hasVolume(its[n])) {
          ++kinds.volumes;
        } else {
          ++kinds.without[its[n]];
          if (hasArea(its[n])) ++kinds.areas;
        }
      }
    }
  }
  return kinds;
}

std::vector<double> timesOf(const std::vector<VtkGrid>& grids) {
  std::vector<double> times;
  for (const VtkGrid& grid : grids)
    if (grid.time && std::isfinite(*grid.time) && (times.empty() || *grid.time > times.back()))
      times.push_back(*grid.time);
  if (times.size() == grids.size()) return times;
  times.clear();
  for (std::size_t n = 0; n < grids.size(); ++n) times.push_back(static_cast<double>(n));
  return times;
}

/// Whether each step is an unstructured grid, and they are not the same.
bool cellsChange(const std::vector<VtkGrid>& grids) {
  const auto isMesh = [](const VtkGrid& grid) { return grid.kind == VtkKind::Unstructured; };
  return std::all_of(grids.begin(), grids.end(), isMesh) &&
         !std::all_of(grids.begin(), grids.end(),
                      [&](const VtkGrid& grid) { return sameCells(grids.front(), grid); });
}

}  // namespace

VtkMeshData meshOf(std::vector<VtkGrid> grids, const std::vector<std::string>& files) {
  bool moves = false;
  for (std::size_t n = 1; n < grids.size(); ++n) {
    if (grids[n].kind != VtkKind::Unstructured || !sameCells(grids[0], grids[n]))
      throw Unsupported("has other cells than the first step",
                        "open the steps one at a time, with --option step=N")
          .at(files.size() > n ? saidOf(files[n]) : "step " + std::to_string(n));
    if (!moves) moves = !samePoints(grids[0], grids[n]);
    if (moves && (grids[n].points->type != grids[0].points->type ||
                  grids[n].points->bigEndian != grids[0].points->bigEndian))
      throw Unsupported("has points of another type than the first step", "write all steps alike")
          .at(files.size() > n ? saidOf(files[n]) : "step " + std::to_string(n));
  }
  VtkMeshData data;
  data.times = timesOf(grids);
  data.explain = grids.front().notes;
  const CellKinds kinds = kindsOf(grids.front());
  kinds.explain(data.explain);
  if (moves) data.explain.emplace_back("its points move from step to step");
  auto input = std::make_shared<VtkMeshInput>(std::move(grids), moves);
  input->setHasVolumes(kinds.volumes > 0 || kinds.areas == 0);
  if (input->nodes() < 1 || input->grids().front().cells()[0] < 1)
    throw Unsupported("has no cells", "give a grid with cells");
  paging::DatasetDescription taken;
  const auto stepCount = static_cast<std::int64_t>(input->grids().size());
  for (const VtkArray& array : input->grids().front().arrays) {
    arrays::PlacedArray values = placedOf(array);
    for (const VtkGrid& grid : input->grids()) {
      const auto same = std::find_if(grid.arrays.begin(), grid.arrays.end(), [&](const VtkArray& its) {
        return its.name == array.name && its.onCells == array.onCells && its.type == array.type &&
               its.components == array.components && its.bigEndian == array.bigEndian;
      });
      if (same != grid.arrays.end()) values.steps.push_back(same->pieces);
    }
    const Index3 dims{array.onCells ? input->grids().front().cells()[0] : input->nodes(), 1, 1};
    const bool whole = static_cast<std::int64_t>(values.steps.size()) == stepCount &&
                       std::all_of(values.steps.begin(), values.steps.end(),
                                   [&](const auto& pieces) { return covers(pieces, dims); });
    if (!whole) {
      data.explain.push_back("left out: " + printable(array.name) + ", which not all steps or pieces have");
      continue;
    }
    arrays::checkPlaces(values, stepCount);
    paging::MeshVariable variable;
    variable.name = arrays::usableNameInMesh(array.name, taken);
    variable.components = array.components;
    variable.type = arrays::keptAs(array.type);
    variable.onCells = array.onCells;
    variable.steps = stepCount;
    taken.arrays.push_back(
        arrays::describeArray(variable.name, dims, array.components, variable.type, stepCount));
    input->add(std::move(variable), std::move(values));
  }
  data.input = std::move(input);
  return data;
}

std::unique_ptr<fields::OpenData> openSteps(std::vector<VtkGrid> grids, const std::vector<std::string>& files,
                                            fields::MeshDataOptions options, MemoryAccount& account,
                                            const DisplacementOptions& displacement) {
  std::vector<std::string> notes = std::move(options.explanation);
  if (!cellsChange(grids)) {
    VtkMeshData mesh = meshOf(std::move(grids), files);
    options.times = std::move(mesh.times);
    options.explanation = std::move(mesh.explain);
    options.explanation.insert(options.explanation.end(), notes.begin(), notes.end());
    std::vector<std::shared_ptr<const paging::MeshInput>> inputs{std::move(mesh.input)};
    displace(inputs, displacement, options);
    return fields::openMesh(std::move(inputs.front()), std::move(options), account);
  }
  options.times = timesOf(grids);
  options.explanation = {"cells change from step to step: each step has a grid of its own"};
  options.explanation.insert(options.explanation.end(), notes.begin(), notes.end());
  std::vector<std::shared_ptr<const paging::MeshInput>> inputs;
  const auto memory = grids.front().memory;
  for (std::size_t n = 0; n < grids.size(); ++n) {
    grids[n].memory = memory;
    std::vector<VtkGrid> one;
    one.push_back(std::move(grids[n]));
    try {
      inputs.push_back(meshOf(std::move(one), {}).input);
    } catch (Error& error) {
      if (!arrays::namesFile(error))
        error.at(files.size() > n ? saidOf(files[n]) : "step " + std::to_string(n));
      throw;
    }
  }
  displace(inputs, displacement, options);
  return fields::openMeshes(std::move(inputs), std::move(options), account);
}

}  // namespace farfield::vtkfile
