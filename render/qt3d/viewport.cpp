#include "render/qt3d/viewport.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "render/color/legend.h"
#include "render/color/lettering.h"
#include "render/qt3d/viewport_state.h"
#include "render/view/camera_moves.h"

namespace farfield::qt3d {
namespace {

constexpr int kFlightMs = 250, kFlightStepMs = 15;
constexpr int kDashStepMs = 33;
constexpr qint64 kDashMs = 1000;  // until a dash is where the one before it was

QColor asColor(const scene::Rgba& color) {
  return QColor::fromRgbF(color[0], color[1], color[2]);
}

}  // namespace

Viewport::State::State(Viewport& viewport, ViewportOptions chosen) : self(viewport), options(chosen) {
  pool.setMaxThreadCount(1);
  scene = options.beside ? options.beside->m_state->scene : std::make_shared<SharedScene>(options.samples);
  renderer = new SceneRenderer(*scene);
  volumes = std::make_unique<VolumeLayer>(VolumeLayer::Events{
      .made =
          [this, target = QPointer(&self)](const Frame& made) {
            QMetaObject::invokeMethod(
                target, [this, made] { show(made); }, Qt::QueuedConnection);
          },
      .seen =
          [this, target = QPointer(&self)](const QString& id, const VolumeSight& sight) {
            QMetaObject::invokeMethod(
                target, [this, id, sight] { emit self.volumeSeen(id, sight); }, Qt::QueuedConnection);
          }});
  connect(
      renderer, &SceneRenderer::frameReady, renderer,
      [this](const Frame& made) {
        secondsToSharp = 0;
        {
          const std::lock_guard lock(unshownMutex);
          unshown.insert(unshown.end(), made.shown.begin(), made.shown.end());
        }
        volumes->present(made);
      },
      Qt::DirectConnection);
  connect(
      renderer, &SceneRenderer::restsAsItIs, renderer, [this](double seconds) { secondsToSharp = seconds; },
      Qt::DirectConnection);
  connect(renderer, &SceneRenderer::restsAsItIs, &self, &Viewport::settled);
  connect(renderer, &SceneRenderer::failed, &self, [this](const QString& sentence) {
    problem = sentence;
    self.update();
    emit self.problemFound(problem);
  });
  connect(renderer, &SceneRenderer::itemFailed, &self, [this](const QString& id, const QString& message) {
    // what will not be seen keeps nothing waiting
    markDrawn({id});
    emit self.itemFailed(id, message);
  });
  renderer->moveToThread(scene->thread());
  toRenderer([](SceneRenderer& to) { to.start(); });
  loader =
      std::make_unique<ItemLoader>(BuildLimits{.bytes = options.itemBytes},
                                   [this, target = QPointer(&self)](const ItemLoader::Result& result) {
                                     QMetaObject::invokeMethod(
                                         target, [this, result] { loaded(result); }, Qt::QueuedConnection);
                                   });

  flightTimer.setInterval(kFlightStepMs);
  connect(&flightTimer, &QTimer::timeout, &self, [this] {
    const double t = std::min(1.0, double(flightTime.elapsed()) / kFlightMs);
    if (t >= 1) flightTimer.stop();
    moveTo(view::between(flightFrom, flightTo, t * t * (3 - 2 * t)));
  });

  dashTimer.setInterval(kDashStepMs);
  connect(&dashTimer, &QTimer::timeout, &self, [this] {
    runDashes();
    if (dashTimer.isActive() && !std::exchange(dashSent, true)) sendView();
  });
}

Viewport::State::~State() {
  loader.reset();
  pool.waitForDone();
  scene->runThere([this] {
    renderer->stop();
    delete renderer;
  });
  volumes.reset();
}

// ---- the view

QSize Viewport::State::devicePixels() const {
  const double ratio = self.devicePixelRatioF();
  return {int(std::lround(self.width() * ratio)), int(std::lround(self.height() * ratio))};
}

QRect Viewport::State::notesPixels() const {
  if (notesArea.isNull()) return QRect(QPoint(), devicePixels());
  const double ratio = self.devicePixelRatioF();
  return QRectF(ratio * notesArea.x(), ratio * notesArea.y(), ratio * notesArea.width(),
                ratio * notesArea.height())
      .toRect();
}

void Viewport::State::sendView() {
  View next{.camera = camera,
            .bounds = bounds,
            .background = background,
            .clip = clip,
            .pixels = devicePixels(),
            .widthScale = self.devicePixelRatioF(),
            .dashClock = dashClock(),
            .heldLevel = heldLevel,
            .isHurried = hurried || drag != Drag::None,
            .number = sent.number};
  if (!sameView(next, sent)) ++next.number;
  sent = next;
  renderer->setView(next);
}

/// From 0 to less than 1: what a whole dash moved by looks like none.
double Viewport::State::dashClock() const {
  const double moved = dashTimer.isActive() ? double(dashTime.elapsed() % kDashMs) / kDashMs : 0;
  return phase + moved - std::floor(phase + moved);
}

/// Called with every picture that is painted: the timer runs only while dashes are seen. Beside a volume they stand still:
/// it would have to be cast again with each move of what hides it. Where nothing of them is seen they are tried once more with the next
/// picture of something else.
void Viewport::State::runDashes() {
  const bool any = self.isVisible() && !self.visibleRegion().isEmpty() && !frame.movesUnseen &&
                   std::any_of(items.begin(), items.end(), [](const auto& each) {
                     const Item& item = each.second;
                     return item.shown && item.look.dashed && item.look.visible && item.look.opacity > 0;
                   });
  const bool hasVolume = std::any_of(items.begin(), items.end(), [](const auto& each) {
    return each.second.wanted.volume && each.second.look.visible;
  });
  if (!any || hasVolume) return dashTimer.stop();
  if (dashTimer.isActive()) return;
  dashTime.start();
  dashTimer.start();
}

void Viewport::State::moveTo(const scene::Camera& to) {
  if (!view::isUsable(to)) return;
  camera = to;
  noteUpwards();
  sendView();
  emit self.cameraChanged(camera);
}

/// Who looks along the upward axis has another one above, and on the way there as well.
void Viewport::State::noteUpwards() {
  constexpr double kAlong = 1 - 1e-6;  // of the cosine
  const Vec3 way = camera.position - camera.target;
  if (flightTimer.isActive() || std::abs(dot(way, upwards)) > kAlong * length(way)) return;
  upwards = view::axisOf(camera.up);
}

void Viewport::State::flyTo(const scene::Camera& to) {
  if (!self.isVisible()) {
    flightTimer.stop();
    moveTo(to);
    return;
  }
  flightFrom = camera;
  flightTo = to;
  flightTime.start();
  flightTimer.start();
}

void Viewport::State::show(const Frame& made) {
  frame = made;
  self.update();
  emit self.frameDrawn(made.milliseconds);
  std::vector<QString> first;
  {
    const std::lock_guard lock(unshownMutex);
    first.swap(unshown);
  }
  markDrawn(first);
  for (const QString& id : first)
    if (items.contains(id)) emit self.itemShown(id);
  if (made.full || secondsToSharp > 0) emit self.settled();
}

// For the picture that is shown, so that what is painted over it fits.
view::ScreenMap Viewport::State::map() const {
  return view::ScreenMap(frame.image.isNull() ? camera : frame.view.camera, std::max(1, self.width()),
                         std::max(1, self.height()));
}

void Viewport::State::markDrawn(const std::vector<QString>& ids) {
  for (const QString& id : ids)
    if (const auto found = items.find(id); found != items.end()) found->second.drawn = true;
  takeLegends();
}

void Viewport::State::paintOverlay(QPainter& painter, const scene::Camera& seen) const {
  const double ratio = self.devicePixelRatioF();
  const QRect area = notesPixels();
  std::vector<QRectF> legends;
  if (!legend.image.isNull() && legendDrawing.pixels == area.size()) {
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    painter.drawImage(area.topLeft() + legend.place, legend.image);
    painter.restore();
    for (const color::LegendBox& box : legend.boxes)
      legends.emplace_back(QPointF(area.left() + box.left, area.top() + box.top) / ratio,
                           QSizeF(box.right - box.left, box.bottom - box.top) / ratio);
  }
  const QSizeF size(self.size());
  const QRectF part(QPointF(area.topLeft()) / ratio, QSizeF(area.size()) / ratio);
  if (axesVisible) paintOrientation(painter, seen, background, size, ratio, part, legends, notes.texts);
  const view::ScreenMap onScreen(seen, self.width(), self.height());
  const QRegion words =
      paintMarks(painter, markedScene(seen), size, part, legends, knobsSeen(handles, onScreen));
  if (drag == Drag::Box || keyFrame) {
    painter.setPen(QPen(inkOn(background), 1, Qt::DashLine));
    painter.drawRect(drag == Drag::Box ? QRectF(pressedAt, lastAt).normalized() : *keyFrame);
  }
  if (handles.empty()) return;
  // Lines of handles would strike out what is written at places.
  painter.save();
  if (!words.isEmpty()) painter.setClipRegion(QRegion(self.rect()) - words);
  paintHandles(painter, handles, onScreen, marked);
  painter.restore();
}

QImage Viewport::State::composed(const Frame& made) const {
  if (made.image.isNull()) return {};
  QImage picture = made.image.convertToFormat(QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(self.devicePixelRatioF());
  QPainter painter(&picture);
  painter.setFont(self.font());
  paintOverlay(painter, made.view.camera);
  return picture;
}

Viewport::Viewport(QWidget* parent, ViewportOptions options)
    : QWidget(parent), m_state(std::make_unique<State>(*this, options)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMinimumSize(64, 64);
  setAccessibleName(tr("3D view"));
  setAccessibleDescription(tr("Drag to turn, wheel to zoom, R to show everything"));
}

Viewport::~Viewport() = default;

QString Viewport::problem() const {
  return m_state->problem;
}

void Viewport::setBackground(scene::Rgba color) {
  color[3] = 1;
  m_state->background = color;
  m_state->sendView();
  m_state->updateLegends();
  m_state->lookChanged();
}

void Viewport::setBounds(const Bounds& bounds) {
  m_state->bounds = bounds;
  m_state->sendView();
  m_state->lookChanged();
}

void Viewport::holdDetail(std::optional<int> level) {
  if (level) level = std::clamp(*level, 0, DetailControl::kLevels - 1);
  m_state->heldLevel = level;
  m_state->sendView();
  m_state->lookChanged();
}

void Viewport::setHurried(bool hurried) {
  if (std::exchange(m_state->hurried, hurried) == hurried) return;
  m_state->sendView();
  m_state->lookChanged();
}

void Viewport::setStillMs(double milliseconds) {
  m_state->renderer->setStillMs(milliseconds);
}

double Viewport::secondsToSharp() const {
  return m_state->secondsToSharp;
}

void Viewport::setVision(color::Vision vision) {
  m_state->vision = vision;
  update();
  m_state->lookChanged();
}

void Viewport::setTitle(const QString& title) {
  m_state->title = title;
  m_state->updateLegends();
  m_state->lookChanged();
}

void Viewport::setNotes(const scene::LegendLooks& legends, const scene::Annotations& notes) {
  m_state->legendLooks = legends;
  m_state->notes = notes;
  m_state->updateLegends();
  update();
  m_state->lookChanged();
}

void Viewport::setUpright(bool upright) {
  m_state->upright = upright;
  m_state->lookChanged();
}

Vec3 Viewport::upwards() const {
  return m_state->upwards;
}

void Viewport::zoomToNextBox(bool wanted) {
  m_state->awaitBox(wanted);
}

void Viewport::setClip(const scene::Clip& clip) {
  if (clip == m_state->clip) return;
  m_state->clip = clip;
  m_state->sendView();
  m_state->sendVolumes();
  m_state->lookChanged();
}

bool Viewport::movesByItself() const {
  return m_state->dashTimer.isActive();
}

void Viewport::setPhase(double phase) {
  if (phase == m_state->phase) return;
  m_state->phase = phase;
  m_state->sendView();
  m_state->lookChanged();
}

void Viewport::setAxesVisible(bool visible) {
  m_state->axesVisible = visible;
  update();
  m_state->lookChanged();
}

scene::Camera Viewport::camera() const {
  return m_state->flightTimer.isActive() ? m_state->flightTo : m_state->camera;
}

void Viewport::setCamera(const scene::Camera& camera, bool animate) {
  if (!view::isUsable(camera)) return;
  if (animate) {
    m_state->flyTo(camera);
    return;
  }
  m_state->flightTimer.stop();
  m_state->moveTo(camera);
}

void Viewport::fit(bool animate) {
  const scene::Camera now = camera();
  viewAlong(now.position - now.target, now.up, animate);
}

void Viewport::viewAlong(Vec3 direction, Vec3 up, bool animate) {
  const auto fit = [&](double aspect) {
    return view::fitted(camera(), m_state->bounds, direction, up, aspect);
  };
  setCamera(besideLegends(m_state->bounds, fit), animate);
}

scene::Camera Viewport::besideLegends(const Bounds& bounds,
                                      const std::function<scene::Camera(double aspect)>& fit,
                                      QSize seen) const {
  const QSize size = (seen.isEmpty() ? this->size() : seen).expandedTo({1, 1});
  const double part = m_state->legendsVisible ? color::partBesideLegends(size.width(), size.height()) : 1;
  const scene::Camera camera = fit(part * (static_cast<double>(size.width()) / size.height()));
  return view::atTheLeft(camera, bounds, part, size.width(), size.height());
}

void Viewport::setOrthographic(bool orthographic) {
  setCamera(view::withProjection(camera(), orthographic));
}

bool Viewport::isOrthographic() const {
  return m_state->camera.orthographic;
}

void Viewport::State::setHandles(std::vector<view::Handle> wanted, const QString& item) {
  toFollowers([&](State& to) { to.setHandles(wanted, item); });
  handlesWanted = std::move(wanted);
  handlesItem = item;
  showHandles();
}

void Viewport::State::showHandles() {
  std::vector<view::Handle> wanted;
  if (handlesItem.isEmpty() || !isHidden(handlesItem)) wanted = handlesWanted;
  // a drag continues with its handle if the new set still has it at the same index
  const auto& hit = marked;
  const bool keeps = hit && hit->handle < wanted.size() && hit->handle < handles.size() &&
                     wanted[hit->handle].id == handles[hit->handle].id &&
                     wanted[hit->handle].kind == handles[hit->handle].kind;
  if (!keeps) {
    handleDrag.reset();
    marked.reset();
    if (holdsHandle()) drag = Drag::None;
  }
  const auto held = handleDrag && keeps ? std::optional(handles[hit->handle]) : std::nullopt;
  handles = std::move(wanted);
  if (held) handles[hit->handle] = *held;
  self.update();
}

void Viewport::setHandles(std::vector<view::Handle> handles, const QString& item) {
  m_state->setHandles(std::move(handles), item);
}

void Viewport::setNotesArea(const QRect& area) {
  if (area == m_state->notesArea) return;
  m_state->notesArea = area;
  if (!m_state->legendBusy) m_state->startLegends();  // until then nothing is painted of them
  update();
}

void Viewport::capture(std::function<void(QImage)> done) {
  const QPointer<Viewport> target(this);
  State* const state = m_state.get();
  state->toRenderer([=](SceneRenderer& renderer) {
    renderer.capture([=](const Frame& frame) {
      state->volumes->finish(frame, [=](const Frame& made) {
        QMetaObject::invokeMethod(
            target,
            [=] {
              state->markDrawn(made.shown);  // which this picture may be the first to show
              done(state->composed(made));
            },
            Qt::QueuedConnection);
      });
    });
  });
}

void Viewport::stopRefining() {
  m_state->volumes->stopRefining(m_state->sent.number);
}

void Viewport::castVolumesAgain() {
  m_state->sendVolumes();
}

QSize Viewport::sizeHint() const {
  return {960, 640};
}

// ---- events

void Viewport::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  State& state = *m_state;
  state.dashSent = false;
  state.runDashes();
  if (state.devicePixels() != state.sent.pixels) state.sendView();  // moved to a screen of another density
  painter.fillRect(rect(), asColor(state.background));
  if (!state.problem.isEmpty()) {
    painter.setPen(inkOn(state.background));
    painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, state.problem);
    return;
  }
  if (state.vision != color::Vision::Usual && !state.frame.image.isNull()) {
    QImage picture = state.composed(state.frame).convertToFormat(QImage::Format_RGB32);
    color::VisionFilter(state.vision)
        .apply({reinterpret_cast<std::uint32_t*>(picture.bits()),
                std::size_t(picture.width()) * std::size_t(picture.height())});
    painter.drawImage(rect(), picture);
    return;
  }
  const scene::Camera seen = state.frame.image.isNull() ? state.camera : state.frame.view.camera;
  if (!state.frame.image.isNull()) painter.drawImage(rect(), state.frame.image);
  state.paintOverlay(painter, seen);
}

void Viewport::resizeEvent(QResizeEvent*) {
  m_state->sendView();
  if (!m_state->legendBusy) m_state->startLegends();
}

void Viewport::mousePressEvent(QMouseEvent* event) {
  m_state->press(event);
}
void Viewport::mouseMoveEvent(QMouseEvent* event) {
  m_state->move(event);
}
void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  m_state->release(event);
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_state->pick(event->position(), [this](const State::Picked& picked) {
    if (!picked.item.isEmpty()) setCamera(view::centeredOn(camera(), picked.place), true);
  });
}

void Viewport::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (steps == 0) return;
  m_state->flightTimer.stop();
  m_state->moveTo(view::zoomed(m_state->camera, std::pow(1.2, steps),
                               {event->position().x(), event->position().y()}, width(), height()));
  event->accept();
}

bool Viewport::event(QEvent* event) {
  // What the key is for here comes before what it is for in the whole window.
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
      m_state->takesEscape())
    event->accept();
  return QWidget::event(event);
}

void Viewport::keyPressEvent(QKeyEvent* event) {
  if (!m_state->key(event)) QWidget::keyPressEvent(event);
}

void Viewport::leaveEvent(QEvent*) {
  m_state->leave();
}

}  // namespace farfield::qt3d
