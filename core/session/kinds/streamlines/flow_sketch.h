#pragma once
// What the flow and the pages look like where lines begin, judged at a few seeds; the order in which lines
// start follows from it.

#include <functional>
#include <optional>

#include "core/base/geometry.h"
#include "core/fields/paged/sampler.h"
#include "core/flow/seeds.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

/// Means over the seeds examined.
struct FlowSketch {
  Vec3 drift;     ///< mean of the flow's directions, without sign
  Vec3 pageSize;  ///< mean size of the pages' bounding boxes, in the data's length unit
};

/// Examines two dozen seeds, none of which needs the coordinates of nodes, in tasks of their own;
/// `makeSampler` makes samplers whose first three values are the velocity. Nothing if the flow has no
/// direction at any of them. Throws what a Sampler throws.
std::optional<FlowSketch> sketchFlow(
    const flow::SeedSet& seeds, const ObjectSurroundings& surroundings, fields::FieldTime time,
    const std::function<std::unique_ptr<fields::Sampler>(tasks::TaskContext&)>& makeSampler);

}  // namespace farfield::session
