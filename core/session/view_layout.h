#pragma once
// What each of several views beside one another shows (ViewLayout), and pictures of one of them.

#include <cstddef>

#include "core/session/session.h"

namespace farfield::session {

/// Whether view `number`, from 0, shows `object`, as far as the view decides. A view that there is not shows all.
bool isShownIn(const ViewLayout& layout, std::size_t number, const Object& object);

/// `session` for pictures of that view: with its camera, and without the objects that it does not show, but for those whose values may
/// count for the colours of what it does, as they do where the views are beside one another; all of two data sets that are compared. Throws Invalid where there is no such view.
Session ofView(Session session, std::size_t number);

}  // namespace farfield::session
