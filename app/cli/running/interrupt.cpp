#include "app/cli/running/interrupt.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "core/base/error.h"

namespace farfield::cli {
namespace {

std::atomic<int> g_wake{-1};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

constexpr std::uint64_t kSignal = 1, kEnd = std::uint64_t{1} << 32;

/// A stop request runs callbacks and takes locks, which a handler must not; so it only wakes a thread.
void onSignal(int) {
  const int saved = errno;
  [[maybe_unused]] const auto written = ::write(g_wake.load(), &kSignal, sizeof kSignal);
  errno = saved;
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // The terminal has gone, or the connection to it. Who works on without one (nohup) has it passed over.
  struct sigaction before {};
  if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
    ::sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() : m_wake(::eventfd(0, EFD_CLOEXEC)) {
  if (m_wake < 0) throw ioError("no event counter can be made", errno);
  g_wake = m_wake;
  m_watcher = std::jthread([this] {
    for (std::uint64_t events = 0; events < kEnd;) {
      if (::read(m_wake, &events, sizeof events) != sizeof events) continue;
      if (events % kEnd != 0) m_stop.request_stop();
    }
  });
  handle(onSignal);
}

Interrupt::~Interrupt() {
  handle(SIG_DFL);
  [[maybe_unused]] const auto written = ::write(m_wake, &kEnd, sizeof kEnd);
  m_watcher.join();
  g_wake = -1;
  ::close(m_wake);
}

}  // namespace farfield::cli
