#include "core/session/kinds/slabs/slabs_shape.h"

#include <array>

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {
namespace {

constexpr std::array kAxes = {"auto", "x", "y", "z"};

}  // namespace

void readKeys(const detail::View& view, Slabs& out) {
  detail::checkKeys(view, {"source", "by", "transfer", "mode", "value", "lighting", "quality", "clip",
                           "interpolation", "axis", "mesh", "frames"});
  const detail::View source = view["source"];
  if (source.read(out.source) && !out.source.starts_with("slab://"))
    source.wrong("is no renderer", "write slab://HOST:PORT, where farfield-slabd listens");
  readVolume(view, out.shown);
  if (const auto axis = view["axis"].choice(kAxes); axis && *axis > 0) out.axis = static_cast<int>(*axis) - 1;
  view["mesh"].read(out.mesh);
  view["frames"].read(out.frames);
  if (out.frames && out.axis)
    view["axis"].wrong("goes with slabs; whole frames have none", "leave it out, or set frames to false");
}

void writeKeys(detail::Keys& out, const Slabs& shape) {
  if (!shape.source.empty()) out.set("source", shape.source);
  writeVolume(out, shape.shown);
  if (shape.axis) out.set("axis", kAxes[static_cast<std::size_t>(*shape.axis + 1)]);
  out.put("mesh", shape.mesh, true);
  out.put("frames", shape.frames, false);
}

}  // namespace farfield::session
