#pragma once
// Which steps of a series are left out: those that there is no file of, and those that the reader found bad.

#include <cstdint>
#include <string>
#include <vector>

#include "app/first/data_summary.h"
#include "core/fields/functions/open_data.h"

namespace farfield::app {

/// A line for each step in the middle of the files of `request` that there is no file of. Throws NotFound, which names
/// the first, where the option badSteps says that it stops the opening.
std::vector<std::string> stepsWithoutFile(const fields::OpenRequest& request);

/// Lines for those that `before`, what was known of the same data, said there was no file of, and whose file has come since: whoever chose
/// the files could not name it, so it is not among those of `request`.
std::vector<std::string> stepsThatCame(const fields::OpenRequest& request,
                                       const std::vector<std::string>& before);

/// Leaves `request` the files that there were when `explanation` was said of the data: of a pattern, others may have come. Throws NotFound,
/// which names the first one in their middle that is gone since.
void keepFiles(fields::OpenRequest& request, const std::vector<std::string>& explanation);

/// Of what is known of data, the lines that say which steps are left out, and why.
std::vector<std::string> stepsLeftOut(const DataSummary& summary);

/// Numbers of those that the reader found bad, among all that it was given.
std::vector<std::int64_t> namedStepsLeftOut(const DataSummary& summary);

}  // namespace farfield::app
