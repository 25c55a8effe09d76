#pragma once
// Bricks that other ranks read: where those have them, or will, they come from there; else they are read here. What is rendered is
// the same.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "remote/slabd/input_messages.h"
#include "remote/slabd/input_plan.h"
#include "remote/slabs/channel.h"
#include "render/volume/brick_source.h"

namespace farfield::remote {

struct InputCounters {
  std::uint64_t bricks = 0, refused = 0;  ///< that came, and that were not to be had
  std::uint64_t bytes = 0;
};

/// The connections of a rank that renders to those that read. Thread-safe.
class InputClient {
 public:
  /// `peers`: where each rank's InputServer listens.
  InputClient(std::uint32_t rank, std::string secret, std::vector<Host> peers);
  ~InputClient();
  /// As the newest Work says. Where the connection with a rank that it names was lost, another is made; until it is there, what that rank
  /// reads is read here.
  void follow(const InputPlan& plan, std::int64_t stride);
  /// A rank is gone.
  void lose(std::uint32_t rank);
  InputCounters counters() const;

  /// Lives until its gate is open or abandon() was called.
  struct Wanted {
    volume::Brick& into;
    tasks::Gate& gate;
    bool got = false;  ///< once the gate is open
  };
  /// Opens the gate at once where nobody reads for this rank. Does not wait.
  void ask(const BrickSubject& subject, std::int64_t step, int level, std::int64_t brick, std::int64_t bricks,
           Wanted& wanted) noexcept;
  void abandon(const Wanted& wanted);

 private:
  struct Waiting {
    Wanted* wanted = nullptr;
    std::uint32_t rank = 0;
  };
  /// To a rank that reads.
  struct Way {
    std::unique_ptr<Channel> channel;
    std::uint64_t number = 0;
    bool isThere = true;  ///< may be asked
    bool isLost = false;
  };
  void dial(std::uint32_t rank, Way& way);
  void note(std::uint32_t rank, std::uint64_t number, bool isLost);
  void lose(std::uint32_t rank, Way& way);
  void onFetched(std::uint32_t rank, const FrameBuffer::Frame& frame);

  const std::uint32_t m_rank;
  const std::string m_secret;
  const std::vector<Host> m_peers;
  mutable std::mutex m_mutex;
  InputPlan m_plan;
  std::int64_t m_stride = 1;
  std::uint64_t m_lastNumber = 0;
  std::unordered_map<std::uint64_t, Waiting> m_waiting;
  InputCounters m_counters;
  std::map<std::uint32_t, Way> m_ways;
  std::uint64_t m_lastWay = 0;
};

class InputBricks final : public volume::BrickSource {
 public:
  /// `client` outlives it.
  InputBricks(std::unique_ptr<volume::BrickSource> own, InputClient& client, BrickSubject subject,
              std::int64_t step);
  const volume::BrickGrid& grid() const override { return m_own->grid(); }
  volume::BrickFormat format() const override { return m_own->format(); }
  std::optional<paging::ValueRange> range(const Index3& brick) const override { return m_own->range(brick); }
  std::optional<paging::ValueRange> wholeRange() const override { return m_own->wholeRange(); }
  Vec3 bricksTogether() const override { return m_own->bricksTogether(); }
  void read(const Index3& brick, tasks::TaskContext& context, volume::Brick& out) override;
  std::uint64_t readBytes() const override { return m_own->readBytes(); }
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override { return m_own->makeScheduler(); }
  tasks::Admission* admission() override { return m_own->admission(); }

 private:
  const std::unique_ptr<volume::BrickSource> m_own;
  InputClient& m_client;
  const BrickSubject m_subject;
  const std::int64_t m_step;
};

}  // namespace farfield::remote
