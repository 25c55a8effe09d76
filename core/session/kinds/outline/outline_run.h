#pragma once
// Outlines of blocks: a task per edge.

#include "core/base/guarded_pointer.h"
#include "core/session/line_spool.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

class OutlineRun final : public ObjectRun {
 public:
  OutlineRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"edge", "edges"}; }
  std::uint64_t taskBytes() const override;
  std::size_t taskCount(const paging::DatasetDescription& description) const override;
  std::optional<std::vector<GatheredNodes>> gathered(
      const paging::DatasetDescription& description) const override;
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 private:
  std::vector<std::int64_t> m_blocks;
  GuardedPointer<LineSpool> m_spool;
};

}  // namespace farfield::session
