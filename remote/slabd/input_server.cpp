#include "remote/slabd/input_server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/trace/trace.h"
#include "remote/slabs/tags.h"

namespace farfield::remote {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint32_t kMostAsked = 4096;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

InputServer::InputServer(std::uint32_t rank, const std::string& secret, bool otherNodes,
                         MemoryAccount& account)
    : m_rank(rank),
      m_steps(account),
      m_gate(
          secret, otherNodes, kMostAsked,
          [this](const std::shared_ptr<FrameLink>& link, const FrameBuffer::Frame& frame) {
            onFetch(link, frame);
          },
          "to ranks that render"),
      m_thread([this](const std::stop_token& stop) {
        trace::nameThread("reads for others");
        run(stop);
      }) {}

InputServer::~InputServer() {
  m_thread.request_stop();
  {
    const std::lock_guard lock(m_mutex);
    m_stopCurrent.request_stop();
  }
  m_changed.notify_all();
  m_thread.join();
}

void InputServer::onFetch(const std::shared_ptr<FrameLink>& link, const FrameBuffer::Frame& frame) {
  if (slabMessage(frame.header) != SlabMessage::Fetch) throw Protocol("a rank does not say this");
  std::weak_ptr<FrameLink> weak = link;
  const std::uint64_t number = frame.header.sequence;
  m_steps.ask(parseBrickRequest(frame.body), [this, weak, number](std::shared_ptr<const Bytes> brick) {
    m_gate.post([this, weak, number, brick = std::move(brick)] {
      const auto its = weak.lock();
      if (!its) return;
      if (brick) m_sentBytes += brick->size();
      its->send(slabFrame(SlabMessage::Fetched, number, brick ? *brick : Bytes()));
      // links that send at the same time share what carries them
      double seconds = 0;
      for (const auto& other : m_gate.links()) seconds = std::max(seconds, other->sendingSeconds());
      if (m_sentBytes > 0) m_perByte = seconds / static_cast<double>(m_sentBytes);
    });
  });
}

void InputServer::want(const InputPlan& plan, const ShowRequest& request, std::int64_t steps,
                       const BrickSubject& subject, const std::function<Read(std::int64_t step)>& readOf) {
  const std::int64_t stride = strideOf(request);
  std::vector<std::int64_t> own;
  for (const std::int64_t step : stepsAhead(plan, request, steps))
    if (readsStep(plan, m_rank, step, stride)) own.push_back(step);
  {
    // what begins meanwhile would find nothing to read it with
    const std::lock_guard lock(m_mutex);
    m_steps.want(plan.serial, subject, request.step, own);
    std::erase_if(m_given, [&](const auto& given) {
      return std::find(own.begin(), own.end(), given.first) == own.end() ||
             !(given.second.subject == subject);
    });
    for (const std::int64_t step : m_steps.notBegun())
      if (!m_given.contains(step)) m_given[step] = {plan, stride, subject, readOf(step)};
    if (m_current.step >= 0 && !m_steps.isWanted(m_current)) m_stopCurrent.request_stop();
  }
  m_changed.notify_all();
}

void InputServer::setReport(std::function<void(const StepMeasured&)> report) {
  const std::lock_guard lock(m_mutex);
  m_report = std::move(report);
}

void InputServer::run(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  while (!stop.stop_requested()) {
    const auto ticket = m_steps.begin();
    const auto given = ticket ? m_given.extract(ticket->step) : decltype(m_given)::node_type();
    if (given.empty()) {
      if (ticket)
        m_steps.finish(*ticket);
      else
        m_changed.wait(lock, stop, [&] { return !m_steps.notBegun().empty(); });
      continue;
    }
    m_current = *ticket;
    m_stopCurrent = std::stop_source();
    const std::stop_token token = m_stopCurrent.get_token();
    lock.unlock();
    read(*ticket, given.mapped(), token);
    lock.lock();
    m_current = {};
  }
}

void InputServer::read(const PreparedSteps::Ticket& ticket, const Given& given, const std::stop_token& stop) {
  const TagSpan span("slabd", kLoad, static_cast<std::uint64_t>(ticket.step));
  const auto began = Clock::now();
  std::atomic<double> coding{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<int> coders{0}, mostCoders{1};
  volume::ShownVolume::Stream stream;
  stream.wanted = [&](std::int64_t brick, std::int64_t bricks) {
    return inputOf(given.plan, ticket.step, given.stride, brick, bricks) == m_rank;
  };
  stream.listed = [&](int level, const std::vector<std::int64_t>& numbers) {
    if (!m_steps.listed(ticket, level, numbers)) throw Cancelled();
  };
  stream.use = [&](std::int64_t number, const volume::Brick& brick) {
    const int now = ++coders;
    for (int most = mostCoders; now > most && !mostCoders.compare_exchange_weak(most, now);) {
    }
    const auto start = Clock::now();
    Bytes coded = encodeBrick(brick, given.subject);
    coding = coding + since(start);
    --coders;
    bytes += coded.size();
    if (!m_steps.put(ticket, number, std::move(coded))) throw Cancelled();
  };
  bool whole = false;
  try {
    given.read(stream, stop);
    whole = true;
  } catch (const Cancelled&) {
    if (m_steps.isWanted(ticket) && !stop.stop_requested())
      log::detail("there is no memory for all of a step that is read ahead; give ranks more --memory");
  } catch (const std::exception& error) {
    // who renders it finds the same, and says so
    log::detail(std::string("not read ahead: ") + error.what());
  }
  m_steps.finish(ticket);
  if (!whole) return;
  StepMeasured measured;
  measured.serial = given.plan.serial;
  measured.prepare = coding / mostCoders;
  measured.fetch = std::max(0.0, since(began) - measured.prepare);
  measured.send = m_perByte * static_cast<double>(bytes);
  const std::lock_guard lock(m_mutex);
  if (m_report) m_report(measured);
}

}  // namespace farfield::remote
