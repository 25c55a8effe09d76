// Metadata of Zarr 2, 3 or N5, and a chunk of the array that they describe: refused, or unpacked. Or the metadata of a group around an array
// (images of OME-Zarr, CF's attributes, consolidated metadata): refused, or all of it read.

#include <cstdint>
#include <fstream>
#include <string>

#include "core/base/error.h"
#include "plugins/arrays/chunked_bytes.h"
#include "plugins/zarr/zarr_node.h"
#include "plugins/zarr/zarr_reader.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;

namespace {

/// Folders of version 2 and 3 with an array "0" of 3 x 2 x 4 x 5 bytes in chunks of which none is there.
struct Groups {
  test::TemporaryFolder two, three;
  Groups() {
    std::filesystem::create_directory(two / "0");
    std::filesystem::create_directory(three / "0");
    put(two / ".zgroup", R"({"zarr_format":2})");
    put(two / "0/.zarray",
        R"({"zarr_format":2,"shape":[3,2,4,5],"chunks":[1,2,4,5],"dtype":"|u1","compressor":null,"fill_value":7,"order":"C","filters":null})");
    put(three / "0/zarr.json",
        R"({"zarr_format":3,"node_type":"array","shape":[3,2,4,5],"data_type":"uint8","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1,2,4,5]}},)"
        R"("chunk_key_encoding":{"name":"default"},"fill_value":7,"codecs":[{"name":"bytes"}],"dimension_names":["t","z","y","x"]})");
  }
  static void put(const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary) << text;
  }
};

void openGroup(const std::filesystem::path& folder) {
  MemoryAccount account(std::uint64_t{16} << 20);
  try {
    zarr::ZarrData zarr = zarr::describeZarr(std::make_shared<paging::ByteStores>(), folder.string(), {},
                                             std::make_shared<chunks::ChunkCaches>(account), account);
    const arrays::ArrayReader reader(std::move(zarr.data.description), std::move(zarr.data.places),
                                     std::move(zarr.data.claims));
    for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
      const auto& array = reader.description().arrays[a];
      const Index3 dims = array.layout.dims();
      // chunks that are not there are fill values, as many as metadata say
      if (product(dims) > (1 << 16)) continue;
      std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
      for (const std::int64_t step : {std::int64_t{0}, array.steps - 1})
        reader.read(a, step, {{0, 0, 0}, dims}, nodes);
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // the version, the length of the metadata in two bytes, the metadata, the chunk; or 3, a group's version, its metadata
  constexpr std::size_t kHead = 3;
  constexpr std::int64_t kMostBytes = 1 << 20;
  if (size < kHead) return 0;
  if (data[0] % 4 == 3) {
    static const Groups groups;
    const bool isThree = data[1] % 2 != 0;
    const test::TemporaryFolder& folder = isThree ? groups.three : groups.two;
    const char* const name = isThree ? "zarr.json" : data[2] % 2 != 0 ? ".zmetadata" : ".zattrs";
    Groups::put(folder / name, {reinterpret_cast<const char*>(data) + kHead, size - kHead});
    openGroup(folder.path());
    if (!isThree) std::filesystem::remove(folder / name);
    return 0;
  }
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
