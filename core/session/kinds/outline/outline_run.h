#pragma once
// Outlines of blocks: a task per edge.

#include "core/session/run/lines_run.h"

namespace farfield::session {

class OutlineRun final : public LinesRun {
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
  using LinesRun::item;
  scene::SceneItem item(const Object& look) const override;

 private:
  std::vector<std::int64_t> m_blocks;
};

}  // namespace farfield::session
