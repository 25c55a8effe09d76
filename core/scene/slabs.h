#pragma once
// Textured surfaces rendered elsewhere: each slab of a volume is a picture on a quad or a mesh. They arrive
// at any time, and are replaced as a whole: drawing uses the current set, which is immutable.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/camera.h"

namespace farfield::scene {

struct ColorScale;
struct VolumeLook;

/// Red, green, blue (sRGB, multiplied by alpha), alpha, row after row from the top.
struct SlabImage {
  int width = 0, height = 0;
  int valueBytes = 1;  ///< of each of the four: 1, or 2 as this machine's integers are, 65535 being one
  std::vector<std::uint8_t> rgba;  ///< 4 × width × height values

  /// Of a picture of that size.
  std::size_t expectedBytes() const {
    return 4 * static_cast<std::size_t>(valueBytes) * static_cast<std::size_t>(width) *
           static_cast<std::size_t>(height);
  }
};

/// A quad is a mesh of two triangles.
struct Slab {
  std::vector<Vec3> points;
  std::vector<std::array<float, 2>>
      places;  ///< position of each point in the image, 0 … 1 from the left and from the top
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< point numbers
  std::shared_ptr<const SlabImage> image;
};

/// Of one step and one axis. Slabs are blended by their depth, whatever their order here.
struct SlabSet {
  std::vector<Slab> slabs;
  std::int64_t step = 0;
};

/// The picture that slabs are about to be drawn in.
struct SlabAim {
  const VolumeLook& look;
  const ColorScale& scale;
  Camera camera;
  int width = 0, height = 0;  ///< in pixels
};

class SlabGeometry {
 public:
  virtual ~SlabGeometry() = default;
  /// Called before a picture is drawn: who renders the slabs learns from where they are looked at. Where nobody watches it
  /// waits for the set that belongs there, and throws what goes wrong; otherwise it does not wait. Thread-safe.
  virtual void aim(const SlabAim& aim) const { (void)aim; }
  /// The newest complete set; null before there is any. Thread-safe; does not wait.
  virtual std::shared_ptr<const SlabSet> current() const = 0;
};

}  // namespace farfield::scene
