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
#include "core/paging/store/store_file.h"
#include "tests/support/memory_object.h"
#include "tests/support/sealed_store.h"

using namespace farfield;
using namespace farfield::paging;
using Bytes = farfield::paging::test::StoreBytes;

namespace {

constexpr std::uint64_t kBudget = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxPagesVisited = 64;

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
    farfield::paging::test::sealIndices(catalog, store, {});
    text = catalogText(catalog);
  } catch (const Error&) {
    // StoreFile gets to see it as it is.
  }
  farfield::paging::test::appendCatalog(text, store);
  MemoryAccount account(kBudget);
  try {
    visit(*StoreFile::open(std::make_shared<farfield::test::MemoryObject>(std::move(store), true), account));
  } catch (const Error&) {
  }
  return 0;
}
