#include "plugins/chunks/chunk_sources.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "core/base/error.h"
#include "core/paging/bytes/staging_arena.h"
#include "core/paging/sources/box_source.h"
#include "core/paging/sources/placed_source.h"
#include "plugins/chunks/chunk_array.h"
#include "plugins/chunks/chunk_pages.h"

namespace farfield::chunks {
namespace {

using arrays::ChunkMap;
using arrays::PlacedArray;

std::int64_t stepOffset(const PlacedArray& placed, std::int64_t step) {
  return placed.steps.size() == 1 ? step * placed.stepStride : 0;
}

/// How the piece that has all nodes of `step` lies in its chunks.
ChunkMap mapOf(const PlacedArray& placed, std::int64_t step) {
  const auto map = ChunkMap::of(placed.piecesOf(step).front(), placed.components, stepOffset(placed, step));
  if (!map) throw Corrupt("its chunks do not fit its nodes");
  return *map;
}

const ChunkArray& arrayOf(const ChunkMap& map) {
  return static_cast<const ChunkArray&>(map.source());
}

/// Whether each page is a slab of a chunk (chunk_pages.h).
bool isInSlabs(const PlacedArray& placed, const paging::ArrayDescription& array) {
  if (!areSlabs(placed)) return false;
  for (const std::vector<arrays::Piece>& pieces : placed.steps) {
    const auto map = ChunkMap::of(pieces.front(), placed.components, 0);
    const Index3& page = array.layout.extent();
    if (!map || map->extent(1) != page[0] || map->extent(2) != page[1] || map->extent(3) % page[2] != 0)
      return false;
  }
  return true;
}

/// Whether each page lies in one chunk, of which nothing else is wanted, that is a range of an object; or is a slab of one.
bool isPlaced(const arrays::ArrayPlace& place, const paging::ArrayDescription& array) {
  const auto* const placed = std::get_if<PlacedArray>(&place);
  if (!placed || placed->isBetween()) return false;
  if (isInSlabs(*placed, array)) return true;
  for (std::size_t n = 0; n < placed->steps.size(); ++n) {
    const std::vector<arrays::Piece>& pieces = placed->steps[n];
    if (pieces.size() != 1) return false;
    const auto* const its = dynamic_cast<const ChunkArray*>(pieces.front().bytes.get());
    if (!its || !dynamic_cast<const PlacedChunks*>(&its->store())) return false;
    // a chunk is unpacked where a page has room
    if (its->chunkBytes() > array.maxPageBytes()) return false;
    const auto map = ChunkMap::of(pieces.front(), placed->components, 0);
    if (!map || map->runLength(0, 0, placed->components) != placed->components) return false;
    for (std::size_t a = 0; a < 3; ++a)
      if (!map->isEven(a + 1) || map->extent(a + 1) != array.layout.extent()[a]) return false;
  }
  return !placed->steps.empty();
}

/// The codec of the cache that does just what undoing the filters does, where there is one.
std::optional<paging::Codec> codecOf(const std::vector<Filter>& filters, int elementBytes) {
  if (filters.empty()) return paging::Codec::None;
  const bool shuffles = filters.front().kind == FilterKind::Shuffle && filters.front().elementBytes > 1;
  if (shuffles != (elementBytes > 1) || (shuffles && filters.front().elementBytes != elementBytes))
    return std::nullopt;
  if (filters.size() != (filters.front().kind == FilterKind::Shuffle ? 2 : 1)) return std::nullopt;
  switch (filters.back().kind) {
    case FilterKind::Zlib:
      return paging::Codec::Gzip;
    case FilterKind::Zstd:
      return paging::Codec::Zstd;
    case FilterKind::Lz4:
      return paging::Codec::Lz4;
    default:
      return std::nullopt;
  }
}

/// The pages of one array.
class ChunkPages {
 public:
  ChunkPages(const PlacedArray& placed, paging::ArrayDescription array)
      : m_placed(placed), m_array(std::move(array)), m_inSlabs(isInSlabs(m_placed, m_array)) {
    if (m_inSlabs) {
      m_codec = paging::Codec::None;
      return;
    }
    const auto& filters = arrayOf(mapOf(placed, 0)).filters().filters();
    bool same = !placed.bigEndian && !placed.unpacking && arrays::nativeType(placed.type) == placed.type;
    // the steps may be in files of their own, each stored in its own way
    for (std::int64_t step = 0; same && step < static_cast<std::int64_t>(placed.steps.size()); ++step) {
      const ChunkMap map = mapOf(placed, step);
      same =
          arrayOf(map).chunkBytes() == m_array.maxPageBytes() && arrayOf(map).filters().filters() == filters;
      std::int64_t stride = sizeOf(m_array.type);
      const auto isNext = [&](std::size_t axis, std::int64_t count) {
        same = same && (count == 1 || map.inner(axis) == stride);
        stride *= count;
      };
      isNext(0, m_array.components);
      for (std::size_t a = 0; a < 3; ++a) isNext(a + 1, m_array.layout.extent()[a]);
    }
    if (same) m_codec = codecOf(filters, sizeOf(m_array.type));
  }

  std::int64_t chunkOf(std::uint64_t page) const {
    return placeOf(page, mapOf(m_placed, m_array.stepOf(page))).chunk;
  }
  /// The most bytes that are read for a page of chunks that have up to `mostStored`.
  std::uint64_t mostStoredBytes(std::uint64_t mostStored) const {
    return m_inSlabs ? static_cast<std::uint64_t>(m_array.maxPageBytes()) : mostStored;
  }
  /// What is read of a chunk that lies at `place`. Throws Corrupt.
  PlacedChunks::Place partOf(std::uint64_t page, PlacedChunks::Place place) const {
    if (!m_inSlabs || place.bytes == 0) return place;
    const ChunkMap map = mapOf(m_placed, m_array.stepOf(page));
    const ChunkMap::Place at = placeOf(page, map);
    if (place.bytes != static_cast<std::uint64_t>(arrayOf(map).chunkBytes()) || place.offset > kMostOffset)
      throw Corrupt("chunk " + std::to_string(at.chunk) + " cannot have " + std::to_string(place.bytes) +
                        " bytes at byte " + std::to_string(place.offset),
                    "check that the copy is complete");
    return {place.offset + static_cast<std::uint64_t>(at.offset),
            static_cast<std::uint64_t>(m_array.maxPageBytes()), place.skipped};
  }
  /// How the cache decodes its stored bytes; nothing if only decode() does.
  std::optional<paging::Codec> codec(std::uint64_t bytes, std::uint32_t skipped) const {
    if (!m_codec || bytes == 0) return std::nullopt;
    if (skipped == 0 || m_inSlabs) return m_codec;
    return skipped == ~std::uint32_t{0} ? std::optional(paging::Codec::None) : std::nullopt;
  }
  /// The nodes of a page from the stored bytes of its chunk, in work.nodes.
  struct Work {
    paging::Scratch filtered, chunk, nodes;
  };
  std::span<const std::byte> decode(std::uint64_t page, const ChunkStore::Stored& stored, Work& work) const {
    const ChunkMap map = mapOf(m_placed, m_array.stepOf(page));
    const ChunkArray& chunks = arrayOf(map);
    const std::span<std::byte> chunk = room(work.chunk, chunks.chunkBytes());
    chunks.unpack(stored, chunk, work.filtered);
    const IndexBox box = m_array.boxOf(page);
    arrays::ChunkBox some;
    some.counts[0] = m_placed.components;
    some.out[0] = sizeOf(m_placed.valueType());
    for (std::size_t a = 0; a < 3; ++a) {
      some.counts[a + 1] = box.size[a];
      some.out[a + 1] = some.out[a] * some.counts[a];
    }
    for (std::size_t a = 0; a < ChunkMap::kAxes; ++a) some.in[a] = map.inner(a);
    const std::span<std::byte> nodes = room(work.nodes, product(box.size) * m_array.nodeBytes());
    arrays::gather(m_placed.storedAs(m_array.stepOf(page)), some, chunk.data() + placeOf(page, map).offset,
                   nodes.data());
    return nodes;
  }

 private:
  static std::span<std::byte> room(paging::Scratch& scratch, std::int64_t bytes) {
    if (scratch.size() < static_cast<std::size_t>(bytes)) scratch.resize(static_cast<std::size_t>(bytes));
    return {scratch.data(), static_cast<std::size_t>(bytes)};
  }
  ChunkMap::Place placeOf(std::uint64_t page, const ChunkMap& map) const {
    const IndexBox box = m_array.boxOf(page);
    return map.placeOf({0, box.first[0], box.first[1], box.first[2]});
  }

  static constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 62;

  const PlacedArray& m_placed;
  paging::ArrayDescription m_array;
  bool m_inSlabs;
  std::optional<paging::Codec> m_codec;
};

/// Some neighbouring arrays of a reader.
class SomeArrays {
 public:
  SomeArrays(std::shared_ptr<const arrays::ArrayReader> reader, std::size_t first, std::size_t end)
      : m_reader(std::move(reader)), m_description(m_reader->description()), m_first(first) {
    m_description.arrays.assign(m_reader->description().arrays.begin() + static_cast<std::ptrdiff_t>(first),
                                m_reader->description().arrays.begin() + static_cast<std::ptrdiff_t>(end));
  }
  const arrays::ArrayReader& reader() const { return *m_reader; }
  const paging::DatasetDescription& arraysDescribed() const { return m_description; }
  std::size_t first() const { return m_first; }

 private:
  std::shared_ptr<const arrays::ArrayReader> m_reader;
  paging::DatasetDescription m_description;
  std::size_t m_first;
};

class Boxes final : public paging::BoxReader {
 public:
  explicit Boxes(SomeArrays some) : m_some(std::move(some)) {}
  const paging::DatasetDescription& description() const override { return m_some.arraysDescribed(); }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    m_some.reader().read(static_cast<std::uint32_t>(m_some.first()) + array, step, box, out);
  }

 private:
  SomeArrays m_some;
};

class Places final : public paging::PlaceMap {
 public:
  /// `workers` threads unpack at a time, with `workBytes` each.
  Places(SomeArrays some, MemoryAccount& account, std::uint64_t workers, std::uint64_t workBytes)
      : m_some(std::move(some)),
        m_claim(account.claim(Purpose::Work, workers * workBytes, "unpacking chunks")) {
    for (std::size_t n = 0; n < m_some.arraysDescribed().arrays.size(); ++n) {
      const auto& placed = std::get<PlacedArray>(m_some.reader().places()[m_some.first() + n]);
      Array array{ChunkPages(placed, m_some.arraysDescribed().arrays[n]), 0, {}};
      for (const std::vector<arrays::Piece>& pieces : placed.steps) {
        const auto& chunks = static_cast<const ChunkArray&>(*pieces.front().bytes);
        array.mostStored = std::max(array.mostStored, array.pages.mostStoredBytes(chunks.mostStoredBytes()));
        const auto& object = storeOf(chunks).object();
        const auto found = std::find(m_objects.begin(), m_objects.end(), object);
        array.objects.push_back(static_cast<std::uint32_t>(found - m_objects.begin()));
        if (found == m_objects.end()) m_objects.push_back(object);
      }
      m_arrays.push_back(std::move(array));
    }
    for (std::uint64_t n = 0; n < workers; ++n) m_work.push_back(std::make_unique<ChunkPages::Work>());
  }

  const paging::DatasetDescription& description() const override { return m_some.arraysDescribed(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_arrays[array].mostStored; }
  paging::PageExtent place(std::uint32_t array, std::uint64_t page) const override {
    return extentOf(array, page, chunksOf(array, page).place(m_arrays[array].pages.chunkOf(page)));
  }
  std::optional<paging::PageExtent> placeIfKnown(std::uint32_t array, std::uint64_t page) const override {
    const auto place = chunksOf(array, page).placeIfKnown(m_arrays[array].pages.chunkOf(page));
    if (!place) return std::nullopt;
    return extentOf(array, page, *place);
  }
  void expect(std::uint32_t array, std::uint64_t page) const noexcept override try {
    chunksOf(array, page).expectPlace(m_arrays[array].pages.chunkOf(page));
  } catch (...) {
    // place() says what is wrong
  }
  paging::ByteObjects objects() const override { return m_objects; }
  bool fillsMissing() const override { return true; }
  void deliver(const paging::PageRequest& request, const paging::PageExtent& extent,
               std::span<const std::byte> bytes) const override {
    const ChunkPages& pages = m_arrays[request.array].pages;
    if (const auto codec = pages.codec(bytes.size(), extent.flags))
      return request.sink->arrived(request.tag, {bytes, *codec, false, 0, true});
    std::unique_ptr<ChunkPages::Work> work = takeWork();
    try {
      const std::span<const std::byte> nodes = pages.decode(request.page, {bytes, extent.flags}, *work);
      request.sink->arrived(request.tag, {nodes, paging::Codec::None, false, 0, false});
    } catch (...) {
      returnWork(std::move(work));
      throw;
    }
    returnWork(std::move(work));
  }

 private:
  struct Array {
    ChunkPages pages;
    std::uint64_t mostStored = 0;
    std::vector<std::uint32_t> objects;  ///< of each entry of its steps
  };
  static const PlacedChunks& storeOf(const ChunkArray& chunks) {
    return static_cast<const PlacedChunks&>(chunks.store());
  }
  std::size_t entryOf(std::uint32_t array, std::uint64_t page) const {
    if (m_arrays[array].objects.size() == 1) return 0;
    return static_cast<std::size_t>(description().arrays[array].stepOf(page));
  }
  const PlacedChunks& chunksOf(std::uint32_t array, std::uint64_t page) const {
    const auto& placed = std::get<PlacedArray>(m_some.reader().places()[m_some.first() + array]);
    return storeOf(static_cast<const ChunkArray&>(*placed.steps[entryOf(array, page)].front().bytes));
  }
  paging::PageExtent extentOf(std::uint32_t array, std::uint64_t page,
                              const PlacedChunks::Place& chunk) const {
    const PlacedChunks::Place place = m_arrays[array].pages.partOf(page, chunk);
    return {.object = m_arrays[array].objects[entryOf(array, page)],
            .offset = place.offset,
            .bytes = place.bytes,
            .flags = place.skipped};
  }

  std::unique_ptr<ChunkPages::Work> takeWork() const {
    std::unique_lock lock(m_mutex);
    // who has some is unpacking and waits for nothing, so this ends soon
    m_returned.wait(lock, [&] { return !m_work.empty(); });
    auto work = std::move(m_work.back());
    m_work.pop_back();
    return work;
  }
  void returnWork(std::unique_ptr<ChunkPages::Work> work) const {
    const std::lock_guard lock(m_mutex);
    m_work.push_back(std::move(work));
    m_returned.notify_one();
  }

  SomeArrays m_some;
  MemoryClaim m_claim;
  std::vector<Array> m_arrays;
  paging::ByteObjects m_objects;
  mutable std::mutex m_mutex;
  mutable std::condition_variable m_returned;
  mutable std::vector<std::unique_ptr<ChunkPages::Work>> m_work;  ///< not taken
};

class Sources final : public fields::BoxSources {
 public:
  Sources(std::shared_ptr<const arrays::ArrayReader> reader, std::string name)
      : m_reader(std::move(reader)), m_name(std::move(name)) {
    const auto& arrays = m_reader->description().arrays;
    for (std::size_t n = 0; n < arrays.size(); ++n) {
      const bool placed = isPlaced(m_reader->places()[n], arrays[n]);
      if (m_runs.empty() || m_runs.back().placed != placed) m_runs.push_back({placed, n, n});
      Run& run = m_runs.back();
      run.end = n + 1;
      auto bytes = static_cast<std::uint64_t>(arrays[n].maxPageBytes());
      if (placed) {
        const ChunkMap map = mapOf(std::get<PlacedArray>(m_reader->places()[n]), 0);
        const auto chunk = static_cast<std::uint64_t>(arrayOf(map).chunkBytes());
        run.work =
            std::max(run.work, paging::wholeStagingUnits(bytes + chunk + FilterChain::workBytes(chunk)));
        if (!isInSlabs(std::get<PlacedArray>(m_reader->places()[n]), arrays[n]))
          bytes = std::max(bytes, arrayOf(map).mostStoredBytes());
      }
      run.largest = std::max(run.largest, paging::wholeStagingUnits(bytes));
    }
  }

  std::uint64_t largestStoredBytes() const override {
    // each source must be able to read its largest page at the same time
    std::uint64_t sum = 0;
    for (const Run& run : m_runs) sum += run.largest + run.work;
    return sum;
  }

  std::vector<std::unique_ptr<paging::PageSource>> make(MemoryAccount& account,
                                                        const fields::SourceOptions& options) const override {
    const std::uint64_t least = largestStoredBytes();
    const std::uint64_t spare = options.stagingBytes - std::min(options.stagingBytes, least);
    std::vector<std::unique_ptr<paging::PageSource>> sources;
    for (const Run& run : m_runs) {
      SomeArrays some(m_reader, run.first, run.end);
      // whole units, which is what a source claims
      const std::uint64_t share = spare / m_runs.size() / paging::kStagingUnit * paging::kStagingUnit;
      if (run.placed) {
        paging::PlacedSourceOptions placed;
        placed.engine.kind = options.engine;
        placed.engine.readers = options.readers;
        placed.engine.depth = std::max(options.readers, 1);
        placed.engine.rings = std::max(options.processors, 1);
        // half of what is left over is for more threads that unpack
        const std::uint64_t workers =
            1 + std::min<std::uint64_t>(share / (2 * run.work),
                                        static_cast<std::uint64_t>(std::max(1, options.processors)) - 1);
        placed.stagingBytes = run.largest + share - (workers - 1) * run.work;
        sources.push_back(std::make_unique<paging::PlacedSource>(
            std::make_unique<Places>(std::move(some), account, workers, run.work), account, placed));
      } else {
        paging::BoxSourceOptions boxes;
        boxes.readers = std::max(1, options.readers);
        boxes.stagingBytes = run.largest + share;
        sources.push_back(std::make_unique<paging::BoxSource>(std::make_shared<Boxes>(std::move(some)),
                                                              account, boxes, m_name));
      }
    }
    return sources;
  }

 private:
  /// Neighbouring arrays that are read alike.
  struct Run {
    bool placed;
    std::size_t first, end;
    std::uint64_t largest = 0;  ///< bytes of a page on its way
    std::uint64_t work = 0;     ///< of a thread that unpacks
  };
  std::shared_ptr<const arrays::ArrayReader> m_reader;
  std::string m_name;
  std::vector<Run> m_runs;
};

}  // namespace

std::shared_ptr<const fields::BoxSources> chunkSources(std::shared_ptr<const arrays::ArrayReader> reader,
                                                       std::string name) {
  return std::make_shared<Sources>(std::move(reader), std::move(name));
}

}  // namespace farfield::chunks
