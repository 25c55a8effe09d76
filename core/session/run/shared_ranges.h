#pragma once
// The ranges of colours in a picture. One quantity has one scale: objects of the same data that are coloured by the
// same function share the range of all values that they show, so that equal colours are equal values.

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace farfield::session {

/// Sets the ends of a scale. A logarithmic one begins above 0: where `range` does not, four decades below its
/// greatest value, and it is noted that there are values which lie below any scale (reachesDown).
void setRange(scene::ColorScale& scale, std::array<double, 2> range);
/// Where a logarithmic scale up to `greatest`, which is above 0, begins that has no lower end of its own.
double leastOfLogarithms(double greatest);
/// A logarithmic scale that begins more than two decades below `usual` begins two decades below it: a few tiny values would
/// take most of the colours. They are then values below the scale (reachesDown).
void beginAtUsual(scene::ColorScale& scale, double usual);

/// The number that all values from `range`'s one end to the other are, where they are one but for rounding: that of single precision,
/// or, on the isosurface of one value, that of numbers of six digits around it, as text files have them: it is then coloured by what
/// it is the surface of, under another name. Nothing where they differ.
std::optional<double> oneValueOf(std::array<double, 2> range, const Object& object);

/// An object and its item in the picture.
struct ScaledItem {
  const Object* object = nullptr;
  scene::SceneItem* item = nullptr;
};

/// Least and greatest value of a function in the whole of some data, in the step shown or in all (RangeOf); nothing where that is
/// not known.
using RangeOfData = std::function<std::optional<std::array<double, 2>>(
    const std::string& data, const std::string& function, RangeOf which)>;

/// Items whose ranges are automatic get that of all of the same data and function, those of the whole data
/// (RangeOf::Step, RangeOf::Data) the one that `ofData` knows. Those with a range of their own, or set apart, keep
/// theirs. Where all values are one but for rounding (oneValueOf) the scale is that one value, and shows one colour. Of volumes this changes colours alone: their opacities are of values, and stay. `compared`: two data sets lie over each other
/// (ViewLayout::over), so that objects of both share.
void shareRanges(std::span<const ScaledItem> items, const RangeOfData& ofData = {}, bool compared = false);

}  // namespace farfield::session
