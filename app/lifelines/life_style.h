#pragma once
// What pictures of life lines share, drawn from a log or while it goes on: the colours of what is done for steps, even and odd ones,
// and the marks of the axis of time.

#include <optional>
#include <string_view>

#include "core/scene/scene.h"

namespace farfield::lifelines {

/// Of "loading", "rendering", "sending", "receiving", "awaiting a picture"; none for anything else. They suit light backgrounds and dark
/// ones.
std::optional<scene::Rgba> stepColor(std::string_view label, bool odd);

/// Times in the unit in which a step of an axis is a small number.
struct TimeUnit {
  double seconds;
  const char* name;
};
TimeUnit unitOf(double step);
/// 1, 2 or 5 times a power of ten, such that `range` has at most `most` steps.
double niceStep(double range, int most);

}  // namespace farfield::lifelines
