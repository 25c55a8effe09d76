#pragma once
// The keys of objects made of lines that follow a vector from seeds. Internal to core/session.

#include "core/session/json/json_view.h"
#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"
#include "core/session/terms.h"

namespace farfield::session::detail {

/// A vector function, or the names of three components.
void readVector(const View& view, std::vector<std::string>& out);
void readDirection(const View& view, Direction& out);
Seeds readSeeds(const View& view);
void readIntegrator(const View& view, Integrator& out);

/// Steps "A:B:S", or from, to and every.
void readRelease(const View& view, Release& out);
/// "linear" or "cubic", in time.
void readBetween(const View& view, fields::BetweenSteps& out);
/// "lines" or "points".
void readAs(const View& view, bool& asPoints);

/// The keys vector, direction (if `lines` has one), seeds, integrator and width.
template <class Lines>
void readLineKeys(const View& view, Lines& lines) {
  readVector(view["vector"], lines.vector);
  lines.seeds = readSeeds(view["seeds"]);
  readIntegrator(view["integrator"], lines.integrator);
  view["width"].read(lines.widthPixels, kWidth);
  if constexpr (requires { lines.direction; }) readDirection(view["direction"], lines.direction);
  if constexpr (requires { lines.release; }) readRelease(view["release"], lines.release);
  if constexpr (requires { lines.between; }) readBetween(view["interpolation"], lines.between);
  if constexpr (requires { lines.asPoints; }) readAs(view["as"], lines.asPoints);
}
template <class Lines>
void writeLineKeys(Keys& out, const Lines& lines) {
  out.put("vector", lines.vector, Lines{}.vector);
  if constexpr (requires { lines.direction; }) out.put("direction", lines.direction, Lines{}.direction);
  out.set("seeds", jsonOf(lines.seeds));
  if constexpr (requires { lines.release; }) out.put("release", lines.release, Release{});
  out.put("integrator", lines.integrator, Integrator{});
  if constexpr (requires { lines.between; })
    if (lines.between == fields::BetweenSteps::Cubic) out.set("interpolation", "cubic");
  if constexpr (requires { lines.asPoints; })
    if (lines.asPoints) out.set("as", "points");
  out.put("width", lines.widthPixels, Lines{}.widthPixels);
}

}  // namespace farfield::session::detail
