#include "core/paging/ingest/window_stream.h"

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/trace/trace.h"

namespace farfield::paging::detail {

WindowStream::WindowStream(const BoxReader& reader, const ComponentReader* components, const OutputPlan& plan,
                           WindowJobs& jobs, std::size_t bufferBytes, int buffers)
    : m_reader(reader),
      m_components(components),
      m_plan(plan),
      m_jobs(jobs),
      m_buffers(static_cast<std::size_t>(buffers)) {
  for (Buffer& buffer : m_buffers) {
    buffer.bytes.reset(new std::byte[bufferBytes]);
    m_free.push(&buffer);
  }
  m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

WindowStream::~WindowStream() = default;

void WindowStream::run(const std::stop_token& stop) {
  trace::nameThread("conversion reader");
  const StoppableWaits waits(stop);  // whoever gives up need not wait for what is far away
  try {
    while (const std::optional<WindowJob> job = m_jobs.next()) {
      Buffer* buffer = nullptr;
      {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait(lock, stop, [&] { return !m_free.empty(); })) return;
        buffer = m_free.front();
        m_free.pop();
      }
      fill(*job, *buffer);
      const std::lock_guard lock(m_mutex);
      m_ready.push(buffer);
      m_changed.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(m_mutex);
    m_error = std::current_exception();
  }
  const std::lock_guard lock(m_mutex);
  m_ended = true;
  m_changed.notify_all();
}

void WindowStream::fill(const WindowJob& job, Buffer& buffer) {
  const trace::Scope scope("convert", "read window", static_cast<std::uint64_t>(product(job.window.size)));
  buffer.window = {.job = job, .nodes = {}, .nodeBytes = 0, .iblank = {}};
  const ArrayOrigin& origin = m_plan.origins[job.array];
  if (origin.isBoxes()) return;
  const DatasetDescription& input = m_reader.description();
  const ArrayDescription& array = input.arrays[static_cast<std::size_t>(origin.input)];
  const auto count = static_cast<std::size_t>(product(job.window.size));
  const bool single = origin.component >= 0 && m_components != nullptr;
  buffer.window.nodeBytes = single ? sizeOf(array.type) : array.nodeBytes();
  const std::span<std::byte> nodes(buffer.bytes.get(),
                                   count * static_cast<std::size_t>(buffer.window.nodeBytes));
  const auto number = static_cast<std::uint32_t>(origin.input);
  if (single)
    m_components->readComponent(number, job.step, origin.component, job.window, nodes);
  else
    m_reader.read(number, job.step, job.window, nodes);
  buffer.window.nodes = nodes;
  m_bytesRead += nodes.size();
  if (!job.collector || origin.iblank < 0) return;
  // nodes are a multiple of four bytes each, so what follows is aligned
  const std::span<std::int16_t> iblank(reinterpret_cast<std::int16_t*>(nodes.data() + nodes.size()), count);
  const bool moves = input.arrays[static_cast<std::size_t>(origin.iblank)].steps > 1;
  m_reader.read(static_cast<std::uint32_t>(origin.iblank), moves ? job.step : 0, job.window,
                std::as_writable_bytes(iblank));
  buffer.window.iblank = iblank;
  m_bytesRead += iblank.size_bytes();
}

const Window* WindowStream::next(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  if (m_inUse) {
    m_inUse->window.job.collector.reset();
    m_free.push(m_inUse);
    m_inUse = nullptr;
    m_changed.notify_all();
  }
  if (!m_changed.wait(lock, stop, [&] { return m_ended || !m_ready.empty(); })) throw Cancelled();
  if (m_ready.empty()) {
    if (m_error) std::rethrow_exception(m_error);
    return nullptr;
  }
  m_inUse = m_ready.front();
  m_ready.pop();
  return &m_inUse->window;
}

}  // namespace farfield::paging::detail
