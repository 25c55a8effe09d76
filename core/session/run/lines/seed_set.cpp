#include "core/session/run/lines/seed_set.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/fields/functions/node_coordinates.h"
#include "core/fields/paged/paged_nodes.h"
#include "core/session/run/lines/index_range.h"
#include "core/session/run/lines/space_seeds.h"
#include "core/session/run/lines/spread_seeds.h"

namespace farfield::session {

std::unique_ptr<flow::SeedSet> makeSeeds(const Seeds& seeds, const paging::DatasetDescription& description,
                                         std::int64_t step) {
  try {
    if (const auto* points = std::get_if<PointSeeds>(&seeds)) return flow::pointSeeds(points->points);
    if (const auto* line = std::get_if<LineSeeds>(&seeds))
      return flow::lineSeeds(line->from, line->to, line->count);
    if (const auto* plane = std::get_if<PlaneSeeds>(&seeds))
      return flow::planeSeeds(plane->origin, plane->axis1, plane->axis2, plane->counts);
    if (const auto* box = std::get_if<BoxSeeds>(&seeds))
      return flow::boxSeeds(box->min, box->max, box->counts);
    if (const auto* spread = std::get_if<SpreadSeeds>(&seeds))
      return spreadSeeds(description, spread->count, step);
    const auto& nodes = std::get<GridPointSeeds>(seeds);
    if (nodes.block < 0 || nodes.block >= static_cast<std::int64_t>(description.blocks.size()))
      throw Invalid("there is no block " + std::to_string(nodes.block),
                    "choose from 0 to " + std::to_string(description.blocks.size() - 1))
          .at("block");
    const Index3& dims = description.blocks[static_cast<std::size_t>(nodes.block)].dims;
    return flow::gridPointSeeds(static_cast<int>(nodes.block), nodesOf(nodes.range, nodes.block, dims),
                                nodes.stride);
  } catch (Error& error) {
    error.at("seeds");
    throw;
  }
}

namespace {

constexpr std::size_t kNodesOfTask = 64;

/// Places of nodes at `step`, read by tasks.
std::vector<NodePlace> readPlaces(std::span<const BlockNode> nodes, bool blanks,
                                  const ObjectSurroundings& surroundings, std::int64_t step) {
  fields::PagedData& data = surroundings.data;
  std::vector<NodePlace> places(nodes.size());
  tasks::TaskGroup group;
  group.name = "seeds";
  group.count = (nodes.size() + kNodesOfTask - 1) / kNodesOfTask;
  group.admission = &data.admission();
  group.run = [&](std::size_t part, tasks::TaskContext& context) {
    fields::NodePlaces reader(data, context, step);
    const std::size_t end = std::min(nodes.size(), (part + 1) * kNodesOfTask);
    for (std::size_t n = part * kNodesOfTask; n < end; ++n) {
      if (blanks)
        places[n].isBlank = reader.isBlank(nodes[n].block, nodes[n].node);
      else
        places[n].at = reader.at(nodes[n].block, nodes[n].node);
    }
  };
  const auto isRead = [&](const BlockNode& its) {
    return blanks || data.description().blocks[static_cast<std::size_t>(its.block)].hasCoordinates();
  };
  if (std::any_of(nodes.begin(), nodes.end(), isRead)) {
    data.makeScheduler()->run(group, surroundings.stop);
    return places;
  }
  for (std::size_t n = 0; n < nodes.size(); ++n)
    places[n].at = fields::regularNode(data.description().blocks[static_cast<std::size_t>(nodes[n].block)],
                                       nodes[n].node);
  return places;
}

}  // namespace

std::unique_ptr<flow::SeedSet> findSeeds(const Seeds& seeds, const ObjectSurroundings& surroundings,
                                         std::int64_t step) {
  const paging::DatasetDescription& description = surroundings.data.description();
  const auto* const spread = std::get_if<SpreadSeeds>(&seeds);
  if (!spread || spread->over != SpreadSeeds::Over::Space) return makeSeeds(seeds, description, step);
  try {
    return seedsOverSpace(description, spread->count, step,
                          [&](std::span<const BlockNode> nodes, bool blanks) {
                            return readPlaces(nodes, blanks, surroundings, step);
                          });
  } catch (Error& error) {
    error.at("seeds");
    throw;
  }
}

Vec3 seedOf(const flow::SeedSet& seeds, std::size_t number, fields::PagedData& data,
            tasks::TaskContext& context, fields::FieldTime moment) {
  return seeds.at(number, [&](int block, const Index3& node) {
    return fields::nodeCoordinates(data, context, block, node, moment);
  });
}

}  // namespace farfield::session
