#pragma once
// How the ranks of a renderer put a frame together: each renders its part of the volume for the whole picture and sends every
// rank the rows that this one puts together, straight to it (direct send). Ranks dial each other when they first have something to say,
// and again after their connection was lost; what was on its way then is not sent again, and ends the picture with an error.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
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
  /// Called on a thread of the exchange: parts of that picture, the last that the viewer wanted of this rank, were sent by a connection
  /// that was lost since, and may not have come.
  using Lost = std::function<void(std::uint64_t viewer, std::uint64_t show, const std::exception_ptr& why)>;
  /// Null: nobody. Waits until nobody is being called.
  void setLost(Lost lost);

  void send(std::uint32_t rank, const FramePart& part);
  /// A viewer wants the picture `show`: what was sent for those before it is of no use any more. The greatest number: it wants nothing.
  void forget(std::uint64_t viewer, std::uint64_t show);
  /// Waits for all parts of a picture, a part of each of `ranks`, in their order. Throws Cancelled: on request, or because a rank could
  /// not render its part; Io if the connection with a rank whose part is not here was lost since the picture was wanted.
  std::vector<FramePart> collect(std::uint64_t viewer, std::uint64_t show,
                                 const std::vector<std::uint32_t>& ranks, const std::stop_token& stop);

 private:
  struct Show {
    std::chrono::steady_clock::time_point since;
    std::map<std::uint32_t, FramePart> parts;
  };
  /// To another rank.
  struct Way {
    std::unique_ptr<Channel> channel;
    std::map<std::uint64_t, std::uint64_t>
        sent;  ///< by viewer: the last picture of which parts went this way
    bool isLost = false;
  };
  void take(FramePart part);
  void lose(std::uint32_t rank);
  void loseWay(std::uint32_t rank);
  std::exception_ptr lossOf(std::uint32_t rank) const;
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
  std::uint64_t m_losses = 0;                        ///< of connections, all in all: the time of what follows
  std::map<std::uint32_t, std::uint64_t> m_lostAt;   ///< by rank
  std::map<std::uint64_t, std::uint64_t> m_begunAt;  ///< by viewer: the picture that it wants
  std::mutex m_lostMutex;                            ///< while m_lost is called; taken before m_mutex
  Lost m_lost;
  RankGate m_gate;  ///< calls, until it ends
  std::map<std::uint32_t, Way> m_ways;
};

/// The order of a frame's parts from the eye on: seen from `camera`, cut at `edges` across `axis`.
std::vector<std::size_t> visibilityOrder(const scene::Camera& camera, int axis,
                                         const std::vector<double>& edges);

}  // namespace farfield::remote
