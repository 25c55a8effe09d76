#pragma once
// Measures how long the user interface takes to answer: a thread sends it an event, measures the time until
// it has been handled, and sends the next one a moment later. What it measures is what a click would have waited.

#include <QObject>
#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

namespace farfield::app {

/// Lives on the UI thread, whose stalls it measures from start() on.
class Watchdog : public QObject {
  Q_OBJECT
 public:
  struct Report {
    std::uint64_t samples = 0;
    double medianMs = 0, p99Ms = 0, p999Ms = 0, worstMs = 0;
    std::uint64_t over50Ms = 0;  ///< stalls longer than this
  };

  explicit Watchdog(QObject* parent = nullptr);
  ~Watchdog() override;
  void start();
  void stop();
  /// Any thread.
  Report report() const;
  /// Forgets what was measured.
  void reset();

  bool event(QEvent* event) override;

 private:
  void watch(const std::stop_token& stop);
  void add(double milliseconds);

  // Stalls by length: bin n holds those from 0.1 ms x 2^(n/8) on.
  static constexpr std::size_t kBins = 160;
  std::array<std::atomic<std::uint64_t>, kBins> m_bins{};
  std::atomic<std::uint64_t> m_samples{0}, m_over50{0};
  std::atomic<double> m_worstMs{0};
  std::atomic<bool> m_answered{true};
  std::atomic<std::int64_t> m_sentAt{0};
  std::jthread m_thread;
};

}  // namespace farfield::app
