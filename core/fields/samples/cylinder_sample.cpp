#include "core/fields/samples/cylinder_sample.h"

#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "core/fields/samples/formulas.h"
#include "core/fields/samples/sample_parts.h"
#include "core/paging/pages/role_names.h"

namespace farfield::samples {
namespace {

// the outermost layer is e^3 times as thick as the one at the wall
constexpr double kGrowth = 3;
constexpr std::int64_t kMostCellsAround = std::int64_t{1} << 24;

class CylinderSample final : public paging::BoxReader {
 public:
  CylinderSample(const Sample& sample, const SampleOptions& options)
      : m_grid{options.size, options.blocks}, m_description(detail::emptyDescription(sample, options, true)) {
    if (m_grid.size[0] < 6 || m_grid.cellsAround() < 8) {
      throw Invalid("too few nodes around the cylinder", "give at least 6 per block and 8 cells in all")
          .at("size");
    }
    if (m_grid.cellsAround() > kMostCellsAround)
      throw Invalid("too many nodes around the cylinder").at("size");
    if (options.blocks > 32766)
      throw Invalid("iblank cannot number so many blocks", "give fewer").at("blocks");
    for (int block = 0; block < options.blocks; ++block) {
      paging::BlockDescription grid;
      grid.dims = options.size;
      grid.kind = paging::GridKind::Curvilinear;
      grid.hasIblank = true;
      for (std::int64_t i = 0; i < options.size[0]; ++i) {
        grid.bounds.add(m_grid.nodeAt(block, {i, 0, 0}));
        grid.bounds.add(m_grid.nodeAt(block, {i, options.size[1] - 1, options.size[2] - 1}));
      }
      grid.bounds = detail::storedBounds(grid.bounds, options.type);
      m_description.blocks.push_back(grid);
      detail::addConservedArrays(m_description, options, block, options.size, options.steps);
      m_description.arrays.push_back(
          detail::arrayOf(options, block, options.size, paging::kBlankingName, {}, ScalarType::I16, 1));
      m_description.arrays.back().role = paging::ArrayRole::Blanking;
    }
  }

  const paging::DatasetDescription& description() const override { return m_description; }
  bool isComputed() const override { return true; }

  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    detail::checkRead(m_description, array, step, box, out.size());
    const paging::ArrayDescription& asked = m_description.arrays[array];
    const double time = m_description.times[static_cast<std::size_t>(step)];
    detail::Output output(out, asked.type);
    detail::forNodes(box, [&](const Index3& node) {
      if (asked.role == paging::ArrayRole::Blanking) {
        output.putNumber(m_grid.iblankAt(asked.block, node));
        return;
      }
      const Vec3 point = m_grid.nodeAt(asked.block, node);
      if (asked.role == paging::ArrayRole::Coordinates) {
        for (int a = 0; a < 3; ++a) output.put(point[a]);
        return;
      }
      double values[5];
      detail::conserved(Cylinder::velocity(point, time), Cylinder::pressure(point, time), values);
      for (const double value : values) output.put(value);
    });
  }

 private:
  CylinderGrid m_grid;
  paging::DatasetDescription m_description;
};

}  // namespace

double CylinderGrid::radius(std::int64_t j) const {
  const double part = static_cast<double>(j) / static_cast<double>(size[1] - 1);
  return 1 + (kOuterRadius - 1) * (std::expm1(kGrowth * part) / std::expm1(kGrowth));
}

Vec3 CylinderGrid::nodeAt(int block, const Index3& node) const {
  // by the number around the whole cylinder, so that shared nodes of two blocks are exactly equal
  const std::int64_t around = (block * (size[0] - 1 - kOverlapCells) + node[0]) % cellsAround();
  const double angle =
      2 * std::numbers::pi * static_cast<double>(around) / static_cast<double>(cellsAround());
  const double r = radius(node[1]);
  return {r * std::cos(angle), r * std::sin(angle),
          kSpan * static_cast<double>(node[2]) / static_cast<double>(size[2] - 1)};
}

std::int16_t CylinderGrid::iblankAt(int block, const Index3& node) const {
  const std::int64_t last = size[0] - 1;
  const int previous = (block + blocks - 1) % blocks, next = (block + 1) % blocks;
  const bool outer = node[1] >= size[1] / 2;
  if (node[0] == 0) return static_cast<std::int16_t>(-(previous + 1));
  if (outer && node[0] == last) return 0;
  if (node[0] == (outer ? last - 1 : last)) return static_cast<std::int16_t>(-(next + 1));
  return node[1] == 0 ? 2 : 1;
}

std::unique_ptr<paging::BoxReader> detail::makeCylinderSample(const Sample& sample,
                                                              const SampleOptions& options) {
  return std::make_unique<CylinderSample>(sample, options);
}

}  // namespace farfield::samples
