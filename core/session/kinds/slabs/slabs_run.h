#pragma once
// Slabs of a session: another program computes; the picture asks it for what it shows when it is drawn.

#include <atomic>
#include <memory>
#include <string>

#include "core/base/guarded_pointer.h"
#include "core/session/run/object_run.h"
#include "core/session/run/remote_run.h"

namespace farfield::session {

class SlabsRun final : public ObjectRun {
 public:
  /// Throws Invalid if neither the object nor the data say who renders, or no function is named.
  SlabsRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"slab", "slabs"}; }
  std::uint64_t taskBytes() const override { return 0; }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return 0; }
  tasks::GroupResult tryTasks(const ObjectSurroundings&, std::int64_t, std::span<const std::size_t>,
                              std::chrono::milliseconds) const override {
    return {};
  }
  GeometryFiles geometryFiles() const override { return GeometryFiles::None; }
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path&) const override {}
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 private:
  std::string m_source, m_by;
  std::atomic<bool> m_watched{false};
  GuardedPointer<RemoteVolume> m_volume;
  GuardedPointer<const scene::VolumeGeometry> m_rays;  ///< for who watches
};

}  // namespace farfield::session
