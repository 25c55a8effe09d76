#include "core/paging/writing/page_encoder.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging::detail {
namespace {

/// Copies the nodes of a smaller box to the low corner of `extent` and fills the rest with zeros. Zeros, not
/// the last value: where an array is thin there is much padding, and zeros compress to almost nothing.
void pad(const Index3& size, const Index3& extent, std::size_t nodeBytes, std::span<const std::byte> nodes,
         std::span<std::byte> padded) {
  std::fill(padded.begin(), padded.end(), std::byte{0});
  const std::size_t row = static_cast<std::size_t>(size[0]) * nodeBytes;
  const std::size_t paddedRow = static_cast<std::size_t>(extent[0]) * nodeBytes;
  const std::byte* from = nodes.data();
  for (std::int64_t k = 0; k < size[2]; ++k) {
    std::byte* to = padded.data() + static_cast<std::size_t>(k * extent[1]) * paddedRow;
    for (std::int64_t j = 0; j < size[1]; ++j, from += row, to += paddedRow) std::copy_n(from, row, to);
  }
}

}  // namespace

void encodePage(Codec codec, const ArrayDescription& array, const PageId& id,
                std::span<const std::byte> nodes, EncoderWork& work, EncodedPage& page) {
  const IndexBox box = array.boxOf(id.page);
  const auto nodeBytes = static_cast<std::size_t>(array.nodeBytes());
  if (nodes.size() != static_cast<std::size_t>(product(box.size)) * nodeBytes)
    throw Invalid("page " + std::to_string(id.page) + " of array " + array.name + " is given with " +
                  std::to_string(nodes.size()) + " bytes");
  std::span<const std::byte> raw = nodes;
  if (box.size != array.layout.extent()) {
    work.padded.resize(static_cast<std::size_t>(array.maxPageBytes()));
    pad(box.size, array.layout.extent(), nodeBytes, nodes, work.padded);
    raw = work.padded;
  }
  page.id = id;
  page.flags = 0;
  page.bytes.resize(encodedBound(codec, raw.size()));
  page.bytes.resize(encode(codec, sizeOf(array.type), raw, page.bytes, work.scratch));
  if (codec != Codec::None && page.bytes.size() >= raw.size()) {
    page.bytes.assign(raw.begin(), raw.end());
    page.flags = kPageStoredRaw;
  }
  page.checksum = checksum(page.bytes);
}

std::uint64_t encoderBytes(Codec codec, const ArrayDescription& array) {
  const auto raw = static_cast<std::size_t>(array.maxPageBytes());
  return 2 * raw + encodedBound(codec, raw);
}

}  // namespace farfield::paging::detail
