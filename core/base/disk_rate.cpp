#include "core/base/disk_rate.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield {
namespace {

/// Alignment of reads past the system's cache.
constexpr std::uint64_t kBlock = 4096;
constexpr int kReads = 64, kMostThreads = 16;
constexpr std::uint64_t kMostRequestBytes = 1 << 20;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

/// Offset of read number `n`: evenly spread, in an order that jumps about.
std::uint64_t offsetOf(int n, std::uint64_t places) {
  constexpr std::uint64_t kStride = 37;  // has no common divisor with kReads
  return places * (static_cast<std::uint64_t>(n) * kStride % kReads) / kReads * kBlock;
}

}  // namespace

double measureReadRate(const std::filesystem::path& path, std::uint64_t requestBytes, int readers) {
  try {
    const File file = File::openForReading(path);
    const std::uint64_t request =
        std::clamp((requestBytes + kBlock - 1) / kBlock * kBlock, kBlock, kMostRequestBytes);
    if (file.size() < 2 * request) return 0;
    const std::uint64_t places = (file.size() - request) / kBlock;
    // a descriptor of its own, so that the flag concerns these reads only
    const int direct = ::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
    std::atomic<int> next{0};
    std::atomic<std::uint64_t> bytes{0};
    const auto work = [&] {
      const std::unique_ptr<void, Free> buffer(std::aligned_alloc(kBlock, request));
      if (!buffer) return;
      for (int n = 0; (n = next.fetch_add(1)) < kReads;) {
        const auto offset = static_cast<off_t>(offsetOf(n, places));
        ssize_t got = direct >= 0 ? ::pread(direct, buffer.get(), request, offset) : -1;
        if (got < 0) got = ::pread(file.fd(), buffer.get(), request, offset);
        if (got > 0) bytes += static_cast<std::uint64_t>(got);
      }
    };
    const auto start = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> threads;
      try {
        for (int n = 1; n < std::clamp(readers, 1, kMostThreads); ++n) threads.emplace_back(work);
      } catch (const std::system_error&) {
        // fewer than asked for are enough
      }
      work();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (direct >= 0) ::close(direct);
    return static_cast<double>(bytes.load()) / std::max(seconds, 1e-6);
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace farfield
