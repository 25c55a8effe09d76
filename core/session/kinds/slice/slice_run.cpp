#include "core/session/kinds/slice/slice_run.h"

#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/extract/face_plane.h"
#include "core/session/kinds/grid_surface/grid_surface_run.h"
#include "core/session/run/surfaces/surface_run.h"

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
      : m_functions(std::move(functions)),
        m_coarse{m_functions, fields::FunctionPlan(description, {}), *m_functions},
        m_overlaps(shape.resolvesOverlaps ? extract::Overlaps::Resolved : extract::Overlaps::All) {
    for (const extract::Plane& plane : planesOf(shape, description))
      m_slices.emplace_back(description, plane, m_overlaps);
  }
  TaskName name() const override { return {"part", "parts"}; }
  std::size_t count() const override { return m_slices.size() * m_slices.front().taskCount(); }
  std::uint64_t bytes() const override { return extract::sliceTaskBytes(*m_functions, m_overlaps); }
  /// Most tasks cost nothing, so a few do not show where the others are.
  std::size_t mostTrials() const override { return 16'384; }
  int valuesPerNode() const override { return m_functions->outputCount(); }
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override {
    const std::size_t each = m_slices.front().taskCount();
    NumberedSink numbered(number, sink);
    m_slices[number / each].extract(number % each, data, context, *m_functions, step, numbered);
  }
  bool hasCoarse() const override { return m_slices.front().coarseStride() > 0; }
  void extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       std::int64_t step, extract::SurfaceSink& sink) const override {
    const std::size_t each = m_slices.front().taskCount();
    NumberedSink numbered(number, sink);
    m_slices[number / each].extractCoarsely(number % each, data, context, m_coarse, step, numbered);
  }

 private:
  std::shared_ptr<const fields::FunctionPlan> m_functions;
  fields::SurfaceFunctions m_coarse;
  extract::Overlaps m_overlaps;
  std::vector<extract::Slice> m_slices;  ///< at least one, each with the same number of tasks; in order
};

}  // namespace

std::vector<extract::Plane> planesOf(const Slice& slice, const paging::DatasetDescription& description) {
  Bounds bounds;
  for (const paging::BlockDescription& block : description.blocks) bounds.add(block.bounds);
  // while memory is only planned, the bounds are unknown
  const Vec3 origin = slice.origin ? *slice.origin : bounds.empty() ? Vec3{0, 0, 0} : bounds.center();
  const extract::Plane through(origin, slice.normal);
  if (slice.offsets.empty()) return {extract::broughtTo(bounds, through)};
  std::vector<extract::Plane> planes;
  for (const double offset : slice.offsets)
    planes.push_back(extract::broughtTo(bounds, {origin + offset * through.normal(), slice.normal}));
  return planes;
}

std::vector<extract::OrientedSurface> sheetsOf(const IndexSlice& slice,
                                               const paging::DatasetDescription& description) {
  const auto axis = static_cast<std::size_t>(slice.axis);
  const std::string letter(1, "ijk"[axis]);
  std::vector<std::int64_t> blocks = slice.blocks;
  const bool all = blocks.empty();
  if (all)
    for (std::size_t n = 0; n < description.blocks.size(); ++n)
      if (!description.blocks[n].isUnstructured()) blocks.push_back(static_cast<std::int64_t>(n));
  std::vector<extract::OrientedSurface> sheets;
  for (const double wanted : slice.places) {
    const std::size_t before = sheets.size();
    std::int64_t most = 0;
    for (const std::int64_t number : blocks) {
      if (number < 0 || number >= static_cast<std::int64_t>(description.blocks.size()))
        throw Invalid("there is no block " + std::to_string(number),
                      "choose from 0 to " + std::to_string(description.blocks.size() - 1))
            .at("block");
      const paging::BlockDescription& block = description.blocks[static_cast<std::size_t>(number)];
      if (block.isUnstructured())
        throw Invalid("block " + std::to_string(number) + " is unstructured and has no i, j, k",
                      "cut it with a plane")
            .at("index." + letter);
      const double last = static_cast<double>(block.dims[axis] - 1),
                   place = wanted < 0 ? wanted + last + 1 : wanted;
      most = std::max(most, block.dims[axis] - 1);
      if (!(place >= 0 && place <= last)) continue;
      IndexBox nodes{{0, 0, 0}, block.dims};
      nodes.first[axis] = static_cast<std::int64_t>(std::floor(place));
      nodes.size[axis] = 1;
      const double beyond = place - std::floor(place);
      // at a coarse level a narrow block may become a line of nodes
      if (all && (block.dims[(axis + 1) % 3] < 2 || block.dims[(axis + 2) % 3] < 2)) continue;
      sheets.push_back({extract::GridSurface(description, static_cast<int>(number), nodes, beyond)});
    }
    if (sheets.size() == before)
      throw Invalid(letter + " = " + formatNumber(wanted) + " is not there",
                    "choose from 0 to " + std::to_string(most) + ", or from -1 backwards")
          .at("index." + letter);
  }
  return sheets;
}

std::unique_ptr<SurfaceTasks> makeTasks(const Slice& shape, const paging::DatasetDescription& description,
                                        std::shared_ptr<const fields::FunctionPlan> functions) {
  if (shape.index)
    return tasksOfSheets(sheetsOf(*shape.index, description), description, std::move(functions));
  return std::make_unique<SliceTasks>(shape, description, std::move(functions));
}

std::unique_ptr<ObjectRun> makeRun(const Slice& shape, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SurfaceRun>(object, shape, description);
}

}  // namespace farfield::session
