#include "core/paging/arranging/flat_mesh.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/paging/pages/cell_samples.h"

namespace farfield::paging {
namespace {

constexpr std::int64_t kPointsAtATime = 4096;
/// Of the largest extent: so thin that pictures and views take the layer for a plane.
constexpr double kThickness = 5e-7;
/// Points may leave a plane by so much of the extent: coordinates of single precision.
constexpr double kPlane = 1e-7;

// What tells surfaces in space from others, in files and stores alike.
constexpr const char *kSurfaceKind = "surface", *kFromCells = "cells";

constexpr const char* kPlanes[] = {"its cells lie in a plane across x", "its cells lie in a plane across y",
                                   "its cells lie in a plane across z"};

/// A quadrilateral as the lower corners of a cell; of a triangle the last two coincide, as in a wedge.
CellNodes cellOver(const std::array<std::int32_t, 4>& c, std::int32_t above) {
  return {c[0], c[1], c[3], c[2], c[0] + above, c[1] + above, c[3] + above, c[2] + above};
}

/// What both kinds have in common: everything but cells comes from the grid itself.
class FlatInput : public MeshInput {
 public:
  explicit FlatInput(std::shared_ptr<const MeshInput> input) : m_input(std::move(input)) {}
  std::int64_t nodes() const override { return m_input->nodes(); }
  ScalarType pointType() const override { return m_input->pointType(); }
  std::int64_t pointSteps() const override { return m_input->pointSteps(); }
  void readPoints(std::int64_t step, std::int64_t first, std::span<double> out) const override {
    m_input->readPoints(step, first, out);
  }
  const std::vector<MeshVariable>& variables() const override { return m_input->variables(); }
  void readVariable(std::size_t variable, std::int64_t step, std::int64_t first,
                    std::span<std::byte> out) const override {
    m_input->readVariable(variable, step, first, out);
  }
  void checkUnchanged() const override { m_input->checkUnchanged(); }

 protected:
  const MeshInput& input() const { return *m_input; }

 private:
  std::shared_ptr<const MeshInput> m_input;
};

/// A surface in space. Its cells are its border.
class SurfaceInput final : public FlatInput {
 public:
  using FlatInput::FlatInput;
  void forEachCell(const VisitCell& visit) const override {
    input().forEachFlatCell([&](std::int64_t number, const std::array<std::int32_t, 4>& corners) {
      visit(number, cellOver(corners, 0));
    });
  }
  const std::vector<MeshSurface>& surfaces() const override {
    static const std::vector<MeshSurface> kSurfaces{{kBorderName, kSurfaceKind, kFromCells}};
    return kSurfaces;
  }
  void forEachFace(std::size_t, const VisitFace& visit) const override {
    std::int64_t last = -1;
    std::int32_t part = 0;
    input().forEachFlatCell([&](std::int64_t number, const std::array<std::int32_t, 4>& corners) {
      part = number == last ? part + 1 : 0;
      last = number;
      visit({number, corners, part});
    });
  }
};

/// One layer of cells, whose nodes are those of the grid below the plane, and once more above it.
class LayerInput final : public FlatInput {
 public:
  LayerInput(std::shared_ptr<const MeshInput> flat, int normal, double thickness)
      : FlatInput(std::move(flat)),
        m_normal(normal),
        m_half(thickness / 2),
        m_variables(input().variables()) {
    for (MeshVariable& variable : m_variables) {
      const bool widens =
          variable.components == 2 && (variable.type == ScalarType::F32 || variable.type == ScalarType::F64);
      m_widened.push_back(widens);
      if (!widens) continue;
      variable.components = 3;
      // names of components are those of variables, and the zeros are none
      variable.componentNames.clear();
    }
  }
  std::int64_t nodes() const override { return 2 * input().nodes(); }
  std::int64_t firstUpperNode() const override { return input().nodes(); }
  ScalarType pointType() const override { return ScalarType::F64; }
  void readPoints(std::int64_t step, std::int64_t first, std::span<double> out) const override {
    forEachHalf(first, static_cast<std::int64_t>(out.size() / 3),
                [&](bool above, std::int64_t from, std::int64_t at, std::int64_t count) {
                  const auto part =
                      out.subspan(static_cast<std::size_t>(3 * at), static_cast<std::size_t>(3 * count));
                  input().readPoints(step, from, part);
                  for (std::size_t n = static_cast<std::size_t>(m_normal); n < part.size(); n += 3)
                    part[n] += above ? m_half : -m_half;
                });
  }
  void forEachCell(const VisitCell& visit) const override {
    const auto above = static_cast<std::int32_t>(input().nodes());
    input().forEachFlatCell([&](std::int64_t number, const std::array<std::int32_t, 4>& corners) {
      // a number that is none stays so
      const bool known = std::all_of(corners.begin(), corners.end(),
                                     [&](std::int32_t node) { return node >= 0 && node < above; });
      visit(number, known ? cellOver(corners, above) : CellNodes{-1, -1, -1, -1, -1, -1, -1, -1});
    });
  }
  const std::vector<MeshVariable>& variables() const override { return m_variables; }
  void readVariable(std::size_t variable, std::int64_t step, std::int64_t first,
                    std::span<std::byte> out) const override {
    const MeshVariable& its = m_variables[variable];
    const auto each = static_cast<std::size_t>(its.components * sizeOf(its.type));
    const auto count = static_cast<std::int64_t>(out.size() / each);
    if (its.onCells) return readSome(variable, step, first, out);
    forEachHalf(first, count, [&](bool, std::int64_t from, std::int64_t at, std::int64_t some) {
      readSome(variable, step, from,
               out.subspan(static_cast<std::size_t>(at) * each, static_cast<std::size_t>(some) * each));
    });
  }

 private:
  /// Nodes below the plane and above it, of a range: visit(above, first in the grid, place in the range, count).
  template <class Visit>
  void forEachHalf(std::int64_t first, std::int64_t count, Visit visit) const {
    const std::int64_t all = input().nodes(), below = std::clamp<std::int64_t>(all - first, 0, count);
    if (below > 0) visit(false, first, std::int64_t{0}, below);
    if (below < count) visit(true, first + below - all, below, count - below);
  }

  void readSome(std::size_t variable, std::int64_t step, std::int64_t first, std::span<std::byte> out) const {
    if (!m_widened[variable]) return input().readVariable(variable, step, first, out);
    const auto number = static_cast<std::size_t>(sizeOf(m_variables[variable].type));
    std::vector<std::byte> two(out.size() / 3 * 2);
    input().readVariable(variable, step, first, two);
    std::fill(out.begin(), out.end(), std::byte{});
    // the two are along the axes of the plane, in their order
    const std::size_t a = m_normal == 0 ? 1 : 0, b = m_normal == 2 ? 1 : 2;
    for (std::size_t n = 0; n < two.size() / (2 * number); ++n) {
      std::copy_n(two.data() + 2 * n * number, number, out.data() + (3 * n + a) * number);
      std::copy_n(two.data() + (2 * n + 1) * number, number, out.data() + (3 * n + b) * number);
    }
  }

  int m_normal;
  double m_half;
  std::vector<MeshVariable> m_variables;
  std::vector<bool> m_widened;
};

bool hasBorder(const DatasetDescription& data, int block, const char* kind) {
  return std::any_of(data.surfaces.begin(), data.surfaces.end(), [&](const NamedSurface& surface) {
    return surface.block == block && surface.name == kBorderName && surface.kind == kind &&
           surface.from == kFromCells;
  });
}

Bounds boundsOf(const MeshInput& input) {
  Bounds bounds;
  std::vector<double> points;
  for (std::int64_t step = 0; step < input.pointSteps(); ++step)
    for (std::int64_t first = 0; first < input.nodes(); first += kPointsAtATime) {
      points.resize(static_cast<std::size_t>(3 * std::min(kPointsAtATime, input.nodes() - first)));
      input.readPoints(step, first, points);
      for (std::size_t n = 0; n < points.size(); n += 3) {
        const Vec3 point{points[n], points[n + 1], points[n + 2]};
        if (isFinite(point)) bounds.add(point);
      }
    }
  return bounds;
}

}  // namespace

bool isSurfaceInSpace(const DatasetDescription& data, int block) {
  return hasBorder(data, block, kSurfaceKind);
}

bool isLayer(const DatasetDescription& data, int block) {
  return data.blocks[static_cast<std::size_t>(block)].isUnstructured() && hasBorder(data, block, kLayerKind);
}

std::int64_t nodesInFile(const DatasetDescription& data, int block) {
  const BlockDescription& its = data.blocks[static_cast<std::size_t>(block)];
  const std::int64_t nodes = product(its.dims);
  if (areCellSamples(data) && !its.isUnstructured()) return nodesOfFile(its.dims);
  return isLayer(data, block) ? nodes / 2 : nodes;
}

std::shared_ptr<const MeshInput> withThickness(std::shared_ptr<const MeshInput> input,
                                               std::vector<std::string>& explain) {
  if (input->hasVolumes()) return input;
  const Bounds bounds = boundsOf(*input);
  if (bounds.empty()) throw Unsupported("has no point with finite coordinates", "check the file");
  const Vec3 size = bounds.max - bounds.min;
  const double extent = std::max({size.x, size.y, size.z});
  for (int normal = 2; normal >= 0; --normal) {
    if (!(extent > 0 && size[normal] <= kPlane * extent)) continue;
    if (input->nodes() > std::numeric_limits<std::int32_t>::max() / 2)
      throw Unsupported("has " + std::to_string(input->nodes()) + " points in a plane",
                        "grids there have up to 2^30");
    explain.emplace_back(kPlanes[normal]);
    explain.emplace_back(
        "they are shown as a thin layer, and vectors of two components get a third of zeros");
    return std::make_shared<LayerInput>(std::move(input), normal, kThickness * extent);
  }
  explain.emplace_back("a surface in space: its cells hold no points, so only surfaces show it");
  return std::make_shared<SurfaceInput>(std::move(input));
}

}  // namespace farfield::paging
