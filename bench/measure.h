#pragma once
// Clocks and what to make of several measurements of the same thing.

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

/// CPU time of the calling thread, and of all threads of the process.
double threadCpuSeconds();
double processCpuSeconds();
/// The most that the process ever had in memory.
std::uint64_t peakRssBytes();

/// Rounds of one measurement. The least is what the machine can do: whatever else runs only adds to it.
class Rounds {
 public:
  void add(double value) { m_values.push_back(value); }
  double least() const;
  double median() const;
  const std::vector<double>& values() const { return m_values; }

 private:
  std::vector<double> m_values;
};

}  // namespace farfield::bench
