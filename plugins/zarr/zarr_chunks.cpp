#include "plugins/zarr/zarr_chunks.h"

#include <algorithm>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/refused.h"

namespace farfield::zarr {
namespace {

using paging::ByteObject;

constexpr std::uint64_t kNone = ~std::uint64_t{0};

std::vector<std::int64_t> inOrder(const std::vector<std::int64_t>& values, const std::vector<int>& order) {
  std::vector<std::int64_t> turned;
  for (const int dimension : order) turned.push_back(values[static_cast<std::size_t>(dimension)]);
  return turned;
}

/// Objects by the index of what they hold.
class ObjectNames {
 public:
  ObjectNames(std::shared_ptr<const paging::ByteStores> stores, const std::string& root,
              const ArrayNode& node)
      : m_stores(std::move(stores)),
        m_folder(root + (root.ends_with('/') ? "" : "/") + (node.path.empty() ? "" : node.path + "/") +
                 node.prefix),
        m_separator(node.separator) {}

  /// Null if there is none: its chunks are not stored. `index`: per dimension, as the metadata count them.
  std::shared_ptr<const ByteObject> open(const std::vector<std::int64_t>& index) const {
    std::string name = m_folder;
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (d > 0) name += m_separator;
      name += std::to_string(index[d]);
    }
    try {
      return m_stores->open(name);
    } catch (const NotFound&) {
      return nullptr;
    } catch (Refused& refused) {
      // It could be taken for one that is not there; but what is refused for another reason would be numbers that are none.
      refused.advise(
          "check that it may be read; servers that let nobody list what they have refuse chunks that are not stored, "
          "too: allow it (S3: s3:ListBucket), so that it answers 404 for these");
      throw;
    }
  }

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
  std::string m_folder;
  char m_separator;
};

/// Indices from numbers of chunks, which count dimensions in the order of the bytes.
class Grid {
 public:
  Grid(const ArrayNode& node, const std::vector<std::int64_t>& chunks) : m_order(node.order) {
    const std::vector<std::int64_t> counts = inOrder(node.shape, node.order),
                                    extents = inOrder(chunks, node.order);
    for (std::size_t d = 0; d < counts.size(); ++d) m_chunks.push_back((counts[d] - 1) / extents[d] + 1);
  }
  std::vector<std::int64_t> indexOf(std::int64_t chunk) const {
    std::vector<std::int64_t> index(m_order.size());
    for (std::size_t d = m_order.size(); d-- > 0;) {
      index[static_cast<std::size_t>(m_order[d])] = chunk % m_chunks[d];
      chunk /= m_chunks[d];
    }
    return index;
  }

 private:
  std::vector<int> m_order;
  std::vector<std::int64_t> m_chunks;
};

std::span<std::byte> room(paging::Scratch& buffer, std::uint64_t bytes) {
  if (buffer.size() < bytes) buffer.resize(static_cast<std::size_t>(bytes));
  return {buffer.data(), static_cast<std::size_t>(bytes)};
}

void mustFit(const ByteObject& object, std::uint64_t bytes, std::uint64_t mostBytes) {
  if (bytes > mostBytes)
    throw Corrupt("a chunk cannot have " + std::to_string(bytes) + " bytes", "copy the data again")
        .at(object.name());
}

class ObjectChunks final : public chunks::ChunkStore {
 public:
  ObjectChunks(std::shared_ptr<const paging::ByteStores> stores, const std::string& root,
               const ArrayNode& node)
      : m_names(std::move(stores), root, node), m_grid(node, node.chunks) {}

  Stored read(std::int64_t chunk, std::uint64_t mostBytes, paging::Scratch& buffer) const override {
    const auto object = m_names.open(m_grid.indexOf(chunk));
    if (!object) return {};
    mustFit(*object, object->size(), mostBytes);
    const auto bytes = room(buffer, object->size());
    object->readAt(0, bytes);
    if (bytes.empty()) throw Corrupt("a chunk is empty", "copy the data again").at(object->name());
    return {bytes, 0};
  }

 private:
  ObjectNames m_names;
  Grid m_grid;
};

class ShardedChunks final : public chunks::ChunkStore {
 public:
  ShardedChunks(std::shared_ptr<const paging::ByteStores> stores, const std::string& root,
                const ArrayNode& node, std::shared_ptr<ShardIndices> indices)
      : m_names(std::move(stores), root, node),
        m_sharding(*node.sharding),
        m_grid(node, node.sharding->chunks),
        m_indices(std::move(indices)) {
    for (std::size_t d = 0; d < node.chunks.size(); ++d) {
      m_perShard.push_back(node.chunks[d] / m_sharding.chunks[d]);
      m_inShard = checkedProduct({m_inShard, m_perShard.back()});
    }
    // As many as one could count, where there are more.
    std::int64_t shards = 1;
    for (std::size_t d = 0; d < node.chunks.size() && shards < (std::int64_t{1} << 20); ++d)
      shards *= std::clamp<std::int64_t>((node.shape[d] + node.chunks[d] - 1) / node.chunks[d], 1, 1 << 20);
    m_number = m_indices->add(shards, m_inShard);
  }

  Stored read(std::int64_t chunk, std::uint64_t mostBytes, paging::Scratch& buffer) const override {
    std::vector<std::int64_t> index = m_grid.indexOf(chunk);
    std::int64_t within = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      within = within * m_perShard[d] + index[d] % m_perShard[d];
      index[d] /= m_perShard[d];
    }
    const ShardIndices::Place at =
        m_indices->placeOf(m_number, index, within, [&] { return shardAt(index); });
    if (!at.object || (at.offset == kNone && at.bytes == kNone)) return {};
    mustFit(*at.object, at.bytes, mostBytes);
    if (at.bytes == 0 || at.offset > at.object->size() || at.bytes > at.object->size() - at.offset)
      throw Corrupt("a chunk lies behind the end of its shard", "copy the data again").at(at.object->name());
    const auto out = room(buffer, at.bytes);
    at.object->readAt(at.offset, out);
    return {out, 0};
  }

 private:
  Shard shardAt(const std::vector<std::int64_t>& index) const {
    Shard shard;
    shard.object = m_names.open(index);
    if (!shard.object) return shard;
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(m_inShard) * 16 + (m_sharding.indexChecked ? 4 : 0);
    if (shard.object->size() < bytes)
      throw Corrupt("a shard is shorter than its index", "copy the data again").at(shard.object->name());
    std::vector<std::byte> stored(static_cast<std::size_t>(bytes));
    shard.object->readAt(m_sharding.indexAtEnd ? shard.object->size() - bytes : 0, stored);
    shard.index.resize(static_cast<std::size_t>(m_inShard) * 16);
    const chunks::FilterChain check(m_sharding.indexChecked
                                        ? std::vector<chunks::Filter>{{chunks::FilterKind::Crc32c}}
                                        : std::vector<chunks::Filter>{});
    paging::Scratch work;
    check.undo(stored, 0, shard.index, work);
    return shard;
  }

  ObjectNames m_names;
  Sharding m_sharding;
  Grid m_grid;
  std::shared_ptr<ShardIndices> m_indices;
  std::vector<std::int64_t> m_perShard;
  std::int64_t m_inShard = 1;
  std::uint64_t m_number = 0;  ///< among the arrays of the indices
};

/// Blocks of N5: a head with their own extent, which may be smaller at the end of an axis, before the filtered numbers. They are
/// unpacked here, to the full extent.
class N5Blocks final : public chunks::ChunkStore {
 public:
  N5Blocks(std::shared_ptr<const paging::ByteStores> stores, const std::string& root, const ArrayNode& node)
      : m_names(std::move(stores), root, node),
        m_grid(node, node.chunks),
        m_chunks(node.chunks),
        m_filters(node.filters),
        m_elementBytes(arrays::bytesOf(node.type)) {}

  /// While it unpacks: a block as it is stored, without its filters, and what these need.
  std::uint64_t mostBytes() const {
    std::int64_t all = m_elementBytes;
    for (const std::int64_t extent : m_chunks) all = checkedProduct({all, extent});
    const auto block = static_cast<std::uint64_t>(all);
    return m_filters.mostStoredBytes(block) + headBytes() + block + chunks::FilterChain::workBytes(block);
  }

  Stored read(std::int64_t chunk, std::uint64_t mostBytes, paging::Scratch& buffer) const override {
    std::vector<std::int64_t> index = m_grid.indexOf(chunk);
    // names count dimensions fastest first
    std::reverse(index.begin(), index.end());
    const auto object = m_names.open(index);
    if (!object) return {};
    const std::size_t rank = m_chunks.size();
    const std::uint64_t most = m_filters.mostStoredBytes(mostBytes) + headBytes();
    mustFit(*object, object->size(), most);
    std::vector<std::byte> stored(static_cast<std::size_t>(object->size()));
    object->readAt(0, stored);
    const auto wrong = [&] {
      return Corrupt("a block's head is wrong", "copy the data again").at(object->name());
    };
    if (stored.size() < headBytes() || byteSwapped(load<std::uint16_t>(stored.data())) != 0 ||
        byteSwapped(load<std::uint16_t>(stored.data() + 2)) != rank)
      throw wrong();
    std::vector<std::int64_t> size(rank);
    std::int64_t numbers = m_elementBytes, all = m_elementBytes;
    for (std::size_t d = 0; d < rank; ++d) {
      size[rank - 1 - d] = byteSwapped(load<std::uint32_t>(stored.data() + 4 + 4 * d));
      if (size[rank - 1 - d] < 1 || size[rank - 1 - d] > m_chunks[rank - 1 - d]) throw wrong();
    }
    for (std::size_t d = 0; d < rank; ++d) {
      numbers *= size[d];
      all *= m_chunks[d];
    }
    std::vector<std::byte> block(static_cast<std::size_t>(numbers));
    paging::Scratch work;
    m_filters.undo(std::span<const std::byte>(stored).subspan(headBytes()), 0, block, work);
    const std::span<std::byte> out = room(buffer, static_cast<std::uint64_t>(all));
    std::fill(out.begin(), out.end(), std::byte{0});
    const auto row = static_cast<std::size_t>(size.back() * m_elementBytes);
    for (std::size_t n = 0; n * row < block.size(); ++n) {
      auto rest = static_cast<std::int64_t>(n);
      std::int64_t to = 0, stride = m_chunks.back();
      for (std::size_t d = rank - 1; d-- > 0;) {
        to += rest % size[d] * stride;
        rest /= size[d];
        stride *= m_chunks[d];
      }
      std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(n * row), row,
                  out.begin() + to * m_elementBytes);
    }
    return {out, 0};
  }

 private:
  std::size_t headBytes() const { return 4 + 4 * m_chunks.size(); }

  ObjectNames m_names;
  Grid m_grid;
  std::vector<std::int64_t> m_chunks;
  chunks::FilterChain m_filters;
  int m_elementBytes;
};

}  // namespace

std::vector<std::int64_t> stridesOf(const ArrayNode& node) {
  std::vector<std::int64_t> strides(node.shape.size());
  std::int64_t stride = arrays::bytesOf(node.type);
  for (std::size_t d = node.order.size(); d-- > 0;) {
    const auto dimension = static_cast<std::size_t>(node.order[d]);
    strides[dimension] = stride;
    stride = checkedProduct({stride, node.shape[dimension]});
  }
  return strides;
}

std::shared_ptr<const arrays::ByteSource> bytesOf(const std::shared_ptr<const paging::ByteStores>& stores,
                                                  const std::string& root, const ArrayNode& node,
                                                  const std::shared_ptr<chunks::ChunkCaches>& caches,
                                                  const std::shared_ptr<ShardIndices>& indices) {
  chunks::ChunkArrayOptions options;
  options.counts = inOrder(node.shape, node.order);
  options.chunks = inOrder(node.sharding ? node.sharding->chunks : node.chunks, node.order);
  options.elementBytes = arrays::bytesOf(node.type);
  options.fill = node.fill;
  options.caches = caches;
  if (node.isN5) {
    const auto blocks = std::make_shared<N5Blocks>(stores, root, node);
    options.storeBytes = blocks->mostBytes();
    options.store = blocks;
  } else {
    options.filters = node.filters;
    if (node.sharding)
      options.store = std::make_shared<ShardedChunks>(stores, root, node, indices);
    else
      options.store = std::make_shared<ObjectChunks>(stores, root, node);
  }
  return std::make_shared<chunks::ChunkArray>(std::move(options));
}

}  // namespace farfield::zarr
