#include "core/session/kinds/slice/slice_run.h"

namespace farfield::session {
namespace {

/// Passes on the patches of one plane under their numbers among those of all planes.
class NumberedSink final : public extract::SurfaceSink {
 public:
  NumberedSink(std::size_t number, extract::SurfaceSink& sink) : m_number(number), m_sink(sink) {}
  void patch(std::size_t, const extract::SurfacePatch& patch) override { m_sink.patch(m_number, patch); }

 private:
  std::size_t m_number;
  extract::SurfaceSink& m_sink;
};

}  // namespace

std::vector<extract::Plane> planesOf(const Slice& slice, const paging::DatasetDescription& description) {
  Bounds bounds;
  for (const paging::BlockDescription& block : description.blocks) bounds.add(block.bounds);
  // while memory is only planned, the bounds are unknown
  const Vec3 origin = slice.origin ? *slice.origin : bounds.empty() ? Vec3{0, 0, 0} : bounds.center();
  const extract::Plane through(origin, slice.normal);
  if (slice.offsets.empty()) return {through};
  std::vector<extract::Plane> planes;
  for (const double offset : slice.offsets)
    planes.emplace_back(origin + offset * through.normal(), slice.normal);
  return planes;
}

SliceRun::SliceRun(const Object& object, const paging::DatasetDescription& description)
    : TrianglesRun(object, description, {}) {
  for (const extract::Plane& plane : planesOf(std::get<Slice>(object.shape), description))
    m_slices.emplace_back(description, plane);
}

void SliceRun::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       std::int64_t step, extract::SurfaceSink& sink) const {
  const std::size_t each = m_slices.front().taskCount();
  NumberedSink numbered(number, sink);
  m_slices[number / each].extract(number % each, data, context, *m_functions, step, numbered);
}

std::unique_ptr<ObjectRun> makeRun(const Slice&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SliceRun>(object, description);
}

}  // namespace farfield::session
