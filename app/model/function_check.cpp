// Functions and expressions as they are typed for an object.

#include "app/model/field_maker.h"
#include "core/base/error.h"
#include "core/fields/functions.h"

namespace farfield::app {

namespace {

constexpr qsizetype kMostNear = 3;

/// Names that `typed` is the beginning or a part of, else those that begin as it does; a few.
QStringList namesNear(const QString& typed, const std::vector<fields::FunctionInfo>& functions) {
  constexpr qsizetype kSameLetters = 3;
  QStringList beginning, holding, similar;
  for (const fields::FunctionInfo& function : functions) {
    const QString name = QString::fromStdString(function.name);
    if (name.startsWith(typed, Qt::CaseInsensitive))
      beginning.append(name);
    else if (name.contains(typed, Qt::CaseInsensitive))
      holding.append(name);
    else if (typed.size() > kSameLetters && name.startsWith(typed.first(kSameLetters), Qt::CaseInsensitive))
      similar.append(name);
  }
  return (beginning + holding + similar).mid(0, kMostNear);
}

}  // namespace

QStringList partsOfVector(const QString& text) {
  QStringList parts{QString()};
  int depth = 0;
  for (const QChar letter : text) {
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (letter == ',' && depth == 0)
      parts.append(QString());
    else
      parts.back() += letter;
  }
  return parts;
}

std::function<QString(const QString&)> checkOfFunction(const FieldSurroundings& surroundings,
                                                       int components) {
  return [data = surroundings.data, components](const QString& text) -> QString {
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
      const QStringList near = namesNear(asked, fields::availableFunctions(data->description));
      return near.isEmpty() ? what : tr("%1. Near it: %2").arg(what, near.join(", "));
    } catch (const Error& error) {
      const QString what = QString::fromStdString(error.message());
      return error.action().empty() ? what : tr("%1: %2").arg(what, QString::fromStdString(error.action()));
    }
  };
}

}  // namespace farfield::app
