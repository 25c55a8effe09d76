#pragma once
// Pictures of formulas by a device, and how far they are from the processors'.

#include <algorithm>
#include <cmath>

#include "render/opencl/open_cl.h"
#include "render/opencl/opencl_caster.h"
#include "tests/unit/volume/formula_bricks.h"

namespace farfield::test {

struct DeviceShot {
  bool image = false, doubles = true;
  int bricks = 4096;
};

/// The first device that any driver has; none: tests skip.
inline std::shared_ptr<const opencl::Device> anyDevice() {
  try {
    return std::make_shared<opencl::Device>(opencl::ClCalls{}, opencl::findDevices({}).front());
  } catch (const volume::DeviceFailed&) {
    return nullptr;
  }
}

inline volume::CastJob jobOf(const Shot& shot, const volume::RayCamera& camera) {
  volume::CastJob job{.look = shot.look, .scale = shot.scale, .camera = camera, .rows = shot.height};
  job.from = shot.from;
  job.to = shot.to;
  job.unitLength = shot.unit;
  job.stepLength = shot.step;
  return job;
}

inline std::unique_ptr<opencl::OpenClCaster> casterFor(const std::shared_ptr<const opencl::Device>& device,
                                                       const volume::BrickSource& source,
                                                       MemoryAccount& account, const DeviceShot& how) {
  return std::make_unique<opencl::OpenClCaster>(
      opencl::CasterParts{.device = device,
                          .form = {source.format().type, how.image, how.doubles && device->facts().doubles},
                          .format = source.format(),
                          .bricks = how.bricks,
                          .mostBytes = std::uint64_t{1} << 30,
                          .deviceAccount = account,
                          .host = account});
}

inline Picture shootOn(const std::shared_ptr<const opencl::Device>& device, FormulaBricks& source,
                       const Shot& shot, const DeviceShot& how = {}) {
  Picture picture{shot.width, shot.height, {}, {}};
  picture.rgba.resize(4 * static_cast<std::size_t>(shot.width * shot.height));
  MemoryAccount account(std::uint64_t{2} << 30);
  const auto caster = casterFor(device, source, account, how);
  const volume::RayCamera camera(shot.camera, shot.width, shot.height);
  caster->cast(source, nullptr, jobOf(shot, camera), picture.rgba, picture.stats);
  return picture;
}

/// Decibels over all four channels, 1 being the peak.
inline double psnr(const Picture& a, const Picture& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.rgba.size(); ++n) {
    const double difference = static_cast<double>(a.rgba[n]) - static_cast<double>(b.rgba[n]);
    sum += difference * difference;
  }
  return sum > 0 ? 10 * std::log10(static_cast<double>(a.rgba.size()) / sum) : INFINITY;
}

}  // namespace farfield::test
