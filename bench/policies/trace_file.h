#pragma once
// Page traces that `farfield batchvis --page-trace` recorded, as replays take them.

#include <filesystem>

#include "bench/policies/replacement.h"

namespace farfield::bench {

/// Numbers the pages in the order in which they are first asked for. Takes 4 bytes a request and about 60 a
/// page. Throws what the reader throws; Invalid for more than 2^32 - 1 pages.
ReplayTrace loadTrace(const std::filesystem::path& path);

}  // namespace farfield::bench
