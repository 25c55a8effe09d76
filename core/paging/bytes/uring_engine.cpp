#include <liburing.h>
#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/bytes/read_engine.h"
#include "core/tasks/scheduler.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

/// Of a read that the kernel refused for now; then it is done by a blocking call.
constexpr int kMaxRetries = 4;
constexpr int kReapedPerCall = 16;  ///< so that a busy processor gets back to its own tasks
constexpr int kReapedPerLock = 4;   ///< so that other processors find something, too

std::string words(int errnoValue) {
  return std::generic_category().message(errnoValue);
}

/// Sets up a ring that can read; returns 0 or an errno value.
int setUp(io_uring& ring, int entries) {
  const int error = io_uring_queue_init(static_cast<unsigned>(entries), &ring, 0);
  if (error < 0) return -error;
  io_uring_probe* const probe = io_uring_get_probe_ring(&ring);
  const bool canRead = probe && io_uring_opcode_supported(probe, IORING_OP_READ);
  io_uring_free_probe(probe);
  if (canRead) return 0;
  io_uring_queue_exit(&ring);
  return EOPNOTSUPP;
}

struct Operation {
  RangeRead read;
  int fd = -1;
  std::uint64_t got = 0;
  int retries = 0;
};

/// One ring and its operations; `mutex` guards all but `onTheirWay`.
struct Ring {
  explicit Ring(int depth) : operations(static_cast<std::size_t>(depth)) {
    const int error = setUp(ring, depth);
    if (error != 0)
      throw Unsupported("io_uring is not granted here: " + words(error), "read with threads instead");
    for (Operation& operation : operations) unused.push_back(&operation);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() { io_uring_queue_exit(&ring); }

  io_uring ring{};
  std::mutex mutex;
  std::vector<Operation> operations;
  std::vector<Operation*> unused;
  std::atomic<int> onTheirWay{0};
};

struct Ended {
  RangeRead read;
  std::uint64_t got = 0;
  int errnoValue = 0;
  bool putOff = false;  ///< the kernel keeps refusing: read it by a blocking call
};

class UringEngine final : public ReadEngine {
 public:
  UringEngine(std::vector<std::shared_ptr<const LocalFile>> files, int rings, int depth,
              std::uint64_t alignment)
      : m_files(std::move(files)), m_depth(depth), m_alignment(alignment) {
    for (int n = 0; n < rings; ++n) m_rings.push_back(std::make_unique<Ring>(depth));
  }

  ~UringEngine() override { stop(); }
  void serve(ReadClient& client) override { m_client = &client; }
  int depth() const override { return m_depth; }
  std::uint64_t alignment() const override { return m_alignment; }

  void stop() noexcept override {
    for (;;) {
      const auto busy = std::find_if(m_rings.begin(), m_rings.end(),
                                     [](const auto& ring) { return ring->onTheirWay.load() > 0; });
      if (busy == m_rings.end()) return;
      if (reap() > 0) continue;
      pollfd polled{(*busy)->ring.ring_fd, POLLIN, 0};
      ::poll(&polled, 1, 10);
    }
  }

  void start() noexcept override {
    Ring& ring = *m_rings[ownRing()];
    const std::lock_guard lock(ring.mutex);
    RangeRead read;
    bool more = true;
    bool any = false;
    while (more && m_client->nextRead(read, more)) {
      Operation* const operation = ring.unused.back();  // never empty: the client gives at most `depth`
      ring.unused.pop_back();
      *operation = {read, LocalReads::descriptorOf(*m_files[read.object]), 0, 0};
      ring.onTheirWay.fetch_add(1, std::memory_order_relaxed);
      trace::asyncBegin("read", "uring", idOf(operation));
      prepare(ring, *operation);
      any = true;
    }
    if (any) submit(ring);
  }

  int reap() noexcept override {
    int handled = 0;
    const std::size_t own = ownRing();
    for (std::size_t n = 0; n < m_rings.size() && handled < kReapedPerCall; ++n) {
      Ring& ring = *m_rings[(own + n) % m_rings.size()];
      Ended ended[kReapedPerLock];
      while (handled < kReapedPerCall) {
        const int count = collect(ring, ended);
        if (count == 0) break;
        for (int k = 0; k < count; ++k)
          if (!ended[k].putOff) m_client->readLanded(ended[k].read);
        start();  // before these are decoded, so that the disk stays busy meanwhile
        for (int k = 0; k < count; ++k) tell(ended[k]);
        handled += count;
        start();  // if the staging memory had no room before
      }
    }
    return handled;
  }

  int pollDescriptors(int* out, int capacity) const override {
    int count = 0;
    for (const auto& ring : m_rings)
      if (count < capacity) out[count++] = ring->ring.ring_fd;
    return count;
  }

  const char* name() const override { return "uring"; }

 private:
  std::size_t ownRing() const { return static_cast<std::size_t>(tasks::currentProcessor()) % m_rings.size(); }
  static std::uint64_t idOf(const Operation* operation) {
    return reinterpret_cast<std::uintptr_t>(operation);
  }

  static void prepare(Ring& ring, Operation& operation) {
    io_uring_sqe* sqe = io_uring_get_sqe(&ring.ring);
    // There are as many entries as operations, so only until the kernel has taken what it refused.
    while (!sqe) {
      submit(ring);
      sqe = io_uring_get_sqe(&ring.ring);
    }
    const RangeRead& read = operation.read;
    // The kernel's lengths are 32 bits; the rest is a short read, which is continued anyway.
    const std::uint64_t bytes = std::min<std::uint64_t>(read.buffer.size() - operation.got, 1u << 30);
    io_uring_prep_read(sqe, operation.fd, read.buffer.data() + operation.got, static_cast<unsigned>(bytes),
                       read.offset + operation.got);
    io_uring_sqe_set_data(sqe, &operation);
  }

  /// What the kernel does not accept now stays in the ring; the next reap() tries again.
  static void submit(Ring& ring) {
    for (int tries = 0; io_uring_sq_ready(&ring.ring) > 0 && tries < 100; ++tries)
      if (io_uring_submit(&ring.ring) < 0) ::sched_yield();
  }

  /// Takes what has ended in `ring` and continues short reads; 0 also if another thread is doing that.
  static int collect(Ring& ring, Ended* ended) {
    if (ring.onTheirWay.load(std::memory_order_relaxed) == 0) return 0;
    const std::unique_lock lock(ring.mutex, std::try_to_lock);
    if (!lock) return 0;
    int count = 0;
    bool again = io_uring_sq_ready(&ring.ring) > 0;
    io_uring_cqe* cqe = nullptr;
    while (count < kReapedPerLock && io_uring_peek_cqe(&ring.ring, &cqe) == 0) {
      Operation* const operation = static_cast<Operation*>(io_uring_cqe_get_data(cqe));
      const int result = cqe->res;
      io_uring_cqe_seen(&ring.ring, cqe);
      Ended& end = ended[count];
      end.putOff = false;
      if (mustContinue(*operation, result, end)) {
        prepare(ring, *operation);
        again = true;
        continue;
      }
      end.read = operation->read;
      end.got = operation->got;
      trace::asyncEnd("read", "uring", idOf(operation));
      ring.unused.push_back(operation);
      ring.onTheirWay.fetch_sub(1, std::memory_order_relaxed);
      ++count;
    }
    if (again) submit(ring);
    return count;
  }

  static bool mustContinue(Operation& operation, int result, Ended& end) {
    end.errnoValue = 0;
    if (result > 0) {
      operation.got += static_cast<std::uint64_t>(result);
      return operation.got < operation.read.needed;
    }
    if (result == 0) return false;
    // cancelled: the thread that submitted it ended before the kernel had begun
    const bool putOff = result == -EINTR || result == -EAGAIN || result == -ECANCELED;
    if (putOff && ++operation.retries <= kMaxRetries) return true;
    end.putOff = putOff;
    if (!putOff) end.errnoValue = -result;
    return false;
  }

  void tell(Ended& ended) noexcept {
    const RangeRead& read = ended.read;
    const LocalFile& file = *m_files[read.object];
    std::exception_ptr error;
    try {
      if (ended.putOff)
        ended.got +=
            file.readSomeAt(read.offset + ended.got, read.buffer.subspan(ended.got), read.needed - ended.got);
      else if (ended.errnoValue != 0)
        throw ioError("read failed at byte " + std::to_string(read.offset + ended.got), ended.errnoValue);
      else if (!LocalReads::isUnchanged(file))
        LocalReads::throwChanged();
    } catch (...) {
      error = std::current_exception();
    }
    m_client->readEnded(read, ended.got, error);
  }

  const std::vector<std::shared_ptr<const LocalFile>> m_files;
  const int m_depth;
  const std::uint64_t m_alignment;
  ReadClient* m_client = nullptr;
  std::vector<std::unique_ptr<Ring>> m_rings;
};

}  // namespace

std::string whyNoUring() {
  io_uring ring{};
  const int error = setUp(ring, 2);
  if (error != 0) return words(error);
  io_uring_queue_exit(&ring);
  return {};
}

std::unique_ptr<ReadEngine> makeUringEngine(std::vector<std::shared_ptr<const LocalFile>> files, int rings,
                                            int depth, std::uint64_t alignment) {
  return std::make_unique<UringEngine>(std::move(files), rings, depth, alignment);
}

}  // namespace farfield::paging
