#pragma once
// Isolines of one step: a task per task of the surface, which cuts the patches as they are made. Where the values
// follow from the range on the surface, the patches wait on disk until all are there and their range is known. Of several shares these
// patches are handed over, else lines.

#include <memory>
#include <vector>

#include "core/base/guarded_pointer.h"
#include "core/extract/isolines.h"
#include "core/session/results/bundle_spool.h"
#include "core/session/results/surface_spool.h"
#include "core/session/run/surfaces/on_surface_run.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

class IsolinesRun final : public OnSurfaceRun {
 public:
  IsolinesRun(const Object& object, const paging::DatasetDescription& description);
  std::uint64_t taskBytes() const override;
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  /// Says as well whether the values are the same all over each cell ("valuesOfCells"): there is no line then.
  void count(ObjectStats& stats) const override;
  bool isHandedOver() const override { return true; }
  void handOver(const TaskShare& share, ResultSink& sink) const override;
  std::shared_ptr<ResultSink> takeOver(const ObjectSurroundings& surroundings,
                                       const paging::DatasetDescription& data, std::int64_t step,
                                       const ResultFacts& facts) override;
  void tookOver(const ObjectSurroundings& surroundings) override;

 private:
  /// Column of a vertex by which it is coloured.
  std::optional<int> colorColumn() const;
  std::shared_ptr<BundleSpool> makeSpool(const ObjectSurroundings& surroundings, std::size_t bundles);
  std::shared_ptr<SurfaceSpool> makeWaiting(const ObjectSurroundings& surroundings) const;
  void cutWaiting(const ObjectSurroundings& surroundings, const SurfaceSpool& waiting,
                  const TimeBudget& budget);

  const Isolines& m_lines;
  std::vector<double>
      m_values;  ///< ascending; empty if they follow from the surface, or where there are none
  GuardedPointer<BundleSpool> m_spool;
  std::shared_ptr<SurfaceSpool> m_waiting;  ///< what is handed over before the values are known
  MemoryAccount* m_account = nullptr;       ///< of what is handed over
  bool m_ofCells;
};

/// `count` values from range[0] to range[1], both included; a single one is in the middle.
std::vector<double> valuesFromTo(const std::array<double, 2>& range, std::int64_t count);
/// `count` values evenly spaced within `range`, without its ends.
std::vector<double> valuesWithin(const std::array<double, 2>& range, std::int64_t count);

}  // namespace farfield::session
