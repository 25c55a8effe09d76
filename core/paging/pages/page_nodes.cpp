#include "core/paging/pages/page_nodes.h"

#include <cstdio>
#include <cstring>

#include "core/base/error.h"

namespace farfield::paging {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

void copyNodes(const std::byte* from, const Index3& fromDims, const Index3& fromFirst, std::byte* to,
               const Index3& toDims, const Index3& toFirst, const Index3& size, std::int64_t nodeBytes) {
  const auto row = static_cast<std::size_t>(size[0] * nodeBytes);
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      std::memcpy(to + linear({toFirst[0], toFirst[1] + j, toFirst[2] + k}, toDims) * nodeBytes,
                  from + linear({fromFirst[0], fromFirst[1] + j, fromFirst[2] + k}, fromDims) * nodeBytes,
                  row);
}

void decodeNodes(const ArrayDescription& array, std::uint64_t pageNumber, const StoredPage& page,
                 std::span<std::byte> nodes, Scratch& scratch, Scratch& padded) {
  if (page.hasChecksum) {
    const std::uint64_t found = checksum(page.bytes);
    if (found != page.checksum)
      throw Corrupt(
          "the stored bytes have checksum " + hex(found) + ", but " + hex(page.checksum) + " is recorded",
          "copy or convert the data again");
  }
  const IndexBox box = array.boxOf(pageNumber);
  if (!page.padded || box.size == array.layout.extent())
    return decode(page.codec, sizeOf(array.type), page.bytes, nodes, scratch);
  padded.resize(static_cast<std::size_t>(array.maxPageBytes()));
  decode(page.codec, sizeOf(array.type), page.bytes, padded, scratch);
  copyNodes(padded.data(), array.layout.extent(), {0, 0, 0}, nodes.data(), box.size, {0, 0, 0}, box.size,
            array.nodeBytes());
}

}  // namespace farfield::paging
