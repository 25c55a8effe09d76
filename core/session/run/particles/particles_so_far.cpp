// What there is of particles and their paths while they are computed, asked for from other threads.

#include <algorithm>

#include "core/session/run/particles/particles_run.h"

namespace farfield::session {

Bounds ParticlesRun::pathBounds() const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.bounds();
}

std::optional<std::array<double, 2>> ParticlesRun::pathRange(int value) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.range(value);
}

std::uint64_t ParticlesRun::pathVertices() const {
  const auto particles = m_particles.load();
  return particles->table->count() + static_cast<std::uint64_t>(m_moreVertices.load());
}

std::optional<ParticlesRun::Spans> ParticlesRun::pathSpans() const {
  const auto particles = m_particles.load();
  const std::lock_guard lock(m_extentMutex);
  if (!m_spansAreKnown || particles->table->count() == 0) return std::nullopt;
  // A path begins at its release; of a particle without one its place then is shown.
  return Spans{{particles->releases.front(), std::max(particles->releases.back(), m_extent.latest)},
               {0, m_extent.oldest}};
}

void ParticlesRun::count(ObjectStats& stats) const {
  if (m_onTheWay) return;
  const auto particles = m_particles.load();
  std::uint64_t released = 0, steps = 0, outside = 0;
  // Where only the present counts, a particle is located when it is first moved.
  const bool looked = m_wishes.keepsPaths || startedReleases() > 0;
  particles->table->visit([&](std::uint64_t n, const ParticleRecord& record) {
    if (particles->releases[n / particles->seeds] <= timeOf(m_step)) ++released;
    // Of the first release: where cells stay where they are, those of the others are the same.
    if (looked && n < particles->seeds && record.particle.termination == flow::Termination::SeedOutside)
      ++outside;
    if (record.particle.vertices > 0) steps += static_cast<std::uint64_t>(record.particle.vertices - 1);
  });
  stats.set("seeds", static_cast<std::uint64_t>(particles->seeds));
  stats.set("particles", released);
  stats.set("steps", steps);
  stats.set("seedsOutside", outside);
}

}  // namespace farfield::session
