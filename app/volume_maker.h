#pragma once
// Hands the volumes of render/volume to sessions, which know no way of casting, with the devices that cast them.

#include <functional>

#include "core/session/run/volume_maker.h"
#include "render/volume/device_caster.h"

namespace farfield::app {

/// Empty in builds without.
struct VolumeDevices {
  volume::DeviceMaker any;          ///< for "engine": "opencl"
  volume::DeviceMaker accelerator;  ///< for "auto"
  std::function<void(const Error&)> failed;
};

session::VolumeMaker volumeMaker(const VolumeDevices& devices);

}  // namespace farfield::app
