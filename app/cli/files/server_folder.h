#pragma once
// What a folder of a paging server holds, as `farfield info` says it.

#include <optional>
#include <stop_token>

#include "core/fields/functions/open_data.h"
#include "remote/client/far_url.h"

namespace farfield::cli {

/// The folder that is meant where one source alone is named: a URL of paging servers that names no path, or ends with '/'.
std::optional<remote::FarUrl> folderOf(const fields::OpenRequest& request);

/// Prints what is in it, folders first. Waits. Throws as remote::ServerFolders.
void printFolder(const remote::FarUrl& folder, bool asJson, const std::stop_token& stop);

}  // namespace farfield::cli
