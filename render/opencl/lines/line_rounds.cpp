#include "render/opencl/lines/line_rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/flow/traced_line.h"

namespace farfield::opencl {
namespace {

using Clock = std::chrono::steady_clock;
using flow::Termination;

constexpr std::pair<std::string_view, std::string_view> kSources[] = {
#include "line_kernels.inc"
};

/// Vertices of a round: enough for a graphics card. On processors a round has several launches of fewer vertices, so that a
/// stop is noticed soon.
constexpr std::size_t kVerticesOnProcessors = std::size_t{1} << 17, kVerticesElsewhere = std::size_t{1} << 21;
constexpr std::size_t kVerticesUntilStop = std::size_t{1} << 15;
/// Of a line, at least and at most.
constexpr std::size_t kLeastVertices = 2 * kMostPieces, kMostVertices = 1024;
/// Of what is free of the host's budget, for lines in flight. Where not all bricks have room, memory for pages saves more
/// than more lines at a time do.
constexpr std::uint64_t kShareOfFree = 6, kShareWithFewBricks = 24;
/// Of the host's memory that bricks may have, where not all have room: the rest is for the pages that they are made of.
constexpr double kOfHost = 0.35;
constexpr std::uint64_t kFewestBricks = 16;
constexpr std::size_t kLeastLanes = 16;
/// Work items of a group: on processors groups are what is shared out.
constexpr std::size_t kGroupOnProcessors = 8, kGroupElsewhere = 64;
/// Lines of one task, at most.
constexpr std::size_t kLinesOfTask = 32;
/// A line that was not so many steps on the device is longer with processors each time, up to this.
constexpr std::int64_t kFewSteps = 16, kLongestStint = 4096;

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values, std::size_t count) {
  return std::as_bytes(std::span(values).first(count));
}

template <class Real>
Vec3 vectorOf(const std::array<Real, 3>& numbers) {
  return {static_cast<double>(numbers[0]), static_cast<double>(numbers[1]), static_cast<double>(numbers[2])};
}

template <class Real>
std::array<Real, 3> numbersOf(Vec3 v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

/// With tolerances of 0 replaced by what they stand for, as tasks do it.
flow::LineOptions usedOptions(flow::LineOptions options, const Bounds& bounds) {
  const double diagonal = bounds.diagonal();
  if (options.tolerance == 0) options.tolerance = 1e-6 * diagonal;
  if (options.hermiteTolerance == 0) options.hermiteTolerance = std::max(1e-5 * diagonal, options.tolerance);
  return options;
}

std::uint64_t bytesForBricks(const OpenCl::Use& use, const flow::LineJob& job, const LineLayout& layout) {
  if (layout.all || &use.account != &job.account) return use.mostBytes;
  return std::max(static_cast<std::uint64_t>(kOfHost * static_cast<double>(use.mostBytes)),
                  std::min(use.mostBytes, kFewestBricks * layout.bytes()));
}

std::size_t verticesOf(const Device& device) {
  return device.facts().processor ? kVerticesOnProcessors : kVerticesElsewhere;
}

}  // namespace

template <class Real>
LineRounds<Real>::LineRounds(const OpenCl::Use& use, const flow::LineJob& job)
    : m_job(job),
      m_device(use.device),
      m_options(usedOptions(job.options, job.data.bounds())),
      m_until(Clock::now() + job.timeBudget),
      m_outputs(static_cast<std::size_t>(job.functions->outputCount())),
      m_vertexNumbers(4 + m_outputs),
      m_layout(LineLayout::choose(job.data.description(), *job.functions, sizeof(Real), use.mostBytes)),
      m_laneCount(lanesFor(use)),
      m_claim(job.account.claim(Purpose::Work,
                                m_laneCount * (sizeof(Lane) + sizeof(LineMotion<Real>) + sizeof(LinePlace) +
                                               kLeastVertices * m_vertexNumbers * sizeof(Real)),
                                "lines on a device")),
      m_deviceClaim(use.account.claim(Purpose::Device,
                                      m_laneCount * (sizeof(LineMotion<Real>) + sizeof(LinePlace) +
                                                     (use.device->facts().shared ? 1 : 2) * kLeastVertices *
                                                         m_vertexNumbers * sizeof(Real)),
                                      "lines on a device")),
      m_bricks({*use.device, job.data, job.functions, job.step, m_layout, bytesForBricks(use, job, m_layout),
                use.account, job.account}),
      m_program(m_device->build(kSources[0].second, m_layout.options())),
      m_kernel(m_device->kernel(m_program, "traceLines")),
      m_pack(m_device->kernel(m_program, "packVertices")),
      m_readBack(*m_device, job.account),
      m_scheduler(job.data.makeScheduler()),
      m_lanes(m_laneCount),
      m_motions(m_laneCount),
      m_places(m_laneCount),
      m_vertices(m_laneCount * kLeastVertices * m_vertexNumbers) {
  std::size_t most = 0;
  clGetKernelWorkGroupInfo(m_kernel.get(), m_device->facts().id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                           &most, nullptr);
  m_group = std::min(std::max<std::size_t>(1, most),
                     m_device->facts().processor ? kGroupOnProcessors : kGroupElsewhere);
  const Bounds& bounds = job.data.bounds();
  // Less than this is lost in the rounding of coordinates. Those of floats are counted from a node nearby.
  const double extent =
      sizeof(Real) == sizeof(double) ? std::max(length(bounds.min), length(bounds.max)) : bounds.diagonal();
  const std::vector<LineJobNumbers<Real>> numbers{
      {static_cast<Real>(m_options.tolerance), static_cast<Real>(m_options.hermiteTolerance),
       static_cast<Real>(m_options.maxTime), static_cast<Real>(m_options.maxLength),
       static_cast<Real>(m_options.minSpeed), static_cast<Real>(bounds.diagonal()),
       static_cast<Real>(4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * extent)}};
  m_numbers = m_device->buffer(sizeof numbers[0], true);
  m_device->write(m_numbers, 0, bytesOf(numbers, 1));
  m_motionsThere = m_device->buffer(m_laneCount * sizeof(LineMotion<Real>));
  m_placesThere = m_device->buffer(m_laneCount * sizeof(LinePlace));
  m_verticesThere = m_device->buffer(m_vertices.size() * sizeof(Real));
  if (m_device->facts().shared) return;
  m_firstsThere = m_device->buffer(m_laneCount * sizeof(std::uint32_t), true);
  m_packedThere = m_device->buffer(m_vertices.size() * sizeof(Real));
}

template <class Real>
LineRounds<Real>::~LineRounds() = default;

/// Lines in flight.
template <class Real>
std::size_t LineRounds<Real>::lanesFor(const OpenCl::Use& use) const {
  const std::uint64_t ofLine =
      sizeof(Lane) + m_job.sinkBytes +
      2 * (sizeof(LineMotion<Real>) + sizeof(LinePlace) + kLeastVertices * m_vertexNumbers * sizeof(Real));
  const std::uint64_t fitting =
      m_job.account.obtainableBytes() / (m_layout.all ? kShareOfFree : kShareWithFewBricks) / ofLine;
  if (fitting < kLeastLanes) m_job.account.refuse(kLeastLanes * ofLine, "lines on a device");
  return static_cast<std::size_t>(
      std::min<std::uint64_t>({m_job.count, fitting, verticesOf(*use.device) / kLeastVertices}));
}

template <class Real>
std::chrono::milliseconds LineRounds<Real>::timeLeft() const {
  if (m_job.timeBudget.count() == 0) return std::chrono::milliseconds(0);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(m_until - Clock::now());
  return std::max(left, std::chrono::milliseconds(1));
}

template <class Real>
bool LineRounds<Real>::isOutOfTime() const {
  return m_job.timeBudget.count() > 0 && Clock::now() >= m_until;
}

template <class Real>
flow::LineCounts LineRounds<Real>::run() {
  m_counts.engine = "opencl";
  m_counts.device = m_device->facts().name;
  while (m_done < m_job.count) {
    if (m_job.stop.stop_requested()) throw Cancelled();
    if (isOutOfTime()) {
      m_counts.group.outOfTime = true;
      for (Lane& lane : m_lanes)
        if (lane.sink) finish(lane, Termination::OutOfTime);
      break;
    }
    fill();
    takeOn();
    const std::vector<Ready> ready = fetch();
    if (!ready.empty()) launch(ready);
    ++m_counts.rounds;
    if (m_job.progress) m_job.progress(m_done, m_job.count);
  }
  m_counts.group.finished = m_done;
  return m_counts;
}

/// Lines whose turn it is take the places of those that ended.
template <class Real>
void LineRounds<Real>::fill() {
  if (m_begun == m_job.count) return;
  for (Lane& lane : m_lanes) {
    if (m_begun == m_job.count) break;
    if (lane.stage != Stage::Empty) continue;
    lane = Lane{};
    lane.stage = Stage::New;
    lane.number = m_begun++;
    ++m_inFlight;
  }
  m_counts.group.mostInFlight = std::max<std::uint64_t>(m_counts.group.mostInFlight, m_inFlight);
}

/// What processors do: seeds are found, and lines that were handed back are taken on.
template <class Real>
void LineRounds<Real>::takeOn() {
  std::vector<std::size_t> waiting;
  for (std::size_t n = 0; n < m_lanes.size(); ++n)
    if (m_lanes[n].stage == Stage::New || m_lanes[n].stage == Stage::Host) waiting.push_back(n);
  if (waiting.empty()) return;
  std::sort(waiting.begin(), waiting.end(),
            [&](std::size_t a, std::size_t b) { return m_lanes[a].number < m_lanes[b].number; });
  const paging::MemoryPlan& plan = m_job.data.plan();
  const auto atATime = static_cast<std::size_t>(plan.processors * plan.tasksPerProcessor);
  const std::size_t each = std::clamp<std::size_t>(waiting.size() / (2 * atATime), 1, kLinesOfTask);
  tasks::TaskGroup group;
  group.name = "lines";
  group.count = (waiting.size() + each - 1) / each;
  group.admission = &m_job.data.admission();
  group.timeBudget = timeLeft();
  group.describe = [&](std::size_t n) { return m_job.describe(m_lanes[waiting[n * each]].number); };
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const std::unique_ptr<fields::Sampler> sampler = m_job.data.makeSampler(context, m_job.functions);
    // A line both ways begins twice in the same place.
    Vec3 seed;
    fields::Location place;
    for (std::size_t at = n * each; at < std::min(waiting.size(), (n + 1) * each); ++at) {
      Lane& lane = m_lanes[waiting[at]];
      if (lane.stage == Stage::New) {
        lane.seed = m_job.seed(lane.number, context);
        if (!(lane.seed.position == seed)) place = {};
        seed = lane.seed.position;
        begin(lane, *sampler, context, place);
      } else {
        flow::SampledField field(*sampler, {m_job.step});
        flow::goOn(lane.state, field, lane.seed.direction, m_options, context, *lane.sink, lane.stint);
      }
    }
  };
  const tasks::GroupResult cost = m_scheduler->run(group, m_job.stop);
  m_counts.group.waits += cost.waits;
  m_counts.group.longestWaitChain = std::max(m_counts.group.longestWaitChain, cost.longestWaitChain);
  m_counts.group.busySeconds += cost.busySeconds;
  for (const std::size_t n : waiting) {
    Lane& lane = m_lanes[n];
    if (lane.stage == Stage::Host) ++m_counts.handedBack;
    // Where the time was up it may not have begun.
    if (lane.sink) settle(lane);
  }
}

template <class Real>
void LineRounds<Real>::begin(Lane& lane, fields::Sampler& sampler, tasks::TaskContext& context,
                             fields::Location& place) {
  flow::SampledField field(sampler, {m_job.step});
  lane.sink = m_job.open(lane.number);
  lane.state =
      flow::beginLine(field, lane.seed.position, lane.seed.direction, m_options, context, *lane.sink, &place);
}

/// After a processor had the line.
template <class Real>
void LineRounds<Real>::settle(Lane& lane) {
  if (lane.state.ended()) return finish(lane, lane.state.result.termination);
  if (!lane.state.location.valid()) return;  // the time was up before it began
  lane.block = lane.state.location.block;
  lane.cell = unlinear(lane.state.location.cell, m_bricks.grid().cells(lane.block));
  lane.brick = m_bricks.grid().brickOf(lane.block, lane.cell);
  lane.since = 0;
  lane.stage = Stage::Placed;
}

template <class Real>
void LineRounds<Real>::finish(Lane& lane, Termination reason) {
  lane.state.result.termination = reason;
  lane.state.result.time = lane.seed.direction * lane.state.elapsed;
  lane.sink->finish(lane.state.result, lane.seed.position);
  lane.sink.reset();
  lane.stage = Stage::Empty;
  --m_inFlight;
  ++m_done;
}

/// The bricks that are to be read, in this order: those that most lines wait for first. Where not all bricks have room, those
/// of pages that are in the cache before others, and no others while a quarter of the lines can go on without: the lines use up
/// what is there before it is replaced.
template <class Real>
std::vector<std::int64_t> LineRounds<Real>::inTurn(
    const std::unordered_map<std::int64_t, std::size_t>& missed, std::size_t ready) const {
  struct Wanted {
    std::int64_t brick;
    std::size_t lines;
    bool inCache;
  };
  std::vector<Wanted> wanted;
  for (const auto& [brick, lines] : missed)
    wanted.push_back({brick, lines, !m_layout.all && m_bricks.isInCache(brick)});
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) {
    return std::tuple(!a.inCache, b.lines, a.brick) < std::tuple(!b.inCache, a.lines, b.brick);
  });
  std::vector<std::int64_t> bricks;
  for (const Wanted& one : wanted) {
    if (!m_layout.all && !one.inCache && ready >= std::max<std::size_t>(1, m_inFlight / 4)) break;
    bricks.push_back(one.brick);
    if (one.inCache) ready += one.lines;
  }
  return bricks;
}

/// Reads bricks that lines wait for. Gives the lines whose bricks are there.
template <class Real>
auto LineRounds<Real>::fetch() -> std::vector<Ready> {
  m_bricks.beginRound();
  std::vector<Ready> ready;
  std::unordered_map<std::int64_t, std::size_t> missed;
  const auto look = [&](bool again) {
    for (std::size_t n = 0; n < m_lanes.size(); ++n) {
      const Lane& lane = m_lanes[n];
      if (lane.stage != Stage::Placed && lane.stage != Stage::Going) continue;
      if (const auto slot = m_bricks.slotOf(lane.brick))
        ready.push_back({n, *slot});
      else if (!again)
        ++missed[lane.brick];
    }
  };
  look(false);
  if (missed.empty()) return ready;
  m_counts.bricks +=
      m_bricks.load(inTurn(missed, ready.size()), *m_scheduler, m_job.stop, timeLeft(), m_counts.group);
  ready.clear();
  look(true);
  return ready;
}

/// What the device is told of a line that a processor has placed.
template <class Real>
void LineRounds<Real>::prepare(Lane& lane, std::uint32_t slot) {
  const std::array<Real, 3> origin = m_bricks.originOf(slot);
  const flow::LineState& state = lane.state;
  lane.motion = {.xi = numbersOf<Real>(state.location.xi),
                 .vertexXi = numbersOf<Real>(state.location.xi),
                 .position = numbersOf<Real>(state.position - vectorOf(origin)),
                 .origin = origin,
                 .velocity = numbersOf<Real>(state.velocity),
                 .elapsed = static_cast<Real>(state.elapsed),
                 .elapsedLow = 0,
                 .length = static_cast<Real>(state.result.length),
                 .lengthLow = 0,
                 .largestSpeed = static_cast<Real>(state.largestSpeed),
                 .wish = static_cast<Real>(state.wish)};
  const std::int64_t steps = m_options.maxSteps - state.result.steps;
  lane.place = {.slot = 0,
                .cell = {0, 0, 0},
                .moved = {0, 0, 0},
                .faces = 0,
                .direction = lane.seed.direction,
                .steps = static_cast<std::int32_t>(
                    std::min<std::int64_t>(steps, std::numeric_limits<std::int32_t>::max())),
                .status = kGoing,
                .emitted = 0,
                .rejected = 0};
  lane.stage = Stage::Going;
}

template <class Real>
void LineRounds<Real>::launch(const std::vector<Ready>& ready) {
  m_bricks.update();
  const std::size_t count = ready.size();
  for (std::size_t n = 0; n < count; ++n) {
    Lane& lane = m_lanes[ready[n].lane];
    if (lane.stage == Stage::Placed) prepare(lane, ready[n].slot);
    lane.place.slot = static_cast<std::int32_t>(ready[n].slot);
    const Index3& first = m_bricks.brickIn(ready[n].slot).cells.first;
    for (std::size_t a = 0; a < 3; ++a)
      lane.place.cell[a] = static_cast<std::int32_t>(lane.cell[a] - first[a]);
    m_motions[n] = lane.motion;
    m_places[n] = lane.place;
  }
  m_device->write(m_motionsThere, 0, bytesOf(m_motions, count));
  m_device->write(m_placesThere, 0, bytesOf(m_places, count));
  const std::size_t room = m_vertices.size() / m_vertexNumbers;
  const auto most = static_cast<cl_int>(std::clamp(room / count, kLeastVertices, kMostVertices));
  const auto lanes = static_cast<cl_int>(count);
  const std::array<cl_mem, 9> arguments{
      m_numbers.get(),          m_motionsThere.get(),   m_placesThere.get(),
      m_bricks.origins().get(), m_bricks.links().get(), m_bricks.positions().get(),
      m_bricks.values().get(),  m_bricks.flags().get(), m_verticesThere.get()};
  cl_uint argument = 0;
  for (const cl_mem& memory : arguments)
    check(clSetKernelArg(m_kernel.get(), argument++, sizeof memory, &memory), "running a kernel");
  check(clSetKernelArg(m_kernel.get(), argument++, sizeof lanes, &lanes), "running a kernel");
  check(clSetKernelArg(m_kernel.get(), argument++, sizeof most, &most), "running a kernel");
  const auto whole = [this](std::size_t n) { return (n + m_group - 1) / m_group * m_group; };
  const std::size_t band =
      m_device->facts().processor ? whole(kVerticesUntilStop / static_cast<std::size_t>(most)) : count;
  for (std::size_t first = 0; first < count; first += band) {
    if (m_job.stop.stop_requested()) throw Cancelled();
    const Event event =
        m_device->launch(m_kernel, {first, 0}, {whole(std::min(band, count - first)), 1}, {m_group, 1});
    m_device->finish();
    m_counts.deviceSeconds += Device::seconds(event);
  }
  m_device->read(m_motionsThere, 0, std::as_writable_bytes(std::span(m_motions).first(count)));
  m_device->read(m_placesThere, 0, std::as_writable_bytes(std::span(m_places).first(count)));
  for (std::size_t n = 0; n < count; ++n)
    if (m_places[n].emitted < 0 || m_places[n].emitted > most)
      throw volume::DeviceFailed("the device gave numbers that cannot be");
  collect(ready, readVertices(count));
}

/// The vertices of a launch. The device writes them row by row, one of each line; where they have to go to the host they are
/// packed before, since some lines make many and others few.
template <class Real>
auto LineRounds<Real>::readVertices(std::size_t count) -> Rows {
  Rows rows;
  rows.firsts.resize(count);
  std::size_t made = 0, most = 0;
  for (std::size_t n = 0; n < count; ++n) {
    rows.firsts[n] = static_cast<std::uint32_t>(m_packedThere ? made : n);
    made += static_cast<std::size_t>(m_places[n].emitted);
    most = std::max(most, static_cast<std::size_t>(m_places[n].emitted));
  }
  const auto bytes = [&](std::size_t vertices) {
    return std::as_writable_bytes(std::span(m_vertices).first(vertices * m_vertexNumbers));
  };
  if (!m_packedThere) {
    rows.stride = count;
    m_device->read(m_verticesThere, 0, bytes(most * count));
    return rows;
  }
  if (made == 0) return rows;
  m_device->write(m_firstsThere, 0, bytesOf(rows.firsts, count));
  const std::array<cl_mem, 3> from{m_verticesThere.get(), m_placesThere.get(), m_firstsThere.get()};
  cl_uint argument = 0;
  for (const cl_mem& memory : from)
    check(clSetKernelArg(m_pack.get(), argument++, sizeof memory, &memory), "running a kernel");
  const auto lanes = static_cast<cl_int>(count);
  const cl_mem to = m_packedThere.get();
  check(clSetKernelArg(m_pack.get(), argument++, sizeof lanes, &lanes), "running a kernel");
  check(clSetKernelArg(m_pack.get(), argument++, sizeof to, &to), "running a kernel");
  m_device->launch(m_pack, {0, 0}, {count, most}, {0, 0});
  m_readBack.read(m_packedThere, bytes(made));
  return rows;
}

/// Takes the vertices that lines have made, and looks at how they stand.
template <class Real>
void LineRounds<Real>::collect(const std::vector<Ready>& ready, const Rows& rows) {
  const std::size_t count = ready.size();
  // Each line has a sink of its own.
  tasks::TaskGroup group;
  group.name = "vertices of lines";
  group.count = (count + kLinesOfTask - 1) / kLinesOfTask;
  group.run = [&](std::size_t n, tasks::TaskContext&) {
    std::vector<double> values(m_outputs);
    for (std::size_t at = n * kLinesOfTask; at < std::min(count, (n + 1) * kLinesOfTask); ++at) {
      Lane& lane = m_lanes[ready[at].lane];
      lane.motion = m_motions[at];
      lane.place = m_places[at];
      takeVertices(lane, rows.firsts[at], rows.stride, values);
    }
  };
  m_counts.group.busySeconds += m_scheduler->run(group, m_job.stop).busySeconds;
  for (std::size_t n = 0; n < count; ++n) {
    Lane& lane = m_lanes[ready[n].lane];
    flow::LineState& state = lane.state;
    state.result.steps += lane.place.emitted;
    state.result.rejected += lane.place.rejected;
    state.result.length = static_cast<double>(lane.motion.length);
    if (lane.place.rejected > 0) state.control.noteRejected();
    lane.since += lane.place.emitted;
    if (lane.place.status >= kEnded) {
      const std::int32_t reason = lane.place.status - kEnded;
      if (reason <= 0 || reason >= flow::kTerminationCount)
        throw volume::DeviceFailed("the device gave numbers that cannot be");
      finish(lane, static_cast<Termination>(reason));
      continue;
    }
    const LineGrid::Brick& brick = m_bricks.brickIn(ready[n].slot);
    const auto slot = static_cast<std::uint32_t>(lane.place.slot);
    if (slot >= m_bricks.slotCount()) throw volume::DeviceFailed("the device gave numbers that cannot be");
    const Index3& cells = m_bricks.grid().cells(brick.block);
    for (std::size_t a = 0; a < 3; ++a) {
      lane.cell[a] = m_bricks.brickIn(slot).cells.first[a] + lane.place.cell[a];
      if (lane.cell[a] < 0 || lane.cell[a] >= cells[a])
        throw volume::DeviceFailed("the device gave numbers that cannot be");
    }
    lane.brick = m_bricks.grid().brickOf(lane.block, lane.cell);
    if (lane.place.status == kHandedBack) handBack(lane);
  }
}

template <class Real>
void LineRounds<Real>::takeVertices(Lane& lane, std::size_t first, std::size_t stride,
                                    std::vector<double>& values) {
  const Real* vertex = m_vertices.data() + first * m_vertexNumbers;
  for (std::int32_t n = 0; n < lane.place.emitted; ++n, vertex += stride * m_vertexNumbers) {
    lane.state.elapsed += static_cast<double>(vertex[3]);
    // The last step's size was computed as what is left.
    if (lane.place.status == kEnded + static_cast<std::int32_t>(Termination::MaxTime) &&
        n + 1 == lane.place.emitted)
      lane.state.elapsed = m_options.maxTime;
    std::copy_n(vertex + 4, m_outputs, values.begin());
    lane.sink->vertex(
        {static_cast<double>(vertex[0]), static_cast<double>(vertex[1]), static_cast<double>(vertex[2])},
        lane.seed.direction * lane.state.elapsed, values);
  }
}

/// A processor takes the next step of the line.
template <class Real>
void LineRounds<Real>::handBack(Lane& lane) {
  flow::LineState& state = lane.state;
  // Where its vertex is, as the processors' tracer would have it.
  const Index3& cells = m_bricks.grid().cells(lane.block);
  Index3 cell = lane.cell;
  for (std::size_t a = 0; a < 3; ++a) {
    cell[a] -= lane.place.moved[a];
    if (cell[a] < 0 || cell[a] >= cells[a])
      throw volume::DeviceFailed("the device gave numbers that cannot be");
  }
  state.location = {lane.block, linear(cell, cells), vectorOf(lane.motion.vertexXi)};
  state.largestSpeed = static_cast<double>(lane.motion.largestSpeed);
  state.wish = static_cast<double>(lane.motion.wish);
  lane.stint = lane.since < kFewSteps ? std::min(2 * lane.stint, kLongestStint) : 1;
  lane.stage = Stage::Host;
}

template class LineRounds<double>;
template class LineRounds<float>;

}  // namespace farfield::opencl
