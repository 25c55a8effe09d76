// Pages that arrive from a source: checked, decoded into their frames, and handed to the tasks that wait.

#include <span>

#include "core/base/error.h"
#include "core/paging/cache/page_batch.h"
#include "core/paging/cache/page_cache.h"
#include "core/paging/pages/page_nodes.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

/// One arrival moves the estimate of the latency by 1/kLatencyInertia.
constexpr std::int64_t kLatencyInertia = 128;
/// A read that is withdrawn again and again just before a task needs it fails after so many times.
constexpr std::uint8_t kMostTimesAskedAgain = 16;

std::string placeOf(const ArrayDescription& array, std::uint64_t page) {
  std::string place =
      "block " + std::to_string(array.block) + " array " + array.name + " page " + std::to_string(page);
  if (array.steps > 1) place += " (step " + std::to_string(array.stepOf(page)) + ")";
  return place;
}

}  // namespace

void PageCache::noteArrival(const Frame& frame) noexcept {
  const std::int64_t took = steadyNanoseconds() - frame.askedNanoseconds;
  m_readNanoseconds.fetch_add(took, std::memory_order_relaxed);
  // The lower quartile: three steps down for each step up. A mean would include time spent queued behind
  // other reads or waiting for a processor, and so measure the load, not the device. Of two arrivals at once
  // one may be lost.
  const std::int64_t was = m_latency.load(std::memory_order_relaxed);
  const std::int64_t step = std::max<std::int64_t>(1, was / kLatencyInertia);
  m_latency.store(was == 0 ? took : took < was ? was - 3 * step : was + step, std::memory_order_relaxed);
}

void PageCache::arrived(std::uint64_t tag, const StoredPage& page) noexcept {
  const auto number = static_cast<std::uint32_t>(tag);
  Frame& frame = frameAt(number);
  const PageKey key = frame.key.load(std::memory_order_relaxed);
  const Array& array = *m_arrays[arrayOf(key)];
  sync(SyncPoint::Arrived, key);
  try {
    const trace::Scope scope("paging", "decode", pageOf(key));
    const std::int64_t start = steadyNanoseconds();
    decodeInto(array, frame, page);
    m_decodeNanoseconds.fetch_add(steadyNanoseconds() - start, std::memory_order_relaxed);
    sync(SyncPoint::Decoded, key);
    finish(number, FrameState::Ready, nullptr);
  } catch (Error& error) {
    error.at(placeOf(array.description, pageOf(key))).at(array.source->name());
    finish(number, FrameState::Failed, error.share());
  } catch (const std::exception& error) {
    finish(number, FrameState::Failed,
           Error(error.what()).at(placeOf(array.description, pageOf(key))).share());
  }
}

void PageCache::failed(std::uint64_t tag, std::exception_ptr error) noexcept {
  // Kept as a value, so that the tasks that get it share nothing mutable.
  std::shared_ptr<const Error> shared;
  bool wasCancelled = false;
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled& cancelled) {
    shared = cancelled.share();
    wasCancelled = true;
  } catch (const Error& known) {
    shared = known.share();
  } catch (const std::exception& other) {
    shared = Io(other.what()).share();
  }
  finish(static_cast<std::uint32_t>(tag), FrameState::Failed, std::move(shared), wasCancelled);
}

/// A `cancelled` read whose page is wanted after all is started again.
void PageCache::finish(std::uint32_t number, FrameState state, std::shared_ptr<const Error> error,
                       bool cancelled) noexcept {
  const PageBatch::Calls calls;
  Frame& frame = frameAt(number);
  const PageKey key = frame.key.load(std::memory_order_relaxed);
  FrameWaiter* waiters = nullptr;
  {
    std::unique_lock lock(m_mutex);
    const Array& array = *m_arrays[arrayOf(key)];
    if (cancelled && !array.removed &&
        Frame::pinsOf(frame.stateAndPins.load(std::memory_order_relaxed)) > 0 &&
        frame.askedAgain < kMostTimesAskedAgain) {
      ++frame.askedAgain;
      const PageRequest request{array.sourceArray, pageOf(key), this, number, frame.priority};
      lock.unlock();
      return array.source->read({&request, 1});
    }
    waiters = frame.waiters;
    frame.waiters = nullptr;
    for (const FrameWaiter* waiter = waiters; waiter; waiter = waiter->next)
      if (--waiter->demand->missing == 0 && !waiter->demand->batch) becameReady();
    --m_reading;
    m_onTheWay -= frame.slotBytes;
    if (state == FrameState::Ready) noteArrival(frame);
    const std::uint32_t pins = Frame::pinsOf(frame.stateAndPins.load(std::memory_order_relaxed));
    if (pins == 0) m_unpinnedReading -= frame.slotBytes;
    if (state == FrameState::Failed) {
      frame.error = std::move(error);
      m_table.erase(key, number);
      if (pins == 0) {
        freeFrame(frame);
        m_freeFrames.push_back(number);
        state = FrameState::Free;
      }
    }
    // Pins of a frame in state Reading change only under the mutex, so `pins` is still right.
    frame.stateAndPins.store(Frame::word(state, pins), std::memory_order_release);
    if (m_reading == 0) m_idle.notify_all();
  }
  if (waiters) sync(SyncPoint::Finished, key);
  while (waiters) {
    FrameWaiter* const next = waiters->next;
    waiters->gate->arrive();
    waiters = next;
  }
  startDemands();
}

void PageCache::decodeInto(const Array& array, Frame& frame, const StoredPage& page) {
  const ArrayDescription& description = array.description;
  const auto bytes = static_cast<std::size_t>(product(frame.box.size) * description.nodeBytes());
  const std::span<std::byte> nodes(frame.data, bytes);
  m_decodedBytes.fetch_add(bytes, std::memory_order_relaxed);
  const std::uint64_t number = pageOf(frame.key.load(std::memory_order_relaxed));
  if (page.codec == Codec::None && !page.padded) {  // needs no scratch memory
    Scratch none;
    return decodeNodes(description, number, page, nodes, none, none);
  }
  auto scratch = takeScratch();
  try {
    decodeNodes(description, number, page, nodes, scratch->codec, scratch->padded);
  } catch (...) {
    returnScratch(std::move(scratch));
    throw;
  }
  returnScratch(std::move(scratch));
}

std::unique_ptr<PageCache::DecodeScratch> PageCache::takeScratch() {
  std::unique_lock lock(m_scratchMutex);
  // A thread that holds scratch memory is decoding and waits for nothing, so this ends soon.
  m_scratchFree.wait(lock, [&] { return !m_scratch.empty() || m_scratchGiven < m_decoders; });
  if (m_scratch.empty()) {
    ++m_scratchGiven;
    return std::make_unique<DecodeScratch>();
  }
  auto scratch = std::move(m_scratch.back());
  m_scratch.pop_back();
  return scratch;
}

void PageCache::returnScratch(std::unique_ptr<DecodeScratch> scratch) {
  const std::lock_guard lock(m_scratchMutex);
  m_scratch.push_back(std::move(scratch));
  m_scratchFree.notify_one();
}

}  // namespace farfield::paging
