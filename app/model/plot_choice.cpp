#include "app/model/plot_choice.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/first/first_objects.h"
#include "app/model/document/plot_line.h"
#include "app/model/fields/read_functions.h"
#include "app/model/own_functions.h"
#include "core/session/results/values_along.h"

namespace farfield::app {
std::vector<std::string> plottedFunctions(const DataSummary& data, const QString& by) {
  std::vector<std::string> known;
  for (const auto* const functions : {&data.functions, &data.parts})
    for (const fields::FunctionInfo& function : *functions) known.push_back(function.name);
  return functionsFromText(by, known);
}

std::function<QString(const QString&)> checkOfPlotted(std::shared_ptr<const DataSummary> data) {
  return [data, check = checkOfExpression(data)](const QString& by) {
    const std::vector<std::string> functions = data ? plottedFunctions(*data, by) : functionsFromText(by, {});
    if (functions.size() > kMostCurves)
      return QCoreApplication::translate("PlotChoice", "A plot has at most %1 functions.").arg(kMostCurves);
    if (functions.empty()) return check(by);
    for (const std::string& function : functions)
      if (QString wrong = check(QString::fromStdString(function)); !wrong.isEmpty()) return wrong;
    return QString();
  };
}

std::function<QString(const QString&)> checkOfPlotted(std::shared_ptr<const DataSummary> data,
                                                      session::PlotChoice::Kind kind) {
  if (kind == session::PlotChoice::Kind::Along || !data) return checkOfPlotted(std::move(data));
  return [data, check = checkOfPlotted(data)](const QString& by) {
    QString wrong = check(by);
    if (!wrong.isEmpty()) return wrong;
    wrong = problemOfRead(*data, plottedFunctions(*data, by));
    if (!wrong.isEmpty())
      wrong +=
          ' ' + QCoreApplication::translate("PlotChoice",
                                            "Plot it along the lines of an object on a wall, or colour a "
                                            "grid surface by it that is a face of a block.");
    return wrong;
  };
}

void keepPlot(Document& document, const session::PlotChoice& plot, const QString& key) {
  document.editFurther(
      QCoreApplication::translate("PlotChoice", "Choose what is plotted"),
      [&](Draft& draft) { draft.frame().plot = plot; }, key);
}

ObjectId lastProbesOf(const Document& document, const std::string& dataName) {
  ObjectId last = 0;
  for (const DocumentState::Entry& each : document.state().objects)
    if (std::holds_alternative<session::Probe>(each.object->shape) && !isPlotLine(*each.object) &&
        (dataName.empty() || each.object->data == dataName))
      last = each.id;
  return last;
}

PlacedProbe placeOfProbe(const session::Probe& probe, std::size_t number) {
  return {{}, probe.points.at(number), probe.goesFrom.empty() ? kStays : probe.goesFrom.at(number)};
}

std::vector<PlacedProbe> probesOf(const Document& document, const std::string& dataName) {
  std::vector<PlacedProbe> found;
  for (const DocumentState::Entry& each : document.state().objects) {
    const auto* const probe = std::get_if<session::Probe>(&each.object->shape);
    if (!probe || isPlotLine(*each.object) || !each.object->visible || each.object->data != dataName)
      continue;
    for (std::size_t n = 0; n < probe->points.size(); ++n) {
      found.push_back(placeOfProbe(*probe, n));
      found.back().name = QStringLiteral("%1 %2").arg(QString::fromStdString(each.object->name)).arg(n + 1);
    }
  }
  return found;
}

std::vector<ObjectId> objectsWithLines(const Document& document, const std::string& dataName) {
  std::vector<ObjectId> found;
  for (const DocumentState::Entry& each : document.state().objects)
    if (each.object->data == dataName && session::hasLines(each.object->shape)) found.push_back(each.id);
  return found;
}

std::string seenAlong(const Document& document, const DataSummary& data, const session::Object& object) {
  if (!object.color.by.empty()) return object.color.by;
  const session::OnSurface* const on = session::surfaceUnder(object);
  if (!on) return {};
  const session::Object* const surface = document.object(document.idNamed(on->name));
  if (surface && !surface->color.by.empty()) return surface->color.by;
  return std::holds_alternative<session::GridSurface>(on->shape) ? wallScalar(data) : std::string();
}

QString whyNoLines() {
  return QCoreApplication::translate("PlotChoice",
                                     "These data have no isolines, streamlines or lines on a surface. Add "
                                     "some, and functions can be plotted along them.");
}

}  // namespace farfield::app
