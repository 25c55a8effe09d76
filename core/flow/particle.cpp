#include "core/flow/particle.h"

#include <algorithm>

namespace farfield::flow {
namespace {

/// Passes on the new vertices of a particle with their physical times, and remembers the last.
class PathSink final : public LineSink {
 public:
  PathSink(Particle& particle, double until, LineSink& sink)
      : m_particle(particle),
        m_start(particle.time),
        m_span(until - particle.time),
        m_until(until),
        m_sink(sink) {}

  void vertex(Vec3 point, double time, std::span<const double> values) override {
    const bool known = time == 0 && m_particle.vertices > 0;  // the last of the interval before
    m_particle.position = point;
    m_particle.time = time == m_span ? m_until : m_start + time;
    if (known) return;
    ++m_particle.vertices;
    m_sink.vertex(point, m_particle.time, values);
  }

 private:
  Particle& m_particle;
  double m_start, m_span, m_until;
  LineSink& m_sink;
};

}  // namespace

fields::Location locationOf(const Particle& particle, LineField& field) {
  fields::Location found;
  if (particle.location.valid()) {
    field.enter(particle.location);
    if (field.locateNear(particle.position, particle.time, found) == fields::Nearness::Inside) return found;
  }
  return field.locate(particle.position, particle.time, found) ? found : fields::Location{};
}

void advance(Particle& particle, double until, LineField& field, const LineOptions& options,
             tasks::TaskContext& context, LineSink& sink) {
  const bool first = particle.vertices == 0;
  const double oldest = particle.release + options.maxTime;
  const double end = std::min(until, oldest);
  LineOptions rest = options;
  rest.unsteady = true;
  rest.startTime = particle.time;
  rest.maxTime = end - particle.time;
  rest.maxLength = options.maxLength - particle.length;
  rest.maxSteps = options.maxSteps - std::max<std::int64_t>(0, particle.vertices - 1);
  if (rest.maxSteps <= 0 || rest.maxLength <= 0) {
    particle.termination = rest.maxSteps <= 0 ? Termination::MaxSteps : Termination::MaxLength;
    return;
  }
  if (rest.maxTime <= 0) {
    // an age that is lost in the rounding of the times
    if (first) look(particle, field, sink);
    if (particle.alive() && end == oldest) particle.termination = Termination::MaxTime;
    return;
  }

  fields::Location location = locationOf(particle, field);
  if (!location.valid()) {
    particle.termination = first ? Termination::SeedOutside : Termination::OutOfDomain;
    return;
  }
  PathSink path(particle, end, sink);
  const LineResult result = traceLine(field, particle.position, 1, rest, context, path, &location);
  if (first) particle.block = result.block;
  particle.length += result.length;
  particle.location = field.location();
  if (result.termination == Termination::MaxTime) particle.time = end;  // but for rounding it is
  if (result.termination != Termination::MaxTime || end == oldest) particle.termination = result.termination;
}

void look(Particle& particle, LineField& field, LineSink& sink) {
  Vec3 velocity;
  const Reach reach = field.velocityAt(particle.position, particle.time, velocity);
  if (reach == Reach::Outside) {
    particle.termination = Termination::SeedOutside;
    return;
  }
  field.accept(1);
  particle.location = field.location();
  particle.block = field.location().block;
  particle.vertices = 1;
  sink.vertex(particle.position, particle.time, field.values());
  if (reach == Reach::NotFinite) particle.termination = Termination::NotFinite;
}

}  // namespace farfield::flow
