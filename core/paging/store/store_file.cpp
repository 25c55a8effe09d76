#include "core/paging/store/store_file.h"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/description_check.h"
#include "core/paging/store/index_cache.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/store/partial_store.h"
#include "core/paging/store/store_trailer.h"

namespace farfield::paging {
namespace {

using namespace detail;

/// Parsing JSON makes a tree of nodes first; the description is kept. Measured at most per byte of text: 22
/// and 8 bytes for what the writer makes, and 33 for the worst possible text.
constexpr std::uint64_t kParsingFactor = 35, kKeptFactor = 9;
/// A catalog of some thousand arrays belongs to what the program needs for any data; the budget covers what
/// goes beyond, so that a smallest budget of a few pages is not spent on text.
constexpr std::uint64_t kFreeCatalogBytes = std::uint64_t{8} << 20;

constexpr std::size_t kMostOfHistory = 512;

std::uint64_t budgetedCatalogBytes(std::uint64_t bytes) {
  return bytes - std::min(bytes, kFreeCatalogBytes);
}

/// The part of `all` that belongs to one level, as a catalog of its own.
Catalog catalogOfLevel(Catalog all, int level) {
  Catalog part;
  part.codec = all.codec;
  part.stripes = std::move(all.stripes);
  std::vector<ArrayDescription> arrays = std::move(all.description.arrays);
  part.description = std::move(all.description);
  part.description.arrays.clear();
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    if (arrays[n].detail != level) continue;
    if (auto coarse = coarseNameFrom(arrays[n].name); coarse && coarse->level == level)
      arrays[n].name = std::move(coarse->name);
    arrays[n].detail = 0;
    part.description.arrays.push_back(std::move(arrays[n]));
    part.indices.push_back(std::move(all.indices[n]));
  }
  if (level > 0) {
    for (NamedSurface& surface : part.description.surfaces)
      surface.nodes = coarseNodes(
          surface.nodes, part.description.blocks[static_cast<std::size_t>(surface.block)].dims, level);
    for (BlockDescription& block : part.description.blocks) block = coarseBlock(block, level);
  }
  if (part.indices.size() == all.indices.size()) return part;
  try {
    checkDescription(part.description);
  } catch (Invalid& error) {
    throw Corrupt(error.what()).at("level " + std::to_string(level));
  }
  return part;
}

}  // namespace

struct StoreFile::State {
  std::shared_ptr<const ByteObject> object;
  std::string name;
  std::uint64_t fileBytes = 0;  ///< without parts
  ByteObjects pageObjects;
  Catalog catalog;  ///< of the open level
  Trailer trailer;
  std::vector<NodePlace> left;  ///< of what it was before, each with its trailer at the end
  int levels = 1;
  MemoryClaim catalogClaim;
  std::vector<IndexShape> shapes;
  std::unique_ptr<IndexCache> cache;

  void open(MemoryAccount& account, const StoreFileOptions& options);
  void openParts(const StoreFileOptions::OpenPart& openPart);
  void checkPage(std::uint32_t array, std::uint64_t page) const;
  PagePlace checkedPlace(const PagePlace& place, std::uint32_t array, std::uint64_t page) const;
  template <class Use>
  void withNode(const NodeKey& key, const Use& use) const;
  NodePlace placeOfNode(const NodeKey& key) const;
  std::string partName(const NodeKey& key) const;
  std::string arrayText(std::size_t number) const {
    const ArrayDescription& array = catalog.description.arrays[number];
    return "array " + array.name + " of block " + std::to_string(array.block);
  }
};

void StoreFile::State::open(MemoryAccount& account, const StoreFileOptions& options) {
  trailer = readTrailer(*object);
  name = object->name();
  fileBytes = trailer.fileBytes;
  try {
    catalogClaim = account.claimInEarnest(Purpose::Index,
                                          budgetedCatalogBytes(trailer.catalog.bytes * (kParsingFactor + 1)),
                                          "a store's catalog");
    std::string text(trailer.catalog.bytes, '\0');
    readChecked(*object, trailer.catalog, std::as_writable_bytes(std::span(text)), "catalog");
    catalog = catalogFromText(text);
    left = std::move(catalog.left);
    levels = levelsIn(catalog.description);
    if (options.level < 0 || options.level >= levels)
      throw Invalid("has no level " + std::to_string(options.level),
                    levels > 1 ? "it has levels 0 to " + std::to_string(levels - 1)
                               : "make levels with farfield convert --levels");
    catalog = catalogOfLevel(std::move(catalog), options.level);
    sayLevels(catalog.description, levels);
    catalogClaim.shrink(budgetedCatalogBytes(trailer.catalog.bytes * kKeptFactor));

    if (catalog.stripes.parts.empty() != (trailer.version < kStripedVersion))
      throw Corrupt("trailer and catalog say different things of where the pages are");
    const std::uint64_t pageFileBytes =
        catalog.stripes.parts.empty() ? fileBytes : catalog.stripes.partBytes();
    if (catalog.description.storedBytes > pageFileBytes)
      throw Corrupt("the pages are said to take " + std::to_string(catalog.description.storedBytes) +
                    " bytes of a file of " + std::to_string(pageFileBytes));
    std::uint64_t indexBytes = 0, largest = 0;
    for (std::size_t n = 0; n < catalog.indices.size(); ++n) {
      const ArrayDescription& array = catalog.description.arrays[n];
      const auto pages = static_cast<std::uint64_t>(array.pageCount());
      if (pages > fileBytes / sizeof(PagePlace))
        throw Corrupt(arrayText(n) + " claims " + std::to_string(pages) + " pages, more than a file of " +
                      std::to_string(fileBytes) + " bytes can hold");
      const IndexShape& shape = shapes.emplace_back(array.pageCount(), array.components);
      const NodePlace& root = catalog.indices[n].root;
      checkRange(root, fileBytes, "index of " + arrayText(n));
      if (root.bytes != static_cast<std::uint64_t>(shape.innerBytes(shape.levels(), 0)))
        throw Corrupt("the index of " + arrayText(n) + " has a root of " + std::to_string(root.bytes) +
                      " bytes");
      indexBytes += static_cast<std::uint64_t>(shape.totalBytes());
      largest = std::max(largest, static_cast<std::uint64_t>(shape.largestNodeBytes()));
      if (indexBytes > fileBytes) throw Corrupt("the index would be larger than the file");
    }
    const std::uint64_t capacity = std::min(std::max(options.indexCacheBytes, 2 * largest), indexBytes);
    cache = std::make_unique<IndexCache>(capacity, account);
    openParts(options.openPart);
  } catch (Error& error) {
    if (error.place().find(name) == std::string::npos) error.at(name);
    if (error.action().empty()) error.advise("convert or copy it again");
    throw;
  }
}

void StoreFile::State::openParts(const StoreFileOptions::OpenPart& openPart) {
  const Stripes& stripes = catalog.stripes;
  if (stripes.parts.empty()) {
    pageObjects = {object};
    return;
  }
  if (!openPart)
    throw Unsupported("is a striped set, whose parts cannot be found from here",
                      "name it as a file or a URL");
  for (std::size_t part = 0; part < stripes.parts.size(); ++part) {
    try {
      pageObjects.push_back(openPart(part, stripes.parts[part].name));
    } catch (const NotFound&) {
      throw NotFound(partText(stripes, part) + ", is missing", "all parts lie beside the set");
    }
    if (pageObjects.back()) checkPart(*pageObjects.back(), stripes, part);
  }
}

void StoreFile::State::checkPage(std::uint32_t array, std::uint64_t page) const {
  if (array >= shapes.size()) throw Invalid("there is no array " + std::to_string(array)).at(name);
  if (page >= static_cast<std::uint64_t>(shapes[array].pages()))
    throw Invalid(arrayText(array) + " has no page " + std::to_string(page)).at(name);
}

std::string StoreFile::State::partName(const NodeKey& key) const {
  return "index of " + arrayText(key.array) + ", " +
         (key.kind == NodeKind::Places      ? "places"
          : key.kind == NodeKind::Summaries ? "summaries"
                                            : "level " + std::to_string(key.level)) +
         " " + std::to_string(key.node);
}

/// The place of a node that is not a root; its parent has it.
NodePlace StoreFile::State::placeOfNode(const NodeKey& key) const {
  const IndexShape& shape = shapes[key.array];
  if (key.kind == NodeKind::Inner && key.level == shape.levels()) return catalog.indices[key.array].root;
  const NodeKey parent{key.array, NodeKind::Inner, static_cast<std::uint8_t>(key.level + 1),
                       key.node / kChildrenPerNode};
  const auto record =
      static_cast<std::size_t>(key.node % kChildrenPerNode * childRecordBytes(shape.components()));
  NodePlace place;
  withNode(parent, [&](std::span<const std::byte> node) {
    place = load<NodePlace>(node.data() + record + (key.kind == NodeKind::Summaries ? sizeof(NodePlace) : 0));
  });
  return place;
}

template <class Use>
void StoreFile::State::withNode(const NodeKey& key, const Use& use) const {
  const IndexShape& shape = shapes[key.array];
  const auto bytes =
      static_cast<std::uint64_t>(key.kind == NodeKind::Places      ? shape.placesBytes(key.node)
                                 : key.kind == NodeKind::Summaries ? shape.summariesBytes(key.node)
                                                                   : shape.innerBytes(key.level, key.node));
  if (cache->ifCached(key, use)) return;
  // The parent is read first: a thread that loads a node must not wait for another.
  const NodePlace place = placeOfNode(key);
  if (place.bytes != bytes)
    throw Corrupt("the " + partName(key) + " is said to have " + std::to_string(place.bytes) +
                  " bytes instead of " + std::to_string(bytes))
        .at(name);
  try {
    checkRange(place, fileBytes, partName(key));
  } catch (Error& error) {
    error.at(name);
    throw;
  }
  cache->with(
      key, bytes, [&](std::span<std::byte> node) { readChecked(*object, place, node, partName(key)); }, use);
}

PagePlace StoreFile::State::checkedPlace(const PagePlace& place, std::uint32_t array,
                                         std::uint64_t page) const {
  const auto padded = static_cast<std::uint64_t>(catalog.description.arrays[array].maxPageBytes());
  const Stripes& stripes = catalog.stripes;
  const std::uint64_t end =
      stripes.parts.empty() ? fileBytes - sizeof(Trailer) : stripes.parts[stripes.partOf(page)].bytes;
  const bool asIs = catalog.codec == Codec::None || place.flags & kPageStoredRaw;
  if (place.bytes == 0 || place.bytes > padded || (asIs && place.bytes != padded) ||
      (place.flags & ~kPageStoredRaw) != 0 || place.offset < kPayloadStart || place.offset > end ||
      place.bytes > end - place.offset)
    throw Corrupt("the index says that page " + std::to_string(page) + " of " + arrayText(array) +
                  " lies at bytes " + std::to_string(place.offset) + " + " + std::to_string(place.bytes) +
                  ", which cannot be")
        .at(name);
  return place;
}

StoreFile::StoreFile(std::unique_ptr<State> state) : m_state(std::move(state)) {}
StoreFile::~StoreFile() = default;

std::unique_ptr<StoreFile> StoreFile::open(const std::filesystem::path& path, MemoryAccount& account,
                                           const StoreFileOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && std::filesystem::exists(partialPath(path), ignored))
    throw Invalid("is not finished: its conversion was interrupted", "run it again with --resume")
        .at("file " + path.string());
  StoreFileOptions its = options;
  if (!its.openPart)
    its.openPart = [&](std::size_t, const std::string& name) {
      return LocalFile::open(path.parent_path() / name);
    };
  return open(LocalFile::open(path), account, its);
}

std::unique_ptr<StoreFile> StoreFile::open(std::shared_ptr<const ByteObject> object, MemoryAccount& account,
                                           const StoreFileOptions& options) {
  auto state = std::make_unique<State>();
  state->object = std::move(object);
  state->open(account, options);
  return std::unique_ptr<StoreFile>(new StoreFile(std::move(state)));
}

bool StoreFile::looksLikeStore(const std::filesystem::path& path) {
  try {
    return looksLikeStore(*LocalFile::open(path));
  } catch (const Error&) {
    return false;
  }
}

bool StoreFile::looksLikeStore(const ByteObject& object) {
  const std::uint64_t size = object.size();
  letStoreGrow(object);
  char head[8]{}, magic[8]{};
  object.readSomeAt(0, std::as_writable_bytes(std::span(head)));
  if (size >= sizeof(Trailer))
    object.readSomeAt(size - sizeof(Trailer), std::as_writable_bytes(std::span(magic)));
  return std::memcmp(head, kPartialMagic, sizeof head) == 0 ||
         std::memcmp(magic, Trailer{}.magic, sizeof magic) == 0 ||
         (std::memcmp(head, kHdf5Signature, sizeof head) == 0 && readGrowthNote(object).has_value());
}

int StoreFile::levels() const {
  return m_state->levels;
}
const DatasetDescription& StoreFile::description() const {
  return m_state->catalog.description;
}
Codec StoreFile::codec() const {
  return m_state->catalog.codec;
}
std::uint64_t StoreFile::fileBytes() const {
  return m_state->fileBytes + m_state->catalog.stripes.partBytes();
}
const ByteObjects& StoreFile::pageObjects() const {
  return m_state->pageObjects;
}
const Stripes& StoreFile::stripes() const {
  return m_state->catalog.stripes;
}
std::vector<std::uint64_t> StoreFile::history() const {
  if (!stripes().parts.empty()) return {};
  // A trailer has the catalog's checksum, the catalog those of the lists of pages, and these those of the pages.
  const auto numberOf = [](const Trailer& trailer) {
    return checksum(std::as_bytes(std::span(&trailer, 1)));
  };
  std::vector<std::uint64_t> all{numberOf(m_state->trailer)};
  const std::vector<NodePlace>& left = m_state->left;
  for (auto at = left.rbegin(); at != left.rend() && all.size() < kMostOfHistory; ++at) {
    if (at->bytes < sizeof(Trailer) || at->offset > m_state->fileBytes ||
        at->bytes > m_state->fileBytes - at->offset)
      break;
    Trailer before;
    m_state->object->readAt(at->offset + at->bytes - sizeof before,
                            std::as_writable_bytes(std::span(&before, 1)));
    all.push_back(numberOf(before));
  }
  return all;
}
void StoreFile::checkUnchanged() const {
  m_state->object->checkUnchanged();
  if (stripes().parts.empty()) return;
  for (const auto& part : m_state->pageObjects)
    if (part) part->checkUnchanged();
}
const std::string& StoreFile::name() const {
  return m_state->name;
}
const std::shared_ptr<const ByteObject>& StoreFile::object() const {
  return m_state->object;
}

PagePlace StoreFile::place(std::uint32_t array, std::uint64_t page) const {
  m_state->checkPage(array, page);
  const auto number = static_cast<std::int64_t>(page);
  PagePlace place;
  m_state->withNode(
      {array, NodeKind::Places, 0, number / kPagesPerLeaf}, [&](std::span<const std::byte> node) {
        place = load<PagePlace>(node.data() +
                                static_cast<std::size_t>(number % kPagesPerLeaf) * sizeof(PagePlace));
      });
  return m_state->checkedPlace(place, array, page);
}

std::optional<PagePlace> StoreFile::placeIfCached(std::uint32_t array, std::uint64_t page) const {
  m_state->checkPage(array, page);
  const auto number = static_cast<std::int64_t>(page);
  PagePlace place;
  const bool cached = m_state->cache->ifCached(
      {array, NodeKind::Places, 0, number / kPagesPerLeaf}, [&](std::span<const std::byte> node) {
        place = load<PagePlace>(node.data() +
                                static_cast<std::size_t>(number % kPagesPerLeaf) * sizeof(PagePlace));
      });
  if (!cached) return {};
  return m_state->checkedPlace(place, array, page);
}

std::uint64_t StoreFile::maxStoredBytes(std::uint32_t array) const {
  return static_cast<std::uint64_t>(description().arrays.at(array).maxPageBytes());
}

PageSummary StoreFile::summary(std::uint32_t array, std::uint64_t page) const {
  m_state->checkPage(array, page);
  const auto number = static_cast<std::int64_t>(page);
  const int components = m_state->shapes[array].components();
  PageSummary summary;
  m_state->withNode(
      {array, NodeKind::Summaries, 0, number / kPagesPerLeaf}, [&](std::span<const std::byte> node) {
        summary = loadSummary(
            node.data() + static_cast<std::size_t>(number % kPagesPerLeaf * summaryRecordBytes(components)),
            components);
      });
  if (!summary.isWithin(arraySummary(array)))
    throw Corrupt("the index has ranges of page " + std::to_string(page) + " of " +
                  m_state->arrayText(array) + " that the array does not have")
        .at(name());
  return summary;
}

const PageSummary& StoreFile::arraySummary(std::uint32_t array) const {
  return m_state->catalog.indices.at(array).summary;
}

IndexCounters StoreFile::indexCounters() const {
  const IndexCacheCounters counters = m_state->cache->counters();
  return {counters.lookups, counters.misses, counters.bytesRead, counters.cachedBytes,
          counters.capacityBytes};
}

}  // namespace farfield::paging
