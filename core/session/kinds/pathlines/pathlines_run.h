#pragma once
// Pathlines: one file for the whole run, with a line for each particle.

#include "core/session/results/polylines.h"
#include "core/session/run/particles/particles_run.h"

namespace farfield::session {

class PathlinesRun final : public ParticlesRun {
 public:
  PathlinesRun(const Object& object, const paging::DatasetDescription& description);
  GeometryFiles geometryFiles() const override { return GeometryFiles::PerRun; }
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override { return pathBounds(); }
  void count(ObjectStats& stats) const override;

 private:
  std::shared_ptr<const Polylines> lines() const;
  std::optional<std::array<double, 2>> rangeOfOwn(int column) const;
  const Pathlines& m_lines;
};

}  // namespace farfield::session
