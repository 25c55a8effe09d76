#include "core/paging/bytes/reader_threads.h"

#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/trace/trace.h"

namespace farfield::paging {

ReaderThreads::ReaderThreads(int readers, std::function<bool()> step) : m_step(std::move(step)) {
  m_threads.reserve(static_cast<std::size_t>(readers));
  try {
    for (int n = 0; n < readers; ++n) m_threads.emplace_back([this, n] { work(n); });
  } catch (const std::system_error& error) {
    // fewer threads than asked for are enough
    if (m_threads.empty())
      throw ioError("no thread can be started for reading", error.code().value())
          .advise("end other programs, or raise the limit on processes (ulimit -u)");
  }
}

void ReaderThreads::stop() noexcept {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_called.notify_all();
  for (std::thread& thread : m_threads)
    if (thread.joinable()) thread.join();
}

void ReaderThreads::wake() noexcept {
  {
    const std::lock_guard lock(m_mutex);
    ++m_calls;
    if (m_idle == 0) return;
  }
  m_called.notify_one();
}

void ReaderThreads::work(int number) {
  trace::nameThread("reader " + std::to_string(number));
  std::uint64_t seenCalls = 0;
  for (;;) {
    while (m_step()) {
    }
    std::unique_lock lock(m_mutex);
    if (m_calls == seenCalls) {
      if (m_stop) return;
      ++m_idle;
      m_called.wait(lock, [&] { return m_stop || m_calls != seenCalls; });
      --m_idle;
    }
    seenCalls = m_calls;
  }
}

}  // namespace farfield::paging
