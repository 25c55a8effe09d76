#pragma once
// Particles in a field that changes in time. The state of one between two steps of the data is a small value,
// so that there can be very many, in memory or in a file; from one step to the next each is traced like a
// line (tracer.h), in a field that changes linearly between the steps.
//
// No step of the integrator spans a step of the data, so the times of the data are vertices. A particle's
// path in an interval depends only on the value at its start: the result is bit for bit the same whether it
// is traced through all intervals at once or written to a file in between, for streaklines and pathlines.

#include <cstdint>

#include "core/base/geometry.h"
#include "core/fields/paged/sampler.h"
#include "core/flow/line_field.h"
#include "core/flow/tracer.h"

namespace farfield::flow {

/// A value without pointers: it may be copied as bytes, within one program.
struct Particle {
  Vec3 position;
  double release = 0;         ///< time of release, in the data's time
  double time = 0;            ///< time at which it is at `position`
  double length = 0;          ///< of its path so far
  std::int64_t vertices = 0;  ///< of its path so far; 0: not located yet
  fields::Location location;  ///< of the last vertex
  std::int32_t block = -1;    ///< in which it was released; -1: none
  Termination termination = Termination::None;

  bool alive() const { return termination == Termination::None; }
  /// A particle released at `time`.
  static Particle released(Vec3 position, double time) {
    Particle particle;
    particle.position = position;
    particle.release = particle.time = time;
    return particle;
  }
};

/// Traces `particle`, which is alive, up to the time `until` > its own, or to its end. `field` is new, and
/// covers the times from a step at or before the particle's time to the next one, at or after `until`. The
/// limits in `options` are for the whole path, maxTime for the age. The sink gets the new vertices, including
/// the first of a path, with their physical times. Throws as traceLine() does.
void advance(Particle& particle, double until, LineField& field, const LineOptions& options,
             tasks::TaskContext& context, LineSink& sink);

/// The location of `particle` at its time, near its last one if that is valid: cells may have moved away from it, or become blank.
/// Invalid if no cell holds it. `field` has no vertex yet. Throws what the field throws.
fields::Location locationOf(const Particle& particle, LineField& field);

/// Locates `particle`, which has no vertex, at its time and gives it its first one, without moving it.
/// `field` is new, and at that time.
void look(Particle& particle, LineField& field, LineSink& sink);

}  // namespace farfield::flow
