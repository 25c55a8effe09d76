#pragma once
// A rank that renders nothing: it sends pictures that were recorded, whatever step of them is asked for, by the protocol of ranks.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bench/slabs/slab_volume.h"
#include "remote/slabs/channel.h"

namespace farfield::bench {

class RecordedRank {
 public:
  /// Dials the gateway that listens for ranks at `port` of this machine. `steps` outlive it; step n of a request is n modulo their
  /// number.
  RecordedRank(std::uint32_t rank, std::string secret, std::uint16_t port,
               const std::vector<SlabVolume::Slabs>& steps);
  ~RecordedRank();

 private:
  void take(const remote::FrameBuffer::Frame& frame);
  std::unique_ptr<remote::Channel> dial(std::uint64_t channel, const std::string& name, bool listens);

  const std::uint32_t m_rank;
  const std::string m_secret;
  const remote::Host m_gatewayHost;
  const std::vector<SlabVolume::Slabs>& m_steps;
  std::mutex m_mutex;  ///< of what is below
  std::map<std::uint64_t, std::unique_ptr<remote::Channel>> m_viewers;
  std::unique_ptr<remote::Channel> m_gateway;  // last: its thread uses the others
};

}  // namespace farfield::bench
