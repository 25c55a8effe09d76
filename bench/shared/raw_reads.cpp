#include "bench/shared/raw_reads.h"

#include <fcntl.h>
#include <liburing.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "bench/shared/measure.h"
#include "core/base/error.h"
#include "core/paging/pages/codec.h"

namespace farfield::bench {
namespace {

constexpr std::uint64_t kSector = 4096;
/// Where reads are copied to, in turn: as much as the frames of a pool, more than processors' caches hold.
constexpr std::uint64_t kKeptBytes = std::uint64_t{80} << 20;

/// Memory that has been touched, so that clearing it is not measured.
class TouchedMemory {
 public:
  TouchedMemory(std::uint64_t bytes, MemoryPages pages) : m_memory(bytes, pages, "plain reads") {
    std::memset(m_memory.data(), 0, bytes);
  }
  std::byte* data() const { return m_memory.data(); }

 private:
  AnonymousMemory m_memory;
};

/// A buffer of `bytes` for each read on its way, all in huge pages if asked for.
TouchedMemory buffersFor(const RawReads& reads, std::uint64_t bytes) {
  return {wholeHugePages(static_cast<std::uint64_t>(reads.depth) * bytes), reads.memory};
}

class RawFile {
 public:
  explicit RawFile(const std::filesystem::path& path, bool direct)
      : m_fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0))) {
    if (m_fd < 0) throw ioError("cannot be opened", errno).at("file " + path.string());
    if (!direct) {
      ::fsync(m_fd);
      ::posix_fadvise(m_fd, 0, 0, POSIX_FADV_RANDOM);
      ::posix_fadvise(m_fd, 0, 0, POSIX_FADV_DONTNEED);
    }
  }
  ~RawFile() { ::close(m_fd); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  int fd() const { return m_fd; }

 private:
  int m_fd;
};

[[noreturn]] void throwRead(int errnoValue) {
  throw ioError("a read of the disk failed", errnoValue);
}

double byThreads(const RawFile& file, const RawReads& reads, std::uint64_t bytes, std::uint64_t places) {
  std::atomic<std::uint64_t> left{reads.count};
  std::atomic<int> failure{0};
  const TouchedMemory buffers = buffersFor(reads, bytes);
  std::optional<TouchedMemory> kept;
  if (reads.kept) kept.emplace(kKeptBytes, MemoryPages::Huge);
  std::atomic<std::uint64_t> keptReads{0}, checksums{0};
  const auto read = [&](std::uint64_t number) {
    std::mt19937_64 random(reads.seed * 1000 + number);
    std::byte* const buffer = buffers.data() + number * bytes;
    for (;;) {
      std::uint64_t before = left.load();
      while (before > 0 && !left.compare_exchange_weak(before, before - 1)) {
      }
      if (before == 0) return;
      const auto at = static_cast<off_t>(random() % places * kSector);
      const ssize_t got = ::pread(file.fd(), buffer, bytes, at);
      if (got != static_cast<ssize_t>(bytes)) {
        failure = got < 0 ? errno : EIO;
        return;
      }
      if (!kept) continue;
      checksums.fetch_add(paging::checksum({buffer, bytes}), std::memory_order_relaxed);
      std::memcpy(kept->data() + keptReads.fetch_add(1) % (kKeptBytes / bytes) * bytes, buffer, bytes);
    }
  };
  const Stopwatch watch;
  std::vector<std::thread> threads;
  for (int n = 0; n < reads.depth; ++n) threads.emplace_back(read, static_cast<unsigned>(n));
  for (std::thread& thread : threads) thread.join();
  if (failure) throwRead(failure);
  return static_cast<double>(reads.count) / watch.seconds();
}

double byUring(const RawFile& file, const RawReads& reads, std::uint64_t bytes, std::uint64_t places) {
  io_uring ring{};
  const auto depth = static_cast<unsigned>(reads.depth);
  if (io_uring_queue_init(depth, &ring, 0) < 0) return 0;
  std::mt19937_64 random(reads.seed);
  const TouchedMemory buffers = buffersFor(reads, bytes);
  const auto put = [&](std::uint64_t slot) {
    io_uring_sqe* const sqe = io_uring_get_sqe(&ring);
    io_uring_prep_read(sqe, file.fd(), buffers.data() + slot * bytes, static_cast<unsigned>(bytes),
                       random() % places * kSector);
    sqe->user_data = slot;
  };
  const Stopwatch watch;
  std::uint64_t begun = 0, ended = 0;
  int failure = 0;
  for (; begun < std::min<std::uint64_t>(depth, reads.count); ++begun) put(begun);
  while (ended < begun && failure == 0) {
    const int submitted = io_uring_submit_and_wait(&ring, 1);
    if (submitted < 0 && submitted != -EINTR) failure = -submitted;
    io_uring_cqe* cqe = nullptr;
    while (io_uring_peek_cqe(&ring, &cqe) == 0) {
      const std::uint64_t slot = cqe->user_data;
      if (cqe->res != static_cast<int>(bytes)) failure = cqe->res < 0 ? -cqe->res : EIO;
      io_uring_cqe_seen(&ring, cqe);
      ++ended;
      if (begun < reads.count && failure == 0) {
        put(slot);
        ++begun;
      }
    }
  }
  const double seconds = watch.seconds();
  // buffers may be freed only when nothing is on its way
  io_uring_cqe* cqe = nullptr;
  for (; ended < begun && io_uring_wait_cqe(&ring, &cqe) == 0; ++ended) io_uring_cqe_seen(&ring, cqe);
  io_uring_queue_exit(&ring);
  if (failure != 0) throwRead(failure);
  return static_cast<double>(reads.count) / seconds;
}

}  // namespace

double rawReadRate(const std::filesystem::path& path, RawMethod method, const RawReads& reads) {
  const RawFile file(path, reads.direct);
  const std::uint64_t bytes = (reads.bytes + kSector - 1) / kSector * kSector;
  const std::uint64_t fileBytes = std::filesystem::file_size(path);
  if (fileBytes < bytes) throw Invalid("is shorter than a read").at("file " + path.string());
  const std::uint64_t places = (fileBytes - bytes) / kSector + 1;
  return method == RawMethod::Uring ? byUring(file, reads, bytes, places)
                                    : byThreads(file, reads, bytes, places);
}

}  // namespace farfield::bench
