#pragma once
// Slices and grid surfaces of one step: the patches that their tasks make, with the colouring function at the
// nodes.

#include <memory>

#include "core/session/run/surfaces/surface_tasks.h"
#include "core/session/run/surfaces/triangles_run.h"

namespace farfield::session {

class SurfaceRun final : public TrianglesRun {
 public:
  /// `object` is a surface.
  SurfaceRun(const Object& object, const SurfaceShape& shape, const paging::DatasetDescription& description);
  TaskName taskName() const override { return m_tasks->name(); }
  bool isHandedOver() const override { return true; }
  std::uint64_t taskBytes() const override { return m_tasks->bytes(); }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_tasks->count(); }
  std::size_t mostTrials() const override { return m_tasks->mostTrials(); }
  std::optional<std::vector<GatheredNodes>> gathered(const paging::DatasetDescription&) const override {
    return m_tasks->gathered();
  }

 protected:
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override {
    m_tasks->extract(number, data, context, step, sink);
  }
  bool hasCoarse() const override { return m_tasks->hasCoarse(); }
  void extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       std::int64_t step, extract::SurfaceSink& sink) const override {
    m_tasks->extractCoarsely(number, data, context, step, sink);
  }

 private:
  std::unique_ptr<SurfaceTasks> m_tasks;
};

}  // namespace farfield::session
