#include "core/session/kinds/grid_surface/grid_surface_run.h"

#include <algorithm>

#include "core/paging/pages/amr_boxes.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/run/surfaces/surface_run.h"

namespace farfield::session {
namespace {

/// Passes on the patches of a sheet under their numbers in the whole object.
class SheetSink final : public extract::SurfaceSink {
 public:
  SheetSink(extract::SurfaceSink& whole, std::size_t first) : m_whole(whole), m_first(first) {}
  void patch(std::size_t number, const extract::SurfacePatch& patch) override {
    m_whole.patch(m_first + number, patch);
  }

 private:
  extract::SurfaceSink& m_whole;
  std::size_t m_first;
};

class SheetTasks final : public SurfaceTasks {
 public:
  SheetTasks(std::vector<extract::OrientedSurface> sheets, const paging::DatasetDescription& description,
             std::shared_ptr<const fields::FunctionPlan> functions)
      : m_functions(std::move(functions)), m_isAmr(paging::isAmr(description)) {
    m_firstPatch.push_back(0);
    for (extract::OrientedSurface& sheet : sheets) {
      m_sheets.push_back(std::move(sheet.surface));
      m_dims.push_back(description.blocks[static_cast<std::size_t>(m_sheets.back().block())].dims);
      m_firstPatch.push_back(m_firstPatch.back() + m_sheets.back().patchCount());
    }
  }
  TaskName name() const override { return {"patch", "patches"}; }
  std::size_t count() const override { return m_firstPatch.back(); }
  std::uint64_t bytes() const override { return extract::surfaceTaskBytes(*m_functions); }
  int valuesPerNode() const override { return m_functions->outputCount(); }
  std::optional<std::vector<GatheredNodes>> gathered() const override {
    std::vector<GatheredNodes> regions;
    for (const extract::GridSurface& sheet : m_sheets)
      if (sheet.isFaces()) return std::nullopt;
    for (std::size_t n = 0; n < m_sheets.size(); ++n) {
      const extract::GridSurface& sheet = m_sheets[n];
      regions.push_back({sheet.block(),
                         sheet.nodes(),
                         {paging::ArrayRole::Coordinates, paging::ArrayRole::Blanking},
                         m_functions->arrays()});
      // of adaptive grids the blanking of the nodes beside it tells what of it is covered
      for (const int side : {-1, 1}) {
        IndexBox beside = sheet.nodes();
        const auto axis = static_cast<std::size_t>(sheet.fixedAxis());
        beside.first[axis] += side;
        if (m_isAmr && sheet.beyond() == 0 && beside.first[axis] >= 0 && beside.first[axis] < m_dims[n][axis])
          regions.push_back({sheet.block(), beside, {paging::ArrayRole::Blanking}, {}});
      }
      for (const extract::GridSurface::SparseNodes& behind : sheet.nodesBehind(m_dims[n]))
        regions.push_back({sheet.block(), behind.box, {paging::ArrayRole::Coordinates}, {}, behind.stride});
    }
    return regions;
  }
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override {
    const auto sheet = static_cast<std::size_t>(
        std::upper_bound(m_firstPatch.begin(), m_firstPatch.end(), number) - m_firstPatch.begin() - 1);
    SheetSink whole(sink, m_firstPatch[sheet]);
    m_sheets[sheet].extract(number - m_firstPatch[sheet], data, context, *m_functions, step, whole);
  }

 private:
  std::shared_ptr<const fields::FunctionPlan> m_functions;
  bool m_isAmr;
  std::vector<extract::GridSurface> m_sheets;
  std::vector<Index3> m_dims;             ///< of the block of each
  std::vector<std::size_t> m_firstPatch;  ///< of each sheet, and the end
};

}  // namespace

std::unique_ptr<SurfaceTasks> tasksOfSheets(std::vector<extract::OrientedSurface> sheets,
                                            const paging::DatasetDescription& description,
                                            std::shared_ptr<const fields::FunctionPlan> functions) {
  return std::make_unique<SheetTasks>(std::move(sheets), description, std::move(functions));
}

std::unique_ptr<SurfaceTasks> makeTasks(const GridSurface& shape,
                                        const paging::DatasetDescription& description,
                                        std::shared_ptr<const fields::FunctionPlan> functions) {
  return tasksOfSheets(sheetsOf(shape, description), description, std::move(functions));
}

std::unique_ptr<ObjectRun> makeRun(const GridSurface& shape, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SurfaceRun>(object, shape, description);
}

}  // namespace farfield::session
