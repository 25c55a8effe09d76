#include "remote/slabd/frame_exchange.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/log.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kLook = 50ms;
constexpr std::chrono::seconds kOld = 120s;

}  // namespace

FrameExchange::FrameExchange(std::uint32_t rank, std::string secret, bool otherNodes, std::uint64_t mostBytes)
    : m_rank(rank),
      m_secret(std::move(secret)),
      m_mostBytes(mostBytes),
      m_gate(
          m_secret, otherNodes, kMostSentBytes,
          [this](const std::shared_ptr<FrameLink>&, const FrameBuffer::Frame& frame) {
            if (slabMessage(frame.header) != SlabMessage::Part) throw Protocol("a rank does not say this");
            take(parseFramePart(frame.body));
          },
          "from other ranks", [this](std::uint32_t from) { lose(from); }) {}

FrameExchange::~FrameExchange() {
  std::map<std::uint32_t, Way> ways;  // which end after the lock: their threads may wait for it
  const std::lock_guard lock(m_mutex);
  ways.swap(m_ways);
}

std::uint16_t FrameExchange::port() const {
  return m_gate.port();
}

void FrameExchange::setPeers(std::vector<Host> peers) {
  m_peers = std::move(peers);
}

void FrameExchange::setLost(Lost lost) {
  const std::lock_guard lock(m_lostMutex);
  m_lost = std::move(lost);
}

void FrameExchange::send(std::uint32_t rank, const FramePart& part) {
  if (rank == m_rank) return take(part);
  std::unique_ptr<Channel> lost;  // which ends after the lock: its thread may wait for it
  const std::lock_guard lock(m_mutex);
  Way& way = m_ways[rank];
  if (way.isLost) {
    lost = std::move(way.channel);
    way = {};
  }
  if (!way.channel)
    way.channel = dialRank(
        m_peers.at(rank), m_secret, m_rank,
        // that a rank is gone, the gateway says
        Channel::Events{[](const FrameBuffer::Frame&) { throw Protocol("a rank says nothing here"); },
                        [this, rank](const std::exception_ptr&) { loseWay(rank); }},
        "to rank " + std::to_string(rank));
  way.sent[part.viewer] = part.show;
  way.channel->send(slabFrame(SlabMessage::Part, part.show, bytesOf(part)));
}

/// The next part makes a new way. What was sent by this one may have come, or not.
void FrameExchange::loseWay(std::uint32_t rank) {
  const std::lock_guard calling(m_lostMutex);
  std::map<std::uint64_t, std::uint64_t> sent;
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_ways.find(rank);
    if (found == m_ways.end()) return;
    found->second.isLost = true;
    sent.swap(found->second.sent);
  }
  lose(rank);
  if (!m_lost) return;
  for (const auto& [viewer, show] : sent) m_lost(viewer, show, lossOf(rank));
}

void FrameExchange::lose(std::uint32_t rank) {
  const std::lock_guard lock(m_mutex);
  m_lostAt[rank] = ++m_losses;
  m_changed.notify_all();
}

std::exception_ptr FrameExchange::lossOf(std::uint32_t rank) const {
  return std::make_exception_ptr(Io("the connection between the ranks " + std::to_string(m_rank) + " and " +
                                        std::to_string(rank) + " was lost",
                                    "try again: it is made anew"));
}

void FrameExchange::take(FramePart part) {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t bytes = part.pixels.rgba.size();
  if (m_bytes + bytes > m_mostBytes) forgetOld();
  auto& shows = m_parts[part.viewer];
  // of a picture that was forgotten meanwhile
  if (!shows.empty() && part.show < shows.begin()->first) return;
  if (m_bytes + bytes > m_mostBytes) {
    // whoever waits for it gives up
    log::warning("the parts of a frame need more than " + std::to_string(m_mostBytes >> 20) +
                 " MiB; give ranks more --memory");
    part.failed = true;
    part.pixels.rgba.clear();
  }
  m_bytes += part.pixels.rgba.size();
  auto& show = shows[part.show];
  if (show.parts.empty()) show.since = std::chrono::steady_clock::now();
  show.parts.insert_or_assign(part.part, std::move(part));
  m_changed.notify_all();
}

void FrameExchange::drop(const Show& show) {
  for (const auto& [number, part] : show.parts) m_bytes -= part.pixels.rgba.size();
}

/// Parts that come after their viewer has gone would stay.
void FrameExchange::forgetOld() {
  const auto now = std::chrono::steady_clock::now();
  for (auto& [viewer, shows] : m_parts)
    std::erase_if(shows, [&](const auto& its) {
      if (its.second.parts.empty() || now - its.second.since < kOld) return false;
      drop(its.second);
      return true;
    });
  std::erase_if(m_parts, [](const auto& its) { return its.second.empty(); });
}

void FrameExchange::forget(std::uint64_t viewer, std::uint64_t show) {
  const std::lock_guard lock(m_mutex);
  if (show == std::numeric_limits<std::uint64_t>::max())
    m_begunAt.erase(viewer);
  else
    m_begunAt[viewer] = m_losses;
  const auto found = m_parts.find(viewer);
  if (found == m_parts.end()) return;
  auto& shows = found->second;
  while (!shows.empty() && shows.begin()->first < show) {
    drop(shows.begin()->second);
    shows.erase(shows.begin());
  }
  if (shows.empty()) m_parts.erase(found);
}

std::vector<FramePart> FrameExchange::collect(std::uint64_t viewer, std::uint64_t show,
                                              const std::vector<std::uint32_t>& ranks,
                                              const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  const auto begun = m_begunAt.find(viewer);
  const std::uint64_t since = begun == m_begunAt.end() ? m_losses : begun->second;
  for (;;) {
    if (stop.stop_requested()) throw Cancelled();
    auto& there = m_parts[viewer][show].parts;
    for (const auto& [number, part] : there)
      if (part.failed) throw Cancelled();
    for (std::uint32_t n = 0; n < ranks.size(); ++n)
      if (const auto lost = m_lostAt.find(ranks[n]);
          !there.contains(n) && lost != m_lostAt.end() && lost->second > since)
        std::rethrow_exception(lossOf(ranks[n]));
    if (there.size() == ranks.size()) {
      std::vector<FramePart> all;
      for (auto& [number, part] : there) {
        m_bytes -= part.pixels.rgba.size();
        all.push_back(std::move(part));
      }
      m_parts[viewer].erase(show);
      return all;
    }
    m_changed.wait_for(lock, kLook);
  }
}

std::vector<std::size_t> visibilityOrder(const scene::Camera& camera, int axis,
                                         const std::vector<double>& edges) {
  std::vector<std::size_t> order(edges.size() - 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (camera.orthographic) {
    if (scene::axesOf(camera).back[axis] > 0) std::reverse(order.begin(), order.end());
    return order;
  }
  // A ray goes one way along the axis: of the parts on either side of the eye it meets those on its side, the nearer ones first.
  const double eye = camera.position[axis] / camera.stretch[axis];
  const auto distance = [&](std::size_t n) {
    return eye < edges[n] ? edges[n] - eye : eye > edges[n + 1] ? eye - edges[n + 1] : -1;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  return order;
}

}  // namespace farfield::remote
