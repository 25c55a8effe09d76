#pragma once
// The byte shuffle before compression: byte 0 of every element, then byte 1 of every element, and so on.
// Floating point numbers compress well only in this order, as their high bytes are alike. Same as HDF5's
// shuffle filter: bytes after the last whole element are copied unchanged.

#include <cstddef>
#include <span>

namespace farfield::paging {

/// Shuffles `from` into `to` (as many bytes, not overlapping). `elementBytes` >= 1; with 1 it is a copy.
void shuffle(int elementBytes, std::span<const std::byte> from, std::span<std::byte> to);
/// The inverse.
void unshuffle(int elementBytes, std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace farfield::paging
