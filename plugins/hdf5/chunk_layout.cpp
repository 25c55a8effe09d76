#include "plugins/hdf5/chunk_layout.h"

#include <algorithm>

#include "plugins/hdf5/structure_fields.h"

namespace farfield::hdf5 {
namespace {

constexpr const char* kWhat = "object header";
/// No header is longer, or in more parts. Such a file is not left to the library, which would go around in circles in its tree.
constexpr std::uint64_t kMostHeaderBytes = 64 << 20;
constexpr std::size_t kMostParts = 65536;
constexpr std::uint64_t kLayoutMessage = 8, kContinuationMessage = 16;

/// Thrown within this file: what is here is legal, perhaps, but not read here.
struct NotKnown {};

/// The messages of an object header, part after part, until the layout is found.
class HeaderReader {
 public:
  explicit HeaderReader(const IndexedDataset& dataset) : m_dataset(dataset) {}

  /// The bytes of the layout's message.
  std::vector<std::byte> layout() {
    // most headers fit in this; what follows is read with the rest if they do not
    std::vector<std::byte> head = some(m_dataset.header, 1024);
    Fields fields(head, kWhat);
    std::uint64_t bytes = 0;
    if (fields.isNext("OHDR")) {
      m_isNew = true;
      if (fields.number(1) != 2) throw NotKnown();
      m_flags = static_cast<unsigned>(fields.number(1));
      fields.skip((m_flags & 0x20 ? 16 : 0) + (m_flags & 0x10 ? 4 : 0));
      bytes = fields.number(1 << (m_flags & 3));
      if (bytes > kMostHeaderBytes) damagedStructure(kWhat);
      const std::size_t begin = fields.at();
      readWhole(head, m_dataset.header, begin + bytes + 4);
      checkStructure(std::span(head).first(begin + bytes + 4), kWhat);
      if (auto found = search(std::span(head).subspan(begin, bytes))) return *found;
    } else {
      if (fields.number(1) != 1) throw NotKnown();
      fields.skip(7);
      bytes = fields.number(4);
      if (bytes > kMostHeaderBytes) damagedStructure(kWhat);
      readWhole(head, m_dataset.header, kOldPrefix + bytes);
      if (auto found = search(std::span(head).subspan(kOldPrefix, bytes))) return *found;
    }
    for (std::size_t n = 0; n < m_parts.size(); ++n) {
      if (n >= kMostParts) damagedStructure(kWhat);
      const Part part = m_parts[n];
      bytes += part.bytes;
      if (part.bytes > kMostHeaderBytes || bytes > kMostHeaderBytes) damagedStructure(kWhat);
      std::vector<std::byte> more;
      readWhole(more, part.address, part.bytes);
      std::span<const std::byte> messages(more);
      if (m_isNew) {
        if (!Fields(messages, kWhat).isNext("OCHK")) damagedStructure(kWhat);
        checkStructure(messages, kWhat);
        if (messages.size() < 8) damagedStructure(kWhat);
        messages = messages.subspan(4, messages.size() - 8);
      }
      if (auto found = search(messages)) return *found;
    }
    damagedStructure(kWhat);
  }

 private:
  static constexpr std::size_t kOldPrefix = 16;
  struct Part {
    std::uint64_t address, bytes;
  };

  std::uint64_t placeOf(std::uint64_t address) const {
    if (address >= kMostFileBytes || m_dataset.base >= kMostFileBytes) damagedStructure(kWhat);
    return m_dataset.base + address;
  }
  /// Up to `most` bytes, fewer at the end of the file.
  std::vector<std::byte> some(std::uint64_t address, std::uint64_t most) const {
    const std::uint64_t place = placeOf(address), size = m_dataset.object->size();
    if (place >= size) damagedStructure(kWhat);
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(most, size - place)));
    m_dataset.object->readAt(place, bytes);
    return bytes;
  }
  /// Makes `bytes` at least `wanted` bytes long.
  void readWhole(std::vector<std::byte>& bytes, std::uint64_t address, std::uint64_t wanted) const {
    if (bytes.size() >= wanted) return;
    bytes = some(address, wanted);
    if (bytes.size() < wanted) damagedStructure(kWhat);
  }

  std::optional<std::vector<std::byte>> search(std::span<const std::byte> messages) {
    Fields fields(messages, kWhat);
    const std::size_t head = m_isNew ? (m_flags & 4 ? 6 : 4) : 8;
    // what is left behind the last message is a gap
    while (fields.left() >= head) {
      const std::uint64_t type = fields.number(m_isNew ? 1 : 2), size = fields.number(2);
      const std::uint64_t flags = fields.number(1);
      fields.skip(head - (m_isNew ? 4 : 5));
      const std::size_t begin = fields.at();
      fields.skip(static_cast<std::size_t>(size));
      const auto body = messages.subspan(begin, static_cast<std::size_t>(size));
      if (type == kLayoutMessage) {
        if (flags & 2) throw NotKnown();  // it lies elsewhere
        return std::vector<std::byte>(body.begin(), body.end());
      }
      if (type == kContinuationMessage) {
        Fields its(body, kWhat);
        const std::uint64_t address = its.address(m_dataset.addressBytes);
        m_parts.push_back({address, its.number(m_dataset.lengthBytes)});
      }
    }
    return std::nullopt;
  }

  const IndexedDataset& m_dataset;
  bool m_isNew = false;
  unsigned m_flags = 0;
  std::vector<Part> m_parts;
};

class LayoutReader {
 public:
  LayoutReader(const IndexedDataset& dataset, std::span<const std::byte> message)
      : m_dataset(dataset), m_fields(message, "layout") {}

  ChunkLayout read() {
    const std::uint64_t version = m_fields.number(1);
    if (version == 1 || version == 2) return readFirst();
    if (version != 3 && version != 4) throw NotKnown();
    if (m_fields.number(1) != kChunked) throw NotKnown();
    if (version == 4) return readNewest();
    const std::uint64_t rank = m_fields.number(1);
    ChunkLayout layout;
    layout.address = m_fields.address(m_dataset.addressBytes);
    checkChunks(rank, 4);
    return layout;
  }

 private:
  static constexpr std::uint64_t kChunked = 2;

  ChunkLayout readFirst() {
    const std::uint64_t rank = m_fields.number(1);
    if (m_fields.number(1) != kChunked) throw NotKnown();
    m_fields.skip(5);
    ChunkLayout layout;
    layout.address = m_fields.address(m_dataset.addressBytes);
    checkChunks(rank, 4);
    return layout;
  }

  ChunkLayout readNewest() {
    constexpr std::uint64_t kFilteredSingle = 2;
    const std::uint64_t flags = m_fields.number(1), rank = m_fields.number(1), each = m_fields.number(1);
    if (each < 1 || each > 8) damagedStructure("layout");
    checkChunks(rank, static_cast<int>(each));
    ChunkLayout layout;
    switch (m_fields.number(1)) {
      case 1:
        layout.kind = IndexKind::Single;
        if (flags & kFilteredSingle) {
          layout.bytes = m_fields.number(m_dataset.lengthBytes);
          layout.skipped = static_cast<std::uint32_t>(m_fields.number(4));
        }
        break;
      case 2:
        layout.kind = IndexKind::Implicit;
        break;
      case 3:
        layout.kind = IndexKind::FixedArray;
        m_fields.skip(1);
        break;
      default:
        throw NotKnown();
    }
    layout.address = m_fields.address(m_dataset.addressBytes);
    return layout;
  }

  /// Those of the message are those that are known, and the size of an element behind them.
  void checkChunks(std::uint64_t rank, int each) {
    if (rank != m_dataset.chunks.size() + 1) throw NotKnown();
    for (const std::int64_t chunk : m_dataset.chunks)
      if (m_fields.number(each) != static_cast<std::uint64_t>(chunk)) throw NotKnown();
    if (m_fields.number(each) != static_cast<std::uint64_t>(m_dataset.elementBytes)) throw NotKnown();
  }

  const IndexedDataset& m_dataset;
  Fields m_fields;
};

}  // namespace

std::optional<ChunkLayout> chunkLayoutOf(const IndexedDataset& dataset) try {
  const std::vector<std::byte> message = HeaderReader(dataset).layout();
  return LayoutReader(dataset, message).read();
} catch (const NotKnown&) {
  return std::nullopt;
}

}  // namespace farfield::hdf5
