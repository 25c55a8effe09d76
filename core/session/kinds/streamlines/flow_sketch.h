#pragma once
// What the flow and the pages are like where lines begin, judged at a few of their seeds: what the order in which lines start is made
// of.

#include <functional>
#include <optional>

#include "core/base/geometry.h"
#include "core/fields/sampler.h"
#include "core/flow/seeds.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

/// Means over the seeds that were looked at.
struct FlowSketch {
  Vec3 drift;     ///< of the directions of the flow, without their signs
  Vec3 pageSize;  ///< of the bounding boxes of pages; in the data's unit of length
};

/// Looks at two dozen seeds, none of which needs the coordinates of nodes, in tasks of their own for which `makeSampler` makes samplers
/// whose first three values are the velocity. Nothing where the flow has a direction at none of them. Throws what a Sampler throws.
std::optional<FlowSketch> sketchFlow(
    const flow::SeedSet& seeds, const ObjectSurroundings& surroundings, fields::FieldTime time,
    const std::function<std::unique_ptr<fields::Sampler>(tasks::TaskContext&)>& makeSampler);

}  // namespace farfield::session
