#pragma once
// Loads page traces recorded by `farfield batchvis --page-trace` for replay.

#include <filesystem>

#include "bench/policies/replacement.h"

namespace farfield::bench {

/// Numbers the pages in the order of their first requests. Takes 4 bytes a request and about 60 a page.
/// Throws what the reader throws; Invalid for more than 2^32 - 1 pages.
ReplayTrace loadTrace(const std::filesystem::path& path);

}  // namespace farfield::bench
