#pragma once
// Views that are kept in the session, to come back to them: each change is one step of the undo stack.

#include <QString>
#include <string>
#include <variant>

#include "app/model/document.h"

namespace farfield::app {

using AnyCamera = std::variant<session::AutoCamera, session::FixedCamera>;

/// The session's camera as it is now, under a name that is free. The name.
std::string keepView(Document& document);
/// Looks from there.
void goToView(Document& document, const std::string& name);
/// Another name; empty when it was done, else what is wrong with it.
QString renameView(Document& document, const std::string& name, const QString& to);
/// The session's camera in place of the one that was kept.
void replaceView(Document& document, const std::string& name);
void forgetView(Document& document, const std::string& name);

}  // namespace farfield::app
