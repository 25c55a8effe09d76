#include "app/ui/window/ending_signals.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <vector>

namespace farfield::ui {
namespace {

constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP};

std::atomic<int> g_wake{-1};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void onSignal(int number) {
  const int saved = errno;
  const auto event = static_cast<std::uint64_t>(number);
  [[maybe_unused]] const auto written = ::write(g_wake.load(), &event, sizeof event);
  errno = saved;
}

}  // namespace

void doBeforeEndingSignals(QObject* parent, std::function<void()> last) {
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return;  // signals end the program all the same
  g_wake = wake;
  auto* const notifier = new QSocketNotifier(wake, QSocketNotifier::Read, parent);
  QObject::connect(notifier, &QSocketNotifier::activated, parent, [wake, last = std::move(last)] {
    std::uint64_t event = 0;
    if (::read(wake, &event, sizeof event) != sizeof event) return;
    last();
    // Two that came together add up; any of them ends the program.
    const int number = event == SIGINT || event == SIGHUP ? static_cast<int>(event) : SIGTERM;
    ::signal(number, SIG_DFL);
    ::raise(number);
  });
  std::vector<int> handled;
  for (const int number : kSignals) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    ::sigaction(number, &action, nullptr);
    handled.push_back(number);
  }
  // Nobody reads any more what a handler writes.
  QObject::connect(notifier, &QObject::destroyed, [handled] {
    for (const int number : handled) ::signal(number, SIG_DFL);
  });
}

}  // namespace farfield::ui
