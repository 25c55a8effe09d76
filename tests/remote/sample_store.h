#pragma once
// The sample of the contract suite as a paged store.

#include "core/paging/writing/store_writer.h"
#include "tests/contract/sample_data.h"

namespace farfield::test {

inline std::filesystem::path writeSampleStore(const std::filesystem::path& path) {
  using namespace paging;
  MemoryAccount account(std::uint64_t{512} << 20);
  const DatasetDescription description = sampleDescription(8);
  StoreWriter writer(path, description, {.codec = Codec::Zstd}, account);
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

}  // namespace farfield::test
