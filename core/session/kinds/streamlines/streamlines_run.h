#pragma once
// Streamlines of one step: a task per seed and direction.

#include <optional>

#include "core/flow/seeds.h"
#include "core/flow/tracer.h"
#include "core/session/kinds/streamlines/flow_sketch.h"
#include "core/session/particles/polyline_spool.h"
#include "core/session/run/lines/lines_run.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

class SeedPlaces;

class StreamlinesRun final : public LinesRun {
 public:
  StreamlinesRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"line", "lines"}; }
  bool isHandedOver() const override { return true; }
  void tookOver(const ObjectSurroundings& surroundings) override {
    (void)chooseSpaced(surroundings, TimeBudget(std::nullopt));
  }
  std::uint64_t taskBytes() const override;
  std::size_t taskCount(const paging::DatasetDescription& description) const override;
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void complete(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using LinesRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 protected:
  std::uint64_t linesAt(const paging::DatasetDescription& data, std::int64_t step) const override;
  std::uint64_t linesTogether() const override { return m_directions.size(); }
  int moreValues() const override { return m_lines.form == LineForm::Ribbons ? 1 : 0; }
  std::shared_ptr<const PolylineSpool> keptLines() const override { return m_spaced.load(); }

 private:
  std::shared_ptr<flow::SeedSet> seedsAt(const ObjectSurroundings& surroundings, std::int64_t step) const;
  flow::LineResult trace(std::size_t number, Vec3 seed, fields::PagedData& data, tasks::TaskContext& context,
                         std::int64_t step, flow::LineSink& sink, SeedPlaces& places) const;
  /// From which the order of starting follows; nothing if lines start in the order of their numbers.
  std::optional<FlowSketch> sketch(const flow::SeedSet& seeds, const ObjectSurroundings& surroundings,
                                   std::int64_t step) const;

  bool traceOnDevice(const ObjectSurroundings& surroundings, std::int64_t step,
                     const std::shared_ptr<const flow::SeedSet>& seeds,
                     const std::function<std::size_t(std::size_t)>& order, const TimeBudget& budget);
  bool hasPlacesToRead(const paging::DatasetDescription& description) const;
  void readRestAsSeeds(const fields::PagedData& data,
                       const std::shared_ptr<const flow::SeedSet>& seeds) const;
  /// Seeds are nodes, whose places may have to be read.
  bool startsAtNodes() const;

  double interval(double wished) const;
  double chooseSpaced(const ObjectSurroundings& surroundings, const TimeBudget& budget);
  std::chrono::milliseconds timeForTracing(const TimeBudget& budget) const;
  /// What is written and drawn: with a spacing, once all lines are there, those that keep it. Null before the first line.
  std::shared_ptr<const Polylines> shown() const;

  const Streamlines& m_lines;
  std::optional<int> m_radiusValue;  ///< number of the function that the radius follows, among the values
  GuardedPointer<const PolylineSpool> m_spaced;
  std::vector<int> m_directions;
  mutable std::shared_ptr<flow::SeedSet> m_seeds;  ///< of m_seedsStep; where the grid stays, of all steps
  mutable std::int64_t m_seedsStep = -1;
  flow::LineOptions m_options;
  /// Of what was traced last, where a device did it; others count while it is being traced anew.
  GuardedPointer<const flow::LineCounts> m_device;
};

}  // namespace farfield::session
