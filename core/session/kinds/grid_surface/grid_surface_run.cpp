#include "core/session/kinds/grid_surface/grid_surface_run.h"

#include <algorithm>

#include "core/session/kinds/grid_surface/surface_sheets.h"

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

}  // namespace

SurfaceRun::SurfaceRun(const Object& object, const paging::DatasetDescription& description)
    : TrianglesRun(object, description, {}) {
  m_firstPatch.push_back(0);
  for (extract::OrientedSurface& sheet : sheetsOf(std::get<GridSurface>(object.shape), description)) {
    m_sheets.push_back(std::move(sheet.surface));
    m_firstPatch.push_back(m_firstPatch.back() + m_sheets.back().patchCount());
  }
}

std::optional<std::vector<GatheredNodes>> SurfaceRun::gathered(const paging::DatasetDescription&) const {
  std::vector<GatheredNodes> regions;
  for (const extract::GridSurface& sheet : m_sheets)
    if (sheet.isFaces()) return std::nullopt;
  for (const extract::GridSurface& sheet : m_sheets)
    regions.push_back({sheet.block(),
                       sheet.nodes(),
                       {paging::ArrayRole::Coordinates, paging::ArrayRole::Blanking},
                       m_functions->arrays()});
  return regions;
}

void SurfaceRun::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                         std::int64_t step, extract::SurfaceSink& sink) const {
  const auto sheet = static_cast<std::size_t>(
      std::upper_bound(m_firstPatch.begin(), m_firstPatch.end(), number) - m_firstPatch.begin() - 1);
  SheetSink whole(sink, m_firstPatch[sheet]);
  m_sheets[sheet].extract(number - m_firstPatch[sheet], data, context, *m_functions, step, whole);
}

std::unique_ptr<ObjectRun> makeRun(const GridSurface&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SurfaceRun>(object, description);
}

}  // namespace farfield::session
