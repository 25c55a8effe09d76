#pragma once
// Views beside one another in the window, as the session has them: how many, what each of them shows, and which of them
// moves on its own. Each change is one step of the undo stack. Names follow the objects and data that they name.

#include <QString>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "app/model/document/document.h"

namespace farfield::app {

enum class Arrangement {
  One,
  Two,      ///< beside one another
  Four,     ///< two rows of two
  Compare,  ///< two data sets, one over the other, with a divider
};
Arrangement arrangementOf(const session::ViewLayout& layout);

/// Width to height of the first view: as it is, and as the wanted arrangement will make it.
struct ViewShapes {
  double now = 1, then = 1;
};
/// Views that are there already keep what they show: a camera that would be cropped by a narrower view sees more, and as much as before
/// once there is room again. False where data sets are to be compared and there are fewer than two.
bool arrange(Document& document, Arrangement arrangement, const ViewShapes& shapes = {});
/// `camera` for view `number`, which has shape `shapes.then`, so that all is in sight that was in one of shape `shapes.now`; with more room
/// later it sees what it did then.
session::FixedCamera keptInSight(Draft& draft, std::size_t number, session::FixedCamera camera,
                                 const ViewShapes& shapes);
/// Shows an object in that view, or no longer.
void showIn(Document& document, std::size_t number, const std::string& object, bool shown);
/// Only objects of these data are shown in that view; empty: of all, the ones hidden there as well.
void showDataIn(Document& document, std::size_t number, const std::string& data);
/// The same of data in no view until now: of data that are compared they take the place, and the colours of what they are compared with.
void showNewDataIn(Document& document, std::size_t number, const std::string& data);
/// The camera of that view alone; none: it moves with the first one. `number` is at least 1.
void setCameraIn(Document& document, std::size_t number, const std::optional<session::FixedCamera>& camera,
                 const QString& text);
/// The same of several views, as one step.
void setCamerasIn(Document& document,
                  const std::map<std::size_t, std::optional<session::FixedCamera>>& cameras,
                  const QString& text);
/// Where the divider is, 0 to 1; steps of one drag are one until endMerge().
void setDivider(Document& document, double place);

/// After a change from `before`: the layout has the objects' and data sets' new names, and none of what is gone.
void followNames(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
