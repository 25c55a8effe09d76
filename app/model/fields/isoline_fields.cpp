// The properties of isolines: the surface they lie on, the function, and where its values come from.

#include <algorithm>

#include "app/first/first_objects.h"
#include "app/model/fields/field_maker.h"

namespace farfield::app {
namespace {

using session::Object;

session::Isolines& linesOf(Object& object) {
  return std::get<session::Isolines>(object.shape);
}
const session::Isolines& linesOf(const Object& object) {
  return std::get<session::Isolines>(object.shape);
}

}  // namespace

void addOnField(FieldMaker& make, const QString& group, const Object& object,
                const FieldSurroundings& surroundings) {
  Field& on = make.choice(group, "on", tr("On"),
                          tr("The object on whose surface this lies. It follows when that is moved."));
  const std::string& present = session::surfaceUnder(object)->name;
  std::vector<std::string> surfaces = surroundings.surfaces;
  std::erase(surfaces, present);
  if (!present.empty()) surfaces.insert(surfaces.begin(), present);
  on.choices = named(surfaces);
  if (present.empty()) on.choices.emplace_back(QString(), tr("A surface of its own"));
  on.get = [](const Object& o) { return QString::fromStdString(session::surfaceUnder(o)->name); };
  on.set = [](Object& o, const QVariant& value) {
    session::surfaceUnder(o)->name = value.toString().toStdString();
  };
}

void addIsolineFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Lines");
  addOnField(make, group, object, surroundings);
  Field& by = make.choice(group, "by", tr("Of"), tr("The function that has one value along each line."));
  std::vector<std::string> scalars;
  if (surroundings.data) scalars = scalarsToChoose(*surroundings.data);
  by.choices = named(including(scalars, linesOf(object).by));
  by.check = checkOfFunction(surroundings, 1);
  by.byDefault = surroundings.data ? QString::fromStdString(usualScalar(*surroundings.data)) : QString();
  by.reshapes = true;
  by.get = [](const Object& o) { return QString::fromStdString(linesOf(o).by); };
  by.set = [](Object& o, const QVariant& value) {
    const std::string name = value.toString().toStdString();
    if (name == linesOf(o).by) return;
    linesOf(o).by = name;
    // values of the other function mean nothing to this one
    linesOf(o).values.clear();
    linesOf(o).range.reset();
  };
  Field& values = make.add(group, "value", tr("Values"), FieldKind::Text,
                           tr("A line for each, such as “0.2, 0.5, 1e3”. Empty: as many as are asked for, "
                              "evenly spaced."));
  values.automatic = tr("evenly spaced");
  values.reshapes = true;
  values.get = [](const Object& o) {
    return linesOf(o).values.empty() ? QVariant() : QVariant(textOfValues(linesOf(o).values));
  };
  values.set = [](Object& o, const QVariant& value) {
    session::Isolines& its = linesOf(o);
    if (value.toString().trimmed().isEmpty()) return its.values.clear();
    auto numbers = valuesFromText(value.toString());
    if (!numbers) return;
    its.values = std::move(*numbers);
    its.count = session::Isolines{}.count;
    its.range.reset();
  };
  values.check = [](const QString& text) {
    return text.trimmed().isEmpty() || valuesFromText(text) ? QString()
                                                            : tr("Write numbers such as “0.2, 0.5”.");
  };
  if (!linesOf(object).values.empty()) return;
  Field& count = make.integer(group, "count", tr("Number"), tr("How many values have lines."), 1,
                              static_cast<double>(session::Isolines::kMostLines));
  count.byDefault = QVariant::fromValue<qlonglong>(session::Isolines{}.count);
  count.get = [](const Object& o) { return QVariant::fromValue<qlonglong>(linesOf(o).count); };
  count.set = [](Object& o, const QVariant& value) { linesOf(o).count = value.toLongLong(); };
  Field& range =
      make.add(group, "range", tr("Between"), FieldKind::Interval,
               tr("The first value and the last one. Otherwise they lie within the values that the "
                  "function has on the surface."));
  range.automatic = tr("on the surface");
  range.get = [](const Object& o) {
    const auto& its = linesOf(o).range;
    return its ? QVariant(QVariantList{(*its)[0], (*its)[1]}) : QVariant();
  };
  range.set = [](Object& o, const QVariant& value) {
    const QVariantList ends = value.toList();
    if (ends.size() == 2 && ends[0].toDouble() < ends[1].toDouble())
      linesOf(o).range = {ends[0].toDouble(), ends[1].toDouble()};
    else
      linesOf(o).range.reset();
  };
}

void addContrastField(FieldMaker& make, const QString& group) {
  Field& contrast = make.flag(
      group, "contrast", tr("Black or white"),
      tr("Each line is black or white, whichever stands out from the colour that the surface has there. "
         "Where the surface is hidden, or shows something else than the function of the lines, all have "
         "the one colour."));
  contrast.byDefault = true;
  contrast.get = [](const Object& o) { return linesOf(o).contrast; };
  contrast.set = [](Object& o, const QVariant& value) { linesOf(o).contrast = value.toBool(); };
}

}  // namespace farfield::app
