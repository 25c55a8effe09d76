#include "remote/server/served_store.h"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/store_file.h"
#include "remote/server/named_errors.h"

namespace farfield::remote {
namespace {

constexpr std::uint64_t kIndexCacheBytes = 4 << 20;

class ServedStore final : public ServedSet {
 public:
  /// `parts`: of a striped set, as many as it has; those that are not here have no name. `identities`: of the store as it is, and
  /// as it was before. `filesKey`: of the file.
  ServedStore(SharedFile file, std::vector<SharedFile> parts, std::unique_ptr<paging::StoreFile> store,
              std::vector<std::uint64_t> identities, std::uint64_t filesKey, RunElsewhere run)
      : m_file(std::move(file)), m_parts(std::move(parts)), m_store(std::move(store)), m_run(std::move(run)) {
    if (m_parts.empty()) m_pages.push_back(File::openForReading(m_file.path()));
    for (const SharedFile& part : m_parts)
      m_pages.push_back(part.name().empty() ? File() : File::openForReading(part.path()));
    m_filesKey = filesKey;
    m_opened.isStriped = !m_parts.empty();
    if (m_opened.isStriped) {
      std::vector<std::uint64_t> files{m_file.identity()};
      for (const SharedFile& part : m_parts) files.push_back(part.identity());
      m_filesKey = paging::checksum(std::as_bytes(std::span(files)));
    }
    m_opened.identity = identities.front();
    m_opened.earlier.assign(identities.begin() + 1, identities.end());
    m_opened.fileBytes = m_store->fileBytes();
    m_opened.isStore = true;
    m_opened.description = paging::descriptionText(m_store->description());
    m_opened.explanation = {"paged store of " + formatBytes(m_store->fileBytes()) + ", pages of edge " +
                            std::to_string(description().pageEdge) + ", codec " + description().codec};
    for (std::uint32_t n = 0; n < description().arrays.size(); ++n) {
      ArrayFacts facts{m_store->maxStoredBytes(n), {}};
      for (const paging::ValueRange& range : m_store->arraySummary(n).components)
        facts.ranges.push_back({range.min, range.max});
      m_opened.arrays.push_back(std::move(facts));
    }
  }

  const paging::DatasetDescription& description() const override { return m_store->description(); }

  void tryRead(std::span<const PageName> pages, std::span<PageBlobPointer> out) override {
    // pages that follow one another in the file are read together
    Run run;
    for (std::size_t n = 0; n < pages.size(); ++n) try {
        const std::optional<paging::PagePlace> place = m_store->placeIfCached(pages[n].array, pages[n].page);
        const File& file = fileOf(pages[n].page);
        if (!place || !file.isOpen()) continue;
        if (run.count == kMostTogether || run.file != &file || run.end != place->offset) {
          finish(run, out);
          run = {.file = &file, .begin = place->offset, .end = place->offset};
        }
        run.pages[run.count] = blobFor(*place);
        run.numbers[run.count++] = n;
        run.end += place->bytes;
      } catch (const Error&) {  // read() says what is wrong
      }
    finish(run, out);
  }

  void read(std::uint32_t array, std::uint64_t page, PageDone done) override {
    m_run([this, array, page, done = std::move(done)] {
      try {
        const std::uint32_t part = m_store->stripes().partOf(page);
        if (!fileOf(page).isOpen())
          throw NotFound(paging::partText(m_store->stripes(), part) + ", is not on this server",
                         "copy it beside the set, or name the server that has it, too");
        const paging::PagePlace place = m_store->place(array, page);
        const auto blob = blobFor(place);
        fileOf(page).readAt(place.offset, blob->span());
        done(blob, nullptr);
      } catch (...) {
        done(nullptr, ownNames(paging::withPlace(std::current_exception(),
                                                 paging::pageText(description(), array, page))));
      }
    });
  }

  IndexRecord indexOf(std::uint32_t array, std::uint64_t page) override {
    try {
      const paging::PageSummary summary = m_store->summary(array, page);
      IndexRecord record{m_store->place(array, page).bytes, true, summary.hasNonFinite, {}};
      for (const paging::ValueRange& range : summary.components)
        record.ranges.push_back({range.min, range.max});
      return record;
    } catch (...) {
      std::rethrow_exception(ownNames(std::current_exception()));
    }
  }

  PartsReply parts() const override {
    if (m_parts.empty()) return ServedSet::parts();
    PartsReply reply;
    for (std::size_t n = 0; n < m_parts.size(); ++n)
      reply.parts.push_back({m_pages[n].isOpen(), m_store->stripes().parts[n].name});
    return reply;
  }

 private:
  static constexpr std::size_t kMostTogether = 64;
  struct Run {
    const File* file = nullptr;
    std::uint64_t begin = 0, end = 0;
    std::size_t count = 0;
    std::array<std::shared_ptr<PageBlob>, kMostTogether> pages{};
    std::array<std::size_t, kMostTogether> numbers{};
  };
  /// Hands out the pages of which all is in the system's cache.
  static void finish(Run& run, std::span<PageBlobPointer> out) {
    if (run.count == 0) return;
    std::array<iovec, kMostTogether> into;
    for (std::size_t n = 0; n < run.count; ++n) into[n] = {run.pages[n]->bytes.get(), run.pages[n]->size};
    ssize_t left = ::preadv2(run.file->fd(), into.data(), static_cast<int>(run.count),
                             static_cast<off_t>(run.begin), RWF_NOWAIT);
    for (std::size_t n = 0; n < run.count; ++n) {
      left -= static_cast<ssize_t>(run.pages[n]->size);
      if (left < 0) return;
      out[run.numbers[n]] = std::move(run.pages[n]);
    }
  }

  const File& fileOf(std::uint64_t page) const { return m_pages[m_store->stripes().partOf(page)]; }
  std::exception_ptr ownNames(std::exception_ptr error) const {
    error = renamed(error, m_file);
    for (const SharedFile& part : m_parts)
      if (!part.name().empty()) error = renamed(error, part);
    return error;
  }
  std::shared_ptr<PageBlob> blobFor(const paging::PagePlace& place) const {
    auto blob = std::make_shared<PageBlob>(place.bytes);
    blob->codec = m_store->codecOf(place);
    blob->padded = true;
    blob->checksum = place.checksum;
    return blob;
  }

  SharedFile m_file;
  std::vector<SharedFile> m_parts;
  std::vector<File> m_pages;  ///< where pages are, open for reading
  std::unique_ptr<paging::StoreFile> m_store;
  RunElsewhere m_run;
};

int levelIn(const OpenRequestMessage& request) {
  int level = 0;
  for (const auto& [key, value] : request.options) {
    if (key != "level") throw Invalid("stores take no option '" + key + "'", "leave it out; they take level");
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, level);
    if (error != std::errc() || stop != end || level < 0)
      throw Invalid("'" + value + "' is no level", "0 is all of the data, 1 half their resolution");
  }
  return level;
}

}  // namespace

std::shared_ptr<ServedSet> servedStore(SharedFile file, const RootFolder& root,
                                       const OpenRequestMessage& request, std::uint64_t filesKey,
                                       const SetSurroundings& surroundings) {
  std::vector<SharedFile> parts;
  try {
    const std::string& path = request.sources.front();
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    const auto openPart = [&](std::size_t,
                              const std::string& name) -> std::shared_ptr<const paging::ByteObject> {
      try {
        parts.push_back(root.open(folder + name));
      } catch (const NotFound&) {
        parts.emplace_back();
        return nullptr;
      }
      return paging::LocalFile::open(parts.back().path());
    };
    auto store = paging::StoreFile::open(
        paging::LocalFile::open(file.path()), surroundings.account,
        {.indexCacheBytes = kIndexCacheBytes, .level = levelIn(request), .openPart = openPart});
    std::vector<std::uint64_t> identities = store->history();
    for (std::uint64_t& its : identities) its = identityOfReading({&its, 1}, request);
    if (!parts.empty()) {
      // The same on every server that has parts of it, and with every part: the number says what all pages are.
      const std::array<std::uint64_t, 2> what{store->stripes().set,
                                              static_cast<std::uint64_t>(levelIn(request))};
      identities = {paging::checksum(std::as_bytes(std::span(what)))};
    }
    return std::make_shared<ServedStore>(std::move(file), std::move(parts), std::move(store),
                                         std::move(identities), filesKey, surroundings.run);
  } catch (...) {
    std::exception_ptr error = renamed(std::current_exception(), file);
    for (const SharedFile& part : parts)
      if (!part.name().empty()) error = renamed(error, part);
    std::rethrow_exception(error);
  }
}

}  // namespace farfield::remote
