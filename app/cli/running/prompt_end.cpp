#include "app/cli/running/prompt_end.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/cli/running/program.h"

namespace farfield::cli {
namespace {

/// Much longer than work takes that looks for itself, and shorter than anybody takes for hanging.
constexpr std::chrono::milliseconds kGrace{400};

}  // namespace

PromptEnd::PromptEnd(const std::stop_token& stop, std::function<void()> clean)
    : m_clean(std::move(clean)),
      m_thread([this, stop](const std::stop_token& finished) { watch(finished, stop); }) {}

void PromptEnd::finish() {
  m_thread.request_stop();
  if (m_thread.joinable()) m_thread.join();
}

void PromptEnd::watch(const std::stop_token& finished, const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] {
    { const std::lock_guard seen(m_mutex); }
    m_changed.notify_all();
  });
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, finished, [&] { return stop.stop_requested(); });
  if (m_changed.wait_for(lock, finished, kGrace, [] { return false; }) || finished.stop_requested()) return;
  m_clean();
  std::fputs("farfield: interrupted\n", stderr);
  std::fflush(stderr);
  std::_Exit(kInterrupted);
}

}  // namespace farfield::cli
