#include "plugins/hdf5/chunk_rows.h"

#include <algorithm>

#include "plugins/hdf5/structure_fields.h"

namespace farfield::hdf5 {
namespace {

constexpr const char* kWhat = "array of chunks";
/// Places that are kept of an array, and the most of a page that is read here.
constexpr std::size_t kKeptPlaces = 24 << 10;
constexpr unsigned kMostPageBits = 13;
/// The most bytes that say which pages were written.
constexpr std::uint64_t kMostWritten = 64 << 10;

std::uint64_t chunkBytesOf(const IndexedDataset& dataset) {
  std::int64_t bytes = dataset.elementBytes;
  for (const std::int64_t chunk : dataset.chunks) bytes = checkedProduct({bytes, chunk});
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace

ChunkRow::ChunkRow(const IndexedDataset& dataset, const ChunkLayout& layout)
    : m_begin(layout.address == kNowhere ? kNowhere : dataset.base + layout.address),
      m_each(layout.bytes > 0 ? layout.bytes : chunkBytesOf(dataset)),
      m_skipped(layout.skipped) {}

ChunkIndex::Place ChunkRow::place(std::int64_t chunk) const {
  if (m_begin == kNowhere) return {};
  std::uint64_t offset = 0;
  if (__builtin_mul_overflow(m_each, static_cast<std::uint64_t>(chunk), &offset) ||
      __builtin_add_overflow(m_begin, offset, &offset))
    damagedStructure(kWhat);
  return {offset, m_each, m_skipped};
}

std::unique_ptr<const ChunkIndex> ChunkFixedArray::open(const IndexedDataset& dataset,
                                                        std::uint64_t address) {
  std::vector<std::byte> bytes(8 + static_cast<std::size_t>(dataset.lengthBytes + dataset.addressBytes) + 4);
  const std::uint64_t size = dataset.object->size();
  if (dataset.base >= kMostFileBytes || address >= kMostFileBytes || dataset.base + address > size ||
      bytes.size() > size - dataset.base - address)
    damagedStructure(kWhat);
  dataset.object->readAt(dataset.base + address, bytes);
  Fields fields(bytes, kWhat);
  if (!fields.isNext("FAHD")) damagedStructure(kWhat);
  checkStructure(bytes, kWhat);
  if (fields.number(1) != 0) return nullptr;
  Head head;
  const std::uint64_t kind = fields.number(1);
  if (kind > 1) return nullptr;
  head.isFiltered = kind == 1;
  head.entryBytes = static_cast<int>(fields.number(1));
  const auto bits = static_cast<unsigned>(fields.number(1));
  head.count = fields.number(dataset.lengthBytes);
  head.block = fields.address(dataset.addressBytes);
  const int lengths = head.entryBytes - dataset.addressBytes - (head.isFiltered ? 4 : 0);
  if (head.isFiltered ? lengths < 1 || lengths > 8 : lengths != 0) damagedStructure(kWhat);
  if (bits > kMostPageBits || head.count > kMostFileBytes / 64) return nullptr;
  head.pageEntries = std::uint64_t{1} << bits;
  head.pages = head.count > head.pageEntries ? (head.count - 1) / head.pageEntries + 1 : 0;
  if ((head.pages + 7) / 8 > kMostWritten) return nullptr;
  return std::unique_ptr<const ChunkIndex>(new ChunkFixedArray(dataset, head, address));
}

ChunkFixedArray::ChunkFixedArray(IndexedDataset dataset, const Head& head, std::uint64_t address)
    : m_dataset(std::move(dataset)),
      m_head(head),
      m_address(address),
      m_chunkBytes(chunkBytesOf(m_dataset)) {}

std::vector<std::byte> ChunkFixedArray::bytesAt(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t size = m_dataset.object->size();
  if (address >= kMostFileBytes || m_dataset.base + address > size || bytes > size - m_dataset.base - address)
    damagedStructure(kWhat);
  std::vector<std::byte> result(static_cast<std::size_t>(bytes));
  m_dataset.object->readAt(m_dataset.base + address, result);
  return result;
}

std::uint64_t ChunkFixedArray::entriesOf(std::uint64_t page) const {
  return std::min(m_head.pageEntries, m_head.count - page * m_head.pageEntries);
}

/// Of the block: letters, version, kind and the head's address come first, then which pages were written, or the entries.
std::uint64_t ChunkFixedArray::pageBegin(std::uint64_t page) const {
  const std::uint64_t head = 6 + static_cast<std::uint64_t>(m_dataset.addressBytes);
  if (m_head.pages == 0) return m_head.block;
  const std::uint64_t each = m_head.pageEntries * static_cast<std::uint64_t>(m_head.entryBytes) + 4;
  return m_head.block + head + (m_head.pages + 7) / 8 + 4 + page * each;
}

std::uint64_t ChunkFixedArray::pageBytes(std::uint64_t page) const {
  const std::uint64_t head =
      m_head.pages == 0 ? 6 + static_cast<std::uint64_t>(m_dataset.addressBytes) : std::uint64_t{0};
  return head + entriesOf(page) * static_cast<std::uint64_t>(m_head.entryBytes) + 4;
}

ChunkFixedArray::Places ChunkFixedArray::kept(std::uint64_t page) const {
  const std::lock_guard lock(m_mutex);
  const auto found =
      std::find_if(m_pages.begin(), m_pages.end(), [&](const auto& its) { return its.first == page; });
  if (found == m_pages.end()) return nullptr;
  m_pages.splice(m_pages.begin(), m_pages, found);
  return found->second;
}

ChunkFixedArray::Places ChunkFixedArray::read(std::uint64_t page) const {
  const auto checkHead = [&](Fields& fields) {
    if (!fields.isNext("FADB") || fields.number(1) != 0 ||
        fields.number(1) != (m_head.isFiltered ? 1u : 0u) ||
        fields.address(m_dataset.addressBytes) != m_address)
      damagedStructure(kWhat);
  };
  auto places = std::make_shared<std::vector<Place>>(static_cast<std::size_t>(entriesOf(page)));
  if (m_head.pages > 0) {
    std::vector<std::byte> written;
    {
      const std::lock_guard lock(m_mutex);
      written = m_written;
    }
    if (written.empty()) {
      const std::uint64_t head = 6 + static_cast<std::uint64_t>(m_dataset.addressBytes),
                          bits = (m_head.pages + 7) / 8;
      const std::vector<std::byte> bytes = bytesAt(m_head.block, head + bits + 4);
      Fields fields(bytes, kWhat);
      checkHead(fields);
      checkStructure(bytes, kWhat);
      written.assign(bytes.begin() + static_cast<std::ptrdiff_t>(head), bytes.end() - 4);
      const std::lock_guard lock(m_mutex);
      m_written = written;
    }
    const auto bit = static_cast<unsigned>(0x80u >> page % 8);
    if ((std::to_integer<unsigned>(written[static_cast<std::size_t>(page / 8)]) & bit) == 0) return places;
  }
  const std::vector<std::byte> bytes = bytesAt(pageBegin(page), pageBytes(page));
  checkStructure(bytes, kWhat);
  Fields fields(bytes, kWhat);
  if (m_head.pages == 0) checkHead(fields);
  for (Place& place : *places) {
    const std::uint64_t address = fields.address(m_dataset.addressBytes);
    std::uint64_t stored = m_chunkBytes;
    std::uint32_t skipped = 0;
    if (m_head.isFiltered) {
      stored = fields.number(m_head.entryBytes - m_dataset.addressBytes - 4);
      skipped = static_cast<std::uint32_t>(fields.number(4));
    }
    if (address != kNowhere) place = {m_dataset.base + address, stored, skipped};
  }
  return places;
}

ChunkIndex::Place ChunkFixedArray::place(std::int64_t chunk) const {
  const auto number = static_cast<std::uint64_t>(chunk);
  if (number >= m_head.count) damagedStructure(kWhat);
  if (m_head.block == kNowhere) return {};
  const std::uint64_t page = m_head.pages == 0 ? 0 : number / m_head.pageEntries;
  Places places = kept(page);
  if (!places) {
    places = read(page);
    const std::lock_guard lock(m_mutex);
    m_pages.emplace_front(page, places);
    if (m_pages.size() * m_head.pageEntries > kKeptPlaces && m_pages.size() > 1) m_pages.pop_back();
  }
  return (*places)[static_cast<std::size_t>(number - page * m_head.pageEntries)];
}

std::optional<ChunkIndex::Place> ChunkFixedArray::placeIfKnown(std::int64_t chunk) const {
  const auto number = static_cast<std::uint64_t>(chunk);
  if (number >= m_head.count) return std::nullopt;
  if (m_head.block == kNowhere) return Place{};
  const std::uint64_t page = m_head.pages == 0 ? 0 : number / m_head.pageEntries;
  const Places places = kept(page);
  if (!places) return std::nullopt;
  return (*places)[static_cast<std::size_t>(number - page * m_head.pageEntries)];
}

void ChunkFixedArray::expect(std::int64_t chunk) const noexcept try {
  const auto number = static_cast<std::uint64_t>(chunk);
  if (number >= m_head.count || m_head.block == kNowhere) return;
  const std::uint64_t page = m_head.pages == 0 ? 0 : number / m_head.pageEntries;
  if (!kept(page)) m_dataset.object->expect(m_dataset.base + pageBegin(page), pageBytes(page));
} catch (...) {
  // only a hint; place() says what is wrong
}

}  // namespace farfield::hdf5
