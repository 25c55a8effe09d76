#include "core/session/kinds/probe/probe_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/fields/places/moving_places.h"
#include "core/fields/places/probed_values.h"
#include "core/fields/places/surface_places.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {
namespace {
// columns of a vertex: point, time, values
constexpr int kValueColumn = 4;
}  // namespace

ProbeRun::ProbeRun(const Object& object, const paging::DatasetDescription& description)
    : LinesRun(object, description, std::get<Probe>(object.shape).show, {}, "show"),
      m_probe(std::get<Probe>(object.shape)),
      m_goes(!m_probe.goesFrom.empty() && fields::cellsMove(description)),
      m_lookingBytes(m_goes ? fields::MovingPlaces::bytesFor(description, *m_functions)
                            : std::max(fields::PagedData::samplerBytes(*m_functions),
                                       fields::SurfacePlaces::bytesFor(*m_functions))) {
  if (!object.color.by.empty())
    throw Invalid("probes have one colour", "give a solid colour; their values are named by \"show\"")
        .at("color.by");
}

std::uint64_t ProbeRun::taskBytes() const {
  const std::uint64_t values = sizeof(double) * static_cast<std::uint64_t>(m_functions->outputCount());
  return kBlockBytes + m_lookingBytes + 1024 + values;
}

std::optional<ProbeRun::Reading> ProbeRun::read(std::size_t number, fields::PagedData& data,
                                                tasks::TaskContext& context, std::int64_t step) const {
  Reading reading{.point = m_probe.points[number]};
  std::vector<double>& values = reading.values;
  values.resize(static_cast<std::size_t>(m_functions->outputCount()));
  if (m_goes) {
    fields::MovingPlaces places(data, context, m_functions);
    const auto place = places.find(reading.point, m_probe.goesFrom[number]);
    if (!place || !places.evaluate(*place, step, values)) return std::nullopt;
    reading.point = places.pointAt(*place, step);
    reading.block = place->where.block;
    return reading;
  }
  fields::Location where;
  {
    const auto sampler = data.makeSampler(context, m_functions);
    const fields::FieldTime moment{step};
    if (sampler->locate(reading.point, moment, where) && !values.empty())
      sampler->evaluate(fields::ProbedValues(data.description()).at(reading.point, where, moment, *sampler),
                        moment, values);
  }
  if (!where.valid()) {
    const auto face = fields::placeOnSurface(data, context, m_functions, reading.point, step, values);
    if (!face) return std::nullopt;
    where = face->where;
  }
  reading.block = where.block;
  return reading;
}

tasks::GroupResult ProbeRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                      std::span<const std::size_t> numbers,
                                      std::chrono::milliseconds limit) const {
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    (void)read(n, surroundings.data, context, step);
  });
}

void ProbeRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  const std::size_t count = m_probe.points.size();
  const auto found = makeSpool(surroundings, count);
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = count;
  group.admission = &surroundings.data.admission();
  group.progress = surroundings.progress;
  group.describe = [&](std::size_t n) { return taskName().one + (" " + std::to_string(n + 1)); };
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    flow::LineResult result;
    const auto reading = read(n, surroundings.data, context, step);
    if (reading)
      result.block = reading->block;
    else
      result.termination = flow::Termination::SeedOutside;
    LineSpool::Writer place = found->open(n);
    if (reading) place.vertex(reading->point, 0, reading->values);
    place.finish(result, m_probe.points[n]);
  };
  group.timeBudget = budget.left();
  m_lastGroup = surroundings.data.makeScheduler()->run(group, surroundings.stop);
  noteMissing(m_lastGroup.finished, count);
  // Those whose turn did not come are in the file as well, without values.
  for (std::size_t n = 0; m_lastGroup.finished < count && n < count; ++n)
    if (!found->isFinished(n))
      found->open(n).finish({.termination = flow::Termination::OutOfTime}, m_probe.points[n]);
}

void ProbeRun::writeGeometry(const std::filesystem::path& path) const {
  LineFileContents contents;
  contents.asPoints = true;
  for (std::size_t n = 0; n < m_functions->functions().size(); ++n) {
    const fields::FunctionInfo& its = m_functions->functions()[n];
    contents.vertices.push_back({its.name, kValueColumn + m_functions->outputOf(n), its.components});
    std::string& first = its.components == 1 ? contents.scalars : contents.vectors;
    if (first.empty()) first = its.name;
  }
  writeLines(path, *polylinesOf(spool()), contents);
}

scene::SceneItem ProbeRun::item(const Object& look) const {
  scene::SceneItem item = describedItem(look, std::nullopt);
  item.markLook = std::get<Probe>(look.shape).look;
  const auto found = spool();
  if (!found) return item;
  found->visitVertices([&](const LineSummary& place, std::span<const double> vertex) {
    scene::PlaceMark mark;
    mark.place = {vertex[0], vertex[1], vertex[2]};
    mark.name = std::to_string(place.number + 1);
    mark.found = place.block >= 0;
    for (std::size_t n = 0; mark.found && n < m_functions->functions().size(); ++n) {
      const fields::FunctionInfo& its = m_functions->functions()[n];
      const auto first = vertex.begin() + kValueColumn + m_functions->outputOf(n);
      mark.values.emplace_back(its.name, std::vector<double>(first, first + its.components));
    }
    item.marks.push_back(std::move(mark));
  });
  return item;
}

std::unique_ptr<ObjectRun> makeRun(const Probe&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<ProbeRun>(object, description);
}

}  // namespace farfield::session
