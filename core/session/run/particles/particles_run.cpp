#include "core/session/run/particles/particles_run.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/functions/origin.h"
#include "core/flow/particle_group.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/changing_cells.h"
#include "core/session/run/lines/line_options.h"
#include "core/session/run/lines/seed_set.h"
#include "core/session/run/particles/particle_sinks.h"
#include "core/session/run/particles/particles_checkpoint.h"
#include "core/session/run/particles/release_times.h"
#include "core/session/run/task_order.h"

namespace farfield::session {
namespace {

constexpr std::uint64_t kGroup = 32;             // particles per task
constexpr std::size_t kMostGroups = 8;           // per task
constexpr std::size_t kLeastTasks = 10;          // per processor, of which some have several groups
constexpr std::uint64_t kGroupsOfBudget = 16;    // the part of it that tasks may have for more than one
constexpr std::uint64_t kRoomOfBudget = 4;       // the part of it that what is known of particles may have
constexpr int kLeastStock = 6, kMostStock = 12;  // bits: cells of a stock
constexpr std::uint8_t kNew = 255;               // of a group: not released yet

/// Of all pages that an interval may need: the grid, and what its steps have.
std::uint64_t bytesOfInterval(const fields::PagedData& data, int stepsAtATime) {
  const std::vector<std::string>& used = data.options().arrays;
  std::uint64_t bytes = 0;
  for (const paging::ArrayDescription& array : data.description().arrays)
    if ((array.isGrid() && !fields::areComputedPlaces(data.description(), array)) ||
        std::find(used.begin(), used.end(), array.name) != used.end())
      bytes += static_cast<std::uint64_t>(array.layout.pageCount() * array.maxPageBytes()) *
               static_cast<std::uint64_t>(std::min<std::int64_t>(array.steps, stepsAtATime));
  return bytes;
}

/// How many go on, of a group.
std::uint8_t aliveOf(std::span<const ParticleRecord> records) {
  return static_cast<std::uint8_t>(std::count_if(
      records.begin(), records.end(), [](const ParticleRecord& record) { return record.particle.alive(); }));
}

}  // namespace

ParticlesRun::ParticlesRun(const Object& object, const paging::DatasetDescription& description,
                           const Wishes& wishes, const std::vector<std::string>& own)
    : ObjectRun(object, description, wishes.vector, own),
      m_wishes(wishes),
      m_times(description.times),
      m_options(optionsOf(wishes.integrator)),
      m_seeds(makeSeeds(wishes.seeds, description)),
      m_extent(m_functions->outputCount()) {
  requireVector(*m_functions, wishes.vector.size());
  m_options.check();
  m_vectorName = wishes.vector.size() == 1 ? m_functions->functions().front().name : "velocity";
  for (std::size_t n = 0; n < m_times.size(); ++n)
    if (!std::isfinite(m_times[n]) || (n > 0 && m_times[n] <= m_times[n - 1]))
      throw Invalid("particles need times that ascend, and step " + std::to_string(n) +
                        " of the data is at " + formatNumber(m_times[n]),
                    "see the times with farfield info");
  if (paging::boxesChange(description) || paging::cellsChange(description))
    throw Unsupported(
        "the grid of these data changes from step to step, so there are no values between steps",
        "show streamlines of the steps");
  if (wishes.between == fields::BetweenSteps::Cubic &&
      std::any_of(description.blocks.begin(), description.blocks.end(),
                  [](const paging::BlockDescription& block) { return block.isUnstructured(); }))
    throw Unsupported("data of unstructured grids are linear between steps", "leave \"interpolation\" out")
        .at("interpolation");
  std::vector<std::int64_t> all(m_times.size());
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<std::int64_t>(n);
  resolveReleases(all);
}

/// Finds the times of release up to the last chosen step.
void ParticlesRun::resolveReleases(std::span<const std::int64_t> chosen) {
  m_releaseTimes = releaseTimes(m_wishes.release, m_wishes.everyStep, m_times, chosen);
  const std::uint64_t seeds = m_seeds->count();
  if (seeds > 0 &&
      m_releaseTimes.size() > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) / seeds)
    throw Invalid("more than 2147483647 particles", "ask for fewer seeds, or release fewer").at("release");
  m_groupsPerRelease = static_cast<std::size_t>((seeds + kGroup - 1) / kGroup);
}

std::uint64_t ParticlesRun::taskBytes() const {
  return fields::PagedData::samplerBytes(*m_functions, stepsAtATime()) + 1024 + bytesOf(kGroup) +
         PathLog::Writer::bytesFor(4 + m_functions->outputCount());
}

/// What a task has of so many particles.
std::uint64_t ParticlesRun::bytesOf(std::uint64_t particles) const {
  const auto values = static_cast<std::uint64_t>(m_functions->outputCount());
  return particles * (sizeof(ParticleRecord) + 3 * values * sizeof(double) + 256) +
         flow::bytesTogether(particles, m_functions->outputCount());
}

std::uint64_t ParticlesRun::stateBytes() const {
  return groupCount() * (sizeof(std::uint8_t) + sizeof(std::size_t)) +
         m_releaseTimes.size() * 2 * sizeof(double) + m_groupsPerRelease;
}

std::size_t ParticlesRun::taskCount(const paging::DatasetDescription& /*description*/) const {
  return groupCount();
}

ParticlesRun::Group ParticlesRun::groupOf(std::size_t number) const {
  const std::uint64_t first = number % m_groupsPerRelease * kGroup;
  return {number / m_groupsPerRelease, first, std::min<std::uint64_t>(kGroup, m_seeds->count() - first)};
}

std::size_t ParticlesRun::begin(const ObjectSurroundings& surroundings, const RunSteps& steps) {
  m_scheduler.reset();
  m_data = &surroundings.data.data();
  m_chosen = steps.chosen;
  resolveReleases(m_chosen);
  m_claim = surroundings.account.claim(Purpose::Results, stateBytes(), "particles");
  m_alive.assign(groupCount(), kNew);
  const auto particles = std::make_shared<Particles>();
  particles->releases = m_releaseTimes;
  particles->seeds = m_seeds->count();
  particles->room =
      std::make_shared<SpoolRoom>(surroundings.account, surroundings.account.budgetBytes() / kRoomOfBudget);
  particles->table =
      std::make_unique<ParticleTable>(surroundings.spoolFolder, particles->seeds * m_releaseTimes.size(),
                                      m_functions->outputCount(), particles->room);
  if (m_wishes.keepsPaths)
    particles->paths =
        std::make_shared<PathLog>(surroundings.spoolFolder, 4 + m_functions->outputCount(), particles->room);
  m_particles.store(particles);
  makeStocks(surroundings);
  makeRoomForGroups(surroundings);
  const auto after = std::upper_bound(m_times.begin(), m_times.end(), m_releaseTimes.front());
  m_step = after == m_times.begin() ? 0 : after - m_times.begin() - 1;
  if (const auto* const before = dynamic_cast<const ParticlesRun*>(steps.before))
    if (const std::size_t next = goOnFrom(*before, steps)) return next;
  const std::size_t next = steps.checkpoint.empty() ? 0 : ParticlesCheckpoint::read(*this, *m_data, steps);
  if (next == 0) return 0;
  m_spansAreKnown = false;
  std::int64_t more = 0;
  particles->table->visit([&](std::uint64_t, const ParticleRecord& record) {
    more += static_cast<std::int64_t>(pathVerticesOf(record)) - 1;
  });
  m_moreVertices = more;
  return next;
}

/// One for each processor, where the budget has room for more than pages.
void ParticlesRun::makeStocks(const ObjectSurroundings& surroundings) {
  if (m_functions->isOfUnstructured() || m_wishes.between != fields::BetweenSteps::Linear) return;
  const std::uint64_t particles = m_seeds->count() * m_releaseTimes.size();
  const int bits = std::clamp(static_cast<int>(std::bit_width(particles)), kLeastStock, kMostStock);
  const auto count = static_cast<std::uint64_t>(surroundings.data.plan().processors);
  const std::uint64_t bytes = count * flow::CellStock::bytesFor(bits, m_functions->outputCount());
  MemoryAccount& account = surroundings.account;
  if (account.onlyCounts() || account.freeBytes() < bytes + account.budgetBytes() / 2) return;
  auto claim = account.tryClaim(Purpose::Work, bytes);
  if (!claim) return;
  m_claimOfStocks = std::move(*claim);
  for (std::uint64_t n = 0; n < count; ++n)
    m_stocks.giveBack(std::make_unique<flow::CellStock>(bits, m_functions->outputCount()));
}

/// For tasks with several groups, where the budget has room for more than pages.
void ParticlesRun::makeRoomForGroups(const ObjectSurroundings& surroundings) {
  const fields::PagedData& data = surroundings.data;
  MemoryAccount& account = surroundings.account;
  m_claimOfGroups = {};
  m_mostGroups = 1;
  const auto bytesWith = [&](std::size_t groups) {
    return static_cast<std::uint64_t>(data.plan().maxTasks) * (bytesOf(groups * kGroup) - bytesOf(kGroup));
  };
  std::size_t groups = kMostGroups;
  while (groups > 1 && bytesWith(groups) > account.budgetBytes() / kGroupsOfBudget) --groups;
  const std::uint64_t bytes = bytesWith(groups);
  if (account.onlyCounts() || groups == 1 || account.freeBytes() < bytes + account.budgetBytes() / 2) return;
  auto claim = account.tryClaim(Purpose::Work, bytes);
  if (!claim) return;
  m_claimOfGroups = std::move(*claim);
  m_mostGroups = groups;
  const auto* const remote = dynamic_cast<const fields::RemoteOrigin*>(&data.data());
  const bool isNear = !remote || remote->origin().url.empty();
  m_fewTasksWait = isNear && bytesOfInterval(data, stepsAtATime()) <= data.cache().frameBytes() / 2;
}

/// Several only where that leaves enough tasks: for all processors, and where pages are waited for, as many as may wait at a time.
std::size_t ParticlesRun::groupsPerTask(const fields::PagedData& data, std::size_t groups) const {
  if (m_budget && m_budget->given()) return 1;
  const auto least = m_fewTasksWait ? kLeastTasks * static_cast<std::size_t>(data.plan().processors)
                                    : static_cast<std::size_t>(data.plan().maxTasks);
  return std::clamp<std::size_t>(groups / least, 1, m_mostGroups);
}

/// As ParticlesCheckpoint::read().
std::size_t ParticlesRun::goOnFrom(const ParticlesRun& before, const RunSteps& steps) {
  const auto theirs = before.particles();
  const auto particles = m_particles.load();
  const std::size_t started = before.startedReleases();
  const auto beginsAlike = [](const auto& mine, const auto& other, std::size_t count) {
    return count <= mine.size() && count <= other.size() &&
           std::equal(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(count), other.begin());
  };
  const auto chosen = static_cast<std::size_t>(
      std::upper_bound(m_chosen.begin(), m_chosen.end(), before.m_step) - m_chosen.begin());
  const std::size_t behind = before.stepsBehind(before.m_step, before.m_times.size());
  if (!theirs || before.m_onTheWay || !sameGeometry(m_object, before.m_object) || chosen == 0 ||
      chosen > steps.first || m_seeds->count() != theirs->seeds ||
      particles->table->recordBytes() != theirs->table->recordBytes() ||
      stepsBehind(before.m_step, m_times.size()) != behind || !beginsAlike(m_times, before.m_times, behind) ||
      !beginsAlike(m_chosen, before.m_chosen, chosen) ||
      !beginsAlike(m_releaseTimes, before.m_releaseTimes, started))
    return 0;
  particles->table->copyFrom(*theirs->table, started * particles->seeds);
  if (particles->paths) particles->paths = theirs->paths;
  std::copy_n(before.m_alive.begin(), started * m_groupsPerRelease, m_alive.begin());
  m_step = before.m_step.load();
  m_moreVertices = before.m_moreVertices.load();
  m_spansAreKnown = before.m_spansAreKnown;
  const std::scoped_lock lock(m_extentMutex, before.m_extentMutex);
  m_extent = before.m_extent;
  return chosen;
}

std::size_t ParticlesRun::stepsBehind(std::int64_t step, std::size_t steps) const {
  // the slope at a step depends on the next one
  const std::int64_t further = m_wishes.between == fields::BetweenSteps::Cubic && step > 0 ? 1 : 0;
  return std::min(static_cast<std::size_t>(step + 1 + further), steps);
}

std::size_t ParticlesRun::startedReleases() const {
  std::size_t count = 0;
  if (m_groupsPerRelease == 0) return 0;
  const auto hasBegun = [&](std::size_t group) {
    auto& alive = const_cast<std::uint8_t&>(m_alive[group]);  // which an atomic_ref wants even for reading
    return std::atomic_ref(alive).load(std::memory_order_relaxed) != kNew;
  };
  while (count < m_releaseTimes.size() && hasBegun(count * m_groupsPerRelease)) ++count;
  return count;
}

std::size_t ParticlesRun::knownReleases() const {
  const std::size_t started = startedReleases();
  return m_newcomers.alive.empty() ? started : std::max(started, m_newcomers.release + 1);
}

bool ParticlesRun::anyAlive(std::uint64_t firstSeed, std::uint64_t seeds) const {
  const std::size_t first = firstSeed / kGroup, last = (firstSeed + seeds - 1) / kGroup;
  for (std::size_t release = 0; release < m_releaseTimes.size(); ++release)
    for (std::size_t n = first; n <= last; ++n)
      if (const std::uint8_t alive = m_alive[release * m_groupsPerRelease + n]; alive > 0 && alive != kNew)
        return true;
  for (std::size_t n = first; n <= last && n < m_newcomers.alive.size(); ++n)
    if (m_newcomers.alive[n] > 0) return true;
  return false;
}

bool ParticlesRun::hasWork(std::size_t group, const Interval& interval) const {
  return m_alive[group] == kNew ? m_releaseTimes[group / m_groupsPerRelease] < interval.until
                                : m_alive[group] > 0;
}

void ParticlesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  m_lastGroup = {};
  m_onTheWay = true;
  m_newcomers = {};
  m_budget.emplace(m_object.budgetMs, shareOfMoving());
  lookForSeeds(surroundings);
  for (; m_step < step; ++m_step) {
    const std::unique_ptr<fields::StepAhead> ahead = nextInterval(surroundings);
    advanceAll(surroundings, {m_step, timeOf(m_step), timeOf(m_step + 1)});
  }
  m_onTheWay = false;
  if (step == m_chosen.back()) dropStocks();
}

/// What makes steps fast, which none follows.
void ParticlesRun::dropStocks() {
  while (m_stocks.borrow()) continue;
  m_claimOfStocks = {};
  m_claimOfGroups = {};
  m_mostGroups = 1;
}

void ParticlesRun::leaveMemory() {
  dropStocks();
  const auto particles = m_particles.load();
  if (!particles) return;
  particles->table->leaveMemory();
  if (particles->paths) particles->paths->leaveMemory();  // whose room may be that of the run before
}

/// Of grids that move where they are at the first step: seeds move with the grid.
void ParticlesRun::lookForSeeds(const ObjectSurroundings& surroundings) const {
  if (std::exchange(m_seedsAreFound, true)) return;
  m_seeds = findSeeds(m_wishes.seeds, surroundings, 0);
}

/// What reads ahead what the interval after the present one needs beside it: one step, at the places where particles are. Null
/// where there is none, or a window does so for all its objects.
std::unique_ptr<fields::StepAhead> ParticlesRun::nextInterval(const ObjectSurroundings& surroundings) const {
  fields::PagedData& data = surroundings.data;
  // with cubic interpolation an interval needs the step behind it as well
  const std::int64_t last = m_step + (m_wishes.between == fields::BetweenSteps::Cubic ? 2 : 1);
  if (surroundings.watched || !data.asksAhead() || m_step + 1 >= m_chosen.back() ||
      last + 1 >= data.description().steps())
    return nullptr;
  auto ahead = std::make_unique<fields::StepAhead>(data, last, last + 1);
  ahead->begin();
  return ahead;
}

/// Runs `work` for all of `groups`.
void ParticlesRun::run(const ObjectSurroundings& surroundings, const std::vector<std::size_t>& groups,
                       const Work& work) {
  if (m_budget && m_budget->isSpent()) {
    m_lastGroup.outOfTime = m_lastGroup.outOfTime || !groups.empty();
    return noteMissing(0, groups.size());
  }
  const std::size_t perTask = groupsPerTask(surroundings.data, groups.size());
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = (groups.size() + perTask - 1) / perTask;
  group.admission = &surroundings.data.admission();
  const TaskOrder order(group.count, TaskOrder::kindFor(false, m_budget && m_budget->given()));
  const auto groupsOf = [&](std::size_t n) {
    const std::size_t first = order(n) * perTask;
    return std::span(groups).subspan(first, std::min(perTask, groups.size() - first));
  };
  group.progress = surroundings.progress;
  group.describe = [&](std::size_t n) {
    const std::span<const std::size_t> its = groupsOf(n);
    const Group first = groupOf(its.front()), last = groupOf(its.back());
    return "seeds " + std::to_string(std::min(first.firstSeed, last.firstSeed)) + " to " +
           std::to_string(std::max(first.firstSeed + first.seeds, last.firstSeed + last.seeds) - 1) +
           (first.release == last.release ? ", released at " + formatNumber(m_releaseTimes[first.release])
                                          : std::string());
  };
  group.run = [&](std::size_t n, tasks::TaskContext& context) { work(groupsOf(n), context); };
  if (m_budget) group.timeBudget = m_budget->left();
  if (!m_scheduler) m_scheduler = surroundings.data.makeScheduler();
  tasks::GroupResult result;
  try {
    result = m_scheduler->run(group, surroundings.stop);
  } catch (...) {
    m_scheduler.reset();  // what failed keeps no stacks
    throw;
  }
  // its stacks are memory that the next interval would otherwise have cleared again
  if (surroundings.watched || surroundings.account.freeBytes() < surroundings.account.budgetBytes() / 2)
    m_scheduler.reset();
  // several groups are a task only where no time is given, and then all are finished
  noteMissing(result.finished, group.count);
  m_lastGroup.finished += result.finished;
  m_lastGroup.outOfTime = m_lastGroup.outOfTime || result.outOfTime;
  m_lastGroup.waits += result.waits;
  m_lastGroup.longestWaitChain = std::max(m_lastGroup.longestWaitChain, result.longestWaitChain);
  m_lastGroup.mostInFlight = std::max(m_lastGroup.mostInFlight, result.mostInFlight);
  m_lastGroup.busySeconds += result.busySeconds;
}

void ParticlesRun::advanceAll(const ObjectSurroundings& surroundings, const Interval& interval) {
  // particles of one seed follow one another through the same cells, so that what one task took is near by for the next
  std::vector<std::size_t> groups;
  for (std::size_t seeds = 0; seeds < m_groupsPerRelease; ++seeds)
    for (std::size_t n = seeds; n < groupCount(); n += m_groupsPerRelease)
      if (hasWork(n, interval)) groups.push_back(n);
  const auto particles = m_particles.load();
  run(surroundings, groups, [&](std::span<const std::size_t> numbers, tasks::TaskContext& context) {
    advanceGroups(numbers, interval, surroundings.data, context, *particles);
  });
}

/// A particle released at `time` from `seed` that has not been located.
ParticleRecord ParticlesRun::released(std::uint64_t seed, double time, fields::PagedData& data,
                                      tasks::TaskContext& context) const {
  const Vec3 place = seedOf(*m_seeds, seed, data, context, fields::fieldTimeAt(m_times, time));
  ParticleRecord record{flow::Particle::released(place, time), 0, {}};
  record.values.assign(static_cast<std::size_t>(m_functions->outputCount()),
                       std::numeric_limits<double>::quiet_NaN());
  return record;
}

/// Moves those of `records` that go on to the end of `interval`. New vertices go to `paths`.
void ParticlesRun::move(std::span<ParticleRecord> records, const Interval& interval, fields::Sampler& sampler,
                        tasks::TaskContext& context, PathLog::Writer& paths, PathExtent& extent,
                        flow::StockLoan* loan) const {
  std::vector<ParticleRecord*> moving;
  std::vector<flow::Particle*> particles;
  moving.reserve(records.size());
  particles.reserve(records.size());
  for (ParticleRecord& record : records) {
    if (!record.particle.alive()) continue;
    if (record.particle.time < interval.since) {
      // the time budget ended before it got here
      record.particle.termination = flow::Termination::OutOfTime;
      continue;
    }
    moving.push_back(&record);
    particles.push_back(&record.particle);
  }
  if (particles.empty()) return;
  RecordSinks sinks(moving, paths, extent);
  flow::advanceTogether(particles, {interval.step, interval.since, interval.until, m_wishes.between}, sampler,
                        m_options, context, sinks, loan);
}

/// Moves those of groups `numbers` that go on to the end of `interval`. `records` are what is known of them, of new ones to be
/// made; `known` says how many of them are as they are to stay, also where something is thrown.
void ParticlesRun::moveGroups(std::span<const std::size_t> numbers, std::vector<ParticleRecord>& records,
                              std::size_t& known, const Interval& interval, fields::PagedData& data,
                              tasks::TaskContext& task, PathLog::Writer& paths, PathExtent& extent) const {
  flow::StockLoan context(m_stocks, task);
  const std::unique_ptr<fields::Sampler> sampler = data.makeSampler(context, m_functions);
  std::size_t at = 0;
  for (const std::size_t number : numbers) {
    const Group group = groupOf(number);
    if (m_alive[number] == kNew)
      for (std::size_t n = 0; n < group.seeds; ++n)
        records[at + n] = released(group.firstSeed + n, m_releaseTimes[group.release], data, context);
    at += group.seeds;
  }
  known = records.size();
  move(records, interval, *sampler, context, paths, extent, &context);
}

void ParticlesRun::advanceGroups(std::span<const std::size_t> numbers, const Interval& interval,
                                 fields::PagedData& data, tasks::TaskContext& context, Particles& particles) {
  std::size_t count = 0;
  for (const std::size_t number : numbers) count += groupOf(number).seeds;
  std::vector<ParticleRecord> records(count);
  // those of each group, and the number of its first particle
  const auto forEach = [&](const auto& visit) {
    std::size_t at = 0;
    for (const std::size_t number : numbers) {
      const Group group = groupOf(number);
      visit(number, particles.numberOf(group.release, group.firstSeed), at, group.seeds);
      at += group.seeds;
    }
  };
  forEach([&](std::size_t number, std::uint64_t first, std::size_t at, std::size_t seeds) {
    if (m_alive[number] != kNew) particles.table->read(first, std::span(records).subspan(at, seeds));
  });
  const auto verticesNow = [&] {
    std::int64_t vertices = 0;
    for (const ParticleRecord& record : records)
      vertices += static_cast<std::int64_t>(pathVerticesOf(record));
    return vertices;
  };
  const std::int64_t verticesBefore = verticesNow();
  std::size_t known = 0;
  bool inTime = true;
  PathExtent extent(m_functions->outputCount());
  PathLog::Writer paths(particles.paths.get());
  try {
    moveGroups(numbers, records, known, interval, data, context, paths, extent);
  } catch (const tasks::TimeIsUp&) {
    inTime = false;
  }
  paths.flush();
  if (known > 0)
    forEach([&](std::size_t, std::uint64_t first, std::size_t at, std::size_t seeds) {
      particles.table->write(first, std::span(records).subspan(at, seeds));
    });
  if (known > 0) m_moreVertices += verticesNow() - verticesBefore;
  {
    const std::lock_guard lock(m_extentMutex);
    m_extent.add(extent);
  }
  if (!inTime) throw tasks::TimeIsUp();
  forEach([&](std::size_t number, std::uint64_t, std::size_t at, std::size_t seeds) {
    std::atomic_ref(m_alive[number])
        .store(aliveOf(std::span(records).subspan(at, seeds)), std::memory_order_relaxed);
  });
}

tasks::GroupResult ParticlesRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                          std::span<const std::size_t> numbers,
                                          std::chrono::milliseconds limit) const {
  const std::int64_t first = std::min(step, static_cast<std::int64_t>(m_times.size()) - 2);
  if (first < 0) return {};
  lookForSeeds(surroundings);
  const Interval interval{first, timeOf(first), timeOf(first + 1)};
  return runTasks(surroundings, numbers, limit, [&](std::size_t number, tasks::TaskContext& context) {
    const Group group = groupOf(number);
    const auto sampler = surroundings.data.makeSampler(context, m_functions);
    PathExtent extent(m_functions->outputCount());
    PathLog::Writer nowhere(nullptr);
    std::vector<ParticleRecord> records(group.seeds);
    for (std::uint64_t n = 0; n < group.seeds; ++n)
      records[n] = released(group.firstSeed + n, interval.since, surroundings.data, context);
    move(records, interval, *sampler, context, nowhere, extent, nullptr);
  });
}

void ParticlesRun::beforePicture(const ObjectSurroundings& surroundings) {
  if (m_wishes.keepsPaths) lookAtNewcomers(surroundings);
}

void ParticlesRun::end(const ObjectSurroundings& surroundings) {
  if (m_wishes.keepsPaths) lookAtNewcomers(surroundings);
  m_scheduler.reset();
}

void ParticlesRun::lookAtNewcomers(const ObjectSurroundings& surroundings) {
  const double now = timeOf(m_step);
  const auto its = std::lower_bound(m_releaseTimes.begin(), m_releaseTimes.end(), now);
  if (its == m_releaseTimes.end() || *its != now) return;
  const auto release = static_cast<std::size_t>(its - m_releaseTimes.begin());
  if (!m_newcomers.alive.empty() && m_newcomers.release == release) return;
  std::vector<std::size_t> groups;
  for (std::size_t n = release * m_groupsPerRelease; n < (release + 1) * m_groupsPerRelease; ++n)
    if (m_alive[n] == kNew) groups.push_back(n);
  if (groups.empty()) return;
  m_newcomers = {release, std::vector<std::uint8_t>(m_groupsPerRelease)};
  lookForSeeds(surroundings);
  const auto particles = m_particles.load();
  run(surroundings, groups, [&](std::span<const std::size_t> numbers, tasks::TaskContext& context) {
    const std::unique_ptr<fields::Sampler> sampler = surroundings.data.makeSampler(context, m_functions);
    PathExtent extent(m_functions->outputCount());
    for (const std::size_t number : numbers) {
      const Group group = groupOf(number);
      std::vector<ParticleRecord> records(group.seeds);
      PathLog::Writer paths(particles->paths.get());
      for (std::uint64_t n = 0; n < group.seeds; ++n) {
        records[n] = released(group.firstSeed + n, now, surroundings.data, context);
        RecordSink sink(records[n], paths, extent);
        flow::SampledField field(*sampler, fields::FieldTime{m_step});
        flow::look(records[n].particle, field, sink);
      }
      paths.flush();
      particles->table->write(particles->numberOf(group.release, group.firstSeed), records);
      m_newcomers.alive[number % m_groupsPerRelease] = aliveOf(records);
    }
    const std::lock_guard lock(m_extentMutex);
    m_extent.add(extent);
  });
}

void ParticlesRun::writeCheckpoint(const std::filesystem::path& path) const {
  ParticlesCheckpoint::write(*this, *m_data, path);
}

void ParticlesRun::removeCheckpoint(const std::filesystem::path& path) const noexcept {
  ParticlesCheckpoint::remove(path);
}

}  // namespace farfield::session
