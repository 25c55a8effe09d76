#pragma once
// Deflate at once: a stream with the frame of zlib or of gzip whose size is known, by libdeflate, where the build has it.
// It takes half of zlib's time. What it does not like is left to zlib, which says what is wrong.

#include <cstddef>
#include <span>

namespace farfield::paging {

/// Unpacks all of `stored` into exactly `out`. False: it did not, and `out` may hold anything; ask zlib. Any input is safe.
/// Thread-safe.
bool inflateAtOnce(std::span<const std::byte> stored, std::span<std::byte> out) noexcept;

}  // namespace farfield::paging
