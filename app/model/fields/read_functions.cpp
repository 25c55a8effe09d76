#include "app/model/fields/read_functions.h"

#include <QCoreApplication>
#include <algorithm>
#include <set>

#include "app/model/fields/field_maker.h"
#include "core/base/error.h"
#include "core/fields/functions/functions.h"

namespace farfield::app {

std::vector<std::string> functionsFromText(const QString& text, const std::vector<std::string>& known) {
  const QStringList parts = partsOfVector(text);
  // So many parts a name has at most: whatever is pasted, few are tried together.
  std::ptrdiff_t most = 1;
  for (const std::string& name : known) most = std::max(most, 1 + std::count(name.begin(), name.end(), ','));
  std::vector<std::string> names;
  std::set<std::string> found;
  for (qsizetype first = 0, count = 1; first < parts.size(); first += count) {
    // The longest name counts, as in expressions.
    const auto name = [&] { return parts.mid(first, count).join(',').trimmed().toStdString(); };
    for (count = std::min<qsizetype>(parts.size() - first, most); count > 1; --count)
      if (std::find(known.begin(), known.end(), name()) != known.end()) break;
    if (!name().empty() && found.insert(name()).second) names.push_back(name());
  }
  return names;
}

std::vector<std::string> readableFunctions(const DataSummary& data) {
  std::vector<std::string> names;
  for (const fields::FunctionInfo& function : data.functions)
    if (!function.onWalls) names.push_back(function.name);
  for (const fields::FunctionInfo& part : data.parts) names.push_back(part.name);
  return names;
}

QString problemOfRead(const DataSummary& data, const std::vector<std::string>& functions) {
  for (const std::string& name : functions) try {
      const fields::FunctionPlan plan(data.description, {name});
      if (plan.isOnWalls()) return tr("“%1” has values on walls only.").arg(QString::fromStdString(name));
    } catch (const Error& error) {
      return QString::fromStdString(error.message());
    }
  return {};
}

}  // namespace farfield::app
