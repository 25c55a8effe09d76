#pragma once
// Which faces meet (core/extract/face_links.h), found out for the surfaces of an object before its tasks follow lines on them: once for all
// steps. Surfaces of structured blocks need none.

#include <memory>
#include <vector>

#include "core/extract/face_links.h"
#include "core/extract/grid_surface.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

/// Not thread-safe, but for links() once they are there.
class SurfaceLinks {
 public:
  /// Of surface number `surface`; finds out nothing where that is done, or where it is not of faces. `functions` are those of the object. Throws
  /// what gathering throws, Corrupt, Io, OverBudget, Cancelled.
  void find(std::size_t surface, const extract::GridSurface& its, const ObjectSurroundings& surroundings,
            const fields::FunctionPlan& functions, std::int64_t step, const std::string& name);
  const extract::FaceLinks& links(std::size_t surface) const { return *m_links[surface]; }
  /// Memory that finding them takes, of one surface after the other.
  static std::uint64_t bytesFor(const extract::GridSurface& surface);

 private:
  std::vector<std::shared_ptr<const extract::FaceLinks>> m_links;
};

}  // namespace farfield::session
