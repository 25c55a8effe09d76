#pragma once
// How the bytes of a page are stored. All codecs but None shuffle first: byte 0 of every element, then byte 1
// of every element, …, as HDF5's shuffle filter does for the same element size.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace farfield::paging {

enum class Codec : std::uint8_t { None = 0, Zstd = 1, Lz4 = 2, Gzip = 3 };
const char* nameOf(Codec codec);
/// "none", "zstd", "lz4", "gzip"; throws Invalid.
Codec codecNamed(const std::string& name);

/// Scratch memory of one encode or decode, reused between calls. One per thread or task.
using Scratch = std::vector<std::byte>;

/// Upper bound of the bytes that encode() makes of `rawBytes`.
std::size_t encodedBound(Codec codec, std::size_t rawBytes);
/// Encodes `raw` (elements of `elementBytes`) into `out` (at least encodedBound); returns the bytes used.
std::size_t encode(Codec codec, int elementBytes, std::span<const std::byte> raw, std::span<std::byte> out,
                   Scratch& scratch);
/// Decodes into exactly `out.size()` bytes. Any input is safe; throws Corrupt if it does not decode to so
/// many.
void decode(Codec codec, int elementBytes, std::span<const std::byte> stored, std::span<std::byte> out,
            Scratch& scratch);

/// XXH3, 64 bits, seed 0.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace farfield::paging
