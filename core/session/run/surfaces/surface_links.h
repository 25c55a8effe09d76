#pragma once
// Which faces meet (core/extract/face_links.h), and which sheets of structured blocks (core/extract/sheet_seams.h), found out for the surfaces of an
// object before its tasks follow lines on them: once for all steps at which a surface is there, also where each step is computed by a run of its
// own; of sheets that move at each step.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/extract/face_links.h"
#include "core/extract/grid_surface.h"
#include "core/extract/sheet_seams.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

/// Not thread-safe, but for isThere() and links() while a step is computed, and for being taken over from once none is.
class SurfaceLinks {
 public:
  using Clock = std::chrono::steady_clock;
  /// `now`: what time it is, for tests that let it pass.
  explicit SurfaceLinks(std::function<Clock::time_point()> now = Clock::now) : m_now(std::move(now)) {}
  /// Before the first step: what another run of the same data knows, which is only read.
  void takeOver(const SurfaceLinks& before) {
    m_known = before.m_known;
    m_seams = before.m_seams;
    m_seamsStep = before.m_seamsStep;
  }
  /// Before a step is computed. What was not asked for at the last one is forgotten, and where each step has cells of its own
  /// (core/paging/pages/changing_cells.h) what is known of other steps' surfaces. `limit`: for finding out more; 0: none.
  void startStep(const paging::DatasetDescription& description, std::int64_t step,
                 std::chrono::milliseconds limit = std::chrono::milliseconds{0});
  /// Whether a surface is there at the step; those of structured blocks are.
  bool isThere(const extract::GridSurface& its) const;
  /// Of surface number `surface`; finds out nothing where that is done, where it is not of faces or not there, or the time is up. `functions`
  /// are those of the object. Throws what gathering throws, Corrupt, Io, OverBudget, Cancelled.
  void find(std::size_t surface, const extract::GridSurface& its, const ObjectSurroundings& surroundings,
            const fields::FunctionPlan& functions, std::int64_t step, const std::string& name);
  const extract::FaceLinks& links(std::size_t surface) const { return *m_links[surface]; }
  /// Where those of `surfaces` that are sheets meet; as find().
  void findSeams(const std::vector<extract::GridSurface>& surfaces, const ObjectSurroundings& surroundings,
                 const fields::FunctionPlan& functions, std::int64_t step, const std::string& name);
  /// Once they are found, where any is a sheet.
  const extract::SheetSeams& seams() const { return *m_seams; }
  /// What finding them took since startStep(), and whether the time was up before all were found.
  const tasks::GroupResult& cost() const { return m_cost; }
  /// How many surfaces it read the faces of.
  std::size_t surfacesRead() const { return m_surfacesRead; }
  /// Memory that finding them takes, of one surface after the other.
  static std::uint64_t bytesFor(const extract::GridSurface& surface);
  /// And where sheets meet.
  static std::uint64_t seamBytesFor(const std::vector<extract::GridSurface>& surfaces);

 private:
  /// Surfaces are the same where their faces are: what is known is of the data, and not of the object.
  struct Known {
    int block = 0;
    std::int64_t first = 0, count = 0;  ///< faces
    std::shared_ptr<const extract::FaceLinks> links;
    bool isUsed = false;  ///< since startStep()
  };
  bool isThere(int block) const { return m_there.empty() || m_there[static_cast<std::size_t>(block)]; }
  /// Work of `count(linker)` tasks, each of which does `each` of a part.
  struct Parts {
    std::function<std::size_t(const extract::FaceLinker&)> count;
    std::function<void(std::size_t part, tasks::TaskContext& context, extract::FaceLinker& linker)> each;
  };
  Known* knownOf(const extract::GridSurface& its);
  /// What a linker makes of sides that tasks add and then place, appended to `file`, which is made where there is none. Null
  /// where the time was up.
  std::shared_ptr<const extract::FaceLinks> made(std::int64_t faces, const ObjectSurroundings& surroundings,
                                                 const std::string& name, std::shared_ptr<File>& file,
                                                 const Parts& add, const Parts& place);

  std::vector<bool> m_there;  ///< of each block; empty: all are
  std::vector<Known> m_known;
  std::vector<std::shared_ptr<const extract::FaceLinks>> m_links;  ///< of each surface
  std::shared_ptr<const extract::SheetSeams> m_seams;
  std::optional<std::int64_t> m_seamsStep;  ///< of sheets that move: of which step they are
  std::shared_ptr<File> m_file;             ///< of all that this found out itself of faces
  std::function<Clock::time_point()> m_now;
  std::optional<Clock::time_point> m_end;
  tasks::GroupResult m_cost;
  std::size_t m_surfacesRead = 0;
};

}  // namespace farfield::session
