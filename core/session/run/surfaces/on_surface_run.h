#pragma once
// Shared by runs of objects that lie on a surface: the surface's tasks, one group of them a step, in each of which
// the object is made from the patches as they come.

#include <memory>
#include <string>
#include <vector>

#include "core/session/run/surfaces/surface_tasks.h"

namespace farfield::session {

class OnSurfaceRun : public ObjectRun {
 public:
  TaskName taskName() const override { return m_surface->name(); }
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_surface->count(); }
  std::size_t mostTrials() const override { return m_surface->mostTrials(); }
  std::optional<std::vector<GatheredNodes>> gathered(const paging::DatasetDescription&) const override {
    return m_surface->gathered();
  }
  ResultFacts facts(const TaskShare& share) const override;

 protected:
  /// `functions`, `own` and `key` as ObjectRun has them; values of nodes begin with those of `functions`, and those that
  /// the surface needs are added. Throws what tasksOf() throws, placed at "on".
  OnSurfaceRun(const Object& object, const paging::DatasetDescription& description,
               std::vector<std::string> functions, const std::vector<std::string>& own, const char* key);
  const SurfaceTasks& surface() const { return *m_surface; }
  /// Throws Invalid where what comes is of another surface.
  void requireFits(const ResultFacts& facts) const;
  /// Runs `run` for every task of the surface that is of the share that is computed, within `time`, 0 for any. What is missing then is the caller's to say (noteMissing).
  void runGroup(const ObjectSurroundings& surroundings, std::chrono::milliseconds time,
                const std::function<void(std::size_t, tasks::TaskContext&)>& run);

 private:
  std::unique_ptr<SurfaceTasks> m_surface;
};

/// Passes on every patch, whatever its number.
template <class Take>
class EachPatch final : public extract::SurfaceSink {
 public:
  explicit EachPatch(Take take) : m_take(std::move(take)) {}
  void patch(std::size_t, const extract::SurfacePatch& patch) override { m_take(patch); }

 private:
  Take m_take;
};

}  // namespace farfield::session
