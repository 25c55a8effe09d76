#include "remote/slabd/rank_worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/scene/slab_rays.h"
#include "remote/protocol/messages.h"
#include "remote/slabd/geometry_worker.h"
#include "remote/slabs/life_messages.h"
#include "remote/slabs/tags.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 100ms;
/// Rendering took some time.
constexpr double kLeastSeconds = 1e-6;
/// Beyond that a viewer that takes no more is waited for, and what is new by then is rendered.
constexpr std::size_t kMostUnsent = 32 << 20;
/// A value of rows while they are made: a number, and the byte that is sent.
constexpr std::size_t kBytesOfRows = sizeof(float) + 1;

/// Of `count` rows those of one of some ranks: the first of them, and how many.
std::pair<std::size_t, std::size_t> rowsOf(std::int32_t count, std::size_t rank, std::size_t ranks) {
  const auto all = static_cast<std::size_t>(count);
  const std::size_t first = all * rank / ranks, last = all * (rank + 1) / ranks;
  return {first, last - first};
}

/// Where pictures of parts are no layers, each rank casts the whole volume, in its rows.
bool isByRows(const ShowRequest& request) {
  return request.kind == ShowKind::Frame && !scene::areLayers(request.look.mode);
}

/// What withRowsOf() takes while it works: numbers as they were packed, with their bytes in another order, and unpacked.
std::uint64_t bytesForRowsOf(const ShowRequest& request) {
  if (request.from.empty() && request.to.empty()) return 0;
  return 3 * sizeof(float) * static_cast<std::uint64_t>(request.width) *
         static_cast<std::uint64_t>(request.rows);
}

/// The frame that a rank makes of them alone.
ShowRequest withRowsOf(ShowRequest request, std::size_t rank, std::size_t ranks) {
  const auto [first, count] = rowsOf(request.rows, rank, ranks);
  const auto width = static_cast<std::size_t>(request.width);
  for (Bytes* const ends : {&request.from, &request.to})
    if (!ends->empty()) {
      const std::vector<float> all = unpackFloats(*ends, width * static_cast<std::size_t>(request.rows));
      *ends = packFloats(std::span(all).subspan(width * first, width * count));
    }
  request.firstRow += static_cast<std::int32_t>(first);
  request.rows = static_cast<std::int32_t>(count);
  return request;
}

/// As rows are sent.
Bytes packedBytes(std::span<const float> rgba) {
  std::vector<std::uint8_t> bytes(rgba.size());
  for (std::size_t n = 0; n < rgba.size(); ++n)
    bytes[n] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(rgba[n], 0.0f, 1.0f)));
  return packBytes(bytes, 4);
}

}  // namespace

RankWorker::RankWorker(RankOptions options, SlabPainter& painter, FrameExchange& exchange,
                       MemoryAccount& account)
    : m_options(std::move(options)), m_painter(painter), m_exchange(exchange), m_account(account) {
  m_gateway = std::make_unique<Channel>(
      Channel::Target{m_options.gateway},
      slabFrame(SlabMessage::RankHello, 0, bytesOf(RankHello{m_options.secret, m_options.rank, 0})),
      Channel::Events{[this](const FrameBuffer::Frame& frame) { onGateway(frame); },
                      [this](const std::exception_ptr& why) {
                        const std::lock_guard lock(m_mutex);
                        m_gatewayGone = why;
                        for (auto& [id, viewer] : m_viewers) viewer.superseded.request_stop();
                        m_changed.notify_all();
                      }},
      "from the gateway");
  m_exchange.setLost([this](std::uint64_t viewer, std::uint64_t show, const std::exception_ptr& why) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_viewers.find(viewer); found != m_viewers.end() && found->second.channel)
      found->second.channel->send(frameOf(MessageType::Failed, show, bytesOf(failedFrom(why))));
  });
  if (m_options.inputs)
    m_options.inputs->setReport([this](const StepMeasured& measured) {
      m_gateway->send(slabFrame(SlabMessage::Measured, 0, bytesOf(measured)));
    });
}

RankWorker::~RankWorker() {
  m_exchange.setLost({});
  if (m_options.inputs) m_options.inputs->setReport({});
  if (m_options.geometry) m_options.geometry->end();
  m_gateway.reset();  // after it nobody calls
  m_left.clear();
  m_viewers.clear();
}

void RankWorker::onGateway(const FrameBuffer::Frame& frame) {
  switch (slabMessage(frame.header)) {
    case SlabMessage::Attach:
      return attach(parseAttach(frame.body));
    case SlabMessage::Detach: {
      const Attach gone = parseAttach(frame.body);
      if (m_options.geometry) m_options.geometry->forget(gone.viewer);
      const std::lock_guard lock(m_mutex);
      const auto found = m_viewers.find(gone.viewer);
      if (found == m_viewers.end()) return;
      found->second.superseded.request_stop();
      keepInputs(found->second.work);
      m_left.push_back(std::move(found->second.channel));
      m_viewers.erase(found);
      m_exchange.forget(gone.viewer, std::numeric_limits<std::uint64_t>::max());
      break;
    }
    case SlabMessage::Survey: {
      Question question{frame.header.sequence, parseSurveyRequest(frame.body)};
      const std::lock_guard lock(m_mutex);
      m_questions.push_back(std::move(question));
      break;
    }
    case SlabMessage::Work: {
      Work work = parseWork(frame.body);
      const std::lock_guard lock(m_mutex);
      const auto found = m_viewers.find(work.viewer);
      if (found == m_viewers.end()) return;
      found->second.superseded.request_stop();
      found->second.superseded = std::stop_source();
      m_exchange.forget(work.viewer, work.plan.show);
      keepInputs(found->second.work);
      found->second.work = std::move(work);
      break;
    }
    case SlabMessage::ComputeWork: {
      const ComputeWork work = parseComputeWork(frame.body);
      const std::lock_guard lock(m_mutex);
      const auto found = m_viewers.find(work.viewer);
      if (found != m_viewers.end() && m_options.geometry)
        m_options.geometry->start({frame.header.sequence, work, found->second.channel});
      return;
    }
    case SlabMessage::ForgetWork: {
      const Attach its = parseAttach(frame.body);
      if (m_options.geometry) m_options.geometry->forget(its.viewer, its.channel);
      return;
    }
    case SlabMessage::Gone: {
      const auto rank = static_cast<std::uint32_t>(parseAttach(frame.body).viewer);
      const std::lock_guard lock(m_mutex);
      m_gone.insert(rank);
      if (m_options.client) m_options.client->lose(rank);
      // its part of a frame will not come
      for (auto& [id, viewer] : m_viewers)
        if (std::find(viewer.busy.begin(), viewer.busy.end(), rank) != viewer.busy.end())
          viewer.superseded.request_stop();
      break;
    }
    default:
      throw Protocol("a gateway does not say this");
  }
  m_changed.notify_all();
}

void RankWorker::attach(const Attach& attach) {
  const std::uint64_t id = attach.viewer;
  auto channel = std::make_shared<Channel>(
      Channel::Target{m_options.gateway},
      slabFrame(SlabMessage::RankHello, 0,
                bytesOf(RankHello{m_options.secret, m_options.rank, attach.channel})),
      Channel::Events{[this, id](const FrameBuffer::Frame& frame) { onViewer(id, frame); },
                      [this, id](const std::exception_ptr&) {
                        if (m_options.geometry) m_options.geometry->forget(id);
                        const std::lock_guard lock(m_mutex);
                        if (const auto found = m_viewers.find(id); found != m_viewers.end()) {
                          found->second.closed = true;
                          found->second.superseded.request_stop();
                        }
                        m_changed.notify_all();
                      }},
      "to a viewer");
  const std::lock_guard lock(m_mutex);
  Viewer& viewer = m_viewers[id];
  if (viewer.channel) m_left.push_back(std::move(viewer.channel));
  viewer.channel = std::move(channel);
  viewer.closed = false;
}

void RankWorker::onViewer(std::uint64_t viewer, const FrameBuffer::Frame& frame) {
  if (slabMessage(frame.header) != SlabMessage::Watch) throw Protocol("a viewer says nothing else here");
  const LifeClock clock{parseLifeAsk(frame.body).asked, trace::recentClock()};
  const std::lock_guard lock(m_mutex);
  const auto found = m_viewers.find(viewer);
  if (found == m_viewers.end() || !found->second.channel) return;
  found->second.channel->send(slabFrame(SlabMessage::Watched, frame.header.sequence, bytesOf(clock)));
  // not kept: the last one to have a channel waits for this thread
  m_feed.watch(viewer, found->second.channel);
}

std::vector<std::shared_ptr<Channel>> RankWorker::takeClosed() {
  for (auto at = m_viewers.begin(); at != m_viewers.end();) {
    if (at->second.closed) {
      keepInputs(at->second.work);
      m_left.push_back(std::move(at->second.channel));
      at = m_viewers.erase(at);
    } else {
      ++at;
    }
  }
  return std::exchange(m_left, {});
}

void RankWorker::run(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  while (!stop.stop_requested()) {
    if (m_gatewayGone) std::rethrow_exception(m_gatewayGone);
    if (auto closed = takeClosed(); !closed.empty()) {
      lock.unlock();
      closed.clear();  // waits for their threads
      lock.lock();
      continue;
    }
    if (!m_questions.empty()) {
      const Question question = std::move(m_questions.front());
      m_questions.pop_front();
      lock.unlock();
      answer(question);
      lock.lock();
      continue;
    }
    if (m_unfollowed) {
      const Work work = *std::exchange(m_unfollowed, std::nullopt);
      lock.unlock();
      try {
        if (work.inputs.serial > m_followed) followInputs(work);
      } catch (const std::exception&) {
        // who renders it finds the same, and says so
      }
      lock.lock();
      continue;
    }
    // the viewer after the one that was served last
    auto next = m_viewers.end();
    for (auto at = m_viewers.begin(); at != m_viewers.end(); ++at) {
      if (!at->second.work) continue;
      const bool isLater = at->first > m_lastServed;
      if (next == m_viewers.end() || (isLater && next->first <= m_lastServed)) next = at;
    }
    if (next == m_viewers.end()) {
      m_changed.wait_for(lock, kLook);
      continue;
    }
    m_lastServed = next->first;
    const Work work = *std::exchange(next->second.work, std::nullopt);
    const auto channel = next->second.channel;
    const std::stop_token superseded = next->second.superseded.get_token();
    const bool isFrame = work.request.kind == ShowKind::Frame;
    if (isFrame && std::any_of(work.plan.ranks.begin(), work.plan.ranks.end(),
                               [&](std::uint32_t rank) { return m_gone.contains(rank); })) {
      std::optional<Work> dropped = work;
      keepInputs(dropped);
      continue;
    }
    next->second.busy = isFrame ? work.plan.ranks : std::vector<std::uint32_t>{};
    lock.unlock();
    render(work, channel, superseded);
    lock.lock();
    if (const auto found = m_viewers.find(work.viewer); found != m_viewers.end()) found->second.busy.clear();
  }
}

void RankWorker::answer(const Question& question) {
  try {
    const Surveyed surveyed = m_painter.survey(question.request);
    m_gateway->send(slabFrame(SlabMessage::Surveyed, question.number, bytesOf(surveyed)));
  } catch (const std::exception&) {
    m_gateway->send(
        frameOf(MessageType::Failed, question.number, bytesOf(failedFrom(std::current_exception()))));
  }
}

void RankWorker::render(const Work& work, const std::shared_ptr<Channel>& channel,
                        const std::stop_token& stop) {
  const std::uint64_t show = work.plan.show;
  try {
    followInputs(work);
    const double readAhead = m_loader.takeSeconds();  // of this step, where steps follow one another
    loadNext(work);
    if (work.request.kind == ShowKind::Frame) return sendFrame(work, *channel, stop);
    const double waitedBefore = m_painter.waitSeconds();
    StepMeasured measured;
    measured.serial = work.inputs.serial;
    for (std::uint32_t part = 0; part < work.plan.ranks.size(); ++part) {
      if (work.plan.ranks[part] != m_options.rank) continue;
      if (stop.stop_requested()) return;
      const auto began = std::chrono::steady_clock::now();
      sendSlab(work, part, *channel, stop);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
      measured.render += took.count();
      m_gateway->send(
          slabFrame(SlabMessage::Finished, show, bytesOf(Finished{work.viewer, show, part, took.count()})));
      waitForRoom(*channel, stop);
    }
    if (measured.render == 0 || !m_options.client || !work.inputs.isFollowed) return;
    const double waited = m_painter.waitSeconds() - waitedBefore;
    measured.render = std::max(measured.render - waited, kLeastSeconds);
    measured.wait = waited;
    if (work.inputs.ranks.empty()) measured.fetch = readAhead + waited;
    m_gateway->send(slabFrame(SlabMessage::Measured, show, bytesOf(measured)));
  } catch (const Cancelled&) {
    // something newer waits, or nobody does
  } catch (const std::exception&) {
    channel->send(frameOf(MessageType::Failed, show, bytesOf(failedFrom(std::current_exception()))));
  }
}

/// Of what is not begun, because its viewer left or wants something else by now.
void RankWorker::keepInputs(std::optional<Work>& dropped) {
  if (dropped && m_options.inputs && dropped->inputs.isFollowed &&
      (!m_unfollowed || dropped->inputs.serial > m_unfollowed->inputs.serial))
    m_unfollowed = std::move(dropped);
  dropped.reset();
}

/// Who reads what from now on.
void RankWorker::followInputs(const Work& work) {
  if (!m_options.inputs || !work.inputs.isFollowed) return;
  const ShowRequest& request = work.request;
  m_followed = std::max(m_followed, work.inputs.serial);
  m_options.client->follow(work.inputs, strideOf(request));
  try {
    m_options.inputs->want(work.inputs, request, m_options.steps, m_painter.subject(request),
                           [&](std::int64_t step) { return m_painter.stream(request, step); });
  } catch (const Error&) {
    // who renders it finds the same, and says so
  }
}

/// While this step is rendered the next is read.
void RankWorker::loadNext(const Work& work) {
  const ShowRequest& request = work.request;
  if (request.nextStep < 0 || request.nextStep == request.step) return;
  std::vector<std::array<double, 2>> parts;
  for (std::size_t part = 0; part < work.plan.ranks.size(); ++part)
    if (work.plan.ranks[part] == m_options.rank)
      parts.push_back({work.plan.edges[part], work.plan.edges[part + 1]});
  if (parts.empty()) return;
  if (isByRows(request)) {
    const auto own = std::find(work.plan.ranks.begin(), work.plan.ranks.end(), m_options.rank);
    const auto claim = m_account.tryClaim(Purpose::Results, bytesForRowsOf(request));
    if (!claim) return;
    const ShowRequest rows =
        withRowsOf(request, static_cast<std::size_t>(own - work.plan.ranks.begin()), work.plan.ranks.size());
    if (rows.rows == 0) return;
    m_loader.start(m_painter.load(rows, work.plan.axis, request.nextStep,
                                  {{work.plan.edges.front(), work.plan.edges.back()}}),
                   static_cast<std::uint64_t>(request.nextStep));
    return;
  }
  m_loader.start(m_painter.load(request, work.plan.axis, request.nextStep, std::move(parts)),
                 static_cast<std::uint64_t>(request.nextStep));
}

void RankWorker::sendSlab(const Work& work, std::uint32_t part, Channel& channel,
                          const std::stop_token& stop) {
  const std::uint64_t show = work.plan.show;
  const auto frame = static_cast<std::uint64_t>(work.request.step);
  PaintedSlab painted;
  {
    const TagSpan span("slabd", kRender, frame);
    painted = m_painter.slab(work.request, part, work.plan.edges[part], work.plan.edges[part + 1], stop,
                             valueBytesFor(work.plan.ranks.size()));
  }
  {
    const TagSpan span("slabd", kLightSend, frame);
    channel.send(slabFrame(SlabMessage::Slab, show, bytesOf(painted.head)));
  }
  const TagSpan span("slabd", kHeavySend, frame);
  channel.send(slabFrame(SlabMessage::Pixels, show, bytesOf(sentPixels(part, painted))));
}

void RankWorker::sendFrame(const Work& work, Channel& channel, const std::stop_token& stop) {
  const ShowRequest& request = work.request;
  const std::uint64_t show = work.plan.show;
  const auto frame = static_cast<std::uint64_t>(request.step);
  const std::vector<std::uint32_t>& ranks = work.plan.ranks;
  const auto own =
      static_cast<std::uint32_t>(std::find(ranks.begin(), ranks.end(), m_options.rank) - ranks.begin());
  if (own == ranks.size()) return;
  if (isByRows(request)) return sendOwnRows(work, own, channel, stop);
  FramePart part;
  part.viewer = work.viewer;
  part.show = show;
  part.part = own;
  part.pixels.width = request.width;
  const auto began = std::chrono::steady_clock::now();
  try {
    const std::size_t row = 4 * static_cast<std::size_t>(request.width);
    const std::size_t values = row * static_cast<std::size_t>(request.rows);
    const MemoryClaim claim = m_account.claim(
        Purpose::Results, values * (sizeof(float) + sizeof(std::uint16_t)), "a rank's part of a frame");
    std::vector<float> rgba(values);
    {
      const TagSpan span("slabd", kRender, frame);
      part.pixels.samples = m_painter.frame(request, work.plan.axis, work.plan.edges[own],
                                            work.plan.edges[own + 1], stop, rgba);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    m_gateway->send(
        slabFrame(SlabMessage::Finished, show, bytesOf(Finished{work.viewer, show, own, took.count()})));
    const TagSpan span("slabd", kLightSend, frame);
    for (std::size_t n = 0; n < ranks.size(); ++n) {
      const auto [first, count] = rowsOf(request.rows, n, ranks.size());
      part.pixels.firstRow = request.firstRow + static_cast<std::int32_t>(first);
      part.pixels.rows = static_cast<std::int32_t>(count);
      part.pixels.rgba = packRows(std::span(rgba).subspan(row * first, row * count));
      m_exchange.send(ranks[n], part);
    }
  } catch (...) {
    // the others must not wait for it
    part.failed = true;
    part.pixels.rgba.clear();
    for (const std::uint32_t rank : ranks) m_exchange.send(rank, part);
    throw;
  }
  const auto parts = m_exchange.collect(work.viewer, show, ranks, stop);
  const TagSpan span("slabd", kHeavySend, frame);
  const auto [first, count] = rowsOf(request.rows, own, ranks.size());
  if (count == 0) return;
  FrameRows rows;
  rows.width = request.width;
  rows.firstRow = request.firstRow + static_cast<std::int32_t>(first);
  rows.rows = static_cast<std::int32_t>(count);
  rows.samples = part.pixels.samples;
  const std::size_t values = 4 * static_cast<std::size_t>(rows.width) * count;
  const MemoryClaim claim = m_account.claim(Purpose::Results, values * kBytesOfRows, "rows of a frame");
  std::vector<float> sum(values);
  compose(work, parts, sum);
  rows.rgba = packedBytes(sum);
  channel.send(slabFrame(SlabMessage::Rows, show, bytesOf(rows)));
  waitForRoom(channel, stop);
}

/// Reads what its rays meet, of which other ranks may read the same.
void RankWorker::sendOwnRows(const Work& work, std::size_t own, Channel& channel,
                             const std::stop_token& stop) {
  std::optional claimed = m_account.claim(Purpose::Results, bytesForRowsOf(work.request), "rows of a frame");
  const ShowRequest request = withRowsOf(work.request, own, work.plan.ranks.size());
  claimed.reset();
  if (request.rows == 0) return;
  FrameRows rows;
  rows.width = request.width;
  rows.firstRow = request.firstRow;
  rows.rows = request.rows;
  const std::size_t values = 4 * static_cast<std::size_t>(rows.width) * static_cast<std::size_t>(rows.rows);
  const MemoryClaim claim = m_account.claim(Purpose::Results, values * kBytesOfRows, "rows of a frame");
  std::vector<float> rgba(values);
  {
    const TagSpan span("slabd", kRender, static_cast<std::uint64_t>(request.step));
    rows.samples =
        m_painter.frame(request, work.plan.axis, work.plan.edges.front(), work.plan.edges.back(), stop, rgba);
  }
  const TagSpan span("slabd", kHeavySend, static_cast<std::uint64_t>(request.step));
  rows.rgba = packedBytes(rgba);
  channel.send(slabFrame(SlabMessage::Rows, work.plan.show, bytesOf(rows)));
  waitForRoom(channel, stop);
}

/// Of the rows that all parts have, each part behind those before it.
void RankWorker::compose(const Work& work, const std::vector<FramePart>& parts, std::span<float> sum) const {
  const std::size_t values = sum.size();
  const MemoryClaim claim =
      m_account.claim(Purpose::Results, values * 2 * sizeof(std::uint16_t), "rows of a part of a frame");
  for (const std::size_t n : visibilityOrder(work.request.camera, work.plan.axis, work.plan.edges)) {
    const std::vector<std::uint8_t> bytes =
        unpackBytes(parts.at(n).pixels.rgba, sizeof(std::uint16_t), values * sizeof(std::uint16_t));
    for (std::size_t p = 0; p < values; p += 4) {
      const float clear = 1 - sum[p + 3];
      for (std::size_t c = 0; c < 4; ++c)
        sum[p + c] += clear *
                      static_cast<float>(load<std::uint16_t>(reinterpret_cast<const std::byte*>(
                          bytes.data() + sizeof(std::uint16_t) * (p + c)))) /
                      kFixedOne;
    }
  }
}

void RankWorker::waitForRoom(const Channel& channel, const std::stop_token& stop) {
  remote::waitForRoom(channel, kMostUnsent, stop);
}

}  // namespace farfield::remote
