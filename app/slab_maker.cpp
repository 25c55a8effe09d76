#include "app/slab_maker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scene/slab_rays.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::app {
namespace {

/// A set of slabs serves pictures that would have them coarser, up to so much so: a moving view has fewer pixels.
constexpr double kCoarser = 8;
/// Of the cosine between line of sight and axis: slabs that are as good lie so much further off it, but have the looks that are wanted,
/// or were made from the side that they are seen from.
constexpr double kOtherLook = 0.4, kOtherSide = 0.3;

class ViewedVolume final : public session::RemoteVolume,
                           public scene::WatchedSlabs,
                           public std::enable_shared_from_this<ViewedVolume> {
 public:
  explicit ViewedVolume(const session::SlabRequest& request)
      : m_by(request.by),
        m_step(request.step),
        m_nextStep(request.nextStep),
        m_axis(request.axis.value_or(-1)),
        m_mesh(request.mesh),
        m_account(request.account),
        m_stop(request.stop) {
    if (const auto before = std::dynamic_pointer_cast<ViewedVolume>(request.before);
        before && before->m_viewer->url() == request.source)
      m_viewer = before->m_viewer;
    else
      m_viewer = std::make_shared<remote::SlabViewer>(request.source, request.stop);
    m_bounds = m_viewer->facts().bounds;
  }

  Bounds bounds() const override { return m_bounds; }

  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    const scene::SlabAim aim{cast.look, cast.scale, cast.camera, cast.width, cast.height};
    remote::ShowRequest request = requestOf(aim);
    request.kind = remote::ShowKind::Frame;
    request.axis = static_cast<std::uint8_t>(remote::slabViewOf(m_bounds, aim, -1).axis);
    request.camera = cast.camera;
    request.width = cast.width;
    request.height = cast.height;
    request.firstRow = cast.firstRow;
    request.rows = cast.rows;
    request.whole = cast.whole;
    if (!cast.from.empty()) request.from = remote::packFloats(cast.from);
    if (!cast.to.empty()) request.to = remote::packFloats(cast.to);
    m_viewer->frame(request, m_account, cast.stop.stop_possible() ? cast.stop : m_stop, rgba);
    // what was not asked for as a whole may be coarser
    return cast.whole;
  }

  std::array<double, 2> valueRange() override {
    const std::lock_guard lock(m_mutex);
    if (!m_range) m_range = m_viewer->survey({.step = m_step, .by = m_by}, m_stop).range;
    return *m_range;
  }

  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) override {
    {
      const std::lock_guard lock(m_mutex);
      if (m_usual && m_usual->first == range) return m_usual->second;
    }
    std::vector<scene::OpacityPoint> opacity = m_viewer->survey({m_step, m_by, true, range}, m_stop).opacity;
    const std::lock_guard lock(m_mutex);
    m_usual = {range, opacity};
    return opacity;
  }

  session::VolumeCounts counts() const override {
    session::VolumeCounts counts;
    counts.samples = m_viewer->counters().samples;
    counts.engine = "slabd";
    counts.device = m_viewer->url();
    return counts;
  }

  std::shared_ptr<const scene::SlabGeometry> slabs() const override { return shared_from_this(); }

  session::SlabCounts slabCounts() const override {
    const remote::SlabCounters counters = m_viewer->counters();
    session::SlabCounts counts;
    counts.slabs = counters.parts;
    counts.missing = counters.missing;
    counts.ranks = counters.alive;
    counts.bytesReceived = counters.bytesReceived;
    const std::lock_guard lock(m_mutex);
    if (m_latest >= 0)
      counts.axis = std::string(keptOf(m_latest).view.fromAbove ? "+" : "-") + "xyz"[m_latest];
    return counts;
  }

  void aim(const scene::SlabAim& aim) const override { (void)await(aim, false, {}); }

  std::shared_ptr<const scene::SlabSet> current() const override {
    const std::lock_guard lock(m_mutex);
    return m_latest < 0 ? nullptr : keptOf(m_latest).set;
  }

  State state() const override {
    const remote::SlabCounters counters = m_viewer->counters();
    return {.missing = counters.missing, .ranks = counters.alive, .bounds = m_bounds};
  }

  scene::SlabsInView inView(const scene::SlabAim& aim) const override {
    const remote::ShowRequest wanted = requestOf(aim);
    const scene::BesideWeight beside = scene::besideWeight(m_bounds, aim.camera);
    const std::lock_guard lock(m_mutex);
    scene::SlabsInView slabs;
    double most = -INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
      const Kept& kept = keptOf(axis);
      if (!kept.set) continue;
      // what is seen along its axis is best, unless it looks as it did before, or was made from behind
      const double good = remote::alongOf(m_bounds, aim.camera, axis) -
                          (sameLook(kept.asked, wanted) ? 0 : kOtherLook) -
                          (isSeenFrom(kept, aim, axis) ? 0 : kOtherSide);
      if (good <= most) continue;
      most = good;
      slabs.best = kept.along(axis);
    }
    if (m_axis >= 0 || beside.weight == 0 || beside.axis == slabs.best.axis) return slabs;
    const Kept& other = keptOf(beside.axis);
    if (other.set && isSeenFrom(other, aim, beside.axis) && sameLook(other.asked, wanted))
      slabs.beside = other.along(beside.axis);
    return slabs;
  }

  scene::SlabsInView await(const scene::SlabAim& aim, bool mixed,
                           const std::stop_token& asked) const override {
    const std::stop_token stop = asked.stop_possible() ? asked : m_stop;
    // who comes meanwhile may find what he needs
    const remote::Turns::Turn turn(m_aiming, stop);
    const remote::SlabView best = remote::slabViewOf(m_bounds, aim, m_axis);
    scene::SlabsInView slabs{.best = obtained(aim, best, stop), .beside = {}};
    {
      const std::lock_guard lock(m_mutex);
      m_latest = best.axis;
    }
    const scene::BesideWeight beside = scene::besideWeight(m_bounds, aim.camera);
    if (!mixed || m_axis >= 0 || beside.weight == 0) return slabs;
    slabs.beside = obtained(aim, remote::slabViewOf(m_bounds, aim, beside.axis), stop);
    const std::lock_guard lock(m_mutex);
    // two are enough
    for (int axis = 0; axis < 3; ++axis)
      if (axis != best.axis && axis != beside.axis) m_kept[static_cast<std::size_t>(axis)] = {};
    return slabs;
  }

 private:
  remote::ShowRequest requestOf(const scene::SlabAim& aim) const {
    remote::ShowRequest request;
    request.step = m_step;
    request.nextStep = m_nextStep;
    request.by = m_by;
    request.look = aim.look;
    request.scale = aim.scale;
    request.camera.stretch = aim.camera.stretch;  // all that slabs depend on of it
    return request;
  }

  /// The slabs of an axis, as they were asked for.
  struct Kept {
    std::shared_ptr<const scene::SlabSet> set;
    remote::ShowRequest asked;
    remote::SlabView view;
    scene::SlabsInView::Along along(int axis) const { return {set, axis, view.fromAbove}; }
  };
  const Kept& keptOf(int axis) const { return m_kept[static_cast<std::size_t>(axis)]; }
  bool isSeenFrom(const Kept& kept, const scene::SlabAim& aim, int axis) const {
    return kept.view.fromAbove == remote::slabViewOf(m_bounds, aim, axis).fromAbove;
  }
  static bool sameLook(const remote::ShowRequest& one, remote::ShowRequest other) {
    remote::ShowRequest its = one;
    its.axis = other.axis;
    its.fromAbove = other.fromAbove;
    its.pixels = other.pixels = 2;
    its.mesh = other.mesh;
    return remote::bytesOf(its) == remote::bytesOf(other);
  }

  /// Waits for those along an axis, unless they are there. In one's turn.
  scene::SlabsInView::Along obtained(const scene::SlabAim& aim, remote::SlabView view,
                                     const std::stop_token& stop) const {
    remote::ShowRequest request = requestOf(aim);
    request.axis = static_cast<std::uint8_t>(view.axis);
    request.fromAbove = view.fromAbove;
    request.mesh = m_mesh;
    Kept& kept = m_kept[static_cast<std::size_t>(view.axis)];
    {
      const std::lock_guard lock(m_mutex);
      if (kept.set && kept.view.pixels >= view.pixels && kept.view.pixels <= kCoarser * view.pixels)
        view.pixels = kept.view.pixels;
      request.pixels = view.pixels;
      if (kept.set && remote::bytesOf(request) == remote::bytesOf(kept.asked)) return kept.along(view.axis);
    }
    auto set = m_viewer->slabs(request, m_account, stop);
    const std::lock_guard lock(m_mutex);
    kept = {std::move(set), std::move(request), view};
    return kept.along(view.axis);
  }

  std::shared_ptr<remote::SlabViewer> m_viewer;
  const std::string m_by;
  const std::int64_t m_step, m_nextStep;
  const int m_axis;
  const bool m_mesh;
  MemoryAccount& m_account;
  const std::stop_token m_stop;
  Bounds m_bounds;
  mutable remote::Turns m_aiming;      ///< of those who wait for slabs
  mutable std::mutex m_mutex;          ///< held briefly, but for the first range
  mutable std::array<Kept, 3> m_kept;  ///< by axis
  mutable int m_latest = -1;           ///< the axis of what was asked for last
  std::optional<std::array<double, 2>> m_range;
  /// Of the range that was asked for last: whoever changes other looks need not wait for the renderer.
  std::optional<std::pair<std::array<double, 2>, std::vector<scene::OpacityPoint>>> m_usual;
};

}  // namespace

session::SlabMaker slabMaker() {
  return [](const session::SlabRequest& request) -> std::shared_ptr<session::RemoteVolume> {
    return std::make_shared<ViewedVolume>(request);
  };
}

session::ResultAsker resultAsker() {
  struct Viewers {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<remote::SlabViewer>> byUrl;
  };
  return [viewers = std::make_shared<Viewers>()](const session::ResultRequest& request) {
    const auto known = [&] {
      const std::lock_guard lock(viewers->mutex);
      return viewers->byUrl[request.source].lock();
    };
    std::shared_ptr<remote::SlabViewer> viewer = known();
    if (!viewer) {
      viewer = std::make_shared<remote::SlabViewer>(request.source, request.stop);
      const std::lock_guard lock(viewers->mutex);
      viewers->byUrl[request.source] = viewer;
    }
    if (request.link) *request.link = viewer;
    return viewer->results(request);
  };
}

}  // namespace farfield::app
