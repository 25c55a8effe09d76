#pragma once
// What the panel of plots shows, as the session keeps it: which function, over what.

#include <QString>

#include "app/model/document.h"

namespace farfield::app {

/// As a part of the step before where that has this key, as it belongs to the same choice; else as one of its own.
void keepPlot(Document& document, const session::PlotChoice& plot, const QString& key);

/// The last probes of these data that are no plot's line, or of any data where `dataName` is empty: what a plot over time begins with; 0
/// where there are none.
ObjectId lastProbesOf(const Document& document, const std::string& dataName);

/// After a change from `before`: the plot has the object's and the data's new names; it is of none where the object is gone, and there
/// is no plot where the data are.
void followPlotNames(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
