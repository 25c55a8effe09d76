#pragma once
// Texts of pictures with what the data know in them: "Mach {mach}, t = {time}".

#include <cstdint>
#include <string>

#include "core/paging/pages/description.h"

namespace farfield::session {

/// `text` with {step}, {time} (with as many digits as tell the steps apart) and {date} (the time in words, fields/dates.h), and {NAME} of attributes of the data (of this step, where they have one for
/// each: Mach, alpha and Reynolds number of PLOT3D files), replaced. What is not known stays as it is.
std::string pictureText(const std::string& text, const paging::DatasetDescription& data, std::int64_t step);

}  // namespace farfield::session
