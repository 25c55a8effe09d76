#pragma once
// Lines on a device, round by round: processors find seeds and take the steps that the device hands back, missing bricks
// are read, and one launch continues all lines whose bricks are there. A line does not depend on when it is parked, nor on
// how many bricks there is room for.

#include <chrono>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/flow/line_engine.h"
#include "core/flow/line_state.h"
#include "render/opencl/lines/line_bricks.h"
#include "render/opencl/open_cl.h"
#include "render/opencl/read_back.h"

namespace farfield::opencl {

/// Of one job; used once, by one thread. `Real` is what the device computes with.
template <class Real>
class LineRounds {
 public:
  /// Compiles the kernel and takes the memory. Both outlive it. Throws volume::DeviceFailed, OverBudget.
  LineRounds(const OpenCl::Use& use, const flow::LineJob& job);
  ~LineRounds();

  /// Throws volume::DeviceFailed, Cancelled, OverBudget, and what fields and sinks throw.
  flow::LineCounts run();

 private:
  enum class Stage { Empty, New, Host, Placed, Going };
  /// One of the lines in flight.
  struct Lane {
    Stage stage = Stage::Empty;
    std::size_t number = 0;
    flow::LineJob::Seed seed;
    std::unique_ptr<flow::LineJob::Sink> sink;
    flow::LineState state;
    std::int64_t stint = 1;  ///< steps that a processor takes next time
    std::int64_t since = 0;  ///< steps since the last time
    // Where it is, once it was placed.
    int block = -1;
    Index3 cell;
    std::int64_t brick = -1;
    LineMotion<Real> motion;  ///< of Stage::Going
    LinePlace place;
  };
  struct Ready {
    std::size_t lane;
    std::uint32_t slot;
  };

  std::size_t lanesFor(const OpenCl::Use& use) const;
  std::chrono::milliseconds timeLeft() const;
  bool isOutOfTime() const;
  void fill();
  void takeOn();
  void begin(Lane& lane, fields::Sampler& sampler, tasks::TaskContext& context, fields::Location& place);
  void settle(Lane& lane);
  void finish(Lane& lane, flow::Termination reason);
  std::vector<Ready> fetch();
  std::vector<std::int64_t> inTurn(const std::unordered_map<std::int64_t, std::size_t>& missed,
                                   std::size_t ready) const;
  void launch(const std::vector<Ready>& ready);
  void prepare(Lane& lane, std::uint32_t slot);
  /// Where vertices lie in m_vertices: that of number n of a line is at number first + n * stride.
  struct Rows {
    std::vector<std::uint32_t> firsts;  ///< of each line that is ready
    std::size_t stride = 1;
  };
  Rows readVertices(std::size_t count);
  void collect(const std::vector<Ready>& ready, const Rows& rows);
  void takeVertices(Lane& lane, std::size_t first, std::size_t stride, std::vector<double>& values);
  void handBack(Lane& lane);

  const flow::LineJob& m_job;
  const std::shared_ptr<const Device> m_device;
  flow::LineOptions m_options;  ///< tolerances as they are used
  const std::chrono::steady_clock::time_point m_until;
  const std::size_t m_outputs, m_vertexNumbers;  ///< values of a node; numbers of a vertex
  const LineLayout m_layout;
  std::size_t m_laneCount;
  MemoryClaim m_claim, m_deviceClaim;
  LineBricks<Real> m_bricks;
  Program m_program;
  Kernel m_kernel, m_pack;
  std::size_t m_group = 0;  ///< work items of a group
  Memory m_numbers, m_motionsThere, m_placesThere, m_verticesThere;
  Memory m_firstsThere, m_packedThere;  ///< where the device's memory is its own
  ReadBack m_readBack;
  std::unique_ptr<tasks::Scheduler> m_scheduler;
  std::vector<Lane> m_lanes;
  std::vector<LineMotion<Real>> m_motions;
  std::vector<LinePlace> m_places;
  std::vector<Real> m_vertices;
  std::size_t m_begun = 0, m_inFlight = 0, m_done = 0;
  flow::LineCounts m_counts;
};

extern template class LineRounds<double>;
extern template class LineRounds<float>;

}  // namespace farfield::opencl
