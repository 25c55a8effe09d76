#pragma once
// The meaning of a session's JSON tree. Internal to core/session.

#include "core/session/json/json_document.h"
#include "core/session/json/json_view.h"
#include "core/session/session.h"

namespace farfield::session::detail {

/// What is wrong goes to `problems`, and has its default in the session. Throws Invalid for what is no object at all.
Session readDocument(const Json& document, Problems& problems);

}  // namespace farfield::session::detail
