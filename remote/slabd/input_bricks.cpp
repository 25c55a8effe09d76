#include "remote/slabd/input_bricks.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/log.h"
#include "remote/slabd/rank_gate.h"

namespace farfield::remote {

InputClient::InputClient(std::uint32_t rank, std::string secret, std::vector<Host> peers)
    : m_rank(rank), m_secret(std::move(secret)), m_peers(std::move(peers)) {}

InputClient::~InputClient() {
  std::map<std::uint32_t, Way> ways;  // which end after the lock: their threads may wait for it
  const std::lock_guard lock(m_mutex);
  ways.swap(m_ways);
}

void InputClient::follow(const InputPlan& plan, std::int64_t stride) {
  std::vector<std::unique_ptr<Channel>> lost;  // as above
  const std::lock_guard lock(m_mutex);
  m_plan = plan;
  m_stride = stride;
  for (const std::uint32_t rank : plan.ranks) {
    if (rank == m_rank) continue;
    const auto [at, isNew] = m_ways.try_emplace(rank);
    Way& way = at->second;
    if (!isNew && !way.isLost) continue;
    // that it can be reached again is seen first: bricks do not wait for a rank that may be gone
    way.isThere = isNew;
    way.isLost = false;
    lost.push_back(std::move(way.channel));
    dial(rank, way);
  }
}

void InputClient::dial(std::uint32_t rank, Way& way) {
  way.number = ++m_lastWay;
  way.channel =
      dialRank(m_peers.at(rank), m_secret, m_rank,
               {[this, rank](const FrameBuffer::Frame& frame) { onFetched(rank, frame); },
                [this, rank, number = way.number](const std::exception_ptr&) { note(rank, number, true); },
                [this, rank, number = way.number] { note(rank, number, false); }},
               "from rank " + std::to_string(rank));
}

/// A connection was made, or lost; perhaps one that another has replaced.
void InputClient::note(std::uint32_t rank, std::uint64_t number, bool isLost) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_ways.find(rank);
  if (found == m_ways.end() || found->second.number != number) return;
  if (isLost)
    lose(rank, found->second);
  else if (!found->second.isLost)
    found->second.isThere = true;
}

void InputClient::lose(std::uint32_t rank) {
  const std::lock_guard lock(m_mutex);
  if (const auto found = m_ways.find(rank); found != m_ways.end()) lose(rank, found->second);
}

void InputClient::lose(std::uint32_t rank, Way& way) {
  way.isLost = true;
  way.isThere = false;
  for (auto at = m_waiting.begin(); at != m_waiting.end();) {
    if (at->second.rank != rank) {
      ++at;
      continue;
    }
    Wanted* const wanted = at->second.wanted;
    at = m_waiting.erase(at);
    wanted->gate.arrive();
  }
}

InputCounters InputClient::counters() const {
  const std::lock_guard lock(m_mutex);
  return m_counters;
}

void InputClient::ask(const BrickSubject& subject, std::int64_t step, int level, std::int64_t brick,
                      std::int64_t bricks, Wanted& wanted) noexcept {
  try {
    const std::lock_guard lock(m_mutex);
    if (!m_plan.ranks.empty()) {
      const std::uint32_t rank = inputOf(m_plan, step, m_stride, brick, bricks);
      const auto way = m_ways.find(rank);
      if (way != m_ways.end() && way->second.isThere) {
        const std::uint64_t number = ++m_lastNumber;
        BrickRequest request{m_plan.serial, subject, step, level, brick};
        Bytes frame = slabFrame(SlabMessage::Fetch, number, bytesOf(request));
        m_waiting[number] = {&wanted, rank};
        way->second.channel->send(std::move(frame));
        return;
      }
    }
  } catch (...) {
    // of no memory: it is read here
    abandon(wanted);
  }
  wanted.gate.arrive();
}

void InputClient::abandon(const Wanted& wanted) {
  const std::lock_guard lock(m_mutex);
  std::erase_if(m_waiting, [&](const auto& waiting) { return waiting.second.wanted == &wanted; });
}

void InputClient::onFetched(std::uint32_t rank, const FrameBuffer::Frame& frame) {
  if (slabMessage(frame.header) != SlabMessage::Fetched) throw Protocol("a rank does not say this");
  const std::lock_guard lock(m_mutex);
  const auto found = m_waiting.find(frame.header.sequence);
  if (found == m_waiting.end()) return;  // it was not waited for any longer
  if (found->second.rank != rank) throw Protocol("a rank answers for another");
  Wanted& wanted = *found->second.wanted;
  if (frame.body.empty()) {
    ++m_counters.refused;
  } else {
    decodeBrick(frame.body, wanted.into);  // what is wrong with it ends the connection, and lose() goes on
    wanted.got = true;
    ++m_counters.bricks;
    m_counters.bytes += frame.body.size();
  }
  m_waiting.erase(found);
  wanted.gate.arrive();
}

InputBricks::InputBricks(std::unique_ptr<volume::BrickSource> own, InputClient& client, BrickSubject subject,
                         std::int64_t step)
    : m_own(std::move(own)), m_client(client), m_subject(std::move(subject)), m_step(step) {}

void InputBricks::read(const Index3& brick, tasks::TaskContext& context, volume::Brick& out) {
  const volume::BrickGrid& its = grid();
  tasks::Gate gate(context.waker());
  gate.expect();
  InputClient::Wanted wanted{out, gate};
  context.throwIfGivenUp();
  context.wait(gate, [&] {
    m_client.ask(m_subject, m_step, its.level, linear(brick, its.bricks()), its.brickCount(), wanted);
  });
  if (!gate.isOpen()) {
    m_client.abandon(wanted);
    context.throwIfGivenUp();
    throw Cancelled();
  }
  if (!wanted.got) m_own->read(brick, context, out);
}

}  // namespace farfield::remote
