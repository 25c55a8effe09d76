// The properties of streamlines as they are drawn: lines, tubes, ribbons, arrows or particles, how wide, and how far apart.

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "app/first/first_objects.h"
#include "app/model/fields/field_maker.h"

namespace farfield::app {
namespace {

using session::LineForm;
using session::Object;
using session::Streamlines;

constexpr const char* kForms[] = {"lines", "tubes", "ribbons", "arrows", "particles"};
constexpr double kHuge = 1e300;
/// Of tubes, of the size of the lines themselves, so that they are seen as such.
constexpr double kTubeRadius = 0.0075;
/// Of ribbons, of the data's size: their faces and twist are to be seen.
constexpr double kRibbonRadius = 0.01;
/// A small view that shows all of the data is so many pixels wide.
constexpr double kPixelsOfAll = 300;

Streamlines& linesOf(Object& object) {
  return std::get<Streamlines>(object.shape);
}
const Streamlines& linesOf(const Object& object) {
  return std::get<Streamlines>(object.shape);
}

/// How far the axis is stretched in whose lengths widths count. Tubes and arrows are as wide along each axis as that is stretched: the one
/// that is stretched most, along which they would else be thicker than what they are in. Ribbons of layered data lie level, across axes
/// that are stretched alike, whether what lies upright is stretched more or less than these: the one in the middle.
double stretchOfWidths(LineForm form, Vec3 stretch) {
  std::array<double, 3> axes{stretch.x, stretch.y, stretch.z};
  std::sort(axes.begin(), axes.end());
  return form == LineForm::Ribbons ? axes[1] : axes[2];
}

/// As it is seen where the axes are stretched, in the lengths in which widths of `form` count.
double sizeOf(const Bounds& bounds, LineForm form, Vec3 stretch) {
  return length(scene::stretched(bounds.max - bounds.min, stretch)) / stretchOfWidths(form, stretch);
}
double sizeOfData(LineForm form, const FieldSurroundings& its) {
  const bool isKnown = its.data && !its.data->bounds.empty();
  const double size = isKnown ? sizeOf(its.data->bounds, form, its.viewStretch) : 0;
  return size > 0 ? size : 1;
}

/// Half of their width as lines, in a view of all the data.
double radiusAsLines(LineForm form, const Streamlines& lines, const FieldSurroundings& its) {
  return 0.5 * lines.widthPixels * sizeOfData(form, its) / kPixelsOfAll;
}

/// Of lines that take on `form`: they are wide enough to be seen as such, and not thinner than they were. With few digits. None where the
/// one that comes by itself is right.
std::optional<double> firstRadius(LineForm form, const Streamlines& lines, const FieldSurroundings& its) {
  double radius = radiusAsLines(form, lines, its);
  if (form == LineForm::Tubes)
    radius = std::max(radius, kTubeRadius * (its.shown.empty() ? sizeOfData(form, its)
                                                               : sizeOf(its.shown, form, its.viewStretch)));
  else if (form == LineForm::Ribbons)
    radius = std::max(radius, kRibbonRadius * sizeOfData(form, its));
  else if (form != LineForm::Arrows)  // whose heads are as large, and as far apart, as shafts are thick
    return std::nullopt;
  return middleOf({0, 2 * radius});
}

/// For the least and the greatest value of a function.
std::array<double, 2> firstRadii(const Streamlines& lines, const FieldSurroundings& its) {
  const double thinnest = radiusAsLines(lines.form, lines, its);
  const double usual = firstRadius(lines.form, lines, its).value_or(thinnest);
  return {middleOf({0, 2 * std::max(0.5 * usual, thinnest)}), middleOf({0, 4 * usual})};
}

/// Forms get a radius at which they are seen as such, unless one was chosen.
void chooseForm(Streamlines& lines, LineForm form, const FieldSurroundings& surroundings) {
  const LineForm before = std::exchange(lines.form, form);
  session::LineRadius& radius = lines.radius;
  if (before == form || !radius.by.empty()) return;
  if (!radius.constant || radius.constant == firstRadius(before, lines, surroundings))
    radius.constant = firstRadius(form, lines, surroundings);
}

void addOneRadius(FieldMaker& make, const QString& group, const Streamlines& lines,
                  const FieldSurroundings& surroundings) {
  Field& radius = make.number(group, "radius", tr("Radius"), tr("Half the width."), 0, kHuge);
  radius.leastExcluded = true;
  radius.unit = tr("length");
  radius.automatic =
      lines.form == LineForm::Particles ? tr("0.005 of the lines' size") : tr("0.002 of the lines' size");
  if (const auto first = firstRadius(lines.form, lines, surroundings)) radius.byDefault = *first;
  radius.get = [](const Object& o) {
    const auto& constant = linesOf(o).radius.constant;
    return constant ? QVariant(*constant) : QVariant();
  };
  radius.set = [](Object& o, const QVariant& value) {
    linesOf(o).radius.constant = value.isValid() ? std::optional(value.toDouble()) : std::nullopt;
  };
}

void addRadiiByFunction(FieldMaker& make, const QString& group) {
  const auto add = [&](std::size_t end, const char* key, const QString& label, const QString& tip) {
    Field& radius = make.number(group, key, label, tip, 0, kHuge);
    radius.unit = tr("length");
    radius.get = [end](const Object& o) { return linesOf(o).radius.range[end]; };
    radius.set = [end](Object& o, const QVariant& value) { linesOf(o).radius.range[end] = value.toDouble(); };
  };
  add(0, "radius.range.0", tr("At the least"), tr("Half the width where the function has its least value."));
  add(1, "radius.range.1", tr("At the greatest"),
      tr("Half the width where the function has its greatest value."));
}

/// A time of the flow; none: short enough of what is shown.
void addIntervalField(FieldMaker& make, const QString& group, const char* key, const QString& label,
                      const QString& tip, double (*get)(const Streamlines&),
                      void (*set)(Streamlines&, double)) {
  Field& interval = make.number(group, key, label, tip, 0, kHuge);
  interval.leastExcluded = true;
  interval.unit = tr("time");
  interval.automatic = tr("by the speed");
  interval.get = [get](const Object& o) {
    const double its = get(linesOf(o));
    return its != Streamlines::kBySpeed ? QVariant(its) : QVariant();
  };
  interval.set = [set](Object& o, const QVariant& value) {
    set(linesOf(o), value.isValid() ? value.toDouble() : Streamlines::kBySpeed);
  };
}

void addDashFields(FieldMaker& make, const QString& group, const Streamlines& lines) {
  Field& dashed = make.flag(group, "dashed", tr("Moving dashes"),
                            tr("Dashes that go along the lines with the flow: long where it is fast."));
  dashed.byDefault = false;
  dashed.reshapes = true;
  dashed.get = [](const Object& o) { return linesOf(o).dashes.has_value(); };
  dashed.set = [](Object& o, const QVariant& value) {
    auto& dashes = linesOf(o).dashes;
    if (!value.toBool())
      dashes.reset();
    else if (!dashes)
      dashes = Streamlines::kBySpeed;
  };
  if (!lines.dashes) return;
  addIntervalField(
      make, group, "dashes", tr("From dash to dash"),
      tr("Time of the flow between two dashes that follow one another."),
      [](const Streamlines& its) { return its.dashes.value_or(Streamlines::kBySpeed); },
      [](Streamlines& its, double interval) { its.dashes = interval; });
}

void addParticleFields(FieldMaker& make, const QString& group) {
  addIntervalField(
      make, group, "every", tr("From one to the next"),
      tr("Time of the flow between two particles that follow one another. In the view each takes a second for it."),
      [](const Streamlines& its) { return its.every; },
      [](Streamlines& its, double interval) { its.every = interval; });
}

void addTwistField(FieldMaker& make, const QString& group) {
  Field& twist = make.number(
      group, "twist", tr("Twist"),
      tr("1: as far as the flow turns about the line; 0: not at all. Less where it turns so fast that faces are not seen."),
      0, kHuge);
  twist.byDefault = Streamlines{}.twist;
  twist.get = [](const Object& o) { return linesOf(o).twist; };
  twist.set = [](Object& o, const QVariant& value) { linesOf(o).twist = value.toDouble(); };
}

}  // namespace

void addSpacingField(FieldMaker& make) {
  Field& spacing = make.number(
      tr("Seeds"), "spacing", tr("Keep apart"),
      tr("Lines keep this distance from those of seeds before theirs, so that they are evenly dense: seeds "
         "nearer than that to a line give none, and lines end where they come to half of it."),
      0, kHuge);
  spacing.leastExcluded = true;
  spacing.unit = tr("length");
  spacing.automatic = tr("any distance");
  spacing.get = [](const Object& o) {
    return linesOf(o).spacing ? QVariant(*linesOf(o).spacing) : QVariant();
  };
  spacing.set = [](Object& o, const QVariant& value) {
    linesOf(o).spacing = value.isValid() ? std::optional(value.toDouble()) : std::nullopt;
  };
}

void addLineFormFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Form");
  Field& form = make.choice(
      group, "as", tr("Draw as"),
      tr("Ribbons turn about their line as the flow does; arrows have heads; particles go along with it."));
  form.choices = {{kForms[0], tr("Lines")},
                  {kForms[1], tr("Tubes")},
                  {kForms[2], tr("Ribbons")},
                  {kForms[3], tr("Arrows")},
                  {kForms[4], tr("Particles")}};
  form.byDefault = kForms[0];
  form.reshapes = true;
  form.get = [](const Object& o) { return QString(kForms[static_cast<std::size_t>(linesOf(o).form)]); };
  form.set = [surroundings](Object& o, const QVariant& value) {
    const auto found = std::find(std::begin(kForms), std::end(kForms), value.toString());
    if (found != std::end(kForms))
      chooseForm(linesOf(o), static_cast<LineForm>(found - std::begin(kForms)), surroundings);
  };
  const Streamlines& lines = linesOf(object);
  if (lines.form == LineForm::Lines) {
    addWidthField(make, group, Streamlines{}.widthPixels,
                  [](Object& o) -> double& { return linesOf(o).widthPixels; });
    return addDashFields(make, group, lines);
  }
  if (lines.form == LineForm::Particles) addParticleFields(make, group);
  if (lines.form == LineForm::Ribbons) addTwistField(make, group);

  Field& by =
      make.choice(group, "radius.by", tr("Radius by"),
                  tr("The function that the radius follows: linear from its least value to its greatest."));
  by.choices.emplace_back(QString(), tr("One radius"));
  std::vector<std::string> scalars;
  if (surroundings.data) scalars = scalarsToChoose(*surroundings.data);
  for (auto& choice : named(including(scalars, lines.radius.by))) by.choices.push_back(std::move(choice));
  by.check = [check = checkOfFunction(surroundings, 1)](const QString& text) {
    return text.isEmpty() ? QString() : check(text);
  };
  by.byDefault = QString();
  by.reshapes = true;
  by.get = [](const Object& o) { return QString::fromStdString(linesOf(o).radius.by); };
  by.set = [surroundings](Object& o, const QVariant& value) {
    const Streamlines& its = linesOf(o);
    session::LineRadius& radius = linesOf(o).radius;
    const std::string name = value.toString().toStdString();
    if (name == radius.by) return;
    if (name.empty())
      radius = {firstRadius(its.form, its, surroundings), {}, {}};
    else if (radius.by.empty())
      radius = {{}, name, firstRadii(its, surroundings)};
    else
      radius.by = name;
  };
  if (lines.radius.by.empty())
    addOneRadius(make, group, lines, surroundings);
  else
    addRadiiByFunction(make, group);
}

}  // namespace farfield::app
