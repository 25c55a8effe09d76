#include "render/qt3d/scene_renderer.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "render/qt3d/effects.h"
#include "render/qt3d/fine_frame.h"
#include "render/qt3d/frame_graph.h"
#include "render/qt3d/item_node.h"
#include "render/view/view_transform.h"

namespace farfield::qt3d {
namespace {

// Time without changes before more detail is drawn, and before all of it is.
constexpr int kRestingMs = 160, kStillMs = 900;
// Pictures that would take very long wait until nothing has changed for so long, times the patience that they need.
constexpr int kPatienceMs = 1000;
// A view that is left coarse is drawn once more to find out how long that takes now: after at least so long, or so many times what
// the picture took, then after twice as long, and no more often than so many times.
constexpr int kAgainMs = 4000, kAgainTimes = 10, kMostTries = 8;
// full-size targets of many samples would take hundreds of megabytes on large screens
constexpr double kMostSamples = 16e6;
// So many pictures in a row tell that dashes, which have gone all their way meanwhile, are not seen.
constexpr int kFewestSame = 4;
// more, and the view is too large to be drawn so
constexpr int kMostBands = 8;
// a picture needs one pass of the engine, and another in which Qt 3D delivers it; more after start-up
constexpr int kMostPasses = 12;

/// In which pictures with several pixels for each that is shown are drawn.
int bandsFor(double pixels) {
  return std::max(1, int(std::ceil(kFinePixels * kFinePixels * pixels / kMostSamples)));
}

QMatrix4x4 asMatrix(const view::Matrix4& columns) {
  return QMatrix4x4(columns.data()).transposed();
}

/// Unpacks depths from the colours of resources/shaders/peel.glsl.
std::vector<float> depthsOf(const QImage& image) {
  const QImage packed = image.convertToFormat(QImage::Format_RGB32);
  std::vector<float> depths;
  depths.reserve(std::size_t(packed.width()) * std::size_t(packed.height()));
  for (int y = 0; y < packed.height(); ++y) {
    const auto* const row = reinterpret_cast<const QRgb*>(packed.constScanLine(y));
    for (int x = 0; x < packed.width(); ++x) depths.push_back(float(row[x] & 0xFFFFFFu) / 16777215.0f);
  }
  return depths;
}

QColor asColor(const scene::Rgba& color) {
  const float alpha = color[3];
  return QColor::fromRgbF(color[0] * alpha, color[1] * alpha, color[2] * alpha, alpha);
}

}  // namespace

SceneRenderer::SceneRenderer(SharedScene& scene) : m_scene(scene), m_settle(this), m_again(this) {
  m_settle.setSingleShot(true);
  connect(&m_settle, &QTimer::timeout, this, &SceneRenderer::settle);
  m_again.setSingleShot(true);
  connect(&m_again, &QTimer::timeout, this, &SceneRenderer::tryAgain);
}

SceneRenderer::~SceneRenderer() = default;

void SceneRenderer::start() {
  const QString& problem = m_scene.start();
  if (!problem.isEmpty()) {
    emit failed(problem);
    return;
  }
  m_running = true;
  m_detail.setSoftware(m_scene.isSoftware());
  wantPicture();
}

void SceneRenderer::stop() {
  m_settle.stop();
  m_again.stop();
  if (m_scene.isRunning())
    for (const auto& [id, shown] : m_items) m_scene.release(shown.item.get());
  m_items.clear();
  m_running = false;
}

void SceneRenderer::fail(const QString& problem) {
  m_running = false;
  m_items.clear();
  // Who waits for a picture would wait for good.
  for (const auto& waiting : std::exchange(m_captures, {})) waiting(Frame{});
  emit failed(problem);
}

void SceneRenderer::setView(const View& view) {
  bool first = false;
  {
    const std::lock_guard lock(m_mutex);
    const bool isSame = view.number == m_next.number && view.background == m_next.background &&
                        view.heldLevel == m_next.heldLevel && view.clip == m_next.clip &&
                        view.dashClock != m_next.dashClock;
    m_next = view;
    first = !std::exchange(m_nextSet, true);
    m_onlyDashes = isSame && (first || m_onlyDashes);
  }
  if (first)
    QMetaObject::invokeMethod(
        this,
        [this] {
          const bool onlyDashes = [this] {
            const std::lock_guard lock(m_mutex);
            return m_onlyDashes;
          }();
          wantPicture(onlyDashes);
        },
        Qt::QueuedConnection);
}

void SceneRenderer::setStillMs(double milliseconds) {
  QMetaObject::invokeMethod(
      this, [this, milliseconds] { m_detail.setStillMs(milliseconds); }, Qt::QueuedConnection);
}

void SceneRenderer::setItem(const QString& id, const PreparedItemPtr& item, const Look& look) {
  if (!m_scene.isRunning()) return;
  try {
    m_scene.hold(item, look);
  } catch (const Error& error) {
    emit itemFailed(id, QString::fromUtf8(error.what()));
    return;
  }
  const Shown before = std::exchange(m_items[id], {item, look});
  if (before.item) m_scene.release(before.item.get());
  m_new.push_back(id);
  wantPicture();
}

void SceneRenderer::setLook(const QString& id, const Look& look) {
  const auto found = m_items.find(id);
  if (!m_scene.isRunning() || found == m_items.end() || found->second.look == look) return;
  try {
    (void)m_scene.effects().colorMap(look.map);
    found->second.look = look;
    wantPicture();
  } catch (const Error& error) {
    emit itemFailed(id, QString::fromUtf8(error.what()));
  }
}

void SceneRenderer::removeItem(const QString& id) {
  const auto found = m_items.find(id);
  if (!m_scene.isRunning() || found == m_items.end()) return;
  const PreparedItemPtr item = found->second.item;
  m_items.erase(found);
  m_scene.release(item.get());
  std::erase(m_new, id);
  wantPicture();
}

void SceneRenderer::setOrder(const QStringList& ids) {
  const auto held = [this](QStringList list) {
    list.removeIf([this](const QString& id) { return !m_items.contains(id); });
    return list;
  };
  const QStringList before = std::exchange(m_order, ids);
  if (held(before) != held(ids)) wantPicture();
}

void SceneRenderer::setDepthsWanted(bool wanted) {
  if (std::exchange(m_depthsWanted, wanted) != wanted && wanted) wantPicture();
}

void SceneRenderer::capture(const std::function<void(const Frame&)>& done) {
  m_captures.push_back(done);
  if (m_running) {
    wantPicture();
    return;
  }
  for (const auto& waiting : std::exchange(m_captures, {})) waiting(Frame{});
}

// Queued behind everything that waits for this thread: a dozen changes make one picture.
void SceneRenderer::wantPicture(bool onlyDashes) {
  if (!m_running) return;
  m_hasChanged |= !onlyDashes;
  m_scene.wanted(this, onlyDashes);
  if (std::exchange(m_wanted, true)) return;
  QMetaObject::invokeMethod(
      this, [this] { drawNow(); }, Qt::QueuedConnection);
}

void SceneRenderer::takeView() {
  const std::lock_guard lock(m_mutex);
  if (std::exchange(m_nextSet, false)) m_view = m_next;
}

void SceneRenderer::drawNow() {
  m_wanted = false;
  if (!m_running) return;
  takeView();
  std::size_t indices = 0;
  for (const auto& [id, shown] : m_items)
    if (shown.isDrawn()) indices += std::size_t(shown.item->indices.size()) / sizeof(std::uint32_t);
  m_detail.setWork(indices);
  m_detail.setShare(1.0 / m_scene.movingCount());
  m_rested = false;
  m_patience = 1;
  m_again.stop();
  m_tries = 0;
  draw(m_captures.empty() ? levelNow() : 0);
}

/// Of the picture that is drawn first.
int SceneRenderer::levelNow() {
  if (m_view.heldLevel) return *m_view.heldLevel;
  const int moving = m_detail.choose();
  const bool stands = m_lastDrawn && !m_view.isHurried && m_view.camera == m_lastDrawn->camera &&
                      m_view.pixels == m_lastDrawn->pixels && m_view.dashClock == m_lastDrawn->dashClock;
  return stands ? std::min(moving, m_detail.changedLevel()) : moving;
}

// A picture cannot be abandoned, so long ones wait until no other has been requested recently.
void SceneRenderer::settle() {
  if (!m_running || m_wanted) return;
  const qint64 still = m_scene.sinceWanted(this);
  if (still < (m_rested ? kStillMs : kRestingMs)) return m_settle.start(kRestingMs);
  m_patience = std::clamp(double(still) / kPatienceMs, 1.0, DetailControl::kMostPatience);
  // The dashes of another one would stand still for as long.
  if (m_scene.othersMove(this)) m_patience = 1;
  const std::optional<int> quick = m_rested ? std::nullopt : m_detail.restingLevel();
  if (quick && *quick >= m_drawn) {  // it is seen like that already
    m_rested = true;
    return m_settle.start(kRestingMs);
  }
  const bool again = std::exchange(m_rested, true) && m_drawn <= m_detail.stillLevel(m_patience);
  if (!again) return draw(quick.value_or(m_detail.stillLevel(m_patience)));
  // all that has been drawn, and still nothing moves: a picture that takes longer disturbs no one
  if (m_detail.isFinest(m_drawn, m_patience)) {
    if (m_drawn == 0) return;
    emit restsAsItIs(m_detail.expectedMs(0) * 1e-3);
    if (m_tries < kMostTries)
      m_again.start(std::max(kAgainMs, int(kAgainTimes * m_detail.expectedMs(m_drawn))) << m_tries);
  } else {
    const double until = m_detail.patienceForMore(m_drawn) * kPatienceMs;
    m_settle.start(std::max(kRestingMs, int(std::ceil(until - double(still)))));
  }
}

/// The picture is the one that is shown: only what it takes counts.
void SceneRenderer::tryAgain() {
  if (!m_running || m_wanted || m_settle.isActive()) return;
  if (m_scene.sinceWanted(this) < kStillMs) return m_again.start(kAgainMs);
  ++m_tries;
  draw(m_drawn, Purpose::Time);
  m_settle.start(0);
}

void SceneRenderer::draw(int level, Purpose purpose) {
  if (m_view.pixels.isEmpty()) return;
  if (!m_scene.isRunning()) return fail(m_scene.start());
  QElapsedTimer timer;
  timer.start();
  Detail detail = DetailControl::detailOf(level);
  const double pixels = double(m_view.pixels.width()) * m_view.pixels.height();
  int samples = detail.smooth ? m_scene.samples() : 1;
  // rays need the depths of all samples, which are then pixels of their own
  const bool fine = m_depthsWanted && level == 0 && samples >= kFinePixels * kFinePixels &&
                    !m_scene.nodes().empty() && bandsFor(pixels) <= kMostBands;
  while (samples > 1 && samples * pixels > kMostSamples) samples /= 2;
  if (fine) {
    detail.scale *= kFinePixels;
    samples = 1;
  }
  const QSize target(std::max(1, int(m_view.pixels.width() * detail.scale)),
                     std::max(1, int(m_view.pixels.height() * detail.scale)));

  scene::Scene scene;
  scene.camera = m_view.camera;
  scene.bounds = m_view.bounds;
  std::optional<view::ViewTransform> transform;
  try {
    transform.emplace(scene, target.width(), target.height());
  } catch (const Error&) {
    return;  // a camera without a direction; the widget does not send such
  }
  dressItems();
  const bool veiled =
      m_depthsWanted && std::any_of(m_items.begin(), m_items.end(), [this](const auto& each) {
        return each.second.isDrawn() && m_scene.nodes().at(each.second.item.get())->drawsTransparent();
      });
  FrameGraph& graph = m_scene.graph();
  graph.setDepthsWanted(m_depthsWanted);
  graph.setVeilWanted(veiled);
  graph.setBackground(asColor(m_view.background));
  m_scene.effects().setClip(view::clipUniforms(m_view.clip, *transform));
  for (const auto& [item, node] : m_scene.nodes()) {
    node->setFrame(transform->frame(), transform->axisScale());
    node->setDeep(transform->isDeep());
    node->setDetail(m_view.widthScale, detail);
  }
  const Shot shot{*transform, level, samples, target.width(), 0, target.height(), fine, veiled};
  Frame frame;
  frame.view = m_view;
  if (!(fine ? shootFine(shot, frame) : shoot(shot, frame))) return;
  const auto took = [&timer] { return double(timer.nsecsElapsed()) * 1e-6; };
  if (purpose == Purpose::Time) return m_detail.recordAgain(level, took());
  frame.movesUnseen = movesUnseen(frame.image, level);
  for (QImage* const image : {&frame.image, &frame.veil})
    if (image->size() != m_view.pixels && !image->isNull())
      *image = image->scaled(m_view.pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  frame.milliseconds = took();
  frame.shown = std::exchange(m_new, {});
  m_detail.record(level, frame.milliseconds);
  m_drawn = level;
  m_lastDrawn = m_view;
  frame.full = m_detail.isFinest(level, m_patience);
  if (level == 0)
    m_settle.stop();
  else
    m_settle.start(m_rested || m_detail.restingLevel() ? kRestingMs : kStillMs);
  if (level == 0)
    for (const auto& waiting : std::exchange(m_captures, {})) waiting(frame);
  m_scene.drawn();
  emit frameReady(frame);
}

bool SceneRenderer::shoot(const Shot& shot, Frame& frame) {
  FrameGraph& graph = m_scene.graph();
  graph.setTarget(std::min(shot.level, 2), QSize(shot.width, shot.rows), shot.samples);
  graph.setCamera(asMatrix(shot.transform.turn()),
                  asMatrix(shot.transform.projection(shot.firstRow, shot.rows)));
  m_scene.effects().setView(float(shot.width), float(shot.rows), float(shot.fine ? kFinePixels : 1),
                            shot.transform.orthographic(), float(m_view.dashClock),
                            shot.transform.axisScale(), shot.transform.deepDepths());
  const std::unique_ptr<Qt3DRender::QRenderCaptureReply> reply(graph.capture());
  std::unique_ptr<Qt3DRender::QRenderCaptureReply> depths;
  std::unique_ptr<Qt3DRender::QRenderCaptureReply> veil, veilDepths;
  if (m_depthsWanted) depths.reset(graph.captureDepths());
  if (shot.veiled) {
    veil.reset(graph.captureVeil());
    veilDepths.reset(graph.captureVeilDepths());
  }
  const auto complete = [&] {
    return reply->isComplete() && (!depths || depths->isComplete()) &&
           (!shot.veiled || (veil->isComplete() && veilDepths->isComplete()));
  };
  for (int pass = 0; pass < kMostPasses && !complete(); ++pass) m_scene.processFrame();
  if (const QString problem = m_scene.effects().problem(); !problem.isEmpty()) {
    m_scene.fail(tr("The graphics driver does not take the shaders: %1").arg(problem));
    fail(m_scene.start());
    return false;
  }
  // converted here, so that the thread of the user interface can copy it to the window as it is
  frame.image = reply->image().convertToFormat(m_view.background[3] < 1 ? QImage::Format_ARGB32_Premultiplied
                                                                        : QImage::Format_RGB32);
  if (!depths || !depths->isComplete()) return true;
  frame.depthPixels = depths->image().size();
  frame.depths = depthsOf(depths->image());
  if (!shot.veiled || !veil->isComplete() || !veilDepths->isComplete()) return true;
  frame.veil = veil->image();
  // what was drawn is multiplied by its alpha, whatever the capture calls it
  if (frame.veil.format() == QImage::Format_ARGB32)
    frame.veil.reinterpretAsFormat(QImage::Format_ARGB32_Premultiplied);
  frame.veil = frame.veil.convertToFormat(QImage::Format_ARGB32_Premultiplied);
  frame.veilDepths = depthsOf(veilDepths->image());
  return true;
}

bool SceneRenderer::shootFine(const Shot& whole, Frame& frame) {
  const QSize size = m_view.pixels;
  const int bands = bandsFor(double(size.width()) * size.height());
  const int rows = (size.height() + bands - 1) / bands;  // equal, so that targets stay as they are
  for (int row = 0; row < size.height(); row += rows) {
    if (row > 0 && isOutdated()) return false;
    const int first = std::min(row, size.height() - rows);
    Shot shot = whole;
    shot.firstRow = kFinePixels * first;
    shot.rows = kFinePixels * rows;
    Frame band;
    band.view = m_view;
    if (!shoot(shot, band)) return false;
    if (!band.veil.isNull())
      band.veil = band.veil.scaled(size.width(), rows, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    const QImage samples = band.image;
    mergeSamples(samples, band, first);
    if (bands == 1) {
      frame = std::move(band);
      return true;
    }
    putBand(band, first, frame);
  }
  return true;
}

/// Dashes of what is hidden by something else, or lies outside the view, would keep it from becoming sharp for nothing.
bool SceneRenderer::movesUnseen(const QImage& picture, int level) {
  const auto enough = [this] { return m_same.count >= kFewestSame && m_same.way >= 1; };
  const double moved = m_view.dashClock - m_same.view.dashClock + (m_view.dashClock < m_same.view.dashClock);
  const bool isSameView = !m_hasChanged && m_view.number == m_same.view.number &&
                          m_view.background == m_same.view.background && m_view.clip == m_same.view.clip;
  m_hasChanged = false;
  if (isSameView && moved == 0) return enough();  // in more detail
  if (isSameView && level == m_same.level && picture == m_same.picture) {
    m_same.way += moved;
    ++m_same.count;
  } else if (!isSameView || !enough() || level == m_same.level) {
    m_same = {picture, m_view, level};
  }
  m_same.view = m_view;
  return enough();
}

bool SceneRenderer::isOutdated() {
  const std::lock_guard lock(m_mutex);
  return m_nextSet && m_captures.empty();
}

void SceneRenderer::dressItems() {
  std::map<const PreparedItem*, const Look*> looks;
  for (const auto& [id, shown] : m_items) looks[shown.item.get()] = &shown.look;
  for (const auto& [item, node] : m_scene.nodes()) {
    if (const auto found = looks.find(item); found != looks.end()) {
      node->setLook(*found->second);
    } else if (node->isShown()) {
      Look hidden = node->look();
      hidden.visible = false;
      node->setLook(hidden);
    }
  }
  orderSurfaces();
  if (!m_scene.effects().hasManyMaps()) return;
  std::set<scene::MapChoice> used;
  for (const auto& [item, node] : m_scene.nodes()) used.insert(node->look().map);
  m_scene.effects().forgetMaps(used);
}

void SceneRenderer::orderSurfaces() {
  std::vector<const PreparedItem*> surfaces;
  for (const QString& id : std::as_const(m_order)) {
    const auto found = m_items.find(id);
    if (found != m_items.end() && found->second.isDrawn() &&
        found->second.item->kind == view::PickIndex::Kind::Triangles && !found->second.item->parts.empty())
      surfaces.push_back(found->second.item.get());
  }
  for (std::size_t n = 0; n < surfaces.size(); ++n)
    m_scene.nodes().at(surfaces[n])->setOrder(view::surfaceOrder(n, surfaces.size()));
}

}  // namespace farfield::qt3d
