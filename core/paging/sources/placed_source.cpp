#include "core/paging/sources/placed_source.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "core/base/error.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/sources/place_lookup.h"

namespace farfield::paging {
namespace {

std::uint64_t largestPage(const PlaceMap& places) {
  std::uint64_t largest = 1;
  for (std::uint32_t array = 0; array < places.description().arrays.size(); ++array)
    largest = std::max(largest, places.maxStoredBytes(array));
  return largest;
}

bool useUring(EngineKind kind) {
  return kind == EngineKind::Uring || (kind == EngineKind::Auto && whyNoUring().empty());
}

std::unique_ptr<ReadEngine> makeEngine(ReadClient& client, const PlacedSourceOptions& options, int depth) {
  if (useUring(options.engine)) {
    try {
      return makeUringEngine(client, std::max(1, options.rings), depth);
    } catch (Unsupported&) {  // several rings can be refused where one is granted
      if (options.engine == EngineKind::Uring) throw;
    }
  }
  return makeThreadEngine(client, std::min(depth, std::max(1, options.readers)));
}

/// A direct read takes in the rest of its first and last units as well.
std::uint64_t directStagingFor(const PlaceMap& places) {
  return largestPage(places) + 2 * kStagingUnit;
}

std::uint64_t stagingFor(const PlaceMap& places, const PlacedSourceOptions& options) {
  const bool direct = options.systemCache == SystemCache::Bypass;
  return std::max(options.stagingBytes, direct ? directStagingFor(places) : largestPage(places));
}

/// The options with SystemCache::Auto decided.
PlacedSourceOptions decided(const PlaceMap& places, PlacedSourceOptions options) {
  if (options.systemCache != SystemCache::Auto) return options;
  const bool bypass = options.stagingBytes >= directStagingFor(places) &&
                      betterPastSystemCache(places.files(), options.bypassLimits);
  options.systemCache = bypass ? SystemCache::Bypass : SystemCache::Use;
  return options;
}

QueueLimits limitsFor(const PlaceMap& places, const PlacedSourceOptions& options, bool uring) {
  QueueLimits limits;
  limits.depth = std::max(1, uring ? options.depth : options.readers);
  // A run much larger than the others would wait for all of them to end before it finds room.
  limits.maxMergedBytes = std::min(options.maxMergedBytes, stagingFor(places, options) / 4);
  limits.mergeGapBytes = options.mergeGapBytes;
  limits.alignment = options.systemCache == SystemCache::Bypass ? kStagingUnit : 1;
  return limits;
}

}  // namespace

PlacedSource::PlacedSource(std::unique_ptr<const PlaceMap> places, MemoryAccount& account,
                           const PlacedSourceOptions& options)
    : m_places(std::move(places)),
      m_options(decided(*m_places, options)),
      m_files(m_places->files()),
      m_queue(account, stagingFor(*m_places, m_options),
              limitsFor(*m_places, m_options, useUring(options.engine)), "reading pages") {
  openFiles();
  m_engine = makeEngine(*this, m_options, m_queue.limits().depth);
  m_lookup = std::make_unique<PlaceLookup>([this](std::span<const PageRequest> requests) {
    std::vector<QueuedPage> found;
    for (const PageRequest& request : requests) lookUp(request, found);
    queue(found);
  });
}

PlacedSource::~PlacedSource() {
  // The lookup first, because what it finds goes into the queue; then nothing is left but what is on its way.
  // All parts stay until the end: sinks may ask for more from within arrived(), which is refused by then.
  m_lookup->stop();
  for (const PageRequest& request : m_lookup->remove(nullptr)) failCancelled(request);
  for (const QueuedPage& page : m_queue.close()) failCancelled(page.request);
  m_engine->stop();
}

void PlacedSource::openFiles() {
  const bool direct = m_options.systemCache == SystemCache::Bypass;
  for (LocalFile& file : m_files) {
    if (!direct) {
      // Pages are asked for here and there, and neighbours are read together anyway: what the system reads
      // ahead on its own (whole megabytes on some machines) would mostly be for nothing.
      ::posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_RANDOM);
      continue;
    }
    const File& opened = m_directFiles.emplace_back(File::openForReading(file.path));
    if (::fcntl(opened.fd(), F_SETFL, O_DIRECT) != 0)
      throw ioError("direct reads are refused", errno).at(file.name());
    file.descriptor = opened.fd();
  }
}

std::string PlacedSource::placeText(const PageRequest& request, std::uint32_t file) const {
  return m_files[file].name() + ": " + pageText(description(), request.array, request.page);
}

void PlacedSource::read(std::span<const PageRequest> requests) noexcept {
  std::vector<QueuedPage> found;
  std::vector<PageRequest> unknown;
  found.reserve(requests.size());
  for (const PageRequest& request : requests) {
    if (const std::exception_ptr error = checkRequest(description(), request, name())) {
      request.sink->failed(request.tag, error);
      continue;
    }
    try {
      if (const std::optional<PageExtent> extent = m_places->placeIfKnown(request.array, request.page))
        takePlace(request, *extent, found);
      else
        unknown.push_back(request);
    } catch (...) {
      const std::string page = pageText(description(), request.array, request.page);
      request.sink->failed(request.tag, withPlace(std::current_exception(), page));
    }
  }
  queue(found);
  if (unknown.empty() || m_lookup->push(unknown)) return;
  for (const PageRequest& request : unknown) failCancelled(request);
}

void PlacedSource::lookUp(const PageRequest& request, std::vector<QueuedPage>& found) noexcept {
  try {
    takePlace(request, m_places->place(request.array, request.page), found);
  } catch (...) {
    const std::string page = pageText(description(), request.array, request.page);
    request.sink->failed(request.tag, withPlace(std::current_exception(), page));
  }
}

void PlacedSource::takePlace(const PageRequest& request, const PageExtent& extent,
                             std::vector<QueuedPage>& found) noexcept {
  const auto fail = [&](auto&& error) {
    const std::uint32_t file = extent.file < m_files.size() ? extent.file : 0;
    request.sink->failed(request.tag, std::make_exception_ptr(error.at(placeText(request, file))));
  };
  if (extent.file >= m_files.size()) return fail(Corrupt("lies in a file that does not belong to the data"));
  if (extent.bytes == 0)
    return fail(NotFound("was never written", "finish the conversion (--resume), or convert again"));
  if (extent.bytes > maxStoredBytes(request.array) || extent.offset > (std::uint64_t{1} << 62))
    return fail(Corrupt("cannot have " + std::to_string(extent.bytes) + " bytes at byte " +
                        std::to_string(extent.offset)));
  found.push_back({request, extent, false});
}

void PlacedSource::queue(std::vector<QueuedPage>& found) noexcept {
  if (found.empty()) return;
  std::stable_sort(found.begin(), found.end(), [](const QueuedPage& a, const QueuedPage& b) {
    return a.extent.file != b.extent.file ? a.extent.file < b.extent.file : a.extent.offset < b.extent.offset;
  });
  if (m_queue.push(found)) return m_engine->start();
  for (const QueuedPage& page : found) failCancelled(page.request);
}

void PlacedSource::hurry(const PageRequest& request) noexcept {
  m_lookup->hurry(request);
  m_queue.hurry(request);
  m_engine->start();  // prefetches may have left no room that a demand read has
}

void PlacedSource::withdraw(const PageRequest& request) noexcept {
  if (m_lookup->remove(request) || m_queue.remove(request)) failCancelled(request);
}

void PlacedSource::cancel(const PageSink* sink) noexcept {
  for (const PageRequest& request : m_lookup->remove(sink)) failCancelled(request);
  for (const QueuedPage& page : m_queue.remove(sink)) failCancelled(page.request);
}

SourceCounters PlacedSource::counters() const {
  return {m_reads.load(std::memory_order_relaxed), m_bytesRead.load(std::memory_order_relaxed)};
}

bool PlacedSource::nextRead(FileRead& read, bool& more) noexcept {
  PageRun* const run = m_queue.tryTake(&more);
  if (!run) return false;
  const std::uint64_t first = run->begin & ~(m_queue.limits().alignment - 1);
  read = {m_files[run->pages.front().extent.file].descriptor, first, run->staging, run->end - first, run};
  return true;
}

void PlacedSource::readLanded(const FileRead& read) noexcept {
  m_queue.landed(static_cast<PageRun*>(read.token));
}

void PlacedSource::readEnded(const FileRead& read, std::uint64_t got, int errnoValue) noexcept {
  PageRun* const run = static_cast<PageRun*>(read.token);
  m_reads.fetch_add(1, std::memory_order_relaxed);
  m_bytesRead.fetch_add(got, std::memory_order_relaxed);
  deliver(*run, read.offset + got, errnoValue);
  m_queue.finish(run);
}

void PlacedSource::deliver(const PageRun& run, std::uint64_t available, int errnoValue) noexcept {
  const std::uint64_t first = run.begin & ~(m_queue.limits().alignment - 1);
  for (const QueuedPage& page : run.pages) {
    const PageExtent& extent = page.extent;
    if (extent.end() <= available) {
      page.request.sink->arrived(page.request.tag,
                                 {run.staging.subspan(extent.offset - first, extent.bytes), extent.codec,
                                  extent.hasChecksum, extent.checksum, extent.padded});
      continue;
    }
    QueuedPage alone = page;
    alone.alone = true;
    if (errnoValue != 0 && run.pages.size() > 1 && m_queue.putBack({&alone, 1})) continue;
    page.request.sink->failed(page.request.tag, readError(page, available, errnoValue));
  }
}

std::exception_ptr PlacedSource::readError(const QueuedPage& page, std::uint64_t available,
                                           int errnoValue) const {
  const std::string place = placeText(page.request, page.extent.file);
  if (errnoValue != 0)
    return std::make_exception_ptr(
        ioError("read failed at byte " + std::to_string(std::max(available, page.extent.offset)), errnoValue)
            .at(place));
  return std::make_exception_ptr(Corrupt("its " + std::to_string(page.extent.bytes) + " bytes at byte " +
                                             std::to_string(page.extent.offset) +
                                             " lie beyond the end of the file",
                                         "the file is cut short; copy or convert it again")
                                     .at(place));
}

}  // namespace farfield::paging
