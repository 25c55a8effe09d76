#include "core/paging/sources/store_source.h"

namespace farfield::paging {
namespace {

class StorePlaces final : public PlaceMap {
 public:
  explicit StorePlaces(std::shared_ptr<const StoreFile> store) : m_store(std::move(store)) {}
  const DatasetDescription& description() const override { return m_store->description(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_store->maxStoredBytes(array); }
  PageExtent place(std::uint32_t array, std::uint64_t page) const override {
    return extentOf(page, m_store->place(array, page));
  }
  std::optional<PageExtent> placeIfKnown(std::uint32_t array, std::uint64_t page) const override {
    if (const std::optional<PagePlace> place = m_store->placeIfCached(array, page))
      return extentOf(page, *place);
    return std::nullopt;
  }
  ByteObjects objects() const override { return m_store->pageObjects(); }

 private:
  PageExtent extentOf(std::uint64_t page, const PagePlace& place) const {
    return {.object = m_store->stripes().partOf(page),
            .offset = place.offset,
            .bytes = place.bytes,
            .codec = m_store->codecOf(place),
            .hasChecksum = true,
            .padded = true,
            .checksum = place.checksum};
  }
  std::shared_ptr<const StoreFile> m_store;
};

}  // namespace

std::unique_ptr<PlacedSource> makeStoreSource(std::shared_ptr<const StoreFile> store, MemoryAccount& account,
                                              const StoreSourceOptions& options) {
  return std::make_unique<PlacedSource>(std::make_unique<StorePlaces>(std::move(store)), account, options);
}

}  // namespace farfield::paging
