#pragma once
// Slices of one step: a task per box of cells of every block, most of which only find that the plane passes
// them by.

#include "core/extract/slice.h"
#include "core/session/run/triangles_run.h"

namespace farfield::session {

/// The plane that a session means; through the middle of the data where it names no origin. Throws Invalid
/// naming the key.
extract::Plane planeOf(const Slice& slice, const paging::DatasetDescription& description);

class SliceRun final : public TrianglesRun {
 public:
  SliceRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"part", "parts"}; }
  std::uint64_t taskBytes() const override { return extract::sliceTaskBytes(*m_functions); }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_slice.taskCount(); }
  /// Most parts are passed by and cost nothing, and where the others are a few do not say.
  std::size_t mostTrials() const override { return 16'384; }

 protected:
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override {
    m_slice.extract(number, data, context, *m_functions, step, sink);
  }

 private:
  extract::Slice m_slice;
};

}  // namespace farfield::session
