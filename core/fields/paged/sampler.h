#pragma once
// The view that algorithms have of data: find the cell that holds a point at a time, and interpolate there.
// It hides how cells are numbered and shaped (structured, unstructured, boxes of an AMR hierarchy), and that
// pages come and go.
//
// Interpolation: the functions are computed at the cell's nodes from the file's values (velocity is momentum
// over density, node by node) and interpolated in the cell; a curvilinear cell is trilinear in physical space
// (the inverse of the isoparametric map). All arithmetic is in double.

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/geometry.h"
#include "core/fields/cells/cell_flow.h"
#include "core/fields/cells/field_time.h"

namespace farfield::fields {

/// The location of a point: in `cell` of `block`, at `xi` in the cell's own coordinates
/// (core/fields/cells/cell_flow.h).
struct Location {
  std::int32_t block = -1;
  std::int64_t cell = -1;
  Vec3 xi;
  bool valid() const { return cell >= 0; }
};

/// What is known of a point without a search.
enum class Nearness {
  Inside,  ///< in a cell
  Beyond,  ///< in no cell, but so close to one, at the block's end or a blank cell, that the cell's map and
           ///< values may be continued to it
  Far,     ///< neither; a search may find it
};

/// Belongs to one task. Every call may stop the task while pages are read. Throws Cancelled if the task's
/// group is stopped, Corrupt or Io if a page cannot be read. Results for one time are kept until a call has
/// another time, so calls for one time should come together.
class Sampler {
 public:
  virtual ~Sampler() = default;

  /// Finds `point`. On entry `location` is the previous answer (invalid for a first look-up: then the
  /// lowest-numbered block with an unblanked cell that holds the point is taken). False, with `location`
  /// unchanged, if no unblanked cell holds it. A pure function of (location on entry, point, time).
  virtual bool locate(Vec3 point, FieldTime time, Location& location) = 0;

  /// locate() without a search: follows `point` from the valid `location` inside its block. Beyond:
  /// `location` becomes the cell that the point is close to, with cell coordinates up to one cell outside;
  /// evaluate() continues the values to there. Far: `location` is unchanged. A pure function, as locate().
  virtual Nearness locateNear(Vec3 point, FieldTime time, Location& location) {
    return locate(point, time, location) ? Nearness::Inside : Nearness::Far;
  }

  /// Values at `location` of the sampler's functions, one after the other. `out` has room for valueCount().
  virtual void evaluate(const Location& location, FieldTime time, std::span<double> out) = 0;
  virtual int valueCount() const = 0;

  /// The velocity (the first three values) in the cell of `location`: at `time`, or on the way to the next
  /// step if `time` says so. Nothing for cells without coordinates of their own, such as a test's formulas.
  virtual std::optional<CellFlow> flowIn(const Location& /*location*/, FieldTime /*time*/) {
    return std::nullopt;
  }

  /// `location` lies on a face of its cell, numbered as in the cell's flowIn(), and becomes the same point of
  /// the neighbouring cell. False, with `location` unchanged, if the block ends there or the neighbour is
  /// blank.
  virtual bool crossFace(Location& /*location*/, FieldTime /*time*/, int /*face*/) { return false; }

  /// How far `location` is outside of its cell, in cells; negative inside. Not called for samplers that never
  /// answer Beyond.
  virtual double outsideBy(const Location& /*location*/) { return 0; }

  /// How many cells `velocity` (length unit per time unit) crosses per time unit at `location`: the length of
  /// the velocity in cell coordinates.
  virtual double cellsPerTime(const Location& location, FieldTime time, Vec3 velocity) = 0;

  /// A hint: a line is at `location` and goes on with `velocity`. Pages that it will need may be requested
  /// early. Never waits, changes no answer.
  virtual void goingOn(const Location& /*location*/, FieldTime /*time*/, Vec3 /*velocity*/) {}

  /// Of the whole data set.
  virtual const Bounds& bounds() const = 0;
};

}  // namespace farfield::fields
