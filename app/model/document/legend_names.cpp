#include "app/model/document/legend_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/model/document/followed_names.h"
#include "core/scene/legend_looks.h"
#include "core/session/legend_owner.h"

namespace farfield::app {
namespace {

session::Session sessionOf(const DocumentState& state) {
  session::Session session = *state.frame;
  session.objects.clear();
  for (const DocumentState::Entry& entry : state.objects) session.objects.push_back(*entry.object);
  return session;
}

/// A legend that several objects have is named for the first of them. Where that one is gone, the next has its look. Names that are left,
/// as data are called after the change.
void handOn(const DocumentState& before, Draft& draft, const std::string& owner,
            const scene::LegendLooks& was, scene::LegendLooks& looks) {
  const session::Session had = sessionOf(before);
  for (const DocumentState::Entry& entry : draft.state().objects) {
    const auto its = std::find_if(before.objects.begin(), before.objects.end(),
                                  [&](const auto& each) { return each.id == entry.id; });
    if (its == before.objects.end() || session::legendOwner(*its->object, had) != owner) continue;
    const std::string heir = scene::ownLegend(entry.object->data, entry.object->name);
    scene::LegendLooks with = looks;
    const std::string begin = scene::legendKey(owner, {});
    for (auto look = was.lower_bound(begin); look != was.end() && look->first.starts_with(begin); ++look)
      with.emplace(scene::legendKey(heir, look->first.substr(begin.size())), look->second);
    session::Session has = sessionOf(draft.state());
    has.image.legends = with;
    if (session::legendOwner(*entry.object, has) == heir) looks = std::move(with);
    return;
  }
}

}  // namespace

void followLegends(const DocumentState& before, Draft& draft) {
  const scene::LegendLooks now = draft.state().frame->image.legends;
  scene::LegendLooks after;
  std::set<std::string> gone;  // owners
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
      if (object.empty()) {
        gone.insert(owner);
        continue;
      }
      name = scene::ownLegend(name, object);
    }
    after.emplace(scene::legendKey(name, key.substr(colon + 1)), look);
  }
  for (const std::string& owner : gone) handOn(before, draft, owner, now, after);
  if (after != now) draft.frame().image.legends = std::move(after);
}

}  // namespace farfield::app
