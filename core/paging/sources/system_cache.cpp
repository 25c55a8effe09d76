#include "core/paging/sources/system_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "core/base/machine.h"
#include "core/paging/page_source.h"

namespace farfield::paging {
namespace {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

}  // namespace

bool outgrowsSystemCache(const PlaceMap& places, std::uint64_t machineBytes) {
  std::uint64_t bytes = 0;
  for (std::uint32_t file = 0; file < places.fileCount(); ++file) {
    struct stat status {};
    if (::fstat(places.fileDescriptor(file), &status) == 0)
      bytes += static_cast<std::uint64_t>(status.st_size);
  }
  return bytes > (machineBytes > 0 ? machineBytes : machineMemoryBytes());
}

bool offersDirectReads(const std::filesystem::path& path) {
  const std::unique_ptr<void, FreeMemory> unit(std::aligned_alloc(kStagingUnit, kStagingUnit));
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (fd < 0) return false;
  const bool can = unit && ::pread(fd, unit.get(), kStagingUnit, 0) >= 0;
  ::close(fd);
  return can;
}

bool offersDirectReads(const PlaceMap& places) {
  for (std::uint32_t file = 0; file < places.fileCount(); ++file)
    if (!offersDirectReads(places.filePath(file))) return false;
  return true;
}

}  // namespace farfield::paging
