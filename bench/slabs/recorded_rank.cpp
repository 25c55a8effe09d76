#include "bench/slabs/recorded_rank.h"

#include "core/base/error.h"

namespace farfield::bench {

using remote::SlabMessage;

RecordedRank::RecordedRank(std::uint32_t rank, std::string secret, std::uint16_t port,
                           const std::vector<SlabVolume::Slabs>& steps)
    : m_rank(rank), m_secret(std::move(secret)), m_gatewayHost{"127.0.0.1", port}, m_steps(steps) {
  m_gateway = dial(0, "recorded rank", true);
}

RecordedRank::~RecordedRank() {
  m_gateway.reset();
}

std::unique_ptr<remote::Channel> RecordedRank::dial(std::uint64_t channel, const std::string& name,
                                                    bool listens) {
  remote::Channel::Events events{[this, listens](const remote::FrameBuffer::Frame& frame) {
                                   if (listens) take(frame);
                                 },
                                 [](const std::exception_ptr&) {}};
  return std::make_unique<remote::Channel>(
      remote::Channel::Target{m_gatewayHost},
      slabFrame(SlabMessage::RankHello, 0, bytesOf(remote::RankHello{m_secret, m_rank, channel})),
      std::move(events), name);
}

void RecordedRank::take(const remote::FrameBuffer::Frame& frame) {
  const std::lock_guard lock(m_mutex);
  if (slabMessage(frame.header) == SlabMessage::Attach) {
    const remote::Attach attach = remote::parseAttach(frame.body);
    m_viewers[attach.viewer] = dial(attach.channel, "recorded pictures", false);
  } else if (slabMessage(frame.header) == SlabMessage::Work) {
    const remote::Work work = remote::parseWork(frame.body);
    const auto viewer = m_viewers.find(work.viewer);
    if (viewer == m_viewers.end()) return;
    const auto count = static_cast<std::int64_t>(m_steps.size());
    const SlabVolume::Slabs& step = m_steps[static_cast<std::size_t>(work.request.step % count)];
    for (std::uint32_t part = 0; part < work.plan.ranks.size() && part < step.heads.size(); ++part) {
      if (work.plan.ranks[part] != m_rank) continue;
      remote::SlabHead head = step.heads[part];
      head.step = work.request.step;
      viewer->second->send(slabFrame(SlabMessage::Slab, work.plan.show, bytesOf(head)));
      viewer->second->send(slabFrame(SlabMessage::Pixels, work.plan.show, bytesOf(step.pixels[part])));
    }
  }
}

}  // namespace farfield::bench
