#pragma once
// The sample of the contract suite as a paged store.

#include "core/base/file.h"
#include "core/paging/store/store_file.h"
#include "core/paging/writing/store_writer.h"
#include "tests/contract/sample_data.h"

namespace farfield::test {

inline std::filesystem::path writeSampleStore(const std::filesystem::path& path,
                                              paging::Codec codec = paging::Codec::Zstd) {
  using namespace paging;
  MemoryAccount account(std::uint64_t{512} << 20);
  const DatasetDescription description = sampleDescription(8);
  StoreWriter writer(path, description, {.codec = codec}, account);
  for (std::uint64_t sequence = 0; sequence < writer.pageCount(); ++sequence) {
    const PageId id = writer.page(sequence);
    const ArrayDescription& array = description.arrays[id.array];
    const std::vector<std::byte> nodes = samplePage(description, id.array, id.page);
    PageSummary summary(array.components);
    summary.add(nodes, array.type);
    writer.append(writer.encode(id, nodes), summary);
  }
  writer.finish();
  return path;
}

/// Changes a byte of the first page of the store or striped set `opened`; the page is in `file`.
inline void damageFirstPage(const std::filesystem::path& opened, const std::filesystem::path& file) {
  MemoryAccount account(std::uint64_t{64} << 20);
  const std::uint64_t where = paging::StoreFile::open(opened, account)->place(0, 0).offset + 20;
  File its = File::openForWriting(file, false);
  std::byte byte;
  its.readAt(where, {&byte, 1});
  byte ^= std::byte{1};
  its.writeAt(where, {&byte, 1});
}

/// A copy of `store` at `path` in which a byte of the first page is wrong.
inline std::filesystem::path writeDamagedCopy(const std::filesystem::path& store,
                                              const std::filesystem::path& path) {
  std::filesystem::copy_file(store, path);
  damageFirstPage(path, path);
  return path;
}

}  // namespace farfield::test
