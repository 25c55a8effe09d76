#pragma once
// Where the value that a point has is read: what is asked for at a place is the file's own number. Boxes of an adaptive grid with
// values of cells (AMR) have one per cell, that of the finest cell that holds the point, and not what pictures have between centres
// of cells.

#include "core/base/geometry.h"
#include "core/fields/paged/sampler.h"
#include "core/paging/pages/description.h"

namespace farfield::fields {

/// Immutable; thread-safe.
class ProbedValues {
 public:
  /// `data` outlives it.
  explicit ProbedValues(const paging::DatasetDescription& data);
  /// Where to evaluate functions for `point`, which `sampler` has found at `place`. May wait as the sampler does.
  Location at(Vec3 point, const Location& place, FieldTime time, Sampler& sampler) const;

 private:
  const paging::DatasetDescription& m_data;
  bool m_ofCells;
};

}  // namespace farfield::fields
