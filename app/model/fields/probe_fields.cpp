// The properties of probes that stay: their places, what is read there, how they are marked.

#include <algorithm>
#include <cmath>

#include "app/model/document/plot_line.h"
#include "app/model/fields/field_maker.h"
#include "app/model/fields/read_functions.h"
#include "core/base/float_digits.h"
#include "core/fields/places/moving_places.h"

namespace farfield::app {
namespace {

using session::Object;
using session::Probe;

Probe& probeOf(Object& object) {
  return std::get<Probe>(object.shape);
}
const Probe& probeOf(const Object& object) {
  return std::get<Probe>(object.shape);
}

QString textOfPoints(const std::vector<Vec3>& points) {
  QStringList all;
  for (const Vec3& point : points)
    all.append(QStringLiteral("%1 %2 %3")
                   .arg(withFloatDigits(point.x), 0, 'g', 9)
                   .arg(withFloatDigits(point.y), 0, 'g', 9)
                   .arg(withFloatDigits(point.z), 0, 'g', 9));
  return all.join("; ");
}

/// What was written elsewhere goes from the step that is shown. Places that are in the text as they were keep theirs, wherever they have got
/// to in it, and so does one that was written anew in its place, whose numbers are of its step.
std::vector<std::int64_t> stepsFor(const std::vector<Vec3>& points, const Probe& before, std::int64_t shown) {
  const auto textsOf = [](const std::vector<Vec3>& all) { return textOfPoints(all).split("; "); };
  const QStringList old = textsOf(before.points), now = textsOf(points);
  std::vector<bool> isTaken(before.points.size()), isKnown(points.size());
  std::vector<std::int64_t> steps(points.size(), shown);
  for (std::size_t n = 0; n < points.size(); ++n)
    for (std::size_t m = 0; m < before.points.size() && !isKnown[n]; ++m) {
      if (isTaken[m] || old[qsizetype(m)] != now[qsizetype(n)]) continue;
      isTaken[m] = isKnown[n] = true;
      steps[n] = before.goesFrom[m];
    }
  for (std::size_t n = 0; points.size() == before.points.size() && n < points.size(); ++n)
    if (!isKnown[n] && !isTaken[n]) steps[n] = before.goesFrom[n];
  return steps;
}

std::optional<std::vector<Vec3>> pointsFromText(const QString& text) {
  std::vector<Vec3> points;
  for (const QString& part : text.split(';', Qt::SkipEmptyParts)) {
    const QStringList numbers = QString(part).replace(',', ' ').split(' ', Qt::SkipEmptyParts);
    if (numbers.size() != 3) return std::nullopt;
    Vec3 point;
    for (int axis = 0; axis < 3; ++axis) {
      bool good = false;
      point[axis] = numbers[axis].toDouble(&good);
      if (!good || !std::isfinite(point[axis])) return std::nullopt;
    }
    points.push_back(point);
  }
  if (points.empty() || points.size() > Probe::kMostPoints) return std::nullopt;
  return points;
}

QString textOfFunctions(const std::vector<std::string>& names) {
  QStringList all;
  for (const std::string& name : names) all.append(QString::fromStdString(name));
  return all.join(", ");
}

std::int64_t stepShown(const FieldSurroundings& surroundings) {
  return surroundings.data ? std::min(surroundings.step, surroundings.data->description.steps() - 1)
                           : surroundings.step;
}

/// Of data whose nodes move.
void addGoesField(FieldMaker& make, const QString& group, const FieldSurroundings& surroundings) {
  // What moves is called a grid where a flow passes through it, such as layers of an ocean with its surface.
  const bool isBody = surroundings.data && fields::bodiesMove(surroundings.data->description);
  Field& goes = make.choice(
      group, "goes", isBody ? tr("When the body moves") : tr("When the grid moves"),
      tr("Whether a place stays where it is, or goes with the cell in which it lies. Its numbers are those of the step at which it was put there."));
  goes.choices = {{"stays", tr("Stays")},
                  {"goes", isBody ? tr("Goes with the body") : tr("Goes with the grid")}};
  goes.get = [](const Object& o) {
    return QVariant(probeOf(o).goesFrom.empty() ? QStringLiteral("stays") : QStringLiteral("goes"));
  };
  goes.set = [step = stepShown(surroundings)](Object& o, const QVariant& value) {
    Probe& probe = probeOf(o);
    if (value.toString() == "stays")
      probe.goesFrom.clear();
    else if (probe.goesFrom.empty())
      probe.goesFrom.assign(probe.points.size(), step);
  };
}

}  // namespace

void addProbeFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Probes");
  Field& points =
      make.add(group, "points", tr("Places"), FieldKind::Text,
               tr("Where values are read, such as “0.5 1 0; 2 1 0”. They can be dragged in the view, "
                  "and P pins another one under the cursor."));
  points.get = [](const Object& o) { return QVariant(textOfPoints(probeOf(o).points)); };
  points.set = [step = stepShown(surroundings)](Object& o, const QVariant& value) {
    auto given = pointsFromText(value.toString());
    if (!given) return;
    Probe& probe = probeOf(o);
    if (!probe.goesFrom.empty()) probe.goesFrom = stepsFor(*given, probe, step);
    probe.points = std::move(*given);
  };
  points.check = [](const QString& text) {
    return pointsFromText(text) ? QString()
                                : tr("Write three numbers for each place, such as “0.5 1 0; 2 1 0”.");
  };
  // The line of a plot stays where it is plotted.
  if (surroundings.data && fields::cellsMove(surroundings.data->description) &&
      (!isPlotLine(object) || !probeOf(object).goesFrom.empty()))
    addGoesField(make, group, surroundings);
  Field& show = make.add(group, "show", tr("Values of"), FieldKind::Text,
                         tr("Functions or expressions, with commas between: “pressure, velocity”."));
  show.automatic = tr("none");
  show.get = [](const Object& o) {
    return probeOf(o).show.empty() ? QVariant() : QVariant(textOfFunctions(probeOf(o).show));
  };
  std::vector<std::string> known;
  if (surroundings.data) known = readableFunctions(*surroundings.data);
  show.choices = named(known);
  const auto problemOf = [data = surroundings.data](const std::vector<std::string>& functions) {
    return data ? problemOfRead(*data, functions) : QString();
  };
  show.check = [problemOf, known](const QString& text) { return problemOf(functionsFromText(text, known)); };
  show.set = [problemOf, known](Object& o, const QVariant& value) {
    std::vector<std::string> functions = functionsFromText(value.toString(), known);
    if (problemOf(functions).isEmpty()) probeOf(o).show = std::move(functions);
  };
  Field& texts =
      make.flag(group, "texts", tr("Write values"), tr("Beside each place, in the view and in pictures."));
  texts.byDefault = true;
  texts.get = [](const Object& o) { return probeOf(o).look.texts; };
  texts.set = [](Object& o, const QVariant& value) { probeOf(o).look.texts = value.toBool(); };
  Field& size = make.number(group, "size", tr("Size"), tr("Of marker and letters, beside those of legends."),
                            scene::kLeastLegendSize, scene::kMostLegendSize);
  size.byDefault = 1.0;
  size.get = [](const Object& o) { return probeOf(o).look.size; };
  size.set = [](Object& o, const QVariant& value) { probeOf(o).look.size = value.toDouble(); };
}

}  // namespace farfield::app
