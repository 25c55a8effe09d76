#pragma once
// Asks where the files of data are now that are not where the session says.

#include <string>

class QWidget;

namespace farfield::app {
class AppModel;
}

namespace farfield::ui {

/// Where all of them are there again they are opened.
void askForMovedData(QWidget* parent, app::AppModel& model, const std::string& dataName);

}  // namespace farfield::ui
