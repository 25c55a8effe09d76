#include "core/paging/store/store_check.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/growth_note.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/store/store_trailer.h"

namespace farfield::paging {
namespace detail {

void StructuresChecksum::addHead(std::span<std::byte> head) {
  const std::span<std::byte> note = head.subspan(kGrowthNoteAt);
  std::fill(note.begin(), note.end(), std::byte{0});
  add(head);
}

std::uint64_t StructuresChecksum::value() const {
  const std::uint64_t sum = m_bytes.value();
  return sum == 0 ? 1 : sum;
}

}  // namespace detail

namespace {

using namespace detail;

constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 16;
/// Memory for parsing the catalog, per byte (store_file.cpp).
constexpr std::uint64_t kParsingFactor = 36;
/// So much belongs to what the program needs for any data; the budget covers what goes beyond.
constexpr std::uint64_t kFreeBytes = std::uint64_t{8} << 20;

std::uint64_t budgeted(std::uint64_t bytes) {
  return bytes - std::min(bytes, kFreeBytes);
}

/// Walks the index of one array from its root.
class IndexWalk {
 public:
  IndexWalk(const ByteObject& object, const std::string& array, const IndexShape& shape, std::uint64_t end,
            const std::stop_token& stop)
      : m_object(object), m_array(array), m_shape(shape), m_end(end), m_stop(stop) {}

  /// Adds the bytes of nodes and pages below `place`.
  void node(const NodePlace& place, int level, std::int64_t number) {
    if (m_stop.stop_requested()) throw Cancelled();
    const std::vector<std::byte> bytes =
        read(place, static_cast<std::uint64_t>(m_shape.innerBytes(level, number)), "inner node");
    const std::int64_t record = childRecordBytes(m_shape.components());
    for (std::int64_t child = 0; child < m_shape.records(level, number); ++child) {
      const std::byte* at = bytes.data() + child * record;
      const auto its = load<NodePlace>(at);
      const std::int64_t childNumber = number * kChildrenPerNode + child;
      if (level > 1) {
        node(its, level - 1, childNumber);
        continue;
      }
      const auto places = read(its, static_cast<std::uint64_t>(m_shape.placesBytes(childNumber)), "places");
      for (std::size_t page = 0; page < places.size(); page += sizeof(PagePlace))
        pageBytes += load<PagePlace>(places.data() + page).bytes;
      read(load<NodePlace>(at + sizeof(NodePlace)),
           static_cast<std::uint64_t>(m_shape.summariesBytes(childNumber)), "summaries");
    }
  }

  std::uint64_t pageBytes = 0, nodeBytes = 0;

 private:
  std::vector<std::byte> read(const NodePlace& place, std::uint64_t bytes, const char* kind) {
    const std::string part = std::string("index of array ") + m_array + ", " + kind;
    if (place.bytes != bytes) throw Corrupt("the " + part + " has the wrong size for its number of pages");
    checkRange(place, m_end, part);
    std::vector<std::byte> node(bytes);
    readChecked(m_object, place, node, part);
    nodeBytes += bytes;
    return node;
  }

  const ByteObject& m_object;
  const std::string& m_array;
  const IndexShape& m_shape;
  const std::uint64_t m_end;
  const std::stop_token& m_stop;
};

/// Reads from `begin` to `end` in pieces.
template <class Use>
void forPieces(const ByteObject& object, std::uint64_t begin, std::uint64_t end, const Use& use) {
  std::vector<std::byte> piece(kReadBytes);
  while (begin < end) {
    const auto bytes = std::span(piece).first(std::min(kReadBytes, end - begin));
    object.readAt(begin, bytes);
    use(bytes);
    begin += bytes.size();
  }
}

std::vector<std::string> check(const ByteObject& object, MemoryAccount& account,
                               const std::stop_token& stop) {
  const Trailer trailer = readTrailer(object);
  const NodePlace& catalogPlace = trailer.catalog;
  const MemoryClaim claim = account.claim(Purpose::Index, budgeted(catalogPlace.bytes * kParsingFactor),
                                          "checking a store's catalog");
  std::string text(catalogPlace.bytes, '\0');
  readChecked(object, catalogPlace, std::as_writable_bytes(std::span(text)), "catalog");
  const Catalog catalog = catalogFromText(text);
  std::uint64_t pageBytes = 0, nodeBytes = 0;
  for (std::size_t n = 0; n < catalog.indices.size(); ++n) {
    const ArrayDescription& array = catalog.description.arrays[n];
    const auto pages = static_cast<std::uint64_t>(array.pageCount());
    if (pages > trailer.fileBytes / sizeof(PagePlace))
      throw Corrupt("array " + array.name + " has more pages than the file can hold");
    const IndexShape shape(array.pageCount(), array.components);
    const auto inMemory =
        static_cast<std::uint64_t>(shape.largestNodeBytes()) * static_cast<std::uint64_t>(shape.levels() + 2);
    const MemoryClaim nodes =
        account.claim(Purpose::Index, budgeted(inMemory), "checking the index of a store");
    IndexWalk walk(object, array.name, shape, trailer.fileBytes, stop);
    walk.node(catalog.indices[n].root, shape.levels(), 0);
    pageBytes += walk.pageBytes;
    nodeBytes += walk.nodeBytes;
  }
  // Pages, index and catalog follow one another; zeros align the index to eight bytes.
  const Stripes& stripes = catalog.stripes;
  if (!stripes.parts.empty() && pageBytes != stripes.partBytes() - stripes.parts.size() * kPayloadStart)
    throw Corrupt("the pages of " + std::to_string(pageBytes) + " bytes do not fill the parts");
  const std::uint64_t pagesEnd =
      kPayloadStart + (stripes.parts.empty() ? pageBytes + catalog.leftBytes() : 0);
  if (catalogPlace.offset < nodeBytes || pagesEnd > catalogPlace.offset - nodeBytes ||
      catalogPlace.offset - nodeBytes - pagesEnd >= 8)
    throw Corrupt("pages of " + std::to_string(pageBytes) + " bytes and an index of " +
                  std::to_string(nodeBytes) + " do not fill the file up to its catalog at byte " +
                  std::to_string(catalogPlace.offset));
  forPieces(object, pagesEnd, catalogPlace.offset - nodeBytes, [](std::span<const std::byte> bytes) {
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; }))
      throw Corrupt("the bytes between pages and index are not zero");
  });
  for (const NodePlace& left : catalog.left) {
    if (left.offset > pagesEnd || left.bytes > pagesEnd - left.offset)
      throw Corrupt("what is left of a shorter store is said to lie where it cannot be");
    StructuresChecksum its;
    forPieces(object, left.offset, left.offset + left.bytes, [&](std::span<const std::byte> bytes) {
      if (stop.stop_requested()) throw Cancelled();
      its.add(bytes);
    });
    if (its.value() != left.checksum)
      throw Corrupt(
          "what is left of a shorter store, at byte " + std::to_string(left.offset) + ", is damaged",
          "nothing reads it; convert or copy it again");
  }
  const std::uint64_t structures = catalogPlace.offset + catalogPlace.bytes;
  const std::uint64_t end = trailer.fileBytes - sizeof(Trailer);
  if (trailer.structures == 0)
    return {"HDF5's own structures (bytes 0 to " + std::to_string(kPayloadStart) + " and " +
            std::to_string(structures) + " to " + std::to_string(end) +
            "), which this program does not read, have no checksum in this store; convert it again for one"};
  StructuresChecksum sum;
  std::vector<std::byte> head(kPayloadStart);
  object.readAt(0, head);
  const std::optional<GrowthNote> note = readGrowthNote(object);
  if (!note &&
      std::any_of(head.begin() + kGrowthNoteAt, head.end(), [](std::byte b) { return b != std::byte{0}; }))
    throw Corrupt("the bytes in front of the pages are neither zero nor a note of how the store grows");
  // Of a store in the middle of growing HDF5 may have the new structures already.
  if (note && note->fileBytes == trailer.fileBytes)
    std::copy(std::begin(note->superblock), std::end(note->superblock), head.begin());
  sum.addHead(head);
  forPieces(object, structures, end, [&](std::span<const std::byte> bytes) { sum.add(bytes); });
  if (sum.value() != trailer.structures)
    throw Corrupt("HDF5's own structures are damaged: their checksum is not what the store says",
                  "other programs may read wrong values; convert or copy it again");
  return {};
}

}  // namespace

std::vector<std::string> checkStore(const ByteObject& object, MemoryAccount& account,
                                    const std::stop_token& stop) {
  try {
    return check(object, account, stop);
  } catch (Error& error) {
    if (error.place().find(object.name()) == std::string::npos) error.at(object.name());
    if (error.action().empty()) error.advise("convert or copy it again");
    throw;
  }
}

}  // namespace farfield::paging
