#include "core/paging/store/stored_records.h"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/store/store_trailer.h"

namespace farfield::paging::detail {
namespace {

IndexShape shapeOf(const ArrayDescription& array) {
  return {array.pageCount(), array.components};
}

std::uint64_t leafBytes(const Catalog& catalog) {
  std::uint64_t most = 0;
  for (const ArrayDescription& array : catalog.description.arrays) {
    const IndexShape shape = shapeOf(array);
    most = std::max(most, static_cast<std::uint64_t>(shape.placesBytes(0) + shape.summariesBytes(0) +
                                                     shape.innerBytes(1, 0)));
  }
  return most;
}

}  // namespace

StoredRecords::StoredRecords(const ByteObject& object, const Catalog& catalog, std::uint64_t fileBytes,
                             MemoryAccount& account)
    : m_object(object),
      m_catalog(catalog),
      m_fileBytes(fileBytes),
      m_claim(account.claim(Purpose::Work, leafBytes(catalog), "the index of a store that grows")) {}

void StoredRecords::load(std::uint32_t array, std::int64_t leaf) {
  const ArrayDescription& its = m_catalog.description.arrays[array];
  const std::string part = "index of array " + its.name;
  const IndexShape shape = shapeOf(its);
  const auto read = [&](const NodePlace& place, std::int64_t bytes, std::vector<std::byte>& out) {
    if (place.bytes != static_cast<std::uint64_t>(bytes))
      throw Corrupt("the " + part + " has the wrong size for its number of pages").at(m_object.name());
    checkRange(place, m_fileBytes, part);
    out.resize(place.bytes);
    readChecked(m_object, place, out, part);
  };
  m_leaf = -1;
  NodePlace place = m_catalog.indices[array].root, summaries;
  for (int level = shape.levels(); level >= 1; --level) {
    // the child, at the level below, that `leaf` is under
    std::int64_t child = leaf;
    for (int below = 1; below < level; ++below) child /= kChildrenPerNode;
    std::vector<std::byte> node;
    read(place, shape.innerBytes(level, child / kChildrenPerNode), node);
    const std::byte* const record =
        node.data() + child % kChildrenPerNode * childRecordBytes(shape.components());
    place = farfield::load<NodePlace>(record);
    summaries = farfield::load<NodePlace>(record + sizeof(NodePlace));
  }
  read(place, shape.placesBytes(leaf), m_places);
  read(summaries, shape.summariesBytes(leaf), m_summaries);
  m_array = array;
  m_leaf = leaf;
}

void StoredRecords::read(std::uint32_t array, std::uint64_t firstPage, std::uint64_t count,
                         std::size_t recordBytes, std::span<std::byte> out) {
  const auto summaryBytes =
      static_cast<std::size_t>(summaryRecordBytes(m_catalog.description.arrays[array].components));
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint64_t page = firstPage + n;
    const auto leaf = static_cast<std::int64_t>(page / kPagesPerLeaf);
    if (m_leaf != leaf || m_array != array) load(array, leaf);
    const std::size_t in = page % kPagesPerLeaf;
    std::byte* const record = out.data() + n * recordBytes;
    std::memcpy(record, m_places.data() + in * sizeof(PagePlace), sizeof(PagePlace));
    std::memcpy(record + sizeof(PagePlace), m_summaries.data() + in * summaryBytes, summaryBytes);
  }
}

}  // namespace farfield::paging::detail
