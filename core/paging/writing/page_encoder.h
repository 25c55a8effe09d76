#pragma once
// From the nodes of a page to the bytes of an HDF5 chunk: padded to the full extent, shuffled and compressed,
// or as they are where that would not make them smaller.

#include "core/paging/writing/store_writer.h"

namespace farfield::paging::detail {

/// Memory of one encode(), reused. One per thread or task.
struct EncoderWork {
  std::vector<std::byte> padded;
  Scratch scratch;
};

/// Fills `page` (its bytes are reused as a buffer). `nodes` is box.size x nodeBytes of the array.
void encodePage(Codec codec, const ArrayDescription& array, const PageId& id,
                std::span<const std::byte> nodes, EncoderWork& work, EncodedPage& page);

/// Largest memory of a call: what work and page can grow to.
std::uint64_t encoderBytes(Codec codec, const ArrayDescription& array);

}  // namespace farfield::paging::detail
