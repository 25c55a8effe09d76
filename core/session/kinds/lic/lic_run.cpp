#include "core/session/kinds/lic/lic_run.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/extract/face_texture.h"
#include "core/scene/camera.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/kinds/slice/slice_run.h"
#include "core/session/run/lines/line_options.h"

namespace farfield::session {
namespace {

double texelOf(const Lic& lic, const paging::DatasetDescription& description) {
  Bounds bounds;
  for (const paging::BlockDescription& block : description.blocks) bounds.add(block.bounds);
  const double texel = scene::stretched(bounds, lic.stretch).diagonal() / static_cast<double>(lic.resolution);
  // while memory is only planned, the bounds are unknown
  return texel > 0 && std::isfinite(texel) ? texel : 1;
}

std::vector<extract::OrientedSurface> sheetsUnder(const SurfaceShape& surface,
                                                  const paging::DatasetDescription& description) {
  if (const auto* const sheet = std::get_if<GridSurface>(&surface)) return sheetsOf(*sheet, description);
  return sheetsOf(*std::get<Slice>(surface).index, description);
}

/// Tiles have numbers of their own in each plane and sheet.
class TileSink final : public extract::SurfaceSink {
 public:
  TileSink(extract::SurfaceSink& whole, std::size_t number) : m_whole(whole), m_number(number) {}
  void patch(std::size_t, const extract::SurfacePatch& patch) override { m_whole.patch(m_number, patch); }

 private:
  extract::SurfaceSink& m_whole;
  std::size_t m_number;
};

}  // namespace

LicRun::LicRun(const Object& object, const paging::DatasetDescription& description)
    // the vector first, so that it is the first three values of a node
    : TrianglesRun(object, description, std::get<Lic>(object.shape).vector),
      m_lic(std::get<Lic>(object.shape)),
      m_lines(texelOf(m_lic, description), static_cast<int>(m_lic.reach), m_lic.stretch),
      m_firstTile{0} {
  requireVector(*m_functions, m_lic.vector.size());
  try {
    const auto* const slice = std::get_if<Slice>(&m_lic.on.shape);
    if (std::holds_alternative<Isosurface>(m_lic.on.shape))
      throw Invalid("isosurfaces have no texture", "use a slice or a grid-surface");
    if (slice && !slice->index) {
      for (const extract::Plane& plane : planesOf(*slice, description)) {
        m_planes.emplace_back(description, plane, m_lines);
        m_firstTile.push_back(m_firstTile.back() + m_planes.back().taskCount());
      }
      return;
    }
    for (extract::OrientedSurface& sheet : sheetsUnder(m_lic.on.shape, description)) {
      const std::size_t parts = extract::texturePartsOf(sheet.surface, description, m_lines);
      m_firstTile.push_back(m_firstTile.back() + sheet.surface.patchCount() * parts);
      m_sheets.push_back({std::move(sheet.surface), parts});
    }
  } catch (Error& error) {
    error.at("on");
    throw;
  }
}

std::uint64_t LicRun::taskBytes() const {
  return m_sheets.empty()
             ? extract::PlaneTexture::taskBytes(*m_functions, m_lines)
             : std::max(extract::sheetTextureBytes(*m_functions), extract::faceTextureBytes(*m_functions));
}

std::uint64_t LicRun::stateBytes() const {
  std::uint64_t most = 0;
  for (const Sheet& sheet : m_sheets) most = std::max(most, SurfaceLinks::bytesFor(sheet.surface));
  return most;
}

std::size_t LicRun::begin(const ObjectSurroundings& surroundings, const RunSteps& steps) {
  if (const auto* const before = dynamic_cast<const LicRun*>(steps.before)) m_links.takeOver(before->m_links);
  return TrianglesRun::begin(surroundings, steps);
}

tasks::GroupResult LicRun::prepare(const ObjectSurroundings& surroundings, std::int64_t step,
                                   std::chrono::milliseconds limit) const {
  m_links.startStep(surroundings.data.description(), step, limit);
  for (std::size_t n = 0; n < m_sheets.size(); ++n)
    m_links.find(n, m_sheets[n].surface, surroundings, *m_functions, step, m_object.name);
  return m_links.cost();
}

void LicRun::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                     std::int64_t step, extract::SurfaceSink& sink) const {
  const auto at = static_cast<std::size_t>(std::upper_bound(m_firstTile.begin(), m_firstTile.end(), number) -
                                           m_firstTile.begin() - 1);
  const std::size_t tile = number - m_firstTile[at];
  TileSink whole(sink, number);
  if (m_sheets.empty()) {
    m_planes[at].extract(tile, data, context, m_functions, step, m_lines, whole);
    return;
  }
  const auto& [surface, parts] = m_sheets[at];
  if (!m_links.isThere(surface)) return;
  if (surface.isFaces())
    return extract::extractFaceTexture(surface, m_links.links(at), tile / parts, {tile % parts, parts}, data,
                                       context, *m_functions, step, m_lines, whole);
  extract::extractTexture(surface, tile / parts, {tile % parts, parts}, data, context, *m_functions, step,
                          m_lines, whole);
}

std::vector<NamedValue> LicRun::writtenValues() const {
  std::vector<NamedValue> values;
  if (shownValue()) values.emplace_back(m_colorName, *shownValue());
  values.emplace_back("lic", *shadeValue());
  return values;
}

scene::SceneItem LicRun::item(const Object& look) const {
  scene::SceneItem item = TrianglesRun::item(look);
  item.dashed = std::get<Lic>(look.shape).animated;
  return item;
}

void LicRun::count(ObjectStats& stats) const {
  TrianglesRun::count(stats);
  bool isZero = true, isMissing = stats.points > 0;
  for (int component = 0; component < 3; ++component) {
    const auto range = rangeOf(component);
    isZero = isZero && range && (*range)[0] == 0 && (*range)[1] == 0;
    isMissing = isMissing && !range;
  }
  if (isMissing) stats.set("vectorHasNoValues", true);
  if (isZero) stats.set("vectorIsZero", true);
}

std::unique_ptr<ObjectRun> makeRun(const Lic&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<LicRun>(object, description);
}

}  // namespace farfield::session
