#pragma once
// The velocity field for one line. Every look-up starts from the cell of the line's last vertex, or of the
// last stage since then, so that the result depends only on the line's own history. Times are physical, in
// the data's unit.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/paged/sampler.h"
#include "core/flow/integrator.h"

namespace farfield::flow {

/// Belongs to one task. Calls that look something up may stop the task, and throw what Sampler throws. A
/// VelocityField.
class LineField {
 public:
  virtual ~LineField() = default;

  /// Velocity at (point, time), with a search if needed. Remembers the location until the next call.
  virtual Reach velocityAt(Vec3 point, double time, Vec3& velocity) = 0;
  /// The same without a search: Beyond, with the field continued, if the point is close beyond the end of the
  /// line's block; Far if it is not found there.
  virtual Reach velocityNear(Vec3 point, double time, Vec3& velocity) = 0;
  /// The next velocityNear() starts from `location`, in the block in which the line goes on.
  virtual void enter(const fields::Location& location) = 0;
  /// The location of `point`; false if no cell holds it. Changes nothing.
  virtual bool locate(Vec3 point, double time, fields::Location& location) = 0;
  /// The same without a search.
  virtual fields::Nearness locateNear(Vec3 point, double time, fields::Location& location) = 0;

  /// Sampler::flowIn(), crossFace() and outsideBy(). Change nothing.
  virtual std::optional<fields::CellFlow> flowIn(const fields::Location& location, double time) = 0;
  virtual bool crossFace(fields::Location& location, double time, int face) = 0;
  virtual double outsideBy(const fields::Location& location) = 0;
  /// Velocity at a known location. Remembered as in velocityAt().
  virtual Reach velocityIn(const fields::Location& location, double time, Vec3& velocity) = 0;

  /// The last velocityAt(), velocityNear() or velocityIn() was at a new vertex: later look-ups start from its
  /// location, and values() are its values. The line goes on along its velocity (`direction` +1) or against
  /// it (-1).
  virtual void accept(int direction) = 0;
  /// All values at the vertex, the velocity's three first. Valid until the next accept().
  virtual std::span<const double> values() const = 0;
  /// The vertex's location; invalid before the first.
  virtual const fields::Location& location() const = 0;
  /// The location of the last look-up, if Inside or Beyond.
  virtual const fields::Location& lastLocation() const = 0;
  /// Cells that `velocity` crosses per time unit at the vertex, at time `time`.
  virtual double cellsPerTime(Vec3 velocity, double time) = 0;

  virtual const Bounds& bounds() const = 0;
};

/// The field of a data set: at one moment, taken as steady, or between two steps.
class SampledField final : public LineField {
 public:
  /// At `moment`: the times of look-ups are ignored. The first three values of `sampler` are the velocity.
  /// `sampler` outlives this.
  SampledField(fields::Sampler& sampler, fields::FieldTime moment);
  /// Between `step` and the next one, which must exist, at times since < until. Look-ups are for times from
  /// `since` to `until`.
  SampledField(fields::Sampler& sampler, std::int64_t step, double since, double until,
               fields::BetweenSteps between = fields::BetweenSteps::Linear);

  Reach velocityAt(Vec3 point, double time, Vec3& velocity) override;
  Reach velocityNear(Vec3 point, double time, Vec3& velocity) override;
  void enter(const fields::Location& location) override { m_last = location; }
  bool locate(Vec3 point, double time, fields::Location& location) override;
  fields::Nearness locateNear(Vec3 point, double time, fields::Location& location) override;
  std::optional<fields::CellFlow> flowIn(const fields::Location& location, double time) override {
    return m_sampler.flowIn(location, momentAt(time));
  }
  bool crossFace(fields::Location& location, double time, int face) override {
    return m_sampler.crossFace(location, momentAt(time), face);
  }
  double outsideBy(const fields::Location& location) override { return m_sampler.outsideBy(location); }
  Reach velocityIn(const fields::Location& location, double time, Vec3& velocity) override;
  void accept(int direction) override;
  std::span<const double> values() const override { return m_values; }
  const fields::Location& location() const override { return m_vertex; }
  const fields::Location& lastLocation() const override { return m_last; }
  double cellsPerTime(Vec3 velocity, double time) override {
    return m_sampler.cellsPerTime(m_vertex, momentAt(time), velocity);
  }
  const Bounds& bounds() const override { return m_sampler.bounds(); }

 private:
  fields::FieldTime momentAt(double time) const {
    if (!m_moment.towardNext) return m_moment;
    const double weight = (time - m_since) / (m_until - m_since);
    return {m_moment.step, std::clamp(weight, 0.0, 1.0), true, m_moment.between};
  }

  fields::Sampler& m_sampler;
  fields::FieldTime m_moment;  ///< with towardNext its weight is not used
  double m_since = 0, m_until = 0, m_lastTime = 0;
  fields::Location m_vertex, m_last;
  std::vector<double> m_values, m_lastValues;
};

}  // namespace farfield::flow
