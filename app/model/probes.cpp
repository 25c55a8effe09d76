#include "app/model/probes.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/first/first_objects.h"
#include "app/model/app_model.h"
#include "app/model/document/plot_line.h"
#include "app/model/fields/read_functions.h"
#include "app/model/words/csv_text.h"
#include "core/fields/places/moving_places.h"

namespace farfield::app {
namespace {

using session::Probe;

QString tr(const char* text) {
  return QCoreApplication::translate("Probes", text);
}

const std::vector<double>* valuesOf(const ProbeRow& row, const std::string& function) {
  for (const auto& [name, values] : row.values)
    if (name == function) return &values;
  return nullptr;
}

}  // namespace

ObjectId pinProbe(Document& document, const std::string& dataName, Vec3 place,
                  const std::vector<std::string>& show, ShownStep shown) {
  ObjectId pinned = 0;
  document.endMerge();
  const auto pin = [&](Draft& draft) {
    for (const DocumentState::Entry& entry : draft.objects()) {
      const auto* const probe = std::get_if<Probe>(&entry.object->shape);
      if (probe && !isPlotLine(*entry.object) && entry.object->visible && entry.object->data == dataName &&
          probe->points.size() < Probe::kMostPoints)
        pinned = entry.id;
    }
    if (pinned) {
      auto& probe = std::get<Probe>(draft.object(pinned).shape);
      if (!probe.goesFrom.empty()) probe.goesFrom.push_back(shown.step);
      probe.points.push_back(place);
      return;
    }
    session::Object object;
    object.name = "probes";
    object.data = dataName;
    object.shape = Probe{.points = {place}, .show = show};
    if (shown.isOfBody) std::get<Probe>(object.shape).goesFrom = {shown.step};
    object.color.solid = kProbeColor;
    pinned = draft.add(std::move(object));
  };
  document.edit(tr("Pin a probe"), pin, kPinKey);
  document.endMerge();
  return pinned;
}

ShownStep shownStep(AppModel& model, const std::string& dataName) {
  const auto summary = model.stage().summary(dataName);
  if (!summary) return {};
  return {std::min(model.stage().step(), summary->description.steps() - 1),
          fields::bodiesMove(summary->description)};
}

void putProbe(Probe& probe, std::size_t number, Vec3 place, std::int64_t step) {
  probe.points.at(number) = place;
  if (!probe.goesFrom.empty()) probe.goesFrom.at(number) = step;
}

void unpinProbe(Document& document, ObjectId id, std::size_t number) {
  document.endMerge();
  document.edit(tr("Remove a probe"), [&](Draft& draft) {
    auto& probe = std::get<Probe>(draft.object(id).shape);
    std::vector<Vec3>& points = probe.points;
    if (number >= points.size()) return;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(number));
    if (!probe.goesFrom.empty())
      probe.goesFrom.erase(probe.goesFrom.begin() + static_cast<std::ptrdiff_t>(number));
    if (points.empty()) draft.remove(id);
  });
}

void showAtProbes(AppModel& model, const std::vector<std::string>& functions, bool shown) {
  Document& document = model.document();
  // A function that data do not have would take all others from their probes.
  const auto canRead = [&model](const std::string& data, const std::string& function) {
    const auto summary = model.stage().summary(data);
    return summary && problemOfRead(*summary, {function}).isEmpty();
  };
  document.endMerge();
  QStringList said;
  for (const std::string& function : functions) said.append(QString::fromStdString(function));
  document.edit((shown ? tr("Read %1") : tr("Do not read %1")).arg(said.join(", ")), [&](Draft& draft) {
    std::vector<ObjectId> ids;
    for (const DocumentState::Entry& entry : draft.objects())
      if (std::holds_alternative<Probe>(entry.object->shape) && !isPlotLine(*entry.object))
        ids.push_back(entry.id);
    for (const ObjectId id : ids) {
      session::Object& object = draft.object(id);
      std::vector<std::string>& names = std::get<Probe>(object.shape).show;
      for (const std::string& function : functions) {
        if (shown && !canRead(object.data, function)) continue;
        std::erase(names, function);
        if (shown) names.push_back(function);
      }
    }
  });
}

std::vector<ProbeRow> probeRows(const Document& document,
                                const std::map<ObjectId, std::vector<scene::PlaceMark>>& marks) {
  std::vector<ProbeRow> rows;
  for (const DocumentState::Entry& entry : document.state().objects) {
    const auto* const probe = std::get_if<Probe>(&entry.object->shape);
    if (!probe || (isPlotLine(*entry.object) && probe->show.empty())) continue;
    const auto read = marks.find(entry.id);
    for (std::size_t n = 0; n < probe->points.size(); ++n) {
      ProbeRow row{entry.id, n, QString::fromStdString(entry.object->name), probe->points[n]};
      // What was read before it was moved is another place's. What goes with a body is where that has moved to, as long as places are as
      // many as were read.
      if (read != marks.end() && n < read->second.size() &&
          (probe->goesFrom.empty() ? read->second[n].place == row.place
                                   : read->second.size() == probe->points.size())) {
        row.place = read->second[n].place;
        row.found = read->second[n].found;
        for (const auto& [name, values] : read->second[n].values)
          if (!values.empty()) row.values.emplace_back(name, values);
        row.known = row.values.size() == read->second[n].values.size();
      }
      if (read != marks.end() && !row.known) row.awaited = probe->show;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<std::string> probedFunctions(const std::vector<ProbeRow>& rows) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const ProbeRow& row : rows) {
    for (const std::string& name : row.awaited) add(name);
    for (const auto& [name, values] : row.values) add(name);
  }
  return names;
}

QString probeValueText(const ProbeRow& row, const std::string& function) {
  const std::vector<double>* const values = valuesOf(row, function);
  if (!values && std::find(row.awaited.begin(), row.awaited.end(), function) != row.awaited.end())
    return QStringLiteral("…");
  if (row.known && !row.found) return tr("outside");
  if (!values) return {};
  QStringList numbers;
  for (const double value : *values) numbers.append(QString::number(value, 'g', 6));
  return numbers.size() == 1 ? numbers.front() : '(' + numbers.join(", ") + ')';
}

QString probeTable(const std::vector<ProbeRow>& rows, QChar separator, const std::vector<ProbeRow>& all) {
  const std::vector<std::string> functions = probedFunctions(all);
  std::map<std::string, std::size_t> components;
  for (const ProbeRow& row : all)
    for (const auto& [name, values] : row.values) components[name] = values.size();
  QStringList head{"object", "number", "x", "y", "z"};
  for (const std::string& name : functions) {
    const QString text = QString::fromStdString(name);
    for (std::size_t n = 0; n < components[name]; ++n)
      head.append(csvText(components[name] == 1 ? text : text + '-' + QChar("xyz"[n % 3]), separator));
  }
  QString table = head.join(separator) + '\n';
  for (const ProbeRow& row : rows) {
    QStringList line{csvText(row.object, separator), QString::number(row.number + 1), csvNumber(row.place.x),
                     csvNumber(row.place.y), csvNumber(row.place.z)};
    for (const std::string& name : functions) {
      const std::vector<double>* const values = valuesOf(row, name);
      for (std::size_t n = 0; n < components[name]; ++n)
        line.append(values ? csvNumber((*values)[n]) : QString());
    }
    table += line.join(separator) + '\n';
  }
  return table;
}

}  // namespace farfield::app
