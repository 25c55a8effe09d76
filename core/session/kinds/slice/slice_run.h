#pragma once
// Slices of one step: a task per plane and box of cells of every block. Most find that the plane does not
// meet their cells.

#include <vector>

#include "core/extract/slice.h"
#include "core/session/run/triangles_run.h"

namespace farfield::session {

/// The planes of a slice; the default origin is the middle of the data. Throws Invalid, which names the key.
std::vector<extract::Plane> planesOf(const Slice& slice, const paging::DatasetDescription& description);

class SliceRun final : public TrianglesRun {
 public:
  SliceRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"part", "parts"}; }
  std::uint64_t taskBytes() const override { return extract::sliceTaskBytes(*m_functions); }
  std::size_t taskCount(const paging::DatasetDescription&) const override {
    return m_slices.size() * m_slices.front().taskCount();
  }
  /// Most tasks cost nothing, so a few do not show where the others are.
  std::size_t mostTrials() const override { return 16'384; }

 protected:
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override;

 private:
  std::vector<extract::Slice>
      m_slices;  ///< at least one, each with the same number of tasks; in order
};

}  // namespace farfield::session
