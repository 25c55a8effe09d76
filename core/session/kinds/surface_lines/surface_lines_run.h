#pragma once
// Lines on grid surfaces, of one step: a task per start and direction. Of surfaces of unstructured blocks it is found out before which
// faces meet (core/extract/face_links.h), once for all steps at which they are there.

#include <array>
#include <memory>
#include <vector>

#include "core/base/guarded_pointer.h"
#include "core/extract/face_lines.h"
#include "core/session/particles/polyline_spool.h"
#include "core/session/run/lines/lines_run.h"
#include "core/session/run/surfaces/surface_links.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

class SurfaceLinesRun final : public LinesRun {
 public:
  SurfaceLinesRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"line", "lines"}; }
  std::uint64_t taskBytes() const override;
  /// Of finding out which faces meet.
  std::uint64_t stateBytes() const override;
  std::size_t taskCount(const paging::DatasetDescription&) const override {
    return m_sheets.empty() ? 0 : static_cast<std::size_t>(m_lines.count) * m_directions.size();
  }
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  /// What is known of faces is taken over from the run before.
  std::size_t begin(const ObjectSurroundings& surroundings, const RunSteps& steps) override;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;
  const SurfaceLinks& links() const { return m_links; }

 protected:
  std::shared_ptr<const PolylineSpool> keptLines() const override { return m_kept.load(); }

 private:
  struct Start {
    std::size_t sheet = 0;
    extract::FacePlace place;  ///< in the sheet's cells, or in a face of it
  };
  Start startOf(std::size_t number) const;
  /// Divides the starts over the sheets that are there at the step, and links their faces, so that lines can go from one to another.
  /// In at most `limit`; 0: however long it takes. Returns what it cost, and whether there was not the time for it.
  tasks::GroupResult prepare(const ObjectSurroundings& surroundings, std::int64_t step,
                             std::chrono::milliseconds limit = std::chrono::milliseconds{0}) const;
  void divideStarts() const;
  void follow(std::size_t line, const ObjectSurroundings& surroundings, tasks::TaskContext& context,
              std::int64_t step, LineSpool* out) const;
  std::shared_ptr<const PolylineSpool> wholeLines(const LineSpool& lines,
                                                  const ObjectSurroundings& surroundings,
                                                  const TimeBudget& budget, double& kept) const;
  /// Those that are kept, once they are chosen; else all.
  std::shared_ptr<const Polylines> shown() const;

  const SurfaceLines& m_lines;
  std::vector<int> m_directions;
  std::vector<extract::GridSurface> m_sheets;
  mutable std::vector<std::size_t> m_firstStart;  ///< of each sheet at the step, and the end
  mutable SurfaceLinks m_links;                   ///< of the sheets
  GuardedPointer<const PolylineSpool> m_kept;
  GuardedPointer<const Bounds> m_allBounds;  ///< of the data
};

}  // namespace farfield::session
