#include "app/ui/view/view_controller.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/model/document/line_shapes.h"
#include "app/model/document/plot_line.h"
#include "app/model/document/volume_looks.h"
#include "app/model/known_texts.h"
#include "app/model/probes.h"
#include "app/model/stage/shown_legends.h"
#include "app/model/stage/view_bounds.h"
#include "app/ui/view/object_handles.h"
#include "app/ui/view/seed_sight.h"
#include "core/fields/functions/vector_parts.h"
#include "core/paging/pages/changing_cells.h"
#include "core/session/legend_owner.h"
#include "core/session/session_camera.h"
#include "render/color/ticks.h"
#include "render/view/camera_moves.h"
#include "render/view/screen_map.h"

namespace farfield::ui {
namespace {

constexpr int kCameraRestsMs = 350;
constexpr int kFitSoonMs = 120;
const QString kLegendMoves = QStringLiteral("legend/place");
constexpr const char* kEdges = "/edges";  // items of the view that belong to another

/// A point, as of data of one node, is seen in the middle of a box: from next to it there would be no picture.
Bounds withSize(Bounds bounds, const Bounds& all) {
  if (bounds.empty() || bounds.diagonal() > 0) return bounds;
  const double whole = all.empty() ? 0 : all.diagonal();
  const double half = 0.5 * (whole > 0 ? whole : std::max(1.0, length(bounds.min)));
  bounds.add(bounds.min - Vec3{half, half, half});
  bounds.add(bounds.max + Vec3{half, half, half});
  return bounds;
}

double aspectOf(QSize size) {
  return size.height() > 0 ? static_cast<double>(size.width()) / size.height() : 1;
}

bool close(Vec3 a, Vec3 b, double size) {
  return length(a - b) <= 1e-6 * size;
}

}  // namespace

bool sameCamera(const scene::Camera& a, const scene::Camera& b) {
  const double size = std::max(1e-300, length(a.position - a.target));
  const bool lens = a.orthographic
                        ? std::abs(a.orthographicHeight - b.orthographicHeight) <= 1e-6 * a.orthographicHeight
                        : std::abs(a.fieldOfViewDegrees - b.fieldOfViewDegrees) < 1e-6;
  const auto unit = [](Vec3 v) { return (1 / std::max(1e-300, length(v))) * v; };
  bool stretch = true;
  for (int axis = 0; axis < 3; ++axis)
    stretch = stretch && std::abs(a.stretch[axis] - b.stretch[axis]) <= 1e-9 * a.stretch[axis];
  return a.orthographic == b.orthographic && lens && stretch && close(a.position, b.position, size) &&
         close(a.target, b.target, size) && length(unit(a.up) - unit(b.up)) < 1e-6;
}

ViewController::ViewController(app::AppModel& model, qt3d::Viewport& viewport, QObject* parent)
    : QObject(parent), m_model(model), m_viewport(viewport), m_seeds(new SeedSight(model, this)) {
  app::Document& document = model.document();
  app::Stage& stage = model.stage();
  connect(&stage, &app::Stage::itemReady, this, [this](app::ObjectId id, const scene::SceneItem& item) {
    takeMarks(id, item);
    scene::SceneItem shown = item;
    if (!m_model.document().session().image.legend) shown.scale.title.clear();
    m_viewport.setHurried(m_isPlaying || !m_model.stage().isSettled(id));
    m_viewport.setItem(idText(id), shown);
    if (item.edges)
      m_viewport.setItem(idText(id) + kEdges, scene::edgesOf(item));
    else
      m_viewport.removeItem(idText(id) + kEdges);
  });
  connect(&stage, &app::Stage::itemGone, this, &ViewController::removeItem);
  connect(&stage, &app::Stage::boundsChanged, this, [this] {
    // Handles and axes follow the data at once, the camera when things have come to rest.
    followBounds();
    if (!m_fitSoon.isActive()) m_fitSoon.start();
  });
  // A plane is shown in the bounds of its data.
  connect(&stage, &app::Stage::dataOpened, this, [this] {
    if (!m_dragging) showHandles();
  });
  connect(&document, &app::Document::replaced, this, &ViewController::replaceAll);
  connect(&document, &app::Document::cameraChanged, this, [this] { applyCamera(true); });
  connect(&document, &app::Document::imageChanged, this, &ViewController::showPicture);
  connect(&stage, &app::Stage::stepChanged, this, &ViewController::showPicture);
  // Also where the picture stays what it is.
  connect(&stage, &app::Stage::stepChanged, this, [this] {
    if (m_hovered) probe(m_hovered->place, m_hovered->item);
  });
  connect(&stage, &app::Stage::dataOpened, this, &ViewController::showPicture);
  // There may be something at the step that is shown, where they had none.
  connect(&stage, &app::Stage::dataGrown, this, [this] {
    showPicture();
    if (m_hovered) probe(m_hovered->place, m_hovered->item);
  });
  connect(&stage, &app::Stage::dataReadAgain, this, [this] {
    showPicture();
    m_seeds->forget();
    if (!m_dragging) showHandles();
    if (m_hovered) probe(m_hovered->place, m_hovered->item);
  });
  connect(&viewport, &qt3d::Viewport::legendsMoved, this, &ViewController::moveLegends);
  connect(&viewport, &qt3d::Viewport::legendsPutBack, this, &ViewController::putLegendsBack);
  connect(&document, &app::Document::objectChanged, this,
          [this](app::ObjectId id, const session::Object& before) {
            if (id == m_selected && m_dragging) return;
            // Taken back, or done again; who ticks once more says so afterwards.
            const session::Object* const now = m_model.document().object(id);
            if (m_ticked && m_ticked->id == id && now && now->visible != before.visible) m_ticked.reset();
            letGoOfView(id, before);
            if (id == m_selected) showHandles();
          });
  // What has lines is told anew once they are there.
  connect(&stage, &app::Stage::statusChanged, this, [this](app::ObjectId id) {
    if (id == m_selected && !m_dragging && m_model.stage().status(id).state == app::ObjectState::Done)
      showHandles();
    if (m_ticked && m_ticked->id == id && !m_fitSoon.isActive()) m_fitSoon.start();
  });
  connect(&model.tree(), &app::ObjectTree::shownOrHidden, this,
          [this](app::ObjectId id, const QString& step) {
            m_ticked = Ticked{id, step, aspect()};
            if (!m_fitSoon.isActive()) m_fitSoon.start();
          });
  connect(m_seeds, &SeedSight::answered, this, [this] {
    if (!m_dragging) showHandles();
  });
  connect(&document, &app::Document::objectRemoved, this, [this](app::ObjectId id) {
    if (m_ticked && m_ticked->id == id) m_ticked.reset();
    if (id == m_selected) setSelected(0);
  });
  connect(&document, &app::Document::layoutChanged, this, [this] {
    followBounds();
    if (!m_fitSoon.isActive()) m_fitSoon.start();
  });
  connect(&document, &app::Document::changed, this, [this] {
    showOrder();
    if (m_textsOf != whatTextsNameOf()) showPicture();  // texts say what the first of them know
  });

  connect(&viewport, &qt3d::Viewport::cameraChanged, this, &ViewController::cameraMoved);
  connect(&viewport, &qt3d::Viewport::pointedAt, this, &ViewController::probe);
  connect(&viewport, &qt3d::Viewport::pointedAway, this, [this] {
    ++m_probe;  // an answer that is on its way comes too late
    m_hovered.reset();
    emit probed({});
  });
  connect(&viewport, &qt3d::Viewport::clicked, this,
          [this](Vec3, const QString& id) { emit itemClicked(objectOf(id)); });
  connect(&viewport, &qt3d::Viewport::handleMoved, this,
          [this](const QString& handle, const std::vector<Vec3>& positions, bool finished) {
            moveHandle(handle, positions, finished);
          });
  connect(&model.engine(), &app::Engine::probed, this, &ViewController::showAnswer);
  connect(&model.engine(), &app::Engine::probed, this, &ViewController::putProbe);

  m_cameraRests.setSingleShot(true);
  m_cameraRests.setInterval(kCameraRestsMs);
  connect(&m_cameraRests, &QTimer::timeout, this, &ViewController::keepCamera);
  m_fitSoon.setSingleShot(true);
  m_fitSoon.setInterval(kFitSoonMs);
  connect(&m_fitSoon, &QTimer::timeout, this, [this] {
    if (m_cameraRests.isActive() || m_dragging) {
      m_fitSoon.start();
      return;
    }
    if (!isAuto()) m_ticked.reset();
    // Not while the user is turning it.
    const bool moved = m_applied && !sameCamera(m_viewport.camera(), *m_applied);
    // A camera that the session tells waits for bounds as well, once: what is near and far follows from them.
    if ((isAuto() || !m_applied) && !moved && !staysForTick()) applyCamera(false);
  });
  viewport.installEventFilter(this);
  replaceAll();
}

bool ViewController::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &m_viewport && event->type() == QEvent::Resize && !m_fitSoon.isActive()) m_fitSoon.start();
  if (watched == &m_viewport && event->type() == QEvent::MouseButtonPress) m_pressed = true;
  if (watched == &m_viewport && event->type() == QEvent::MouseButtonRelease &&
      static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton && std::exchange(m_pressed, false) &&
      !m_cameraRests.isActive())
    m_model.document().endMerge();
  return QObject::eventFilter(watched, event);
}

void ViewController::replaceAll() {
  m_viewport.clear();
  m_applied.reset();
  m_ticked.reset();
  m_held.clear();
  m_cameraRests.stop();
  setSelected(0);
  showOrder();
  showPicture();
  applyCamera(false);
}

/// Data of which title and texts may speak, of each view.
std::vector<std::string> ViewController::whatTextsNameOf() const {
  const session::Session& session = m_model.document().session();
  std::vector<std::string> names;
  for (std::size_t view = 0; view < std::max<std::size_t>(1, session.layout.views.size()); ++view) {
    names.push_back("view " + std::to_string(view));
    for (std::string& name : app::dataSeenIn(session, view)) names.push_back(std::move(name));
  }
  return names;
}

/// What is behind what is shown, and written over it.
void ViewController::showPicture() {
  m_textsOf = whatTextsNameOf();
  const session::Session& session = m_model.document().session();
  const session::ImageSettings image = app::withKnownTexts(session.image, m_model);
  m_viewport.setBackground(image.background);
  m_viewport.setLegendsVisible(image.legend);
  m_viewport.setTitle(QString::fromStdString(image.title));
  m_viewport.setNotes(image.legends, image.notes);
  m_viewport.setClip(image.clip);
  m_viewport.setPhase(image.phase);
  if (m_selected == 0 && !m_dragging) showHandles();
  emit textsChanged();
}

/// Of what the first view shows.
void ViewController::followBounds() {
  const session::ViewLayout& layout = m_model.document().session().layout;
  const Bounds bounds = app::boundsIn(m_model.document(), m_model.stage(), layout, 0);
  if (!bounds.empty()) m_viewport.setBounds(bounds);
}

void ViewController::showOrder() {
  QStringList order;
  for (const app::ObjectId id : m_model.document().objectIds()) order.append(idText(id));
  m_viewport.setOrder(order);
  std::map<QString, std::string> owners;
  for (const app::ObjectId id : m_model.document().objectIds())
    owners[idText(id)] = session::legendOwner(*m_model.document().object(id), m_model.document().session());
  m_viewport.setLegendOwners(owners);
}

void ViewController::removeItem(app::ObjectId id) {
  m_viewport.removeItem(idText(id));
  m_viewport.removeItem(idText(id) + kEdges);
}

void ViewController::moveLegends(const std::vector<scene::LegendPlace>& places, bool finished) {
  if (!m_legendsBefore) m_legendsBefore = m_model.document().session().image.legends;
  m_model.document().edit(
      tr("Move the legend"),
      [&](app::Draft& draft) {
        scene::LegendLooks& looks = draft.frame().image.legends;
        for (const scene::LegendPlace& each : places) {
          const scene::LegendLook* const now = scene::legendLook(looks, each.owner, each.function);
          scene::LegendLook look = now ? *now : scene::LegendLook{};
          look.place = each.place;
          scene::keepOwnLooks(looks, each.key(), each.function,
                              app::legendOwners(m_model.document(), m_model.stage(), each.function));
          looks[each.key()] = std::move(look);
        }
      },
      kLegendMoves);
  if (!finished) return;
  m_legendsBefore.reset();
  m_model.document().endMerge();
}

void ViewController::putLegendsBack() {
  if (!m_legendsBefore) return;
  m_model.document().edit(
      tr("Move the legend"), [&](app::Draft& draft) { draft.frame().image.legends = *m_legendsBefore; },
      kLegendMoves);
  m_legendsBefore.reset();
  m_model.document().endMerge();
}

bool ViewController::isAuto() const {
  return std::holds_alternative<session::AutoCamera>(m_model.document().session().camera);
}

bool ViewController::isOutOfSight(const Bounds& bounds) const {
  if (isAuto() || bounds.empty()) return false;
  const double width = m_viewport.width(), height = m_viewport.height();
  const view::ScreenMap map(restingCamera(), width, height);
  double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
  int behind = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 place;
    for (int axis = 0; axis < 3; ++axis) place[axis] = (corner >> axis & 1 ? bounds.max : bounds.min)[axis];
    const auto seen = map.project(place);
    behind += !seen;
    if (!seen) continue;
    left = std::min(left, seen->x), right = std::max(right, seen->x);
    top = std::min(top, seen->y), bottom = std::max(bottom, seen->y);
  }
  if (behind > 0) return behind == 8;
  return right < 0 || left > width || bottom < 0 || top > height;
}

double ViewController::aspect() const {
  return aspectOf(m_viewport.size());
}

/// Of what is shown in the views that move together with the first one, as they were fitted to it.
Bounds ViewController::fittedBounds() const {
  const app::Stage& stage = m_model.stage();
  const session::ViewLayout& layout = m_model.document().session().layout;
  Bounds bounds;
  for (const app::ObjectId id :
       app::shownIn(m_model.document(), stage, layout, app::linkedViews(layout, 0))) {
    const auto held = m_held.find(id);
    const Bounds shown = held == m_held.end() ? stage.status(id).bounds : held->second.bounds;
    const auto data = stage.summary(m_model.document().object(id)->data);
    bounds.add(data ? paging::boundsInTime(shown, data->description) : shown);
  }
  return withSize(bounds.empty() ? stage.bounds() : bounds, stage.bounds());
}

scene::Camera ViewController::restingCamera() const {
  return restingCamera(m_model.document().session().camera, m_viewport.size());
}

scene::Camera ViewController::restingCamera(
    const std::variant<session::AutoCamera, session::FixedCamera>& camera, QSize seen) const {
  const Bounds bounds = fittedBounds();
  const auto fit = [&](double aspect) { return session::cameraOf(camera, bounds, aspect); };
  return std::holds_alternative<session::AutoCamera>(camera) ? m_viewport.besideLegends(bounds, fit, seen)
                                                             : fit(aspectOf(seen));
}

scene::Camera ViewController::pictureCamera(double aspect) const {
  return pictureCamera(m_model.document().session().camera, m_viewport.size(), aspect);
}

scene::Camera ViewController::pictureCamera(
    const std::variant<session::AutoCamera, session::FixedCamera>& camera, QSize seen, double aspect) const {
  return view::seeingAll(restingCamera(camera, seen), aspectOf(seen), aspect);
}

void ViewController::applyCamera(bool animate) {
  if (m_model.stage().bounds().empty()) return;
  const scene::Camera camera = restingCamera();
  if (!m_applied || m_applied->orthographic != camera.orthographic)
    emit orthographicChanged(camera.orthographic);
  m_applied = camera;
  if (!sameCamera(camera, m_viewport.camera())) m_viewport.setCamera(camera, animate);
}

/// Whether the view is no longer the one of everything because of what was shown or hidden by hand.
bool ViewController::staysForTick() {
  if (!m_ticked || !m_applied) return false;
  const app::ObjectState state = m_model.stage().status(m_ticked->id).state;
  const bool isOnItsWay = state == app::ObjectState::Waiting || state == app::ObjectState::Running;
  const Ticked ticked = *m_ticked;
  if (!isOnItsWay) m_ticked.reset();
  if (m_model.stage().bounds().empty() || sameCamera(restingCamera(), *m_applied)) return false;
  // A window of another shape is another reason.
  if (aspect() != ticked.aspect) return false;
  m_ticked.reset();
  const scene::Camera camera = *m_applied;
  const session::Object* const object = m_model.document().object(ticked.id);
  m_model.document().editFurther(
      object && !object->visible ? tr("Hide") : tr("Show"),
      [&](app::Draft& draft) { draft.frame().camera = session::fixedCamera(camera); }, ticked.step);
  return true;
}

void ViewController::cameraMoved() {
  m_cameraRests.start();
}

void ViewController::keepCamera() {
  // Before the first fit it is where the view happens to be, and nobody's choice.
  if (!m_applied) return;
  const scene::Camera camera = m_viewport.camera();
  if (sameCamera(camera, *m_applied)) return;
  m_applied = camera;
  m_ticked.reset();
  m_model.document().edit(
      tr("Move the view"), [&](app::Draft& draft) { draft.frame().camera = session::fixedCamera(camera); },
      "camera");
  // A movement from rest to rest is a step; a hand that holds still in the middle of a drag goes on with it.
  if (!m_pressed) m_model.document().endMerge();
}

void ViewController::lookAlong(Vec3 direction, Vec3 up, const QString& text) {
  if (m_apart) return show(boundsSeenIn(*m_apart), direction, up);
  m_ticked.reset();
  m_held.clear();
  m_cameraRests.stop();
  m_model.document().endMerge();
  const Vec3 stretch = session::stretchOf(m_model.document().session().camera);
  const session::AutoCamera automatic{direction, up, stretch};
  m_model.document().edit(text, [&](app::Draft& draft) {
    if (!m_viewport.isOrthographic()) {
      draft.frame().camera = automatic;
      return;
    }
    // Only a camera that is told everything can be without perspective.
    const Bounds bounds = fittedBounds();
    const scene::Camera camera = m_viewport.besideLegends(bounds, [&](double aspect) {
      return scene::orthographicCameraFor(bounds, direction, up, aspect, stretch);
    });
    draft.frame().camera = session::fixedCamera(camera);
  });
  // The same once more, after the window was made larger or the view was moved by less than counts.
  applyCamera(true);
}

void ViewController::resetView() {
  const session::AutoCamera usual;
  lookAlong(usual.direction, usual.up, tr("Reset the view"));
}

void ViewController::setOrthographic(bool on) {
  if (m_apart) return m_apart->setOrthographic(on);
  if (m_viewport.isOrthographic() == on) return;
  m_viewport.setOrthographic(on);
  m_cameraRests.start();
  emit orthographicChanged(on);
}

void ViewController::setCamera(const scene::Camera& camera) {
  if (m_apart) return m_apart->setCamera(camera);
  if (m_viewport.isOrthographic() != camera.orthographic) emit orthographicChanged(camera.orthographic);
  m_viewport.setCamera(camera);
}

scene::Camera ViewController::fittedCamera(const session::AutoCamera& camera) const {
  const qt3d::Viewport& view = m_apart ? *m_apart : m_viewport;
  const Bounds bounds = withSize(boundsSeenIn(view), m_model.stage().bounds());
  return view.besideLegends(bounds, [&](double aspect) { return session::cameraOf(camera, bounds, aspect); });
}

void ViewController::setStretch(Vec3 stretch, bool final) {
  const Bounds bounds = m_model.stage().bounds();
  if (m_apart) return m_apart->setCamera(view::withStretch(m_apart->camera(), stretch, bounds), true);
  rest();  // where it was moved to before is a step of its own
  app::Document& document = m_model.document();
  if (session::stretchOf(document.session().camera) != stretch && scene::isUsableStretch(stretch))
    document.edit(
        tr("Stretch the axes"),
        [&](app::Draft& draft) {
          auto& camera = draft.frame().camera;
          if (auto* const automatic = std::get_if<session::AutoCamera>(&camera))
            automatic->stretch = stretch;
          else
            camera = session::fixedCamera(view::withStretch(m_viewport.camera(), stretch, bounds));
        },
        "stretch");
  if (final) document.endMerge();
}

void ViewController::showBounds(const Bounds& wanted) {
  const scene::Camera now = (m_apart ? *m_apart : m_viewport).camera();
  show(wanted, now.position - now.target, now.up);
}

void ViewController::show(const Bounds& wanted, Vec3 direction, Vec3 up) {
  if (wanted.empty()) return;
  const Bounds bounds = withSize(wanted, m_model.stage().bounds());
  qt3d::Viewport& moved = m_apart ? *m_apart : m_viewport;
  const scene::Camera now = moved.camera();
  const auto fit = [&](double aspect) { return view::fitted(now, bounds, direction, up, aspect); };
  moved.setCamera(moved.besideLegends(bounds, fit), true);
}

/// A view may show some of the objects alone.
Bounds ViewController::boundsSeenIn(const qt3d::Viewport& view) const {
  Bounds bounds;
  for (const app::ObjectId id : m_model.document().objectIds())
    if (const app::ObjectStatus status = m_model.stage().status(id);
        status.hasPicture && !view.hidesItem(idText(id)))
      bounds.add(status.bounds);
  return bounds.empty() ? m_model.stage().bounds() : bounds;
}

void ViewController::rest() {
  m_cameraRests.stop();
  keepCamera();
}

void ViewController::setSelected(app::ObjectId id) {
  m_selected = id;
  m_dragging = false;
  m_beforeDrag.reset();
  showHandles();
}

void ViewController::showHandles() {
  const session::Object* const object = m_model.document().object(m_selected);
  std::vector<view::Handle> handles;
  if (object) {
    const auto data = m_model.stage().summary(object->data);
    handles = handlesOf(asSeen(*object, m_selected), data ? data->bounds : Bounds{});
    const bool isThere = m_model.stage().status(m_selected).state == app::ObjectState::Done;
    for (view::Handle& handle : handles) m_seeds->look(object->data, handle, isThere);
  } else if (m_selected == 0) {
    handles = handlesOf(m_model.document().session().image.clip, m_model.stage().bounds());
  }
  // A drag does not go on with another object's handle.
  for (view::Handle& handle : handles) handle.id += idText(m_selected).toStdString();
  m_viewport.setHandles(std::move(handles), object ? idText(m_selected) : QString());
}

void ViewController::moveHandle(const QString& handle, const std::vector<Vec3>& positions, bool finished) {
  if (m_selected == 0) return moveClip(handle, positions, finished);
  const session::Object* const object = m_model.document().object(m_selected);
  if (!object) return;
  if (!m_beforeDrag) {
    m_beforeDrag = *object;
    const auto data = m_model.stage().summary(object->data);
    m_handlesBefore = handlesOf(asSeen(*object, m_selected), data ? data->bounds : Bounds{});
    const app::ObjectStatus status = m_model.stage().status(m_selected);
    if (isAuto() && status.hasPicture) m_held.try_emplace(m_selected, Held{status.bounds, {}});
  }
  m_dragging = !finished;
  m_model.stage().setUrgent(m_selected);
  const QString what = object->type() == session::kTypeOf<session::Slice>   ? tr("Move the slice")
                       : app::volumeIn(*object)                             ? tr("Cut the volume")
                       : app::isPlotLine(*object)                           ? tr("Move the line of the plot")
                       : object->type() == session::kTypeOf<session::Probe> ? tr("Move the probe")
                                                                            : tr("Move the seeds");
  const std::size_t number = placeNumberOf(handle.toStdString());
  // Let go where it was, as by Esc, the object is what it was: the handle's positions may say the same in another way.
  const bool isBack = finished && isWhereItWas(handle, positions);
  session::Object next = isBack ? *m_beforeDrag : withHandleAt(*object, positions, number);
  if (auto* const probe = std::get_if<session::Probe>(&next.shape);
      probe && !isBack && positions.size() == 1 && number < probe->points.size())
    app::putProbe(*probe, number, positions[0], app::shownStep(m_model, next.data).step);
  if (finished) holdView(next);
  m_model.document().setObject(m_selected, std::move(next), what, kDragKey);
  if (!finished) return;
  m_beforeDrag.reset();
  m_model.document().endMerge();
  m_model.stage().setUrgent(0);
  showHandles();
  if (!isBack && !app::isPlotLine(*m_model.document().object(m_selected)))
    seekProbe(m_selected, number, idText(m_selected) + '/' + kDragKey);
}

bool ViewController::isWhereItWas(const QString& handle, const std::vector<Vec3>& positions) const {
  return std::any_of(m_handlesBefore.begin(), m_handlesBefore.end(), [&](const view::Handle& each) {
    return handle == QString::fromStdString(each.id) + idText(m_selected) && positions == each.positions;
  });
}

/// After a drag as it was before and while it lasted.
void ViewController::holdView(const session::Object& next) {
  const auto held = m_held.find(m_selected);
  if (held == m_held.end()) return;
  constexpr std::size_t kMostShapes = 64;  // farther back the view follows again
  std::vector<session::Shape>& shapes = held->second.shapes;
  for (const session::Shape& each : {m_beforeDrag->shape, next.shape})
    if (std::find(shapes.begin(), shapes.end(), each) == shapes.end()) shapes.push_back(each);
  if (shapes.size() > kMostShapes)
    shapes.erase(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(shapes.size() - kMostShapes));
}

/// What is done to an object in other ways than by its handles, and taking back what was done with these, is followed.
void ViewController::letGoOfView(app::ObjectId id, const session::Object& before) {
  const session::Object* const object = m_model.document().object(id);
  const auto held = m_held.find(id);
  if (held == m_held.end() || !object || object->shape == before.shape) return;
  const auto& shapes = held->second.shapes;
  if (std::find(shapes.begin(), shapes.end(), object->shape) == shapes.end()) m_held.erase(held);
}

void ViewController::moveClip(const QString& handle, const std::vector<Vec3>& p, bool finished) {
  m_dragging = !finished;
  m_model.document().edit(
      tr("Cut the picture"),
      [&](app::Draft& draft) {
        scene::Clip& clip = draft.frame().image.clip;
        clip = withHandleAt(clip, handle.toStdString(), p);
      },
      "clip.drag");
  if (!finished) return;
  m_model.document().endMerge();
  showHandles();
}

}  // namespace farfield::ui