#include "core/paging/sources/box_source.h"

#include <algorithm>
#include <limits>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/pages/page_text.h"
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

QueueLimits limitsFor(const BoxSourceOptions& options) {
  QueueLimits limits;
  limits.depth = options.readers > 0 ? options.readers : std::numeric_limits<int>::max();
  return limits;
}

/// The source that the calling thread is reading pages of, inside read(). A sink that asks for more from
/// within arrived() must not start another read on top of the first, or the stack would grow with every page.
thread_local const BoxSource* t_draining = nullptr;

}  // namespace

BoxSource::BoxSource(std::shared_ptr<const BoxReader> reader, MemoryAccount& account,
                     const BoxSourceOptions& options, std::string name)
    : m_reader(std::move(reader)),
      m_description(cut(m_reader->description(), options)),
      m_name(std::move(name)),
      m_queue(account, stagingFor(m_description, options.stagingBytes), limitsFor(options), "reading pages") {
  if (options.readers > 0) m_threads.emplace(options.readers, [this] { return readOne(); });
}

BoxSource::~BoxSource() {
  for (const QueuedPage& page : m_queue.close()) failCancelled(page.request);
  if (m_threads) m_threads->stop();
}

void BoxSource::read(std::span<const PageRequest> requests) noexcept {
  std::vector<QueuedPage> pages;
  pages.reserve(requests.size());
  for (const PageRequest& request : requests) {
    if (const std::exception_ptr error = checkRequest(m_description, request, m_name)) {
      request.sink->failed(request.tag, error);
      continue;
    }
    const ArrayDescription& array = m_description.arrays[request.array];
    const std::int64_t bytes = product(array.boxOf(request.page).size) * array.nodeBytes();
    pages.push_back({request, {.bytes = static_cast<std::uint64_t>(bytes)}});
  }
  if (pages.empty()) return;
  if (!m_queue.push(pages)) {
    for (const QueuedPage& page : pages) failCancelled(page.request);
    return;
  }
  if (m_threads)
    m_threads->wake();
  else
    drain();
}

void BoxSource::drain() noexcept {
  if (t_draining == this) return;  // the outer call goes on with it
  const BoxSource* const outer = t_draining;
  t_draining = this;
  // Several threads drain at the same time. One that stops because the staging memory is used up leaves the
  // rest to those that use it, which look once more after they have given it back.
  while (readOne()) {
  }
  t_draining = outer;
}

bool BoxSource::readOne() noexcept {
  bool more = false;
  PageRun* const run = m_queue.tryTake(&more);
  if (!run) return false;
  if (more && m_threads) m_threads->wake();
  const PageRequest request = run->pages.front().request;
  const ArrayDescription& array = m_description.arrays[request.array];
  std::exception_ptr error;
  try {
    const trace::Scope scope("read", "box", run->staging.size());
    m_reader->read(request.array, array.stepOf(request.page), array.boxOf(request.page), run->staging);
  } catch (...) {
    error = withPlace(std::current_exception(),
                      m_name + ": " + pageText(m_description, request.array, request.page));
  }
  m_reads.fetch_add(1, std::memory_order_relaxed);
  if (error) {
    request.sink->failed(request.tag, error);
  } else {
    m_bytesRead.fetch_add(run->staging.size(), std::memory_order_relaxed);
    request.sink->arrived(request.tag, {.bytes = run->staging});
  }
  m_queue.finish(run);
  return true;
}

void BoxSource::withdraw(const PageRequest& request) noexcept {
  if (m_queue.remove(request)) failCancelled(request);
}

void BoxSource::cancel(const PageSink* sink) noexcept {
  for (const QueuedPage& page : m_queue.remove(sink)) failCancelled(page.request);
}

SourceCounters BoxSource::counters() const {
  return {m_reads.load(std::memory_order_relaxed), m_bytesRead.load(std::memory_order_relaxed)};
}

}  // namespace farfield::paging
