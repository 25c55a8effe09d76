#include "core/session/view_layout.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/session/shown_volume.h"

namespace farfield::session {
namespace {

/// Whether the colours of `shown` may be of the values of both (shareRanges()).
bool countsFor(const Object& shown, const Object& other) {
  const std::string function = shownFunction(other);
  return !function.empty() && function == shownFunction(shown) && shown.data == other.data &&
         !shown.color.apart && !other.color.apart;
}

}  // namespace

bool isShownIn(const ViewLayout& layout, std::size_t number, const Object& object) {
  if (number >= layout.views.size()) return true;
  const SideView& side = layout.views[number];
  return (side.data.empty() || side.data == object.data) &&
         std::find(side.hidden.begin(), side.hidden.end(), object.name) == side.hidden.end();
}

Session ofView(Session session, std::size_t number) {
  const std::size_t count = std::max<std::size_t>(1, session.layout.views.size());
  if (number >= count)
    throw Invalid("the session has no view " + std::to_string(number + 1),
                  count == 1 ? "it has one view" : "choose from 1 to " + std::to_string(count));
  if (session.layout.views.empty()) return session;
  if (const auto& camera = session.layout.views[number].camera) session.camera = *camera;
  // Two that are compared have one scale, and one depth.
  if (session.layout.over) return session;
  const std::vector<Object> all = session.objects;
  for (Object& object : session.objects) {
    if (isShownIn(session.layout, number, object)) continue;
    object.visible &= std::any_of(all.begin(), all.end(), [&](const Object& shown) {
      return shown.visible && isShownIn(session.layout, number, shown) && countsFor(shown, object);
    });
  }
  return session;
}

}  // namespace farfield::session
