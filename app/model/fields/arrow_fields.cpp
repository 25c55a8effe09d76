// The properties of arrows: the surface they lie on, the vector, how far apart and how long they are.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "app/model/fields/field_maker.h"
#include "core/scene/camera.h"

namespace farfield::app {
namespace {

using session::ArrowLength;
using session::Arrows;
using session::Object;

constexpr double kHuge = 1e300;
constexpr const char* kLengths[] = {"auto", "equal", "scaled"};

Arrows& arrowsOf(Object& object) {
  return std::get<Arrows>(object.shape);
}
const Arrows& arrowsOf(const Object& object) {
  return std::get<Arrows>(object.shape);
}

void addLengthFields(FieldMaker& make, const QString& group, const Arrows& arrows) {
  Field& length = make.choice(
      group, "length", tr("Length"),
      tr("By the vector: the longest arrow is as long as the spacing. Equal: a little shorter than the spacing."));
  length.choices = {{kLengths[0], tr("By the vector")},
                    {kLengths[1], tr("Equal")},
                    {kLengths[2], tr("By the vector, at a scale")}};
  length.byDefault = kLengths[0];
  length.reshapes = true;
  length.get = [](const Object& o) {
    return QString(kLengths[static_cast<std::size_t>(arrowsOf(o).length)]);
  };
  length.set = [](Object& o, const QVariant& value) {
    const auto found = std::find(std::begin(kLengths), std::end(kLengths), value.toString());
    if (found == std::end(kLengths)) return;
    arrowsOf(o).length = static_cast<ArrowLength>(found - std::begin(kLengths));
    if (arrowsOf(o).length != ArrowLength::Scaled) arrowsOf(o).scale = Arrows{}.scale;
  };
  if (arrows.length != ArrowLength::Scaled) return;
  Field& scale =
      make.number(group, "length.scale", tr("Scale"), tr("Length per unit of the vector."), 0, kHuge);
  scale.leastExcluded = true;
  scale.get = [](const Object& o) { return arrowsOf(o).scale; };
  scale.set = [](Object& o, const QVariant& value) { arrowsOf(o).scale = value.toDouble(); };
}

double leastOf(Vec3 factors) {
  return std::min({factors.x, factors.y, factors.z});
}

/// The spacing in pixels, so that arrows are as dense as the eye likes them. The object keeps a length: they stay where they are
/// when the view moves.
void addSpacingOnScreen(FieldMaker& make, const QString& group, const FieldSurroundings& surroundings) {
  if (!surroundings.pixelLength) return;
  // In lengths of the view, and in those of the stretched axes for which the arrows are spaced.
  const Vec3 view = surroundings.viewStretch;
  const double seen = *surroundings.pixelLength * leastOf(view);
  const auto pixelOf = [view, seen](const Object& o) {
    return seen / leastOf(scene::unstretched(view, arrowsOf(o).stretch));
  };
  Field& onScreen = make.number(
      group, "spacing.onScreen", tr("Spacing, seen"),
      tr("The spacing in pixels of the picture, as the view stands now. When it moves, the arrows "
         "stay where they are."),
      0, kHuge);
  onScreen.leastExcluded = true;
  onScreen.unit = tr("px");
  onScreen.automatic = tr("as the data's size has it");
  onScreen.get = [pixelOf](const Object& o) {
    const auto& spacing = arrowsOf(o).spacing;
    return spacing ? QVariant(std::round(1e3 * *spacing / pixelOf(o)) / 1e3) : QVariant();
  };
  onScreen.set = [pixelOf](Object& o, const QVariant& value) {
    // A spacing of 0 is none, also where so little is left of it.
    arrowsOf(o).spacing =
        value.isValid()
            ? std::optional(std::max(std::numeric_limits<double>::min(), value.toDouble() * pixelOf(o)))
            : std::nullopt;
  };
}

}  // namespace

void addArrowFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Arrows");
  addOnField(make, group, object, surroundings);
  addVectorField(make, group, tr("The vector that the arrows show."), object, surroundings);
  Field& spacing =
      make.number(group, "spacing", tr("Spacing"),
                  tr("From each arrow to the next, along the surface where it is flat."), 0, kHuge);
  spacing.leastExcluded = true;
  spacing.unit = tr("length");
  spacing.automatic = tr("1/40 of the data's size");
  spacing.get = [](const Object& o) {
    return arrowsOf(o).spacing ? QVariant(*arrowsOf(o).spacing) : QVariant();
  };
  spacing.set = [](Object& o, const QVariant& value) {
    arrowsOf(o).spacing = value.isValid() ? std::optional(value.toDouble()) : std::nullopt;
  };
  addSpacingOnScreen(make, group, surroundings);
  addStretchField(make, group,
                  tr("Spacing and lengths are those of the view, with its axes as they are stretched when "
                     "this is ticked; without it, those of the data."),
                  object, surroundings);
  Field& tangential = make.flag(group, "tangential", tr("Along the surface"),
                                tr("Only the part of the vector that lies in the surface."));
  tangential.byDefault = false;
  tangential.get = [](const Object& o) { return arrowsOf(o).tangential; };
  tangential.set = [](Object& o, const QVariant& value) { arrowsOf(o).tangential = value.toBool(); };
  addLengthFields(make, group, arrowsOf(object));
}

}  // namespace farfield::app
