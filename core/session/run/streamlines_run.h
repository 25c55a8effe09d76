#pragma once
// Streamlines of one step: a task per seed and direction.

#include <atomic>

#include "core/flow/seeds.h"
#include "core/flow/tracer.h"
#include "core/session/line_spool.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

class StreamlinesRun final : public ObjectRun {
 public:
  StreamlinesRun(const Object& object, const paging::DatasetDescription& description);
  std::uint64_t taskBytes() const override;
  void compute(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 private:
  std::unique_ptr<flow::SeedSet> makeSeeds(const paging::DatasetDescription& description,
                                           flow::NodeCoordinates nodeAt) const;

  const Streamlines& m_lines;
  std::vector<int> m_directions;
  flow::LineOptions m_options;
  std::atomic<std::shared_ptr<LineSpool>> m_spool;
};

}  // namespace farfield::session
