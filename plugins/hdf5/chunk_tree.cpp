#include "plugins/hdf5/chunk_tree.h"

#include <algorithm>
#include <array>

#include "plugins/hdf5/structure_fields.h"

namespace farfield::hdf5 {
namespace {

constexpr const char* kWhat = "index of chunks";
/// Entries that are kept of an array, so that neither time nor memory follows from the number of chunks.
constexpr std::size_t kKeptEntries = 24 << 10;
/// Levels above a leaf. Half full nodes of two entries would hold more chunks than any file.
constexpr int kMostLevels = 62;
constexpr std::size_t kMostRank = 33;

}  // namespace

ChunkTree::ChunkTree(IndexedDataset dataset, std::uint64_t root)
    : m_dataset(std::move(dataset)), m_root(root) {
  const std::size_t rank = m_dataset.dims.size();
  m_counts.resize(rank);
  m_strides.resize(rank);
  for (std::size_t d = rank; d-- > 0;) {
    m_counts[d] = (m_dataset.dims[d] - 1) / m_dataset.chunks[d] + 1;
    m_strides[d] = m_chunkCount;
    m_chunkCount = checkedProduct({m_chunkCount, m_counts[d]});
  }
}

std::uint64_t ChunkTree::nodeBytes() const {
  const auto address = static_cast<std::uint64_t>(m_dataset.addressBytes);
  const std::uint64_t key = 8 + 8 * (m_dataset.dims.size() + 1);
  return 8 + 2 * address + m_dataset.treeEntries * (key + address) + key;
}

/// The number of the first chunk at or behind these offsets, in the order of the tree; `isOne`: they are those of this chunk.
std::int64_t ChunkTree::firstChunkFrom(const std::uint64_t* offsets, bool& isOne) const {
  std::int64_t number = 0;
  isOne = true;
  for (std::size_t d = 0; d < m_counts.size(); ++d) {
    const std::uint64_t along = offsets[d] / static_cast<std::uint64_t>(m_dataset.chunks[d]);
    if (along >= static_cast<std::uint64_t>(m_counts[d])) {
      // beyond the end along this dimension: all chunks with the same numbers before it come earlier
      isOne = false;
      return number + (d == 0 ? m_chunkCount : m_strides[d - 1]);
    }
    number += static_cast<std::int64_t>(along) * m_strides[d];
  }
  // within an element: behind the chunk, as the last key of a tree often is
  if (offsets[m_counts.size()] != 0) {
    isOne = false;
    ++number;
  }
  return number;
}

ChunkTree::NodePointer ChunkTree::read(const Step& step) const {
  const std::uint64_t place = m_dataset.base + step.address, size = m_dataset.object->size();
  if (m_dataset.base >= kMostFileBytes || step.address >= kMostFileBytes || place >= size)
    damagedStructure(kWhat);
  // the last node of a file may be cut behind its entries
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(nodeBytes(), size - place)));
  m_dataset.object->readAt(place, bytes);
  Fields fields(bytes, kWhat);
  constexpr std::uint64_t kOfChunks = 1;
  if (!fields.isNext("TREE") || fields.number(1) != kOfChunks) damagedStructure(kWhat);
  auto node = std::make_shared<Node>();
  node->level = static_cast<int>(fields.number(1));
  const auto count = static_cast<unsigned>(fields.number(2));
  if (node->level >= step.above || count > m_dataset.treeEntries) damagedStructure(kWhat);
  fields.skip(2 * static_cast<std::size_t>(m_dataset.addressBytes));
  const std::size_t rank = m_dataset.dims.size();
  std::array<std::uint64_t, kMostRank> offsets{};
  std::int64_t before = 0;
  for (unsigned n = 0; n <= count; ++n) {
    Entry entry;
    entry.bytes = static_cast<std::uint32_t>(fields.number(4));
    entry.skipped = static_cast<std::uint32_t>(fields.number(4));
    for (std::size_t d = 0; d <= rank; ++d) offsets[d] = fields.number(8);
    bool isOne = false;
    entry.first = firstChunkFrom(offsets.data(), isOne);
    if (entry.first < before) damagedStructure(kWhat);
    before = entry.first;
    if (n < count) {
      entry.address = fields.address(m_dataset.addressBytes);
      // chunks beyond the end are left from before the dataset shrank
      if (node->level == 0 && !isOne) continue;
    }
    node->entries.push_back(entry);
  }
  return node;
}

ChunkTree::NodePointer ChunkTree::kept(std::uint64_t address) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_nodes.find(address);
  if (found == m_nodes.end()) return nullptr;
  m_recent.splice(m_recent.begin(), m_recent, found->second.use);
  return found->second.node;
}

void ChunkTree::keep(std::uint64_t address, const NodePointer& node) const {
  const std::lock_guard lock(m_mutex);
  if (m_nodes.contains(address)) return;
  m_recent.push_front(address);
  m_nodes.emplace(address, Kept{node, m_recent.begin()});
  m_entries += node->entries.size();
  while (m_entries > kKeptEntries && m_nodes.size() > 1) {
    const auto oldest = m_nodes.find(m_recent.back());
    m_entries -= oldest->second.node->entries.size();
    m_nodes.erase(oldest);
    m_recent.pop_back();
  }
}

bool ChunkTree::lookIn(const Node& node, std::int64_t chunk, Step& step, Place& place) const {
  if (node.level >= step.above) damagedStructure(kWhat);  // kept from another way to it
  place = {};
  const auto behind =
      std::upper_bound(node.entries.begin(), node.entries.end(), chunk,
                       [](std::int64_t number, const Entry& its) { return number < its.first; });
  if (behind == node.entries.begin() || behind == node.entries.end()) return true;
  const Entry& entry = *(behind - 1);
  if (node.level == 0) {
    if (entry.first == chunk && entry.address != kNowhere)
      place = {m_dataset.base + entry.address, entry.bytes, entry.skipped};
    return true;
  }
  if (entry.address == kNowhere) damagedStructure(kWhat);
  step = {entry.address, node.level};
  return false;
}

bool ChunkTree::lookInKept(std::int64_t chunk, Step& step, Place& place) const {
  if (m_root == kNowhere) return true;
  for (;;) {
    const NodePointer node = kept(step.address);
    if (!node) return false;
    if (lookIn(*node, chunk, step, place)) return true;
  }
}

ChunkIndex::Place ChunkTree::place(std::int64_t chunk) const {
  Place found;
  Step step{m_root, kMostLevels};
  while (!lookInKept(chunk, step, found)) {
    const NodePointer node = read(step);
    keep(step.address, node);
    // others may have taken its place already
    if (lookIn(*node, chunk, step, found)) break;
  }
  return found;
}

std::optional<ChunkIndex::Place> ChunkTree::placeIfKnown(std::int64_t chunk) const try {
  Place found;
  Step step{m_root, kMostLevels};
  return lookInKept(chunk, step, found) ? std::optional(found) : std::nullopt;
} catch (const Corrupt&) {
  return std::nullopt;  // place() says it
}

void ChunkTree::expect(std::int64_t chunk) const noexcept try {
  Place found;
  Step step{m_root, kMostLevels};
  if (!lookInKept(chunk, step, found) && step.address < kMostFileBytes && m_dataset.base < kMostFileBytes)
    m_dataset.object->expect(m_dataset.base + step.address, nodeBytes());
} catch (...) {
  // only a hint; place() says what is wrong
}

}  // namespace farfield::hdf5
