#pragma once
// How many ranks read for the others, and which of them reads what: the sizing rules of Yu & Ma, "I/O strategies for parallel
// rendering of large time-varying volume data" (2004), and steps dealt out in turn.

#include <cstdint>
#include <vector>

#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

/// Seconds that one step takes.
struct StepTimes {
  double fetch = 0, prepare = 0, send = 0;  ///< all of it, by one rank
  double render = 0;                        ///< by the ranks that render, together
};

/// So many groups, each of so many ranks that share a step.
struct InputNeed {
  std::uint32_t groups = 1, together = 1;
  std::uint32_t ranks() const { return groups * together; }
};

/// What keeps the ranks that render busy. Where a step is sent faster than it is rendered: groups of one, (fetch + prepare) / render
/// + 1 of them (1DIP). Else groups of send / render, and (fetch + prepare) / send + 1 of those (2DIP), whose members share the
/// fetching as well. Rounded up.
InputNeed inputNeed(const StepTimes& times);

/// Of `ranks` that there are, those that read so that steps follow each other fastest, given the seconds that a step takes to render
/// by one rank (`work`): the longer of what the others take to render a step and of what these take to get one ready. None where
/// ranks that each read their own part while they render another step wait for nothing (fetch is at most `work`), and for one rank.
InputNeed bestInputs(const StepTimes& times, double work, std::uint32_t ranks);

/// The last of `alive`, in whole groups, at most all but one; none where they are too few for one group.
InputPlan inputPlan(const std::vector<std::uint32_t>& alive, const InputNeed& need);

/// Between the steps that are shown one after the other.
inline std::int64_t strideOf(const ShowRequest& request) {
  return request.nextStep - request.step;
}
/// Which of the ranks of `plan`, which has some, reads a brick of a step. `stride` between steps as they are shown.
std::uint32_t inputOf(const InputPlan& plan, std::int64_t step, std::int64_t stride, std::int64_t brick,
                      std::int64_t bricks);
/// The steps that are to be read while `request` is shown, nearest first: as many as there are groups.
std::vector<std::int64_t> stepsAhead(const InputPlan& plan, const ShowRequest& request, std::int64_t steps);
/// Whether a rank reads any brick of a step.
bool readsStep(const InputPlan& plan, std::uint32_t rank, std::int64_t step, std::int64_t stride);

}  // namespace farfield::remote
