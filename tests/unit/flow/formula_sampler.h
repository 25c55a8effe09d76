#pragma once
// Fields that are formulas, as samplers: velocity at any point of a box or of part of one, with cells of one
// size, so that what the tracer does can be compared with closed forms.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/fields/paged/sampler.h"
#include "core/flow/tracer.h"
#include "core/tasks/task_context.h"

namespace farfield::test {

class FormulaSampler final : public fields::Sampler {
 public:
  using Velocity = std::function<Vec3(Vec3)>;
  using Inside = std::function<bool(Vec3)>;
  FormulaSampler(Bounds bounds, double cellSize, Velocity velocity, Inside inside = {})
      : m_bounds(bounds),
        m_cellSize(cellSize),
        m_velocity(std::move(velocity)),
        m_inside(std::move(inside)) {}

  bool locate(Vec3 point, fields::FieldTime, fields::Location& location) override {
    ++locates;
    if (!m_bounds.contains(point) || (m_inside && !m_inside(point))) return false;
    location = {0, 0, point};
    return true;
  }
  void evaluate(const fields::Location& location, fields::FieldTime, std::span<double> out) override {
    ++evaluations;
    const Vec3 v = m_velocity(location.xi);
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = location.xi.x + 2 * location.xi.y;
  }
  int valueCount() const override { return 4; }
  double cellsPerTime(const fields::Location&, fields::FieldTime, Vec3 velocity) override {
    return length(velocity) / m_cellSize;
  }
  const Bounds& bounds() const override { return m_bounds; }

  int locates = 0, evaluations = 0;

 private:
  Bounds m_bounds;
  double m_cellSize;
  Velocity m_velocity;
  Inside m_inside;
};

/// The same on a grid of cubes: trilinear between nodes, so with kinks at the faces. In one block, or in
/// several that meet at numbers of cells along x.
class GridSampler final : public fields::Sampler {
 public:
  GridSampler(double half, std::int64_t cells, FormulaSampler::Velocity velocity,
              std::vector<std::int64_t> meet = {})
      : m_cells(cells),
        m_meet(std::move(meet)),
        m_size(2 * half / static_cast<double>(cells)),
        m_velocity(std::move(velocity)) {
    m_bounds.add(Vec3{-half, -half, -half});
    m_bounds.add(Vec3{half, half, half});
  }
  bool locate(Vec3 point, fields::FieldTime, fields::Location& location) override {
    ++searches;
    if (!m_bounds.contains(point)) return false;
    location = nearestCell(point, 0, m_cells);
    return true;
  }
  fields::Nearness locateNear(Vec3 point, fields::FieldTime, fields::Location& location) override {
    const fields::Location near = nearestCell(point, firstOf(location.block), firstOf(location.block + 1));
    const Vec3 xi = near.xi;
    const double least = std::min({xi.x, xi.y, xi.z}), most = std::max({xi.x, xi.y, xi.z});
    if (std::max(-least, most - 1) > 1) return fields::Nearness::Far;
    location = near;
    return least >= 0 && most <= 1 ? fields::Nearness::Inside : fields::Nearness::Beyond;
  }
  void evaluate(const fields::Location& location, fields::FieldTime, std::span<double> out) override {
    ++evaluations;
    const Index3 cell = unlinear(location.cell, {m_cells, m_cells, m_cells});
    Vec3 sum;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      for (int a = 0; a < 3; ++a) weight *= corner >> a & 1 ? location.xi[a] : 1 - location.xi[a];
      sum = sum + weight * m_velocity(node(cell, corner));
    }
    out[0] = sum.x;
    out[1] = sum.y;
    out[2] = sum.z;
    out[3] = 0;
  }
  std::optional<fields::CellFlow> flowIn(const fields::Location& location, fields::FieldTime) override {
    const Index3 cell = unlinear(location.cell, {m_cells, m_cells, m_cells});
    fields::CellCorners nodes, velocities;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      nodes[corner] = node(cell, static_cast<int>(corner));
      velocities[corner] = m_velocity(nodes[corner]);
    }
    ++flows;
    return fields::HexahedronFlow(fields::TrilinearVector(nodes), velocities);
  }
  double outsideBy(const fields::Location& location) override {
    return fields::Hexahedron::outsideBy(location.xi);
  }
  bool crossFace(fields::Location& location, fields::FieldTime, int face) override {
    const int axis = face / 2;
    const bool up = face % 2 == 1;
    Index3 cell = unlinear(location.cell, {m_cells, m_cells, m_cells});
    const bool x = axis == 0;
    std::int64_t& to = cell[static_cast<std::size_t>(axis)];
    to += up ? 1 : -1;
    if (to < (x ? firstOf(location.block) : 0) || to >= (x ? firstOf(location.block + 1) : m_cells))
      return false;
    location.cell = linear(cell, {m_cells, m_cells, m_cells});
    location.xi[axis] = up ? 0 : 1;
    return true;
  }
  int valueCount() const override { return 4; }
  double cellsPerTime(const fields::Location&, fields::FieldTime, Vec3 velocity) override {
    return length(velocity) / m_size;
  }
  const Bounds& bounds() const override { return m_bounds; }
  /// Distance to the nearest face between cells, in cells.
  double toFace(Vec3 point) const {
    double nearest = 1;
    for (int a = 0; a < 2; ++a) {
      const double at = (point[a] - m_bounds.min[a]) / m_size;
      nearest = std::min(nearest, std::abs(at - std::round(at)));
    }
    return nearest;
  }

  int evaluations = 0, searches = 0, flows = 0;

 private:
  Vec3 node(const Index3& cell, int corner) const {
    Vec3 at;
    for (int a = 0; a < 3; ++a)
      at[a] = m_bounds.min[a] +
              m_size * static_cast<double>(cell[static_cast<std::size_t>(a)] + (corner >> a & 1));
    return at;
  }
  fields::Location nearestCell(Vec3 point, std::int64_t from, std::int64_t to) const {
    Index3 cell;
    Vec3 xi;
    for (int a = 0; a < 3; ++a) {
      const double at = (point[a] - m_bounds.min[a]) / m_size;
      const auto number = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(at)),
                                                   a == 0 ? from : 0, (a == 0 ? to : m_cells) - 1);
      cell[static_cast<std::size_t>(a)] = number;
      xi[a] = at - static_cast<double>(number);
    }
    const auto block = std::upper_bound(m_meet.begin(), m_meet.end(), cell[0]) - m_meet.begin();
    return {static_cast<int>(block), linear(cell, {m_cells, m_cells, m_cells}), xi};
  }
  /// Cells along x in front of a block.
  std::int64_t firstOf(int block) const {
    if (block == 0) return 0;
    const auto before = static_cast<std::size_t>(block) - 1;
    return before < m_meet.size() ? m_meet[before] : m_cells;
  }

  std::int64_t m_cells;
  std::vector<std::int64_t> m_meet;
  double m_size;
  FormulaSampler::Velocity m_velocity;
  Bounds m_bounds;
};

class PlainContext final : public tasks::TaskContext {
 public:
  void wait(tasks::Gate&, const std::function<void()>&) override {}
  tasks::Waker& waker() override { return m_waker; }
  bool stopRequested() const override { return stop; }
  bool outOfTime() const override { return timeChecks >= 0 && m_checks++ >= timeChecks; }
  bool stop = false;
  int timeChecks = -1;

 private:
  struct NoWaker final : tasks::Waker {
    void wake() noexcept override {}
  } m_waker;
  mutable int m_checks = 0;
};

struct Line final : flow::LineSink {
  std::vector<Vec3> points;
  std::vector<double> times;
  std::vector<Vec3> velocities;
  std::vector<double> colors;
  flow::LineResult result;
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    points.push_back(point);
    times.push_back(time);
    velocities.push_back({values[0], values[1], values[2]});
    colors.push_back(values[3]);
  }
};

inline Line trace(fields::Sampler& sampler, Vec3 seed, int direction, const flow::LineOptions& options) {
  PlainContext context;
  Line line;
  flow::SampledField field(sampler, {});
  line.result = flow::traceLine(field, seed, direction, options, context, line);
  return line;
}

inline Bounds box(double half) {
  Bounds bounds;
  bounds.add(Vec3{-half, -half, -half});
  bounds.add(Vec3{half, half, half});
  return bounds;
}

// Velocities.
inline Vec3 rotation(Vec3 p) {
  return {-p.y, p.x, 0};
}
inline Vec3 taylorGreen(Vec3 p) {
  return {std::sin(p.x) * std::cos(p.y), -std::cos(p.x) * std::sin(p.y), 0};
}
inline double taylorGreenStream(Vec3 p) {
  return std::sin(p.x) * std::sin(p.y);
}
inline Vec3 abc(Vec3 p) {
  const double a = std::sqrt(3.0), b = std::sqrt(2.0), c = 1;
  return {a * std::sin(p.z) + c * std::cos(p.y), b * std::sin(p.x) + a * std::cos(p.z),
          c * std::sin(p.y) + b * std::cos(p.x)};
}
/// Flow around the unit cylinder along z, free stream 1 along x.
inline Vec3 cylinder(Vec3 p) {
  const double r2 = p.x * p.x + p.y * p.y;
  return {1 - (p.x * p.x - p.y * p.y) / (r2 * r2), -2 * p.x * p.y / (r2 * r2), 0};
}
inline double cylinderStream(Vec3 p) {
  return p.y * (1 - 1 / (p.x * p.x + p.y * p.y));
}

}  // namespace farfield::test
