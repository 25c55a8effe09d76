#include "core/session/kinds/slice/slice_run.h"

namespace farfield::session {

extract::Plane planeOf(const Slice& slice, const paging::DatasetDescription& description) {
  if (slice.origin) return {*slice.origin, slice.normal};
  Bounds bounds;
  for (const paging::BlockDescription& block : description.blocks) bounds.add(block.bounds);
  // While memory is only planned, nothing is known of the places yet.
  return {bounds.empty() ? Vec3{0, 0, 0} : bounds.center(), slice.normal};
}

SliceRun::SliceRun(const Object& object, const paging::DatasetDescription& description)
    : TrianglesRun(object, description, {}),
      m_slice(description, planeOf(std::get<Slice>(object.shape), description)) {}

std::unique_ptr<ObjectRun> makeRun(const Slice&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SliceRun>(object, description);
}

}  // namespace farfield::session
