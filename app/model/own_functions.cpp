#include "app/model/own_functions.h"

#include <algorithm>
#include <optional>

#include "app/first/first_objects.h"
#include "app/model/app_model.h"
#include "app/model/document/fit_for_files.h"
#include "app/model/fields/field_maker.h"
#include "app/model/plot_choice.h"
#include "core/base/error.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/functions.h"
#include "core/session/json/look_names.h"

namespace farfield::app {
namespace {

std::string keyOf(const QString& name) {
  return std::string(fields::kDefinitionKey) + name.toStdString();
}

/// Of all data it has the functions of those whose line or point it is.
bool isPlotOf(const session::Session& frame, const std::vector<DocumentState::Entry>& objects,
              const std::string& dataName) {
  std::string its = frame.plot->data;
  if (its == session::kAllData) {
    its.clear();
    for (const DocumentState::Entry& entry : objects)
      if (entry.object->name == frame.plot->on) its = entry.object->data;
  }
  return its.empty() ? frame.data.front().name == dataName : its == dataName;
}

}  // namespace

std::map<std::string, QString> ownFunctions(const session::Session& session, const std::string& dataName) {
  std::map<std::string, QString> found;
  const session::DataSource* const source = session.find(dataName);
  if (!source) return found;
  for (const auto& [key, value] : source->options)
    if (key.starts_with(fields::kDefinitionKey))
      found[key.substr(fields::kDefinitionKey.size())] = QString::fromStdString(session::textOf(value));
  return found;
}

std::function<QString(const QString&)> checkOfExpression(std::shared_ptr<const DataSummary> data) {
  FieldSurroundings surroundings;
  surroundings.data = std::move(data);
  return checkOfFunction(surroundings, 1);
}

namespace {

/// Of the name of a function that is defined, of one number or of three.
std::function<QString(const QString&)> checkOfDefinition(std::shared_ptr<const DataSummary> data) {
  FieldSurroundings surroundings;
  surroundings.data = std::move(data);
  return [isNumber = checkOfFunction(surroundings, 1), isVector = checkOfFunction(surroundings, 3)](
             const QString& text) { return isVector(text).isEmpty() ? QString() : isNumber(text); };
}

/// What would be wrong with functions that are made of `name` if it were what it is in `then`; empty: nothing.
QString problemOfOthers(const DataSummary& now, const std::shared_ptr<const DataSummary>& then,
                        const std::string& name) {
  const auto isAnything = [](const paging::DatasetDescription& data, const std::string& function) {
    try {
      (void)fields::FunctionPlan(data, {function});
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  const auto isVector = [&](const DataSummary& data) {
    const auto meaning = fields::definitionOf(data.description.attributes, name);
    return meaning && fields::partsOfVector(*meaning).size() > 1;
  };
  const bool was = isVector(now), is = isVector(*then);
  // Whatever needs it then is wrong: v-x, a part of a vector, would become v minus the place x without a word, and the other way round.
  std::optional<paging::DatasetDescription> without;
  if (was != is) without = now.description;
  if (without) without->attributes.erase(std::string(fields::kDefinitionKey) + name);
  for (const auto& [key, text] : now.description.attributes) {
    if (!key.starts_with(fields::kDefinitionKey)) continue;
    const std::string other = key.substr(fields::kDefinitionKey.size());
    const bool stays = isAnything(then->description, other) && (!without || isAnything(*without, other));
    if (other == name || stays || !isAnything(now.description, other)) continue;
    const QString its = QString::fromStdString(other);
    if (is && !was) return tr("“%1” is made of it, and needs one number.").arg(its);
    if (was && !is) return tr("“%1” is made of it, and needs a vector.").arg(its);
    return tr("“%1” is made of it, and would be wrong: %2").arg(its, checkOfDefinition(then)(its));
  }
  return {};
}

}  // namespace

QString whyNoOwnFunctions(const DataSummary& data) {
  if (rendererFunctions(data).empty()) return {};
  return tr(
      "A renderer does not know functions of your own: type the expression where a function is chosen.");
}

QString problemOfOwnName(const DataSummary& data, const QString& name) {
  if (const std::string wrong = fields::problemOfFunctionName(name.toStdString()); !wrong.empty())
    return QString::fromStdString(wrong);
  const std::vector<std::string> taken = fields::takenNames(data.description);
  if (std::binary_search(taken.begin(), taken.end(), name.toStdString()))
    return tr("The data have a function “%1” already: choose another name.").arg(name);
  return {};
}

QString problemOfOwnExpression(const DataSummary& data, const QString& name, const QString& expression) {
  if (QString why = whyNoOwnFunctions(data); !why.isEmpty()) return why;
  if (expression.trimmed().isEmpty()) return tr("A function needs an expression.");
  const auto described = std::make_shared<DataSummary>(data);
  if (!problemOfOwnName(data, name).isEmpty()) return checkOfDefinition(described)(expression);
  // By its name, so that one that refers to itself is found.
  described->description.attributes[keyOf(name)] = expression.toStdString();
  const QString wrong = checkOfDefinition(described)(name);
  return wrong.isEmpty() ? problemOfOthers(data, described, name.toStdString()) : wrong;
}

FunctionUsers usersOf(AppModel& model, const std::string& dataName, const QString& name) {
  FunctionUsers users;
  const session::Session& session = model.document().session();
  const std::shared_ptr<const DataSummary> known = model.stage().summary(dataName);
  if (!known) return users;
  const auto without = std::make_shared<DataSummary>(*known);
  without->description.attributes.erase(keyOf(name));
  // What is wrong then, and is not now: nothing needs to know how names stand in expressions, or which fields have them.
  const auto needsIt = [](const auto& checkNow, const auto& checkThen, const QString& text) {
    return !text.isEmpty() && checkNow(text).isEmpty() && !checkThen(text).isEmpty();
  };
  for (const session::Object& object : session.objects) {
    if (object.data != dataName) continue;
    FieldSurroundings then = model.surroundingsOf(object);
    const std::vector<Field> fields = fieldsOf(object, then);
    then.data = without;
    const std::vector<Field> others = fieldsOf(object, then);
    const bool uses = std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
      const auto other = std::find_if(others.begin(), others.end(),
                                      [&](const Field& each) { return each.key == field.key; });
      return other != others.end() && field.check && other->check &&
             needsIt(field.check, other->check, field.get(object).toString());
    });
    if (uses) users.objects.append(QString::fromStdString(object.name));
  }
  const auto checkNow = checkOfDefinition(known), checkThen = checkOfDefinition(without);
  for (const auto& [other, expression] : ownFunctions(session, dataName))
    if (const QString text = QString::fromStdString(other);
        text != name && needsIt(checkNow, checkThen, text))
      users.functions.append(text);
  users.plot =
      session.plot && isPlotOf(session, model.document().state().objects, dataName) &&
      needsIt(checkOfPlotted(known), checkOfPlotted(without), QString::fromStdString(session.plot->by));
  return users;
}

QString functionInTheWay(const session::DataSource& source, const Problem& problem) {
  for (const auto& [key, value] : source.options)
    if (key.starts_with(fields::kDefinitionKey) &&
        problem.message.find("option " + key + ": ") != std::string::npos)
      return QString::fromStdString(key.substr(fields::kDefinitionKey.size()));
  return {};
}

void defineFunction(Document& document, const std::string& dataName, const QString& name,
                    const QString& expression) {
  document.endMerge();
  document.edit(tr("Define %1").arg(name), [&](Draft& draft) {
    for (session::DataSource& source : draft.frame().data)
      if (source.name == dataName)
        source.options[keyOf(name)] = session::OptionValue(plainText(expression).trimmed().toStdString());
  });
}

namespace {

/// Of a function or an expression that is read now: whether it means nothing without functions of these names.
std::function<bool(const std::string&)> goesWith(std::shared_ptr<const DataSummary> known,
                                                 const QStringList& names) {
  const auto without = std::make_shared<DataSummary>(*known);
  for (const QString& name : names) without->description.attributes.erase(keyOf(name));
  return [now = checkOfDefinition(std::move(known)),
          then = checkOfDefinition(without)](const std::string& function) {
    const QString text = QString::fromStdString(function);
    return now(text).isEmpty() && !then(text).isEmpty();
  };
}

/// One that is not there would take all others with it.
void leaveOut(Draft& draft, const std::string& dataName, const std::shared_ptr<const DataSummary>& known,
              const QStringList& names) {
  const std::function<bool(const std::string&)> goes = goesWith(known, names);
  std::vector<ObjectId> probes;
  for (const DocumentState::Entry& entry : draft.objects()) {
    const auto* const probe = std::get_if<session::Probe>(&entry.object->shape);
    if (probe && entry.object->data == dataName && std::any_of(probe->show.begin(), probe->show.end(), goes))
      probes.push_back(entry.id);
  }
  for (const ObjectId id : probes) std::erase_if(std::get<session::Probe>(draft.object(id).shape).show, goes);
  const session::Session& frame = *draft.state().frame;
  if (!frame.plot || !isPlotOf(frame, draft.objects(), dataName)) return;
  std::vector<std::string> plotted = plottedFunctions(*known, QString::fromStdString(frame.plot->by));
  // A plot of nothing would be one of something that nobody chose: then it says what is missing.
  if (std::erase_if(plotted, goes) == 0 || plotted.empty()) return;
  std::string by;
  for (const std::string& function : plotted) by += (by.empty() ? "" : ", ") + function;
  draft.frame().plot->by = by;
}

}  // namespace

void removeFunctions(AppModel& model, const std::string& dataName, const QStringList& names) {
  model.document().endMerge();
  model.document().edit((names.size() == 1 ? tr("Remove the function %1") : tr("Remove the functions %1"))
                            .arg(names.join(", ")),
                        [&](Draft& draft) {
                          if (const auto known = model.stage().summary(dataName))
                            leaveOut(draft, dataName, known, names);
                          for (session::DataSource& source : draft.frame().data)
                            if (source.name == dataName)
                              for (const QString& name : names) source.options.erase(keyOf(name));
                        });
}

}  // namespace farfield::app
