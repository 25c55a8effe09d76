#include "core/paging/sources/source_wait.h"

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/pages/page_text.h"

namespace farfield::paging {
namespace {

constexpr int kMaxDescriptors = 64;

class OnePage final : public PageSink {
 public:
  OnePage(const ArrayDescription& array, std::uint64_t page) : m_array(array), m_page(page) {
    nodes.resize(static_cast<std::size_t>(product(array.boxOf(page).size) * array.nodeBytes()));
  }
  void arrived(std::uint64_t, const StoredPage& stored) noexcept override {
    try {
      Scratch scratch, padded;
      decodeNodes(m_array, m_page, stored, nodes, scratch, padded);
    } catch (...) {
      error = std::current_exception();
    }
    ended.store(true, std::memory_order_release);
  }
  void failed(std::uint64_t, std::exception_ptr why) noexcept override {
    error = why;
    ended.store(true, std::memory_order_release);
  }

  std::vector<std::byte> nodes;
  std::exception_ptr error;
  std::atomic<bool> ended{false};

 private:
  const ArrayDescription& m_array;
  const std::uint64_t m_page;
};

}  // namespace

void reapUntil(PageSource& source, const PageSink& sink, const std::function<bool()>& done) {
  const std::stop_token stop = StoppableWaits::current();
  bool isCancelled = false;
  reapUntil(source, [&] {
    if (!isCancelled && stop.stop_requested()) {
      isCancelled = true;
      source.cancel(&sink);
    }
    return done();
  });
}

void reapUntil(tasks::Reaper& reaper, const std::function<bool()>& done) {
  std::chrono::microseconds pause(20);
  while (!done()) {
    if (reaper.reap() > 0) {
      pause = std::chrono::microseconds(20);
      continue;
    }
    int descriptors[kMaxDescriptors];
    const int count = reaper.pollDescriptors(descriptors, kMaxDescriptors);
    if (count == 0) {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::microseconds(1000));
      continue;
    }
    pollfd polled[kMaxDescriptors];
    for (int n = 0; n < count; ++n) polled[n] = {descriptors[n], POLLIN, 0};
    ::poll(polled, static_cast<nfds_t>(count),
           1);  // not for ever: another thread may reap what this one waits for
  }
}

std::vector<std::byte> fetchNodes(PageSource& source, std::uint32_t array, std::uint64_t page) {
  const PageRequest request{.array = array, .page = page};
  if (const std::exception_ptr error = checkRequest(source.description(), request, "fetching"))
    std::rethrow_exception(error);
  OnePage sink(source.description().arrays[array], page);
  const PageRequest asked{.array = array, .page = page, .sink = &sink};
  source.read({&asked, 1});
  reapUntil(source, sink, [&] { return sink.ended.load(std::memory_order_acquire); });
  if (sink.error) std::rethrow_exception(sink.error);
  return std::move(sink.nodes);
}

}  // namespace farfield::paging
