#pragma once
// Textures of one step: a task per tile of the surface, or per part of one that has many texels.

#include <memory>
#include <vector>

#include "core/extract/surface_texture.h"
#include "core/session/run/surfaces/surface_links.h"
#include "core/session/run/surfaces/triangles_run.h"

namespace farfield::session {

class LicRun final : public TrianglesRun {
 public:
  LicRun(const Object& object, const paging::DatasetDescription& description);
  TaskName taskName() const override { return {"tile", "tiles"}; }
  std::uint64_t taskBytes() const override;
  /// Of finding out which faces meet.
  std::uint64_t stateBytes() const override;
  std::size_t taskCount(const paging::DatasetDescription&) const override { return m_firstTile.back(); }
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  /// Says as well whether the vector is 0 everywhere ("vectorIsZero"): the texture is noise then.
  void count(ObjectStats& stats) const override;
  /// What is known of faces is taken over from the run before.
  std::size_t begin(const ObjectSurroundings& surroundings, const RunSteps& steps) override;
  const SurfaceLinks& links() const { return m_links; }

 protected:
  tasks::GroupResult prepare(const ObjectSurroundings& surroundings, std::int64_t step,
                             std::chrono::milliseconds limit) const override;
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override;
  int valuesPerNode() const override { return m_functions->outputCount() + extract::kShadeValues; }
  std::optional<int> shadeValue() const override { return m_functions->outputCount(); }
  std::vector<NamedValue> writtenValues() const override;

 private:
  const Lic& m_lic;
  extract::LineConvolution m_lines;
  // one after the other; one kind of them
  std::vector<extract::PlaneTexture> m_planes;
  struct Sheet {
    extract::GridSurface surface;
    std::size_t parts;  ///< of each of its patches
  };
  std::vector<Sheet> m_sheets;
  mutable SurfaceLinks m_links;          ///< of the sheets
  std::vector<std::size_t> m_firstTile;  ///< of each plane or sheet, and the end
};

}  // namespace farfield::session
