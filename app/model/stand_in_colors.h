#pragma once
// Colours of objects that follow a function which their data do not have as they are read now, such as one of cells where the values of
// nodes are read: others stand in for them until it is there again.

#include <QStringList>
#include <memory>
#include <string>

#include "app/model/document/document.h"
#include "app/model/workshop/workshop_types.h"

namespace farfield::app {

/// In a step that has read `data`, which are called `dataName`, in another way: objects that are coloured by what these lack take other
/// colours, and those that had to before have theirs again where these are there and nobody has chosen others meanwhile. Returns
/// what has become of them, in sentences for people.
QStringList standInColors(Draft& draft, const std::string& dataName,
                          const std::shared_ptr<const DataSummary>& data);

}  // namespace farfield::app
