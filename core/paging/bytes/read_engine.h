#pragma once
// Asynchronous positional reads of files, done in one of two ways behind one interface:
//
//   uring    io_uring, one ring per processor. Whoever calls start() submits on the ring of its own
//   processor; whoever
//            calls reap() collects from all, its own first. No thread and no hand-over in between.
//   threads  a pool of threads that wait in pread(2) and tell the client themselves. Runs everywhere.
//
// An engine has no queue. It pulls reads from its client as long as the client gives some, so that the limits
// on depth and memory, the order, and what a cancel removes are all decided in one place, the client.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/tasks/reaper.h"

namespace farfield::paging {

/// By what files are read. Auto: io_uring where the kernel grants it, else threads.
enum class EngineKind { Auto, Uring, Threads };
const char* nameOf(EngineKind kind);

struct FileRead {
  int fd = -1;
  std::uint64_t offset = 0;
  std::span<std::byte> buffer = {};  ///< filled from its start
  std::uint64_t needed = 0;          ///< the read is over once so many bytes are there; at most buffer.size()
  void* token = nullptr;             ///< the client's own
};

/// Calls come from any thread, at the same time.
class ReadClient {
 public:
  /// Hands out the next read, if one may start now; the client limits how many are on their way to the
  /// engine's depth. `more` tells whether another might start at once.
  virtual bool nextRead(FileRead& read, bool& more) noexcept = 0;
  /// The bytes of a read are there, or will not come; readEnded() follows. The next read may start in its
  /// stead at once, so that the disk does not run dry while pages are decoded. Not every engine says so.
  virtual void readLanded(const FileRead& read) noexcept = 0;
  /// A read is over: `got` bytes came, fewer than needed only at the end of the file (`errnoValue` 0) or
  /// because of an error. Room that this makes is offered by the engine to nextRead() next.
  virtual void readEnded(const FileRead& read, std::uint64_t got, int errnoValue) noexcept = 0;

 protected:
  ~ReadClient() = default;
};

class ReadEngine : public tasks::Reaper {
 public:
  /// Says that the client has something to read. Does not wait.
  virtual void start() noexcept = 0;
  /// Waits for all reads on their way, once the client gives no more. A start() from within readEnded() may
  /// come meanwhile; other calls must be over. To be called before the engine or its client is destroyed.
  virtual void stop() noexcept = 0;
  virtual const char* name() const = 0;

  int reap() noexcept override { return 0; }
  int pollDescriptors(int*, int) const override { return 0; }
};

/// Does what is left of `read` after its first `got` bytes by waiting for it; returns the bytes that are
/// there then, and sets errnoValue as for ReadClient::readEnded.
std::uint64_t readByWaiting(const FileRead& read, std::uint64_t got, int& errnoValue);

/// Empty where this process may use io_uring; else why not ("Operation not permitted", …).
std::string whyNoUring();

/// `rings` and `depth` > 0. Throws Unsupported where the kernel or its administrator does not grant io_uring.
std::unique_ptr<ReadEngine> makeUringEngine(ReadClient& client, int rings, int depth);

/// `readers` > 0 threads.
std::unique_ptr<ReadEngine> makeThreadEngine(ReadClient& client, int readers);

}  // namespace farfield::paging
