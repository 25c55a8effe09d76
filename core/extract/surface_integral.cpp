#include "core/extract/surface_integral.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/extract/covered_nodes.h"
#include "core/fields/functions/box_functions.h"
#include "core/fields/functions/node_coordinates.h"

namespace farfield::extract {
namespace {

constexpr std::int64_t kPatchNodes = GridSurface::kPatchCells + 1;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Indices of the first numbers of a row.
constexpr std::size_t kCells = 0, kLeftOut = 1, kArea = 2, kVectorArea = 3, kVolume = 6, kFirstFunction = 7;

/// The Gauss points along an edge of length 1: (1 - 1/sqrt 3) / 2 and its mirror.
constexpr double kGauss[2] = {0.21132486540518711775, 0.78867513459481288225};

}  // namespace

/// The nodes of a patch and of the adjacent layer, and the functions at the patch's nodes.
struct SurfaceIntegrator::PatchValues {
  IndexBox nodes;     ///< of the patch
  IndexBox gathered;  ///< with the adjacent layer, if there is one
  int fixed = 0;
  std::int64_t layer = 0;  ///< +1, -1: side of the adjacent layer; 0: there is none
  std::vector<double> xyz, iblank, values;

  std::size_t place(Index3 node) const {
    for (int a = 0; a < 3; ++a) node[a] -= gathered.first[a];
    return static_cast<std::size_t>(linear(node, gathered.size));
  }
  Vec3 point(std::size_t n) const { return {xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]}; }
  bool isThere(std::size_t n) const { return iblank[n] != 0 && isFinite(point(n)); }
  void blankCovered(paging::Cursor& cursor, const fields::BlockSlots& slots,
                    const paging::DatasetDescription& description, int block) {
    std::vector<double> own(static_cast<std::size_t>(product(nodes.size)), 1.0);
    detail::blankCovered(cursor, slots, description, block, nodes, fixed, own);
    for (std::int64_t n = 0; n < product(nodes.size); ++n) {
      Index3 node = unlinear(n, nodes.size);
      for (int a = 0; a < 3; ++a) node[a] += nodes.first[a];
      if (own[static_cast<std::size_t>(n)] == 0) iblank[place(node)] = 0;
    }
  }
  /// Moves the nodes of the patch by `share` towards those of the adjacent layer, at which the functions have the
  /// values `next`.
  void moveTowards(std::span<const double> next, double share) {
    for (std::int64_t n = 0; n < product(nodes.size); ++n) {
      Index3 node = unlinear(n, nodes.size);
      for (int a = 0; a < 3; ++a) node[a] += nodes.first[a];
      const std::size_t own = place(node);
      ++node[fixed];
      const std::size_t beside = place(node);
      for (std::size_t a = 0; a < 3; ++a)
        xyz[3 * own + a] = (1 - share) * xyz[3 * own + a] + share * xyz[3 * beside + a];
      if (iblank[beside] == 0) iblank[own] = 0;
    }
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = (1 - share) * values[n] + share * next[n];
  }
};

SurfaceIntegrator::SurfaceIntegrator(const fields::FunctionPlan& functions)
    : m_functions(functions), m_sumCount(kFirstFunction) {
  for (std::size_t n = 0; n < functions.functions().size(); ++n) {
    const int components = functions.functions()[n].components;
    m_places.push_back({functions.outputOf(n), components,
                        components == 1   ? 3
                        : components == 3 ? 1
                                          : 0,
                        m_sumCount});
    m_sumCount = m_places.back().greatest() + 1;
  }
}

std::uint64_t SurfaceIntegrator::taskBytes() const {
  // coordinates and iblank of every node, with the adjacent layer, and the functions, perhaps of both
  constexpr std::uint64_t kNodes = std::uint64_t{kPatchNodes} * kPatchNodes;
  // and the blanking beside a sheet
  return sizeof(double) * kNodes * (8 + 3 + 2 * static_cast<std::uint64_t>(m_functions.outputCount())) +
         sizeof(CompensatedSum) * m_sumCount +
         fields::BoxFunctions::bytesFor(m_functions, {kPatchNodes, kPatchNodes, 1});
}

void SurfaceIntegrator::clear(std::span<double> row) const {
  std::fill(row.begin(), row.end(), 0.0);
  for (const Place& place : m_places) {
    row[place.least()] = kInfinity;
    row[place.greatest()] = -kInfinity;
  }
}

void SurfaceIntegrator::integrate(const GridSurface& surface, std::size_t number, fields::PagedData& data,
                                  tasks::TaskContext& context, std::int64_t step,
                                  std::span<double> row) const {
  if (surface.isFaces()) {
    class Adder final : public SurfaceSink {
     public:
      Adder(const SurfaceIntegrator& integrator, std::span<double> row)
          : m_integrator(integrator), m_row(row) {}
      void patch(std::size_t, const SurfacePatch& patch) override { m_integrator.addTriangles(patch, m_row); }

     private:
      const SurfaceIntegrator& m_integrator;
      std::span<double> m_row;
    } adder(*this, row);
    clear(row);
    return surface.extract(number, data, context, m_functions, step, adder);
  }
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(surface.block())];
  PatchValues patch;
  patch.nodes = surface.patchNodes(number);
  patch.fixed = surface.fixedAxis();
  patch.gathered = patch.nodes;
  const std::int64_t at = patch.nodes.first[patch.fixed];
  if (grid.dims[patch.fixed] > 1) {
    patch.layer = at == 0 || surface.beyond() > 0 ? 1 : -1;
    patch.gathered.first[patch.fixed] = std::min(at, at + patch.layer);
    patch.gathered.size[patch.fixed] = 2;
  }
  const auto gathered = static_cast<std::size_t>(product(patch.gathered.size));
  patch.xyz.resize(3 * gathered);
  patch.iblank.assign(gathered, 1.0);
  patch.values.resize(static_cast<std::size_t>(m_functions.outputCount() * product(patch.nodes.size)));
  {
    paging::Cursor cursor(data.cache(), context, data.plan().mode);
    cursor.setStep(step);
    const fields::BlockSlots slots = data.bind(cursor, surface.block(), m_functions);
    fields::gatherCoordinates(cursor, slots.xyz, grid, patch.gathered, patch.xyz);
    const paging::GatherTarget iblank{slots.iblank, patch.iblank.data()};
    if (slots.iblank >= 0) cursor.gatherTiled(patch.gathered, {&iblank, 1});
    if (surface.beyond() == 0) patch.blankCovered(cursor, slots, data.description(), surface.block());
    fields::BoxFunctions functions(m_functions);
    functions.compute(
        cursor, slots, grid, patch.nodes, patch.values,
        surface.beyond() > 0 ? std::nullopt : fields::wallFaceOf(grid.dims, patch.nodes, patch.fixed));
    if (surface.beyond() > 0) {
      std::vector<double> next(patch.values.size());
      IndexBox sheet = patch.nodes;
      ++sheet.first[patch.fixed];
      functions.compute(cursor, slots, grid, sheet, next);
      patch.moveTowards(next, surface.beyond());
    }
  }

  std::vector<CompensatedSum> sums(m_sumCount);
  clear(row);
  const int u = surface.u(), v = surface.v();
  Index3 cell = patch.nodes.first;
  for (std::int64_t cv = 0; cv + 1 < patch.nodes.size[v]; ++cv)
    for (std::int64_t cu = 0; cu + 1 < patch.nodes.size[u]; ++cu) {
      cell[u] = patch.nodes.first[u] + cu;
      cell[v] = patch.nodes.first[v] + cv;
      Index3 corner[4] = {cell, cell, cell, cell};
      ++corner[1][u], ++corner[2][u], ++corner[2][v], ++corner[3][v];
      std::size_t own[4], beside[4];
      bool counts = true, hasBeside = patch.layer != 0;
      for (int n = 0; n < 4; ++n) {
        own[n] = patch.place(corner[n]);
        counts = counts && patch.isThere(own[n]);
      }
      if (!counts) {
        ++row[kLeftOut];
        continue;
      }
      ++row[kCells];
      for (int n = 0; n < 4 && hasBeside; ++n) {
        corner[n][patch.fixed] += patch.layer;
        beside[n] = patch.place(corner[n]);
        hasBeside = patch.isThere(beside[n]);
      }
      if (hasBeside) {
        // about the cell's volume, with the sign of the block's handedness
        Vec3 across{0, 0, 0};
        for (int n = 0; n < 4; ++n) across = across + (patch.point(beside[n]) - patch.point(own[n]));
        const Vec3 area =
            cross(patch.point(own[2]) - patch.point(own[0]), patch.point(own[3]) - patch.point(own[1]));
        sums[kVolume].add(static_cast<double>(patch.layer) / 8 * dot(area, across));
      }
      addFace(patch, own, sums, row);
    }
  for (std::size_t n = 0; n < m_sumCount; ++n) row[n] += sums[n].value();
}

/// Updates the least and the greatest with the values at `corners` corners.
template <class Value>
void SurfaceIntegrator::addRange(const Place& place, std::span<double> row, int corners, const Value& value) {
  for (int n = 0; n < corners; ++n) {
    double squares = 0;
    for (int k = 0; k < place.components; ++k) {
      const double component = value(static_cast<std::size_t>(n), k);
      squares += component * component;
    }
    const double whole = place.components == 1 ? value(static_cast<std::size_t>(n), 0) : std::sqrt(squares);
    row[place.least()] = std::min(row[place.least()], whole);
    row[place.greatest()] = std::max(row[place.greatest()], whole);
  }
}

void SurfaceIntegrator::addFace(const PatchValues& patch, const std::size_t (&corners)[4],
                                std::span<CompensatedSum> sums, std::span<double> row) const {
  const Vec3 a = patch.point(corners[0]), b = patch.point(corners[1]), c = patch.point(corners[2]),
             d = patch.point(corners[3]);
  // at the four points: the weight of each corner, and n dA times the rule's weight
  double share[4][4], size[4];
  Vec3 area[4];
  for (int point = 0; point < 4; ++point) {
    const double s = kGauss[point % 2], t = kGauss[point / 2];
    const double shares[4] = {(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t};
    std::copy(shares, shares + 4, share[point]);
    const Vec3 alongS = (1 - t) * (b - a) + t * (c - d), alongT = (1 - s) * (d - a) + s * (c - b);
    area[point] = 0.25 * cross(alongS, alongT);
    size[point] = length(area[point]);
    sums[kArea].add(size[point]);
    for (int axis = 0; axis < 3; ++axis)
      sums[kVectorArea + static_cast<std::size_t>(axis)].add(area[point][axis]);
  }

  // the corners in the patch's own order, without the adjacent layer
  std::size_t at[4];
  const auto outputs = static_cast<std::size_t>(m_functions.outputCount());
  for (int n = 0; n < 4; ++n) {
    Index3 node = unlinear(static_cast<std::int64_t>(corners[n]), patch.gathered.size);
    node[patch.fixed] = 0;
    at[n] = outputs * static_cast<std::size_t>(linear(node, patch.nodes.size));
  }
  for (const Place& place : m_places) {
    const auto value = [&](std::size_t corner, int component) {
      return patch.values[at[corner] + static_cast<std::size_t>(place.output + component)];
    };
    bool has = true;
    for (int n = 0; n < 4 && has; ++n)
      for (int k = 0; k < place.components; ++k) has = has && std::isfinite(value(n, k));
    if (!has) {
      ++row[place.without()];
      continue;
    }
    addRange(place, row, 4, value);
    for (int point = 0; point < 4; ++point) {
      sums[place.area()].add(size[point]);
      double through = 0;
      for (int k = 0; k < place.components; ++k) {
        double f = 0;
        for (int n = 0; n < 4; ++n) f += share[point][n] * value(n, k);
        sums[place.first + static_cast<std::size_t>(k)].add(f * size[point]);
        const std::size_t first = place.first + static_cast<std::size_t>(place.components);
        if (place.through == 3)
          for (int axis = 0; axis < 3; ++axis)
            sums[first + static_cast<std::size_t>(axis)].add(f * area[point][axis]);
        if (place.through == 1) through += f * area[point][k];
      }
      if (place.through == 1) sums[place.first + static_cast<std::size_t>(place.components)].add(through);
    }
  }
}

void SurfaceIntegrator::addTriangles(const SurfacePatch& patch, std::span<double> row) const {
  std::vector<CompensatedSum> sums(m_sumCount);
  const auto outputs = static_cast<std::size_t>(m_functions.outputCount());
  for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
    const std::span<const std::uint32_t> nodes = patch.triangles.subspan(t, 3);
    const auto point = [&](std::size_t n) {
      const double* const xyz = patch.points.data() + std::size_t{3} * nodes[n];
      return Vec3{xyz[0], xyz[1], xyz[2]};
    };
    const Vec3 area = 0.5 * cross(point(1) - point(0), point(2) - point(0));
    const double size = length(area);
    ++row[kCells];
    sums[kArea].add(size);
    for (int axis = 0; axis < 3; ++axis) sums[kVectorArea + static_cast<std::size_t>(axis)].add(area[axis]);
    for (const Place& place : m_places) {
      const auto value = [&](std::size_t n, int component) {
        return patch.values[outputs * nodes[n] + static_cast<std::size_t>(place.output + component)];
      };
      bool has = true;
      for (std::size_t n = 0; n < 3; ++n)
        for (int k = 0; k < place.components; ++k) has = has && std::isfinite(value(n, k));
      if (!has) {
        ++row[place.without()];
        continue;
      }
      addRange(place, row, 3, value);
      sums[place.area()].add(size);
      double through = 0;
      const std::size_t first = place.first + static_cast<std::size_t>(place.components);
      for (int k = 0; k < place.components; ++k) {
        const double mean = (value(0, k) + value(1, k) + value(2, k)) / 3;
        sums[place.first + static_cast<std::size_t>(k)].add(mean * size);
        if (place.through == 3)
          for (int axis = 0; axis < 3; ++axis)
            sums[first + static_cast<std::size_t>(axis)].add(mean * area[axis]);
        if (place.through == 1) through += mean * area[k];
      }
      if (place.through == 1) sums[first].add(through);
    }
  }
  for (std::size_t n = 0; n < m_sumCount; ++n) row[n] += sums[n].value();
}

IntegralSum::IntegralSum(const SurfaceIntegrator& integrator)
    : m_integrator(integrator),
      m_sums(integrator.sumCount()),
      m_least(integrator.m_places.size(), kInfinity),
      m_greatest(integrator.m_places.size(), -kInfinity) {}

void IntegralSum::add(std::span<const double> row) {
  // sums of least and greatest values mean nothing, and are not read
  for (std::size_t n = 0; n < row.size(); ++n) m_sums[n].add(row[n]);
  for (std::size_t f = 0; f < m_least.size(); ++f) {
    m_least[f] = std::min(m_least[f], row[m_integrator.m_places[f].least()]);
    m_greatest[f] = std::max(m_greatest[f], row[m_integrator.m_places[f].greatest()]);
  }
}

SurfaceIntegral IntegralSum::result(bool towardsLower) const {
  const auto sum = [&](std::size_t n) { return m_sums[n].value(); };
  const double sign = (towardsLower ? -1.0 : 1.0) * (sum(kVolume) < 0 ? -1.0 : 1.0);
  // adding 0.0 removes the sign of a zero
  const auto turned = [&](std::size_t n) { return sign * sum(n) + 0.0; };
  SurfaceIntegral result;
  result.cells = static_cast<std::int64_t>(sum(kCells));
  result.cellsLeftOut = static_cast<std::int64_t>(sum(kLeftOut));
  result.area = sum(kArea);
  for (int axis = 0; axis < 3; ++axis)
    result.vectorArea[axis] = turned(kVectorArea + static_cast<std::size_t>(axis));
  for (std::size_t f = 0; f < m_least.size(); ++f) {
    const SurfaceIntegrator::Place& place = m_integrator.m_places[f];
    FunctionIntegral of;
    std::size_t at = place.first;
    for (int k = 0; k < place.components; ++k) of.integral.push_back(sum(at++));
    for (int k = 0; k < place.through; ++k) of.through.push_back(turned(at++));
    of.area = sum(place.area());
    of.cellsWithout = static_cast<std::int64_t>(sum(place.without()));
    of.least = m_least[f];
    of.greatest = m_greatest[f];
    result.functions.push_back(std::move(of));
  }
  return result;
}

SurfaceIntegral sumOf(std::span<const SurfaceIntegral> parts) {
  SurfaceIntegral all = parts.front();
  const auto add = [&](auto&& number) {
    CompensatedSum sum;
    for (const SurfaceIntegral& part : parts) sum.add(number(part));
    return sum.value();
  };
  all.area = add([](const SurfaceIntegral& part) { return part.area; });
  for (int axis = 0; axis < 3; ++axis)
    all.vectorArea[axis] = add([&](const SurfaceIntegral& part) { return part.vectorArea[axis]; });
  for (std::size_t f = 0; f < all.functions.size(); ++f) {
    FunctionIntegral& of = all.functions[f];
    for (std::size_t k = 0; k < of.integral.size(); ++k)
      of.integral[k] = add([&](const SurfaceIntegral& part) { return part.functions[f].integral[k]; });
    for (std::size_t k = 0; k < of.through.size(); ++k)
      of.through[k] = add([&](const SurfaceIntegral& part) { return part.functions[f].through[k]; });
    of.area = add([&](const SurfaceIntegral& part) { return part.functions[f].area; });
  }
  for (const SurfaceIntegral& part : parts.subspan(1)) {
    all.cells += part.cells;
    all.cellsLeftOut += part.cellsLeftOut;
    for (std::size_t f = 0; f < all.functions.size(); ++f) {
      FunctionIntegral& of = all.functions[f];
      of.cellsWithout += part.functions[f].cellsWithout;
      of.least = std::min(of.least, part.functions[f].least);
      of.greatest = std::max(of.greatest, part.functions[f].greatest);
    }
  }
  return all;
}

}  // namespace farfield::extract
