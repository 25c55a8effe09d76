#include "core/paging/writing/stripe_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/store/partial_store.h"
#include "core/paging/store/store_check.h"
#include "core/paging/store/store_trailer.h"
#include "core/paging/writing/index_writer.h"

namespace farfield::paging {
namespace {

namespace fs = std::filesystem;
using namespace detail;

/// Pages that lie one after the other are read together, up to here; a page may be longer.
constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 20;
/// Written at a time.
constexpr std::size_t kPieceBytes = 128 << 10;

/// A file under a temporary name, until it takes its own. Throws Invalid if another process writes it.
class PendingFile {
 public:
  explicit PendingFile(fs::path path)
      : m_path(std::move(path)),
        m_temporary(m_path.parent_path() / ("." + m_path.filename().string() + ".new")),
        m_file(openLocked(m_temporary, m_path)),
        out(m_file, kPayloadStart, kPieceBytes) {
    m_file.resize(0);  // of what a process left that was killed
  }
  ~PendingFile() {
    std::error_code ignored;
    if (!m_named) fs::remove(m_temporary, ignored);
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  /// All bytes, from kPayloadStart on, have been written to `out`.
  void end(std::span<const std::byte> head) {
    out.flush();
    m_file.writeAt(0, head);
    m_file.sync();
    m_file.close();
  }
  void takeName() {
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
      throw ioError("cannot take its name", errno).at("file " + m_path.string());
    m_named = true;
  }

 private:
  fs::path m_path, m_temporary;
  File m_file;
  bool m_named = false;

 public:
  FileAppender out;
};

/// Reads pages of a store in the order of their numbers, many at a time where they lie together.
class PageRuns {
 public:
  PageRuns(const ByteObject& store, const std::string& array) : m_store(store), m_array(array) {}
  /// `places`: PagePlaces, of which `n` is the next one.
  std::span<const std::byte> page(std::span<const std::byte> places, std::size_t n) {
    const auto place = [&](std::size_t k) { return load<PagePlace>(places.data() + k * sizeof(PagePlace)); };
    const PagePlace its = place(n);
    checkRange({its.offset, its.bytes, 0}, m_store.size(), "page " + std::to_string(n) + " of " + m_array);
    if (its.offset < m_begin || its.offset + its.bytes > m_begin + m_run.size()) {
      std::uint64_t end = its.offset + its.bytes;
      for (std::size_t k = n + 1; (k + 1) * sizeof(PagePlace) <= places.size(); ++k) {
        const PagePlace next = place(k);
        if (next.offset != end || end + next.bytes - its.offset > kReadBytes ||
            end + next.bytes > m_store.size())
          break;
        end += next.bytes;
      }
      m_begin = its.offset;
      m_run.resize(end - its.offset);
      m_store.readAt(m_begin, m_run);
    }
    return std::span(m_run).subspan(its.offset - m_begin, its.bytes);
  }

 private:
  const ByteObject& m_store;
  const std::string& m_array;
  std::uint64_t m_begin = 0;
  std::vector<std::byte> m_run;
};

class StripeWriter {
 public:
  StripeWriter(const ByteObject& store, const fs::path& set, const StripeOptions& options)
      : m_store(store), m_options(options), m_set(set) {
    for (std::uint32_t part = 0; part < options.parts; ++part) {
      const std::string name = partNameOf(set.filename().string(), part);
      m_stripes.parts.push_back({name, 0});
      m_parts.push_back(std::make_unique<PendingFile>(set.parent_path() / name));
    }
  }

  std::uint64_t write(Catalog catalog) {
    for (const ArrayDescription& array : catalog.description.arrays)
      m_total += static_cast<std::uint64_t>(array.pageCount());
    std::vector<std::uint64_t> sums;
    for (std::size_t n = 0; n < catalog.indices.size(); ++n) {
      const ArrayDescription& array = catalog.description.arrays[n];
      const std::string name = "array " + array.name + " of block " + std::to_string(array.block);
      const IndexShape shape(array.pageCount(), array.components);
      IndexBuilder index(m_set.out, shape);
      node(catalog.indices[n].root, shape, shape.levels(), 0, name,
           static_cast<std::uint64_t>(array.maxPageBytes()), index);
      catalog.indices[n] = index.finish();
      sums.push_back(catalog.indices[n].root.checksum);
    }
    sums.push_back(m_options.parts);
    m_stripes.set = checksum(std::as_bytes(std::span(sums)));
    for (std::size_t part = 0; part < m_parts.size(); ++part)
      m_stripes.parts[part].bytes = m_parts[part]->out.position();
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
      throwIfStopped();
      m_parts[part]->end(partHead(m_stripes, part));
    }
    catalog.stripes = m_stripes;
    endSet(catalog);
    m_store.checkUnchanged();
    for (const auto& part : m_parts) part->takeName();
    m_set.takeName();
    return m_total;
  }

 private:
  void throwIfStopped() const {
    if (m_options.stop.stop_requested()) throw Cancelled();
  }

  std::vector<std::byte> readNode(const NodePlace& place, std::int64_t bytes, const std::string& part) const {
    if (place.bytes != static_cast<std::uint64_t>(bytes))
      throw Corrupt("the " + part + " has another size than its pages say");
    checkRange(place, m_store.size(), part);
    std::vector<std::byte> node(place.bytes);
    readChecked(m_store, place, node, part);
    return node;
  }

  void node(const NodePlace& place, const IndexShape& shape, int level, std::int64_t number,
            const std::string& array, std::uint64_t mostBytes, IndexBuilder& index) {
    const std::string part = "index of " + array;
    const auto inner = readNode(place, shape.innerBytes(level, number), part);
    const std::int64_t record = childRecordBytes(shape.components());
    for (std::int64_t child = 0; child < shape.records(level, number); ++child) {
      const std::byte* at = inner.data() + child * record;
      const std::int64_t its = number * kChildrenPerNode + child;
      if (level > 1) {
        node(load<NodePlace>(at), shape, level - 1, its, array, mostBytes, index);
        continue;
      }
      auto places = readNode(load<NodePlace>(at), shape.placesBytes(its), part);
      const auto summaries =
          readNode(load<NodePlace>(at + sizeof(NodePlace)), shape.summariesBytes(its), part);
      copyPages(places, static_cast<std::uint64_t>(its * kPagesPerLeaf), array, mostBytes);
      index.addLeaf(places, summaries);
    }
  }

  /// Copies the pages of a leaf and puts where they are now into `places`.
  void copyPages(std::vector<std::byte>& places, std::uint64_t first, const std::string& array,
                 std::uint64_t mostBytes) {
    const std::vector<std::byte> before = places;
    PageRuns runs(m_store, array);
    for (std::size_t n = 0; n < before.size() / sizeof(PagePlace); ++n) {
      throwIfStopped();
      auto place = load<PagePlace>(before.data() + n * sizeof(PagePlace));
      const std::string page = "page " + std::to_string(first + n) + " of " + array;
      if (place.bytes == 0 || place.bytes > mostBytes)
        throw Corrupt("the index says that " + page + " has " + std::to_string(place.bytes) + " bytes",
                      "convert or copy it again");
      const std::span<const std::byte> bytes = runs.page(before, n);
      if (checksum(bytes) != place.checksum)
        throw Corrupt(page + " is damaged: its checksum is not the one that is recorded",
                      "convert or copy it again");
      FileAppender& out = m_parts[m_stripes.partOf(first + n)]->out;
      place.offset = out.position();
      out.write(bytes);
      store(places.data() + n * sizeof(PagePlace), place);
      ++m_done;
      if (m_options.progress) m_options.progress(m_done, m_total);
    }
  }

  void endSet(const Catalog& catalog) {
    const std::uint64_t catalogAt = m_set.out.position();
    const std::string text = catalogText(catalog);
    m_set.out.write(std::as_bytes(std::span(text)));
    Trailer trailer;
    trailer.version = kStripedVersion;
    trailer.catalog = {catalogAt, text.size(), checksum(std::as_bytes(std::span(text)))};
    trailer.fileBytes = m_set.out.position() + sizeof trailer;
    std::string said = "Farfield striped set: index of a store whose pages are in " +
                       m_stripes.parts.front().name + " to " + m_stripes.parts.back().name + "\n";
    said.resize(kPayloadStart, '\0');
    const auto head = std::as_bytes(std::span(said));
    StructuresChecksum structures;
    structures.add(head);
    trailer.structures = structures.value();
    trailer.checksum =
        checksum(std::as_bytes(std::span(&trailer, 1)).first(sizeof trailer - sizeof trailer.checksum));
    m_set.out.write(std::as_bytes(std::span(&trailer, 1)));
    m_set.end(head);
  }

  const ByteObject& m_store;
  const StripeOptions& m_options;
  PendingFile m_set;
  Stripes m_stripes;
  std::vector<std::unique_ptr<PendingFile>> m_parts;
  std::uint64_t m_done = 0, m_total = 0;
};

/// Those of a set of the same name that had more of them, which nothing names any more.
void removePartsFrom(std::uint32_t first, const fs::path& set) {
  const std::string_view magic(kPartMagic);
  const std::vector<fs::path> all = filesOfSet(set, kMostParts);
  for (std::size_t n = 1 + first; n < all.size(); ++n) {
    std::error_code ignored;
    if (fs::symlink_status(all[n], ignored).type() != fs::file_type::regular) continue;
    std::string head(magic.size(), '\0');
    std::ifstream(all[n], std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
    if (head == magic) fs::remove(all[n], ignored);
  }
}

}  // namespace

std::vector<fs::path> filesOfSet(const fs::path& set, std::uint32_t parts) {
  std::vector<fs::path> files{set};
  for (std::uint32_t part = 0; part < parts; ++part)
    files.push_back(set.parent_path() / partNameOf(set.filename().string(), part));
  return files;
}

std::uint64_t writeStripes(const ByteObject& store, const fs::path& set, const StripeOptions& options,
                           MemoryAccount& account) {
  if (options.parts < 1 || options.parts > kMostParts)
    throw Invalid("a set has 1 to " + std::to_string(kMostParts) + " parts");
  try {
    // Opened as whoever reads does: it is checked, and its catalog's memory accounted for.
    const auto opened = StoreFile::open(
        std::shared_ptr<const ByteObject>(std::shared_ptr<const ByteObject>(), &store), account,
        {.openPart = [](std::size_t, const std::string&) -> std::shared_ptr<const ByteObject> {
          throw Unsupported("is a striped set already", "stripe the store that it was made of");
        }});
    const Trailer trailer = readTrailer(store);
    std::string text(trailer.catalog.bytes, '\0');
    const MemoryClaim catalogClaim =
        account.claim(Purpose::Index, 2 * text.size(), "the catalog of a striped set");
    readChecked(store, trailer.catalog, std::as_writable_bytes(std::span(text)), "catalog");
    Catalog catalog = catalogFromText(text);
    catalog.left.clear();
    std::uint64_t largestPage = 0, largestIndex = 0;
    for (const ArrayDescription& array : catalog.description.arrays) {
      const IndexShape shape(array.pageCount(), array.components);
      largestPage = std::max(largestPage, static_cast<std::uint64_t>(array.maxPageBytes()));
      largestIndex = std::max(largestIndex,
                              indexWriterBytes(shape) + static_cast<std::uint64_t>(shape.largestNodeBytes()) *
                                                            static_cast<std::uint64_t>(shape.levels() + 2));
    }
    const MemoryClaim claim = account.claim(Purpose::Work,
                                            // Buffers double as they grow.
                                            std::max(largestPage, kReadBytes) + largestIndex +
                                                (options.parts + 1) * 2 * (kPieceBytes + largestPage),
                                            "the files of a striped set");
    const std::uint64_t pages = StripeWriter(store, set, options).write(std::move(catalog));
    removePartsFrom(options.parts, set);
    return pages;
  } catch (Error& error) {
    if (error.place().empty()) error.at(store.name());
    throw;
  }
}

}  // namespace farfield::paging
