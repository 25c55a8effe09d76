// Objects that are added by the window: on which surface they lie, and what they take instead where the first choice shows nothing.

#include <algorithm>
#include <utility>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/first/outer_sheets.h"
#include "app/model/app_model.h"
#include "app/model/document/line_shapes.h"
#include "app/model/document/shared_colors.h"
#include "app/model/document/surface_beginnings.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/probes.h"
#include "app/model/stage/covering_surfaces.h"
#include "core/session/session_camera.h"

namespace farfield::app {
namespace {

/// From here on, numbers of requests for places of rakes, for places in the data, and for outer sheets of them.
constexpr std::uint64_t kRakes = std::uint64_t{1} << 62, kSought = std::uint64_t{1} << 63,
                        kSheets = kRakes + kSought;

/// On which `object`, of the data `name`, is to lie: the surface `under`, or that on which `under` lies itself; else the last one
/// that is seen, or the last one. None: there is none.
const session::Object* surfaceFor(const session::Object& object, const std::string& name, ObjectId under,
                                  const Document& document) {
  const auto suits = [&](const session::Object* each) {
    return each && session::canLieOn(object, *each) && each->data == name;
  };
  const session::Object* const chosen = document.object(under);
  if (suits(chosen)) return chosen;
  if (const session::OnSurface* const on = chosen ? session::surfaceUnder(*chosen) : nullptr)
    if (const session::Object* const its = document.object(document.idNamed(on->name)); suits(its))
      return its;
  const session::Object *last = nullptr, *seen = nullptr;
  for (const session::Object& each : document.session().objects) {
    if (!suits(&each)) continue;
    last = &each;
    if (each.visible) seen = &each;
  }
  return seen ? seen : last;
}

/// On which an object lies; 0: it is gone.
ObjectId surfaceOf(ObjectId id, const Document& document) {
  const session::Object* const object = document.object(id);
  const session::OnSurface* const on = object ? session::surfaceUnder(*object) : nullptr;
  return on ? document.idNamed(on->name) : 0;
}

/// It is being computed, or about to be.
bool isBeingMade(ObjectId id, const Document& document, const Stage& stage) {
  const ObjectState state = document.object(id) ? stage.status(id).state : ObjectState::Hidden;
  return state == ObjectState::Waiting || state == ObjectState::Running;
}

}  // namespace

ObjectId AppModel::addObject(session::ObjectType type, const std::string& dataName, ObjectId under,
                             const std::optional<Vec3>& place) {
  const std::string name = openDataOr(dataName);
  const auto summary = m_stage->summary(name);
  if (!summary) return 0;
  session::Object object = withSharedColors(newObject(type, *summary, name), m_document->session());
  if (auto* const probe = std::get_if<session::Probe>(&object.shape)) {
    if (place) probe->points = {*place};
    if (const ShownStep shown = shownStep(*this, name); shown.isOfBody) probe->goesFrom = {shown.step};
  }
  // Even where they are seen: in the data's own lengths there would be no arrows, or very many, and texels that are lines.
  if (Vec3* const stretch = stretchIn(object)) *stretch = session::stretchOf(m_document->session().camera);
  session::OnSurface* const on = session::surfaceUnder(object);
  if (!on && seedsIn(object)) return addRake(std::move(object), *summary);
  if (const auto* const sheet = std::get_if<session::GridSurface>(&object.shape);
      sheet && mayLieInside(*sheet, *summary))
    return addSheet(std::move(object));
  if (!on) return addSeen(*m_document, std::move(object), *summary);
  const scene::Rgba background = m_document->session().image.background;
  if (const session::Object* const surface = surfaceFor(object, name, under, *m_document)) {
    session::followSurface(*on, *surface);
    suitSurface(object, *surface, *summary, background);
    suitSize(object, boundsOf(*surface));
    return addOnSurface([&](Draft& draft) { return draft.add(std::move(object)); }, type);
  }
  return addOnSurface(
      [&](Draft& draft) {
        session::Object made = newObject(session::kTypeOf<session::Slice>, *summary, name);
        if (!session::canLieOn(object, made) || !hasInside(*summary))
          made = newObject(session::kTypeOf<session::GridSurface>, *summary, name);
        suitSurface(object, made, *summary, background);
        session::followSurface(*on, draft.object(draft.add(std::move(made))));
        return draft.add(std::move(object));
      },
      type);
}

/// Of what an object shows; empty where it has not been computed.
Bounds AppModel::boundsOf(const session::Object& object) const {
  return m_stage->status(m_document->idNamed(object.name)).bounds;
}

/// What `add` adds is watched until it has been computed.
ObjectId AppModel::addOnSurface(const std::function<ObjectId(Draft&)>& add, session::ObjectType type) {
  NewOnSurface added{{}, QStringLiteral("on-surface/%1").arg(++m_onSurfacesAdded)};
  ObjectId id = 0;
  const auto edit = [&] {
    m_document->edit(
        tr("Add %1").arg(QString::fromUtf8(nameOf(type))),
        [&](Draft& draft) {
          id = add(draft);
          if (const auto* const vector = vectorIn(draft.object(id))) added.vector = *vector;
        },
        added.step);
  };
  if (type == session::kTypeOf<session::SurfaceLines>) {
    // How far apart they are is to be known before they are followed, which takes long: the surface takes a moment.
    const std::vector<ObjectId> before = m_document->objectIds();
    m_stage->hold(edit);
    const ObjectId surface = surfaceOf(id, *m_document);
    if (std::find(before.begin(), before.end(), surface) == before.end())
      seekOuterSheets(surface, added.step);
    if (!isSought(surface)) m_stage->release(surface);
    if (!isBeingMade(surface, *m_document, *m_stage)) m_stage->release(id);
  } else {
    edit();
  }
  if (added.vector.empty()) return id;
  m_newOnSurfaces.emplace(id, std::move(added));
  m_stage->leaveOpen(id);
  return id;
}

void AppModel::seeOnSurface(ObjectId id) {
  // Lines that wait for the size of a surface begin, once it is known, or known not to come.
  for (const auto& [lines, added] : m_newOnSurfaces) {
    const session::Object* const object = m_document->object(lines);
    if (!object || object->type() != session::kTypeOf<session::SurfaceLines>) continue;
    const ObjectId surface = surfaceOf(lines, *m_document);
    if (isBeingMade(surface, *m_document, *m_stage) || !isBeingMade(lines, *m_document, *m_stage)) continue;
    const auto data = m_stage->summary(object->data);
    if (auto close = data ? withOwnSpacing(*object, m_stage->status(surface).bounds, *data) : std::nullopt)
      m_document->editFurther(
          tr("Add %1").arg(QString::fromUtf8(nameOf(object->type()))),
          [&, line = lines](Draft& draft) { draft.object(line) = std::move(*close); }, added.step);
    m_stage->release(lines);
  }
  const auto found = m_newOnSurfaces.find(id);
  if (found == m_newOnSurfaces.end()) return;
  const ObjectState state = m_stage->status(id).state;
  if (state == ObjectState::Waiting || state == ObjectState::Running) return;
  takeOtherVector(id, m_newOnSurfaces.extract(found).mapped());
  m_stage->settle(id);
}

void AppModel::takeOtherVector(ObjectId id, const NewOnSurface& added) {
  const ObjectStatus status = m_stage->status(id);
  const session::Object* const object = m_document->object(id);
  const auto data = object ? m_stage->summary(object->data) : nullptr;
  // Who has changed it meanwhile has chosen.
  if (status.state != ObjectState::Done || !data || *vectorIn(*object) != added.vector) return;
  const session::Object* const surface =
      m_document->object(m_document->idNamed(session::surfaceUnder(*object)->name));
  std::optional<session::Object> other;
  if (surface && showsNoVector(status.stats) && !status.isAtRest)
    other = withOtherVector(*object, *surface, *data);
  // The size of a surface that came with the lines, or has not been shown, was not known when they were added. They begin all over it.
  const Bounds size = surface ? boundsOf(*surface) : Bounds{};
  if (auto close = withOwnSpacing(other ? *other : *object, size.empty() ? status.bounds : size, *data))
    other = std::move(close);
  if (other)
    m_document->editFurther(
        tr("Add %1").arg(QString::fromUtf8(nameOf(object->type()))),
        [&](Draft& draft) { draft.object(id) = std::move(*other); }, added.step);
}

/// Looking for a better place takes a moment, or longer where the data are far away, and nobody waits for it here.
ObjectId AppModel::addRake(session::Object object, const DataSummary& data) {
  const auto* const rake = std::get_if<session::LineSeeds>(seedsIn(object));
  if (!rake || !mayHaveHoles(data) || !holdsPlaces(data) || data.bounds.empty() ||
      !rendererFunctions(data).empty())
    return addSeen(*m_document, std::move(object), data);
  const std::uint64_t number = kRakes + ++m_rakesSought;
  NewRake added{0, *rake, stepThatHidesFor(object, data, m_document->state())};
  if (added.step.isEmpty()) added.step = QStringLiteral("rake/%1").arg(m_rakesSought);
  ProbeRequest request;
  request.number = number;
  request.dataKey = m_stage->keyOf(object.data);
  request.step = m_stage->step();
  request.seeks = true;
  request.rakes = rakePlaces(data);
  m_stage->hold([&] {
    m_document->edit(
        tr("Add %1").arg(QString::fromUtf8(nameOf(object.type()))),
        [&](Draft& draft) { added.id = addSeen(draft, std::move(object), data); }, added.step);
  });
  m_newRakes.emplace(number, added);
  m_engine->probe(request);
  return added.id;
}

/// Likewise: looking at its nodes takes a moment.
ObjectId AppModel::addSheet(session::Object object) {
  ObjectId id = 0;
  const QString step = QStringLiteral("sheet/%1").arg(m_sheetsSought + 1);
  m_stage->hold([&] {
    m_document->edit(
        tr("Add %1").arg(QString::fromUtf8(nameOf(object.type()))),
        [&](Draft& draft) { id = draft.add(std::move(object)); }, step);
  });
  seekOuterSheets(id, step);
  return id;
}

/// Of a new surface, which waits until it is known, if it may lie inside of the data.
void AppModel::seekOuterSheets(ObjectId id, const QString& step) {
  const session::Object* const object = m_document->object(id);
  const auto* const sheet = object ? std::get_if<session::GridSurface>(&object->shape) : nullptr;
  const auto data = sheet ? m_stage->summary(object->data) : nullptr;
  if (!data || !mayLieInside(*sheet, *data)) return;
  ProbeRequest request;
  request.number = kSheets + ++m_sheetsSought;
  request.dataKey = m_stage->keyOf(object->data);
  request.step = m_stage->step();
  request.seeks = true;
  request.sheet = *sheet;
  if (const auto& known = data->functions;
      std::any_of(known.begin(), known.end(), [](const auto& its) { return its.name == "velocity"; }))
    request.functions = {"velocity"};
  m_newSheets.emplace(request.number, NewSheet{id, *sheet, step});
  m_engine->probe(request);
}

bool AppModel::isSought(ObjectId surface) const {
  return std::any_of(m_newSheets.begin(), m_newSheets.end(),
                     [surface](const auto& each) { return each.second.id == surface; });
}

void AppModel::takeOuterSheets(const ProbeAnswer& answer) {
  const auto node = m_newSheets.extract(answer.number);
  if (!node) return;
  const NewSheet& added = node.mapped();
  const session::Object* const object = m_document->object(added.id);
  if (!object) return;
  // Who has changed it meanwhile has chosen. What lies on it waits on for its size.
  if (const auto* const now = std::get_if<session::GridSurface>(&object->shape);
      answer.sheet && now && *now == added.shape)
    m_stage->hold([&] {
      m_document->editFurther(
          tr("Add %1").arg(QString::fromUtf8(nameOf(object->type()))),
          [&](Draft& draft) { draft.object(added.id).shape = *answer.sheet; }, added.step);
    });
  m_stage->release(added.id);
}

void AppModel::seekInside(const std::string& dataName, Vec3 place, QObject* asker,
                          std::function<void(Vec3)> then) {
  const auto data = m_stage->summary(dataName);
  if (!data || !mayHaveHoles(*data)) return then(place);
  const std::uint64_t number = kSought + ++m_placesSought;
  auto* const once = new QObject(asker);
  connect(m_engine.get(), &Engine::probed, once,
          [=, this, other = placeInside(*data), then = std::move(then)](const ProbeAnswer& answer) {
            if (answer.number != number) return;
            once->deleteLater();
            // Between blocks that lie far apart: into one of them.
            if (!answer.found && place != other) return seekInside(dataName, other, asker, then);
            then(answer.point);
          });
  ProbeRequest request;
  request.number = number;
  request.dataKey = m_stage->keyOf(dataName);
  request.step = m_stage->step();
  request.point = place;
  request.seeks = true;
  m_engine->probe(request);
}

void AppModel::placeRake(const ProbeAnswer& answer) {
  const auto node = m_newRakes.extract(answer.number);
  if (!node) return;
  const NewRake& added = node.mapped();
  const session::Object* const object = m_document->object(added.id);
  if (!object) return;
  // Who has moved it meanwhile knows better.
  const auto* const now = std::get_if<session::LineSeeds>(seedsIn(*object));
  if (answer.rake && now && *now == added.seeds && *answer.rake != added.seeds)
    m_document->editFurther(
        tr("Add %1").arg(QString::fromUtf8(nameOf(object->type()))),
        [&](Draft& draft) { *seedsIn(draft.object(added.id)) = *answer.rake; }, added.step);
  else
    m_stage->release(added.id);
}

}  // namespace farfield::app
