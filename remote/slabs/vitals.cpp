#include "remote/slabs/vitals.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

#include "core/trace/recent.h"
#include "core/trace/trace.h"

namespace farfield::remote {
namespace {

constexpr std::chrono::milliseconds kEvery{200};
constexpr double kMebibyte = 1 << 20;

double processorSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double residentBytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// Of all devices of the machine, those that lead back to it as well; received and sent.
double networkBytes() {
  std::ifstream file("/proc/net/dev");
  double sum = 0;
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    double received = 0, sent = 0, other = 0;
    std::istringstream numbers(line.substr(colon + 1));
    numbers >> received;
    for (int n = 0; n < 7; ++n) numbers >> other;
    if (numbers >> sent) sum += received + sent;
  }
  return sum;
}

void say(const char* name, double amount) {
  trace::counter(name, amount);
  trace::noteAmount(name, amount);
}

}  // namespace

Vitals::Vitals()
    : m_thread([](const std::stop_token& stop) {
        trace::nameThread("vitals");
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        double processor = processorSeconds(), network = networkBytes();
        auto since = std::chrono::steady_clock::now();
        while (!changed.wait_for(lock, stop, kEvery, [&] { return stop.stop_requested(); })) {
          if (!trace::isOn() && !trace::isWatched()) continue;
          const auto now = std::chrono::steady_clock::now();
          const double seconds = std::chrono::duration<double>(now - std::exchange(since, now)).count();
          const double used = processorSeconds(), bytes = networkBytes();
          say(kProcessors, (used - std::exchange(processor, used)) / seconds);
          say(kResidentMiB, residentBytes() / kMebibyte);
          say(kNetworkMiBPerSecond, (bytes - std::exchange(network, bytes)) / kMebibyte / seconds);
        }
      }) {}

}  // namespace farfield::remote
