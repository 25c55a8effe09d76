// Samples that fill a box: regular grids, or the same box with nodes bent inside it.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/fields/samples/formulas.h"
#include "core/fields/samples/sample_parts.h"

namespace farfield::samples::detail {
namespace {

// nodes move by up to this part of the box, most in its middle and not at its faces
constexpr Vec3 kBend{0.06, -0.05, 0.04};

class BoxSample final : public paging::BoxReader {
 public:
  BoxSample(const Sample& sample, const SampleOptions& options)
      : m_formulas(formulasOf(sample.name)),
        m_size(options.size),
        m_curvilinear(options.curvilinear),
        m_description(emptyDescription(sample, options, options.curvilinear)) {
    const Index3 cells{(m_size[0] - 1) * options.blocks, m_size[1] - 1, m_size[2] - 1};
    const Vec3 extent = m_formulas.box.max - m_formulas.box.min;
    for (int a = 0; a < 3; ++a) {
      m_cells[a] = static_cast<double>(cells[static_cast<std::size_t>(a)]);
      m_spacing[a] = extent[a] / m_cells[a];
    }
    const std::int64_t steps = sample.timeStep > 0 ? options.steps : 1;
    for (int block = 0; block < options.blocks; ++block) addBlock(options, block, steps);
  }

  const paging::DatasetDescription& description() const override { return m_description; }
  bool isComputed() const override { return true; }

  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    checkRead(m_description, array, step, box, out.size());
    const paging::ArrayDescription& asked = m_description.arrays[array];
    const double time = m_description.times[static_cast<std::size_t>(step)];
    const std::function<Vec3(Vec3)> velocity = m_formulas.flowAt ? m_formulas.flowAt(time) : nullptr;
    Output output(out, asked.type);
    const auto putAll = [&output](Vec3 v) {
      for (int a = 0; a < 3; ++a) output.put(v[a]);
    };
    forNodes(box, [&](const Index3& node) {
      const Vec3 point = nodeAt(asked.block, node);
      if (asked.role == paging::ArrayRole::Coordinates) {
        putAll(point);
      } else if (asked.name == "velocity") {
        putAll(velocity(point));
      } else if (asked.name == "pressure") {
        output.put(m_formulas.pressure(point, time));
      } else if (asked.name == "density") {
        output.put(m_formulas.density(point));
      } else {
        double values[5];
        conserved(velocity(point), m_formulas.pressure ? m_formulas.pressure(point, time) : kAmbientPressure,
                  values);
        for (const double value : values) output.put(value);
      }
    });
  }

 private:
  void addBlock(const SampleOptions& options, int block, std::int64_t steps) {
    paging::BlockDescription grid;
    grid.dims = m_size;
    const Index3 last{m_size[0] - 1, m_size[1] - 1, m_size[2] - 1};
    grid.bounds.add(nodeAt(block, {0, 0, 0}));
    grid.bounds.add(nodeAt(block, last));
    if (m_curvilinear) {
      grid.kind = paging::GridKind::Curvilinear;
      // a last layer that is not a face of the box bulges, most in the middle
      for (const std::int64_t j : {last[1] / 2, (last[1] + 1) / 2})
        for (const std::int64_t k : {last[2] / 2, (last[2] + 1) / 2}) {
          Vec3 bulge = grid.bounds.max;
          bulge.x = nodeAt(block, {last[0], j, k}).x;
          grid.bounds.add(bulge);
        }
      grid.bounds = storedBounds(grid.bounds, options.type);
      m_description.blocks.push_back(grid);
      addConservedArrays(m_description, options, block, m_size, steps);
      return;
    }
    grid.kind = paging::GridKind::Regular;
    grid.origin = nodeAt(block, {0, 0, 0});
    grid.spacing = m_spacing;
    m_description.blocks.push_back(grid);
    const auto add = [&](const char* name, std::vector<std::string> componentNames) {
      m_description.arrays.push_back(
          arrayOf(options, block, m_size, name, std::move(componentNames), options.type, steps));
    };
    if (m_formulas.flowAt) add("velocity", {"velocity-x", "velocity-y", "velocity-z"});
    if (m_formulas.pressure) add("pressure", {});
    if (m_formulas.density) add("density", {});
  }

  /// From the node's number in the whole box, so that blocks agree exactly on their shared layer.
  Vec3 nodeAt(int block, const Index3& node) const {
    Vec3 number{static_cast<double>(block * (m_size[0] - 1) + node[0]), static_cast<double>(node[1]),
                static_cast<double>(node[2])};
    Vec3 point;
    for (int a = 0; a < 3; ++a) {
      // the last layer is exactly the box's face
      point[a] =
          number[a] == m_cells[a] ? m_formulas.box.max[a] : m_formulas.box.min[a] + m_spacing[a] * number[a];
    }
    if (!m_curvilinear) return point;
    double bend = 1;
    for (int a = 0; a < 3; ++a) {
      if (number[a] == 0 || number[a] == m_cells[a]) return point;
      bend *= std::sin(std::numbers::pi * number[a] / m_cells[a]);
    }
    for (int a = 0; a < 3; ++a) point[a] += bend * kBend[a] * (m_formulas.box.max[a] - m_formulas.box.min[a]);
    return point;
  }

  Formulas m_formulas;
  Index3 m_size;
  bool m_curvilinear;
  Vec3 m_cells, m_spacing;  ///< of the whole box
  paging::DatasetDescription m_description;
};

}  // namespace

std::unique_ptr<paging::BoxReader> makeBoxSample(const Sample& sample, const SampleOptions& options) {
  return std::make_unique<BoxSample>(sample, options);
}

}  // namespace farfield::samples::detail
