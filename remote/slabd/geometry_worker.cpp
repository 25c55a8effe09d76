#include "remote/slabd/geometry_worker.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/session/json/session_json.h"
#include "core/session/results/spool_file.h"
#include "core/session/run/object_run.h"
#include "core/trace/trace.h"
#include "remote/protocol/messages.h"
#include "remote/slabs/tags.h"

namespace farfield::remote {
namespace {

/// Beyond that a viewer that takes no more is waited for: pictures go the same way, and should not wait long.
constexpr std::size_t kMostUnsent = 4 << 20;
/// Kept free of pages, for results on their way.
constexpr std::uint64_t kOutputBytes = 2 << 20;

bool covers(const fields::PagedDataOptions& have, const fields::PagedDataOptions& wanted) {
  return have.arrays == wanted.arrays && have.keptBytes == wanted.keptBytes &&
         have.resultBytesPerTask >= wanted.resultBytesPerTask && have.stepsAtATime >= wanted.stepsAtATime;
}

}  // namespace

GeometryWorker::GeometryWorker(const fields::OpenData& data, MemoryAccount& account, Options options)
    : m_data(data), m_account(account), m_options(std::move(options)), m_thread([this] { work(); }) {}

void GeometryWorker::end() {
  {
    const std::lock_guard lock(m_mutex);
    m_ends = true;
    m_stop.request_stop();
  }
  m_changed.notify_all();
  if (m_thread.joinable()) m_thread.join();
  m_jobs.clear();
}

void GeometryWorker::start(Job job) {
  const std::lock_guard lock(m_mutex);
  if (m_ends) return;
  const auto waiting = std::count_if(m_jobs.begin(), m_jobs.end(),
                                     [&](const Job& its) { return its.work.viewer == job.work.viewer; });
  if (static_cast<std::size_t>(waiting) >= kMostComputing) {
    const Invalid error("too many objects at a time", "wait for some");
    job.channel->send(
        frameOf(MessageType::Failed, job.number, bytesOf(failedFrom(std::make_exception_ptr(error)))));
    return;
  }
  m_jobs.push_back(std::move(job));
  m_changed.notify_all();
}

void GeometryWorker::forget(std::uint64_t viewer, std::optional<std::uint64_t> number) {
  const auto isMeant = [&](const Job& job) {
    return job.work.viewer == viewer && (!number || job.number == *number);
  };
  const std::lock_guard lock(m_mutex);
  std::erase_if(m_jobs, isMeant);
  if (m_running && isMeant(*m_running)) m_stop.request_stop();
}

void GeometryWorker::work() {
  trace::nameThread("computes objects");
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, [&] { return m_ends || !m_jobs.empty(); });
    if (m_ends) return;
    m_running = std::move(m_jobs.front());
    m_jobs.pop_front();
    m_stop = {};
    Job job = *m_running;
    const std::stop_token stop = m_stop.get_token();
    lock.unlock();
    try {
      compute(job, stop);
    } catch (const Cancelled&) {
      // nobody waits for it
    } catch (const std::exception&) {
      job.channel->send(
          frameOf(MessageType::Failed, job.number, bytesOf(failedFrom(std::current_exception()))));
    }
    lock.lock();
    m_running.reset();
    lock.unlock();
    job.channel.reset();  // the last one waits for its thread
    lock.lock();
  }
}

fields::PagedData& GeometryWorker::dataFor(const session::ObjectRun& run) {
  fields::PagedDataOptions paging;
  paging.arrays = run.arrays();
  paging.processors = m_options.processors;
  paging.stepsAtATime = run.stepsAtATime();
  paging.resultBytesPerTask = run.taskBytes();
  paging.keptBytes = kOutputBytes + run.stateBytes();
  paging.cache = m_options.cache;
  if (m_paged && covers(m_paged->options(), paging)) return *m_paged;
  m_paged.reset();  // its memory is needed
  m_paged = std::make_unique<fields::PagedData>(m_data, m_account, paging);
  return *m_paged;
}

void GeometryWorker::compute(const Job& job, const std::stop_token& stop) {
  const ComputeWork& work = job.work;
  const session::Session session = session::parseSession(work.request.document);
  if (session.objects.size() != 1) throw Invalid("one object at a time is computed");
  const auto run = session::makeObjectRun(session.objects.front(), m_data.description());
  if (!run->isHandedOver()) throw Unsupported("objects of this type are not computed by renderers");
  const std::int64_t steps = m_data.description().steps(), step = work.request.step;
  const auto chosen = static_cast<std::int64_t>(m_options.steps.size());
  if (step >= (chosen > 0 ? chosen : steps)) throw Invalid("there is no step " + std::to_string(step));

  GeometryHead head{
      work.part, work.of, chosen > 0 ? m_options.steps[static_cast<std::size_t>(step)] : step, {}};
  session::ObjectSurroundings surroundings{
      dataFor(*run), m_account, session::spoolFolder(m_options.spoolFolder), stop, {}};
  surroundings.processors = m_options.processors;
  surroundings.share = {work.part, work.of};
  {
    const TagSpan span("slabd", kCompute, static_cast<std::uint64_t>(head.step));
    session::computeAlone(*run, surroundings, head.step);
  }
  head.facts = run->facts(surroundings.share);
  {
    const TagSpan span("slabd", kLightSend, job.number);
    job.channel->send(slabFrame(SlabMessage::Geometry, job.number, bytesOf(head)));
  }
  const TagSpan span("slabd", kHeavySend, job.number);
  GeometryPacker packer(work.part, m_account, [&](const GeometryBlock& block) {
    if (stop.stop_requested()) throw Cancelled();
    job.channel->send(slabFrame(SlabMessage::Vertices, job.number, bytesOf(block)));
    waitForRoom(*job.channel, kMostUnsent, stop);
  });
  run->handOver(surroundings.share, packer);
  packer.finish();
}

}  // namespace farfield::remote
