#include "app/model/legend_names.h"

#include <utility>

#include "app/model/followed_names.h"
#include "core/scene/legend_looks.h"

namespace farfield::app {

void followLegends(const DocumentState& before, Draft& draft) {
  const scene::LegendLooks& now = draft.state().frame->image.legends;
  scene::LegendLooks after;
  for (const auto& [key, look] : now) {
    const auto colon = key.find(':');
    const std::string data = key.substr(0, colon);
    // Names of functions may have one as well.
    if (colon == std::string::npos || !(before.frame->find(data) || draft.state().frame->find(data))) {
      after.emplace(key, look);
      continue;
    }
    if (const std::string name = dataAfter(before, draft, data); !name.empty())
      after.emplace(scene::legendKey(name, key.substr(colon + 1)), look);
  }
  if (after != now) draft.frame().image.legends = std::move(after);
}

}  // namespace farfield::app
