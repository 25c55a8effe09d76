// Functions and expressions as they are typed for an object.

#include <algorithm>

#include "app/model/fields/field_maker.h"
#include "core/base/error.h"
#include "core/base/near_names.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/functions.h"

namespace farfield::app {

QStringList partsOfVector(const QString& text) {
  QStringList parts;
  for (const std::string& part : fields::partsOfVector(text.toStdString()))
    parts.append(QString::fromStdString(part));
  return parts;
}

std::function<QString(const QString&)> checkOfFunction(const FieldSurroundings& surroundings,
                                                       int components) {
  return [data = surroundings.data, components](const QString& text) -> QString {
    const QStringList names = components == 3 ? partsOfVector(text) : QStringList{text};
    const bool leavesOut =
        std::any_of(names.begin(), names.end(), [](const QString& name) { return name.trimmed().isEmpty(); });
    if (names.isEmpty() || leavesOut) return tr("Write a function, or an expression.");
    if (!data) return {};
    QString asked;
    const auto numbersOf = [&](const QString& name) {
      asked = name.trimmed();
      return fields::FunctionPlan(data->description, {name.trimmed().toStdString()})
          .functions()[0]
          .components;
    };
    try {
      const QStringList parts = partsOfVector(text);
      if (components == 3 && parts.size() == 3) {
        for (const QString& part : parts)
          if (numbersOf(part) != 1)
            return tr("“%1” is a vector: one number is needed for each direction.").arg(part.trimmed());
        return {};
      }
      if (numbersOf(text) == components) return {};
      return components == 1
                 ? tr("That is a vector: take one of its components, or its magnitude.")
                 : tr("That is one number: write a vector, or three functions with commas between.");
    } catch (const NotFound& error) {
      // The list of all names would cover the panel; they are in the list of the field.
      const QString what = QString::fromStdString(error.message());
      std::vector<std::string> known;
      for (const fields::FunctionInfo& function : fields::availableFunctions(data->description))
        if (function.components == components) known.push_back(function.name);
      const std::string guess = asGuess(nearNames(asked.toStdString(), known));
      return guess.empty() ? what : tr("%1: %2").arg(what, QString::fromStdString(guess));
    } catch (const Error& error) {
      const QString what = QString::fromStdString(error.message());
      return error.action().empty() ? what : tr("%1: %2").arg(what, QString::fromStdString(error.action()));
    }
  };
}

}  // namespace farfield::app
