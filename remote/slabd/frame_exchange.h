#pragma once
// How the ranks of a renderer put a frame together: each renders its part of the volume for the whole picture and sends every
// rank the rows that this one puts together, straight to it (direct send). Ranks dial each other when they first have something to say.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "remote/slabd/rank_gate.h"
#include "remote/slabs/channel.h"
#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

/// Thread-safe.
class FrameExchange {
 public:
  /// Listens, on all of the machine's addresses where ranks are on `otherNodes`. `mostBytes`: of parts that wait. Throws Io.
  FrameExchange(std::uint32_t rank, std::string secret, bool otherNodes, std::uint64_t mostBytes);
  ~FrameExchange();
  std::uint16_t port() const;
  /// Where ranks listen, by number; before anything is sent.
  void setPeers(std::vector<Host> peers);

  void send(std::uint32_t rank, const FramePart& part);
  /// Of a viewer, what was sent for pictures before `show` is of no use any more.
  void forget(std::uint64_t viewer, std::uint64_t show);
  /// Waits for all parts of a picture, in their order. Throws Cancelled: on request, or because a rank could not render its part.
  std::vector<FramePart> collect(std::uint64_t viewer, std::uint64_t show, std::size_t parts,
                                 const std::stop_token& stop);

 private:
  struct Show {
    std::chrono::steady_clock::time_point since;
    std::map<std::uint32_t, FramePart> parts;
  };
  void take(FramePart part);
  void drop(const Show& show);
  void forgetOld();

  const std::uint32_t m_rank;
  const std::string m_secret;
  const std::uint64_t m_mostBytes;
  std::vector<Host> m_peers;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::map<std::uint64_t, std::map<std::uint64_t, Show>> m_parts;  ///< by viewer and number
  std::uint64_t m_bytes = 0;                                       ///< in m_parts
  RankGate m_gate;                                                 ///< calls, until it ends
  std::map<std::uint32_t, std::unique_ptr<Channel>> m_channels;
};

/// The order of a frame's parts from the eye on: seen from `camera`, cut at `edges` across `axis`.
std::vector<std::size_t> visibilityOrder(const scene::Camera& camera, int axis,
                                         const std::vector<double>& edges);

}  // namespace farfield::remote
