#pragma once
// Slabs as a volume of the scene, for back ends that cast volumes: the pictures of the slabs are drawn over each other on
// processors, farthest first, where each ray meets them. A moving view is drawn from the slabs that are there, however
// far away they are rendered, and those that belong to it are asked for meanwhile; a view at rest waits for them, or for a whole
// frame. On the way from one axis to another the slabs of both are drawn and mixed, so that there is no moment at which the picture
// changes.

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "core/base/error.h"
#include "core/scene/scene.h"

namespace farfield::scene {

/// Whether pictures of parts of a volume, laid over each other, are the picture of the whole. A greatest value and a mean are of all
/// of a ray: such volumes are shown as whole frames, and slabs stand for them while the view moves.
constexpr bool areLayers(VolumeMode mode) {
  return mode == VolumeMode::Composite || mode == VolumeMode::Isosurface;
}

/// The slabs that a picture is drawn from.
struct SlabsInView {
  struct Along {
    std::shared_ptr<const SlabSet> set;  ///< null: there are none
    int axis = -1;                       ///< -1: not known
    bool fromAbove = true;               ///< they are pictures from its greater coordinates
  };
  Along best;
  Along beside;  ///< along the second best axis; null: none are mixed in
};

/// Slabs of which more is known than a set. Views that look along different axes may share them.
class WatchedSlabs : public SlabGeometry {
 public:
  struct State {
    std::uint64_t missing = 0;  ///< slabs that cannot be had
    std::uint64_t ranks = 0;    ///< that render
    Bounds bounds;              ///< of the volume
  };
  virtual State state() const = 0;
  /// What is there for this picture: along the axis that is best for it, or else what came last. Thread-safe; does not wait.
  virtual SlabsInView inView(const SlabAim& aim) const = 0;
  /// What belongs into this picture, with `mixed` also what is mixed in on the way between two axes; waits for it. Throws what goes
  /// wrong, Cancelled on request. Thread-safe.
  virtual SlabsInView await(const SlabAim& aim, bool mixed, const std::stop_token& stop) const = 0;
};

/// By how much the slabs of the second best axis are mixed in: 0 until the line of sight is 40 degrees away from the best axis towards
/// it, half at 45, where they change places.
struct BesideWeight {
  int axis = -1;
  double weight = 0;
};
BesideWeight besideWeight(const Bounds& data, const Camera& camera);

/// Sets of slabs as a volume: what does not change while a picture is drawn. Of two, along two axes, the pictures are mixed.
class StillSlabs final : public VolumeGeometry {
 public:
  /// `weight`: the share of `beside`, which may be null.
  StillSlabs(std::shared_ptr<const SlabSet> set, std::shared_ptr<const SlabSet> beside, double weight,
             const Bounds& bounds)
      : m_set(std::move(set)), m_beside(std::move(beside)), m_weight(weight), m_bounds(bounds) {}
  Bounds bounds() const override { return m_bounds; }
  bool cast(const VolumeCast& cast, std::span<float> rgba) const override;

 private:
  const std::shared_ptr<const SlabSet> m_set, m_beside;
  const double m_weight;
  const Bounds m_bounds;
};

/// What a picture shows of a volume that is rendered elsewhere.
struct SlabsShown {
  bool isFrame = false;  ///< exact; what follows is of slabs
  std::string axes;      ///< "+z", or "+z, +x" where two are mixed
  double degrees = 0;    ///< between the line of sight and the (first) axis
  double pixels =
      0;  ///< by so many, at most, something is seen beside its place, because slabs are thin pictures of thick parts
  std::uint64_t missing = 0, ranks = 0;
  std::string gone;  ///< why whoever renders cannot be reached; empty: he can
};

class SlabRays final : public VolumeGeometry {
 public:
  /// `whole` is what the slabs are pictures of: it has the bounds and the values. `framesAtRest`: what is cast whole is cast by
  /// it, and slabs are for what moves, as where they are no layers.
  SlabRays(std::shared_ptr<const WatchedSlabs> slabs, std::shared_ptr<const VolumeGeometry> whole,
           bool framesAtRest);
  ~SlabRays() override;
  Bounds bounds() const override { return m_whole->bounds(); }
  /// False unless it is cast whole. Where whoever renders cannot be reached, the slabs that are there are drawn, which is said
  /// once until it is back. Throws what WatchedSlabs::await and casts of the whole throw, Io only where there is no slab. Waits no
  /// longer than until the cast is to stop.
  bool cast(const VolumeCast& cast, std::span<float> rgba) const override;
  std::shared_ptr<const VolumeHistogram> histogram() const override { return m_whole->histogram(); }
  /// Of the last picture.
  SlabsShown shown() const;

 private:
  void askAhead(const VolumeCast& cast) const;
  void stopAsking() const;
  void sayGone(const Io& why) const;
  void draw(const VolumeCast& cast, const SlabsInView& slabs, std::span<float> rgba) const;
  void note(const VolumeCast& cast, const SlabsInView* slabs) const;

  const std::shared_ptr<const WatchedSlabs> m_slabs;
  const std::shared_ptr<const VolumeGeometry> m_whole;
  const bool m_framesAtRest;
  mutable std::mutex m_mutex;  ///< of all that follows, but m_isGone
  mutable SlabsShown m_shown;
  mutable std::string m_whyGone;
  mutable std::stop_source m_stopAsking;
  mutable std::atomic<bool> m_isGone{false};  ///< whoever renders, and that was said
  mutable std::future<void> m_asking;         ///< the last: its end is waited for
};

/// Draws the slabs of `set` into a picture, as VolumeGeometry::cast() says. Throws Invalid for a camera without a direction,
/// Cancelled.
void drawSlabs(const SlabSet& set, const VolumeCast& cast, std::span<float> rgba);

}  // namespace farfield::scene
