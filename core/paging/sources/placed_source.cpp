#include "core/paging/sources/placed_source.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/pages/page_text.h"

namespace farfield::paging {
namespace {

/// What a range is read for; the range's token, which owns it.
struct AskedPage {
  PageRequest request;
  PageExtent extent;
};

const AskedPage& askedBy(const RangeRequest& range) {
  return *static_cast<const AskedPage*>(range.token);
}
std::unique_ptr<const AskedPage> takeAsked(const RangeRequest& range) {
  return std::unique_ptr<const AskedPage>(static_cast<const AskedPage*>(range.token));
}

RangeReaderOptions readerOptions(const PlaceMap& places, const PlacedSourceOptions& options) {
  RangeReaderOptions reader;
  reader.engine = options.engine;
  reader.stagingBytes = options.stagingBytes;
  reader.mergeGapBytes = options.mergeGapBytes;
  reader.maxMergedBytes = options.maxMergedBytes;
  for (std::uint32_t array = 0; array < places.description().arrays.size(); ++array)
    reader.largestRange = std::max(reader.largestRange, places.maxStoredBytes(array));
  return reader;
}

}  // namespace

PlacedSource::PlacedSource(std::unique_ptr<const PlaceMap> places, MemoryAccount& account,
                           const PlacedSourceOptions& options)
    : m_places(std::move(places)),
      m_reader(m_places->objects(), *this, account, readerOptions(*m_places, options), "reading pages"),
      m_lookup([this](PageRequests& requests) { lookUp(requests); }) {}

PlacedSource::~PlacedSource() {
  // The lookup first, because its results go to the reader.
  m_lookup.stop();
  for (const PageRequest& request : m_lookup.remove(nullptr)) failCancelled(request);
  m_reader.close();
}

void PlacedSource::read(std::span<const PageRequest> requests) noexcept {
  RangeList found;
  PageRequests unknown;
  for (const PageRequest& request : requests) try {
      if (const std::exception_ptr error = checkRequest(description(), request, m_reader.object(0).name())) {
        request.sink->failed(request.tag, error);
      } else if (const std::optional<PageExtent> extent = m_places->placeIfKnown(request.array, request.page);
                 extent && !(extent->bytes == 0 && m_places->fillsMissing())) {
        takePlace(request, *extent, found);
      } else {
        // What is filled in is delivered by the thread as well: who gets a page may ask for the next ones at once, which would be delivered
        // while the first still has what unpacks it.
        unknown.push_back(request);
      }
    } catch (...) {
      failAt(request, description(), m_reader.object(0).name(), std::current_exception());
    }
  m_reader.read(std::move(found));
  try {
    if (m_lookup.push(unknown)) return;
    for (const PageRequest& request : unknown) failCancelled(request);
  } catch (...) {
    // Who asks waits for the index then; only what is filled in cannot be had so.
    const std::exception_ptr noThread = std::current_exception();
    lookUp(unknown, noThread);
  }
}

/// `noThread`: why this is not the thread of the source; null: it is.
void PlacedSource::lookUp(PageRequests& requests, const std::exception_ptr& noThread) noexcept {
  RangeList found;
  if (requests.size() > 1)
    for (const PageRequest& request : requests) m_places->expect(request.array, request.page);
  for (const PageRequest& request : requests) try {
      const PageExtent extent = m_places->place(request.array, request.page);
      if (noThread && extent.bytes == 0 && m_places->fillsMissing()) std::rethrow_exception(noThread);
      takePlace(request, extent, found);
    } catch (...) {
      failAt(request, description(), m_reader.object(0).name(), std::current_exception());
    }
  m_reader.read(std::move(found));
}

void PlacedSource::takePlace(const PageRequest& request, const PageExtent& extent, RangeList& found) const {
  if (extent.object >= m_reader.objects()) throw Corrupt("is in a file that does not belong to the data");
  if (extent.bytes == 0 && m_places->fillsMissing()) return m_places->deliver(request, extent, {});
  if (extent.bytes == 0)
    throw NotFound("was never written", "finish the conversion (--resume), or convert again");
  if (extent.bytes > maxStoredBytes(request.array) || extent.offset > (std::uint64_t{1} << 62))
    throw Corrupt("cannot have " + std::to_string(extent.bytes) + " bytes at byte " +
                  std::to_string(extent.offset));
  auto asked = std::make_unique<AskedPage>(AskedPage{request, extent});
  found.push_back({.object = extent.object,
                   .offset = extent.offset,
                   .bytes = extent.bytes,
                   .priority = readPriority(request.priority),
                   .token = asked.get()});
  asked.release();
}

void PlacedSource::arrived(const RangeRequest& range, std::span<const std::byte> bytes) noexcept {
  const auto asked = takeAsked(range);
  try {
    m_places->deliver(asked->request, asked->extent, bytes);
  } catch (...) {
    failAt(asked->request, description(), m_reader.object(range.object).name(), std::current_exception());
  }
}

void PlacedSource::failed(const RangeRequest& range, std::exception_ptr error) noexcept {
  const auto asked = takeAsked(range);
  failAt(asked->request, description(), m_reader.object(range.object).name(), error);
}

void PlacedSource::cancelled(const RangeRequest& range) noexcept {
  failCancelled(takeAsked(range)->request);
}

void PlacedSource::hurry(const PageRequest& request) noexcept {
  m_lookup.hurry(request);
  m_reader.hurry([&](const RangeRequest& range) { return isSame(askedBy(range).request, request); },
                 readPriority(request.priority));
}

void PlacedSource::withdraw(const PageRequest& request) noexcept {
  if (m_lookup.remove(request)) return failCancelled(request);
  m_reader.cancel([&](const RangeRequest& range) { return isSame(askedBy(range).request, request); });
}

std::vector<SourceReport> PlacedSource::reports() const {
  const EngineReport report = m_reader.report();
  return {{.name = name(),
           .counters = counters(),
           .roundTripMs = report.roundTripMs,
           .bytesPerSecond = report.bytesPerSecond,
           .reconnects = report.lost,
           .lostSeconds = report.lostSeconds,
           .isHere = report.isHere}};
}

void PlacedSource::cancel(const PageSink* sink) noexcept {
  for (const PageRequest& request : m_lookup.remove(sink)) failCancelled(request);
  m_reader.cancel([sink](const RangeRequest& range) { return askedBy(range).request.sink == sink; });
}

}  // namespace farfield::paging
