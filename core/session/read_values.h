#pragma once
// Values of more than one place in a session. Each tells `view` what is wrong with it. Internal to
// core/session.

#include <cstdint>
#include <limits>
#include <string>

#include "core/session/json_view.h"
#include "core/session/session.h"

namespace farfield::session::detail {

constexpr std::int64_t kAnyInteger = std::numeric_limits<std::int64_t>::max();

/// "#rrggbb" or "#rrggbbaa". False where `out` is as it was.
bool readColor(const View& view, scene::Rgba& out);
/// A name that can be part of a path in overrides, and of a file's name. False where `out` is as it was.
bool readName(const View& view, std::string& out);
/// An index, or the first and the last; counted from the end where negative.
void readRange(const View& view, IndexRange& out);
/// A point that must be there.
void readRequired(const View& view, Vec3& out);

}  // namespace farfield::session::detail
