// Mouse and keys of the viewport.

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/qt3d/viewport_state.h"
#include "render/view/camera_moves.h"

namespace farfield::qt3d {
namespace {

constexpr double kClickStray = 4;  // widget units
constexpr double kLineReach = 4;   // in addition to the line's own width
constexpr double kKeyAngle = std::numbers::pi / 12;
constexpr double kKeyZoom = 1.2;
constexpr double kFrameStep = 1.0 / 40;  // of the view's height

view::ScreenPoint at(QPointF point) {
  return {point.x(), point.y()};
}

}  // namespace

void Viewport::State::press(QMouseEvent* event) {
  if (drag == Drag::Landing) land();
  if (drag != Drag::None) return;  // a second button changes nothing
  flightTimer.stop();
  dragButton = event->button();
  pressedAt = lastAt = event->position();
  cameraBefore = camera;
  dragged = false;
  const bool shift = event->modifiers() & Qt::ShiftModifier,
             control = event->modifiers() & Qt::ControlModifier;
  if (dragButton == Qt::LeftButton && boxWanted) {
    keyFrame.reset();
    drag = Drag::Box;
  } else if (dragButton == Qt::LeftButton) {
    if (const auto hit = view::hitHandle(handles, map(), at(pressedAt), kKnobReach)) {
      setMarked(hit);
      handleDrag.emplace(handles[hit->handle], hit->part, at(pressedAt), map());
      drag = Drag::Handle;
    } else if (const auto number = legendAt(pressedAt)) {
      draggedLegends = legendsWith(*number);
      drag = Drag::Legend;
    } else {
      drag = shift && control ? Drag::Roll : shift ? Drag::Pan : control ? Drag::Zoom : Drag::Rotate;
    }
  } else if (dragButton == Qt::MiddleButton) {
    drag = Drag::Pan;
  } else if (dragButton == Qt::RightButton) {
    drag = Drag::Zoom;
  } else {
    event->ignore();
  }
}

void Viewport::State::move(QMouseEvent* event) {
  const QPointF now = event->position();
  restsAt = now;
  if (drag == Drag::Landing) return;
  if (drag != Drag::None && !(event->buttons() & dragButton)) endElsewhere();
  if (drag == Drag::None) {
    hover(now);
    return;
  }
  const QPointF way = now - pressedAt;
  if (!dragged && std::hypot(way.x(), way.y()) < kClickStray) return;
  if (!std::exchange(dragged, true)) pointAway();  // what was under the cursor is not there any longer
  const QPointF step = now - lastAt;
  const double width = self.width(), height = self.height();
  switch (drag) {
    case Drag::Rotate: {
      const double angle = std::numbers::pi / std::max(1.0, std::min(width, height));
      turn(angle * step.x(), angle * step.y());
      break;
    }
    case Drag::Roll: {
      const QPointF middle(width / 2, height / 2), from = lastAt - middle, to = now - middle;
      moveTo(view::rotated(camera, 0, 0, std::atan2(to.y(), to.x()) - std::atan2(from.y(), from.x())));
      break;
    }
    case Drag::Pan:
      moveTo(view::panned(camera, at(lastAt), at(now), width, height));
      break;
    case Drag::Zoom:
      moveTo(
          view::zoomed(camera, std::exp(3 * step.y() / std::max(1.0, height)), at(pressedAt), width, height));
      break;
    case Drag::Handle: {
      if (event->modifiers() & Qt::ControlModifier)
        dragOnSurface(now);
      else
        showDragged(handleDrag->moved(at(now), event->modifiers() & Qt::ShiftModifier));
      break;
    }
    case Drag::Legend:
      moveLegends(now - pressedAt, false);
      break;
    case Drag::Box:
      self.update();
      break;
    case Drag::Landing:
    case Drag::None:
      break;
  }
  lastAt = now;
}

/// The button was let go where it did not come here, such as over a dialog that opened: what was dragged stays where it was then.
void Viewport::State::endElsewhere() {
  const Drag was = std::exchange(drag, Drag::None);
  if (was == Drag::Handle) land();
  if (was == Drag::Box) awaitBox(false);
  if (was == Drag::Legend && dragged) moveLegends(lastAt - pressedAt, true);
}

void Viewport::State::turn(double yaw, double pitch) {
  const Vec3 kept = upwards;
  moveTo(upright ? view::turned(camera, upwards, yaw, pitch) : view::rotated(camera, yaw, pitch));
  // Who rolls the view past an axis has not chosen another one to stay upright.
  if (!upright) upwards = kept;
}

void Viewport::State::release(QMouseEvent* event) {
  if (drag == Drag::None || event->button() != dragButton) return;
  if (drag == Drag::Handle && dragged && surfaceBusy) {
    drag = Drag::Landing;
    surfaceWanted = event->position();
    return;
  }
  const Drag was = std::exchange(drag, Drag::None);
  if (was == Drag::Handle) {
    land();
    hover(event->position());
    return;
  }
  if (was == Drag::Box) {
    awaitBox(false);
    if (dragged) zoomToBox(QRectF(pressedAt, event->position()).normalized());
    return;
  }
  if (was == Drag::Legend && dragged) moveLegends(event->position() - pressedAt, true);
  if (dragged) return hover(event->position());
  if (dragButton == Qt::LeftButton)
    pick(event->position(), [this](const Picked& picked) { emit self.clicked(picked.place, picked.item); });
  else if (dragButton == Qt::RightButton)
    pick(event->position(), [this, place = event->globalPosition().toPoint()](const Picked& picked) {
      emit self.contextMenuWanted(place, picked.item);
    });
}

void Viewport::State::awaitBox(bool awaited) {
  if (!awaited && !boxWanted) return;
  if (!awaited && drag == Drag::Box) drag = Drag::None;
  keyFrame.reset();
  self.setCursor(awaited ? Qt::CrossCursor : Qt::ArrowCursor);
  self.update();
  if (std::exchange(boxWanted, awaited) != awaited) emit self.boxAwaited(awaited);
}

/// The first key shows a frame in the middle.
bool Viewport::State::boxKey(QKeyEvent* event) {
  if (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) return false;
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const QPointF way = event->key() == Qt::Key_Left    ? QPointF(-1, 0)
                      : event->key() == Qt::Key_Right ? QPointF(1, 0)
                      : event->key() == Qt::Key_Up    ? QPointF(0, -1)
                      : event->key() == Qt::Key_Down  ? QPointF(0, 1)
                                                      : QPointF();
  if (!isReturn && way.isNull()) return false;
  const QRectF view(0, 0, self.width(), self.height());
  if (isReturn && keyFrame) {
    const QRectF box = *keyFrame;
    awaitBox(false);
    zoomToBox(box);
    return true;
  }
  if (!keyFrame) keyFrame = QRectF(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2);
  const QPointF by = kFrameStep * view.height() * way;
  QRectF box = *keyFrame;
  if (event->modifiers() & Qt::ShiftModifier)
    box.setBottomRight(box.bottomRight() + by);
  else
    box.translate(by);
  constexpr double kLeast = 8;
  if (box.width() >= kLeast && box.height() >= kLeast && view.contains(box)) keyFrame = box;
  self.update();
  return true;
}

void Viewport::State::zoomToBox(QRectF box) {
  const double width = self.width(), height = self.height();
  if (box.width() < 2 || box.height() < 2) return;
  const view::ScreenPoint middle{width / 2, height / 2};
  const double factor = std::min(width / box.width(), height / box.height());
  flyTo(view::zoomed(view::panned(camera, at(box.center()), middle, width, height), factor, middle, width,
                     height));
}

void Viewport::State::showDragged(const view::Handle& handle) {
  handles[marked->handle] = handle;
  self.update();
  // by value: receivers may set other handles
  emit self.handleMoved(QString::fromStdString(handle.id), std::vector(handle.positions), false);
}

/// The knob goes to the surface under the cursor; where there is none it stays where it was.
void Viewport::State::dragOnSurface(QPointF now) {
  surfaceWanted = now;
  if (std::exchange(surfaceBusy, true)) return;
  pick(*std::exchange(surfaceWanted, std::nullopt), Pickable::Surfaces, [this](const Picked& picked) {
    surfaceBusy = false;
    if (!holdsHandle() || !handleDrag || !marked) return;
    if (!picked.item.isEmpty()) showDragged(handleDrag->movedTo(picked.place));
    if (surfaceWanted)
      dragOnSurface(*surfaceWanted);
    else if (drag == Drag::Landing)
      land();
  });
}

/// The handle that is dragged stays where it is now.
void Viewport::State::land() {
  drag = Drag::None;
  handleDrag.reset();
  surfaceWanted.reset();
  if (!dragged || !marked || marked->handle >= handles.size()) return;
  const view::Handle handle = handles[marked->handle];
  emit self.handleMoved(QString::fromStdString(handle.id), handle.positions, true);
}

void Viewport::State::cancelHandleDrag() {
  const view::Handle handle = handleDrag->start();
  handles[marked->handle] = handle;
  handleDrag.reset();
  drag = Drag::None;
  self.update();
  emit self.handleMoved(QString::fromStdString(handle.id), handle.positions, true);
}

/// What a drag has done is undone, and the rest of it does nothing.
void Viewport::State::takeDragBack() {
  const Drag was = std::exchange(drag, Drag::None);
  if (!dragged) return;
  if (was == Drag::Legend)
    emit self.legendsPutBack();
  else if (was != Drag::Box)
    moveTo(cameraBefore);
}

/// Whether there is something that Esc takes back.
bool Viewport::State::takesEscape() const {
  return boxWanted || drag != Drag::None;
}

bool Viewport::State::key(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && boxWanted) {
    awaitBox(false);
    return true;
  }
  if (boxWanted && drag == Drag::None && boxKey(event)) return true;
  if (event->key() == Qt::Key_Escape && holdsHandle() && handleDrag) {
    cancelHandleDrag();
    return true;
  }
  if (event->key() == Qt::Key_Escape && drag != Drag::None) {
    takeDragBack();
    return true;
  }
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  const double width = self.width(), height = self.height();
  const view::ScreenPoint middle{width / 2, height / 2};
  const auto arrow = [&](double right, double down) {
    const double step = 0.1 * height;
    flightTimer.stop();
    if (event->modifiers() & Qt::ShiftModifier)
      moveTo(view::panned(camera, middle, {middle.x + step * right, middle.y + step * down}, width, height));
    else
      turn(kKeyAngle * right, kKeyAngle * down);
  };
  switch (event->key()) {
    case Qt::Key_R:
      self.fit();
      return true;
    case Qt::Key_Left:
      arrow(-1, 0);
      return true;
    case Qt::Key_Right:
      arrow(1, 0);
      return true;
    case Qt::Key_Up:
      arrow(0, -1);
      return true;
    case Qt::Key_Down:
      arrow(0, 1);
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      moveTo(view::zoomed(camera, kKeyZoom, middle, width, height));
      return true;
    case Qt::Key_Minus:
      moveTo(view::zoomed(camera, 1 / kKeyZoom, middle, width, height));
      return true;
    default:
      return false;
  }
}

void Viewport::State::setMarked(const std::optional<view::HandleHit>& hit) {
  if (hit == marked) return;
  marked = hit;
  self.setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
  self.update();
}

// The cursor moves faster than searches end: only the newest position is looked up next. During a drag its
// handle stays, so positions from before are ignored.
void Viewport::State::hover(QPointF place) {
  if (drag != Drag::None) {
    hoverWanted.reset();
    return;
  }
  setMarked(view::hitHandle(handles, map(), at(place), kKnobReach));
  const auto over = marked ? std::nullopt : legendAt(place);
  if (!marked) self.setCursor(boxWanted ? Qt::CrossCursor : over ? Qt::SizeAllCursor : Qt::ArrowCursor);
  // Long names are broken, or cut in the middle, in a legend.
  if (const QString name = over ? QString::fromStdString(legend.boxes[*over].name) : QString();
      self.toolTip() != name)
    self.setToolTip(name);
  hoverWanted = place;
  if (hoverBusy) return;
  hoverBusy = true;
  pick(*std::exchange(hoverWanted, std::nullopt), [this](const Picked& picked) {
    hoverBusy = false;
    if (drag != Drag::None && dragged) {
      hoverWanted.reset();
      return;
    }
    if (!picked.item.isEmpty()) {
      pointing = true;
      emit self.pointedAt(picked.place, picked.item);
    } else {
      pointAway();
    }
    if (hoverWanted) hover(*hoverWanted);
  });
}

/// Under a cursor that rests there is something else now, or the same elsewhere.
void Viewport::State::showUnderCursor() {
  if (restsAt) hover(*restsAt);
}

void Viewport::State::leave() {
  if (!holdsHandle()) setMarked(std::nullopt);
  hoverWanted.reset();
  restsAt.reset();
  pointAway();
}

void Viewport::State::pointAway() {
  if (std::exchange(pointing, false)) emit self.pointedAway();
}

void Viewport::State::pick(QPointF place, std::function<void(const Picked&)> done) {
  pick(place, Pickable::All, std::move(done));
}

void Viewport::State::pick(QPointF place, Pickable what, std::function<void(const Picked&)> done) {
  struct Candidate {
    QString id;
    std::shared_ptr<const view::PickIndex> index;
    double reach;
    bool clipped;
  };
  std::vector<Candidate> candidates;
  // A handle does not lie on what it makes.
  const auto isLeftOut = [&](const QString& id, const Item& item) {
    return what == Pickable::Surfaces &&
           (item.shown->kind == view::PickIndex::Kind::Lines || id.section('/', 0, 0) == handlesItem);
  };
  for (const auto& [id, item] : items)
    if (item.shown && item.look.visible && item.look.opacity > 0 && !isLeftOut(id, item))
      candidates.push_back(
          {id, item.shown->pick, 0.5 * item.look.widthPixels + kLineReach, item.look.clipped});
  pool.start(
      [candidates, cut = allPlanes(clip), screen = map(), pixel = at(place), done, target = QPointer(&self)] {
        Picked best;
        double nearest = INFINITY;
        for (const Candidate& candidate : candidates) {
          const auto hit = candidate.clipped ? candidate.index->pick(screen, pixel, candidate.reach, cut)
                                             : candidate.index->pick(screen, pixel, candidate.reach);
          if (!hit) continue;
          // lines are drawn as tubes, a little in front of the surface on which they lie, and are harder to point
          // at
          const bool line = candidate.index->kind() == view::PickIndex::Kind::Lines;
          const double depth = hit->depth - (line ? 2 * candidate.reach * screen.pixelSize(hit->place) : 0);
          if (depth >= nearest) continue;
          nearest = depth;
          best = {candidate.id, hit->place};
        }
        QMetaObject::invokeMethod(
            target, [done, best] { done(best); }, Qt::QueuedConnection);
      });
}

}  // namespace farfield::qt3d
