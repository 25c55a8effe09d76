#pragma once
// Texts of pictures with what the data know in them: "Mach {mach}, t = {time}".

#include <cstdint>
#include <string>
#include <vector>

#include "core/paging/pages/description.h"

namespace farfield::session {

/// `text` with {step}, {time} (with as many digits as tell the steps apart) and {date} (the time in words, fields/words/dates.h), and {NAME} of attributes of the data (of this step, where they have one for
/// each: Mach, alpha and Reynolds number of PLOT3D files), replaced. What is not known stays as it is.
std::string pictureText(const std::string& text, const paging::DatasetDescription& data, std::int64_t step);
/// The same of several data: step and times are those of `timed`, at its `timedStep`, whose steps are gone through.
std::string pictureText(const std::string& text, const paging::DatasetDescription& data, std::int64_t step,
                        const paging::DatasetDescription& timed, std::int64_t timedStep);

/// What stands in braces in `text` and would stay as it is.
std::vector<std::string> unknownTextNames(const std::string& text, const paging::DatasetDescription& data);
/// The names that are known, those of every data set first; without what is said of single variables, axes and blocks ("units.NAME").
std::vector<std::string> textNames(const paging::DatasetDescription& data);

}  // namespace farfield::session
