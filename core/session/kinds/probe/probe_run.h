#pragma once
// Probes of one step: a task per place, which finds its cell and evaluates the functions there. Results are kept as
// lines of one vertex, as those of other objects are, and shown as marks.

#include <optional>

#include "core/session/kinds/probe/probe_shape.h"
#include "core/session/run/lines/lines_run.h"

namespace farfield::session {

class ProbeRun final : public LinesRun {
 public:
  ProbeRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"probe", "probes"}; }
  std::uint64_t taskBytes() const override;
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_probe.points.size(); }
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using LinesRun::item;
  scene::SceneItem item(const Object& look) const override;

 private:
  struct Reading {
    Vec3 point;
    int block = -1;
    std::vector<double> values = {};
  };
  /// What the place of that number has in a cell, or on a face of a surface in space. None where it lies in none.
  std::optional<Reading> read(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                              std::int64_t step) const;

  const Probe& m_probe;
  bool m_goes;  ///< places go where their cells do
  std::uint64_t m_lookingBytes;
};

}  // namespace farfield::session
