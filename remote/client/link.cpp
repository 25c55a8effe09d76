#include "remote/client/link.h"

#include <algorithm>
#include <asio/post.hpp>
#include <atomic>
#include <future>

#include "core/base/error.h"
#include "remote/client/link_state.h"

namespace farfield::remote {
namespace {

/// The caller may add to what it catches.
[[noreturn]] void raiseCopy(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    known.raise();
    throw;  // what the compiler does not see is never reached
  }
}

/// Waits until `isDone`, which is looked at under the lock. Throws Cancelled, once `stop` is asked for.
template <class Predicate>
void waitFor(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
             const std::stop_token& stop, Predicate isDone) {
  std::mutex& mutex = *lock.mutex();
  // Its end waits for the call-back, which takes the lock: it comes when the lock is free.
  lock.unlock();
  {
    const std::stop_callback wake(stop, [&] {
      const std::lock_guard guard(mutex);
      changed.notify_all();
    });
    lock.lock();
    changed.wait(lock, [&] { return isDone() || stop.stop_requested(); });
    lock.unlock();
  }
  lock.lock();
  if (!isDone()) throw Cancelled();
}

}  // namespace

Link::Link(std::unique_ptr<State> state) : m_state(std::move(state)) {}

std::shared_ptr<Link> Link::connect(const LinkOptions& options, const std::stop_token& stop) {
  auto link = std::shared_ptr<Link>(new Link(std::make_unique<State>(options)));
  State& state = *link->m_state;
  state.start();
  std::unique_lock lock(state.mutex);
  waitFor(state.changed, lock, stop, [&] { return state.firstDone; });
  if (state.firstError) std::rethrow_exception(state.firstError);
  return link;
}

Link::~Link() {
  {
    const std::lock_guard lock(m_state->mutex);
    m_state->stopping = true;
  }
  asio::post(m_state->io, [&state = *m_state] {
    if (state.wire) state.wire->close();
    std::error_code ignored;
    if (state.dialing) state.dialing->close(ignored);
    state.io.stop();
  });
  m_state->thread.join();
}

const std::string& Link::name() const {
  return m_state->name;
}
Welcome Link::welcome() const {
  const std::lock_guard lock(m_state->mutex);
  return *m_state->welcome;
}
const Opened& Link::opened() const {
  return *m_state->opened;
}
std::string Link::peerFingerprint() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->fingerprint;
}

std::uint64_t Link::newId() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<Link::Call> Link::begin(MessageType type, Bytes body, bool handled) {
  auto call = std::make_shared<Call>();
  call->type = type;
  call->since = State::Clock::now();
  call->body = std::move(body);
  call->handled = handled;
  const std::lock_guard lock(m_state->mutex);
  if (m_state->broken) {
    call->error = m_state->broken;
    call->done = true;
  } else {
    m_state->calls.push_back(call);
    m_state->pokeLocked();
  }
  return call;
}

std::vector<Bytes> Link::finish(const std::shared_ptr<Call>& call, const std::stop_token& stop) {
  std::unique_lock lock(m_state->mutex);
  waitFor(m_state->changed, lock, stop, [&] { return call->done; });
  if (!call->error) return std::move(call->parts);
  const std::exception_ptr error = call->error;
  lock.unlock();
  raiseCopy(error);
}

std::vector<Bytes> Link::call(MessageType type, Bytes body, bool handled, const std::stop_token& stop) {
  return finish(begin(type, std::move(body), handled), stop);
}

void Link::read(PageReceiver* receiver, std::span<const LinkAsk> asks) {
  std::exception_ptr broken;
  {
    const std::lock_guard lock(m_state->mutex);
    broken = m_state->broken;
    if (!broken) {
      for (const LinkAsk& ask : asks)
        m_state->queues[static_cast<std::size_t>(ask.urgency)].push_back({receiver, ask});
      m_state->pokeLocked();
    }
  }
  if (broken)
    for (const LinkAsk& ask : asks) receiver->failed(ask.id, broken);
}

void Link::hurry(std::span<const std::uint64_t> ids, Urgency urgency) {
  const std::lock_guard lock(m_state->mutex);
  for (const std::uint64_t id : ids) {
    if (const auto sent = m_state->sequenceOf.find(id); sent != m_state->sequenceOf.end()) {
      m_state->hurries[static_cast<std::size_t>(urgency)].push_back(sent->second);
      m_state->pages.at(sent->second).ask.urgency = urgency;
      continue;
    }
    for (auto& queue : m_state->queues) {
      const auto waiting = std::find_if(queue.begin(), queue.end(),
                                        [id](const State::Page& page) { return page.ask.id == id; });
      if (waiting == queue.end()) continue;
      State::Page moved = *waiting;
      queue.erase(waiting);
      moved.ask.urgency = urgency;
      m_state->queueOf(moved).push_back(moved);
      break;
    }
  }
  m_state->pokeLocked();
}

void Link::cancel(std::span<const std::uint64_t> ids) {
  std::vector<std::uint64_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  const auto isMeant = [&](const State::Page& page) {
    return std::binary_search(sorted.begin(), sorted.end(), page.ask.id);
  };
  const std::lock_guard lock(m_state->mutex);
  for (auto& queue : m_state->queues) std::erase_if(queue, isMeant);
  for (const std::uint64_t id : ids) {
    const auto sent = m_state->sequenceOf.find(id);
    if (sent == m_state->sequenceOf.end()) continue;
    m_state->cancels.push_back(sent->second);
    m_state->pages.erase(sent->second);
    m_state->sequenceOf.erase(sent);
  }
  m_state->pokeLocked();
}

void Link::remove(PageReceiver* receiver) {
  std::promise<void> gone;
  asio::post(m_state->io, [&] {
    State& state = *m_state;
    // What has begun to come is no longer wanted.
    if (state.receiving && state.receiving->page.receiver == receiver) {
      state.skip = state.receiving->to.size() - state.receiving->got;
      state.receiving->page.receiver->dropped(state.receiving->page.ask.id, state.receiving->to);
      state.receiving.reset();
      // Only a new connection is sure not to read into that memory.
      if (state.readingDirectly) state.lose("the data set is closed");
    }
    const std::lock_guard lock(state.mutex);
    const auto isIts = [receiver](const State::Page& page) { return page.receiver == receiver; };
    for (auto& queue : state.queues) std::erase_if(queue, isIts);
    std::erase_if(state.pages, [&](const auto& entry) {
      if (!isIts(entry.second)) return false;
      state.cancels.push_back(entry.first);
      state.sequenceOf.erase(entry.second.ask.id);
      return true;
    });
    if (state.phase == State::Phase::Up) state.pokeLocked();
    gone.set_value();
  });
  gone.get_future().wait();
}

void Link::goOn() {
  asio::post(m_state->io, [&state = *m_state] {
    if (!state.waitingForRoom) return;
    state.waitingForRoom = false;
    state.received(0);
  });
}

bool Link::isBroken() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->broken != nullptr;
}

LinkCounters Link::counters() const {
  return m_state->countersNow();
}

LinkCounters Link::State::countersNow() const {
  const std::lock_guard lock(mutex);
  const auto now = Clock::now();
  const auto secondsSince = [now](Clock::time_point since) {
    return std::chrono::duration<double>(now - since).count();
  };
  LinkCounters all = counters;
  all.pagesAsked = pages.size();
  for (const auto& queue : queues) all.pagesAsked += queue.size();
  const double seconds = busySeconds + (busy ? secondsSince(busySince) : 0);
  all.bytesPerSecond = seconds > 0 ? static_cast<double>(all.bytesRead) / seconds : 0;
  if (busy) all.silentSeconds = secondsSince(std::max(heardAt, busySince));
  all.isLost = lostSince || behindSince;
  if (lostSince && hasWorkLocked()) all.lostSeconds = secondsSince(*lostSince);
  if (behindSince && anyAgainLocked()) {
    all.isBehind = !lostSince;
    all.lostSeconds = std::max(all.lostSeconds, secondsSince(*behindSince));
  }
  return all;
}

}  // namespace farfield::remote
