#include "bench/shared/measure.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace farfield::bench {
namespace {

double secondsOf(clockid_t clock) {
  struct timespec now {};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double threadCpuSeconds() {
  return secondsOf(CLOCK_THREAD_CPUTIME_ID);
}

double processCpuSeconds() {
  return secondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

double stolenSeconds() {
  // The first line, by proc(5): "cpu", then ticks of user, nice, system, idle, iowait, irq, softirq, steal.
  std::ifstream file("/proc/stat");
  std::string name;
  double ticks = 0;
  file >> name;
  for (int column = 0; column < 8; ++column)
    if (!(file >> ticks)) return 0;
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::uint64_t peakRssBytes() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

OnProcessors::OnProcessors(int count) {
  if (::sched_getaffinity(0, sizeof m_before, &m_before) != 0) return;
  cpu_set_t some;
  CPU_ZERO(&some);
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && CPU_COUNT(&some) < count; --cpu)
    if (CPU_ISSET(cpu, &m_before)) CPU_SET(cpu, &some);
  m_changed = ::sched_setaffinity(0, sizeof some, &some) == 0;
}

OnProcessors::~OnProcessors() {
  if (m_changed) ::sched_setaffinity(0, sizeof m_before, &m_before);
}

double Rounds::least() const {
  return m_values.empty() ? 0 : *std::min_element(m_values.begin(), m_values.end());
}

double Rounds::median() const {
  if (m_values.empty()) return 0;
  std::vector<double> sorted = m_values;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

double medianRatio(const Rounds& of, const Rounds& to) {
  Rounds ratios;
  for (std::size_t n = 0; n < std::min(of.values().size(), to.values().size()); ++n)
    ratios.add(of.values()[n] / to.values()[n]);
  return ratios.median();
}

}  // namespace farfield::bench
