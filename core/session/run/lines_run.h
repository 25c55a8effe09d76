#pragma once
// Shared by runs of objects made of lines: a spool of lines, which is drawn and counted.

#include "core/base/guarded_pointer.h"
#include "core/session/line_spool.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

class LinesRun : public ObjectRun {
 public:
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;

 protected:
  using ObjectRun::ObjectRun;
  /// Vertices are buffered per task up to this size before they go to the spool.
  static constexpr std::size_t kBlockBytes = 4096;
  /// A new spool for `lines` lines, which is shown from now on.
  std::shared_ptr<LineSpool> makeSpool(const ObjectSurroundings& surroundings, std::size_t lines);
  /// The last one; null before the first.
  std::shared_ptr<LineSpool> spool() const { return m_spool.load(); }

 private:
  GuardedPointer<LineSpool> m_spool;
};

}  // namespace farfield::session
