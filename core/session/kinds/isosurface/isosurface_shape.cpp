#include "core/session/kinds/isosurface/isosurface_shape.h"

#include <string>

#include "core/session/read_values.h"
#include "core/session/write_values.h"

namespace farfield::session {
namespace {

constexpr std::size_t kMostValues = 1000;

}  // namespace

void readKeys(const detail::View& view, Isosurface& out) {
  detail::checkKeys(view, {"by", "value"});
  view["by"].require("name a function");
  detail::readFunction(view["by"], out.by);
  const detail::View value = view["value"];
  value.require();
  if (value.isList()) {
    if (value.json().empty() || value.json().size() > kMostValues)
      return value.wrong("has no value, or more than " + std::to_string(kMostValues),
                         "give some, such as [0.5, 1]");
    out.values.resize(value.json().size());
    for (std::size_t i = 0; i < out.values.size(); ++i) value.element(i).read(out.values[i]);
  } else {
    double number = 0;
    if (value.read(number)) out.values = {number};
  }
}

void writeKeys(detail::Keys& out, const Isosurface& shape) {
  out.set("by", shape.by);
  if (shape.values.size() == 1)
    out.set("value", shape.values[0]);
  else
    out.set("value", shape.values);
}

}  // namespace farfield::session
