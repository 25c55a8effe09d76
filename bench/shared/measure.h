#pragma once
// Clocks, and statistics of repeated measurements.

#include <sched.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace farfield::bench {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Whether resident pages stay. Not in a hostile build, which evicts a page with its last pin: its benchmarks
/// only show that they run.
#ifdef FARFIELD_HOSTILE
constexpr bool kPagesStay = false;
#else
constexpr bool kPagesStay = true;
#endif

/// CPU time of the calling thread, and of all threads of the process.
double threadCpuSeconds();
double processCpuSeconds();
/// Seconds, to a hundredth, that a hypervisor gave to other guests while processors of this machine had work,
/// all processors together, since the machine started; 0 without a hypervisor.
double stolenSeconds();
/// The largest memory that the process ever had.
std::uint64_t peakRssBytes();

/// During its life, the calling thread and threads that it starts run on at most `count` of the processors of
/// the process, so that a scheduler's other work runs on these as well.
class OnProcessors {
 public:
  explicit OnProcessors(int count);
  ~OnProcessors();
  OnProcessors(const OnProcessors&) = delete;
  OnProcessors& operator=(const OnProcessors&) = delete;

 private:
  cpu_set_t m_before;
  bool m_changed = false;
};

/// Rounds of one measurement. The least is what the machine can do: other load only adds to it.
class Rounds {
 public:
  void add(double value) { m_values.push_back(value); }
  double least() const;
  double median() const;
  const std::vector<double>& values() const { return m_values; }

 private:
  std::vector<double> m_values;
};

/// The median of the ratios of each round of `of` to that of `to`, measured one after the other, so that
/// other load affects both.
double medianRatio(const Rounds& of, const Rounds& to);

}  // namespace farfield::bench
