#pragma once
// A store of pages of one shape, for benchmarks that only read pages.

#include <cstdint>
#include <filesystem>

#include "bench/benchmark.h"

namespace farfield::bench {

/// One array "values" of f32 in pages of exactly edge³ nodes, uncompressed, about `bytes` in all, whose nodes
/// have nodeValue() (gather_arrays.h). Throws Io, Cancelled.
void writePageStore(const Request& request, const std::filesystem::path& path, int edge, int components,
                    std::uint64_t bytes);

}  // namespace farfield::bench
