#include "core/session/json/line_keys.h"

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "core/session/json/range_order.h"

namespace farfield::session::detail {
namespace {

template <std::size_t N>
void readCounts(const View& view, std::array<std::int64_t, N>& out) {
  view.require();
  if (!view.readIntegers(out, 1, kMaxSeeds)) return;
  std::int64_t total = 1;
  for (const std::int64_t count : out) {
    if (total > kMaxSeeds / count)
      return view.wrong("more than " + std::to_string(kMaxSeeds) + " seeds", "ask for fewer");
    total *= count;
  }
}

Seeds readPointSeeds(const View& view) {
  PointSeeds seeds;
  readPoints(view["points"], seeds.points);
  return seeds;
}

struct SeedsToJson {
  Json operator()(const PointSeeds& s) const { return {{"type", "points"}, {"points", jsonOf(s.points)}}; }
  Json operator()(const LineSeeds& s) const {
    return {{"type", "line"}, {"from", jsonOf(s.from)}, {"to", jsonOf(s.to)}, {"count", s.count}};
  }
  Json operator()(const PlaneSeeds& s) const {
    return {{"type", "plane"},
            {"origin", jsonOf(s.origin)},
            {"axis1", jsonOf(s.axis1)},
            {"axis2", jsonOf(s.axis2)},
            {"counts", s.counts}};
  }
  Json operator()(const BoxSeeds& s) const {
    return {{"type", "box"}, {"min", jsonOf(s.min)}, {"max", jsonOf(s.max)}, {"counts", s.counts}};
  }
  Json operator()(const GridPointSeeds& s) const {
    Json out = {{"type", "grid-points"}, {"block", s.block}};
    Keys keys(out);
    keys.put("range", s.range, IndexRange3{});
    keys.put("stride", s.stride, {1, 1, 1});
    return out;
  }
  Json operator()(const SpreadSeeds& s) const {
    Json out = {{"type", "spread"}, {"count", s.count}};
    if (s.over == SpreadSeeds::Over::Space) out["over"] = "space";
    return out;
  }
};

/// "A:B" or "A:B:S".
std::optional<ReleaseSteps> readStepsText(const std::string& text) {
  ReleaseSteps chosen;
  std::array<std::int64_t*, 3> parts{&chosen.steps.first, &chosen.steps.last, &chosen.stride};
  const char* at = text.data();
  const char* const end = at + text.size();
  std::size_t count = 0;
  for (; count < parts.size(); ++count) {
    const auto [next, failure] = std::from_chars(at, end, *parts[count]);
    if (failure != std::errc{}) return std::nullopt;
    at = next;
    if (at == end) break;
    if (*at++ != ':') return std::nullopt;
  }
  if (at != end || count == parts.size() || chosen.stride < 1) return std::nullopt;
  if (count == 0) chosen.steps.last = chosen.steps.first;
  return chosen;
}

}  // namespace

void readVector(const View& view, std::vector<std::string>& out) {
  std::vector<std::string> names;
  if (!view.readTexts(names)) return;
  if (names.size() != 1 && names.size() != 3)
    return view.mustBe("a name or three names [\"u\", \"v\", \"w\"]");
  out = std::move(names);
}

void readDirection(const View& view, Direction& out) {
  if (const auto direction = view.choice({"both", "forward", "backward"}))
    out = static_cast<Direction>(*direction);
}

Seeds readSeeds(const View& view) {
  view.require("say where the lines start");
  if (!view.isObject()) {
    view.object({});
    return PointSeeds{};
  }
  const View type = view["type"];
  type.require("one of points, line, plane, box, grid-points, spread");
  const auto kind = type.choice({"points", "line", "plane", "box", "grid-points", "spread"});
  if (!kind) return PointSeeds{};
  switch (*kind) {
    case 0: {
      view.object({"type", "points"});
      return readPointSeeds(view);
    }
    case 1: {
      view.object({"type", "from", "to", "count"});
      LineSeeds seeds;
      readRequired(view["from"], seeds.from);
      readRequired(view["to"], seeds.to);
      view["count"].require();
      view["count"].read(seeds.count, 1, kMaxSeeds);
      return seeds;
    }
    case 2: {
      view.object({"type", "origin", "axis1", "axis2", "counts"});
      PlaneSeeds seeds;
      readRequired(view["origin"], seeds.origin);
      readRequired(view["axis1"], seeds.axis1);
      readRequired(view["axis2"], seeds.axis2);
      readCounts(view["counts"], seeds.counts);
      return seeds;
    }
    case 3: {
      view.object({"type", "min", "max", "counts"});
      BoxSeeds seeds;
      readRequired(view["min"], seeds.min);
      readRequired(view["max"], seeds.max);
      readCounts(view["counts"], seeds.counts);
      return seeds;
    }
    case 4: {
      view.object({"type", "block", "range", "stride"});
      GridPointSeeds seeds;
      view["block"].read(seeds.block, 0, kMaxSeeds);
      readRange3(view["range"], seeds.range);
      const View stride = view["stride"];
      if (stride.isNumber()) {
        if (stride.read(seeds.stride[0], 1, kMaxSeeds)) seeds.stride.fill(seeds.stride[0]);
      } else {
        stride.readIntegers(seeds.stride, 1, kMaxSeeds);
      }
      return seeds;
    }
    default: {
      view.object({"type", "count", "over"});
      SpreadSeeds seeds;
      view["count"].require();
      view["count"].read(seeds.count, 1, kMaxSeeds);
      if (const auto over = view["over"].choice({"nodes", "space"}))
        seeds.over = static_cast<SpreadSeeds::Over>(*over);
      return seeds;
    }
  }
}

void readIntegrator(const View& view, Integrator& out) {
  if (!view.object({"method", "tolerance", "step", "maxTime", "maxLength", "maxSteps"})) return;
  if (const auto method = view["method"].choice({"dopri5", "rk4"}))
    out.method = static_cast<IntegratorMethod>(*method);
  if (out.method == IntegratorMethod::Rk4 && view["tolerance"].present())
    view["tolerance"].wrong("rk4 has no tolerance", "set step, in cells, or use dopri5");
  if (out.method == IntegratorMethod::Dopri5 && view["step"].present())
    view["step"].wrong("dopri5 chooses its steps", "set tolerance, or use rk4");
  view["tolerance"].read(out.tolerance, kPositive);
  view["step"].read(out.stepCells, {0, 100, true});
  view["maxTime"].read(out.maxTime, kPositive);
  view["maxLength"].read(out.maxLength, kPositive);
  view["maxSteps"].read(out.maxSteps, 1, kAnyInteger);
}

void readRelease(const View& view, Release& out) {
  if (!view.present() || !view.object({"steps", "from", "to", "every"})) return;
  const View steps = view["steps"];
  if (!steps.present()) {
    ReleaseTimes times;
    for (const char* const key : {"from", "to", "every"}) view[key].require();
    if (!view["from"].read(times.from) || !view["to"].read(times.to) ||
        !view["every"].read(times.every, kPositive))
      return;
    if (times.to < times.from) return view["to"].wrong("must not be before from");
    if ((times.to - times.from) / times.every >= static_cast<double>(kMaxSeeds))
      return view["every"].wrong("more than " + std::to_string(kMaxSeeds) + " times", "give a longer time");
    out = times;
    return;
  }
  for (const char* const key : {"from", "to", "every"})
    if (view[key].present())
      return view[key].wrong("cannot be combined with steps", "give either steps or times");
  ReleaseSteps chosen;
  if (steps.isNumber()) {
    if (!steps.read(chosen.steps.first, -kAnyInteger, kAnyInteger)) return;
    chosen.steps.last = chosen.steps.first;
  } else if (!steps.isText("all")) {
    const auto read = steps.isText() ? readStepsText(steps.json().get<std::string>()) : std::nullopt;
    if (!read) return steps.mustBe("\"all\", a step, \"first:last\" or \"first:last:stride\"");
    chosen = *read;
  }
  if (runsBackwards(chosen.steps)) return steps.wrong("the last is before the first");
  out = chosen;
}

void readBetween(const View& view, fields::BetweenSteps& out) {
  if (const auto between = view.choice({"linear", "cubic"}))
    out = *between == 1 ? fields::BetweenSteps::Cubic : fields::BetweenSteps::Linear;
}

void readAs(const View& view, bool& asPoints) {
  if (const auto as = view.choice({"lines", "points"})) asPoints = *as == 1;
}

Json jsonOf(const Release& release) {
  if (const auto* times = std::get_if<ReleaseTimes>(&release))
    return {{"from", times->from}, {"to", times->to}, {"every", times->every}};
  const auto* const chosen = std::get_if<ReleaseSteps>(&release);
  if (!chosen) return Json::object();
  std::string text = std::to_string(chosen->steps.first) + ":" + std::to_string(chosen->steps.last);
  if (chosen->stride != 1) text += ":" + std::to_string(chosen->stride);
  return {{"steps", text}};
}

Json jsonOf(const Seeds& seeds) {
  return std::visit(SeedsToJson{}, seeds);
}

Json jsonOf(const Integrator& integrator) {
  Json out = Json::object();
  Keys keys(out);
  const bool rk4 = integrator.method == IntegratorMethod::Rk4;
  if (rk4) out["method"] = "rk4";
  keys.put("tolerance", integrator.tolerance);
  if (rk4) keys.put("step", integrator.stepCells, Integrator{}.stepCells);
  keys.put("maxTime", integrator.maxTime);
  keys.put("maxLength", integrator.maxLength);
  keys.put("maxSteps", integrator.maxSteps, Integrator{}.maxSteps);
  return out;
}

Json jsonOf(Direction direction) {
  return direction == Direction::Both ? "both" : direction == Direction::Forward ? "forward" : "backward";
}

}  // namespace farfield::session::detail
