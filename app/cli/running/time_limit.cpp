#include "app/cli/running/time_limit.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/cli/running/program.h"

namespace farfield::cli {

TimeLimit::TimeLimit(std::chrono::seconds limit, std::string what, std::stop_token stop,
                     std::function<void()> ending)
    : m_limit(limit),
      m_what(std::move(what)),
      m_ending(std::move(ending)),
      m_from(std::move(stop), [this] { m_stop.request_stop(); }),
      m_thread([this](const std::stop_token& finished) { watch(finished); }) {}

void TimeLimit::finish() {
  m_thread.request_stop();
  if (m_thread.joinable()) m_thread.join();
}

Unsupported TimeLimit::error() const {
  return Unsupported("the " + m_what + " takes longer than " + std::to_string(m_limit.count()) + " s",
                     "give it more time with --time-limit");
}

void TimeLimit::watch(const std::stop_token& finished) {
  std::unique_lock lock(m_mutex);
  const auto comes = [&](std::chrono::steady_clock::time_point when) {
    return !m_changed.wait_until(lock, finished, when, [] { return false; }) && !finished.stop_requested();
  };
  if (!comes(m_start + std::chrono::milliseconds(m_limit) * 4 / 5)) return;
  m_stop.request_stop();
  if (m_ending) m_ending();
  if (!comes(m_start + m_limit)) return;
  std::fprintf(stderr, "farfield: %s\n", error().what());
  std::fflush(stderr);
  std::_Exit(kFailed);
}

}  // namespace farfield::cli
