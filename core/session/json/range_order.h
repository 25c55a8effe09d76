#pragma once
// Which ranges of indices no session can have, for who reads them and for who lets them be typed.

#include "core/session/terms.h"

namespace farfield::session {

/// The last is before the first, however many nodes or steps there are. Of ends that are counted from different sides only the data can
/// tell.
constexpr bool runsBackwards(const IndexRange& range) {
  return (range.first < 0) == (range.last < 0) && range.last < range.first;
}

}  // namespace farfield::session
