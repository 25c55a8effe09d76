#include "bench/shared/disk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "bench/shared/measure.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield::bench {
namespace {
constexpr std::size_t kPieceBytes = 1 << 20;
}

WorkFolder::WorkFolder(const std::filesystem::path& parent) {
  std::error_code failure;
  m_madeParent = std::filesystem::create_directories(parent, failure);
  std::string name = (parent / "farfield-bench-XXXXXX").string();
  if (failure || !::mkdtemp(name.data()))
    throw ioError("a folder for the measurement cannot be made", failure ? failure.value() : errno)
        .at("folder " + parent.string())
        .advise("name another with --folder");
  m_path = name;
}

void WorkFolder::remove() const noexcept {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
  if (m_madeParent) std::filesystem::remove(m_path.parent_path(), ignored);
}

double cachedShare(const std::filesystem::path& path) {
  const File file = File::openForReading(path);
  const std::uint64_t bytes = file.size();
  if (bytes == 0) return 0;
  void* const map = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.fd(), 0);
  if (map == MAP_FAILED) throw ioError("cannot be mapped", errno).at("file " + path.string());
  const auto pageBytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> inCache((bytes + pageBytes - 1) / pageBytes);
  const int failed = ::mincore(map, bytes, inCache.data());
  const int why = errno;
  ::munmap(map, bytes);
  if (failed) throw ioError("the system does not say what it caches", why).at("file " + path.string());
  std::size_t count = 0;
  for (const unsigned char each : inCache) count += each & 1;
  return static_cast<double>(count) / static_cast<double>(inCache.size());
}

bool makeCold(const std::filesystem::path& path) {
  {
    const File file = File::openForReading(path);
    ::fsync(file.fd());
    ::posix_fadvise(file.fd(), 0, 0, POSIX_FADV_DONTNEED);
  }
  return cachedShare(path) < 0.01;
}

double sequentialReadRate(const std::filesystem::path& path) {
  makeCold(path);
  const File file = File::openForReading(path);
  std::vector<std::byte> piece(kPieceBytes);
  const Stopwatch watch;
  std::uint64_t at = 0;
  while (const std::size_t got = file.readSomeAt(at, piece)) at += got;
  return static_cast<double>(at) / watch.seconds();
}

double sequentialWriteRate(const std::filesystem::path& path, std::uint64_t bytes) {
  File file = File::openForWriting(path, true);
  std::vector<std::byte> piece(kPieceBytes);
  for (std::size_t n = 0; n < piece.size(); ++n) piece[n] = static_cast<std::byte>(n * 2654435761u >> 13);
  const Stopwatch watch;
  for (std::uint64_t at = 0; at < bytes; at += piece.size()) file.writeAt(at, piece);
  file.sync();
  const double seconds = watch.seconds();
  file.close();
  std::filesystem::remove(path);
  return static_cast<double>(bytes) / seconds;
}

}  // namespace farfield::bench
