#include "core/paging/sources/box_source.h"

#include <algorithm>
#include <memory>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/sources/place_lookup.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

DatasetDescription cut(const DatasetDescription& described, const BoxSourceOptions& options) {
  if (options.cut == PageCut::Even && options.pageEdge < 1) throw Invalid("a page edge must be at least 1");
  DatasetDescription description = described;
  for (ArrayDescription& array : description.arrays) {
    if (options.cut == PageCut::Even) array.layout = PageLayout::even(array.layout.dims(), options.pageEdge);
    if (options.cut == PageCut::WholeBlock)
      array.layout = PageLayout::ofExtent(array.layout.dims(), array.layout.dims());
  }
  if (options.cut != PageCut::AsDescribed)
    description.pageEdge = options.cut == PageCut::Even ? options.pageEdge : 0;
  return description;
}

std::uint64_t stagingFor(const DatasetDescription& description, std::uint64_t wanted) {
  for (const ArrayDescription& array : description.arrays) {
    const Index3& extent = array.layout.extent();
    const std::int64_t page = checkedProduct({extent[0], extent[1], extent[2], array.nodeBytes()});
    wanted = std::max(wanted, static_cast<std::uint64_t>(page));
  }
  return wanted;
}

/// Most threads that read pages at the same time if the source has none of its own.
constexpr int kMostCallers = 1024;

QueueLimits limitsFor(const BoxSourceOptions& options) {
  QueueLimits limits;
  limits.depth = options.readers > 0 ? options.readers : kMostCallers;
  return limits;
}

const PageRequest& askedBy(const RangeRequest& range) {
  return *static_cast<const PageRequest*>(range.token);
}
/// The token of the range, which the caller now owns.
std::unique_ptr<const PageRequest> takeAsked(const RangeRequest& range) {
  return std::unique_ptr<const PageRequest>(static_cast<const PageRequest*>(range.token));
}

void endCancelled(const RangeList& ranges) {
  for (const RangeRequest& range : ranges) failCancelled(*takeAsked(range));
}

/// The source whose read() the calling thread is in. A sink that requests more inside arrived() must not
/// start another read on top of the first, or the stack would grow with every page.
thread_local const BoxSource* t_draining = nullptr;

}  // namespace

BoxSource::BoxSource(std::shared_ptr<const BoxReader> reader, MemoryAccount& account,
                     const BoxSourceOptions& options, std::string name)
    : m_reader(std::move(reader)),
      m_description(cut(m_reader->description(), options)),
      m_name(std::move(name)),
      m_queue(account, stagingFor(m_description, options.stagingBytes), limitsFor(options), "reading pages") {
  if (options.readers > 0)
    m_threads.emplace(options.readers, [this] {
      const StoppableWaits waits(m_closing.get_token());
      return readOne();
    });
}

BoxSource::~BoxSource() {
  endCancelled(m_queue.close());
  m_closing.request_stop();
  if (m_threads) m_threads->stop();
}

void BoxSource::read(std::span<const PageRequest> requests) noexcept {
  RangeList pages;
  for (const PageRequest& request : requests) try {
      if (const std::exception_ptr error = checkRequest(m_description, request, m_name)) {
        request.sink->failed(request.tag, error);
        continue;
      }
      const ArrayDescription& array = m_description.arrays[request.array];
      const std::int64_t bytes = product(array.boxOf(request.page).size) * array.nodeBytes();
      auto asked = std::make_unique<PageRequest>(request);
      pages.push_back({.bytes = static_cast<std::uint64_t>(bytes),
                       .priority = readPriority(request.priority),
                       .token = asked.get()});
      asked.release();
    } catch (...) {
      failAt(request, m_description, m_name, std::current_exception());
    }
  if (pages.empty()) return;
  if (!m_queue.push(pages)) return endCancelled(pages);
  goOn();
}

void BoxSource::release(Clock::time_point moment) noexcept {
  m_holds.remove(moment);
  goOn();
}

/// There may be something to read.
void BoxSource::goOn() noexcept {
  if (m_threads)
    m_threads->wake();
  else
    drain();
}

void BoxSource::drain() noexcept {
  if (t_draining == this) return;  // the outer call goes on with it
  const BoxSource* const outer = t_draining;
  t_draining = this;
  // Several threads drain at the same time. One that stops for lack of staging memory leaves the rest to
  // those that hold it, which look again after giving it back.
  while (readOne()) {
  }
  t_draining = outer;
}

bool BoxSource::readOne() noexcept {
  if (m_holds.areReached()) return false;
  bool more = false;
  RangeRun* const run = m_queue.tryTake(&more);
  if (!run) return false;
  if (more && m_threads) m_threads->wake();
  const auto asked = takeAsked(run->ranges.front());
  const PageRequest& request = *asked;
  const ArrayDescription& array = m_description.arrays[request.array];
  std::exception_ptr error;
  try {
    const trace::Scope scope("read", "box", run->staging.size());
    m_reader->read(request.array, array.stepOf(request.page), array.boxOf(request.page), run->staging);
  } catch (...) {
    error = std::current_exception();
  }
  m_reads.fetch_add(1, std::memory_order_relaxed);
  if (error) {
    failAt(request, m_description, m_name, error);
  } else {
    m_bytesRead.fetch_add(run->staging.size(), std::memory_order_relaxed);
    request.sink->arrived(request.tag, {.bytes = run->staging});
  }
  m_queue.finish(run);
  return true;
}

void BoxSource::hurry(const PageRequest& request) noexcept {
  m_queue.hurry([&](const RangeRequest& range) { return isSame(askedBy(range), request); },
                readPriority(request.priority));
}

void BoxSource::withdraw(const PageRequest& request) noexcept {
  endCancelled(m_queue.remove([&](const RangeRequest& range) { return isSame(askedBy(range), request); }));
}

void BoxSource::cancel(const PageSink* sink) noexcept {
  endCancelled(m_queue.remove([sink](const RangeRequest& range) { return askedBy(range).sink == sink; }));
}

SourceCounters BoxSource::counters() const {
  return {m_reads.load(std::memory_order_relaxed), m_bytesRead.load(std::memory_order_relaxed)};
}

}  // namespace farfield::paging
