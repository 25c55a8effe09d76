#pragma once
// Volumes of a session: nothing is computed beforehand; the picture reads what it shows when it is drawn.

#include <atomic>
#include <memory>

#include "core/base/guarded_pointer.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

class TimedVolume;

class VolumeRun final : public ObjectRun {
 public:
  /// Throws Unsupported for data that cannot be shown as a volume, Invalid for a vector.
  VolumeRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"brick", "bricks"}; }
  std::uint64_t taskBytes() const override;
  std::size_t taskCount(const paging::DatasetDescription& description) const override;
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  GeometryFiles geometryFiles() const override { return GeometryFiles::None; }
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path&) const override {}
  bool drawsFromData() const override { return true; }
  bool isCoarse() const override { return m_isFirstSight; }
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 private:
  GuardedPointer<CastVolume> m_volume;
  std::shared_ptr<TimedVolume> m_timed;  ///< the same, where time is short
  std::atomic<bool> m_isFirstSight{false};
};

}  // namespace farfield::session
