#include "core/session/kinds/probe/probe_shape.h"

#include <algorithm>

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {

void readKeys(const detail::View& view, Probe& out) {
  detail::checkKeys(view, {"points", "show", "goesFrom", "texts", "size"});
  detail::readPoints(view["points"], out.points);
  if (out.points.size() > Probe::kMostPoints)
    view["points"].wrong("more than " + std::to_string(Probe::kMostPoints) + " points",
                         "read so many values with farfield probe");
  else if (view["points"].isList() && out.points.empty())
    view["points"].wrong("has no point", "name at least one");
  view["show"].readTexts(out.show);
  for (auto name = out.show.begin(); name != out.show.end(); ++name)
    if (std::find(out.show.begin(), name, *name) != name)
      return view["show"].wrong("'" + *name + "' is there twice", "name each function once");
  if (const detail::View steps = view["goesFrom"]; steps.present()) {
    if (!steps.isList()) return steps.mustBe("a list of steps, one for each point");
    if (steps.json().size() != out.points.size())
      return steps.wrong("has " + std::to_string(steps.json().size()) + " steps for " +
                             std::to_string(out.points.size()) + " points",
                         "give one for each point");
    out.goesFrom.resize(out.points.size());
    steps.readIntegers(out.goesFrom, 0, detail::kAnyInteger);
  }
  view["texts"].read(out.look.texts);
  view["size"].read(out.look.size, {scene::kLeastLegendSize, scene::kMostLegendSize});
}

void writeKeys(detail::Keys& out, const Probe& shape) {
  out.set("points", detail::jsonOf(shape.points));
  if (!shape.show.empty()) out.set("show", detail::jsonOf(shape.show));
  if (!shape.goesFrom.empty()) out.set("goesFrom", shape.goesFrom);
  out.put("texts", shape.look.texts, true);
  out.put("size", shape.look.size, 1.0);
}

}  // namespace farfield::session
