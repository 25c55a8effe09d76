#include "core/tasks/sleeper.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "core/base/error.h"
#include "core/trace/trace.h"

namespace farfield::tasks::detail {

Bell::Bell() : m_fd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (m_fd < 0) throw ioError("cannot make an event descriptor for the scheduler", errno);
}

Bell::~Bell() {
  ::close(m_fd);
}

void Bell::ring() noexcept {
  if (m_state.exchange(Rung, std::memory_order_acq_rel) != Sleeping) return;
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the descriptor is readable as it should be.
  [[maybe_unused]] const ssize_t written = ::write(m_fd, &one, sizeof one);
}

bool Bell::arm() noexcept {
  int expected = Quiet;
  if (m_state.compare_exchange_strong(expected, Sleeping, std::memory_order_acq_rel)) return true;
  m_state.exchange(Quiet, std::memory_order_acq_rel);
  return false;
}

void Bell::disarm(bool readable) noexcept {
  m_state.exchange(Quiet, std::memory_order_acq_rel);
  std::uint64_t count = 0;
  if (readable) [[maybe_unused]]
    const ssize_t got = ::read(m_fd, &count, sizeof count);
}

int Sleeper::reap() noexcept {
  if (m_reapers.empty()) return 0;
  const trace::Scope scope("tasks", "reap");
  int items = 0;
  for (Reaper* reaper : m_reapers) items += reaper->reap();
  if (items > 0) m_fruitless = 0;
  return items;
}

void Sleeper::collectDescriptors() {
  m_polled.assign(1, {m_bell.fd(), POLLIN, 0});
  // A descriptor that stays readable with nothing to reap (a closed connection, or items that other processors
  // are taking) must not make this one spin.
  constexpr int kFruitlessLimit = 16;
  if (m_fruitless >= kFruitlessLimit) return;
  for (const Reaper* reaper : m_reapers) {
    if (m_descriptors.size() < 8) m_descriptors.resize(8);
    int count = 0;
    for (;;) {
      const int capacity = static_cast<int>(m_descriptors.size());
      count = reaper->pollDescriptors(m_descriptors.data(), capacity);
      if (count < capacity || capacity >= 65536) break;
      m_descriptors.resize(m_descriptors.size() * 2);
    }
    for (int i = 0; i < count; ++i)
      m_polled.push_back({m_descriptors[static_cast<std::size_t>(i)], POLLIN, 0});
  }
}

void Sleeper::sleep(int timeoutMs) {
  collectDescriptors();
  const bool avoiding = m_polled.size() == 1 && m_fruitless > 0;
  if (!m_bell.arm()) return;
  int ready = 0;
  {
    const trace::Scope scope("tasks", "idle");
    ready = ::poll(m_polled.data(), m_polled.size(), avoiding ? 1 : timeoutMs);
  }
  const bool rung = ready > 0 && m_polled[0].revents != 0;
  m_fruitless = ready > (rung ? 1 : 0) ? m_fruitless + 1 : 0;
  m_bell.disarm(rung);
}

}  // namespace farfield::tasks::detail
