#pragma once
// What casts a volume on a device, with bricks of its own in the device's memory: handed to ShownVolume, which goes on
// with the processors (caster.h) where a device fails.

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/error.h"
#include "render/volume/brick_source.h"
#include "render/volume/caster.h"

namespace farfield::volume {

/// A device, its driver or its memory does not do what it should; the processors can.
struct DeviceFailed : ErrorKind<DeviceFailed> {
  using ErrorKind::ErrorKind;
};

/// Belongs to one volume. One cast at a time.
class DeviceCaster {
 public:
  virtual ~DeviceCaster() = default;
  /// As castBricks(). `source` is of the level that the picture asks for. With `coarser`, of the same format, bricks that are not there
  /// are seen at that level, some are read for the next picture, and false says so. Sources have one level each and outlive the
  /// caster. Throws DeviceFailed, and whatever castBricks() throws.
  virtual bool cast(BrickSource& source, BrickSource* coarser, const CastJob& job, std::span<float> rgba,
                    CastStats& stats) = 0;
  /// "opencl".
  virtual std::string engine() const = 0;
  virtual std::string device() const = 0;
  /// What its kernels took, as it measures it itself.
  virtual double kernelSeconds() const = 0;
};

/// Of a volume whose finest level has `bricks` bricks, with memory of `account` where the device shares the host's. Null: the processors
/// are to do it, which is no failure. Throws DeviceFailed, OverBudget.
using DeviceMaker = std::function<std::unique_ptr<DeviceCaster>(const BrickFormat& format,
                                                                std::int64_t bricks, MemoryAccount& account)>;

}  // namespace farfield::volume
