// Loaded in front of the C library (LD_PRELOAD) into the program under test: lets calls to the system fail by
// hand. It stands between the program and libc, so nothing in the program knows of it, and what libraries
// such as HDF5 call is reached as well.
//
//   FARFIELD_FAULT         KIND:N[:ERRNO]       the N-th call of that kind fails, counted from 1
//                          random:SEED:ONE_IN   each call of any kind may fail, one in so many
//   FARFIELD_FAULT_REPORT  a file that one byte is appended to for each fault
//   FARFIELD_FAULT_URING   set: io_uring is granted, and reads by it fail as kinds of their own. Otherwise it
//                          is refused, so that all reads of pages come by as kind read
//
// Kinds: open read write sync close rename map (memory of 64 KiB and more) new (objects of 64 KiB and more)
// ring (a read that is handed to io_uring) submit (the handing over).
// A failing read or write of the random kind may also do a part of its work only, as the system may. Only
// files fail: pipes, and the counters that threads wake one another with, do not.

#include <dlfcn.h>
#include <fcntl.h>
#include <liburing.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t kLarge = std::size_t{64} << 10;

enum Kind { Open, Read, Write, Sync, Close, Rename, Map, New, Ring, Submit, KindCount };
constexpr std::array<const char*, KindCount> kKinds = {"open",   "read", "write", "sync", "close",
                                                       "rename", "map",  "new",   "ring", "submit"};
// A read by io_uring fails as the kernel lets it fail when it is asked for an impossible one: EBADF.
constexpr std::array<int, KindCount> kErrors = {EACCES, EIO,    ENOSPC, EIO,   EIO,
                                                EIO,    ENOMEM, ENOMEM, EBADF, EBUSY};

struct Plan {
  bool random = false;
  std::uint64_t seed = 0, oneIn = 0;
  std::array<std::uint64_t, KindCount> failing{};  // which call; 0: none
  std::array<int, KindCount> errors = kErrors;
  const char* report = nullptr;

  Plan() {
    const char* const text = std::getenv("FARFIELD_FAULT");
    report = std::getenv("FARFIELD_FAULT_REPORT");
    if (!text) return;
    char* rest = nullptr;
    if (std::strncmp(text, "random:", 7) == 0) {
      random = true;
      seed = std::strtoull(text + 7, &rest, 10);
      oneIn = *rest ? std::strtoull(rest + 1, &rest, 10) : 100;
      return;
    }
    for (int kind = 0; kind < KindCount; ++kind) {
      const std::size_t length = std::strlen(kKinds[static_cast<std::size_t>(kind)]);
      if (std::strncmp(text, kKinds[static_cast<std::size_t>(kind)], length) != 0 || text[length] != ':')
        continue;
      failing[static_cast<std::size_t>(kind)] = std::strtoull(text + length + 1, &rest, 10);
      if (*rest) errors[static_cast<std::size_t>(kind)] = std::atoi(rest + 1);
    }
  }
};

const Plan& plan() {
  static const Plan s_plan;
  return s_plan;
}

std::uint64_t scrambled(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void report() {
  if (!plan().report) return;
  const auto file = static_cast<int>(
      ::syscall(SYS_openat, AT_FDCWD, plan().report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (file < 0) return;
  ::syscall(SYS_write, file, "x", 1);
  ::syscall(SYS_close, file);
}

/// Whether this call of `kind` fails; sets errno. `*partly`: it may do less than it was asked for instead.
bool fails(Kind kind, bool* partly = nullptr) {
  static std::array<std::atomic<std::uint64_t>, KindCount> s_calls{};
  const auto index = static_cast<std::size_t>(kind);
  const std::uint64_t call = s_calls[index].fetch_add(1) + 1;
  const Plan& its = plan();
  if (its.random) {
    const std::uint64_t drawn = scrambled(its.seed * 1000003 + call * KindCount + index);
    if (its.oneIn == 0 || drawn % its.oneIn != 0) return false;
    report();
    if (partly && (drawn >> 32) % 3 == 0) {
      *partly = true;
      return false;
    }
    if (kind == Read && (drawn >> 40) % 4 == 0) {
      errno = EINTR;
      return true;
    }
    errno = its.errors[index];
    return true;
  }
  if (its.failing[index] != call) return false;
  report();
  errno = its.errors[index];
  return true;
}

bool isFile(int descriptor) {
  struct stat status {};
  return descriptor > 2 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// `bytes`, or a part of them where the call shall do only part of its work.
std::size_t share(std::size_t bytes, bool partly) {
  return partly && bytes > 1 ? bytes / 2 : bytes;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  static auto* const s_next = next<int(const char*, int, ...)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return fails(Open) ? -1 : s_next(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  static auto* const s_next = next<int(const char*, int, ...)>("open64");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return fails(Open) ? -1 : s_next(path, flags, mode);
}

ssize_t read(int file, void* out, size_t bytes) {
  static auto* const s_next = next<ssize_t(int, void*, size_t)>("read");
  bool partly = false;
  if (isFile(file) && fails(Read, &partly)) return -1;
  return s_next(file, out, share(bytes, partly));
}
ssize_t pread(int file, void* out, size_t bytes, off_t at) {
  static auto* const s_next = next<ssize_t(int, void*, size_t, off_t)>("pread");
  bool partly = false;
  if (isFile(file) && fails(Read, &partly)) return -1;
  return s_next(file, out, share(bytes, partly), at);
}
ssize_t pread64(int file, void* out, size_t bytes, off_t at) {
  return pread(file, out, bytes, at);
}

ssize_t write(int file, const void* from, size_t bytes) {
  static auto* const s_next = next<ssize_t(int, const void*, size_t)>("write");
  bool partly = false;
  if (isFile(file) && fails(Write, &partly)) return -1;
  return s_next(file, from, share(bytes, partly));
}
ssize_t pwrite(int file, const void* from, size_t bytes, off_t at) {
  static auto* const s_next = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  bool partly = false;
  if (isFile(file) && fails(Write, &partly)) return -1;
  return s_next(file, from, share(bytes, partly), at);
}
ssize_t pwrite64(int file, const void* from, size_t bytes, off_t at) {
  return pwrite(file, from, bytes, at);
}
ssize_t writev(int file, const iovec* from, int count) {
  static auto* const s_next = next<ssize_t(int, const iovec*, int)>("writev");
  return isFile(file) && fails(Write) ? -1 : s_next(file, from, count);
}
int ftruncate(int file, off_t bytes) {
  static auto* const s_next = next<int(int, off_t)>("ftruncate");
  return fails(Write) ? -1 : s_next(file, bytes);
}
int ftruncate64(int file, off_t bytes) {
  return ftruncate(file, bytes);
}

int fsync(int file) {
  static auto* const s_next = next<int(int)>("fsync");
  return fails(Sync) ? -1 : s_next(file);
}
int fdatasync(int file) {
  static auto* const s_next = next<int(int)>("fdatasync");
  return fails(Sync) ? -1 : s_next(file);
}

int close(int file) {
  static auto* const s_next = next<int(int)>("close");
  const bool failing = isFile(file) && fails(Close);
  const int error = errno;
  const int result = s_next(file);  // the descriptor is gone even so, as on Linux
  if (!failing) return result;
  errno = error;
  return -1;
}

int rename(const char* from, const char* to) {
  static auto* const s_next = next<int(const char*, const char*)>("rename");
  return fails(Rename) ? -1 : s_next(from, to);
}

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  static auto* const s_next = next<void*(void*, size_t, int, int, int, off_t)>("mmap");
  if (bytes >= kLarge && fails(Map)) return MAP_FAILED;
  return s_next(at, bytes, protection, flags, file, offset);
}
void* mmap64(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  return mmap(at, bytes, protection, flags, file, offset);
}

int io_uring_queue_init(unsigned entries, io_uring* ring, unsigned flags) {
  static auto* const s_next = next<int(unsigned, io_uring*, unsigned)>("io_uring_queue_init");
  static const bool s_granted = std::getenv("FARFIELD_FAULT_URING") != nullptr;
  return s_granted ? s_next(entries, ring, flags) : -EPERM;
}

int io_uring_submit(io_uring* ring) {
  static auto* const s_next = next<int(io_uring*)>("io_uring_submit");
  if (fails(Submit)) return -errno;
  const io_uring_sq& queue = ring->sq;
  for (unsigned n = queue.sqe_head; n != queue.sqe_tail; ++n) {
    io_uring_sqe& entry = queue.sqes[n & *queue.kring_mask];
    bool partly = false;
    if (entry.opcode != IORING_OP_READ) continue;
    if (fails(Ring, &partly))
      entry.fd = -1;
    else
      entry.len = static_cast<unsigned>(share(entry.len, partly));
  }
  return s_next(ring);
}

}  // extern "C"

void* operator new(std::size_t bytes) {
  if (bytes >= kLarge && fails(New)) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
