#include "bench/shared/store_image.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "bench/devices/scripted_source.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield::bench {

struct StoreImage::Image {
  Image(const std::filesystem::path& path, MemoryAccount& account)
      // the whole index stays in the cache: only pages are measured
      : file(paging::StoreFile::open(path, account, {.indexCacheBytes = std::uint64_t{1} << 32})),
        bytes(file->fileBytes()) {
    const File mapped = File::openForReading(path);
    void* const map = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, mapped.fd(), 0);
    if (map == MAP_FAILED) throw ioError("cannot be mapped", errno).at("file " + path.string());
    base = static_cast<const std::byte*>(map);
    const auto& arrays = file->description().arrays;
    for (std::uint32_t array = 0; array < arrays.size(); ++array)
      for (std::int64_t page = 0; page < arrays[array].pageCount(); page += 256)
        file->place(array, static_cast<std::uint64_t>(page));
  }
  ~Image() { ::munmap(const_cast<std::byte*>(base), bytes); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  std::unique_ptr<paging::StoreFile> file;
  std::uint64_t bytes = 0;
  const std::byte* base = nullptr;
};

namespace {

/// Hands every page over where it is requested.
template <class Image>
class ImageSource final : public paging::PageSource {
 public:
  explicit ImageSource(std::shared_ptr<const Image> image) : m_image(std::move(image)) {}
  const paging::DatasetDescription& description() const override { return m_image->file->description(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override {
    return m_image->file->maxStoredBytes(array);
  }
  void read(std::span<const paging::PageRequest> requests) noexcept override {
    for (const paging::PageRequest& request : requests) {
      paging::StoredPage page;
      try {
        const paging::PagePlace place = m_image->file->place(request.array, request.page);
        page = {.bytes = {m_image->base + place.offset, place.bytes},
                .codec = m_image->file->codecOf(place),
                .hasChecksum = true,
                .checksum = place.checksum,
                .padded = true};
      } catch (...) {
        request.sink->failed(request.tag, std::current_exception());
        continue;
      }
      m_reads.fetch_add(1, std::memory_order_relaxed);
      m_bytes.fetch_add(page.bytes.size(), std::memory_order_relaxed);
      request.sink->arrived(request.tag, page);
    }
  }
  void cancel(const paging::PageSink*) noexcept override {}
  paging::SourceCounters counters() const override { return {m_reads.load(), m_bytes.load()}; }

 private:
  std::shared_ptr<const Image> m_image;
  std::atomic<std::uint64_t> m_reads{0}, m_bytes{0};
};

}  // namespace

StoreImage::StoreImage(const std::filesystem::path& store, Device device)
    : m_device(std::move(device)), m_image(std::make_shared<const Image>(store, m_ownAccount)) {}

StoreImage::~StoreImage() = default;

const paging::DatasetDescription& StoreImage::description() const {
  return m_image->file->description();
}

std::uint64_t StoreImage::largestStoredBytes() const {
  std::uint64_t largest = 0;
  for (std::uint32_t n = 0; n < description().arrays.size(); ++n)
    largest = std::max(largest, m_image->file->maxStoredBytes(n));
  return largest;
}

std::uint64_t StoreImage::fileBytes() const {
  return m_image->bytes;
}

std::vector<std::unique_ptr<paging::PageSource>> StoreImage::makeSources(
    MemoryAccount&, const fields::SourceOptions& options) const {
  std::vector<std::unique_ptr<paging::PageSource>> sources;
  auto pages = std::make_unique<ImageSource<Image>>(m_image);
  if (m_device.latency.count() == 0 && m_device.bytesPerSecond == 0) {
    sources.push_back(std::move(pages));
    return sources;
  }
  const int readers = std::max(1, options.readers);
  paging::ScriptedOptions scripted;
  scripted.latency = m_device.latency;
  scripted.bytesPerSecond = m_device.bytesPerSecond;
  scripted.maxConcurrent = m_device.concurrent > 0 ? std::min(readers, m_device.concurrent) : readers;
  scripted.delivery = options.engine == paging::EngineKind::Threads ? paging::ScriptedDelivery::Thread
                                                                    : paging::ScriptedDelivery::Reap;
  sources.push_back(std::make_unique<paging::ScriptedSource>(std::move(pages), m_ownAccount, scripted));
  return sources;
}

}  // namespace farfield::bench
