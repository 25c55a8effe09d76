#include "core/flow/particle_group.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/fields/cells/cells_between.h"
#include "core/fields/paged/cell_walk.h"
#include "core/flow/cell_stock.h"
#include "core/flow/lane_steps.h"
#include "core/flow/step_control.h"
#include "core/flow/traced_line.h"
#include "core/tasks/task_context.h"

namespace farfield::flow {
namespace {

constexpr int kOwnStock = 4;                                    // bits: of a group without another one
constexpr std::size_t kLeastVertices = 256, kVerticesEach = 3;  // that are kept before they are passed on
constexpr std::size_t kAhead = 4;  // particles whose cells are on the way to the processor
constexpr double kRetry = 2;       // as in CellSteps

/// Passes on vertices but the first ones, which were passed on before.
class LaterVertices final : public LineSink {
 public:
  LaterVertices(LineSink& sink, std::int64_t known) : m_sink(sink), m_known(known) {}
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    if (m_known > 0)
      --m_known;
    else
      m_sink.vertex(point, time, values);
  }
  /// Of those, how many are still to come.
  std::int64_t known() const { return m_known; }

 private:
  LineSink& m_sink;
  std::int64_t m_known;
};

/// A particle on its way through the interval: what TracedLine knows of it.
struct Path {
  enum class State : std::uint8_t { Alone, Begins, Arrives, GoesOn, TriesAgain, Ended };
  /// What is known of it at a vertex.
  struct Reached {
    fields::Location location;
    Vec3 position;
    double elapsed = 0, length = 0;
    std::int64_t steps = 0;
  };

  Reached reached;          ///< its last vertex that is complete
  Reached passedOn;         ///< the last one that sinks have, if any
  std::int64_t passed = 0;  ///< how many they have
  // of the vertex that it is at, or arrives at
  fields::Location location;
  Vec3 position, velocity;
  double evaluated = 0;  ///< time for which the velocity there is evaluated
  // of one that arrives in a cell: at the vertex before
  Vec3 before, velocityBefore;
  double speedBefore = 0, hBefore = 1;
  double start = 0, end = 0;  ///< times
  double span = 0, elapsed = 0;
  double largestSpeed = 0, leastPace = 0, speed = 0;
  double wish = LineOptions::kUnlimited, again = 0;
  double mostLength = 0;
  std::int64_t mostSteps = 0;
  std::int32_t first = -1, last = -1;  ///< of its vertices that wait
  State state = State::Alone;
  bool moves = false;
  bool isNear =
      false;  ///< it begins, in the cell where it was, and where in the cell is found with its first step
  Termination termination = Termination::None;

  double rest() const { return span - elapsed; }
  bool goesOn() const { return state != State::Alone && state != State::Ended; }
};

class Group {
 public:
  Group(std::span<Particle* const> particles, const SeriesInterval& interval, fields::Sampler& sampler,
        fields::CellsBetween& cells, StockLoan* loan, const LineOptions& options, tasks::TaskContext& context,
        GroupSink& sink)
      : m_particles(particles),
        m_interval(interval),
        m_sampler(sampler),
        m_options(options),
        m_scales(sampler.bounds(), options),
        m_context(context),
        m_sink(sink),
        m_values(static_cast<std::size_t>(sampler.valueCount())),
        m_source(cells),
        m_loan(loan),
        m_paths(particles.size()),
        m_mostVertices(mostVertices(particles.size())),
        m_numbers(std::make_unique_for_overwrite<double[]>(m_mostVertices * (4 + m_values))),
        m_after(std::make_unique_for_overwrite<std::int32_t[]>(m_mostVertices)) {
    m_lanes.since = interval.since;
    m_lanes.until = interval.until;
    m_lanes.tolerance = m_scales.tolerance;
    m_lanes.hermiteTolerance = m_scales.hermiteTolerance;
    m_lanes.smallestLength = m_scales.smallestLength;
    m_lanes.diagonal = m_scales.diagonal;
  }

  GroupCounts run() {
    for (std::size_t n = 0; n < m_paths.size(); ++n) {
      const std::size_t later = n + kAhead;
      if (later < m_paths.size() && m_particles[later]->location.valid())
        expect(m_particles[later]->location);
      begin(n);
    }
    try {
      while (takeRound()) {
      }
    } catch (const tasks::TimeIsUp&) {
      endAll();
    }
    return finish();
  }

  static std::uint64_t bytesFor(std::size_t particles, int values) {
    const std::size_t vertex = (4 + static_cast<std::size_t>(values)) * sizeof(double) + sizeof(std::int32_t);
    const std::size_t vertices = mostVertices(particles) * vertex;
    return sizeof(Group) + particles * sizeof(Path) + vertices + CellStock::bytesFor(kOwnStock, values);
  }

 private:
  const CellStock::Cell& cellOf(std::int32_t block, std::int64_t number);
  void expect(const fields::Location& location) {
    if (CellStock* const lent = m_loan ? m_loan->stock() : nullptr)
      lent->expect(location.block, location.cell);
  }
  void begin(std::size_t n);
  void locate(std::size_t n);
  bool takeRound();
  void takeSome(bool moving);
  const CellStock::Cell* findReady(const Path& path) const;
  void packCells(std::size_t lanes);
  void pack(std::size_t lane, const Path& path);
  void unpack(std::size_t lane, Path& path);
  void leaveCell(std::size_t lane, Path& path);
  void goOn(std::size_t lane, Path& path);
  bool limitReached(Path& path);
  void reach(Path& path, double length, CellStock::Corners corners);
  void addVertex(Path& path, CellStock::Corners corners);
  void passOn();
  void endAll();
  void moveTo(Particle& particle, const Path& path, const Path::Reached& reached) const;
  void goAlone(std::size_t n, const Path& path);
  GroupCounts finish();
  static std::size_t mostVertices(std::size_t particles) {
    return std::max(kLeastVertices, kVerticesEach * particles);
  }
  static const double* numbersOf(const fields::TrilinearVector& map) {
    static_assert(sizeof map == kNumbers * sizeof(double));
    return &map.one.x;
  }
  static Vec3 vectorOf(const LaneSteps::Rows3& rows, std::size_t lane) {
    return {rows[0][lane], rows[1][lane], rows[2][lane]};
  }

  const std::span<Particle* const> m_particles;
  const SeriesInterval m_interval;
  fields::Sampler& m_sampler;
  const LineOptions& m_options;
  const LineScales m_scales;
  tasks::TaskContext& m_context;
  GroupSink& m_sink;
  const std::size_t m_values;
  fields::CellsBetween& m_source;
  std::optional<CellStock> m_own;  ///< what is taken where there is no other stock, or while it is waited
  StockLoan* const m_loan;
  std::vector<Path> m_paths;
  // vertices that wait: position, time, values; and the number of the particle's next one
  const std::size_t m_mostVertices;
  const std::unique_ptr<double[]> m_numbers;
  const std::unique_ptr<std::int32_t[]> m_after;
  std::size_t m_waiting = 0;
  LaneSteps m_lanes{};
  std::array<Path*, kLanes> m_inLanes{};
  static constexpr std::size_t kNumbers = LaneSteps::kVectorNumbers, kCopiedOfCell = 4 * kNumbers;
  std::array<double, kLanes * kCopiedOfCell> m_copies;
};

/// Valid until the next call. May wait.
const CellStock::Cell& Group::cellOf(std::int32_t block, std::int64_t number) {
  const std::int64_t step = m_interval.step;
  CellStock* lent = m_loan ? m_loan->stock() : nullptr;
  if (lent) {
    if (const CellStock::Cell* const found = lent->find(block, number, step)) return *found;
    if (lent->find(block, number, step - 1)) {
      const std::span<const double> next = m_source.nextValues(block, number, step);
      // while they were waited for, others had the stock
      lent = m_loan->stock();
      if (lent && !next.empty())
        if (const CellStock::Cell* const found = lent->carryOn(block, number, step, next)) return *found;
    }
  }
  // taken into the group's own stock: by the time that it is there, the other one may be with another task
  if (!m_own) m_own.emplace(kOwnStock, static_cast<int>(m_values)).open(m_source, step);
  const CellStock::Cell& taken = m_own->of(block, number);
  if (CellStock* const now = m_loan ? m_loan->stock() : nullptr) now->copy(taken, step);
  return taken;
}

/// As advance() and traceLine() begin.
void Group::begin(std::size_t n) {
  const Particle& particle = *m_particles[n];
  Path& path = m_paths[n];
  path.start = particle.time;
  path.end = std::min(m_interval.until, particle.release + m_options.maxTime);
  path.span = path.end - particle.time;
  path.mostLength = m_options.maxLength - particle.length;
  path.mostSteps = m_options.maxSteps - std::max<std::int64_t>(0, particle.vertices - 1);
  if (path.mostSteps <= 0 || !(path.span > 0) || !(path.mostLength > 0)) return;
  path.position = particle.position;
  path.evaluated = path.start;
  path.leastPace = m_scales.exitLength / path.span;
  path.reached.position = path.position;
  if (particle.location.valid()) {
    // most particles are still in their cell
    const fields::CellBetween& cell = cellOf(particle.location.block, particle.location.cell);
    path.isNear = cell.searched && !cell.blank;
    if (path.isNear) {
      path.location = path.reached.location = particle.location;
      path.state = Path::State::Begins;
      return;
    }
  }
  locate(n);
}

/// The n-th particle begins where locationOf() finds it.
void Group::locate(std::size_t n) {
  Path& path = m_paths[n];
  SampledField field(m_sampler, m_interval.step, m_interval.since, m_interval.until);
  path.location = path.reached.location = locationOf(*m_particles[n], field);
  if (!path.location.valid()) {
    path.state = Path::State::Alone;
    return;
  }
  path.moves = cellOf(path.location.block, path.location.cell).moves;
  path.state = Path::State::Begins;
}

/// A step of each particle that goes on. False if none does.
bool Group::takeRound() {
  if (m_context.stopRequested()) throw Cancelled();
  if (m_context.outOfTime()) endAll();
  takeSome(false);
  takeSome(true);
  return std::any_of(m_paths.begin(), m_paths.end(), [](const Path& path) { return path.goesOn(); });
}

/// Of those whose cells move, or of the others.
void Group::takeSome(bool moving) {
  std::size_t lanes = 0;
  const auto take = [&] {
    if (lanes == 0) return;
    packCells(lanes);
    takeSteps(m_lanes, lanes, moving);
    for (std::size_t lane = 0; lane < lanes; ++lane) unpack(lane, *m_inLanes[lane]);
    lanes = 0;
  };
  for (Path& path : m_paths) {
    if (!path.goesOn() || path.moves != moving) continue;
    pack(lanes, path);
    m_inLanes[lanes] = &path;
    if (++lanes == kLanes) take();
  }
  take();
}

/// The cell where it is, if it is there; else null. Changes nothing.
const CellStock::Cell* Group::findReady(const Path& path) const {
  const CellStock* const lent = m_loan ? m_loan->stock() : nullptr;
  const CellStock* const its = lent ? lent : m_own ? &*m_own : nullptr;
  return its ? its->find(path.location.block, path.location.cell, m_interval.step) : nullptr;
}

/// Says where the numbers of the cells are for the first `lanes` lanes: in a stock where they lie together there, else copied.
void Group::packCells(std::size_t lanes) {
  const auto point = [&](std::size_t lane, const double* map, const double* nextMap, const double* velocities,
                         const double* next) {
    m_lanes.map[lane] = map;
    m_lanes.nextMap[lane] = nextMap;
    m_lanes.velocities[lane] = velocities;
    m_lanes.nextVelocities[lane] = next;
  };
  std::array<bool, kLanes> copied{};
  for (std::size_t lane = 0; lane < lanes;) {
    const Path& path = *m_inLanes[lane];
    if (copied[lane]) {
      ++lane;
      continue;
    }
    if (m_values == 3)
      if (const CellStock::Cell* const cell = findReady(path)) {
        point(lane, numbersOf(cell->map.position()), numbersOf(cell->nextMap), cell->now, cell->next);
        ++lane;
        continue;
      }
    const CellStock::Cell& cell = cellOf(path.location.block, path.location.cell);
    double* const its = m_copies.data() + lane * kCopiedOfCell;
    std::copy_n(numbersOf(cell.map.position()), kNumbers, its);
    std::copy_n(numbersOf(cell.nextMap), kNumbers, its + kNumbers);
    for (std::size_t corner = 0; corner < 8; ++corner) {
      std::copy_n(cell.now + corner * m_values, 3, its + 2 * kNumbers + 3 * corner);
      std::copy_n(cell.next + corner * m_values, 3, its + 3 * kNumbers + 3 * corner);
    }
    point(lane, its, its + kNumbers, its + 2 * kNumbers, its + 3 * kNumbers);
    copied[lane] = true;
    // others may have lost their place to it
    if (m_values == 3) lane = 0;
  }
  // the rest have numbers, too
  for (std::size_t lane = lanes; lane < kLanes; ++lane)
    point(lane, m_lanes.map[0], m_lanes.nextMap[0], m_lanes.velocities[0], m_lanes.nextVelocities[0]);
}

void Group::pack(std::size_t lane, const Path& path) {
  const auto put = [&](Vec3 vector, LaneSteps::Rows3& rows) {
    rows[0][lane] = vector.x;
    rows[1][lane] = vector.y;
    rows[2][lane] = vector.z;
  };
  put(path.location.xi, m_lanes.xi);
  put(path.position, m_lanes.position);
  m_lanes.isNear[lane] = path.isNear ? 1 : 0;
  put(path.before, m_lanes.before);
  put(path.velocityBefore, m_lanes.velocityBefore);
  m_lanes.evaluated[lane] = path.evaluated;
  m_lanes.time[lane] = path.start + path.elapsed;
  m_lanes.speedBefore[lane] = path.speedBefore;
  m_lanes.hBefore[lane] = path.hBefore;
  m_lanes.rest[lane] = path.rest();
  m_lanes.largestSpeed[lane] = path.largestSpeed;
  m_lanes.leastPace[lane] = path.leastPace;
  m_lanes.wish[lane] = path.wish;
  m_lanes.again[lane] = path.state == Path::State::TriesAgain ? path.again : 0;
}

/// As TracedLine::limitReached().
bool Group::limitReached(Path& path) {
  if (path.reached.length >= path.mostLength)
    path.termination = Termination::MaxLength;
  else if (path.reached.elapsed >= path.span)
    path.termination = Termination::MaxTime;
  else if (path.reached.steps >= path.mostSteps)
    path.termination = Termination::MaxSteps;
  else
    return false;
  path.state = Path::State::Ended;
  return true;
}

/// `path` is at its next vertex, in a cell with these `corners`, after a way of `length`.
void Group::reach(Path& path, double length, CellStock::Corners corners) {
  path.reached = {path.location, path.position, path.elapsed, path.reached.length + length,
                  path.reached.steps + 1};
  path.state = Path::State::GoesOn;
  addVertex(path, corners);
}

/// What takeSteps() found for `path`.
void Group::unpack(std::size_t lane, Path& path) {
  const auto has = [&](std::uint8_t lanes) { return (lanes >> lane & 1) != 0; };
  const auto n = static_cast<std::size_t>(&path - m_paths.data());
  if (path.isNear) {
    path.isNear = false;
    if (!has(m_lanes.found)) return locate(n);
    path.location.xi = path.reached.location.xi = vectorOf(m_lanes.xi, lane);
  }
  if (!has(m_lanes.finite)) {
    path.state = Path::State::Alone;
    return;
  }
  CellStock::Corners corners;
  if (m_values > 3) corners = cellOf(path.location.block, path.location.cell);
  const Path::State state = path.state;
  if (state == Path::State::Begins || state == Path::State::Arrives) {
    path.velocity = vectorOf(m_lanes.velocity, lane);
    const bool isNew = m_particles[n]->vertices == 0;
    if (state == Path::State::Arrives)
      reach(path, m_lanes.arcLength[lane], corners);
    else if (isNew)
      addVertex(path, corners);
    path.state = Path::State::GoesOn;
    if (limitReached(path)) return;
  }
  path.speed = m_lanes.speed[lane];
  path.largestSpeed = std::max(path.largestSpeed, path.speed);
  if (!has(m_lanes.possible)) {
    path.state = Path::State::Alone;
    return;
  }
  if (state != Path::State::TriesAgain) path.wish = LineOptions::kUnlimited;
  if (!has(m_lanes.accepted)) {
    path.again = m_lanes.h[lane] * StepControl().afterRejected(m_lanes.error[lane]);
    path.wish = kRetry * path.again;
    path.state = Path::State::TriesAgain;
    return;
  }
  if (has(m_lanes.exits)) return leaveCell(lane, path);
  if (!has(m_lanes.endFinite)) {
    path.state = Path::State::Alone;
    return;
  }
  goOn(lane, path);
  path.velocity = vectorOf(m_lanes.endVelocity, lane);
  path.location.xi = vectorOf(m_lanes.endXi, lane);
  reach(path, m_lanes.endArcLength[lane], corners);
  limitReached(path);
}

/// Moves `path` to the end of its step.
void Group::goOn(std::size_t lane, Path& path) {
  const double h = m_lanes.whole[lane];
  path.evaluated = path.start + path.elapsed + h;
  path.elapsed = h == path.rest() ? path.span : path.elapsed + h;
  path.position = vectorOf(m_lanes.endPosition, lane);
}

/// The step of `path` ends on a face of its cell.
void Group::leaveCell(std::size_t lane, Path& path) {
  fields::Location next = path.location;
  next.xi = vectorOf(m_lanes.endXi, lane);
  const fields::CellBetween& cell = cellOf(next.block, next.cell);
  const auto isBlank = [&](std::int64_t number) { return cellOf(next.block, number).blank; };
  if (!fields::overFace(next, cell.at, static_cast<int>(m_lanes.face[lane]), cell.cells, isBlank)) {
    path.state = Path::State::Alone;
    return;
  }
  path.before = path.position;
  path.velocityBefore = path.velocity;
  path.speedBefore = path.speed;
  path.hBefore = m_lanes.whole[lane];
  goOn(lane, path);
  path.location = next;
  expect(next);
  path.state = Path::State::Arrives;
}

/// The vertex that `path` is at, where the velocity is known; the other values are at its cell's `corners`.
void Group::addVertex(Path& path, CellStock::Corners corners) {
  if (m_waiting == m_mostVertices) passOn();
  double* const to = m_numbers.get() + m_waiting * (4 + m_values);
  to[0] = path.position.x;
  to[1] = path.position.y;
  to[2] = path.position.z;
  to[3] = path.elapsed == path.span ? path.end : path.start + path.elapsed;
  to[4] = path.velocity.x;
  to[5] = path.velocity.y;
  to[6] = path.velocity.z;
  if (m_values > 3) {
    const double share = (path.evaluated - m_interval.since) / (m_interval.until - m_interval.since);
    const double weight = std::clamp(share, 0.0, 1.0);
    const double *values = corners.now, *next = corners.next;
    std::fill_n(to + 7, m_values - 3, 0.0);
    for (const double corner : fields::cornerWeights(path.location.xi)) {
      for (std::size_t v = 3; v < m_values; ++v)
        to[4 + v] += corner * ((1 - weight) * values[v] + weight * next[v]);
      values += m_values;
      next += m_values;
    }
  }
  const auto its = static_cast<std::int32_t>(m_waiting++);
  m_after[static_cast<std::size_t>(its)] = -1;
  if (path.first < 0)
    path.first = its;
  else
    m_after[static_cast<std::size_t>(path.last)] = its;
  path.last = its;
}

/// Gives the sinks the vertices that wait.
void Group::passOn() {
  for (std::size_t n = 0; n < m_paths.size(); ++n) {
    Path& path = m_paths[n];
    if (path.first < 0 || path.state == Path::State::Alone) continue;
    LineSink& sink = m_sink.of(n);
    for (std::int32_t at = path.first; at >= 0; at = m_after[static_cast<std::size_t>(at)]) {
      const double* const its = m_numbers.get() + static_cast<std::size_t>(at) * (4 + m_values);
      sink.vertex({its[0], its[1], its[2]}, its[3], {its + 4, m_values});
      ++path.passed;
    }
    path.first = path.last = -1;
    path.passedOn = path.reached;
  }
  m_waiting = 0;
}

/// The time budget is spent.
void Group::endAll() {
  for (std::size_t n = 0; n < m_paths.size(); ++n) {
    Path& path = m_paths[n];
    if (!path.goesOn()) continue;
    // of a new one there may be no vertex
    const bool isNew = path.state == Path::State::Begins && m_particles[n]->vertices == 0;
    path.state = isNew ? Path::State::Alone : Path::State::Ended;
    path.termination = Termination::OutOfTime;
  }
}

/// `particle` has come so far on its `path`.
void Group::moveTo(Particle& particle, const Path& path, const Path::Reached& reached) const {
  const bool first = particle.vertices == 0;
  if (first) particle.block = reached.location.block;
  particle.vertices += reached.steps + (first ? 1 : 0);
  particle.position = reached.position;
  particle.time = reached.elapsed == path.span ? path.end : path.start + reached.elapsed;
  particle.length += reached.length;
  particle.location = reached.location;
  const bool oldest = path.end == particle.release + m_options.maxTime;
  if (path.termination != Termination::MaxTime || oldest) particle.termination = path.termination;
}

/// `particle` begins the interval again, but its first vertices are known.
void Group::goAlone(std::size_t n, const Path& path) {
  Particle& particle = *m_particles[n];
  const Particle before = particle;
  SampledField field(m_sampler, m_interval.step, m_interval.since, m_interval.until);
  LaterVertices later(m_sink.of(n), path.passed);
  advance(particle, m_interval.until, field, m_options, m_context, later);
  if (later.known() == 0) return;
  // the time budget ended before it was there again
  particle = before;
  moveTo(particle, path, path.passedOn);
  particle.termination = Termination::OutOfTime;
}

GroupCounts Group::finish() {
  passOn();
  GroupCounts counts;
  for (std::size_t n = 0; n < m_paths.size(); ++n) {
    const Path& path = m_paths[n];
    if (path.state != Path::State::Ended) {
      ++counts.alone;
      goAlone(n, path);
      continue;
    }
    ++counts.together;
    moveTo(*m_particles[n], path, path.reached);
    // neighbours go the same way
    if (n == 0 || n + 1 == m_paths.size())
      m_sampler.goingOn(path.reached.location, {m_interval.step, 1, true}, path.velocity);
  }
  return counts;
}

}  // namespace

GroupCounts advanceTogether(std::span<Particle* const> particles, const SeriesInterval& interval,
                            fields::Sampler& sampler, const LineOptions& options, tasks::TaskContext& context,
                            GroupSink& sink, StockLoan* loan) {
  auto* const cells = dynamic_cast<fields::CellsBetween*>(&sampler);
  if (cells && options.method == Method::Dopri5 && interval.between == fields::BetweenSteps::Linear)
    return std::make_unique<Group>(particles, interval, sampler, *cells, loan, options, context, sink)->run();
  for (std::size_t n = 0; n < particles.size(); ++n) {
    SampledField field(sampler, interval.step, interval.since, interval.until, interval.between);
    advance(*particles[n], interval.until, field, options, context, sink.of(n));
  }
  return {0, particles.size()};
}

std::uint64_t bytesTogether(std::size_t particles, int values) {
  return Group::bytesFor(particles, values);
}

}  // namespace farfield::flow
