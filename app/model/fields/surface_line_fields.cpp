// The properties of lines on surfaces: the surface, the vector, how many and how far apart.

#include "app/model/fields/field_maker.h"

namespace farfield::app {
namespace {

using session::Object;
using session::SurfaceLines;

constexpr double kHuge = 1e300;
constexpr const char* kDirections[] = {"both", "forward", "backward"};

SurfaceLines& linesOf(Object& object) {
  return std::get<SurfaceLines>(object.shape);
}
const SurfaceLines& linesOf(const Object& object) {
  return std::get<SurfaceLines>(object.shape);
}

Field& addLength(FieldMaker& make, const QString& group, const char* key, const QString& label,
                 const QString& tip, const QString& otherwise, std::optional<double> SurfaceLines::*place) {
  Field& field = make.number(group, key, label, tip, 0, kHuge);
  field.leastExcluded = true;
  field.unit = tr("length");
  field.automatic = otherwise;
  field.get = [place](const Object& o) {
    const std::optional<double>& its = linesOf(o).*place;
    return its ? QVariant(*its) : QVariant();
  };
  field.set = [place](Object& o, const QVariant& value) {
    linesOf(o).*place = value.isValid() ? std::optional(value.toDouble()) : std::nullopt;
  };
  return field;
}

}  // namespace

void addSurfaceLineFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Lines");
  addOnField(make, group, object, surroundings);
  addVectorField(make, group, tr("The vector whose part along the surface the lines follow."), object,
                 surroundings);
  Field& direction = make.choice(group, "direction", tr("Direction"),
                                 tr("From the starts with the vector, against it, or both."));
  direction.choices = {
      {kDirections[0], tr("Both")}, {kDirections[1], tr("Forward")}, {kDirections[2], tr("Backward")}};
  direction.byDefault = kDirections[0];
  direction.get = [](const Object& o) {
    return QString(kDirections[static_cast<std::size_t>(linesOf(o).direction)]);
  };
  direction.set = [](Object& o, const QVariant& value) {
    for (std::size_t n = 0; n < 3; ++n)
      if (value.toString() == kDirections[n]) linesOf(o).direction = static_cast<session::Direction>(n);
  };
  Field& count =
      make.integer(group, "count", tr("Starts"), tr("How many lines start, spread evenly over the cells."), 1,
                   static_cast<double>(SurfaceLines::kMostLines));
  count.byDefault = QVariant::fromValue<qlonglong>(SurfaceLines{}.count);
  count.get = [](const Object& o) { return QVariant::fromValue<qlonglong>(linesOf(o).count); };
  count.set = [](Object& o, const QVariant& value) { linesOf(o).count = value.toLongLong(); };
  addLength(make, group, "spacing", tr("Keep apart"),
            tr("Lines keep this distance from those that start before them, and end at half of it."),
            tr("any distance"), &SurfaceLines::spacing);
  addLength(make, group, "maxLength", tr("Longest"), tr("Where a line ends that does not end before."),
            tr("the data's size"), &SurfaceLines::maxLength);
}

}  // namespace farfield::app
