#pragma once
// Asynchronous reads of ranges of objects, done in one of several ways behind one interface:
//
//   uring    io_uring, one ring per processor. Whoever calls start() submits on the ring of its own processor;
//            whoever calls reap() collects from all, its own first. No thread and no hand-over in between.
//   threads  a pool of threads that wait in ByteObject::readSomeAt and tell the client themselves. For files
//            where io_uring is not granted, and for every back end that brings no engine of its own.
//
// An engine has no queue. It pulls reads from its client as long as the client gives some, so that the limits
// on depth and memory, the order, and what a cancel removes are all decided in one place, the client.

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "core/tasks/reaper.h"

namespace farfield::paging {

/// By what files are read. Auto: io_uring where the kernel grants it, else threads.
enum class EngineKind { Auto, Uring, Threads };
const char* nameOf(EngineKind kind);

/// Whether reads of files go through the system's page cache. Auto: past it where the files together are
/// larger than the machine's memory, and so cannot stay in it, and their file systems offer that.
enum class SystemCache { Auto, Use, Bypass };

struct EngineOptions {
  EngineKind kind = EngineKind::Auto;
  int readers = 4;  ///< threads: how many, and so the reads on their way
  int depth = 64;   ///< without threads: reads on their way
  int rings = 1;    ///< uring: as many as there are processors that run tasks
  SystemCache systemCache = SystemCache::Auto;
};

/// How reads over a network fare; zeros where there is none.
struct EngineReport {
  double roundTripMs = 0;
  double bytesPerSecond = 0;  ///< while reads were on their way
  std::uint64_t lost = 0;     ///< connections
  double lostSeconds = 0;     ///< since all that is asked fails, and is tried again
  bool isHere = true;         ///< reads from this machine
};

struct RangeRead {
  std::uint32_t object = 0;          ///< which of the engine's objects
  std::uint64_t offset = 0;          ///< a multiple of alignment(), as is buffer.size()
  std::span<std::byte> buffer = {};  ///< filled from its start
  std::uint64_t needed = 0;          ///< the read is over once so many bytes are there; at most buffer.size()
  void* token = nullptr;             ///< the client's own
};

/// Calls come from any thread, at the same time.
class ReadClient {
 public:
  /// Hands out the next read, if one may start now; the client limits how many are on their way to the
  /// engine's depth. `more` tells whether another might start at once.
  virtual bool nextRead(RangeRead& read, bool& more) noexcept = 0;
  /// The bytes of a read are there, or will not come; readEnded() follows. The next read may start in its
  /// stead at once, so that the disk does not run dry while pages are decoded. Not every engine says so.
  virtual void readLanded(const RangeRead& read) noexcept = 0;
  /// A read is over: `got` bytes came, fewer than needed only at the end of the object (`error` null) or
  /// because of an error, which does not name the object. Room that this makes is offered by the engine to nextRead() next.
  virtual void readEnded(const RangeRead& read, std::uint64_t got, std::exception_ptr error) noexcept = 0;

 protected:
  ~ReadClient() = default;
};

class ReadEngine : public tasks::Reaper {
 public:
  /// Before the first start(): for whom. Throws Io where threads are needed and none can be started.
  virtual void serve(ReadClient& client) = 0;
  /// Says that the client has something to read. Does not wait.
  virtual void start() noexcept = 0;
  /// Waits for all reads on their way, once the client gives no more. A start() from within readEnded() may
  /// come meanwhile; other calls must be over. To be called before the engine or its client is destroyed.
  virtual void stop() noexcept = 0;
  virtual const char* name() const = 0;
  /// Most reads on their way that are of any use.
  virtual int depth() const = 0;
  /// Offsets and sizes of reads are multiples of it; a power of two, not above kDirectUnit.
  virtual std::uint64_t alignment() const { return 1; }
  /// Bytes between two ranges that cost less than another read does.
  virtual std::uint64_t gapWorthReading() const { return 0; }
  /// Thread-safe.
  virtual EngineReport report() const { return {}; }

  int reap() noexcept override { return 0; }
  int pollDescriptors(int*, int) const override { return 0; }
};

/// Of reads past the system's cache.
constexpr std::uint64_t kDirectUnit = 4096;

/// Empty where this process may use io_uring; else why not ("Operation not permitted", …).
std::string whyNoUring();

class LocalFile;
/// `rings` and `depth` > 0. Throws Unsupported where the kernel or its administrator does not grant io_uring.
std::unique_ptr<ReadEngine> makeUringEngine(std::vector<std::shared_ptr<const LocalFile>> files, int rings,
                                            int depth, std::uint64_t alignment = 1);

/// `readers` threads, at least one.
std::unique_ptr<ReadEngine> makeThreadEngine(ByteObjects objects, int readers, std::uint64_t alignment = 1);

}  // namespace farfield::paging
