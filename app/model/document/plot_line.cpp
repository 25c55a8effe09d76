#include "app/model/document/plot_line.h"

#include <QCoreApplication>
#include <utility>

#include "app/first/first_objects.h"

namespace farfield::app {
namespace {

using session::Probe;

QString tr(const char* text) {
  return QCoreApplication::translate("Probes", text);
}

}  // namespace

bool isPlotLine(const session::Object& object) {
  const auto* const probe = std::get_if<Probe>(&object.shape);
  return probe && probe->points.size() == 2 && !probe->look.texts;
}

void putEnds(Probe& line, Vec3 from, Vec3 to) {
  line.points = {from, to};
  line.goesFrom.clear();
}

ObjectId plotLineOf(const Document& document, const std::string& dataName) {
  ObjectId last = 0;
  for (const DocumentState::Entry& entry : document.state().objects)
    if (entry.object->data == dataName && isPlotLine(*entry.object)) last = entry.id;
  return last;
}

ObjectId putPlotLine(Document& document, const std::string& dataName, Vec3 from, Vec3 to) {
  ObjectId id = plotLineOf(document, dataName);
  document.edit(
      tr("Place the line of a plot"),
      [&](Draft& draft) {
        if (id) {
          Probe& line = std::get<Probe>(draft.object(id).shape);
          // One end that is put elsewhere leaves the other where it goes. Numbers are of the steps at which the ends were put there.
          const bool isOther = line.points[0] != from && line.points[1] != to;
          if (line.goesFrom.empty() || isOther) return putEnds(line, from, to);
          line.points = {from, to};
          return;
        }
        session::Object object;
        object.name = "plot line";
        object.data = dataName;
        object.shape = Probe{.points = {from, to}, .show = {}, .look = {.texts = false}};
        object.color.solid = kProbeColor;
        id = draft.add(std::move(object));
      },
      kPlotLineKey);
  return id;
}

void movePlotLine(Document& document, ObjectId line, Vec3 from, Vec3 to) {
  document.editFurther(
      tr("Place the line of a plot"),
      [&](Draft& draft) { putEnds(std::get<Probe>(draft.object(line).shape), from, to); }, kPlotLineKey);
}

}  // namespace farfield::app
