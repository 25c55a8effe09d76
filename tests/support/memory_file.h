#pragma once
// Files in memory, for tests that write a great many.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

namespace farfield::test {

/// A file that only this process sees.
class MemoryFile {
 public:
  MemoryFile() : m_fd(::memfd_create("fuzz", 0)) {}
  ~MemoryFile() { ::close(m_fd); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  void fill(std::span<const std::uint8_t> bytes) {
    if (::ftruncate(m_fd, 0) != 0 || ::pwrite(m_fd, bytes.data(), bytes.size(), 0) < 0) std::abort();
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(m_fd); }

 private:
  int m_fd;
};

}  // namespace farfield::test
