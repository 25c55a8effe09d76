#pragma once
// What is plotted follows the names of data and objects.

#include "app/model/document/document.h"

namespace farfield::app {

/// After a change from `before`: the plot has the object's and the data's new names. Where the object is gone values are of all of the data,
/// a curve along it is along the line of these data, and where there is none, or no point, there is no plot; nor where the data are gone.
void followPlotNames(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
