#include "app/model/settings/opening_options.h"

#include <QJsonDocument>
#include <QJsonObject>

#include "app/model/settings/settings.h"

namespace farfield::app {
namespace {

constexpr const char* kKept = "opening.options";

QJsonObject keptIn(const Settings& settings) {
  return QJsonDocument::fromJson(settings.windowLayout(kKept)).object();
}

}  // namespace

void keepOpeningOptions(Settings& settings, const QString& what,
                        const std::map<std::string, std::string>& options) {
  const QJsonObject before = keptIn(settings);
  QJsonObject kept;
  // What is no longer in the list is forgotten.
  for (const QString& each : settings.recent())
    if (each != what && before.contains(each)) kept[each] = before[each];
  QJsonObject its;
  for (const auto& [key, value] : options) its[QString::fromStdString(key)] = QString::fromStdString(value);
  if (!its.isEmpty()) kept[what] = its;
  if (kept != before) settings.setWindowLayout(kKept, QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

std::map<std::string, std::string> openingOptions(const Settings& settings, const QString& what) {
  std::map<std::string, std::string> options;
  const QJsonObject its = keptIn(settings)[what].toObject();
  for (auto each = its.begin(); each != its.end(); ++each)
    options[each.key().toStdString()] = each.value().toString().toStdString();
  return options;
}

}  // namespace farfield::app
