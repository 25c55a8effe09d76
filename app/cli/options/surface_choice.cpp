#include "app/cli/options/surface_choice.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include "app/cli/options/command.h"
#include "core/base/units.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"

namespace farfield::cli {
namespace {

UsageError wrongSurface(const std::string& text) {
  return UsageError("'" + text + "' is no surface",
                    "give BLOCK:kmin, BLOCK:all, BLOCK:i=A:B,k=N or a name that info lists")
      .at("--surface");
}

std::optional<std::int64_t> integerIn(const char*& at, const char* end) {
  std::int64_t number = 0;
  const auto [after, failure] = std::from_chars(at, end, number);
  if (failure != std::errc{}) return std::nullopt;
  at = after;
  return number;
}

struct Face {
  std::size_t axis;
  bool low;
};

std::optional<Face> faceNamed(const std::string& word) {
  if (word.size() != 4 || word[0] < 'i' || word[0] > 'k') return std::nullopt;
  if (word.substr(1) != "min" && word.substr(1) != "max") return std::nullopt;
  return Face{static_cast<std::size_t>(word[0] - 'i'), word.substr(1) == "min"};
}

/// "i=A:B,k=N".
session::IndexRange3 rangesNamed(const std::string& ranges, const std::string& text) {
  session::IndexRange3 result;
  bool given[3] = {};
  const char* at = ranges.data();
  const char* const end = at + ranges.size();
  while (true) {
    if (end - at < 3 || *at < 'i' || *at > 'k' || at[1] != '=') throw wrongSurface(text);
    const auto axis = static_cast<std::size_t>(*at - 'i');
    if (given[axis]) throw wrongSurface(text);
    given[axis] = true;
    at += 2;
    const auto first = integerIn(at, end);
    if (!first) throw wrongSurface(text);
    result[axis] = {*first, *first};
    if (at != end && *at == ':') {
      const auto last = integerIn(++at, end);
      if (!last) throw wrongSurface(text);
      result[axis].last = *last;
    }
    if (at == end) return result;
    if (*at++ != ',') throw wrongSurface(text);
  }
}

}  // namespace

std::vector<extract::OrientedSurface> surfacesNamed(const std::string& text,
                                                    const paging::DatasetDescription& description) {
  const auto isNamed = [&](const paging::NamedSurface& surface) { return surface.name == text; };
  if (std::any_of(description.surfaces.begin(), description.surfaces.end(), isNamed))
    return session::sheetsOf({.blocks = {}, .range = {}, .surface = text}, description);
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) throw wrongSurface(text);
  const std::string block = text.substr(0, colon), where = text.substr(colon + 1);
  session::GridSurface surface;
  if (block != "all") {
    const char* at = block.data();
    const auto number = integerIn(at, block.data() + block.size());
    if (!number || *number < 0 || at != block.data() + block.size()) throw wrongSurface(text);
    surface.blocks = {*number};
  }
  const std::optional<Face> face = faceNamed(where);
  if (face)
    surface.range[face->axis] = face->low ? session::IndexRange{0, 0} : session::IndexRange{-1, -1};
  else if (where != "all")
    surface.range = rangesNamed(where, text);
  try {
    std::vector<extract::OrientedSurface> sheets = session::sheetsOf(surface, description);
    if (face && !sheets.empty() && !sheets.front().surface.isFaces())
      for (extract::OrientedSurface& sheet : sheets)
        sheet.towardsLower = face->low && sheet.surface.fixedAxis() == static_cast<int>(face->axis);
    return sheets;
  } catch (const Error& error) {
    throw Invalid(error.message(), error.action()).at("--surface " + text);
  }
}

extract::Plane planeNamed(const std::string& text) {
  std::array<double, 6> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const auto [after, failure] = std::from_chars(at, end, numbers[n]);
    const char wanted = n == 2 ? ':' : ',';
    const bool good = failure == std::errc{} && (n == 5 ? after == end : after != end && *after == wanted);
    if (!good)
      throw UsageError("'" + text + "' is no plane", "give a point and a normal, as 0,0,1:0,0,1")
          .at("--slice");
    at = after + 1;
  }
  try {
    return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
  } catch (const Error& error) {
    throw UsageError(error.message(), error.action()).at("--slice " + text);
  }
}

namespace {

/// "X,Y,Z" with `between` for the comma.
std::string textOf(Vec3 v, const char* between) {
  return formatRounded(v.x) + between + formatRounded(v.y) + between + formatRounded(v.z);
}

/// A face has its name where the normal points out of the block, as of what is chosen by that name.
std::string nameOf(const extract::OrientedSurface& sheet, const paging::DatasetDescription& description) {
  const extract::GridSurface& surface = sheet.surface;
  const IndexBox& nodes = surface.nodes();
  if (surface.isFaces()) {
    for (const paging::NamedSurface& named : description.surfaces)
      if (named.block == surface.block() && named.nodes == nodes) return named.name;
    return std::to_string(surface.block()) + ":all";
  }
  const Index3& dims = description.blocks[static_cast<std::size_t>(surface.block())].dims;
  const int fixed = surface.fixedAxis();
  const std::string block = std::to_string(surface.block()) + ":";
  bool wholeFace = dims[fixed] > 1;
  for (int a = 0; a < 3; ++a) wholeFace = wholeFace && (a == fixed || nodes.size[a] == dims[a]);
  if (wholeFace && nodes.first[fixed] == 0 && sheet.towardsLower) return block + "ijk"[fixed] + "min";
  if (wholeFace && nodes.first[fixed] == dims[fixed] - 1 && !sheet.towardsLower)
    return block + "ijk"[fixed] + "max";
  std::string ranges;
  for (int a = 0; a < 3; ++a) {
    if (a != fixed && nodes.size[a] == dims[a]) continue;
    ranges += (ranges.empty() ? "" : ",") + std::string(1, "ijk"[a]) + "=" + std::to_string(nodes.first[a]);
    if (a != fixed) ranges += ":" + std::to_string(nodes.first[a] + nodes.size[a] - 1);
  }
  return block + ranges;
}

}  // namespace

std::string nameOf(const extract::IntegralSurface& surface, const paging::DatasetDescription& description) {
  if (const auto* const slice = std::get_if<extract::OrientedSlice>(&surface))
    return "slice " + textOf(slice->slice.plane().origin(), ",");
  return nameOf(std::get<extract::OrientedSurface>(surface), description);
}

std::string normalOf(const extract::IntegralSurface& surface) {
  if (const auto* const slice = std::get_if<extract::OrientedSlice>(&surface)) {
    // Adding 0 makes a zero of -0.
    const Vec3 normal = (slice->flipped ? -1.0 : 1.0) * slice->slice.plane().normal() + Vec3{0, 0, 0};
    return "(" + textOf(normal, " ") + ")";
  }
  const auto& sheet = std::get<extract::OrientedSurface>(surface);
  // Faces of cells look to all sides.
  if (sheet.surface.isFaces()) return sheet.towardsLower ? "in" : "out";
  return std::string(sheet.towardsLower ? "-" : "+") + "ijk"[sheet.surface.fixedAxis()];
}

}  // namespace farfield::cli
