#pragma once
// Which faces meet (core/extract/face_links.h), found out for the surfaces of an object before its tasks follow lines on them: once for all
// steps at which a surface is there. Surfaces of structured blocks need none.

#include <memory>
#include <vector>

#include "core/base/file.h"
#include "core/extract/face_links.h"
#include "core/extract/grid_surface.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

/// Not thread-safe, but for isThere() and links() while a step is computed.
class SurfaceLinks {
 public:
  /// Before a step is computed. Where each step has cells of its own (core/paging/pages/changing_cells.h), what is known of other steps' surfaces
  /// is forgotten.
  void startStep(const paging::DatasetDescription& description, std::int64_t step);
  /// Whether a surface is there at the step; those of structured blocks are.
  bool isThere(const extract::GridSurface& its) const;
  /// Of surface number `surface`; finds out nothing where that is done, or where it is not of faces or not there. `functions` are those of
  /// the object. Throws what gathering throws, Corrupt, Io, OverBudget, Cancelled.
  void find(std::size_t surface, const extract::GridSurface& its, const ObjectSurroundings& surroundings,
            const fields::FunctionPlan& functions, std::int64_t step, const std::string& name);
  const extract::FaceLinks& links(std::size_t surface) const { return *m_links[surface].links; }
  /// Memory that finding them takes, of one surface after the other.
  static std::uint64_t bytesFor(const extract::GridSurface& surface);

 private:
  struct Known {
    std::shared_ptr<const extract::FaceLinks> links;
    int block = 0;
  };
  bool isThere(int block) const { return m_there.empty() || m_there[static_cast<std::size_t>(block)]; }

  std::vector<bool> m_there;     ///< of each block; empty: all are
  std::vector<Known> m_links;    ///< of each surface
  std::shared_ptr<File> m_file;  ///< of all of them
};

}  // namespace farfield::session
