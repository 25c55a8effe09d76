#include "app/model/unit_words.h"

#include <QCoreApplication>

#include "app/first/line_units.h"

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

}  // namespace

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

}  // namespace farfield::app
