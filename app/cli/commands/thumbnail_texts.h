#pragma once
// What is written into the file of a small picture beside its pixels, for whoever looks at pictures of data: whose it is, by
// the keys of the freedesktop.org thumbnail specification, and what the data are, by keys of our own.

#include <string>
#include <utility>
#include <vector>

#include "app/first/data_summary.h"

namespace farfield::cli {

/// Keywords and texts. `source` is the first file of the data or a URL, of which neither a user's name nor a query is written,
/// because these may hold secrets. Without the file's time where it has none.
std::vector<std::pair<std::string, std::string>> thumbnailTexts(const std::string& source,
                                                                const app::DataSummary& data);
/// "file:///data/a%20b.vti" of a file's name, an absolute one.
std::string fileUri(const std::string& path);

}  // namespace farfield::cli
