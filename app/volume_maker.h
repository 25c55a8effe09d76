#pragma once
// Hands the volumes of render/volume to sessions, which know no way of casting.

#include "core/session/run/volume_maker.h"

namespace farfield::app {

std::shared_ptr<session::CastVolume> makeVolume(const session::VolumeRequest& request);

}  // namespace farfield::app
