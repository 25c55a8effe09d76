#pragma once
// What the window's thread is at while it keeps somebody waiting: a thread of its own sends it letters, and
// where an answer is late, interrupts it now and then and notes where it stands. For finding out, not for
// every run: set FARFIELD_WORK_STALLS to the milliseconds that are too long.

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>

#include <QCoreApplication>
#include <QEvent>
#include <QObject>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace farfield::test {

/// Lives on the UI thread.
class StallSampler final : public QObject {
 public:
  explicit StallSampler(int lateMs) : m_lateMs(lateMs), m_ui(pthread_self()) {
    std::array<void*, 4> first;
    ::backtrace(first.data(), static_cast<int>(first.size()));  // loads what it needs, outside the handler
    struct sigaction action {};
    action.sa_handler = [](int) { note(); };
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGUSR2, &action, nullptr);
    m_thread = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  }
  ~StallSampler() override {
    m_thread = {};
    QCoreApplication::removePostedEvents(this);
  }

  /// Prints where it stood, as addresses for addr2line.
  void report() {
    m_thread = {};
    const std::size_t count = std::min<std::size_t>(s_count, s_samples.size());
    for (std::size_t n = 0; n < count; ++n) {
      const Sample& sample = s_samples[n];
      std::printf("stall %d, %d ms late:\n", sample.stall, sample.lateMs);
      char** const lines = ::backtrace_symbols(sample.frames.data(), sample.depth);
      for (int k = 2; lines && k < sample.depth; ++k) std::printf("    %s\n", lines[k]);
      std::free(lines);
    }
    std::printf("%zu samples of %d stalls\n", count, m_stalls.load());
    std::fflush(stdout);
  }

  bool event(QEvent* event) override {
    if (event->type() != QEvent::User) return QObject::event(event);
    m_answered = true;
    return true;
  }

 private:
  struct Sample {
    int stall, lateMs, depth;
    std::array<void*, 48> frames;
  };
  void watch(const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      m_answered = false;
      const auto sent = Clock::now();
      QCoreApplication::postEvent(this, new QEvent(QEvent::User));
      bool late = false;
      while (!m_answered && !stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const auto waited = static_cast<int>(
            std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - sent).count());
        if (m_answered || waited < m_lateMs) continue;
        if (!late) ++m_stalls;
        late = true;
        s_stall = m_stalls.load();
        s_lateMs = waited;
        ::pthread_kill(m_ui, SIGUSR2);
      }
    }
  }
  static void note() {
    const std::size_t n = s_count++;
    if (n >= s_samples.size()) return;
    Sample& sample = s_samples[n];
    sample.stall = s_stall;
    sample.lateMs = s_lateMs;
    sample.depth = ::backtrace(sample.frames.data(), static_cast<int>(sample.frames.size()));
  }

  static inline std::atomic<int> s_stall{0}, s_lateMs{0};
  static inline std::atomic<std::size_t> s_count{0};
  static inline std::vector<Sample> s_samples{4000};

  const int m_lateMs;
  const pthread_t m_ui;
  std::atomic<bool> m_answered{true};
  std::atomic<int> m_stalls{0};
  std::jthread m_thread;
};

}  // namespace farfield::test
