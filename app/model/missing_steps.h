#pragma once
// Which steps of a series are left out: those that there is no file of, and those that the reader found bad.

#include <string>
#include <vector>

#include "app/first/data_summary.h"
#include "core/fields/open_data.h"

namespace farfield::app {

/// A line for each step in the middle of the files of `request` that there is no file of. Throws NotFound, which names
/// the first, where the option badSteps says that it stops the opening.
std::vector<std::string> stepsWithoutFile(const fields::OpenRequest& request);

/// Of what is known of data, the lines that say which steps are left out, and why.
std::vector<std::string> stepsLeftOut(const DataSummary& summary);

}  // namespace farfield::app
