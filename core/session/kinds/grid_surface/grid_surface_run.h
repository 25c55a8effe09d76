#pragma once
// Grid surfaces of one step: a task per patch, over all blocks.

#include <vector>

#include "core/session/run/triangles_run.h"

namespace farfield::session {

class SurfaceRun final : public TrianglesRun {
 public:
  SurfaceRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"patch", "patches"}; }
  std::uint64_t taskBytes() const override { return extract::surfaceTaskBytes(*m_functions); }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_firstPatch.back(); }
  std::optional<std::vector<GatheredNodes>> gathered(
      const paging::DatasetDescription& description) const override;

 protected:
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override;

 private:
  std::vector<extract::GridSurface> m_sheets;
  std::vector<std::size_t> m_firstPatch;  ///< of each sheet, and the end
};

}  // namespace farfield::session
