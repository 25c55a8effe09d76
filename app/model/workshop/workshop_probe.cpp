// What a workshop reads at points: under the cursor, and where a place is sought.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "app/first/first_places.h"
#include "app/first/outer_sheets.h"
#include "app/model/workshop/workshop.h"
#include "core/base/error.h"
#include "core/extract/wall_values.h"
#include "core/fields/paged/box_search.h"
#include "core/fields/places/probed_values.h"
#include "core/fields/places/surface_places.h"
#include "render/color/ticks.h"

namespace farfield::app {
namespace {

/// Of the data's diagonal: how far apart places are that are tried where one inside is sought, and how much farther in one is taken.
constexpr double kSeekStep = 1.0 / 64;
constexpr int kSeekSteps = 32, kStepsInside = 3;
/// Of the data's diagonal.
constexpr double kRounding = 1e-7;

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

/// A point of a picture may lie beside the data by rounding, which a sheet of nodes does not forgive.
Vec3 withoutRounding(Vec3 point, const Bounds& bounds) {
  const double least = kRounding * bounds.diagonal();
  for (int axis = 0; axis < 3; ++axis) {
    const double inside = std::clamp(point[axis], bounds.min[axis], bounds.max[axis]);
    if (std::abs(point[axis] - inside) < least) point[axis] = inside;
  }
  return point;
}

/// What vertices of pictures, which are floats, may be beside their place: of the largest coordinate, and of the way that a place may
/// stray, which is a small part of all that is seen.
constexpr double kVertexRounding = 1e-6, kRoundingOfStray = 1e-3;

/// Where the edge of something drawn lies beside the cells by rounding, a place in one; near ones first, and those along one axis
/// before others.
std::optional<Vec3> placeAtEdge(Vec3 point, Vec3 stray, const Bounds& bounds, fields::FieldTime time,
                                fields::Sampler& sampler) {
  Vec3 reach;
  for (int axis = 0; axis < 3; ++axis)
    reach[axis] = kRoundingOfStray * length(stray) +
                  kVertexRounding * std::max(std::abs(bounds.min[axis]), std::abs(bounds.max[axis]));
  fields::Location where;
  for (const double part : {1e-3, 1e-2, 0.1, 1.0})
    for (int axes = 1; axes <= 3; ++axes)
      for (int way = 0; way < 27; ++way) {
        const std::array<int, 3> to{way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1};
        if (std::abs(to[0]) + std::abs(to[1]) + std::abs(to[2]) != axes) continue;
        const Vec3 found =
            withoutRounding(point + part * Vec3{to[0] * reach.x, to[1] * reach.y, to[2] * reach.z}, bounds);
        if (sampler.locate(found, time, where)) return found;
      }
  return std::nullopt;
}

/// A place in a cell, near `middle`.
std::optional<Vec3> placeNear(Vec3 middle, double diagonal, fields::FieldTime time,
                              fields::Sampler& sampler) {
  fields::Location where;
  const auto isInside = [&](Vec3 point) { return sampler.locate(point, time, where); };
  if (isInside(middle)) return middle;
  for (int step = 1; step <= kSeekSteps; ++step)
    for (int way = 0; way < 27; ++way) {  // along the axes and between them
      const Vec3 to{static_cast<double>(way % 3 - 1), static_cast<double>(way / 3 % 3 - 1),
                    static_cast<double>(way / 9 - 1)};
      if (to == Vec3{}) continue;
      const Vec3 along = (kSeekStep * diagonal / length(to)) * to;
      Vec3 found = middle + static_cast<double>(step) * along;
      if (!isInside(found)) continue;
      for (int more = 0; more < kStepsInside && isInside(found + along); ++more) found = found + along;
      return found;
    }
  return std::nullopt;
}

/// The place in a cell that is nearest to `middle` of those in any of these directions, in short numbers where these are in a cell, too.
std::optional<Vec3> placeNearest(Vec3 middle, double diagonal, fields::FieldTime time,
                                 fields::Sampler& sampler) {
  constexpr int kHalvings = 24;
  constexpr double kShort = 1e-3;  // of the way
  fields::Location where;
  const auto isInside = [&](Vec3 point) { return sampler.locate(point, time, where); };
  if (isInside(middle)) return middle;
  std::optional<Vec3> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 1; step <= kSeekSteps && !nearest; ++step)
    for (int way = 0; way < 27; ++way) {
      const Vec3 to{static_cast<double>(way % 3 - 1), static_cast<double>(way / 3 % 3 - 1),
                    static_cast<double>(way / 9 - 1)};
      if (to == Vec3{}) continue;
      const Vec3 along = (kSeekStep * diagonal / length(to)) * to;
      double outside = step - 1, inside = step;
      if (!isInside(middle + inside * along)) continue;
      for (int n = 0; n < kHalvings; ++n) {
        const double half = 0.5 * (outside + inside);
        (isInside(middle + half * along) ? inside : outside) = half;
      }
      if (!(inside < least)) continue;
      least = inside;
      nearest = middle + inside * along;
    }
  if (!nearest) return std::nullopt;
  Vec3 plain = *nearest;
  const double within = kShort * least * kSeekStep * diagonal;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = plain[axis] - middle[axis];
    if (std::abs(way) > 4 * within)
      plain[axis] = color::plainNumber(plain[axis] + std::copysign(within, way), within);
  }
  return isInside(plain) ? plain : nearest;
}

void tellValues(const fields::Location& where, std::span<const double> values,
                const paging::DatasetDescription& description, const fields::FunctionPlan& plan,
                ProbeAnswer& answer) {
  answer.block = where.block;
  answer.cell = fields::cellAt(description.blocks[static_cast<std::size_t>(where.block)], where.cell);
  for (std::size_t n = 0; n < plan.functions().size(); ++n) {
    const auto first = values.begin() + plan.outputOf(n);
    answer.values.emplace_back(plan.functions()[n].name,
                               std::vector<double>(first, first + plan.functions()[n].components));
  }
}

/// What has values on walls alone has none in the cell: it is told of where the place is on a wall.
void tellOnWalls(const ProbeRequest& request, fields::PagedData& data, tasks::TaskContext& task,
                 const fields::FunctionPlan& plan, std::int64_t step, ProbeAnswer& answer) {
  std::vector<std::string> names;
  for (const fields::FunctionInfo& function : plan.functions())
    if (function.onWalls) names.push_back(function.name);
  if (names.empty()) return;
  const auto isOnWalls = [&](const auto& each) {
    return std::find(names.begin(), names.end(), each.first) != names.end();
  };
  const fields::FunctionPlan onWalls(data.description(), names);
  const double reach = std::max(length(request.stray), fields::kOnSurface * data.bounds().diagonal());
  const auto values =
      extract::valuesOnWall(data, task, onWalls, answer.block, answer.cell, request.point, reach, step);
  if (!values ||
      !std::all_of(values->begin(), values->end(), [](double value) { return std::isfinite(value); })) {
    std::erase_if(answer.values, isOnWalls);
    return;
  }
  for (auto& [name, its] : answer.values)
    for (std::size_t n = 0; n < names.size(); ++n)
      if (name == names[n]) std::copy_n(values->begin() + onWalls.outputOf(n), its.size(), its.begin());
}

/// Of surfaces in space: the face that is drawn there, as far as a picture may stray from it, or where a place is sought the nearest.
void answerOnFace(const ProbeRequest& request, fields::PagedData& data, tasks::TaskContext& task,
                  const std::shared_ptr<const fields::FunctionPlan>& plan, std::int64_t step,
                  ProbeAnswer& answer) {
  if (!fields::hasSurfacesInSpace(data.description())) return;
  double reach = std::max(length(request.stray), fields::kOnSurface * data.bounds().diagonal());
  if (request.seeks) reach = std::numeric_limits<double>::infinity();
  fields::SurfacePlaces places(data, task, plan);
  const auto face = places.nearest(request.point, reach, step);
  if (!face) return;
  answer.found = true;
  answer.point = face->point;
  std::vector<double> values(static_cast<std::size_t>(plan->outputCount()));
  if (!values.empty()) places.evaluate(face->where, step, values);
  tellValues(face->where, values, data.description(), *plan, answer);
}

}  // namespace

void Workshop::probe(const ProbeRequest& request) {
  ask([this, request] {
    if (request.seeks || request.stays)
      m_sought.push_back(request);
    else
      m_probe = request;
    m_curveIsOld = true;  // a point under the cursor goes before a line
    m_changed.notify_all();
  });
}

void Workshop::readCurve(const std::optional<CurveRequest>& request) {
  ask([this, request] {
    m_curve = request;
    m_curveBegun = {};
    m_curveIsOld = true;
    m_curveIsUnwanted = !request;
    m_curveWaits = false;
    m_changed.notify_all();
  });
}

void Workshop::probeLoop(std::stop_token stop) {
  Lock lock(m_mutex);
  for (;;) {
    RangeHunt* range = nullptr;
    m_changed.wait(lock, stop, [&] {
      return probeCanStart() || seekingCanStart() || (m_curve && curveCanStart()) ||
             (range = nextHunt()) != nullptr;
    });
    if (stop.stop_requested()) return;
    ++m_busy;
    const auto at = [&](const std::string& name, const auto& work) {
      const std::string key = name;
      ++m_data.at(key).users;
      work();
      --m_data.at(key).users;
    };
    // A point under the cursor goes before a line, and both before what is found out by the way.
    if (range) {
      at(range->request.dataKey, [&] { hunt(lock, *range); });
    } else if (probeCanStart()) {
      const ProbeRequest request = *std::exchange(m_probe, std::nullopt);
      at(request.dataKey, [&] { answer(lock, request); });
    } else if (seekingCanStart()) {
      const ProbeRequest request = std::move(m_sought.front());
      m_sought.pop_front();
      at(request.dataKey, [&] { answer(lock, request); });
    } else if (m_curve) {
      const CurveRequest request = *std::exchange(m_curve, std::nullopt);
      at(request.dataKey, [&] { answerCurve(lock, request); });
    }
    --m_busy;
    m_changed.notify_all();
  }
}

bool Workshop::probeCanStart() {
  if (!m_probe || m_exclusive || foremanHasWork()) return false;
  const auto found = m_data.find(m_probe->dataKey);
  if (found == m_data.end() || found->second.state != DataSet::State::Open) {
    m_probe.reset();
    return false;
  }
  return found->second.paged != nullptr;  // data that nothing is computed of need not be looked at
}

bool Workshop::seekingCanStart() {
  if (m_exclusive || foremanHasWork()) return false;
  while (!m_sought.empty()) {
    const auto found = m_data.find(m_sought.front().dataKey);
    // Walls are found by the velocity, which nothing else may have asked for yet; beside long work, which would begin anew, they are not.
    if (found != m_data.end() && found->second.paged)
      return !m_sought.front().sheet || longWorkRuns() || plansFor(found->second, m_sought.front().functions);
    const bool isOpen = found != m_data.end() && found->second.state == DataSet::State::Open;
    if (isOpen && !found->second.planProblem) {
      if (found->second.lacksRoom && longWorkRuns()) return false;
      m_replan = true;
      m_changed.notify_all();
      return false;
    }
    // Somebody waits for an answer, also where nothing can be found.
    ProbeAnswer nowhere;
    nowhere.number = m_sought.front().number;
    nowhere.point = m_sought.front().point;
    if (m_sought.front().sheet) forgetPlanned(m_sought.front());
    m_sought.pop_front();
    tell(m_events.probed, nowhere);
  }
  return false;
}

/// None where the function is wrong: the answer says what is.
std::vector<std::string> Workshop::arraysOf(const DataSet& set, const std::string& function) {
  try {
    return fields::FunctionPlan(set.data->description(), {function}).arrays();
  } catch (const Error&) {
    return {};
  }
}

/// Whether there is a plan of what these are made of. It has to be made else; that takes a moment, once.
bool Workshop::plansFor(DataSet& set, const std::vector<std::string>& functions) {
  std::vector<std::string> missing;
  for (const std::string& function : functions)
    for (const std::string& array : arraysOf(set, function))
      if (std::find(set.plannedArrays.begin(), set.plannedArrays.end(), array) == set.plannedArrays.end() &&
          std::find(set.probedArrays.begin(), set.probedArrays.end(), array) == set.probedArrays.end())
        missing.push_back(array);
  if (missing.empty()) return true;
  set.probedArrays.insert(set.probedArrays.end(), missing.begin(), missing.end());
  set.planIsOld = m_replan = true;
  m_changed.notify_all();
  return false;
}

/// What was planned for a question alone takes no memory of later plans, and may be what the last one had none for.
void Workshop::forgetPlanned(const ProbeRequest& request) {
  const auto found = m_data.find(request.dataKey);
  if (found == m_data.end() || found->second.state != DataSet::State::Open) return;
  DataSet& set = found->second;
  for (const std::string& function : request.functions)
    for (const std::string& array : arraysOf(set, function)) std::erase(set.probedArrays, array);
  if (!set.planProblem) return;
  set.planIsOld = m_replan = true;
  m_changed.notify_all();
}

void Workshop::answer(Lock& lock, const ProbeRequest& request) {
  DataSet& set = m_data.at(request.dataKey);
  fields::PagedData& paged = *set.paged;
  const std::stop_token stop = m_probeStop.get_token();
  std::vector<std::string> functions;
  ProbeAnswer answer;
  answer.number = request.number;
  answer.point = request.point;
  const std::vector<std::string> planned = set.plannedArrays;
  lock.unlock();
  bool stopped = false;
  try {
    // What the plan has no memory for is left out.
    for (const std::string& name : request.functions) {
      try {
        const fields::FunctionPlan alone(paged.description(), {name});
        if (std::all_of(alone.arrays().begin(), alone.arrays().end(), [&](const std::string& array) {
              return std::find(planned.begin(), planned.end(), array) != planned.end();
            }))
          functions.push_back(name);
      } catch (const Error&) {
        continue;
      }
    }
    const auto plan = std::make_shared<const fields::FunctionPlan>(paged.description(), functions);
    tasks::TaskGroup group;
    group.name = "probe";
    group.count = 1;
    group.admission = &paged.admission();
    group.run = [&](std::size_t, tasks::TaskContext& task) {
      if (request.sheet) {
        // Without what tells walls they would be left out as what lies inside.
        if (functions.size() == request.functions.size())
          answer.sheet = outerSheets(*request.sheet, paged, task, plan, request.step);
        return;
      }
      const fields::FieldTime time{std::min(request.step, paged.description().steps() - 1)};
      if (request.rakes.empty() && request.places.empty() && fields::areSurfacesInSpace(paged.description()))
        return answerOnFace(request, paged, task, plan, time.step, answer);
      auto sampler = paged.makeSampler(task, plan);
      fields::Location where;
      const auto seek = [&](Vec3 middle) {
        return placeNear(middle, paged.bounds().diagonal(), time, *sampler);
      };
      if (!request.rakes.empty()) {
        answer.rake = rakeInside(
            request.rakes, [&](Vec3 point) { return sampler->locate(point, time, where); }, seek);
        answer.found = answer.rake.has_value();
        return;
      }
      if (!request.places.empty()) {
        answer.inside.clear();
        for (const Vec3& place : request.places) {
          task.throwIfGivenUp();
          answer.inside.push_back(sampler->locate(place, time, where));
        }
        answer.found = true;
        return;
      }
      if (request.seeks) {
        const auto found = placeNearest(request.point, paged.bounds().diagonal(), time, *sampler);
        answer.found = found.has_value();
        if (found) answer.point = *found;
        return;
      }
      for (const double part : {0.0, 1e-3, -1e-3, 1e-2, -1e-2, 0.1, -0.1, 1.0, -1.0}) {
        if (part != 0 && request.stray == Vec3{}) break;
        const Vec3 point = withoutRounding(request.point + part * request.stray, paged.bounds());
        if (!sampler->locate(point, time, where)) continue;
        answer.found = true;
        answer.point = point;
        break;
      }
      if (!answer.found && request.stray != Vec3{}) {
        task.throwIfGivenUp();
        const auto found = placeAtEdge(request.point, request.stray, paged.bounds(), time, *sampler);
        answer.found = found && sampler->locate(*found, time, where);
        if (answer.found) answer.point = *found;
      }
      if (!answer.found) {
        sampler.reset();  // a task has room for one of them
        return answerOnFace(request, paged, task, plan, time.step, answer);
      }
      std::vector<double> values(static_cast<std::size_t>(sampler->valueCount()));
      if (!values.empty())
        sampler->evaluate(fields::ProbedValues(paged.description()).at(answer.point, where, time, *sampler),
                          time, values);
      tellValues(where, values, paged.description(), *plan, answer);
      sampler.reset();  // a task has room for one of them
      tellOnWalls(request, paged, task, *plan, time.step, answer);
    };
    tasks::makeSerialScheduler(paged.reapers())->run(group, stop);
  } catch (const Cancelled&) {
    stopped = true;
  } catch (...) {
    answer.inside.clear();
    answer.problem = currentProblem().message;
  }
  lock.lock();
  if (stopped) {
    // by the foreman; unless something newer was asked
    if (request.seeks || request.stays)
      m_sought.push_front(request);
    else if (!m_probe)
      m_probe = request;
    return;
  }
  if (request.sheet) forgetPlanned(request);
  tell(m_events.probed, answer);
}

}  // namespace farfield::app
