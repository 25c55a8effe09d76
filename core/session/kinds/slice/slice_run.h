#pragma once
// Slices of one step: a task per plane and box of cells of every block, most of which only find that the plane passes
// them by.

#include <vector>

#include "core/extract/slice.h"
#include "core/session/run/triangles_run.h"

namespace farfield::session {

/// The planes that a session means; about the middle of the data where it names no origin. Throws Invalid naming the
/// key.
std::vector<extract::Plane> planesOf(const Slice& slice, const paging::DatasetDescription& description);

class SliceRun final : public TrianglesRun {
 public:
  SliceRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"part", "parts"}; }
  std::uint64_t taskBytes() const override { return extract::sliceTaskBytes(*m_functions); }
  std::size_t taskCount(const paging::DatasetDescription&) const override {
    return m_slices.size() * m_slices.front().taskCount();
  }
  /// Most parts are passed by and cost nothing, and where the others are a few do not say.
  std::size_t mostTrials() const override { return 16'384; }

 protected:
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override;

 private:
  std::vector<extract::Slice>
      m_slices;  ///< at least one, all of as many tasks; those of one before those of the next
};

}  // namespace farfield::session
