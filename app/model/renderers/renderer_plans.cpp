#include "app/model/renderers/renderer_plans.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/model/settings/settings.h"

namespace farfield::app {
namespace {

constexpr const char* kKept = "renderer.plans";
constexpr int kMost = 64;

/// The latest first.
QJsonArray keptIn(const Settings& settings) {
  return QJsonDocument::fromJson(settings.windowLayout(kKept)).array();
}

/// A file of this machine wherever this program is started next.
QString lasting(const QString& data, bool isHere) {
  return !isHere || data.isEmpty() || data.contains("://") ? data : QDir::current().absoluteFilePath(data);
}

}  // namespace

void keepRendererPlan(Settings& settings, const QString& url, const RendererPlan& plan) {
  QJsonArray kept{QJsonObject{{"url", url},
                              {"here", plan.isHere},
                              {"host", plan.host},
                              {"data", lasting(plan.data, plan.isHere)},
                              {"solution", lasting(plan.solution, plan.isHere)},
                              {"ranks", plan.ranks}}};
  for (const QJsonValue& each : keptIn(settings))
    if (kept.size() < kMost && each["url"].toString() != url) kept.append(each);
  settings.setWindowLayout(kKept, QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

std::optional<RendererPlan> rendererPlan(const Settings& settings, const QString& url) {
  for (const QJsonValue& each : keptIn(settings)) {
    if (each["url"].toString() != url) continue;
    RendererPlan plan;
    plan.isHere = each["here"].toBool(true);
    plan.host = each["host"].toString();
    plan.data = each["data"].toString();
    plan.solution = each["solution"].toString();
    plan.ranks = each["ranks"].toInt(plan.ranks);
    return plan;
  }
  return std::nullopt;
}

}  // namespace farfield::app
