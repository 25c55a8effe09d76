#include "core/session/kinds/streamlines/streamlines_run.h"

#include "core/base/error.h"
#include "core/fields/node_coordinates.h"
#include "core/session/kinds/streamlines/seed_order.h"
#include "core/session/kinds/streamlines/seed_places.h"
#include "core/session/run/index_range.h"
#include "core/session/run/spread_seeds.h"
#include "core/session/run/task_order.h"
#include "core/session/vtp_writer.h"

namespace farfield::session {
namespace {

flow::LineOptions optionsOf(const Integrator& integrator) {
  flow::LineOptions options;
  options.method = integrator.method == IntegratorMethod::Rk4 ? flow::Method::Rk4 : flow::Method::Dopri5;
  options.tolerance = integrator.tolerance.value_or(0);
  options.stepCells = integrator.stepCells;
  if (integrator.maxTime) options.maxTime = *integrator.maxTime;
  if (integrator.maxLength) options.maxLength = *integrator.maxLength;
  options.maxSteps = integrator.maxSteps;
  return options;
}

class ForgetfulSink final : public flow::LineSink {
 public:
  void vertex(Vec3, double, std::span<const double>) override {}
};

}  // namespace

StreamlinesRun::StreamlinesRun(const Object& object, const paging::DatasetDescription& description)
    : LinesRun(object, description, std::get<Streamlines>(object.shape).vector),
      m_lines(std::get<Streamlines>(object.shape)),
      m_options(optionsOf(m_lines.integrator)) {
  int components = 0;
  for (std::size_t n = 0; n < m_lines.vector.size(); ++n)
    components += m_functions->functions()[n].components;
  if (components != 3)
    throw Invalid("lines need a vector of 3 components, and this has " + std::to_string(components),
                  "name a vector such as \"velocity\", or its three components")
        .at("vector");
  m_options.check();
  if (m_lines.direction != Direction::Backward) m_directions.push_back(1);
  if (m_lines.direction != Direction::Forward) m_directions.push_back(-1);
}

std::uint64_t StreamlinesRun::taskBytes() const {
  const std::uint64_t ofField =
      1024 + 2 * sizeof(double) * static_cast<std::uint64_t>(m_functions->outputCount());
  return kBlockBytes + fields::PagedData::samplerBytes(*m_functions) + ofField;
}

std::unique_ptr<flow::SeedSet> StreamlinesRun::makeSeeds(
    const paging::DatasetDescription& description) const {
  try {
    if (const auto* points = std::get_if<PointSeeds>(&m_lines.seeds)) return flow::pointSeeds(points->points);
    if (const auto* line = std::get_if<LineSeeds>(&m_lines.seeds))
      return flow::lineSeeds(line->from, line->to, line->count);
    if (const auto* plane = std::get_if<PlaneSeeds>(&m_lines.seeds))
      return flow::planeSeeds(plane->origin, plane->axis1, plane->axis2, plane->counts);
    if (const auto* box = std::get_if<BoxSeeds>(&m_lines.seeds))
      return flow::boxSeeds(box->min, box->max, box->counts);
    if (const auto* spread = std::get_if<SpreadSeeds>(&m_lines.seeds))
      return spreadSeeds(description, spread->count);
    const auto& nodes = std::get<GridPointSeeds>(m_lines.seeds);
    if (nodes.block < 0 || nodes.block >= static_cast<std::int64_t>(description.blocks.size()))
      throw Invalid("there is no block " + std::to_string(nodes.block),
                    "choose from 0 to " + std::to_string(description.blocks.size() - 1))
          .at("block");
    const Index3& dims = description.blocks[static_cast<std::size_t>(nodes.block)].dims;
    return flow::gridPointSeeds(static_cast<int>(nodes.block), nodesOf(nodes.range, dims), nodes.stride);
  } catch (Error& error) {
    error.at("seeds");
    throw;
  }
}

std::size_t StreamlinesRun::taskCount(const paging::DatasetDescription& description) const {
  return makeSeeds(description)->count() * m_directions.size();
}

Vec3 StreamlinesRun::seedOf(std::size_t number, const flow::SeedSet& seeds, fields::PagedData& data,
                            tasks::TaskContext& context, std::int64_t step) const {
  return seeds.at(number / m_directions.size(), [&](int block, const Index3& node) {
    return fields::nodeCoordinates(data, context, block, node, {step});
  });
}

flow::LineResult StreamlinesRun::trace(std::size_t number, Vec3 seed, fields::PagedData& data,
                                       tasks::TaskContext& context, std::int64_t step, flow::LineSink& sink,
                                       SeedPlaces& places) const {
  const std::unique_ptr<fields::Sampler> sampler = data.makeSampler(context, m_functions);
  flow::SteadyField field(*sampler, {step});
  fields::Location place = places.find(number / m_directions.size());
  const bool known = place.valid();
  const flow::LineResult result = flow::traceLine(field, seed, m_directions[number % m_directions.size()],
                                                  m_options, context, sink, &place);
  if (!known && place.valid()) places.keep(number / m_directions.size(), place);
  return result;
}

tasks::GroupResult StreamlinesRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                            std::span<const std::size_t> numbers,
                                            std::chrono::milliseconds limit) const {
  fields::PagedData& data = surroundings.data;
  const std::unique_ptr<flow::SeedSet> seeds = makeSeeds(data.description());
  SeedPlaces places;
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    ForgetfulSink sink;
    trace(n, seedOf(n, *seeds, data, context, step), data, context, step, sink, places);
  });
}

void StreamlinesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  fields::PagedData& data = surroundings.data;
  const std::unique_ptr<flow::SeedSet> seeds = makeSeeds(data.description());
  const std::size_t directions = m_directions.size();
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = seeds->count() * directions;
  group.admission = &data.admission();
  group.timeBudget = std::chrono::milliseconds(m_object.budgetMs.value_or(0));
  group.progress = surroundings.progress;
  const auto lines = makeSpool(surroundings, group.count);
  SeedPlaces places;
  const TaskOrder spread(group.count, surroundings.watched);
  // Seeds of lines, planes, boxes and nodes are in an order already, in which neighbours share pages.
  const bool inOrder = !std::holds_alternative<PointSeeds>(m_lines.seeds);
  const SeedOrder nearby(*seeds, inOrder || surroundings.watched, data.description(), surroundings.account);
  const auto order = [&](std::size_t started) {
    const std::size_t n = spread(started);
    return nearby(n / directions) * directions + n % directions;
  };
  group.describe = [&](std::size_t n) { return "seed " + std::to_string(order(n) / directions); };
  group.run = [&](std::size_t started, tasks::TaskContext& context) {
    const std::size_t n = order(started);
    const Vec3 seed = seedOf(n, *seeds, data, context, step);
    LineSpool::Writer line = lines->open(n);
    line.finish(trace(n, seed, data, context, step, line, places), seed);
  };
  m_lastGroup = data.makeScheduler()->run(group, surroundings.stop);
  if (!m_lastGroup.outOfTime) return;

  // Lines whose turn never came are their seed alone, so that there is one for every seed and direction.
  tasks::TaskGroup rest;
  rest.name = m_object.name;
  rest.count = 1;
  rest.admission = &data.admission();
  rest.run = [&](std::size_t, tasks::TaskContext& context) {
    for (std::size_t n = 0; n < group.count; ++n) {
      context.throwIfStopped();
      if (lines->isFinished(n)) continue;
      const Vec3 seed = seedOf(n, *seeds, data, context, step);
      lines->open(n).finish({.termination = flow::Termination::OutOfTime}, seed);
    }
  };
  data.makeScheduler()->run(rest, surroundings.stop);
}

void StreamlinesRun::writeGeometry(const std::filesystem::path& path) const {
  LineFileContents contents;
  contents.directions = m_directions;
  const std::string name = m_lines.vector.size() == 1 ? m_functions->functions().front().name : "velocity";
  contents.vector = NamedValue{name, 0};
  if (colorValue()) contents.scalar = NamedValue{m_colorName, *colorValue()};
  writeLines(path, *spool(), contents);
}

scene::SceneItem StreamlinesRun::item(const Object& look) const {
  scene::SceneItem item = LinesRun::item(look);
  item.widthPixels = std::get<Streamlines>(look.shape).widthPixels;
  return item;
}

void StreamlinesRun::count(ObjectStats& stats) const {
  LinesRun::count(stats);
  const auto lines = spool();
  for (int code = 0; code < flow::kTerminationCount; ++code) {
    const auto reason = static_cast<flow::Termination>(code);
    if (const std::uint64_t ended = lines->countOf(reason)) stats.terminations[flow::nameOf(reason)] += ended;
  }
}

std::unique_ptr<ObjectRun> makeRun(const Streamlines&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<StreamlinesRun>(object, description);
}

}  // namespace farfield::session
