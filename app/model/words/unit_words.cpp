#include "app/model/words/unit_words.h"

#include <QCoreApplication>
#include <array>
#include <string>

#include "app/first/line_units.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/words/axis_names.h"

namespace farfield::app {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("UnitWords", text);
}

/// Null where the object has no lines that follow a velocity.
const std::vector<std::string>* velocityOf(const session::Object& object) {
  if (const auto* const its = std::get_if<session::Streamlines>(&object.shape)) return &its->vector;
  if (const auto* const its = std::get_if<session::Pathlines>(&object.shape)) return &its->vector;
  if (const auto* const its = std::get_if<session::Streaklines>(&object.shape)) return &its->vector;
  return nullptr;
}

/// Null where the object shows no direction.
const std::vector<std::string>* directionOf(const session::Object& object) {
  if (const auto* const its = std::get_if<session::Arrows>(&object.shape)) return &its->vector;
  if (const auto* const its = std::get_if<session::Lic>(&object.shape)) return &its->vector;
  if (const auto* const its = std::get_if<session::SurfaceLines>(&object.shape)) return &its->vector;
  return velocityOf(object);
}

std::string saidOf(const DataSummary& data, const char* key) {
  const auto found = data.description.attributes.find(key);
  return found == data.description.attributes.end() ? std::string() : found->second;
}

}  // namespace

QString lengthUnits(const DataSummary& data, int power) {
  std::string unit;
  const std::array<fields::AxisName, 3> axes = fields::axisNames(data.description);
  for (int axis = 0; axis < 3; ++axis) {
    const std::string& its = axes[static_cast<std::size_t>(axis)].units;
    if (data.bounds.max[axis] == data.bounds.min[axis]) continue;
    if (its.empty() || its == "\u00b0" || (!unit.empty() && its != unit)) return {};
    unit = its;
  }
  if (unit.empty()) return {};
  return QString::fromStdString(unit) + (power == 2 ? QStringLiteral("\u00b2") : QString());
}

QString withLengthUnits(const QString& what, const DataSummary& data, int power) {
  const QString units = lengthUnits(data, power);
  return units.isEmpty() ? what : what + " [" + units + ']';
}

QString wordsOfUnits(const session::Object& object, const DataSummary& data) {
  const std::vector<std::string>* const velocity = velocityOf(object);
  if (!velocity) return {};
  const bool overTime = !std::holds_alternative<session::Streamlines>(object.shape);
  const auto units = unlikeUnits(data, *velocity, overTime);
  if (!units) return {};
  const QString speed = QString::fromStdString(units->velocity), axes = QString::fromStdString(units->axes);
  return units->times.empty()
             ? tr("The velocity is in %1 and the axes are in %2. Lines take these for one unit: where they lead "
                  "is not true.")
                   .arg(speed, axes)
             : tr("The velocity is in %1, the axes are in %2 and the steps in %3. Lines take these for one "
                  "unit: where they lead is not true.")
                   .arg(speed, axes, QString::fromStdString(units->times));
}

QString wordsOfTurn(const session::Object& object, const DataSummary& data) {
  const std::vector<std::string>* const vector = directionOf(object);
  if (!vector || vector->size() != 3) return {};
  const std::string along = saidOf(data, fields::kAlongGridKey),
                    turned = saidOf(data, fields::kUsualVectorKey);
  if (turned.empty() || along != vector->at(0) + '\n' + vector->at(1)) return {};
  return tr("%1 and %2 are along the lines of the grid, which is turned, and not to the east and to the north. "
            "The vector %3 is.")
      .arg(QString::fromStdString(vector->at(0)), QString::fromStdString(vector->at(1)),
           QString::fromStdString(turned));
}

}  // namespace farfield::app
