#pragma once
// A rank of a renderer: dials the gateway, opens a connection for each viewer through it, and renders what it is told, the
// newest of each viewer; what is older and not begun is forgotten, and what is begun ends.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "remote/slabd/frame_exchange.h"
#include "remote/slabd/life_feed.h"
#include "remote/slabd/slab_loader.h"
#include "remote/slabd/slab_painter.h"
#include "remote/slabs/channel.h"

namespace farfield::remote {

class GeometryWorker;

struct RankOptions {
  std::uint32_t rank = 0;
  Host gateway;
  std::string secret;
  std::int64_t steps = 1;              ///< that are shown
  InputServer* inputs = nullptr;       ///< where ranks read for others: what this one reads,
  InputClient* client = nullptr;       ///< and how it gets what others read
  GeometryWorker* geometry = nullptr;  ///< computes objects; null: there are none
};

class RankWorker {
 public:
  /// All but the options outlive it.
  RankWorker(RankOptions options, SlabPainter& painter, FrameExchange& exchange, MemoryAccount& account);
  ~RankWorker();
  /// Works until `stop`, or until the gateway is gone, which is an Io.
  void run(const std::stop_token& stop);

 private:
  struct Viewer {
    std::shared_ptr<Channel> channel;
    bool closed = false;
    std::optional<Work> work;         ///< not begun
    std::vector<std::uint32_t> busy;  ///< ranks that render what is begun
    std::stop_source superseded;      ///< of what is begun
  };
  struct Question {
    std::uint64_t number = 0;
    SurveyRequest request;
  };

  void onGateway(const FrameBuffer::Frame& frame);
  void attach(const Attach& attach);
  void onViewer(std::uint64_t viewer, const FrameBuffer::Frame& frame);
  void answer(const Question& question);
  void followInputs(const Work& work);
  void keepInputs(std::optional<Work>& dropped);
  void loadNext(const Work& work);
  void render(const Work& work, const std::shared_ptr<Channel>& channel, const std::stop_token& stop);
  void sendSlab(const Work& work, std::uint32_t part, Channel& channel, const std::stop_token& stop);
  void sendFrame(const Work& work, Channel& channel, const std::stop_token& stop);
  void sendOwnRows(const Work& work, std::size_t own, Channel& channel, const std::stop_token& stop);
  void compose(const Work& work, const std::vector<FramePart>& parts, std::span<float> sum) const;
  /// Waits while much is not sent yet. Throws Cancelled.
  void waitForRoom(const Channel& channel, const std::stop_token& stop);
  std::vector<std::shared_ptr<Channel>> takeClosed();

  const RankOptions m_options;
  SlabPainter& m_painter;
  FrameExchange& m_exchange;
  MemoryAccount& m_account;
  SlabLoader m_loader;           ///< of the thread that works
  std::uint64_t m_followed = 0;  ///< likewise: the newest serial of what says who reads
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::map<std::uint64_t, Viewer> m_viewers;
  std::deque<Question> m_questions;
  std::optional<Work>
      m_unfollowed;  ///< was not begun, and says who reads: those that have begun it ask by it
  std::vector<std::shared_ptr<Channel>>
      m_left;                      ///< of viewers that went, to be ended by the thread that works
  std::set<std::uint32_t> m_gone;  ///< ranks
  std::uint64_t m_lastServed = 0;  ///< viewers take turns
  std::exception_ptr m_gatewayGone;
  std::unique_ptr<Channel> m_gateway;
  LifeFeed m_feed;  ///< may be the last to have a channel, which uses the rest
};

}  // namespace farfield::remote
