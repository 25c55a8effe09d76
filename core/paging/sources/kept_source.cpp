#include "core/paging/sources/kept_source.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::paging {

/// The sink given to the other source in place of the caller's, so that its requests can be cancelled there.
struct KeptSource::Between final : PageSink {
  explicit Between(KeptSource& its) : source(its) {}
  void arrived(std::uint64_t tag, const StoredPage& page) noexcept override {
    source.ended(tag, &page, nullptr);
  }
  void failed(std::uint64_t tag, std::exception_ptr error) noexcept override {
    source.ended(tag, nullptr, std::move(error));
  }
  KeptSource& source;
};

namespace {

/// Tags are addresses of requests: nodes of a list do not move.
template <class Asked>
std::uint64_t tagOf(const Asked& asked) {
  return reinterpret_cast<std::uintptr_t>(&asked);
}

bool isSame(const PageRequest& a, const PageRequest& b) {
  return a.sink == b.sink && a.tag == b.tag && a.array == b.array && a.page == b.page;
}

}  // namespace

std::unique_ptr<PageSource> keepPages(
    const KeptSourceOptions& options, MemoryAccount& account,
    const std::function<std::unique_ptr<PageSource>(std::uint64_t stagingBytes)>& make) {
  // Half of what is left beside the largest page.
  const std::uint64_t buffer = std::max<std::uint64_t>(1, options.largestBytes);
  const std::uint64_t spare = options.stagingBytes - std::min(options.stagingBytes, options.largestBytes);
  const auto threads = static_cast<int>(
      std::min<std::uint64_t>(spare / 2 / buffer, static_cast<std::uint64_t>(options.readers)));
  if (!options.folder || threads < 1) return make(options.stagingBytes);
  auto source = make(options.stagingBytes - buffer * static_cast<std::uint64_t>(threads));
  auto set = options.folder->open(options.identity, source->description());
  if (!set) return source;
  return std::make_unique<KeptSource>(std::move(source), options.folder, std::move(set), options.largestBytes,
                                      threads, account);
}

KeptSource::KeptSource(std::unique_ptr<PageSource> source, std::shared_ptr<const PageFolder> folder,
                       std::shared_ptr<const PageFolder::Set> set, std::uint64_t largestBytes, int threads,
                       MemoryAccount& account)
    : m_source(std::move(source)), m_folder(std::move(folder)), m_set(std::move(set)) {
  const std::uint64_t buffer = largestBytes;
  m_claim =
      account.claim(Purpose::Staging, buffer * static_cast<std::uint64_t>(threads), "pages kept on disk");
  for (int n = 0; n < threads; ++n) m_buffers.emplace_back(buffer);
  m_threads.emplace(threads, [this] { return readOne(); });
}

KeptSource::~KeptSource() {
  Queue waiting;
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    for (Queue& queue : m_queues) waiting.splice(waiting.end(), queue);
  }
  end(waiting);
  m_threads->stop();
  m_source.reset();
  m_folder->settle();
}

KeptSource::Between& KeptSource::betweenOf(PageSink* sink) {
  auto& between = m_between[sink];
  if (!between) between = std::make_unique<Between>(*this);
  return *between;
}

PageRequest KeptSource::forOther(const Asked& asked) const {
  PageRequest request = asked.request;
  request.sink = asked.between;
  request.tag = tagOf(asked);
  return request;
}

void KeptSource::read(std::span<const PageRequest> requests) noexcept {
  std::vector<PageRequest> others;
  Queue refused;
  bool isToRead = false;
  for (const PageRequest& request : requests) {
    try {
      Queue one(1, Asked{request});
      // A page that the data do not have is refused by the other source.
      const bool isHere = m_set->mayHave(request.array, request.page);
      others.reserve(others.size() + 1);
      const std::lock_guard lock(m_mutex);
      if (m_closed) {
        refused.splice(refused.end(), one);
      } else if (isHere) {
        m_queues[static_cast<std::size_t>(request.priority)].splice(
            m_queues[static_cast<std::size_t>(request.priority)].end(), one);
        isToRead = true;
      } else {
        one.front().between = &betweenOf(request.sink);
        one.front().self = one.begin();
        m_others.splice(m_others.end(), one);
        others.push_back(forOther(m_others.back()));
      }
    } catch (...) {
      request.sink->failed(request.tag, std::current_exception());
    }
  }
  end(refused);
  if (isToRead) m_threads->wake();
  if (!others.empty()) m_source->read(others);
}

bool KeptSource::readOne() noexcept {
  Queue one;
  std::vector<std::byte> buffer;
  bool more = false;
  {
    const std::lock_guard lock(m_mutex);
    const auto queue =
        std::find_if(m_queues.begin(), m_queues.end(), [](const Queue& q) { return !q.empty(); });
    if (queue == m_queues.end()) return false;
    one.splice(one.begin(), *queue, queue->begin());
    buffer.swap(m_buffers.back());  // there is one for each thread
    m_buffers.pop_back();
    more = std::any_of(m_queues.begin(), m_queues.end(), [](const Queue& q) { return !q.empty(); });
  }
  if (more) m_threads->wake();
  const PageRequest request = one.front().request;
  const std::optional<StoredPage> page = m_set->read(request.array, request.page, buffer);
  if (page) {
    {
      const std::lock_guard lock(m_mutex);
      ++m_counters.reads;
      m_counters.bytesRead += page->bytes.size();
    }
    request.sink->arrived(request.tag, *page);
  }
  {
    const std::lock_guard lock(m_mutex);
    m_buffers.emplace_back().swap(buffer);
  }
  if (!page) ask(one);
  return true;
}

void KeptSource::ask(Queue& one) noexcept {
  PageRequest request;
  try {
    const std::lock_guard lock(m_mutex);
    if (!m_closed) {
      one.front().between = &betweenOf(one.front().request.sink);
      one.front().self = one.begin();
      m_others.splice(m_others.end(), one);
      request = forOther(m_others.back());
    }
  } catch (...) {
    return one.front().request.sink->failed(one.front().request.tag, std::current_exception());
  }
  if (!one.empty()) return end(one);
  m_source->read({&request, 1});
}

void KeptSource::ended(std::uint64_t tag, const StoredPage* page, std::exception_ptr error) noexcept {
  Queue one;
  {
    const std::lock_guard lock(m_mutex);
    one.splice(one.begin(), m_others, reinterpret_cast<const Asked*>(tag)->self);
    if (page) ++m_keeping;
  }
  const PageRequest& request = one.front().request;
  if (!page) return request.sink->failed(request.tag, std::move(error));
  request.sink->arrived(request.tag, *page);
  m_set->keep(request.array, request.page, *page);
  const std::lock_guard lock(m_mutex);
  --m_keeping;
}

void KeptSource::end(Queue& queue) noexcept {
  if (queue.empty()) return;
  const auto error = std::make_exception_ptr(Cancelled());
  for (const Asked& asked : queue) asked.request.sink->failed(asked.request.tag, error);
}

void KeptSource::hurry(const PageRequest& request) noexcept {
  PageRequest there;
  {
    const std::lock_guard lock(m_mutex);
    for (const Asked& asked : m_others)
      if (isSame(asked.request, request)) there = forOther(asked);
  }
  if (!there.sink) return;  // this page is in the folder and comes soon
  there.priority = request.priority;
  m_source->hurry(there);
}

void KeptSource::withdraw(const PageRequest& request) noexcept {
  Queue mine;
  PageRequest there;
  {
    const std::lock_guard lock(m_mutex);
    for (Queue& queue : m_queues)
      for (auto at = queue.begin(); at != queue.end();) {
        const auto its = at++;
        if (isSame(its->request, request)) mine.splice(mine.end(), queue, its);
      }
    for (const Asked& asked : m_others)
      if (isSame(asked.request, request)) there = forOther(asked);
  }
  end(mine);
  if (there.sink) m_source->withdraw(there);
}

void KeptSource::cancel(const PageSink* sink) noexcept {
  Queue mine;
  const PageSink* there = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    for (Queue& queue : m_queues)
      for (auto at = queue.begin(); at != queue.end();) {
        const auto its = at++;
        if (its->request.sink == sink) mine.splice(mine.end(), queue, its);
      }
    const auto found = m_between.find(sink);
    if (found != m_between.end()) there = found->second.get();
  }
  end(mine);
  if (there) m_source->cancel(there);
}

bool KeptSource::isKeeping() const {
  const std::lock_guard lock(m_mutex);
  return !m_others.empty() || m_keeping > 0;
}

SourceCounters KeptSource::counters() const {
  SourceCounters all = m_source->counters();
  const std::lock_guard lock(m_mutex);
  all.reads += m_counters.reads;
  all.bytesRead += m_counters.bytesRead;
  return all;
}

std::vector<SourceReport> KeptSource::reports() const {
  std::vector<SourceReport> all = reportsOf(*m_source);
  const std::lock_guard lock(m_mutex);
  all.push_back({.name = "pages kept in " + m_folder->folder().string(), .counters = m_counters});
  return all;
}

}  // namespace farfield::paging
