#pragma once
// The files of a set of Cactus/Carpet: one per process (and variable or group), beside each other or in folders that divide them.

#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"

namespace farfield::carpet {

/// All files of the set that `source`, one of them or a folder, belongs to, in the order of processes. Where files are asked for by name
/// (`request.findNamed`, URLs), those of the `processes` that the file itself says there are. Throws NotFound, Unsupported.
std::vector<std::string> filesOf(const std::string& source, std::int64_t processes,
                                 const fields::OpenRequest& request);

/// The first file in a folder that may be of a set; empty if there is none.
std::string firstIn(const std::string& folder);

}  // namespace farfield::carpet
