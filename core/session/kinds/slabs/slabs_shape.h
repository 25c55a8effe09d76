#pragma once
// Slabs: a volume that another program, farfield-slabd, renders beside the data. forgetLooks() removes what changes without
// asking for other data.

#include <memory>
#include <optional>
#include <string>

#include "core/session/kinds/kind.h"
#include "core/session/kinds/volume/volume_shape.h"

namespace farfield::session {

struct Slabs {
  static constexpr const char* kType = "slabs";
  std::string source;  ///< slab://HOST:PORT; empty: the data's, which are such a program's then
  Volume shown;
  std::optional<int> axis;  ///< of the slabs, 0 to 2; none: by the view
  bool mesh = true;         ///< slabs are bent by the depth of what they show
  bool frames = false;      ///< whole frames, not slabs
  bool operator==(const Slabs&) const = default;
  void forgetLooks() { shown.forgetLooks(); }
};

void readKeys(const detail::View& view, Slabs& out);
void writeKeys(detail::Keys& out, const Slabs& shape);
std::unique_ptr<ObjectRun> makeRun(const Slabs& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
