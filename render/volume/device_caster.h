#pragma once
// Casts a volume on a device, with its own bricks in the device's memory; ShownVolume continues with the
// processors (caster.h) if a device fails.

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/error.h"
#include "render/volume/brick_source.h"
#include "render/volume/caster.h"

namespace farfield::volume {

/// A device, its driver or its memory fails; the processors can do the work.
struct DeviceFailed : ErrorKind<DeviceFailed> {
  using ErrorKind::ErrorKind;
};

/// Belongs to one volume. One cast at a time.
class DeviceCaster {
 public:
  virtual ~DeviceCaster() = default;
  /// As castBricks(). `source` is the level of the picture. With `coarser`, of the same format, missing
  /// bricks are shown at that level, some are read for the next picture, and false is returned. Sources have
  /// one level each and outlive the caster. Throws DeviceFailed, and whatever castBricks() throws.
  virtual bool cast(BrickSource& source, BrickSource* coarser, const CastJob& job, std::span<float> rgba,
                    CastStats& stats) = 0;
  /// "opencl".
  virtual std::string engine() const = 0;
  virtual std::string device() const = 0;
  /// Time of its kernels, as the device measures it.
  virtual double kernelSeconds() const = 0;
};

/// For a volume whose finest level has `bricks` bricks, with memory of `account` if the device shares the
/// host's. Null: the processors do it, which is not a failure. Throws DeviceFailed, OverBudget.
using DeviceMaker = std::function<std::unique_ptr<DeviceCaster>(const BrickFormat& format,
                                                                std::int64_t bricks, MemoryAccount& account)>;

}  // namespace farfield::volume
