#pragma once
// The part of a rank that reads for others: the steps that come next, one after the other, and answers to those who render them.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "remote/slabd/input_plan.h"
#include "remote/slabd/prepared_steps.h"
#include "remote/slabd/rank_gate.h"
#include "render/volume/shown_volume.h"

namespace farfield::remote {

/// Thread-safe. Has a thread that reads, and one that answers.
class InputServer {
 public:
  /// As RankGate. `account` outlives it.
  InputServer(std::uint32_t rank, const std::string& secret, bool otherNodes, MemoryAccount& account);
  ~InputServer();
  std::uint16_t port() const { return m_gate.port(); }

  /// Reads the bricks of a step (slab_painter.h). Called on the thread that reads.
  using Read = std::function<void(const volume::ShownVolume::Stream& stream, const std::stop_token& stop)>;
  /// What a Work of `request`, of which there are `steps`, gives this rank to read ahead; `readOf` makes what reads a step, on the
  /// calling thread. What is neither that nor the step that is shown is dropped.
  void want(const InputPlan& plan, const ShowRequest& request, std::int64_t steps,
            const BrickSubject& subject, const std::function<Read(std::int64_t step)>& readOf);
  /// Called on the thread that reads, after each step, with a lock held: it must not call back. After this the one before is not
  /// called any more.
  void setReport(std::function<void(const StepMeasured&)> report);

 private:
  struct Given {
    InputPlan plan;
    std::int64_t stride = 1;
    BrickSubject subject;
    Read read;
  };
  void onFetch(const std::shared_ptr<FrameLink>& link, const FrameBuffer::Frame& frame);
  void run(const std::stop_token& stop);
  void read(const PreparedSteps::Ticket& ticket, const Given& given, const std::stop_token& stop);

  const std::uint32_t m_rank;
  PreparedSteps m_steps;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::map<std::int64_t, Given> m_given;  ///< of steps that are not begun
  PreparedSteps::Ticket m_current;
  std::stop_source m_stopCurrent;
  std::function<void(const StepMeasured&)> m_report;
  std::uint64_t m_sentBytes = 0;     ///< on the gate's thread
  std::atomic<double> m_perByte{0};  ///< seconds, of sending
  RankGate m_gate;
  std::jthread m_thread;  // last: it uses the others
};

}  // namespace farfield::remote
