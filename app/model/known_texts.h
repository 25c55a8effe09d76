#pragma once
// What the data know of a picture's words: values for names in its title and texts, and what its axes are called.

#include "app/model/app_model.h"

namespace farfield::app {

/// The data whose attributes texts of the picture may name: `data`, that a view shows alone, or else the first that are open. Null where
/// none are.
std::shared_ptr<const DataSummary> namedInTexts(AppModel& model, const std::string& data = {});
/// `image` with what these data know put into its title and texts (session::pictureText), and with the names of axes.
session::ImageSettings withKnownTexts(session::ImageSettings image, AppModel& model,
                                      const std::string& data = {});

}  // namespace farfield::app
