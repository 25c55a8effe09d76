#pragma once
// How far the work is, on stderr: a bar with rate and time left on a terminal, a plain line about every two
// seconds elsewhere, nothing with --quiet.

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace farfield::cli {

enum class ProgressStyle { None, Lines, Bar };
/// For this process's stderr and --quiet.
ProgressStyle progressStyle(bool quiet);

/// Thread-safe. The destructor takes a bar off the terminal.
class Progress {
 public:
  /// `what` is being done ("convert"), counted in `unit` ("pages").
  Progress(std::string what, std::string unit, ProgressStyle style);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::uint64_t done, std::uint64_t total);
  /// Starts over with the next piece of work.
  void restart(std::string what);

  /// "wall: 42 %, 1200 of 2800 pages, 350 pages/s, 4 s left"; the rate is that of `seconds`.
  static std::string line(const std::string& what, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds);
  /// The same for a terminal `columns` wide, with a bar.
  static std::string bar(const std::string& what, const std::string& unit, std::uint64_t done,
                         std::uint64_t total, double seconds, int columns);

 private:
  using Clock = std::chrono::steady_clock;
  void erase();
  std::mutex m_mutex;
  std::string m_what, m_unit;
  ProgressStyle m_style;
  Clock::time_point m_start, m_lastShown;
  std::uint64_t m_firstDone = 0;
  bool m_started = false, m_shown = false;
};

}  // namespace farfield::cli
