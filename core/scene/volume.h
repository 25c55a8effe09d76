#pragma once
// A volume in the scene: how its values become colour and opacity, what of it is cut away, and what casts it.
// Where the samples come from is no business of the scene: whoever makes an item hands in a VolumeGeometry, which
// casts rays on processors or on a device and answers in pixels. A back end draws what is opaque, tells how far
// each ray goes until there, and blends what is cast with what is transparent, interval after interval along the rays.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/camera.h"

namespace farfield::scene {

struct ColorScale;

/// How the samples of a ray become one colour.
enum class VolumeMode {
  Composite,  ///< front to back, by the opacity of each piece of the ray
  Maximum,    ///< the colour and opacity of the greatest value
  Average,    ///< those of the mean along the ray
  Isosurface  ///< those of the first place that has VolumeLook::value
};

/// A corner of the opacity curve.
struct OpacityPoint {
  double value = 0, opacity = 0;
  bool operator==(const OpacityPoint&) const = default;
};

/// Keeps the side that `normal` points to.
struct ClipPlane {
  Vec3 origin, normal{0, 0, 1};
  bool operator==(const ClipPlane&) const = default;
};

/// What a volume looks like, beside the ColorScale of its item. Changes without reading anything again.
struct VolumeLook {
  /// Ascending in value; linear between corners, constant beyond the ends. Opacity is that of a piece of
  /// `unitLength`; one of length d has 1 − (1 − opacity)^(d/unitLength).
  std::vector<OpacityPoint> opacity;
  std::optional<double> unitLength;  ///< in data units; none: the edge of the finest voxel
  VolumeMode mode = VolumeMode::Composite;
  double value = 0;                  ///< of the surface that mode Isosurface shows
  bool lit = false;                  ///< by the gradient, with light from the camera
  bool nearest = false;              ///< the value of the nearest sample, in place of linear between samples
  double samplesPerVoxel = 1;        ///< along a ray, at the level at hand
  std::optional<double> pixelError;  ///< chooses the level: the size of a voxel in pixels at most
  std::optional<std::array<Vec3, 2>> clipBox;  ///< keeps what is inside: least and greatest corner
  std::vector<ClipPlane> clipPlanes;
  bool operator==(const VolumeLook&) const = default;
};

/// What a cast has shown.
struct VolumeShown {
  int level = 0, levels = 1;
  /// Of single samples, because the data have no levels of detail: finer things may be missing.
  bool strided = false;
};

/// How often values occur, in equal intervals of `range`; as far as it is known.
struct VolumeHistogram {
  std::array<double, 2> range{0, 1};
  std::vector<std::uint64_t> counts;
};

/// Rows of a picture to be cast, a ray through the middle of each pixel. Distances are in data units along the ray: from the
/// eye, or, without perspective, from the plane across the view in which the camera is. Spans have
/// width × rows elements, row after row from the top, from left to right, and are valid during the call only.
struct VolumeCast {
  const VolumeLook& look;
  const ColorScale& scale;
  Camera camera;
  int width = 0, height = 0;    ///< of the whole picture; pixels are square
  int firstRow = 0, rows = 0;   ///< of this part, counted from the top
  std::span<const float> from;  ///< where each ray begins; empty: at 0
  std::span<const float>
      to;  ///< where it ends, as opaque geometry is there or a transparent layer; may be infinite; empty: it does not
  bool whole = true;  ///< wait for all samples; otherwise coarser ones stand in for what is not there
  std::stop_token stop;
  /// Bricks looked through, of those that may show something; called by threads that cast.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  VolumeShown* shown = nullptr;  ///< filled in when the cast is over
};

/// Thread-safe: the window casts while a picture is written.
class VolumeGeometry {
 public:
  virtual ~VolumeGeometry() = default;
  /// Of everything that has samples, before clipping.
  virtual Bounds bounds() const = 0;
  /// Writes red, green, blue (sRGB, multiplied by alpha) and alpha, 0 … 1, for each pixel. False where coarser
  /// samples stood in: another cast may show more. Throws Cancelled on a stop request, and what reading throws.
  virtual bool cast(const VolumeCast& cast, std::span<float> rgba) const = 0;
  /// Of its values, as it is known by now: reads nothing and waits for nothing. Null where nothing is known.
  virtual std::shared_ptr<const VolumeHistogram> histogram() const { return nullptr; }
};

}  // namespace farfield::scene
