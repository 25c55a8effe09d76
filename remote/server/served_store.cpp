#include "remote/server/served_store.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/store_file.h"
#include "remote/server/named_errors.h"

namespace farfield::remote {
namespace {

constexpr std::uint64_t kIndexCacheBytes = 4 << 20;

class ServedStore final : public ServedSet {
 public:
  ServedStore(SharedFile file, std::unique_ptr<paging::StoreFile> store, std::uint64_t identity,
              RunElsewhere run)
      : m_file(std::move(file)),
        m_pages(File::openForReading(m_file.path())),
        m_store(std::move(store)),
        m_run(std::move(run)) {
    m_opened.identity = identity;
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

  PageBlobPointer tryRead(std::uint32_t array, std::uint64_t page) override {
    try {
      const std::optional<paging::PagePlace> place = m_store->placeIfCached(array, page);
      if (!place) return nullptr;
      const auto blob = blobFor(*place);
      iovec into{blob->bytes.get(), blob->size};
      const ssize_t got = ::preadv2(m_pages.fd(), &into, 1, static_cast<off_t>(place->offset), RWF_NOWAIT);
      return got == static_cast<ssize_t>(blob->size) ? blob : nullptr;
    } catch (const Error&) {
      return nullptr;  // read() says what is wrong
    }
  }

  void read(std::uint32_t array, std::uint64_t page, PageDone done) override {
    m_run([this, array, page, done = std::move(done)] {
      try {
        const paging::PagePlace place = m_store->place(array, page);
        const auto blob = blobFor(place);
        m_pages.readAt(place.offset, blob->span());
        done(blob, nullptr);
      } catch (...) {
        done(nullptr, renamed(paging::withPlace(std::current_exception(),
                                                paging::pageText(description(), array, page)),
                              m_file));
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
      std::rethrow_exception(renamed(std::current_exception(), m_file));
    }
  }

 private:
  std::shared_ptr<PageBlob> blobFor(const paging::PagePlace& place) const {
    auto blob = std::make_shared<PageBlob>(place.bytes);
    blob->codec = m_store->codecOf(place);
    blob->padded = true;
    blob->checksum = place.checksum;
    return blob;
  }

  SharedFile m_file;
  File m_pages;  ///< the same, open for reading
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

std::shared_ptr<ServedSet> servedStore(SharedFile file, const OpenRequestMessage& request,
                                       std::uint64_t identity, const SetSurroundings& surroundings) {
  try {
    auto store = paging::StoreFile::open(file.path(), surroundings.account,
                                         {.indexCacheBytes = kIndexCacheBytes, .level = levelIn(request)});
    return std::make_shared<ServedStore>(std::move(file), std::move(store), identity, surroundings.run);
  } catch (...) {
    std::rethrow_exception(renamed(std::current_exception(), file));
  }
}

}  // namespace farfield::remote
