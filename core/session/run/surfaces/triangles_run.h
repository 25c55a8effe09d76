#pragma once
// Shared by runs of objects made of triangles: tasks put patches into a spool, which is written, drawn and
// counted. A kind defines how many tasks there are and what one does.
//
// Who watches sees something coarse first, where a kind has it: a short pass over all tasks, in a spool of its own under the same
// numbers. As tasks end, their coarse patches are taken out, so that the scene has either of each task. Files have the surface
// alone.

#include "core/base/guarded_pointer.h"
#include "core/extract/grid_surface.h"
#include "core/session/results/surface_spool.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/object_run.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

class TrianglesRun : public ObjectRun {
 public:
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const final;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) final;
  void writeGeometry(const std::filesystem::path& path) const final;
  bool hasPieces() const final { return true; }
  void writePieces(const std::filesystem::path& path, std::uint64_t triangles) const final;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  bool isCoarse() const final;
  Bounds bounds() const final;
  void count(ObjectStats& stats) const override;
  /// Whether extractCoarsely() gives anything.
  virtual bool hasCoarse() const { return false; }
  ResultFacts facts(const TaskShare& share) const final;
  void handOver(const TaskShare& share, ResultSink& sink) const final;
  std::shared_ptr<ResultSink> takeOver(const ObjectSurroundings& surroundings,
                                       const paging::DatasetDescription& data, std::int64_t step,
                                       const ResultFacts& facts) final;

 protected:
  using ObjectRun::ObjectRun;
  /// Finds out what tasks need beside their data, before any of them, in at most `limit`; 0: however long it takes. Returns what it cost, and
  /// whether there was not the time for it.
  virtual tasks::GroupResult prepare(const ObjectSurroundings& surroundings, std::int64_t step,
                                     std::chrono::milliseconds limit) const {
    (void)surroundings, (void)step, (void)limit;
    return {};
  }
  /// Does task `number`, whose patches have that number.
  virtual void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       std::int64_t step, extract::SurfaceSink& sink) const = 0;
  /// The same for what is shown until task `number` has ended: much sooner, with the same values at nodes, and with no more memory.
  virtual void extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                               std::int64_t step, extract::SurfaceSink& sink) const {
    (void)number, (void)data, (void)context, (void)step, (void)sink;
  }
  /// Values of a node of a patch: those of the functions.
  virtual int valuesPerNode() const { return m_functions->outputCount(); }
  /// Index among them of the value by which the object is coloured.
  virtual std::optional<int> shownValue() const { return colorValue(); }
  /// Index among them of the first of the three values of a texture.
  virtual std::optional<int> shadeValue() const { return {}; }
  /// Of a value of the nodes that are there; nothing without any.
  std::optional<std::array<double, 2>> rangeOf(int value) const;
  std::optional<double> usualLeastOf(int value) const;
  /// Values in the file besides the normals; the first is the one a viewer shows first.
  virtual std::vector<NamedValue> writtenValues() const;

 private:
  struct Result {
    std::shared_ptr<SurfaceSpool> surface;
    std::uint64_t numbers = 0;             ///< of its tasks
    std::shared_ptr<SurfaceSpool> coarse;  ///< of tasks that have not ended; null: there is none, or all have
  };
  std::shared_ptr<SurfaceSpool> coarseOf(const ObjectSurroundings& surroundings, std::int64_t step,
                                         const TimeBudget& budget) const;

  GuardedPointer<const Result> m_result;
};

}  // namespace farfield::session
