#pragma once
// Places on surfaces in space (paging/arranging/flat_mesh.h). Their cells are faces and hold no points, so a sampler finds nothing in
// them; but a place that lies on a face has values there, interpolated between the face's nodes, or those of the face. The same place of
// the same face has values at other steps, too, wherever it has moved to.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/fields/paged/box_search.h"
#include "core/fields/paged/listed_cells.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/paged/sampler.h"

namespace farfield::fields {

/// A place lies on a face if it is no farther from it than so much of the diagonal of the data: places are read and typed in few digits.
constexpr double kOnSurface = 1e-4;

/// Whether there are surfaces in space among the blocks.
bool hasSurfacesInSpace(const paging::DatasetDescription& data);
/// Whether all of them are.
bool areSurfacesInSpace(const paging::DatasetDescription& data);

/// Belongs to one task, which has no other cursor meanwhile. Every call may stop the task; throws what a sampler throws.
class SurfacePlaces {
 public:
  struct Place {
    Location where;   ///< the third of the face's own coordinates is 0
    Vec3 point;       ///< on the face
    double away = 0;  ///< how far that is
  };

  SurfacePlaces(PagedData& data, tasks::TaskContext& context, std::shared_ptr<const FunctionPlan> functions);
  static std::uint64_t bytesFor(const FunctionPlan& functions);

  /// The nearest place of a face that is less than `reach` away at `step`; of several as near that of the lowest block and cell. With a
  /// large reach from far away, one that is about as near.
  std::optional<Place> nearest(Vec3 point, double reach, std::int64_t step);
  /// How far one has been looked for, so that who stops in between goes on from there.
  struct Search {
    std::int64_t next = 0;  ///< step
    std::optional<Location> best;
    double away = 0;  ///< of the best
  };
  /// The place on which `point` lies best of all steps (kOnSurface), at the first of those. `mayStop` is called between steps, and may
  /// throw: called with the same `search` again, it goes on.
  std::optional<Location> bestOfSteps(Vec3 point, Search& search, const std::function<void()>& mayStop);
  /// Whether that face is there at `step`: cells may change.
  bool isThere(const Location& where, std::int64_t step) const;
  /// Where it is at `step`.
  Vec3 pointAt(const Location& where, std::int64_t step);
  /// Values there, as Sampler::evaluate() gives them.
  void evaluate(const Location& where, std::int64_t step, std::span<double> out);

 private:
  struct Face {
    paging::CellNodes nodes{};
    CellCorners corners;
  };
  void turnTo(int block, std::int64_t step);
  Face read(std::int64_t cell);
  void look(const CellGroup& group, Vec3 point, Place& best);

  PagedData& m_data;
  tasks::TaskContext& m_context;
  std::shared_ptr<const FunctionPlan> m_functions;
  ListedFunctions m_atNodes;
  paging::Cursor m_cursor;
  int m_block = -1;
  std::int64_t m_step = -1;
  BlockSlots m_slots;
  std::optional<ListedCells> m_cells;
  std::vector<double> m_points, m_values;
};

/// The place of a face on which `point` lies at `step` (kOnSurface), with the values there in `out`. None where there is none, as in data
/// without such surfaces, which are not looked at.
std::optional<SurfacePlaces::Place> placeOnSurface(PagedData& data, tasks::TaskContext& context,
                                                   const std::shared_ptr<const FunctionPlan>& functions,
                                                   Vec3 point, std::int64_t step, std::span<double> out);

}  // namespace farfield::fields
