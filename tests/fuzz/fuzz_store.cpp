// Anything as a store: bytes of an index, then a catalog. The checksums are made right first, as a forger
// would, so that the fuzzer gets past them to the code that must hold without them.
//
// Input: u16 index bytes (little-endian), the index, the catalog as JSON.
// Run: fuzz_store CORPUS -max_len=16384

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/store/store_file.h"
#include "tests/support/memory_object.h"

using namespace farfield;
using namespace farfield::paging;
using Bytes = std::vector<std::byte>;

namespace {

constexpr std::uint64_t kBudget = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxPagesVisited = 64;

bool lies(const NodePlace& place, const Bytes& store) {
  return place.offset >= kPayloadStart && place.offset <= store.size() &&
         place.bytes <= store.size() - place.offset;
}

std::uint64_t sumOf(const NodePlace& place, const Bytes& store) {
  return checksum(std::span(store).subspan(place.offset, place.bytes));
}

/// Makes the checksums below a node right, then its own. Parents come to see the sums of their children;
/// where nodes overlap some stay wrong, which is an input like any other.
void seal(NodePlace& node, int level, int components, Bytes& store, int& nodesLeft) {
  if (!lies(node, store) || --nodesLeft < 0) return;
  const auto recordBytes = static_cast<std::uint64_t>(childRecordBytes(components));
  for (std::uint64_t at = 0; level > 0 && at + recordBytes <= node.bytes; at += recordBytes) {
    for (const std::uint64_t part : {std::uint64_t{0}, std::uint64_t{sizeof(NodePlace)}}) {
      std::byte* record = store.data() + node.offset + at + part;
      auto child = load<NodePlace>(record);
      seal(child, level - 1, components, store, nodesLeft);
      farfield::store(record, child);
    }
  }
  node.checksum = sumOf(node, store);
}

void visit(const StoreFile& store) {
  for (std::uint32_t a = 0; a < store.description().arrays.size(); ++a) {
    const auto pages = static_cast<std::uint64_t>(store.description().arrays[a].pageCount());
    for (std::uint64_t n = 0; n < std::min(pages, kMaxPagesVisited); ++n) {
      const std::uint64_t page = n % 2 ? n : pages - 1 - n;
      try {
        const PagePlace place = store.place(a, page);
        if (place.bytes > store.maxStoredBytes(a) || place.offset + place.bytes > store.fileBytes())
          std::abort();
      } catch (const Error&) {
      }
      try {
        store.summary(a, page);
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::span<const std::byte> input = std::as_bytes(std::span(data, size)).subspan(2);
  const std::size_t indexBytes = std::min<std::size_t>(load<std::uint16_t>(data), input.size());
  Bytes store;
  store.resize(kPayloadStart);
  store.insert(store.end(), input.begin(), input.begin() + static_cast<std::ptrdiff_t>(indexBytes));
  std::string text(reinterpret_cast<const char*>(input.data()) + indexBytes, input.size() - indexBytes);
  try {
    Catalog catalog = catalogFromText(text);
    int nodesLeft = 1000;
    for (std::size_t n = 0; n < catalog.indices.size(); ++n) {
      const ArrayDescription& array = catalog.description.arrays[n];
      const detail::IndexShape shape(array.pageCount(), array.components);
      seal(catalog.indices[n].root, shape.levels(), array.components, store, nodesLeft);
    }
    text = catalogText(catalog);
  } catch (const Error&) {
    // StoreFile gets to see it as it is.
  }
  Trailer trailer;
  const auto catalogBytes = std::as_bytes(std::span(text));
  trailer.catalog = {store.size(), text.size(), checksum(catalogBytes)};
  store.insert(store.end(), catalogBytes.begin(), catalogBytes.end());
  trailer.fileBytes = store.size() + sizeof trailer;
  trailer.checksum =
      checksum(std::as_bytes(std::span(&trailer, 1)).first(sizeof trailer - sizeof trailer.checksum));
  const auto end = std::as_bytes(std::span(&trailer, 1));
  store.insert(store.end(), end.begin(), end.end());
  MemoryAccount account(kBudget);
  try {
    visit(*StoreFile::open(std::make_shared<test::MemoryObject>(std::move(store), true), account));
  } catch (const Error&) {
  }
  return 0;
}
