#include <unistd.h>

#include <cerrno>
#include <optional>

#include "core/paging/bytes/read_engine.h"
#include "core/paging/bytes/reader_threads.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

class ThreadEngine final : public ReadEngine {
 public:
  ThreadEngine(ReadClient& client, int readers) : m_client(client) {
    m_readers.emplace(readers, [this] { return readOne(); });
  }
  ~ThreadEngine() override { stop(); }
  void start() noexcept override { m_readers->wake(); }
  void stop() noexcept override { m_readers->stop(); }
  const char* name() const override { return "threads"; }

 private:
  bool readOne() noexcept {
    FileRead read;
    bool more = false;
    if (!m_client.nextRead(read, more)) return false;
    if (more) m_readers->wake();
    int errnoValue = 0;
    const std::uint64_t got = readByWaiting(read, 0, errnoValue);
    m_client.readEnded(read, got, errnoValue);
    return true;
  }

  ReadClient& m_client;
  std::optional<ReaderThreads> m_readers;
};

}  // namespace

const char* nameOf(EngineKind kind) {
  static constexpr const char* kNames[] = {"auto", "uring", "threads"};
  return kNames[static_cast<int>(kind)];
}

std::uint64_t readByWaiting(const FileRead& read, std::uint64_t got, int& errnoValue) {
  const trace::Scope scope("read", "pread", read.needed);
  errnoValue = 0;
  while (got < read.needed) {
    const ssize_t part = ::pread(read.fd, read.buffer.data() + got, read.buffer.size() - got,
                                 static_cast<off_t>(read.offset + got));
    if (part < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (part < 0) errnoValue = errno;
    if (part <= 0) break;
    got += static_cast<std::uint64_t>(part);
  }
  return got;
}

std::unique_ptr<ReadEngine> makeThreadEngine(ReadClient& client, int readers) {
  return std::make_unique<ThreadEngine>(client, readers);
}

}  // namespace farfield::paging
