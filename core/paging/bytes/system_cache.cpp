#include "core/paging/bytes/system_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/base/machine.h"
#include "core/paging/bytes/staging_arena.h"

namespace farfield::paging {
namespace {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
using Units = std::unique_ptr<void, FreeMemory>;

Units allocateUnits(std::size_t bytes) {
  return Units(std::aligned_alloc(kStagingUnit, bytes));
}

std::uint64_t bytesOf(const LocalFile& file) {
  struct stat status {};
  return ::fstat(file.descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// Whether most of a few large reads of the file, one at a time and past the cache, come at 256 MB/s at
/// least: flash does that, which makes the second read of a page about as cheap as the first. Arms and most
/// networks do not.
bool comesFast(const std::filesystem::path& path, std::uint64_t bytes) {
  constexpr std::uint64_t kReadBytes = std::uint64_t{256} << 10;
  constexpr auto kFast = std::chrono::milliseconds(1);
  constexpr std::uint64_t kReads = 5, kMostSlow = kReads / 2;
  if (bytes < kReadBytes) return false;
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (fd < 0) return false;
  const Units units = allocateUnits(kReadBytes);
  std::uint64_t slow = units ? 0 : kReads;
  for (std::uint64_t n = 0; n < kReads && slow <= kMostSlow; ++n) {
    const std::uint64_t place = (bytes - kReadBytes) / kReads * n / kStagingUnit * kStagingUnit;
    const auto start = std::chrono::steady_clock::now();
    const bool read = ::pread(fd, units.get(), kReadBytes, static_cast<off_t>(place)) > 0;
    if (!read || std::chrono::steady_clock::now() - start > kFast) ++slow;
  }
  ::close(fd);
  return slow <= kMostSlow;
}

}  // namespace

bool betterPastSystemCache(std::span<const LocalFile> files, const BypassLimits& limits) {
  std::uint64_t bytes = 0, inCache = 0;
  for (const LocalFile& file : files) bytes += bytesOf(file);
  const bool outgrows = bytes > (limits.machineBytes > 0 ? limits.machineBytes : machineMemoryBytes());
  if (!outgrows) {
    if (bytes < limits.smallBytes) return false;
    for (const LocalFile& file : files)
      if (liesInSystemCache(file)) inCache += bytesOf(file);
    if (inCache >= bytes / 2) return false;
  }
  for (const LocalFile& file : files)
    if (!offersDirectReads(file.path)) return false;
  // The files of one set lie on one disk nearly always, and the first is asked in the name of all.
  return outgrows || comesFast(files.front().path, bytesOf(files.front()));
}

bool liesInSystemCache(const LocalFile& file) {
  constexpr std::uint64_t kSamples = 64, kSampleBytes = std::uint64_t{256} << 10;
  const std::uint64_t bytes = bytesOf(file);
  const auto unit = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t looked = 0, held = 0;
  for (std::uint64_t n = 0; n < kSamples; ++n) {
    const std::uint64_t place = bytes / kSamples * n / unit * unit;
    const std::uint64_t size = std::min(kSampleBytes, bytes - place);
    if (size == 0) break;
    void* const mapped =
        ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor, static_cast<off_t>(place));
    if (mapped == MAP_FAILED) return true;
    std::vector<unsigned char> resident((size + unit - 1) / unit);
    const bool told = ::mincore(mapped, size, resident.data()) == 0;
    ::munmap(mapped, size);
    if (!told) return true;
    looked += resident.size();
    held += static_cast<std::uint64_t>(
        std::count_if(resident.begin(), resident.end(), [](unsigned char page) { return (page & 1) != 0; }));
  }
  return 2 * held >= looked;
}

bool offersDirectReads(const std::filesystem::path& path) {
  const Units unit = allocateUnits(kStagingUnit);
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (fd < 0) return false;
  const bool can = unit && ::pread(fd, unit.get(), kStagingUnit, 0) >= 0;
  ::close(fd);
  return can;
}

}  // namespace farfield::paging
