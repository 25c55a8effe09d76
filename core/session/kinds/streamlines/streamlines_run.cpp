#include "core/session/kinds/streamlines/streamlines_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/fields/functions/node_coordinates.h"
#include "core/fields/paged/paged_nodes.h"
#include "core/flow/line_turning.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/session/kinds/streamlines/line_particles.h"
#include "core/session/kinds/streamlines/line_spacing.h"
#include "core/session/kinds/streamlines/line_surfaces.h"
#include "core/session/kinds/streamlines/seed_order.h"
#include "core/session/kinds/streamlines/seed_places.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/lines/line_options.h"
#include "core/session/run/lines/seed_set.h"
#include "core/session/run/task_order.h"

namespace farfield::session {
namespace {

/// So few lines share most of what they read in any order.
constexpr std::size_t kFewSeeds = 256;
constexpr std::size_t kRestAtATime = 512;  // lines not begun that a task writes
constexpr double kShareOfTracing = 0.8;    // of the time, where lines are chosen afterwards
constexpr double kUsualRadius = 0.002;     // of tubes, of the diagonal of what is shown
constexpr double kUsualParticle = 0.005;   // of particles
constexpr double kUsualDash = 0.08;        // longest way from dash to dash, of that diagonal

/// The functions of a line's vertices: the vector, and what the radius follows.
std::vector<std::string> functionsOf(const Streamlines& lines,
                                     const paging::DatasetDescription& description) {
  std::vector<std::string> functions = lines.vector;
  if (lines.radius.by.empty()) return functions;
  try {
    const fields::FunctionPlan alone(description, {lines.radius.by});
    if (alone.functions().front().components != 1)
      throw Invalid("'" + lines.radius.by + "' is a vector, and a radius is one number",
                    "name its magnitude");
  } catch (Error& error) {
    error.at("radius.by");
    throw;
  }
  functions.push_back(lines.radius.by);
  return functions;
}

/// A line of the spool, as engines take it.
class SpooledLine final : public flow::LineJob::Sink {
 public:
  explicit SpooledLine(LineSpool::Writer writer) : m_writer(std::move(writer)) {}
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    m_writer.vertex(point, time, values);
  }
  void finish(const flow::LineResult& result, Vec3 seed) override { m_writer.finish(result, seed); }

 private:
  LineSpool::Writer m_writer;
};

class ForgetfulSink final : public flow::LineSink {
 public:
  void vertex(Vec3, double, std::span<const double>) override {}
};

}  // namespace

StreamlinesRun::StreamlinesRun(const Object& object, const paging::DatasetDescription& description)
    : LinesRun(object, description, functionsOf(std::get<Streamlines>(object.shape), description)),
      m_lines(std::get<Streamlines>(object.shape)),
      m_options(optionsOf(m_lines.integrator)) {
  requireVector(*m_functions, m_lines.vector.size());
  m_options.check();
  if (!m_lines.radius.by.empty()) m_radiusValue = m_functions->outputOf(m_lines.vector.size());
  if (m_lines.direction != Direction::Backward) m_directions.push_back(1);
  if (m_lines.direction != Direction::Forward) m_directions.push_back(-1);
}

std::uint64_t StreamlinesRun::taskBytes() const {
  const std::uint64_t ofField = 1024 + (moreValues() > 0 ? 3 : 2) * sizeof(double) *
                                           static_cast<std::uint64_t>(m_functions->outputCount());
  return kBlockBytes + fields::PagedData::samplerBytes(*m_functions) + ofField;
}

std::size_t StreamlinesRun::taskCount(const paging::DatasetDescription& description) const {
  return makeSeeds(m_lines.seeds, description)->count() * m_directions.size();
}

std::shared_ptr<flow::SeedSet> StreamlinesRun::seedsAt(const ObjectSurroundings& surroundings,
                                                       std::int64_t step) const {
  const paging::DatasetDescription& data = surroundings.data.description();
  const bool isStill = paging::blocksAt(data, step).empty() &&
                       std::none_of(data.arrays.begin(), data.arrays.end(),
                                    [](const auto& array) { return array.isGrid() && array.steps > 1; });
  if (!m_seeds || (m_seedsStep != step && !isStill)) m_seeds = findSeeds(m_lines.seeds, surroundings, step);
  m_seedsStep = step;
  return m_seeds;
}

flow::LineResult StreamlinesRun::trace(std::size_t number, Vec3 seed, fields::PagedData& data,
                                       tasks::TaskContext& context, std::int64_t step, flow::LineSink& sink,
                                       SeedPlaces& places) const {
  const std::unique_ptr<fields::Sampler> sampler = data.makeSampler(context, m_functions);
  flow::SampledField field(*sampler, {step});
  fields::Location place = places.find(number / m_directions.size());
  const bool known = place.valid();
  std::optional<flow::TurningSink> turning;
  if (moreValues() > 0) turning.emplace(field, static_cast<std::size_t>(m_functions->outputCount()), sink);
  flow::LineSink& out = turning ? *turning : sink;
  const flow::LineResult result = flow::traceLine(field, seed, m_directions[number % m_directions.size()],
                                                  m_options, context, out, &place);
  if (!known && place.valid()) places.keep(number / m_directions.size(), place);
  return result;
}

tasks::GroupResult StreamlinesRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                            std::span<const std::size_t> numbers,
                                            std::chrono::milliseconds limit) const {
  fields::PagedData& data = surroundings.data;
  const std::shared_ptr<flow::SeedSet> seeds = seedsAt(surroundings, step);
  SeedPlaces places;
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    ForgetfulSink sink;
    trace(n, seedOf(*seeds, n / m_directions.size(), data, context, {step}), data, context, step, sink,
          places);
  });
}

std::optional<FlowSketch> StreamlinesRun::sketch(const flow::SeedSet& seeds,
                                                 const ObjectSurroundings& surroundings,
                                                 std::int64_t step) const {
  // Watched or short runs begin with lines from everywhere, or at once. Seeds that are nodes are in the order
  // of pages anyway.
  const bool asNumbered = surroundings.watched || m_object.budgetMs || startsAtNodes();
  if (asNumbered || seeds.count() <= kFewSeeds) return {};
  return sketchFlow(seeds, surroundings, {step}, [&](tasks::TaskContext& context) {
    return surroundings.data.makeSampler(context, m_functions);
  });
}

void StreamlinesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  fields::PagedData& data = surroundings.data;
  const std::shared_ptr<flow::SeedSet> seeds = seedsAt(surroundings, step);
  const std::size_t directions = m_directions.size(), lineCount = seeds->count() * directions;
  const TaskShare& share = surroundings.share;
  const std::size_t count = share.countOf(seeds->count()) * directions;
  const TaskOrder spread(count, TaskOrder::kindFor(surroundings.watched, budget.given()));
  // Who shares it with others takes seeds as they are numbered: another order might not be the others'.
  const SeedOrder nearby(*seeds, share.of == 1 ? sketch(*seeds, surroundings, step) : std::nullopt,
                         data.description(), surroundings.account);
  const auto order = [&](std::size_t started) {
    const std::size_t n = spread(started);
    const std::size_t seed = share.of == 1 ? nearby(n / directions) : share.number(n / directions);
    return seed * directions + n % directions;
  };
  m_device.store(nullptr);
  m_spaced.store(nullptr);
  const bool onDevice = m_object.engine == Engine::OpenCl && surroundings.traceLines && share.of == 1;
  if (onDevice && traceOnDevice(surroundings, step, seeds, order, budget)) return;

  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = count;
  group.admission = &data.admission();
  group.progress = surroundings.progress;
  const auto lines = makeSpool(surroundings, lineCount, moreValues());
  SeedPlaces places;
  group.describe = [&](std::size_t n) { return "seed " + std::to_string(order(n) / directions); };
  group.run = [&](std::size_t started, tasks::TaskContext& context) {
    const std::size_t n = order(started);
    const Vec3 seed = seedOf(*seeds, n / directions, data, context, {step});
    LineSpool::Writer line = lines->open(n);
    line.finish(trace(n, seed, data, context, step, line, places), seed);
  };
  group.timeBudget = timeForTracing(budget);
  m_lastGroup = data.makeScheduler()->run(group, surroundings.stop);
  // Of a share lines are chosen where all are.
  const double kept = share.of == 1 ? chooseSpaced(surroundings, budget) : 1;
  noteMissing(finishedOf(m_lastGroup.finished, kept), count);
  if (m_lastGroup.outOfTime) readRestAsSeeds(data, seeds);
}

std::uint64_t StreamlinesRun::linesAt(const paging::DatasetDescription& data, std::int64_t step) const {
  return makeSeeds(m_lines.seeds, data, step)->count() * m_directions.size();
}

/// Which part of the lines could be looked at in time.
double StreamlinesRun::chooseSpaced(const ObjectSurroundings& surroundings, const TimeBudget& budget) {
  double kept = 1;
  if (m_lines.spacing)
    m_spaced.store(spacedLines(*spool(), m_directions, *m_lines.spacing, surroundings, budget, kept));
  return kept;
}

/// What tracing may take; the rest is for choosing among the lines.
std::chrono::milliseconds StreamlinesRun::timeForTracing(const TimeBudget& budget) const {
  return budget.left(m_lines.spacing ? kShareOfTracing : 1);
}

std::shared_ptr<const Polylines> StreamlinesRun::shown() const {
  if (auto spaced = m_spaced.load()) return spaced;
  const auto lines = spool();
  return lines ? polylinesOf(lines, m_directions) : nullptr;
}

Bounds StreamlinesRun::bounds() const {
  const auto spaced = m_spaced.load();
  return spaced ? spaced->bounds() : LinesRun::bounds();
}

/// False where no device can, and tasks are to trace all lines.
bool StreamlinesRun::traceOnDevice(const ObjectSurroundings& surroundings, std::int64_t step,
                                   const std::shared_ptr<const flow::SeedSet>& seeds,
                                   const std::function<std::size_t(std::size_t)>& order,
                                   const TimeBudget& budget) {
  const std::size_t directions = m_directions.size(), count = seeds->count() * directions;
  const auto lines = makeSpool(surroundings, count, moreValues());
  const flow::LineJob job{
      .data = surroundings.data,
      .functions = m_functions,
      .step = step,
      .options = m_options,
      .turns = moreValues() > 0,
      .count = count,
      .seed =
          [&](std::size_t started, tasks::TaskContext& context) {
            const std::size_t n = order(started);
            return flow::LineJob::Seed{seedOf(*seeds, n / directions, surroundings.data, context, {step}),
                                       m_directions[n % directions]};
          },
      .describe = [&](std::size_t n) { return "seed " + std::to_string(order(n) / directions); },
      .open = [&](std::size_t n) { return std::make_unique<SpooledLine>(lines->open(order(n))); },
      .sinkBytes = kBlockBytes,
      .account = surroundings.account,
      .stop = surroundings.stop,
      .timeBudget = timeForTracing(budget),
      .progress = surroundings.progress};
  std::optional<flow::LineCounts> counts = surroundings.traceLines(job);
  if (!counts) return false;
  m_lastGroup = counts->group;
  m_device.store(std::make_shared<const flow::LineCounts>(*std::move(counts)));
  const double kept = chooseSpaced(surroundings, budget);
  noteMissing(finishedOf(m_lastGroup.finished, kept), count);
  if (m_lastGroup.outOfTime) readRestAsSeeds(surroundings.data, seeds);
  return true;
}

/// Whether seeds are nodes whose places have to be read, which only tasks can do.
bool StreamlinesRun::hasPlacesToRead(const paging::DatasetDescription& description) const {
  return startsAtNodes() &&
         std::any_of(description.blocks.begin(), description.blocks.end(),
                     [](const paging::BlockDescription& block) { return block.hasCoordinates(); });
}

/// Lines that were never started are only their seed, so that there is one for every seed and direction. Where seeds have to
/// be read first they are not there before complete(): there may be very many of them, and the time is over.
void StreamlinesRun::readRestAsSeeds(const fields::PagedData& data,
                                     const std::shared_ptr<const flow::SeedSet>& seeds) const {
  if (hasPlacesToRead(data.description())) return;
  spool()->readRestAs(
      [seeds, directions = m_directions.size(), blocks = data.description().blocks](std::uint64_t n) {
        return seeds->at(n / directions, [&](int block, const Index3& node) {
          return fields::regularNode(blocks[static_cast<std::size_t>(block)], node);
        });
      });
}

void StreamlinesRun::complete(const ObjectSurroundings& surroundings, std::int64_t step) {
  fields::PagedData& data = surroundings.data;
  if (!m_lastGroup.outOfTime || !hasPlacesToRead(data.description())) return;
  const std::shared_ptr<flow::SeedSet> seeds = seedsAt(surroundings, step);
  const std::size_t directions = m_directions.size(), count = seeds->count() * directions;
  const auto lines = spool();
  tasks::TaskGroup rest;
  rest.name = m_object.name;
  rest.count = (count + kRestAtATime - 1) / kRestAtATime;
  rest.admission = &data.admission();
  rest.run = [&](std::size_t part, tasks::TaskContext& context) {
    const std::size_t first = part * kRestAtATime;
    fields::NodePlaces places(data, context, step);
    lines->finishRest(first, std::min(kRestAtATime, count - first), [&](std::uint64_t n) {
      context.throwIfStopped();
      return seeds->at(n / directions, [&](int block, const Index3& node) { return places.at(block, node); });
    });
  };
  data.makeScheduler()->run(rest, surroundings.stop);
}

bool StreamlinesRun::startsAtNodes() const {
  return std::holds_alternative<GridPointSeeds>(m_lines.seeds) ||
         std::holds_alternative<SpreadSeeds>(m_lines.seeds);
}

void StreamlinesRun::writeGeometry(const std::filesystem::path& path) const {
  const std::string name = m_lines.vector.size() == 1 ? m_functions->functions().front().name : "velocity";
  LineFileContents contents;
  contents.vertices = {{"time", 3, 1}, {name, 4, 3}};
  contents.cells = {{"seed"}, {"direction"}, {"termination"}, {"block"}};
  contents.vectors = name;
  contents.terminations = true;
  if (colorValue()) {
    contents.scalars = m_colorName;
    // the time of the line takes precedence over a function of that name
    if (m_colorName != "time") contents.vertices.push_back({m_colorName, 4 + *colorValue(), 1});
  }
  writeLines(path, *shown(), contents);
}

scene::SceneItem StreamlinesRun::item(const Object& look) const {
  const auto& its = std::get<Streamlines>(look.shape);
  scene::SceneItem item = LinesRun::item(look);
  item.widthPixels = its.widthPixels;
  const auto lines = shown();
  if (!lines) return item;
  // columns of a vertex: point, time, values
  const std::optional<int> column = colorValue() ? std::optional(4 + *colorValue()) : std::nullopt;
  if (its.form == LineForm::Lines) {
    const double period = its.dashes ? interval(*its.dashes) : 0;
    item.dashed = period > 0;
    item.lines =
        lineGeometry(lines, column, item.dashed ? std::optional(DashStyle{3, period}) : std::nullopt);
    return item;
  }
  LineSurfaceStyle style{.form = its.form, .column = column, .vector = 4};
  const double usual = its.form == LineForm::Particles ? kUsualParticle : kUsualRadius;
  style.radius = its.radius.constant.value_or(usual * bounds().diagonal());
  if (m_radiusValue)
    if (const auto values = shownRange(*m_radiusValue))
      style.byColumn = {4 + *m_radiusValue, *values, its.radius.range};
  if (its.form == LineForm::Ribbons && spool()->valuesPerVertex() > m_functions->outputCount())
    style.turned = 4 + m_functions->outputCount();
  style.twist = its.twist;
  item.lines = nullptr;
  if (its.form != LineForm::Particles) {
    item.triangles = lineSurfaces(lines, style);
  } else if (const double period = interval(its.every); period > 0) {
    item.particles = item.dashed = true;
    item.lines = lineParticles(lines, style, {3, period});
  }
  return item;
}

/// The time from one dash or particle to the next; 0 where nothing moves.
double StreamlinesRun::interval(double wished) const {
  if (wished != Streamlines::kBySpeed) return wished;
  Vec3 fastest;
  for (int a = 0; a < 3; ++a)
    if (const auto range = spool()->range(a))
      fastest[a] = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
  const double speed = length(fastest);
  return speed > 0 ? kUsualDash * bounds().diagonal() / speed : 0;
}

void StreamlinesRun::count(ObjectStats& stats) const {
  const auto all = shown();
  stats.count += all->lineCount();
  stats.points += all->vertexCount();
  const auto lines = spool();
  for (int code = 0; code < flow::kTerminationCount; ++code) {
    const auto reason = static_cast<flow::Termination>(code);
    if (const std::uint64_t ended = lines->countOf(reason)) stats.terminations[flow::nameOf(reason)] += ended;
  }
  const auto device = m_device.load();
  stats.set("engine", device ? device->engine : std::string("cpu"));
  stats.set("device", device ? device->device : std::string());
}

std::unique_ptr<ObjectRun> makeRun(const Streamlines&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<StreamlinesRun>(object, description);
}

}  // namespace farfield::session
