#include "app/model/stand_in_colors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "app/first/first_objects.h"
#include "app/model/document/shared_colors.h"
#include "app/model/fields/object_fields.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/words/some_names.h"

namespace farfield::app {
namespace {

/// The field in which colours of such an object are chosen; none: it has no choice.
std::optional<Field> colorField(const session::Object& object, const FieldSurroundings& surroundings) {
  for (Field& field : fieldsOf(object, surroundings))
    if (field.key == "color.by") return std::move(field);
  return std::nullopt;
}

/// Whether its colours may follow `by` in these data.
bool isThere(const session::Object& object, const std::string& by, const FieldSurroundings& surroundings) {
  session::Object plain = object;
  plain.color.by.clear();  // what an object has is among its choices, whatever the data have
  const auto field = colorField(plain, surroundings);
  if (by.empty() || !field) return true;
  const QString text = QString::fromStdString(by);
  return !field->check || field->check(text).isEmpty() ||
         std::any_of(field->choices.begin(), field->choices.end(),
                     [&](const auto& choice) { return choice.first == text; });
}

/// What a new one is coloured by, or what most people look at; empty where there is no scalar.
std::string usualFor(const session::Object& object, const DataSummary& data) {
  std::string by = newObject(object.type(), data, object.data).color.by;
  if (by.empty()) by = usualScalar(data);
  // All over an isosurface its own function has one value.
  if (const auto* const surface = std::get_if<session::Isosurface>(&object.shape);
      surface && surface->by == by)
    if (const auto others = otherScalars(data, by); !others.empty()) by = others.front();
  return by;
}

session::Session sessionOf(const Draft& draft) {
  session::Session session = *draft.state().frame;
  for (const DocumentState::Entry& entry : draft.objects()) session.objects.push_back(*entry.object);
  return session;
}

/// Objects by what has become of their colours.
struct Said {
  std::map<std::pair<std::string, std::string>, QStringList>
      otherwise;                             ///< by what is lacking, and what stands in
  std::map<std::string, QStringList> again;  ///< by what is there again
};

QStringList sentences(const Said& said, const std::string& dataName) {
  const auto text = [](const std::string& name) { return QString::fromStdString(name); };
  const auto names = [](const QStringList& all) { return someNames(all, ", "); };
  QStringList all;
  for (const auto& [functions, objects] : said.otherwise) {
    const auto& [lacking, by] = functions;
    const QString start =
        Document::tr("As the data %1 are read now, there is no “%2”.").arg(text(dataName), text(lacking));
    all.append(start + ' ' +
               (by.empty()
                    ? Document::tr("In one colour until there is: %1.").arg(names(objects))
                    : Document::tr("Coloured by “%1” until there is: %2.").arg(text(by), names(objects))));
  }
  for (const auto& [by, objects] : said.again)
    all.append(Document::tr("Coloured by “%1” again: %2.").arg(text(by), names(objects)));
  return all;
}

}  // namespace

QStringList standInColors(Draft& draft, const std::string& dataName,
                          const std::shared_ptr<const DataSummary>& data) {
  FieldSurroundings surroundings;
  surroundings.data = data;
  Said said;
  for (const DocumentState::Entry& entry : std::vector(draft.objects())) {
    const session::Object& object = *entry.object;
    if (object.data != dataName) continue;
    const bool hasIts = isThere(object, object.color.by, surroundings);
    std::vector<DocumentState::GivenColors>& all = draft.standIns();
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& its) { return its.id == entry.id; });
    const bool isGiven = known != all.end() && known->given == object.color;
    if (known != all.end() && (isGiven || !hasIts) && isThere(object, known->before.by, surroundings)) {
      draft.object(entry.id).color = known->before;
      said.again[known->before.by].append(QString::fromStdString(object.name));
      all.erase(known);
      continue;
    }
    if (hasIts) {
      if (known != all.end() && !isGiven) all.erase(known);  // somebody has chosen
      continue;
    }
    const session::Coloring before = isGiven ? known->before : object.color;
    if (known != all.end()) all.erase(known);
    session::Object changed = object;
    const auto field = colorField(object, surroundings);
    field->set(changed, QString::fromStdString(usualFor(object, *data)));
    changed = withSharedColors(std::move(changed), sessionOf(draft));
    said.otherwise[{before.by, changed.color.by}].append(QString::fromStdString(object.name));
    all.push_back({entry.id, before, changed.color});
    draft.object(entry.id) = std::move(changed);
  }
  return sentences(said, dataName);
}

}  // namespace farfield::app
