#include "app/model/legend_names.h"

#include <algorithm>
#include <utility>

#include "app/model/followed_names.h"
#include "app/model/stage.h"
#include "core/scene/legend_looks.h"
#include "core/session/legend_owner.h"

namespace farfield::app {

std::vector<std::string> legendOwners(const Document& document, const Stage& stage,
                                      const std::string& function) {
  std::vector<std::string> owners;
  for (const ObjectId id : document.objectIds()) {
    const ObjectStatus status = stage.status(id);
    if (!status.hasPicture || status.scale.title != function) continue;
    if (std::string its = session::legendOwner(*document.object(id), document.session());
        std::find(owners.begin(), owners.end(), its) == owners.end())
      owners.push_back(std::move(its));
  }
  return owners;
}

void followLegends(const DocumentState& before, Draft& draft) {
  const scene::LegendLooks& now = draft.state().frame->image.legends;
  scene::LegendLooks after;
  for (const auto& [key, look] : now) {
    const auto colon = key.find(':');
    const std::string owner = key.substr(0, colon), data = owner.substr(0, owner.find('/'));
    // Names of functions may have one as well.
    if (colon == std::string::npos || !(before.frame->find(data) || draft.state().frame->find(data))) {
      after.emplace(key, look);
      continue;
    }
    std::string name = dataAfter(before, draft, data);
    if (name.empty()) continue;
    if (scene::isOfOneObject(owner)) {
      const std::string object = objectAfter(before, draft, owner.substr(data.size() + 1));
      if (object.empty()) continue;
      name = scene::ownLegend(name, object);
    }
    after.emplace(scene::legendKey(name, key.substr(colon + 1)), look);
  }
  if (after != now) draft.frame().image.legends = std::move(after);
}

}  // namespace farfield::app
