#include "app/slab_maker.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "remote/slabs/slab_viewer.h"

namespace farfield::app {
namespace {

/// A set of slabs serves pictures that would have them coarser, up to so much so: a moving view has fewer pixels.
constexpr double kCoarser = 8;

class ViewedVolume final : public session::RemoteVolume,
                           public scene::SlabGeometry,
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
    remote::ShowRequest request = requestOf(cast.look, cast.scale);
    request.kind = remote::ShowKind::Frame;
    const scene::SlabAim aim{cast.look, cast.scale, cast.camera, cast.width, cast.height};
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
    return m_viewer->survey({m_step, m_by, true, range}, m_stop).opacity;
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
    if (m_set) counts.axis = std::string(m_view.fromAbove ? "+" : "-") + "xyz"[m_view.axis];
    return counts;
  }

  void aim(const scene::SlabAim& aim) const override {
    const std::lock_guard aiming(m_aimMutex);
    remote::SlabView view = remote::slabViewOf(m_bounds, aim, m_axis);
    remote::ShowRequest request = requestOf(aim.look, aim.scale);
    request.axis = static_cast<std::uint8_t>(view.axis);
    request.fromAbove = view.fromAbove;
    request.mesh = m_mesh;
    {
      const std::lock_guard lock(m_mutex);
      if (m_set && m_view.pixels >= view.pixels && m_view.pixels <= kCoarser * view.pixels)
        view.pixels = m_view.pixels;
      request.pixels = view.pixels;
      if (m_set && remote::bytesOf(request) == m_asked) return;
    }
    auto set = m_viewer->slabs(request, m_account, m_stop);
    const std::lock_guard lock(m_mutex);
    m_set = std::move(set);
    m_asked = remote::bytesOf(request);
    m_view = view;
  }

  std::shared_ptr<const scene::SlabSet> current() const override {
    const std::lock_guard lock(m_mutex);
    return m_set;
  }

 private:
  remote::ShowRequest requestOf(const scene::VolumeLook& look, const scene::ColorScale& scale) const {
    remote::ShowRequest request;
    request.step = m_step;
    request.nextStep = m_nextStep;
    request.by = m_by;
    request.look = look;
    request.scale = scale;
    return request;
  }

  std::shared_ptr<remote::SlabViewer> m_viewer;
  const std::string m_by;
  const std::int64_t m_step, m_nextStep;
  const int m_axis;
  const bool m_mesh;
  MemoryAccount& m_account;
  const std::stop_token m_stop;
  Bounds m_bounds;
  mutable std::mutex m_aimMutex;  ///< held while slabs are waited for
  mutable std::mutex m_mutex;     ///< held briefly, but for the first range
  mutable std::shared_ptr<const scene::SlabSet> m_set;
  mutable remote::Bytes m_asked;  ///< for it
  mutable remote::SlabView m_view;
  std::optional<std::array<double, 2>> m_range;
};

}  // namespace

session::SlabMaker slabMaker() {
  return [](const session::SlabRequest& request) -> std::shared_ptr<session::RemoteVolume> {
    return std::make_shared<ViewedVolume>(request);
  };
}

}  // namespace farfield::app
