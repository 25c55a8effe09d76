#pragma once
// Streaklines: for each step a file, with the particles of each seed joined from the youngest to the oldest.

#include "core/session/particles/polyline_spool.h"
#include "core/session/run/particles/particles_run.h"

namespace farfield::session {

class StreaklinesRun final : public ParticlesRun {
 public:
  StreaklinesRun(const Object& object, const paging::DatasetDescription& description);
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  void writeGeometry(const std::filesystem::path& path) const override;
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 private:
  /// The rest is for joining them.
  double shareOfMoving() const override { return 0.8; }

  const Streaklines& m_lines;
  GuardedPointer<const PolylineSpool> m_shown;  ///< of the step that was computed last
};

}  // namespace farfield::session
