#pragma once
// The objects of a session: what is shown, of which data, in which colours. Internal to core/session.

#include "core/session/json/json_view.h"
#include "core/session/session.h"

namespace farfield::session::detail {

/// By what an object is coloured and how, or its one colour. Unchanged where it is not there.
void readColoring(const View& view, Coloring& out);

/// Appends the objects in `list` to those of `session`, whose data have been read.
void readObjects(const View& list, Problems& problems, Session& session);

}  // namespace farfield::session::detail
