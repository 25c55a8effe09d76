#pragma once
// The velocity field for one line. Every look-up starts from the cell of the line's last vertex, or of the last
// stage since then, so the result depends on the line's own history and on nothing else. A
// steady field reads one sampler at one moment; a field that changes in time is put behind the same interface.
// Times are physical, in the data's unit.

#include <optional>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/sampler.h"
#include "core/flow/integrator.h"

namespace farfield::flow {

/// Belongs to one task. Any call that looks something up may stop the task, and throws what Sampler throws.
/// A VelocityField.
class LineField {
 public:
  virtual ~LineField() = default;

  /// Velocity at (point, time), searched for wherever it is. Remembers what it found until the next call.
  virtual Reach velocityAt(Vec3 point, double time, Vec3& velocity) = 0;
  /// The same without a search: Beyond, with the field continued, close beyond the end of the block that the
  /// line is in; Far where the point is not found there.
  virtual Reach velocityNear(Vec3 point, double time, Vec3& velocity) = 0;
  /// The next velocityNear() follows its point from `location`, in the block of which the line goes on.
  virtual void enter(const fields::Location& location) = 0;
  /// Where `point` is; false where no cell holds it. Changes nothing.
  virtual bool locate(Vec3 point, double time, fields::Location& location) = 0;
  /// The same without a search.
  virtual fields::Nearness locateNear(Vec3 point, double time, fields::Location& location) = 0;

  /// Sampler::flowIn(), crossFace() and outsideBy(). Change nothing.
  virtual std::optional<fields::CellFlow> flowIn(const fields::Location& location, double time) = 0;
  virtual bool crossFace(fields::Location& location, double time, int face) = 0;
  virtual double outsideBy(const fields::Location& location) = 0;
  /// Velocity at a location that is known. Remembered as velocityAt() does.
  virtual Reach velocityIn(const fields::Location& location, double time, Vec3& velocity) = 0;

  /// The last velocityAt(), velocityNear() or velocityIn() was at a new vertex: its location is where look-ups
  /// start from now on, and its values are those of the vertex. The line goes on along its velocity
  /// (`direction` +1) or against it (-1).
  virtual void accept(int direction) = 0;
  /// All values at the vertex, the velocity's three first. Valid until the next accept().
  virtual std::span<const double> values() const = 0;
  /// Where the vertex is; invalid before the first.
  virtual const fields::Location& location() const = 0;
  /// Where the last of these was, if Inside or Beyond.
  virtual const fields::Location& lastLocation() const = 0;
  /// Cells that `velocity` crosses per time unit at the vertex, whose time is `time`.
  virtual double cellsPerTime(Vec3 velocity, double time) = 0;

  virtual const Bounds& bounds() const = 0;
};

/// A data set at one moment, seen as steady: the times of look-ups are not looked at.
class SteadyField final : public LineField {
 public:
  /// The first three values of `sampler` are the velocity. `sampler` outlives this.
  SteadyField(fields::Sampler& sampler, fields::FieldTime moment);

  Reach velocityAt(Vec3 point, double time, Vec3& velocity) override;
  Reach velocityNear(Vec3 point, double time, Vec3& velocity) override;
  void enter(const fields::Location& location) override { m_last = location; }
  bool locate(Vec3 point, double time, fields::Location& location) override;
  fields::Nearness locateNear(Vec3 point, double time, fields::Location& location) override;
  std::optional<fields::CellFlow> flowIn(const fields::Location& location, double /*time*/) override {
    return m_sampler.flowIn(location, m_moment);
  }
  bool crossFace(fields::Location& location, double /*time*/, int face) override {
    return m_sampler.crossFace(location, m_moment, face);
  }
  double outsideBy(const fields::Location& location) override { return m_sampler.outsideBy(location); }
  Reach velocityIn(const fields::Location& location, double time, Vec3& velocity) override;
  void accept(int direction) override;
  std::span<const double> values() const override { return m_values; }
  const fields::Location& location() const override { return m_vertex; }
  const fields::Location& lastLocation() const override { return m_last; }
  double cellsPerTime(Vec3 velocity, double /*time*/) override {
    return m_sampler.cellsPerTime(m_vertex, m_moment, velocity);
  }
  const Bounds& bounds() const override { return m_sampler.bounds(); }

 private:
  fields::Sampler& m_sampler;
  fields::FieldTime m_moment;
  fields::Location m_vertex, m_last;
  std::vector<double> m_values, m_lastValues;
};

}  // namespace farfield::flow
