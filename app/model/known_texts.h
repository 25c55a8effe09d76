#pragma once
// What the data know of a picture's words: values for names in its title and texts, and what its axes are called.

#include <cstddef>
#include <string>
#include <vector>

#include "app/model/app_model.h"

namespace farfield::app {

/// Data that something is seen of in a view, counted from 0, in the order of the session, as batch runs have them; all of them where
/// nothing is seen.
std::vector<std::string> dataSeenIn(const session::Session& session, std::size_t view);
/// The data whose attributes texts of that view may name: the first that are seen in it and open. Null where none are.
std::shared_ptr<const DataSummary> namedInTexts(AppModel& model, std::size_t view = 0);
/// The data whose steps and times they name: of those the ones with the most. Null where none are open.
std::shared_ptr<const DataSummary> timedInTexts(AppModel& model, std::size_t view = 0);
/// `image` with what these data know put into its title and texts (session::pictureText), and with the names of axes.
session::ImageSettings withKnownTexts(session::ImageSettings image, AppModel& model, std::size_t view = 0);

}  // namespace farfield::app
