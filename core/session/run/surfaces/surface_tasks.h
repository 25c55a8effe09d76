#pragma once
// A surface as tasks that make its patches. Objects that are surfaces and objects that lie on one
// (session/on_surface.h) use the same.

#include <memory>
#include <optional>
#include <vector>

#include "core/extract/grid_surface.h"
#include "core/session/json/on_surface.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

/// Immutable.
class SurfaceTasks {
 public:
  virtual ~SurfaceTasks() = default;
  virtual TaskName name() const = 0;
  virtual std::size_t count() const = 0;
  /// Memory of one task.
  virtual std::uint64_t bytes() const = 0;
  /// See ObjectRun.
  virtual std::size_t mostTrials() const { return 256; }
  virtual std::optional<std::vector<GatheredNodes>> gathered() const { return std::nullopt; }
  /// Of the nodes of a patch: those of the functions, and perhaps more.
  virtual int valuesPerNode() const = 0;
  /// Does task `number`, whose patches have that number. Throws what gathering throws.
  virtual void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       std::int64_t step, extract::SurfaceSink& sink) const = 0;
  /// See TrianglesRun.
  virtual bool hasCoarse() const { return false; }
  virtual void extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                               std::int64_t step, extract::SurfaceSink& sink) const {
    (void)number, (void)data, (void)context, (void)step, (void)sink;
  }
};

/// Tasks whose patches have the values of `functions` at their nodes; functionsOf(shape) are among them. Throws
/// Invalid, which names the key, for what the data do not have.
std::unique_ptr<SurfaceTasks> tasksOf(const SurfaceShape& shape,
                                      const paging::DatasetDescription& description,
                                      std::shared_ptr<const fields::FunctionPlan> functions);

// of each kind, in its folder
std::unique_ptr<SurfaceTasks> makeTasks(const Slice& shape, const paging::DatasetDescription& description,
                                        std::shared_ptr<const fields::FunctionPlan> functions);
std::unique_ptr<SurfaceTasks> makeTasks(const GridSurface& shape,
                                        const paging::DatasetDescription& description,
                                        std::shared_ptr<const fields::FunctionPlan> functions);
std::unique_ptr<SurfaceTasks> makeTasks(const Isosurface& shape,
                                        const paging::DatasetDescription& description,
                                        std::shared_ptr<const fields::FunctionPlan> functions);

}  // namespace farfield::session
