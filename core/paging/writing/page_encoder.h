#pragma once
// From the nodes of a page to the bytes of an HDF5 chunk: padded to the full extent, shuffled and compressed,
// or uncompressed if that is not larger.

#include "core/paging/writing/store_writer.h"

namespace farfield::paging::detail {

/// Scratch memory of encode(), reused. One per thread or task.
struct EncoderWork {
  std::vector<std::byte> padded;
  Scratch scratch;
};

/// Fills `page` (its bytes are reused as a buffer). `nodes` is box.size x nodeBytes of the array.
void encodePage(Codec codec, const ArrayDescription& array, const PageId& id,
                std::span<const std::byte> nodes, EncoderWork& work, EncodedPage& page);

/// Upper bound of what `work` and `page` of a call can grow to.
std::uint64_t encoderBytes(Codec codec, const ArrayDescription& array);

}  // namespace farfield::paging::detail
