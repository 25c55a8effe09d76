#include "app/model/stage/shown_legends.h"

#include <algorithm>
#include <utility>

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

}  // namespace farfield::app
