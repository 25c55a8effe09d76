#pragma once
// What the viewport reports of a volume in the view.

#include <QString>
#include <optional>

#include "core/scene/slab_rays.h"
#include "core/scene/volume.h"

namespace farfield::qt3d {

struct VolumeSight {
  /// Stopped by the user; withdrawn, as its pages are wanted elsewhere: it comes again once it is computed anew.
  enum class State { Refining, Complete, Stopped, Withdrawn, Failed } state = State::Refining;
  scene::VolumeShown shown;
  double part = 0;                              ///< of the bricks of the current pass
  QString problem;                              ///< for Failed
  bool isClear = false;                         ///< rays go through it, and none shows anything of it
  bool isCovered = false;                       ///< then: they would, but for what is opaque
  std::optional<scene::SlabsShown> slabs = {};  ///< of what is rendered elsewhere, as of the last picture
};

}  // namespace farfield::qt3d
