#pragma once
// Several particles through one interval between steps of the data at a time. Where they go through hexahedra of structured
// blocks and the field is linear in time, they take their steps together, each in a lane of the processor's vectors
// (lane_steps.h), and a cell is gathered once for all that go through it. A particle of which anything else is asked, a
// search, the end of a block, a step in space, begins the interval again alone. Either way it has the same bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/flow/particle.h"

namespace farfield::flow {

class StockLoan;

/// From `step` of the data to the next one, at their times.
struct SeriesInterval {
  std::int64_t step = 0;
  double since = 0, until = 0;
  fields::BetweenSteps between = fields::BetweenSteps::Linear;
};

/// Takes the vertices of the particles of a group.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  /// The sink of the n-th particle, for its next vertices; it is used until the next call.
  virtual LineSink& of(std::size_t n) = 0;
};

/// How many particles of a group went in lanes, and how many alone.
struct GroupCounts {
  std::size_t together = 0, alone = 0;
};

/// As advance() of each of `particles`, which are alive and within the interval, to its end. The first three values of `sampler` are the velocity.
/// Where the time budget ends while a page is waited for, particles that have begun end with their last vertex; before that TimeIsUp is thrown, and
/// what was not moved is as it was. `loan` lends stocks of as many values as the sampler has, of the same data, and what the sampler waits by; null: cells are taken for the group alone. Throws what
/// advance() throws.
GroupCounts advanceTogether(std::span<Particle* const> particles, const SeriesInterval& interval,
                            fields::Sampler& sampler, const LineOptions& options, tasks::TaskContext& context,
                            GroupSink& sink, StockLoan* loan = nullptr);

/// Memory that advanceTogether() takes for some particles and a sampler of so many values.
std::uint64_t bytesTogether(std::size_t particles, int values);

}  // namespace farfield::flow
