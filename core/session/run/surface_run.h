#pragma once
// Grid surfaces of one step: a task per patch, over all blocks asked for.

#include <atomic>

#include "core/extract/grid_surface.h"
#include "core/session/run/object_run.h"
#include "core/session/surface_spool.h"

namespace farfield::session {

class SurfaceRun final : public ObjectRun {
 public:
  SurfaceRun(const Object& object, const paging::DatasetDescription& description);
  std::uint64_t taskBytes() const override { return extract::surfaceTaskBytes(*m_functions); }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_firstPatch.back(); }
  std::optional<std::vector<GatheredNodes>> gathered(
      const paging::DatasetDescription& description) const override;
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  void compute(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 private:
  /// The sheet that has patch `number` of all.
  std::size_t sheetOf(std::size_t number) const;
  std::vector<extract::GridSurface> m_sheets;
  std::vector<std::size_t> m_firstPatch;  ///< of each sheet, and one behind the last
  std::atomic<std::shared_ptr<SurfaceSpool>> m_spool;
};

}  // namespace farfield::session
