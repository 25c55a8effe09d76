#pragma once
// Outlines of blocks: a task per edge.

#include "core/session/run/lines/lines_run.h"

namespace farfield::session {

class OutlineRun final : public LinesRun {
 public:
  OutlineRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"edge", "edges"}; }
  bool isHandedOver() const override { return true; }
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

 protected:
  std::uint64_t linesAt(const paging::DatasetDescription& data, std::int64_t step) const override;

 private:
  /// Those that are there.
  std::vector<std::int64_t> blocksAt(const paging::DatasetDescription& data, std::int64_t step) const;

  std::vector<std::int64_t> m_blocks;
};

}  // namespace farfield::session
