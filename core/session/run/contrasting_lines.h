#pragma once
// Isolines that stand out from their surface: where it is coloured by the function whose values the lines are of, the colour below
// each line is known from its value, and the line is black or white, whichever stands out (Isolines::contrast).

#include <span>

#include "core/session/run/shared_ranges.h"

namespace farfield::session {

/// To be called once the ranges of all items are known. Lines whose surface is not among the items, or is coloured by something
/// else, keep their one colour.
void contrastLines(std::span<const ScaledItem> items);

}  // namespace farfield::session
