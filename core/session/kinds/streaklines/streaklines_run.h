#pragma once
// Streaklines: for each step a file, with the particles of each seed joined from the youngest to the oldest.

#include "core/session/polylines.h"
#include "core/session/run/particles_run.h"

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
  const Streaklines& m_lines;
  GuardedPointer<const Polylines> m_shown;  ///< of the last step that was computed
};

}  // namespace farfield::session
