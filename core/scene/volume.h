#pragma once
// A volume in the scene: how its values become colour and opacity, what is cut away, and what casts it. The
// scene does not know where samples come from: an item has a VolumeGeometry, which casts rays on processors
// or on a device and returns pixels. A back end draws opaque geometry, passes the distance to it for each
// ray, and blends what is cast with transparent items, interval after interval along the rays.

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
#include "core/scene/clip.h"

namespace farfield::scene {

struct ColorScale;

/// How the samples of a ray become one colour.
enum class VolumeMode {
  Composite,  ///< front to back, by the opacity of each piece of the ray
  Maximum,    ///< the colour and opacity of the greatest value
  Average,    ///< those of the mean along the ray
  Isosurface  ///< those of the first point that has VolumeLook::value
};

/// A corner of the opacity curve.
struct OpacityPoint {
  double value = 0, opacity = 0;
  bool operator==(const OpacityPoint&) const = default;
};

/// How a volume is drawn, besides the ColorScale of its item. Can change without reading anything again.
struct VolumeLook {
  /// Ascending in value; linear between points, constant beyond the ends. Opacity is that of a piece of
  /// `unitLength`; a piece of length d has 1 − (1 − opacity)^(d/unitLength).
  std::vector<OpacityPoint> opacity;
  /// In the camera's units; none: the edge of the finest voxel, where axes are stretched as much longer as the whole becomes.
  std::optional<double> unitLength;
  VolumeMode mode = VolumeMode::Composite;
  double value = 0;                            ///< of the surface shown by mode Isosurface
  bool lit = false;                            ///< shaded by the gradient, with light from the camera
  bool nearest = false;                        ///< the nearest sample instead of linear interpolation
  double samplesPerVoxel = 1;                  ///< along a ray, at the current level
  std::optional<double> pixelError;            ///< chooses the level: the largest size of a voxel in pixels
  std::optional<std::array<Vec3, 2>> clipBox;  ///< keeps what is inside: least and greatest corner
  std::vector<ClipPlane> clipPlanes;
  bool operator==(const VolumeLook&) const = default;
};

/// What a cast showed.
struct VolumeShown {
  int level = 0, levels = 1;
  /// True for widely spaced samples, because the data have no levels of detail: details may be missing.
  bool strided = false;
  /// True for a first sight by the ranges of pages, because even those samples take a while.
  bool overview = false;
};

/// How often values occur, in equal intervals of `range`, as far as known.
struct VolumeHistogram {
  std::array<double, 2> range{0, 1};
  std::vector<std::uint64_t> counts;
};

/// Rows of a picture to cast, one ray through the middle of each pixel. Distances are in the camera's units along the
/// ray: from the eye, or, without perspective, from the camera's plane across the view. Spans have width ×
/// rows elements, row by row from the top, from left to right, and are valid during the call only.
struct VolumeCast {
  const VolumeLook& look;
  const ColorScale& scale;
  Camera camera;
  int width = 0, height = 0;    ///< of the whole picture; pixels are square
  int firstRow = 0, rows = 0;   ///< of this part, counted from the top
  std::span<const float> from;  ///< where each ray begins; empty: at 0
  std::span<const float>
      /// Where it ends, at opaque geometry or a transparent layer; may be infinite; empty: it does not end.
      to;
  bool whole = true;  ///< wait for all samples; otherwise coarser ones are shown where they are missing
  bool soon =
      false;  ///< the view moves: anything that is seen at once is better than what has to be read first
  std::stop_token stop;
  /// Bricks examined, of those that may show something; called by threads that cast.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  VolumeShown* shown = nullptr;  ///< filled in when the cast is over
};

/// Thread-safe: the window casts while a picture is written.
class VolumeGeometry {
 public:
  virtual ~VolumeGeometry() = default;
  /// Of all samples, before clipping.
  virtual Bounds bounds() const = 0;
  /// Writes red, green, blue (sRGB, multiplied by alpha) and alpha, 0 … 1, for each pixel. False if coarser
  /// samples were used: another cast may show more. Throws Cancelled on a stop request, and what reading
  /// throws.
  virtual bool cast(const VolumeCast& cast, std::span<float> rgba) const = 0;
  /// Of its values, as far as known: reads nothing and waits for nothing. Null if nothing is known.
  virtual std::shared_ptr<const VolumeHistogram> histogram() const { return nullptr; }
};

}  // namespace farfield::scene
