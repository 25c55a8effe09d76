#pragma once
// Asynchronous reads of ranges of objects behind one interface:
//
//   uring    io_uring, one ring per processor. start() submits on the ring of the calling processor; reap()
//            collects from all rings, its own first. No threads and no hand-over between them.
//   threads  a pool of threads that wait in ByteObject::readSomeAt and call the client. For files where the
//            kernel does not grant io_uring, and for every back end without an engine of its own.
//
// An engine has no queue. It takes reads from its client as long as that has some, so that the client alone
// decides depth, memory, order and cancelling.

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "core/tasks/reaper.h"

namespace farfield::paging {

/// How files are read. Auto: io_uring where the kernel grants it, else threads.
enum class EngineKind { Auto, Uring, Threads };
const char* nameOf(EngineKind kind);

/// Whether reads of files use the system's cache. Auto: not where the files together are larger than the
/// machine's memory, and so cannot stay in it, and their file systems allow direct reads.
enum class SystemCache { Auto, Use, Bypass };

struct EngineOptions {
  EngineKind kind = EngineKind::Auto;
  int readers = 4;  ///< threads: their number, which is also the number of reads on their way
  int depth = 64;   ///< other engines: reads on their way
  int rings = 1;    ///< uring: rings, one per processor that runs tasks
  SystemCache systemCache = SystemCache::Auto;
};

/// Figures of reads over a network; zeros for local files.
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
  std::uint64_t needed = 0;          ///< the read may end once so many bytes are there; at most buffer.size()
  void* token = nullptr;             ///< belongs to the client
};

/// Calls come from any thread, at the same time.
class ReadClient {
 public:
  /// Returns the next read, if one may start now; the client keeps to the engine's depth. `more`: another
  /// might start at once.
  virtual bool nextRead(RangeRead& read, bool& more) noexcept = 0;
  /// The bytes of a read are there, or will not come; readEnded() follows. The next read may start at once,
  /// so that the disk stays busy while pages are decoded. Optional for engines.
  virtual void readLanded(const RangeRead& read) noexcept = 0;
  /// A read is over: `got` bytes came. Fewer than needed: the end of the object (`error` null) or an error,
  /// which does not name the object. The engine then calls nextRead().
  virtual void readEnded(const RangeRead& read, std::uint64_t got, std::exception_ptr error) noexcept = 0;

 protected:
  ~ReadClient() = default;
};

class ReadEngine : public tasks::Reaper {
 public:
  /// Sets the client; before the first start(). Throws Io if threads are needed and none can be started.
  virtual void serve(ReadClient& client) = 0;
  /// Says that the client has something to read. Does not wait.
  virtual void start() noexcept = 0;
  /// Waits for all reads on their way, once the client has none to give. Only start() from inside readEnded()
  /// may be called meanwhile. Must be called before the engine or its client is destroyed.
  virtual void stop() noexcept = 0;
  virtual const char* name() const = 0;
  /// Most reads on their way that are of use.
  virtual int depth() const = 0;
  /// Offsets and sizes of reads are multiples of it; a power of two, at most kDirectUnit.
  virtual std::uint64_t alignment() const { return 1; }
  /// Reading so many bytes between two ranges costs less than another read.
  virtual std::uint64_t gapWorthReading() const { return 0; }
  /// Thread-safe.
  virtual EngineReport report() const { return {}; }

  int reap() noexcept override { return 0; }
  int pollDescriptors(int*, int) const override { return 0; }
};

/// Alignment of reads past the system's cache.
constexpr std::uint64_t kDirectUnit = 4096;

/// Empty if this process may use io_uring; else the reason ("Operation not permitted", …).
std::string whyNoUring();

class LocalFile;
/// `rings` and `depth` > 0. Throws Unsupported if the kernel or its administrator does not grant io_uring.
std::unique_ptr<ReadEngine> makeUringEngine(std::vector<std::shared_ptr<const LocalFile>> files, int rings,
                                            int depth, std::uint64_t alignment = 1);

/// `readers` threads, at least one.
std::unique_ptr<ReadEngine> makeThreadEngine(ByteObjects objects, int readers, std::uint64_t alignment = 1);

}  // namespace farfield::paging
