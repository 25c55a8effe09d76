#pragma once
// The one view that algorithms have of data: find the cell that holds a point at a time, and interpolate
// there. It does not say how cells are numbered or shaped (structured, unstructured, boxes of an AMR
// hierarchy) nor that pages come and go underneath.
//
// Interpolation: the functions are computed at the cell's nodes from what the file says there (velocity is
// momentum over density, node by node) and interpolated in the cell; a curvilinear cell is trilinear in
// physical space (the inverse of the isoparametric map). All arithmetic is in double.

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/geometry.h"
#include "core/fields/cell_flow.h"
#include "core/fields/field_time.h"

namespace farfield::fields {

/// Where a point is: in `cell` of `block`, at `xi` in the cell's own coordinates (core/fields/cell_flow.h).
struct Location {
  std::int32_t block = -1;
  std::int64_t cell = -1;
  Vec3 xi;
  bool valid() const { return cell >= 0; }
};

/// What is known of a point without a search.
enum class Nearness {
  Inside,  ///< it is in a cell
  Beyond,  ///< it is not, but so close to one, where the block ends or is blank, that the cell's map and
           ///< values may be continued to it
  Far,     ///< neither; a search may find it
};

/// Belongs to one task. Every call may stop the task while pages are read. Throws Cancelled when the task's
/// group is stopped, Corrupt or Io when a page cannot be had. What is computed for one time is kept until a
/// call names another, so calls for one time should come together.
class Sampler {
 public:
  virtual ~Sampler() = default;

  /// Finds `point`. `location` is the previous answer on entry (invalid for a first look-up: then the
  /// lowest-numbered block with an unblanked cell that holds the point is taken). False, and `location`
  /// unchanged, when no unblanked cell holds it. A pure function of (location on entry, point, time).
  virtual bool locate(Vec3 point, FieldTime time, Location& location) = 0;

  /// locate() without a search: follows `point` from `location`, which is valid, inside its block. Beyond:
  /// `location` becomes the cell that the point is close to, with cell coordinates up to a cell outside of
  /// it; evaluate() continues the values to there. Far: `location` is unchanged. A pure function, as
  /// locate().
  virtual Nearness locateNear(Vec3 point, FieldTime time, Location& location) {
    return locate(point, time, location) ? Nearness::Inside : Nearness::Far;
  }

  /// Values at `location` of the functions that the sampler was made for, one after the other.
  /// `out` has valueCount() places.
  virtual void evaluate(const Location& location, FieldTime time, std::span<double> out) = 0;
  virtual int valueCount() const = 0;

  /// The velocity (the first three values) in the cell of `location`: at `time`, or on the way to the next step
  /// where `time` says so. Nothing for cells that have no coordinates of their own, such as a test's formulas.
  virtual std::optional<CellFlow> flowIn(const Location& /*location*/, FieldTime /*time*/) {
    return std::nullopt;
  }

  /// `location` lies on a face of its cell, numbered as in the cell's flowIn(), and becomes the same point of
  /// the cell behind. False, and `location` unchanged, where the block ends there or is blank.
  virtual bool crossFace(Location& /*location*/, FieldTime /*time*/, int /*face*/) { return false; }

  /// How far `location` is outside of its cell, in cells; below 0 inside. Of a sampler that never answers
  /// Beyond it is not asked.
  virtual double outsideBy(const Location& /*location*/) { return 0; }

  /// How many cells `velocity` (length unit per time unit) crosses per time unit at `location`: the length of
  /// the velocity in cell coordinates.
  virtual double cellsPerTime(const Location& location, FieldTime time, Vec3 velocity) = 0;

  /// A hint: a line is at `location` and goes on with `velocity`. What it will need is asked for early where
  /// that gains anything. Never waits, changes no answer.
  virtual void goingOn(const Location& /*location*/, FieldTime /*time*/, Vec3 /*velocity*/) {}

  /// Of the whole data set.
  virtual const Bounds& bounds() const = 0;
};

}  // namespace farfield::fields
