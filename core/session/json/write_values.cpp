#include "core/session/json/write_values.h"

#include <cmath>
#include <cstdio>

namespace farfield::session::detail {

Json jsonOf(Vec3 v) {
  return Json::array({v.x, v.y, v.z});
}

Json jsonOf(const std::vector<Vec3>& points) {
  Json list = Json::array();
  for (const Vec3& point : points) list.push_back(jsonOf(point));
  return list;
}

Json jsonOf(const scene::Rgba& color) {
  std::string text = "#";
  for (std::size_t i = 0; i < (color[3] == 1 ? 3u : 4u); ++i) {
    char pair[8];
    std::snprintf(pair, sizeof pair, "%02x", static_cast<int>(std::lround(color[i] * 255.0f)) & 255);
    text += pair;
  }
  return text;
}

Json jsonOf(const scene::Clip& clip) {
  Json out = Json::object();
  if (clip.box) out["box"] = Json::array({jsonOf((*clip.box)[0]), jsonOf((*clip.box)[1])});
  for (const scene::ClipPlane& plane : clip.planes)
    out["planes"].push_back({{"origin", jsonOf(plane.origin)}, {"normal", jsonOf(plane.normal)}});
  return out;
}

Json jsonOf(const IndexRange& range) {
  return Json::array({range.first, range.last});
}

Json jsonOf(const IndexRange3& range) {
  Json out = Json::object();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (range[axis] != IndexRange{}) out[std::string(1, "ijk"[axis])] = jsonOf(range[axis]);
  return out;
}

Json jsonOf(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? Json(texts[0]) : Json(texts);
}

void Keys::putBlocks(const std::vector<std::int64_t>& blocks) {
  if (blocks.size() == 1)
    set("block", blocks[0]);
  else if (!blocks.empty())
    set("blocks", blocks);
}

}  // namespace farfield::session::detail
