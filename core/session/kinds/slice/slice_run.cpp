#include "core/session/kinds/slice/slice_run.h"

#include "core/session/run/surface_run.h"

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

class SliceTasks final : public SurfaceTasks {
 public:
  SliceTasks(const Slice& shape, const paging::DatasetDescription& description,
             std::shared_ptr<const fields::FunctionPlan> functions)
      : m_functions(std::move(functions)) {
    for (const extract::Plane& plane : planesOf(shape, description)) m_slices.emplace_back(description, plane);
  }
  TaskName name() const override { return {"part", "parts"}; }
  std::size_t count() const override { return m_slices.size() * m_slices.front().taskCount(); }
  std::uint64_t bytes() const override { return extract::sliceTaskBytes(*m_functions); }
  /// Most tasks cost nothing, so a few do not show where the others are.
  std::size_t mostTrials() const override { return 16'384; }
  int valuesPerNode() const override { return m_functions->outputCount(); }
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override {
    const std::size_t each = m_slices.front().taskCount();
    NumberedSink numbered(number, sink);
    m_slices[number / each].extract(number % each, data, context, *m_functions, step, numbered);
  }

 private:
  std::shared_ptr<const fields::FunctionPlan> m_functions;
  std::vector<extract::Slice>
      m_slices;  ///< at least one, each with the same number of tasks; in order
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

std::unique_ptr<SurfaceTasks> makeTasks(const Slice& shape, const paging::DatasetDescription& description,
                                        std::shared_ptr<const fields::FunctionPlan> functions) {
  return std::make_unique<SliceTasks>(shape, description, std::move(functions));
}

std::unique_ptr<ObjectRun> makeRun(const Slice& shape, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SurfaceRun>(object, shape, description);
}

}  // namespace farfield::session
