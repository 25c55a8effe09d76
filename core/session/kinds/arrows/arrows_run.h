#pragma once
// Arrows of one step: a task per task of the surface, which finds the evenly spaced places of its patches. Once all
// are there, places too near to those of other patches, lattices or blocks are dropped. Handed over are all that were found.

#include <atomic>
#include <memory>
#include <optional>

#include "core/base/guarded_pointer.h"
#include "core/session/particles/polyline_spool.h"
#include "core/session/results/bundle_spool.h"
#include "core/session/run/surfaces/on_surface_run.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

class ArrowsRun final : public OnSurfaceRun {
 public:
  ArrowsRun(const Object& object, const paging::DatasetDescription& description);
  /// Enough for the first of the places that are compared, too, for which there is room when all tasks have ended.
  std::uint64_t taskBytes() const override;
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;
  bool isHandedOver() const override { return true; }
  void handOver(const TaskShare& share, ResultSink& sink) const override;
  std::shared_ptr<ResultSink> takeOver(const ObjectSurroundings& surroundings,
                                       const paging::DatasetDescription& data, std::int64_t step,
                                       const ResultFacts& facts) override;
  void tookOver(const ObjectSurroundings& surroundings) override;

 private:
  /// Columns of a place: point, normal to the side from which the surface is seen, the values of a node of it, the size of the vector.
  int width() const { return kValueColumn + surface().valuesPerNode() + 1; }
  int sizeColumn() const { return width() - 1; }
  std::optional<int> colorColumn() const;
  double spacing(const Bounds& data) const;
  std::shared_ptr<BundleSpool> makeFound(const ObjectSurroundings& surroundings, double spacing);
  void findPlaces(std::size_t number, double spacing, const ObjectSurroundings& surroundings,
                  tasks::TaskContext& context, std::int64_t step, BundleSpool::Writer* out) const;
  std::shared_ptr<const PolylineSpool> keptApart(const BundleSpool& found, double spacing,
                                                 const ObjectSurroundings& surroundings,
                                                 const TimeBudget& budget);

  static constexpr int kNormalColumn = 3, kValueColumn = 6;

  const Arrows& m_arrows;
  std::optional<Vec3> m_normal;  ///< of surfaces that lie in parallel planes
  std::atomic<double> m_spacing{0};
  GuardedPointer<const BundleSpool> m_found;
  GuardedPointer<const PolylineSpool> m_kept;  ///< once all are found
  MemoryAccount* m_account = nullptr;          ///< of what is handed over
};

}  // namespace farfield::session
