#include <algorithm>
#include <optional>

#include "core/paging/bytes/read_engine.h"
#include "core/paging/bytes/reader_threads.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

class ThreadEngine final : public ReadEngine {
 public:
  ThreadEngine(ByteObjects objects, int readers, std::uint64_t alignment)
      : m_objects(std::move(objects)), m_threads(std::max(1, readers)), m_alignment(alignment) {}
  ~ThreadEngine() override { stop(); }
  void serve(ReadClient& client) override {
    m_client = &client;
    m_readers.emplace(m_threads, [this] { return readOne(); });
  }
  void start() noexcept override { m_readers->wake(); }
  void stop() noexcept override {
    if (m_readers) m_readers->stop();
  }
  const char* name() const override { return "threads"; }
  int depth() const override { return m_threads; }
  std::uint64_t alignment() const override { return m_alignment; }

 private:
  bool readOne() noexcept {
    RangeRead read;
    bool more = false;
    if (!m_client->nextRead(read, more)) return false;
    if (more) m_readers->wake();
    std::uint64_t got = 0;
    std::exception_ptr error;
    try {
      const trace::Scope scope("read", "pread", read.needed);
      got = m_objects[read.object]->readSomeAt(read.offset, read.buffer, read.needed);
    } catch (...) {
      error = std::current_exception();
    }
    m_client->readEnded(read, got, error);
    return true;
  }

  const ByteObjects m_objects;
  const int m_threads;
  const std::uint64_t m_alignment;
  ReadClient* m_client = nullptr;
  std::optional<ReaderThreads> m_readers;
};

}  // namespace

const char* nameOf(EngineKind kind) {
  static constexpr const char* kNames[] = {"auto", "uring", "threads"};
  return kNames[static_cast<int>(kind)];
}

std::unique_ptr<ReadEngine> makeThreadEngine(ByteObjects objects, int readers, std::uint64_t alignment) {
  return std::make_unique<ThreadEngine>(std::move(objects), readers, alignment);
}

}  // namespace farfield::paging
