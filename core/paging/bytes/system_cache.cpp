#include "core/paging/bytes/system_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "core/paging/bytes/read_engine.h"

namespace farfield::paging {

bool offersDirectReads(const std::filesystem::path& path) {
  const std::unique_ptr<void, decltype(&std::free)> unit(std::aligned_alloc(kDirectUnit, kDirectUnit),
                                                         &std::free);
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (fd < 0) return false;
  const bool can = unit && ::pread(fd, unit.get(), kDirectUnit, 0) >= 0;
  ::close(fd);
  return can;
}

}  // namespace farfield::paging
