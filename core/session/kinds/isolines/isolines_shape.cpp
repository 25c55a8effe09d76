#include "core/session/kinds/isolines/isolines_shape.h"

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {

void readKeys(const detail::View& view, Isolines& out) {
  detail::checkKeys(view, {"on", "by", "value", "count", "range", "width", "contrast"});
  detail::readOnSurface(view["on"], out.on);
  view["by"].require("name a function");
  detail::readFunction(view["by"], out.by);
  if (view["value"].present()) {
    detail::readNumbers(view["value"], out.values);
    for (const char* const key : {"count", "range"})
      if (view[key].present())
        view[key].wrong("cannot be combined with value", "give the values, or how many there shall be");
  }
  view["count"].read(out.count, 1, Isolines::kMostLines);
  const detail::View range = view["range"];
  if (range.present() && !range.isText("auto")) {
    std::array<double, 2> ends{};
    if (!range.isList() || range.json().size() != 2) return range.mustBe("\"auto\" or [least, greatest]");
    if (!range.element(0).read(ends[0]) || !range.element(1).read(ends[1])) return;
    if (!(ends[0] < ends[1])) return range.wrong("must ascend");
    out.range = ends;
  }
  view["width"].read(out.widthPixels, detail::kWidth);
  view["contrast"].read(out.contrast);
}

void writeKeys(detail::Keys& out, const Isolines& shape) {
  detail::writeOnSurface(out, shape.on);
  out.set("by", shape.by);
  if (shape.values.size() == 1)
    out.set("value", shape.values[0]);
  else if (!shape.values.empty())
    out.set("value", shape.values);
  else
    out.set("count", shape.count);
  out.put("range", shape.range);
  out.put("width", shape.widthPixels, Isolines{}.widthPixels);
  out.put("contrast", shape.contrast, false);
}

}  // namespace farfield::session
