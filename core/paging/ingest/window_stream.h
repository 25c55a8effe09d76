#pragma once
// Reads the windows of a conversion ahead, on a thread of its own, into one or two buffers of fixed size.
//
// A buffer is free -> being read (stream's thread) -> ready -> in use (the consumer, between next() and its
// next call) -> free. Jobs come out in the order in which they went in.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <queue>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/paging/ingest/window_jobs.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/component_reader.h"

namespace farfield::paging::detail {

struct Window {
  WindowJob job;
  std::span<const std::byte> nodes;      ///< of job.window; empty for levels of a pyramid
  std::int64_t nodeBytes = 0;            ///< of a node in `nodes`
  std::span<const std::int16_t> iblank;  ///< of job.window, if boxes are collected and the block has it
};

class WindowStream {
 public:
  /// `bufferBytes` holds the largest window; `buffers` is 1 (no reading ahead) or 2. `components` may be
  /// null.
  WindowStream(const BoxReader& reader, const ComponentReader* components, const OutputPlan& plan,
               WindowJobs& jobs, std::size_t bufferBytes, int buffers);
  /// Stops reading as soon as the read in progress ends, whose waits are stopped (StoppableWaits).
  ~WindowStream();

  /// The next window, valid until the next call; null after the last. Throws what reading threw, Cancelled.
  const Window* next(const std::stop_token& stop);
  /// Bytes that the reader was asked for so far.
  std::uint64_t bytesRead() const { return m_bytesRead; }

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]> bytes;
    Window window;
  };
  void run(const std::stop_token& stop);
  void fill(const WindowJob& job, Buffer& buffer);

  const BoxReader& m_reader;
  const ComponentReader* m_components;
  const OutputPlan& m_plan;
  WindowJobs& m_jobs;
  std::vector<Buffer> m_buffers;

  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::queue<Buffer*> m_free, m_ready;
  Buffer* m_inUse = nullptr;
  bool m_ended = false;
  std::exception_ptr m_error;
  std::atomic<std::uint64_t> m_bytesRead{0};
  std::jthread m_thread;  // last: ends before what it uses
};

}  // namespace farfield::paging::detail
