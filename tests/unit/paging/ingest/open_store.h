#pragma once
// A store, read whole: what its pages hold, put together again.

#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/file.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/store_file.h"

namespace farfield::paging::test {

/// At one level of detail.
struct OpenStore {
  explicit OpenStore(const std::filesystem::path& path, int level = 0)
      : account(std::uint64_t{1} << 30),
        file(StoreFile::open(path, account, {.level = level})),
        bytes(File::openForReading(path)) {}
  const DatasetDescription& data() const { return file->description(); }
  const ArrayDescription& array(int number) const { return data().arrays[static_cast<std::size_t>(number)]; }

  /// All nodes of an array at a step, i fastest.
  std::vector<std::byte> nodes(int number, std::int64_t step) const {
    const ArrayDescription& a = array(number);
    const auto bytesPerNode = static_cast<std::size_t>(a.nodeBytes());
    const Index3& dims = a.layout.dims();
    std::vector<std::byte> all(static_cast<std::size_t>(product(dims)) * bytesPerNode);
    for (std::int64_t p = 0; p < a.layout.pageCount(); ++p) {
      const PagePlace place = file->place(static_cast<std::uint32_t>(number), a.pageNumber(step, p));
      std::vector<std::byte> stored(place.bytes), page(static_cast<std::size_t>(a.maxPageBytes()));
      bytes.readAt(place.offset, stored);
      Scratch scratch;
      decode(file->codecOf(place), sizeOf(a.type), stored, page, scratch);
      const IndexBox box = a.layout.box(p);
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        const Index3 in = unlinear(n, box.size);
        const auto from = static_cast<std::size_t>(linear(in, a.layout.extent())) * bytesPerNode;
        const auto to = static_cast<std::size_t>(
            linear({box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}, dims));
        std::memcpy(&all[to * bytesPerNode], &page[from], bytesPerNode);
      }
    }
    return all;
  }

  MemoryAccount account;
  std::unique_ptr<StoreFile> file;
  File bytes;
};

}  // namespace farfield::paging::test
