#pragma once
// Views that are kept in the session, to come back to them: each change is one step of the undo stack.

#include <QString>
#include <functional>
#include <string>
#include <variant>

#include "app/model/document/document.h"

namespace farfield::app {

using AnyCamera = std::variant<session::AutoCamera, session::FixedCamera>;

/// One of the views beside one another.
struct SeenIn {
  double aspect = 1;  ///< width to height
  /// Its place in the layout if it has a camera of its own; else 0, whose camera is the session's.
  std::size_t number = 0;
};

/// Its camera as it is now, under a name that is free. The name.
std::string keepView(Document& document, const SeenIn& seen);
/// That view looks from there: all that was seen when it was kept is in sight. `automatic` gives such a camera for what a view of its own
/// shows, which has no automatic ones: it is needed unless `seen.number` is 0.
void goToView(Document& document, const std::string& name, const SeenIn& seen,
              const std::function<scene::Camera(const session::AutoCamera&)>& automatic = {});
/// Another name; empty when it was done, else what is wrong with it.
QString renameView(Document& document, const std::string& name, const QString& to);
/// The camera of that view in place of the one that was kept.
void replaceView(Document& document, const std::string& name, const SeenIn& seen);
void forgetView(Document& document, const std::string& name);

}  // namespace farfield::app
