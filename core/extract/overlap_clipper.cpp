#include "core/extract/overlap_clipper.h"

#include <algorithm>

#include "core/paging/pages/amr_boxes.h"

namespace farfield::extract::detail {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
/// How often a triangle on the border is divided into four.
constexpr int kDepth = 2;
/// How often the place of the border on an edge is halved.
constexpr int kHalvings = 12;
/// How far inside of its triangle a corner is looked for, of the way to the middle.
constexpr double kInside = 1e-6;
/// Vertices and triangles that are passed on at a time, and that the pieces of one triangle may add to them.
constexpr std::size_t kMostVertices = 512, kMostTriangles = 1024, kMostPieces = 192;
/// Of the patches that come: those of slices and isosurfaces have fewer vertices.
constexpr std::size_t kMostComing = 512;

bool meets(const Bounds& a, const Bounds& b) {
  for (int axis = 0; axis < 3; ++axis)
    if (a.max[axis] < b.min[axis] || a.min[axis] > b.max[axis]) return false;
  return true;
}

}  // namespace

OverlapClipper::OverlapClipper(int block, fields::PagedData& data, tasks::TaskContext& context,
                               std::size_t outputs, std::int64_t step)
    : m_block(block), m_data(data), m_context(context), m_outputs(outputs), m_time{step} {
  const paging::DatasetDescription& description = data.description();
  const bool finestFirst = paging::isAmr(description);
  for (int other = 0; other < static_cast<int>(description.blocks.size()); ++other) {
    const paging::BlockDescription& grid = description.blocks[static_cast<std::size_t>(other)];
    // what is one node thick has no part in surfaces
    const bool isFlat = !grid.isUnstructured() && std::min({grid.dims[0], grid.dims[1], grid.dims[2]}) < 2;
    if (!isFlat && (finestFirst ? other > block : other < block)) m_others.push_back(other);
  }
  m_nothing = std::make_shared<fields::FunctionPlan>(description, std::vector<std::string>{});
}

std::unique_ptr<OverlapClipper> OverlapClipper::make(Overlaps overlaps, int block, fields::PagedData& data,
                                                     tasks::TaskContext& context, std::size_t outputs,
                                                     std::int64_t step) {
  if (overlaps == Overlaps::All ||
      data.description().blocks[static_cast<std::size_t>(block)].isUnstructured())
    return nullptr;
  auto clipper = std::make_unique<OverlapClipper>(block, data, context, outputs, step);
  return clipper->m_others.empty() ? nullptr : std::move(clipper);
}

std::uint64_t OverlapClipper::bytesFor(const fields::FunctionPlan& functions) {
  const auto outputs = static_cast<std::uint64_t>(functions.outputCount());
  // its sampler has no functions, and takes less
  return sizeof(OverlapClipper) + fields::PagedData::samplerBytes(functions) +
         kMostComing * (sizeof(Owner) + sizeof(Vec3) + sizeof(std::uint32_t)) +
         (kMostVertices + kMostPieces) * (3 + 3 + outputs) * sizeof(double) +
         (kMostTriangles + kMostPieces) * (3 * sizeof(std::uint32_t) + 1);
}

void OverlapClipper::clip(const SurfacePatch& patch, std::size_t number, SurfaceSink& sink) {
  Bounds bounds;
  const std::size_t vertices = patch.points.size() / 3;
  for (std::size_t n = 0; n < vertices; ++n)
    bounds.add(Vec3{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]});
  m_near.clear();
  for (const int other : m_others)
    if (const Bounds& its = m_data.description().blocks[static_cast<std::size_t>(other)].bounds;
        meets(its, bounds))
      m_near.push_back(its);
  if (m_near.empty()) return sink.patch(number, patch);

  m_patch = patch;
  m_number = number;
  m_sink = &sink;
  m_sampler = m_data.makeSampler(m_context, m_nothing);
  m_taken = {};
  m_owners.assign(vertices, Owner::NotAsked);
  m_vertexOf.assign(vertices, kNone);
  m_inwards.assign(vertices, Vec3{0, 0, 0});
  const auto eachTriangle = [&](const auto& visit) {
    for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
      std::copy_n(patch.triangles.begin() + static_cast<std::ptrdiff_t>(t), 3, m_corners.begin());
      m_edges = patch.sides.empty() ? 0 : patch.sides[t / 3];
      visit();
    }
  };
  constexpr Weights kMiddle{1.0 / 3, 1.0 / 3, 1.0 / 3};
  constexpr std::array<Weights, 3> kEnds{Weights{1, 0, 0}, Weights{0, 1, 0}, Weights{0, 0, 1}};
  eachTriangle([&] {
    for (std::size_t n = 0; n < 3; ++n)
      m_inwards[m_corners[n]] = m_inwards[m_corners[n]] + (pointAt(kMiddle) - pointAt(kEnds[n]));
  });
  eachTriangle([&] {
    m_context.throwIfGivenUp();
    Triangle corners;
    for (std::size_t n = 0; n < 3; ++n) corners[n] = {kEnds[n], isOwnVertex(m_corners[n])};
    const Corner middle{kMiddle, isOwn(pointAt(kMiddle))};
    const auto agrees = [&](const Corner& corner) { return corner.own == middle.own; };
    if (std::all_of(corners.begin(), corners.end(), agrees)) {
      if (!middle.own) return;
      for (const std::uint32_t corner : m_corners) m_triangles.push_back(addVertex(corner));
      if (!m_patch.sides.empty()) m_sides.push_back(m_edges);
    } else if (corners[0].own == corners[1].own && corners[1].own == corners[2].own) {
      for (std::size_t n = 0; n < 3; ++n) addDivided({corners[n], corners[(n + 1) % 3], middle}, 0);
    } else {
      addDivided(corners, 0);
    }
    if (m_points.size() / 3 > kMostVertices || m_triangles.size() / 3 > kMostTriangles) flush();
  });
  flush();
  m_sampler.reset();
}

/// Whether location finds `point` in no block that comes before.
bool OverlapClipper::isOwn(Vec3 point) {
  if (std::none_of(m_near.begin(), m_near.end(), [&](const Bounds& its) { return its.contains(point); }))
    return true;
  if (m_taken.valid()) {
    // where one of the others was, it often still is
    fields::Location near = m_taken;
    if (m_sampler->locateNear(point, m_time, near) == fields::Nearness::Inside) {
      m_taken = near;
      return false;
    }
  }
  fields::Location found;
  if (!m_sampler->locate(point, m_time, found)) return true;
  if (!std::binary_search(m_others.begin(), m_others.end(), found.block)) return true;
  m_taken = found;
  return false;
}

Vec3 OverlapClipper::pointAt(const Weights& weights) const {
  Vec3 point{0, 0, 0};
  for (std::size_t n = 0; n < 3; ++n) {
    const double* const at = m_patch.points.data() + std::size_t{3} * m_corners[n];
    point = point + weights[n] * Vec3{at[0], at[1], at[2]};
  }
  return point;
}

OverlapClipper::Weights OverlapClipper::between(const Weights& a, const Weights& b, double share) {
  Weights weights;
  for (std::size_t n = 0; n < 3; ++n) weights[n] = a[n] + share * (b[n] - a[n]);
  return weights;
}

bool OverlapClipper::isOwnAt(const Weights& weights) {
  return isOwn(pointAt(between(weights, {1.0 / 3, 1.0 / 3, 1.0 / 3}, kInside)));
}

bool OverlapClipper::isOwnVertex(std::uint32_t vertex) {
  Owner& owner = m_owners[vertex];
  if (owner == Owner::NotAsked) {
    const double* const at = m_patch.points.data() + std::size_t{3} * vertex;
    owner = isOwn(Vec3{at[0], at[1], at[2]} + kInside * m_inwards[vertex]) ? Owner::Own : Owner::Other;
  }
  return owner == Owner::Own;
}

void OverlapClipper::addDivided(const Triangle& triangle, int depth) {
  const auto& [a, b, c] = triangle;
  if (a.own == b.own && b.own == c.own) {
    if (a.own) addTriangle(a.weights, b.weights, c.weights);
    return;
  }
  if (depth == kDepth) return addCut(triangle);
  const auto middle = [&](const Corner& from, const Corner& to) {
    const Weights weights = between(from.weights, to.weights, 0.5);
    return Corner{weights, isOwnAt(weights)};
  };
  const Corner ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
  for (const Triangle& part :
       {Triangle{a, ab, ca}, Triangle{ab, b, bc}, Triangle{ca, bc, c}, Triangle{ab, bc, ca}})
    addDivided(part, depth + 1);
}

/// Where the border crosses the edge between two corners.
OverlapClipper::Weights OverlapClipper::borderBetween(const Corner& own, const Corner& other) {
  Weights inside = own.weights, outside = other.weights;
  for (int n = 0; n < kHalvings; ++n) {
    const Weights middle = between(inside, outside, 0.5);
    (isOwnAt(middle) ? inside : outside) = middle;
  }
  return inside;
}

/// The part of a small triangle that lies on one side of the border.
void OverlapClipper::addCut(const Triangle& triangle) {
  // turned so that the corner that differs is the first
  std::size_t first = 0;
  while (triangle[(first + 1) % 3].own != triangle[(first + 2) % 3].own) ++first;
  const Corner &a = triangle[first], &b = triangle[(first + 1) % 3], &c = triangle[(first + 2) % 3];
  if (a.own) return addTriangle(a.weights, borderBetween(a, b), borderBetween(a, c));
  const Weights onB = borderBetween(b, a), onC = borderBetween(c, a);
  addTriangle(onB, b.weights, c.weights);
  addTriangle(onB, c.weights, onC);
}

std::uint32_t OverlapClipper::add(const Weights& weights) {
  const Vec3 point = pointAt(weights);
  Vec3 normal{0, 0, 0};
  for (std::size_t n = 0; n < 3; ++n) {
    const double* const at = m_patch.normals.data() + std::size_t{3} * m_corners[n];
    normal = normal + weights[n] * Vec3{at[0], at[1], at[2]};
  }
  if (const double size = length(normal); size > 0) normal = (1 / size) * normal;
  m_points.insert(m_points.end(), {point.x, point.y, point.z});
  m_normals.insert(m_normals.end(), {normal.x, normal.y, normal.z});
  for (std::size_t v = 0; v < m_outputs; ++v) {
    const auto at = [&](std::size_t n) { return m_patch.values[m_outputs * m_corners[n] + v]; };
    double value = at(0);  // exactly, where all corners have the same
    if (at(1) != value || at(2) != value) {
      value = 0;
      // not multiplied by a weight of 0: the value may be NaN
      for (std::size_t n = 0; n < 3; ++n)
        if (weights[n] != 0) value += weights[n] * at(n);
    }
    m_values.push_back(value);
  }
  return static_cast<std::uint32_t>(m_points.size() / 3 - 1);
}

std::uint32_t OverlapClipper::addVertex(std::uint32_t vertex) {
  std::uint32_t& number = m_vertexOf[vertex];
  if (number != kNone) return number;
  number = static_cast<std::uint32_t>(m_points.size() / 3);
  const auto copy = [](std::vector<double>& to, std::span<const double> from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  copy(m_points, m_patch.points.subspan(std::size_t{3} * vertex, 3));
  copy(m_normals, m_patch.normals.subspan(std::size_t{3} * vertex, 3));
  copy(m_values, m_patch.values.subspan(m_outputs * vertex, m_outputs));
  return number;
}

void OverlapClipper::addTriangle(const Weights& a, const Weights& b, const Weights& c) {
  for (const Weights& weights : {a, b, c}) m_triangles.push_back(add(weights));
  if (m_patch.sides.empty()) return;
  // What of it lies on a side of the whole triangle: the weight of the corner opposite is exactly 0 there.
  const std::array<const Weights*, 3> corners{&a, &b, &c};
  std::uint8_t sides = 0;
  for (std::size_t n = 0; n < 3; ++n)
    for (std::size_t side = 0; side < 3; ++side)
      if ((m_edges >> side & 1) != 0 && (*corners[n])[(side + 2) % 3] == 0 &&
          (*corners[(n + 1) % 3])[(side + 2) % 3] == 0)
        sides |= static_cast<std::uint8_t>(1u << n);
  m_sides.push_back(sides);
}

void OverlapClipper::flush() {
  if (!m_triangles.empty())
    m_sink->patch(m_number, {m_points, m_normals, m_values, m_triangles, m_patch.seenFromBehind, m_sides,
                             m_patch.isBorder});
  m_points.clear(), m_normals.clear(), m_values.clear(), m_triangles.clear(), m_sides.clear();
  std::fill(m_vertexOf.begin(), m_vertexOf.end(), kNone);
}

}  // namespace farfield::extract::detail
