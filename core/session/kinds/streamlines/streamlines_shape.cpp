#include "core/session/kinds/streamlines/streamlines_shape.h"

#include <limits>

#include "core/session/json/line_keys.h"
#include "core/session/json/look_names.h"

namespace farfield::session {
namespace {

constexpr detail::Limits kLength{0, std::numeric_limits<double>::infinity(), true};

/// A time of the flow, or "auto".
void readInterval(const detail::View& view, std::optional<double>& out) {
  if (view.isNumber()) {
    view.read(out, kLength);
  } else if (view.choice({"auto"})) {
    out = Streamlines::kBySpeed;
  }
}

void readRadius(const detail::View& view, LineRadius& out) {
  if (!view.present()) return;
  if (view.isNumber()) {
    view.read(out.constant, kLength);
    return;
  }
  if (!view.object({"by", "range"})) return;
  view["by"].require("name a function, or give one radius");
  detail::readFunction(view["by"], out.by);
  const detail::View range = view["range"];
  range.require("give the radius of the least value and that of the greatest");
  if (!range.present()) return;
  if (!range.isList() || range.json().size() != 2) return range.mustBe("two lengths [least, greatest]");
  for (std::size_t n = 0; n < 2; ++n)
    if (!range.element(n).read(out.range[n], {0, std::numeric_limits<double>::infinity()})) return;
}

}  // namespace

void readKeys(const detail::View& view, Streamlines& out) {
  detail::checkKeys(view, {"vector", "direction", "seeds", "integrator", "spacing", "as", "radius", "twist",
                           "width", "dashes", "every"});
  detail::readLineKeys(view, out);
  view["spacing"].read(out.spacing, kLength);
  if (const auto form = view["as"].choice(kLineFormNames)) out.form = static_cast<LineForm>(*form);
  readRadius(view["radius"], out.radius);
  view["twist"].read(out.twist, {0, std::numeric_limits<double>::infinity()});
  readInterval(view["dashes"], out.dashes);
  std::optional<double> every;
  readInterval(view["every"], every);
  out.every = every.value_or(out.every);
}

void writeKeys(detail::Keys& out, const Streamlines& shape) {
  detail::writeLineKeys(out, shape);
  out.put("spacing", shape.spacing);
  if (shape.form != LineForm::Lines) out.set("as", kLineFormNames[static_cast<std::size_t>(shape.form)]);
  if (shape.dashes == Streamlines::kBySpeed)
    out.set("dashes", "auto");
  else
    out.put("dashes", shape.dashes);
  out.put("every", shape.every, Streamlines::kBySpeed);
  if (!shape.radius.by.empty())
    out.set("radius", {{"by", shape.radius.by}, {"range", shape.radius.range}});
  else
    out.put("radius", shape.radius.constant);
  out.put("twist", shape.twist, 1.0);
}

}  // namespace farfield::session
