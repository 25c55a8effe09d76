#include "core/session/kinds/outline/outline_run.h"

#include "core/base/error.h"
#include "core/extract/outline.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {
OutlineRun::OutlineRun(const Object& object, const paging::DatasetDescription& description)
    : LinesRun(object, description, {}), m_blocks(std::get<Outline>(object.shape).blocks) {
  if (!object.color.by.empty())
    throw Invalid("outlines have one colour", "give a solid colour").at("color.by");
  if (m_blocks.empty())
    for (std::size_t n = 0; n < description.blocks.size(); ++n)
      m_blocks.push_back(static_cast<std::int64_t>(n));
  for (const std::int64_t block : m_blocks)
    if (block < 0 || block >= static_cast<std::int64_t>(description.blocks.size()))
      throw Invalid("there is no block " + std::to_string(block),
                    "choose from 0 to " + std::to_string(description.blocks.size() - 1))
          .at("block");
}

std::uint64_t OutlineRun::taskBytes() const {
  return kBlockBytes + 8192;
}

std::size_t OutlineRun::taskCount(const paging::DatasetDescription&) const {
  return m_blocks.size() * extract::kEdgesPerBlock;
}

std::optional<std::vector<GatheredNodes>> OutlineRun::gathered(
    const paging::DatasetDescription& description) const {
  std::vector<GatheredNodes> regions;
  for (const std::int64_t block : m_blocks) {
    const paging::BlockDescription& grid = description.blocks[static_cast<std::size_t>(block)];
    if (grid.kind != paging::GridKind::Curvilinear) continue;  // no nodes are read of others
    for (std::size_t edge = 0; edge < extract::kEdgesPerBlock; ++edge)
      if (const IndexBox nodes = extract::edgeNodes(grid.dims, edge); product(nodes.size) > 1)
        regions.push_back({static_cast<int>(block), nodes, {paging::ArrayRole::Coordinates}});
  }
  return regions;
}

tasks::GroupResult OutlineRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                        std::span<const std::size_t> numbers,
                                        std::chrono::milliseconds limit) const {
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    extract::extractEdge(n % extract::kEdgesPerBlock, static_cast<int>(m_blocks[n / extract::kEdgesPerBlock]),
                         surroundings.data, context, step, [](Vec3) {});
  });
}

std::vector<std::int64_t> OutlineRun::blocksAt(const paging::DatasetDescription& data,
                                               std::int64_t step) const {
  std::vector<std::int64_t> blocks;
  const std::vector<bool> there = paging::blocksAt(data, step);
  for (const std::int64_t block : m_blocks)
    if (there.empty() || there[static_cast<std::size_t>(block)]) blocks.push_back(block);
  return blocks;
}

std::uint64_t OutlineRun::linesAt(const paging::DatasetDescription& data, std::int64_t step) const {
  return blocksAt(data, step).size() * extract::kEdgesPerBlock;
}

void OutlineRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  fields::PagedData& data = surroundings.data;
  const std::vector<std::int64_t> blocks = blocksAt(data.description(), step);
  const std::size_t edges = blocks.size() * extract::kEdgesPerBlock;
  const auto lines = makeSpool(surroundings, edges);
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = surroundings.share.countOf(edges);
  group.admission = &data.admission();
  group.progress = surroundings.progress;
  group.run = [&](std::size_t started, tasks::TaskContext& context) {
    const std::size_t n = surroundings.share.number(started);
    const auto block = static_cast<int>(blocks[n / extract::kEdgesPerBlock]);
    LineSpool::Writer line = lines->open(n);
    Vec3 first;
    bool any = false;
    extract::extractEdge(n % extract::kEdgesPerBlock, block, data, context, step, [&](Vec3 point) {
      if (!any) first = point;
      any = true;
      line.vertex(point, 0, {});
    });
    flow::LineResult result;
    result.block = block;
    line.finish(result, first);
  };
  group.timeBudget = budget.left();
  m_lastGroup = data.makeScheduler()->run(group, surroundings.stop);
  noteMissing(m_lastGroup.finished, group.count);
  // Those whose turn did not come are a corner of their block, so that there is a line for every edge.
  for (std::size_t n = 0; m_lastGroup.finished < group.count && n < edges; ++n) {
    if (!surroundings.share.has(n) || lines->isFinished(n)) continue;
    const auto block = static_cast<std::size_t>(blocks[n / extract::kEdgesPerBlock]);
    lines->open(n).finish(
        {.termination = flow::Termination::OutOfTime, .block = static_cast<std::int32_t>(block)},
        data.description().blocks[block].bounds.min);
  }
}

void OutlineRun::writeGeometry(const std::filesystem::path& path) const {
  writeLines(path, *polylinesOf(spool()), {});
}

scene::SceneItem OutlineRun::item(const Object& look) const {
  scene::SceneItem item = LinesRun::item(look);
  item.widthPixels = std::get<Outline>(look.shape).widthPixels;
  return item;
}

std::unique_ptr<ObjectRun> makeRun(const Outline&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<OutlineRun>(object, description);
}

}  // namespace farfield::session
