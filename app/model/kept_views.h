#pragma once
// Views that are kept in the session, to come back to them: each change is one step of the undo stack.

#include <QString>
#include <string>
#include <variant>

#include "app/model/document.h"

namespace farfield::app {

using AnyCamera = std::variant<session::AutoCamera, session::FixedCamera>;

/// The session's camera as it is now, in a view of width:height `aspect`, under a name that is free. The name.
std::string keepView(Document& document, double aspect);
/// Looks from there, in a view of that shape: all that was seen when it was kept is in sight.
void goToView(Document& document, const std::string& name, double aspect);
/// Another name; empty when it was done, else what is wrong with it.
QString renameView(Document& document, const std::string& name, const QString& to);
/// The session's camera in place of the one that was kept.
void replaceView(Document& document, const std::string& name, double aspect);
void forgetView(Document& document, const std::string& name);

}  // namespace farfield::app
