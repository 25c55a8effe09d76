// What is read at places of the view: under the cursor, where a probe is put, and where one that was dragged has come to.

#include <algorithm>

#include "app/model/document/line_shapes.h"
#include "app/model/document/volume_looks.h"
#include "app/model/fields/read_functions.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/probes.h"
#include "app/model/workshop/engine.h"
#include "app/ui/view/view_controller.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/words/axis_names.h"
#include "render/color/ticks.h"

namespace farfield::ui {
namespace {

constexpr std::size_t kProbedFunctions = 4, kPinnedFunctions = 2;
constexpr double kStray =
    2e-3;  // of the diagonal of what is shown, for points of surfaces that are drawn flat
/// Numbers of requests for places of probes that were dragged.
constexpr std::uint64_t kDragged = std::uint64_t{1} << 60;

/// With what the numbers are, where the data say that they are longitudes and latitudes.
QString textOfPlace(Vec3 place, const app::DataSummary* data) {
  const auto number = [&](int axis) { return QString::number(place[axis], 'g', 5); };
  const auto axes = data ? fields::axisNames(data->description) : std::array<fields::AxisName, 3>{};
  if (std::none_of(axes.begin(), axes.end(),
                   [](const fields::AxisName& axis) { return axis.name.size() > 1; }))
    return QStringLiteral("(%1, %2, %3)").arg(number(0), number(1), number(2));
  QStringList parts;
  for (int a = 0; a < 3; ++a) {
    const fields::AxisName& axis = axes[static_cast<std::size_t>(a)];
    const QString units = QString::fromStdString(axis.units);
    const bool isApart = !units.isEmpty() && units[0].isLetter();
    parts.append(QString::fromStdString(axis.name) + ' ' + number(a) + (isApart ? ' ' + units : units));
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace

/// What is asked of any place of the view: what is drawn may lie beside the data by rounding, at its edges, and because it is drawn flat.
app::ProbeRequest ViewController::requestAt(Vec3 place, const std::string& dataName) const {
  app::ProbeRequest request;
  request.dataKey = m_model.stage().keyOf(dataName);
  request.step = m_model.stage().step();
  request.point = place;
  request.stray = strayAt(place);
  return request;
}

/// Places that go with a body are seen where that is now, which is known once they have been read there.
session::Object ViewController::asSeen(session::Object object, app::ObjectId id) const {
  auto* const probe = std::get_if<session::Probe>(&object.shape);
  const auto seen = m_markedPlaces.find(id);
  if (!probe || probe->goesFrom.empty() || seen == m_markedPlaces.end() ||
      seen->second.size() != probe->points.size())
    return object;
  const std::int64_t step = app::shownStep(m_model, object.data).step;
  for (std::size_t n = 0; n < probe->points.size(); ++n)
    if (probe->goesFrom[n] != step) probe->points[n] = seen->second[n];
  return object;
}

void ViewController::takeMarks(app::ObjectId id, const scene::SceneItem& item) {
  if (item.marks.empty() && !m_markedPlaces.contains(id)) return;
  std::vector<Vec3>& places = m_markedPlaces[id];
  places.clear();
  for (const scene::PlaceMark& mark : item.marks) places.push_back(mark.place);
  if (id == m_selected && !m_dragging) showHandles();
}

/// A place on a surface that is drawn flat may lie a hair beside the data: then one in them that looks the same is found, as for what is
/// under the cursor.
void ViewController::seekProbe(app::ObjectId id, std::size_t number, const QString& key) {
  const session::Object& object = *m_model.document().object(id);
  const auto* const probe = std::get_if<session::Probe>(&object.shape);
  if (!probe || number >= probe->points.size() || !m_model.stage().summary(object.data)) return;
  const Dragged dragged{id, number, probe->points[number], key};
  app::ProbeRequest request = requestAt(dragged.place, object.data);
  request.number = kDragged + ++m_dragsAsked;
  request.stays = true;
  m_draggedProbes.emplace(request.number, dragged);
  m_model.engine().probe(request);
}

void ViewController::putProbe(const app::ProbeAnswer& answer) {
  const auto node = m_draggedProbes.extract(answer.number);
  if (!node || !answer.found || m_dragging) return;
  const Dragged& dragged = node.mapped();
  const session::Object* const object = m_model.document().object(dragged.id);
  const auto* const probe = object ? std::get_if<session::Probe>(&object->shape) : nullptr;
  // Who has moved it meanwhile knows better.
  if (!probe || dragged.number >= probe->points.size() || probe->points[dragged.number] != dragged.place ||
      answer.point == dragged.place)
    return;
  session::Object next = *object;
  std::get<session::Probe>(next.shape).points[dragged.number] = answer.point;
  // The view stands as still as it did for the drag.
  if (const auto held = m_held.find(dragged.id); held != m_held.end())
    held->second.shapes.push_back(next.shape);
  m_model.document().editFurther(
      tr("Move the probe"), [&](app::Draft& draft) { draft.object(dragged.id) = std::move(next); },
      dragged.key);
}

/// How far towards the eye a place of the picture may lie from what it shows.
Vec3 ViewController::strayAt(Vec3 place) const {
  const scene::Camera camera = (m_eye ? *m_eye : m_viewport).camera();
  const Vec3 toEye = camera.position - scene::stretched(place, camera.stretch);
  const double seen = scene::stretched(m_model.stage().bounds(), camera.stretch).diagonal();
  if (!(length(toEye) > 0)) return {};
  return scene::unstretched((kStray * seen / length(toEye)) * toEye, camera.stretch);
}

void ViewController::probe(Vec3 position, const QString& itemId) {
  const session::Object* object = m_model.document().object(objectOf(itemId));
  if (!object) return;
  const auto summary = m_model.stage().summary(object->data);
  if (!summary) return;
  app::ProbeRequest request = requestAt(position, object->data);
  request.number = ++m_probe;
  const auto add = [&](const std::string& name) {
    // A part of a vector may be a number, which is no reading.
    bool isNumber = false;
    QString::fromStdString(name).toDouble(&isNumber);
    if (!name.empty() && !isNumber && request.functions.size() < kProbedFunctions &&
        std::find(request.functions.begin(), request.functions.end(), name) == request.functions.end())
      request.functions.push_back(name);
  };
  add(session::shownFunction(*object));
  if (const std::vector<std::string>* vector = app::vectorIn(*object))
    for (const std::string& name : *vector) add(name);
  for (const fields::FunctionInfo& function : summary->functions) add(function.name);
  m_hovered = {position, object->data, {}, itemId};
  // What is on walls alone would not be found where a probe is dragged to.
  const std::vector<std::string> everywhere = app::readableFunctions(*summary);
  for (const std::string& name : request.functions)
    if (m_hovered->functions.size() < kPinnedFunctions &&
        std::find(everywhere.begin(), everywhere.end(), name) != everywhere.end())
      m_hovered->functions.push_back(name);
  m_model.engine().probe(request);
}

Vec3 ViewController::plainPlace(Vec3 place) const {
  const double size = m_model.stage().bounds().diagonal();
  for (int axis = 0; axis < 3; ++axis) place[axis] = color::withoutRounding(place[axis], size);
  return place;
}

void ViewController::pinProbe(const std::optional<Hovered>& at) {
  if (!at || !m_model.document().session().find(at->data)) {
    const auto& document = m_model.document();
    const auto ids = document.objectIds();
    const bool showsVolumes = std::any_of(ids.begin(), ids.end(), [&](app::ObjectId id) {
      return document.object(id)->visible && app::volumeIn(*document.object(id));
    });
    emit message(
        showsVolumes
            ? tr("Point at lines or surfaces in the view: the probe is put there. Volumes have no place under the "
                 "cursor; add a slice through them.")
            : tr("Point at something in the view: the probe is put there."));
    return;
  }
  if (const auto summary = m_model.stage().summary(at->data)) {
    const QString why = app::whyNothing(app::windowKind(session::kTypeOf<session::Probe>), *summary);
    if (!why.isEmpty()) {
      emit message(why);
      return;
    }
  }
  const app::ObjectId id = app::pinProbe(m_model.document(), at->data, plainPlace(at->place), at->functions,
                                         app::shownStep(m_model, at->data));
  // Before the data have answered it may lie beside them.
  if (!at->isPlaced)
    seekProbe(id, std::get<session::Probe>(m_model.document().object(id)->shape).points.size() - 1,
              app::kPinKey);
  emit probePinned(id);
}

void ViewController::showAnswer(const app::ProbeAnswer& answer) {
  if (answer.number != m_probe) return;
  if (answer.found && m_hovered) m_hovered->place = answer.point;
  if (m_hovered && answer.problem.empty()) m_hovered->isPlaced = true;
  const auto point = [](Vec3 p) {
    return QStringLiteral("(%1, %2, %3)").arg(p.x, 0, 'g', 5).arg(p.y, 0, 'g', 5).arg(p.z, 0, 'g', 5);
  };
  const Vec3 place = plainPlace(answer.point);
  const auto summary = m_hovered ? m_model.stage().summary(m_hovered->data) : nullptr;
  QString text = textOfPlace(place, summary.get());
  if (!answer.problem.empty()) {
    text += "   " + app::windowMessage(answer.problem);
  } else if (answer.found) {
    const auto block = static_cast<std::size_t>(answer.block);
    // Cells that have one number each are in an order of their own, not in that of the file.
    const bool isListed = summary && block < summary->description.blocks.size() &&
                          summary->description.blocks[block].isUnstructured();
    if (!isListed)
      text += tr("   block %1, cell (%2, %3, %4)")
                  .arg(answer.block)
                  .arg(answer.cell[0])
                  .arg(answer.cell[1])
                  .arg(answer.cell[2]);
    else if (summary->description.blocks.size() > 1)
      text += tr("   block %1").arg(answer.block);
    for (const auto& [name, values] : answer.values) {
      text += "   " + QString::fromStdString(name) + " ";
      if (values.size() == 3)
        text += point({values[0], values[1], values[2]});
      else if (values.size() == 1)
        text += QString::number(values[0], 'g', 6);
      if (const std::string units = summary ? fields::unitsOf(summary->description, name) : std::string();
          !units.empty())
        text += " " + QString::fromStdString(units);
    }
  }
  emit probed(text);
}

}  // namespace farfield::ui
