#pragma once
// Probes that stay: places whose values are read at every step and stand beside them in the picture.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/annotation.h"
#include "core/scene/lighting.h"
#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Probe {
  static constexpr const char* kType = "probe";
  static constexpr scene::Lighting kLighting = scene::Lighting::Off;
  /// A picture has no room for more.
  static constexpr std::size_t kMostPoints = 1000;
  std::vector<Vec3> points;       ///< at least one, in the data's coordinates
  std::vector<std::string> show;  ///< functions or expressions; may be empty
  /// Of each point the step at which it lies there in a cell, with which it goes where that moves. Empty: points stay where they are.
  std::vector<std::int64_t> goesFrom = {};
  scene::MarkLook look = {};
  void forgetLooks() { look = {}; }
  bool operator==(const Probe&) const = default;
};

void readKeys(const detail::View& view, Probe& out);
void writeKeys(detail::Keys& out, const Probe& shape);
std::unique_ptr<ObjectRun> makeRun(const Probe& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
