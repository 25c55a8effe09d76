#include "app/model/stage/view_bounds.h"

#include <algorithm>

#include "app/model/document/view_layout.h"
#include "core/session/view_layout.h"

namespace farfield::app {

std::vector<std::size_t> linkedViews(const session::ViewLayout& layout, std::size_t number) {
  const auto isLinked = [&](std::size_t each) { return each == 0 || !layout.views[each].camera; };
  if (layout.views.empty()) return {0};
  if (number >= layout.views.size() || !isLinked(number)) return {number};
  std::vector<std::size_t> linked;
  for (std::size_t each = 0; each < layout.views.size(); ++each)
    if (isLinked(each)) linked.push_back(each);
  return linked;
}

std::vector<ObjectId> shownIn(const Document& document, const Stage& stage, const session::ViewLayout& layout,
                              const std::vector<std::size_t>& views) {
  std::vector<ObjectId> shown;
  for (const ObjectId id : document.objectIds()) {
    const session::Object& object = *document.object(id);
    if (stage.status(id).hasPicture && std::any_of(views.begin(), views.end(), [&](std::size_t number) {
          return session::isShownIn(layout, number, object);
        }))
      shown.push_back(id);
  }
  return shown;
}

Bounds boundsIn(const Document& document, const Stage& stage, const session::ViewLayout& layout,
                std::size_t number) {
  std::vector<std::size_t> views{number};
  if (layout.over) views = {0, 1};
  Bounds bounds;
  for (const ObjectId id : shownIn(document, stage, layout, views)) bounds.add(stage.status(id).bounds);
  return bounds.empty() ? stage.bounds() : bounds;
}

}  // namespace farfield::app
