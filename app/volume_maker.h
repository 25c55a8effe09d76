#pragma once
// Hands the volumes of render/volume to sessions, which know no way of casting, with the devices that cast them.

#include <functional>
#include <memory>

#include "core/paging/ingest/kept_levels.h"
#include "core/session/run/volumes/volume_maker.h"
#include "render/volume/device_caster.h"

namespace farfield::app {

/// Empty in builds without.
struct VolumeDevices {
  volume::DeviceMaker any;          ///< for "engine": "opencl"
  volume::DeviceMaker accelerator;  ///< for "auto"
  std::function<void(const Error&)> failed;
};

/// What is watched shows levels of detail that are in `kept` (null: none); pictures of batch runs depend on nothing but the
/// data.
session::VolumeMaker volumeMaker(const VolumeDevices& devices,
                                 std::shared_ptr<const paging::KeptLevels> kept = nullptr);

}  // namespace farfield::app
