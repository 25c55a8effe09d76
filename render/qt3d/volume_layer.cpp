#include "render/qt3d/volume_layer.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/niceness.h"
#include "render/qt3d/layer_pixels.h"
#include "render/qt3d/looked_at.h"
#include "render/view/box_order.h"
#include "render/view/view_transform.h"

namespace farfield::qt3d {
namespace {

constexpr int kCastingNiceness = 5;
/// For the first pass of a moving view, in addition to Qt 3D's time.
constexpr double kTargetMs = 60;
constexpr std::array kDivisors = {1, 2, 3, 4, 6, 8, 12};
/// A first pass that takes longer is stopped for the next view.
constexpr std::chrono::milliseconds kPatience{300};
/// A first pass that refining is stopped in: without it nothing would be seen of the view.
constexpr std::chrono::milliseconds kPatienceOnceStopped{3000};
constexpr std::chrono::milliseconds kTellInterval{100};
constexpr int kLastPass = 2, kDone = 3;

/// What hides volumes is the same in both.
bool sameDepths(const Frame& a, const Frame& b) {
  return a.depths == b.depths && a.veilDepths == b.veilDepths && a.edgeDepths == b.edgeDepths;
}

/// Calls with column, row and index in the depths of each ray.
template <class Visit>
void eachRay(const Frame& frame, QSize size, Visit visit) {
  const QSize from = frame.depthPixels;
  for (int y = 0; y < size.height(); ++y) {
    const int row = (2 * y + 1) * from.height() / (2 * size.height());
    for (int x = 0; x < size.width(); ++x) {
      const int column = (2 * x + 1) * from.width() / (2 * size.width());
      visit(x, y, std::size_t(row) * std::size_t(from.width()) + std::size_t(column));
    }
  }
}

/// Distances at which the rays of a picture meet opaque items and, before those, the veil; infinite where they do not. Empty
/// if none does.
struct Ends {
  std::vector<float> opaque, veil;
};

Ends endsOf(const Frame& frame, QSize size) {
  const auto nothing = [](const std::vector<float>& depths) {
    return std::all_of(depths.begin(), depths.end(), [](float depth) { return depth >= 1; });
  };
  const bool veiled =
      frame.veilDepths.size() == frame.depths.size() && !frame.veil.isNull() && !nothing(frame.veilDepths);
  if (frame.depths.empty() || (!veiled && nothing(frame.depths))) return {};
  scene::Scene scene;
  scene.camera = frame.view.camera;
  scene.bounds = frame.view.bounds;
  const view::ViewTransform view(scene, size.width(), size.height());
  Ends ends;
  eachRay(frame, size, [&](int x, int y, std::size_t at) {
    ends.opaque.push_back(float(view.distanceTo(x, y, frame.depths[at])));
    if (!veiled) return;
    const float depth = frame.veilDepths[at];
    const bool hidden = depth >= 1 || depth >= frame.depths[at];
    ends.veil.push_back(hidden ? INFINITY : float(view.distanceTo(x, y, depth)));
  });
  return ends;
}

/// Distances to what is near where edges cross pixels; 0 elsewhere.
std::vector<float> nearEndsOf(const Frame& frame) {
  std::vector<float> ends;
  scene::Scene scene;
  scene.camera = frame.view.camera;
  scene.bounds = frame.view.bounds;
  const QSize size = frame.edges.size();
  const view::ViewTransform view(scene, size.width(), size.height());
  std::size_t at = 0;
  for (int y = 0; y < size.height(); ++y)
    for (int x = 0; x < size.width(); ++x, ++at)
      ends.push_back(frame.edgeDepths[at] > 0 ? float(view.distanceTo(x, y, frame.edgeDepths[at])) : 0.0f);
  return ends;
}

std::vector<const ViewedVolume*> frontToBack(const std::vector<ViewedVolume>& volumes,
                                             const scene::Camera& camera) {
  std::vector<Bounds> boxes;
  for (const ViewedVolume& each : volumes) boxes.push_back(each.volume->bounds());
  std::vector<const ViewedVolume*> order;
  for (const std::size_t n : view::frontToBack(boxes, camera)) order.push_back(&volumes[n]);
  return order;
}

}  // namespace

bool sameView(const View& a, const View& b) {
  return a.pixels == b.pixels && a.camera == b.camera && a.bounds.min == b.bounds.min &&
         a.bounds.max == b.bounds.max;
}

VolumeLayer::VolumeLayer(Events events)
    : m_events(std::move(events)),
      m_thread([this](const std::stop_token& stop) { run(stop); }),
      m_patience([this](const std::stop_token& stop) { endPatience(stop); }) {}

VolumeLayer::~VolumeLayer() {
  m_thread.request_stop();
  const std::lock_guard lock(m_mutex);
  m_stop.request_stop();
}

void VolumeLayer::setVolumes(std::vector<ViewedVolume> volumes) {
  std::vector<ViewedVolume> gone;  // released without the lock
  {
    const std::lock_guard lock(m_mutex);
    gone = std::exchange(m_volumes, std::move(volumes));
    ++m_version;
    m_leftOut.clear();
    m_stopped = m_firstStopped = m_waits = false;
    m_stoppedIn.reset();
    m_pass = 0;
    // looks that are dragged, or steps that are played, come faster than pictures: the current one is still
    // shown
    if (m_volumes.empty()) {
      m_stop.request_stop();
      m_layers = {};
    } else {
      stopPassSoon();
    }
  }
  m_wake.notify_one();
}

void VolumeLayer::present(const Frame& frame) {
  Layers layer;
  // Until something of the new view is there, what is shown is the picture of the last one.
  std::map<QString, scene::VolumeShown> outdated;
  bool waits = false, stops = false;
  {
    const std::lock_guard lock(m_mutex);
    const bool same = m_frame && sameView(m_frame->view, frame.view);
    if (!same) {
      if (m_pass == kDone || m_stopped) outdated = m_shown;
      stopPassSoon();
    }
    // Finer frames of a view may come before the first one of it was taken.
    if (!newest() || !sameView(newest()->view, frame.view)) m_stopped = m_firstStopped = false;
    stops = same && !m_stopped && m_stoppedIn == frame.view.number;
    m_stopped |= !same && m_stoppedIn == frame.view.number;
    m_next = frame;
    if (same) layer = m_layers;
    if (!same && !m_volumes.empty()) {
      std::erase_if(outdated, [this](const auto& each) {
        return m_leftOut.contains(each.first) ||
               std::none_of(m_volumes.begin(), m_volumes.end(),
                            [&](const ViewedVolume& volume) { return volume.id == each.first; });
      });
      waits = true;
    }
  }
  m_wake.notify_one();
  if (waits) {
    for (const auto& [id, its] : outdated) tell(id, {VolumeSight::State::Refining, its, 0, {}});
    return;
  }
  m_events.made(composed(frame, layer));
  if (stops) stopRefining(frame.view.number);
}

void VolumeLayer::finish(const Frame& frame, std::function<void(const Frame&)> done) {
  {
    const std::lock_guard lock(m_mutex);
    m_captures.push_back({frame, std::move(done)});
    m_stop.request_stop();
  }
  m_wake.notify_one();
}

void VolumeLayer::stopRefining(std::uint64_t view) {
  const std::lock_guard telling(m_telling);
  std::map<QString, scene::VolumeShown> shown;
  {
    const std::lock_guard lock(m_mutex);
    const bool isHere = newest() && newest()->view.number == view;
    const bool isDone = m_pass == kDone && (!m_next || sameView(m_next->view, m_frame->view));
    if (m_volumes.empty() || (isHere && isDone)) return;
    m_stoppedIn = view;
    if (!isHere || m_stopped) return;
    m_stopped = true;
    if (m_castPass == 0) {
      m_patientUntil = std::min(m_patientUntil, Clock::now() + kPatienceOnceStopped);
      m_hurry.notify_one();
    } else {
      m_stop.request_stop();
    }
    shown = m_shown;
  }
  for (const auto& [id, its] : shown) tellHolding(id, {VolumeSight::State::Stopped, its, 0, {}});
}

/// The running pass is for an outdated frame: a first pass, of which something will be seen, gets some time.
void VolumeLayer::stopPassSoon() {
  if (m_castPass != 0) {
    m_stop.request_stop();
    return;
  }
  m_patientUntil = std::min(m_patientUntil, m_began + kPatience);
  m_hurry.notify_one();
}

void VolumeLayer::endPatience(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  while (!stop.stop_requested()) {
    m_hurry.wait(lock, stop, [&] { return m_patientUntil != Clock::time_point::max(); });
    const Clock::time_point until = m_patientUntil;
    m_hurry.wait_until(lock, stop, until, [&] { return m_patientUntil != until; });
    if (m_patientUntil != until || Clock::now() < until) continue;
    m_patientUntil = Clock::time_point::max();
    if (m_castPass == 0) m_stop.request_stop();
  }
}

bool VolumeLayer::hasWork() const {
  return !m_captures.empty() || m_next || (m_frame && !m_volumes.empty() && hasPass());
}

/// Once refining is stopped, the first pass alone.
bool VolumeLayer::hasPass() const {
  return m_pass != kDone && !m_waits && (!m_stopped || (m_pass == 0 && !m_firstStopped));
}

void VolumeLayer::run(const std::stop_token& stop) {
  beNice(kCastingNiceness);
  std::unique_lock lock(m_mutex);
  // with work to do, wait() does not report the stop request
  while (m_wake.wait(lock, stop, [&] { return hasWork(); }) && !stop.stop_requested()) {
    if (!m_captures.empty()) {
      doCapture(lock);
      continue;
    }
    if (m_next) takeFrame();
    if (m_volumes.empty()) {
      m_pass = 0;
      continue;
    }
    if (hasPass()) doPass(lock);
  }
}

void VolumeLayer::takeFrame() {
  Frame next = *std::exchange(m_next, std::nullopt);
  if (m_frame && sameView(m_frame->view, next.view)) {
    // passes already done are cast again with the better depths
    if (!sameDepths(*m_frame, next) && m_reached >= 0) m_pass = std::min(m_pass, m_reached);
  } else {
    m_layers = {};
    m_pass = 0;
    m_waits = false;
    m_reached = -1;
  }
  m_frame = std::move(next);
}

VolumeLayer::Pass VolumeLayer::passNow() const {
  if (m_pass == 0) return {m_divisor, false, true};
  if (m_pass == 1) return {2, false};
  return {1, true};
}

void VolumeLayer::doPass(std::unique_lock<std::mutex>& lock) {
  // it would hardly show more than the first, unless that had only ranges of pages to show
  const bool overview = std::any_of(m_volumes.begin(), m_volumes.end(), [this](const ViewedVolume& each) {
    const auto found = m_shown.find(each.id);
    return found != m_shown.end() && found->second.overview;
  });
  if (m_pass == 1 && m_divisor <= 3 && !overview) ++m_pass;
  const Pass pass = passNow();
  const int number = m_pass;
  const Frame frame = *m_frame;
  const std::vector<ViewedVolume> volumes = m_volumes;
  const std::uint64_t version = m_version;
  m_stop = {};
  const std::stop_token stop = m_stop.get_token();
  m_castPass = number;
  m_began = Clock::now();
  lock.unlock();
  Layers layer;
  bool stopped = false, converged = false;
  m_isWithdrawn = false;
  try {
    layer = cast(frame, volumes, pass, stop, true, converged);
  } catch (const Cancelled&) {
    stopped = true;
  }
  lock.lock();
  m_castPass = -1;
  m_patientUntil = Clock::time_point::max();
  if (stopped) {
    m_firstStopped = m_stopped && number == 0 && !m_next;
    // nothing of this view has been shown, and the next one waits: everything else moves on
    const bool bare = number == 0 && m_layers.isNull() && m_next;
    lock.unlock();
    if (bare) m_events.made(composed(frame, {}));
    lock.lock();
    return;
  }
  // What is seen of this view has the volume that went.
  if (m_isWithdrawn.exchange(false) && !m_layers.isNull() && version == m_version) {
    m_waits = true;
    return;
  }
  if (number == 0) {
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - m_began).count();
    const double rays =
        double(frame.view.pixels.width()) * frame.view.pixels.height() / (pass.divisor * pass.divisor);
    const double perRay = ms / std::max(1.0, rays);
    // the quicker of two in a row counts: the first one has to read
    m_msPerRay = m_msPerRay > 0 ? std::min(2 * m_msPerRay, perRay) : perRay;
    for (const int divisor : kDivisors) {
      m_divisor = divisor;
      if (m_msPerRay * rays * (pass.divisor * pass.divisor) / (divisor * divisor) <= kTargetMs) break;
    }
  }
  if (version != m_version) {
    if (number != 0 || m_volumes.empty()) return;
    m_layers = layer;
    lock.unlock();
    m_events.made(composed(frame, layer));
    lock.lock();
    return;
  }
  m_layers = layer;
  m_reached = number;
  m_pass = number == kLastPass || (pass.divisor == 1 && converged) ? kDone : number + 1;
  // another frame of the same view may have come meanwhile: it is shown with this
  const Frame shown = m_next && sameView(m_next->view, frame.view) ? *m_next : frame;
  showPass(lock, shown, volumes, layer);
}

/// Passes on what m_pass says was cast.
void VolumeLayer::showPass(std::unique_lock<std::mutex>& lock, const Frame& frame,
                           const std::vector<ViewedVolume>& volumes, const Layers& layer) {
  const bool done = m_pass == kDone;
  const auto undone = m_stopped ? VolumeSight::State::Stopped : VolumeSight::State::Refining;
  std::vector<std::pair<QString, VolumeSight>> sights;
  for (const ViewedVolume& each : volumes) {
    if (m_leftOut.contains(each.id)) continue;
    VolumeSight sight{done ? VolumeSight::State::Complete : undone, m_shown[each.id], done ? 1.0 : 0.0, {}};
    sight.isClear = m_lookedAt.contains(each.id) && !m_seen.contains(each.id);
    sight.isCovered = m_covered.contains(each.id);
    sights.emplace_back(each.id, std::move(sight));
  }
  const Frame shown = frame;
  lock.unlock();
  m_events.made(composed(shown, layer));
  for (const auto& [id, its] : sights) tell(id, its);
  lock.lock();
}

void VolumeLayer::doCapture(std::unique_lock<std::mutex>& lock) {
  const Capture capture = std::move(m_captures.front());
  m_captures.pop_front();
  const std::vector<ViewedVolume> volumes = m_volumes;
  const std::uint64_t version = m_version;
  const auto isShown = [&] {
    return m_frame && sameView(m_frame->view, capture.frame.view) && sameDepths(*m_frame, capture.frame);
  };
  const bool there = m_pass == kDone && isShown();
  Layers layer = there ? m_layers : Layers();
  m_stop = {};
  const std::stop_token stop = m_thread.get_stop_token();
  lock.unlock();
  bool converged = false, stopped = false;
  try {
    if (!there && !volumes.empty()) layer = cast(capture.frame, volumes, {1, true}, stop, false, converged);
    capture.done(composed(capture.frame, layer));
  } catch (const Cancelled&) {
    stopped = true;
    capture.done(capture.frame);
  }
  lock.lock();
  if (there || stopped || volumes.empty() || version != m_version) return;
  if (m_next) takeFrame();
  // What is shown need not be cast once more; captures that follow each other would stop it each time.
  if (isShown()) showDone(lock, *m_frame, volumes, layer);
}

/// The last pass is there.
void VolumeLayer::showDone(std::unique_lock<std::mutex>& lock, const Frame& frame,
                           const std::vector<ViewedVolume>& volumes, const Layers& layer) {
  m_layers = layer;
  m_reached = kLastPass;
  m_pass = kDone;
  showPass(lock, frame, volumes, layer);
}

VolumeLayer::Layers VolumeLayer::cast(const Frame& frame, const std::vector<ViewedVolume>& volumes, Pass pass,
                                      const std::stop_token& stop, bool tells, bool& converged) {
  const QSize full = frame.view.pixels;
  const QSize size((full.width() + pass.divisor - 1) / pass.divisor,
                   (full.height() + pass.divisor - 1) / pass.divisor);
  const Ends ends = endsOf(frame, size);
  std::vector<float> upToVeil = ends.opaque;
  for (std::size_t n = 0; n < ends.veil.size(); ++n) upToVeil[n] = std::min(upToVeil[n], ends.veil[n]);
  converged = true;
  {
    const std::lock_guard lock(m_mutex);
    m_lookedAt.clear();
    m_seen.clear();
    m_covered.clear();
  }
  Layers layers;
  const bool veiled = !ends.veil.empty();
  const CastJob job{frame, volumes, pass, size, stop, tells};
  if (pass.divisor == 1 && !frame.edges.isNull())
    layers.near = imageOf(castBetween(job, {{}, nearEndsOf(frame), false, false}, converged), size);
  layers.before = imageOf(castBetween(job, {{}, upToVeil, veiled, false}, converged), size);
  if (veiled)
    layers.behind = imageOf(castBetween(job, {ends.veil, ends.opaque, veiled, true}, converged), size);
  const bool isLast = pass.whole || (pass.divisor == 1 && converged);
  if (isLast && !ends.opaque.empty()) findCovered(job);
  return layers;
}

/// Which volumes, of those of which nothing is seen, would be without what rays end at: few rays tell.
void VolumeLayer::findCovered(const CastJob& what) {
  constexpr int kFewer = 4;
  const QSize size((what.size.width() + kFewer - 1) / kFewer, (what.size.height() + kFewer - 1) / kFewer);
  std::vector<float> rgba(4 * std::size_t(size.width()) * std::size_t(size.height()));
  for (const ViewedVolume& each : what.volumes) {
    {
      const std::lock_guard lock(m_mutex);
      if (m_leftOut.contains(each.id) || m_seen.contains(each.id) || !m_lookedAt.contains(each.id)) continue;
    }
    scene::VolumeLook look = each.look;
    if (look.pixelError) *look.pixelError /= kFewer;  // of what is seen
    const scene::VolumeCast job{.look = look,
                                .scale = each.scale,
                                .camera = what.frame.view.camera,
                                .width = size.width(),
                                .height = size.height(),
                                .firstRow = 0,
                                .rows = size.height(),
                                .from = {},
                                .to = {},
                                .whole = what.pass.whole,
                                .soon = what.pass.soon,
                                .stop = what.stop};
    try {
      each.volume->cast(job, rgba);
    } catch (const std::exception&) {
      if (what.stop.stop_requested()) throw Cancelled();
      continue;  // the picture says what is wrong
    }
    if (!showsSomething(rgba)) continue;
    const std::lock_guard lock(m_mutex);
    m_covered.insert(each.id);
  }
}

std::vector<float> VolumeLayer::castBetween(const CastJob& what, const Between& between, bool& converged) {
  const auto& [frame, volumes, pass, size, stop, tells] = what;
  std::vector<float> sum(4 * std::size_t(size.width()) * std::size_t(size.height())), rgba(sum.size());
  for (const ViewedVolume* const each : frontToBack(volumes, frame.view.camera)) {
    {
      const std::lock_guard lock(m_mutex);
      if (m_leftOut.contains(each->id)) continue;
    }
    // where a ray has a single colour, that lies behind the veil
    const bool inTwo = each->look.mode == scene::VolumeMode::Composite;
    if (between.veiled && !between.behind && !inTwo) continue;
    scene::VolumeShown shown;
    Clock::time_point told = Clock::now();
    const scene::VolumeCast job{
        .look = each->look,
        .scale = each->scale,
        .camera = frame.view.camera,
        .width = size.width(),
        .height = size.height(),
        .firstRow = 0,
        .rows = size.height(),
        .from = inTwo ? between.from : std::span<const float>(),
        .to = between.to,
        .whole = pass.whole,
        .soon = pass.soon,
        .stop = stop,
        .progress =
            [&](std::size_t done, std::size_t total) {
              const auto now = Clock::now();
              if (!tells || now - told < kTellInterval || total == 0) return;
              told = now;
              tell(each->id, {VolumeSight::State::Refining, shown, double(done) / double(total), {}});
            },
        .shown = &shown};
    try {
      converged = each->volume->cast(job, rgba) && converged;
    } catch (const Cancelled&) {
      if (stop.stop_requested()) throw;
      // Nobody asked for it here: its pages are wanted elsewhere, until it is computed again, and handed out anew.
      if (leaveOut(*each)) {
        tell(each->id, {VolumeSight::State::Withdrawn, shown, 0, {}});
        m_isWithdrawn = true;
      }
      continue;
    } catch (const std::exception& error) {
      if (leaveOut(*each))
        tell(each->id, {VolumeSight::State::Failed, {}, 0, QString::fromUtf8(error.what())});
      continue;
    }
    {
      const bool lookedAt = isLookedAt(each->volume->bounds(), each->look, job), seen = showsSomething(rgba);
      const std::lock_guard lock(m_mutex);
      m_shown[each->id] = shown;
      if (lookedAt) m_lookedAt.insert(each->id);
      if (seen) m_seen.insert(each->id);
      if (const auto* const slabs = dynamic_cast<const scene::SlabRays*>(each->volume.get()))
        m_slabsShown[each->id] = slabs->shown();
    }
    const auto opacity = float(std::clamp(each->opacity, 0.0, 1.0));
    for (std::size_t n = 0; n < sum.size(); n += 4) {
      const float through = opacity * (1 - sum[n + 3]);
      for (std::size_t c = 0; c < 4; ++c) sum[n + c] += through * rgba[n + c];
    }
  }
  return sum;
}

bool VolumeLayer::leaveOut(const ViewedVolume& volume) {
  const std::lock_guard lock(m_mutex);
  const auto isIt = [&](const auto& now) { return now.id == volume.id && now.volume == volume.volume; };
  if (std::none_of(m_volumes.begin(), m_volumes.end(), isIt)) return false;
  m_leftOut.insert(volume.id);
  return true;
}

void VolumeLayer::tell(const QString& id, VolumeSight sight) const {
  const std::lock_guard telling(m_telling);
  tellHolding(id, std::move(sight));
}

void VolumeLayer::tellHolding(const QString& id, VolumeSight sight) const {
  {
    const std::lock_guard lock(m_mutex);
    if (sight.state == VolumeSight::State::Refining && m_stopped) sight.state = VolumeSight::State::Stopped;
    if (const auto slabs = m_slabsShown.find(id); slabs != m_slabsShown.end()) sight.slabs = slabs->second;
  }
  if (m_events.seen) m_events.seen(id, sight);
}

Frame VolumeLayer::composed(const Frame& frame, const Layers& layers) {
  Frame made = frame;
  made.depths.clear();
  made.veilDepths.clear();
  made.veil = {};
  made.edgeDepths.clear();
  made.edges = {};
  if (layers.isNull() || made.image.isNull()) return made;
  if (!layers.behind.isNull() && frame.veil.size() == made.image.size())
    putBehind(layers.behind, frame.veil, made.image);
  QPainter painter(&made.image);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(QRectF(QPointF(0, 0), QSizeF(made.image.size())), layers.before);
  painter.end();
  if (!layers.near.isNull() && frame.edges.size() == layers.near.size() &&
      made.image.size() == frame.edges.size()) {
    QImage past = layers.before;
    if (!layers.behind.isNull()) {
      past = layers.behind;
      QPainter(&past).drawImage(0, 0, layers.before);
    }
    addEdges(frame.edges, layers.near, past, made.image);
  }
  return made;
}

}  // namespace farfield::qt3d
