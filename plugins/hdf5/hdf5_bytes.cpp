#include "plugins/hdf5/hdf5_bytes.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <unordered_map>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/hdf5/chunk_index.h"
#include "plugins/hdf5/library_dataset.h"

namespace farfield::hdf5 {
namespace {

/// Of an index that only the library reads, places of chunks are asked for so many at a time, and so many such groups are kept of an
/// array. A place takes the library a microsecond: few together, so that scattered points do not pay for chunks that nobody reads.
constexpr std::int64_t kTogether = 16;
constexpr std::size_t kMostGroups = 1024;

LibraryLayout layoutOf(const Dataset& dataset) {
  return {dataset.path, dataset.dims, dataset.chunks, arrays::bytesOf(dataset.type)};
}

class Places final : public chunks::PlacedChunks {
 public:
  Places(std::shared_ptr<File> file, const Dataset& dataset)
      : PlacedChunks(file->object()),
        m_dataset(std::move(file), layoutOf(dataset)),
        m_indexed(indexedOf(dataset)),
        m_wholeOnly(dataset.wholeChunksOnly) {}

  Place place(std::int64_t chunk) const override {
    if (const ChunkIndex* const index = openIndex()) return asStored(chunk, index->place(chunk));
    return placeByLibrary(chunk);
  }

  std::optional<Place> placeIfKnown(std::int64_t chunk) const override {
    switch (m_indexState.load(std::memory_order_acquire)) {
      case IndexState::Unknown:
        return std::nullopt;
      case IndexState::Open:
        if (const std::optional<Place> known = m_index->placeIfKnown(chunk)) return asStored(chunk, *known);
        return std::nullopt;
      case IndexState::None:
        break;
    }
    const std::lock_guard lock(m_mutex);
    const auto found = m_groups.find(chunk / kTogether);
    if (found == m_groups.end()) return std::nullopt;
    m_recent.splice(m_recent.begin(), m_recent, found->second.second);
    return found->second.first[static_cast<std::size_t>(chunk % kTogether)];
  }

  void expectPlace(std::int64_t chunk) const noexcept override {
    if (m_indexState.load(std::memory_order_acquire) == IndexState::Open) m_index->expect(chunk);
  }

 private:
  using Group = std::vector<Place>;
  enum class IndexState { Unknown, Open, None };

  static IndexedDataset indexedOf(const Dataset& dataset) {
    IndexedDataset indexed;
    indexed.header = dataset.address;
    indexed.dims = dataset.dims;
    indexed.chunks = dataset.chunks;
    indexed.hasFixedDims = dataset.hasFixedDims;
    indexed.elementBytes = arrays::bytesOf(dataset.type);
    return indexed;
  }

  /// Null where the library must be asked.
  const ChunkIndex* openIndex() const {
    IndexState state = m_indexState.load(std::memory_order_acquire);
    if (state == IndexState::Unknown) {
      const std::lock_guard lock(m_opening);
      state = m_indexState.load(std::memory_order_acquire);
      if (state == IndexState::Unknown) {
        m_index = readIndex();
        state = m_index ? IndexState::Open : IndexState::None;
        m_indexState.store(state, std::memory_order_release);
      }
    }
    return state == IndexState::Open ? m_index.get() : nullptr;
  }
  std::unique_ptr<const ChunkIndex> readIndex() const {
    if (m_indexed.header == 0) return nullptr;
    const File::Sizes sizes = m_dataset.file().sizes();
    IndexedDataset indexed = m_indexed;
    indexed.object = object();
    indexed.base = sizes.base;
    indexed.addressBytes = sizes.address;
    indexed.lengthBytes = sizes.length;
    indexed.treeEntries = sizes.treeEntries;
    return chunkIndexOf(indexed);
  }
  /// Chunks that reach beyond the end may be stored without filters whatever the index says.
  Place asStored(std::int64_t chunk, Place place) const {
    if (m_wholeOnly && place.bytes > 0 && !m_dataset.isWhole(chunk)) place.skipped = ~std::uint32_t{0};
    return place;
  }

  Place placeByLibrary(std::int64_t chunk) const {
    const std::int64_t number = chunk / kTogether;
    if (const auto known = groupIfKnown(number)) return (*known)[static_cast<std::size_t>(chunk % kTogether)];
    Group group = lookUp(number);
    const std::lock_guard lock(m_mutex);
    if (!m_groups.contains(number)) {
      m_recent.push_front(number);
      m_groups.emplace(number, std::make_pair(std::move(group), m_recent.begin()));
      if (m_groups.size() > kMostGroups) {
        m_groups.erase(m_recent.back());
        m_recent.pop_back();
      }
    }
    return m_groups.at(number).first[static_cast<std::size_t>(chunk % kTogether)];
  }

  std::optional<Group> groupIfKnown(std::int64_t number) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_groups.find(number);
    return found == m_groups.end() ? std::nullopt : std::optional(found->second.first);
  }

  Group lookUp(std::int64_t number) const {
    const std::lock_guard lock(m_lookingUp);
    if (std::optional<Group> known = groupIfKnown(number))
      return *known;  // found by another thread meanwhile
    const std::int64_t first = number * kTogether;
    Group group = m_dataset.places(first, std::min(first + kTogether, m_dataset.count()));
    for (std::size_t n = 0; n < group.size(); ++n)
      group[n] = asStored(first + static_cast<std::int64_t>(n), group[n]);
    return group;
  }

  LibraryDataset m_dataset;
  IndexedDataset m_indexed;
  bool m_wholeOnly;
  mutable std::mutex m_opening, m_lookingUp;
  mutable std::atomic<IndexState> m_indexState{
      IndexState::Unknown};  ///< an index once read stays until the end
  mutable std::unique_ptr<const ChunkIndex> m_index;
  mutable std::mutex m_mutex;
  mutable std::list<std::int64_t> m_recent;  ///< numbers of groups, used last first
  mutable std::unordered_map<std::int64_t, std::pair<Group, std::list<std::int64_t>::iterator>> m_groups;
};

/// Chunks that the library unpacks, one at a time.
class LibraryChunks final : public chunks::ChunkStore {
 public:
  LibraryChunks(std::shared_ptr<File> file, const Dataset& dataset)
      : m_dataset(std::move(file), layoutOf(dataset)) {}

  Stored read(std::int64_t chunk, std::uint64_t, paging::Scratch& buffer) const override {
    const auto bytes = static_cast<std::size_t>(m_dataset.chunkBytes());
    if (buffer.size() < bytes) buffer.resize(bytes);
    const auto values = std::span(buffer).first(bytes);
    m_dataset.read(chunk, values);
    return {values, 0};
  }

 private:
  LibraryDataset m_dataset;
};

/// No chunk is stored.
class NoChunks final : public chunks::ChunkStore {
 public:
  Stored read(std::int64_t, std::uint64_t, paging::Scratch&) const override { return {}; }
};

/// A part of the file.
class Row final : public arrays::ByteSource {
 public:
  Row(std::shared_ptr<const paging::ByteObject> object, std::uint64_t offset, std::uint64_t bytes)
      : m_object(std::move(object)), m_offset(offset), m_bytes(bytes) {}
  std::uint64_t size() const override { return m_bytes; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    m_object->readAt(m_offset + offset, out);
  }

 private:
  std::shared_ptr<const paging::ByteObject> m_object;
  std::uint64_t m_offset, m_bytes;
};

}  // namespace

std::shared_ptr<const arrays::ByteSource> bytesOf(const std::shared_ptr<File>& file, const Dataset& dataset,
                                                  const std::shared_ptr<chunks::ChunkCaches>& caches) {
  if (dataset.storage == Storage::Row) {
    std::int64_t bytes = arrays::bytesOf(dataset.type);
    for (const std::int64_t count : dataset.dims) bytes = checkedProduct({bytes, count});
    const std::uint64_t size = file->object()->size();
    if (dataset.offset > size || static_cast<std::uint64_t>(bytes) > size - dataset.offset)
      throw Corrupt("its dataset " + dataset.path + " lies behind its end",
                    "check that the copy is complete");
    return std::make_shared<Row>(file->object(), dataset.offset, static_cast<std::uint64_t>(bytes));
  }
  chunks::ChunkArrayOptions options;
  options.counts = dataset.dims;
  options.chunks = dataset.chunks;
  options.elementBytes = arrays::bytesOf(dataset.type);
  options.fill = dataset.fill;
  options.caches = caches;
  switch (dataset.storage) {
    case Storage::Chunks:
      options.store = std::make_shared<Places>(file, dataset);
      options.filters = dataset.filters;
      break;
    case Storage::Library:
      options.store = std::make_shared<LibraryChunks>(file, dataset);
      break;
    default:
      options.store = std::make_shared<NoChunks>();
      // of any size: nothing is read
      options.chunks.assign(dataset.dims.size(), 1);
      for (std::size_t d = 0; d < dataset.dims.size(); ++d)
        if (d + 3 >= dataset.dims.size()) options.chunks[d] = std::min<std::int64_t>(dataset.dims[d], 16);
      break;
  }
  if (options.counts.empty()) options.counts = options.chunks = {1};
  return std::make_shared<chunks::ChunkArray>(std::move(options));
}

}  // namespace farfield::hdf5
