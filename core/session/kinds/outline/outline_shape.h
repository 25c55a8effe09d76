#pragma once
// Outlines: the edges of blocks.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/scene/lighting.h"
#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Outline {
  static constexpr const char* kType = "outline";
  static constexpr scene::Lighting kLighting = scene::Lighting::Off;
  std::vector<std::int64_t> blocks;  ///< empty: all
  double widthPixels = 1;
  void forgetLooks() { widthPixels = 1; }
  bool operator==(const Outline&) const = default;
};

void readKeys(const detail::View& view, Outline& out);
void writeKeys(detail::Keys& out, const Outline& shape);
std::unique_ptr<ObjectRun> makeRun(const Outline& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
