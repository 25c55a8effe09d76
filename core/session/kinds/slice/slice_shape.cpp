#include "core/session/kinds/slice/slice_shape.h"

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {

namespace {

constexpr const char* kAxes[] = {"i", "j", "k"};

void readIndex(const detail::View& view, Slice& out) {
  const detail::View index = view["index"];
  if (!index.present()) {
    for (const char* const key : {"block", "blocks"})
      if (view[key].present())
        view[key].wrong("goes with index", "a plane cuts all blocks; leave it out, or give an index");
    return;
  }
  for (const char* const key : {"origin", "normal", "offsets", "overlaps"})
    if (view[key].present())
      return view[key].wrong("cannot be combined with index", "a slice is a plane, or has an index");
  if (!index.object({"i", "j", "k"})) return;
  IndexSlice its;
  int given = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const detail::View places = index[kAxes[axis]];
    if (!places.present()) continue;
    ++given;
    its.axis = axis;
    if (!detail::readNumbers(places, its.places)) return;
  }
  if (given != 1) return index.wrong("must have one of i, j, k", "write {\"k\": 12.5}");
  detail::readBlocks(view, its.blocks);
  out.index = std::move(its);
}

}  // namespace

void readKeys(const detail::View& view, Slice& out) {
  detail::checkKeys(view, {"origin", "normal", "offsets", "overlaps", "index", "block", "blocks"});
  readIndex(view, out);
  Vec3 origin;
  if (view["origin"].read(origin)) out.origin = origin;
  if (view["normal"].read(out.normal) && out.normal == Vec3{0, 0, 0})
    view["normal"].wrong("has no direction", "give one such as [0, 0, 1]");
  if (view["offsets"].present()) detail::readNumbers(view["offsets"], out.offsets);
  detail::readOverlaps(view, out.resolvesOverlaps);
}

void writeKeys(detail::Keys& out, const Slice& shape) {
  if (shape.index) {
    const std::vector<double>& places = shape.index->places;
    detail::Json index;
    if (places.size() == 1)
      index[kAxes[shape.index->axis]] = places[0];
    else
      index[kAxes[shape.index->axis]] = places;
    out.set("index", std::move(index));
    return out.putBlocks(shape.index->blocks);
  }
  if (shape.origin) out.set("origin", detail::jsonOf(*shape.origin));
  out.put("normal", shape.normal, Slice{}.normal);
  if (!shape.offsets.empty()) out.set("offsets", shape.offsets);
  out.putOverlaps(shape.resolvesOverlaps);
}

}  // namespace farfield::session
