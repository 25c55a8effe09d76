#pragma once
// Values that occur at several places of a session. Each reports problems to `view`. Internal to
// core/session.

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "core/scene/scene.h"
#include "core/session/json/json_view.h"
#include "core/session/terms.h"

namespace farfield::session::detail {

constexpr std::int64_t kAnyInteger = std::numeric_limits<std::int64_t>::max();
/// Seeds are numbered by 32-bit integers in the files that are written.
constexpr std::int64_t kMaxSeeds = std::numeric_limits<std::int32_t>::max();

/// Of lines, in pixels.
constexpr Limits kWidth{0, 100, true};

/// "#rrggbb" or "#rrggbbaa". False if `out` is unchanged.
bool readColor(const View& view, scene::Rgba& out);
/// A map by its name, or { "name", "points" }.
void readMap(const View& view, scene::MapChoice& out);
/// A name that can be part of a path in overrides, and of a file name. False if `out` is unchanged.
bool readName(const View& view, std::string& out);
/// An index, or the first and the last; negative ones count from the end.
void readRange(const View& view, IndexRange& out);
/// Ranges along i, j, k.
void readRange3(const View& view, IndexRange3& out);
/// One number or a list of 1 to 1000. False, and a problem, if it is something else.
bool readNumbers(const View& view, std::vector<double>& out);
/// A function by its name, or by NASA's number.
void readFunction(const View& view, std::string& out);
/// The keys "block" and "blocks" of `view`, of which only one may be present.
void readBlocks(const View& view, std::vector<std::int64_t>& out);
/// The key "overlaps" of `view`: whether each place is shown once where blocks overlap.
void readOverlaps(const View& view, bool& resolves);
/// Checks the keys of an object: those of every kind and `more`.
bool checkKeys(const View& view, std::initializer_list<const char*> more);
/// A list of points, which must be present.
void readPoints(const View& view, std::vector<Vec3>& out);
/// A box and planes.
void readClip(const View& view, scene::Clip& out, std::size_t mostPlanes);
/// A point that must be present.
void readRequired(const View& view, Vec3& out);

}  // namespace farfield::session::detail
