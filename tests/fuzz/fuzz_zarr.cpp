// Metadata of Zarr 2, 3 or N5, and a chunk of the array that they describe: refused, or unpacked.

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "plugins/arrays/chunked_bytes.h"
#include "plugins/zarr/zarr_node.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // the version, the length of the metadata in two bytes, the metadata, the chunk
  constexpr std::size_t kHead = 3;
  constexpr std::int64_t kMostBytes = 1 << 20;
  if (size < kHead) return 0;
  const std::size_t length = std::min<std::size_t>(size - kHead, data[1] | data[2] << 8);
  const std::string text(reinterpret_cast<const char*>(data) + kHead, length);
  const auto stored = std::as_bytes(std::span(data + kHead + length, size - kHead - length));
  try {
    const zarr::ArrayNode node = data[0] % 3 == 0   ? zarr::arrayOfVersion2("", text, "")
                                 : data[0] % 3 == 1 ? zarr::arrayOfVersion3("", text)
                                                    : zarr::arrayOfN5("", text);
    if (!node.why.empty()) return 0;
    std::int64_t bytes = arrays::bytesOf(node.type);
    for (const std::int64_t extent : node.sharding ? node.sharding->chunks : node.chunks) {
      if (extent > kMostBytes / bytes) return 0;
      bytes *= extent;
    }
    std::vector<std::byte> chunk(static_cast<std::size_t>(bytes));
    paging::Scratch work;
    node.filters.undo(stored, 0, chunk, work);
  } catch (const Error&) {
  }
  return 0;
}
