// What a workshop reads at points and for curves: under the cursor, along lines, over time, and how often values occur.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "app/first/first_places.h"
#include "app/first/outer_sheets.h"
#include "app/model/workshop.h"
#include "core/base/error.h"
#include "core/fields/box_search.h"
#include "core/fields/node_boxes.h"
#include "core/fields/probed_values.h"
#include "core/fields/surface_places.h"
#include "core/paging/pages/changing_cells.h"
#include "core/session/run/task_order.h"
#include "render/color/ticks.h"

namespace farfield::app {
namespace {

constexpr int kMostLinePoints = 10'000;
/// Of the data's diagonal: how far apart places are that are tried where one inside is sought, and how much farther in one is taken.
constexpr double kSeekStep = 1.0 / 64;
constexpr int kSeekSteps = 32, kStepsInside = 3;
/// Of the data's diagonal.
constexpr double kRounding = 1e-7;
/// Until a curve that takes long is shown as far as it is.
constexpr std::chrono::milliseconds kNextCurve{250};

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

/// What is no number in the data, from what lies outside of them.
void tellApart(double& value) {
  if (!std::isfinite(value)) value = std::numeric_limits<double>::infinity();
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

bool Workshop::curveCanStart() {
  if (m_exclusive || foremanHasWork()) return false;
  const auto found = m_data.find(m_curve->dataKey);
  if (found == m_data.end() || found->second.state != DataSet::State::Open) {
    m_curve.reset();
    return false;
  }
  DataSet& set = found->second;
  // Beside long work, which would begin anew, it gets a plan of its own.
  if (longWorkRuns() && !set.planProblem) return !m_curveWaits;
  m_curveWaits = false;
  if (!set.paged) {
    if (set.planProblem) return true;  // the answer says it
    m_replan = true;
    m_changed.notify_all();
    return false;
  }
  return plansFor(set, {m_curve->function});
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

/// Who reads it stops for a point under the cursor, and goes on afterwards.
struct Workshop::CurveReading {
  fields::PagedData& data;
  const fields::FunctionPlan& plan;
  CurveAnswer& answer;
  std::size_t& next;           ///< of its points, steps or boxes
  std::function<void()> show;  ///< what there is so far
};

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

void Workshop::readLine(const CurveReading& reading, fields::Sampler& sampler) {
  const CurveRequest& request = reading.answer.request;
  const fields::FieldTime time{std::min(request.step, reading.data.description().steps() - 1)};
  const std::size_t count = reading.answer.values.size();
  const fields::ProbedValues probed(reading.data.description());
  fields::Location where;
  for (std::size_t& n = reading.next; n < count; ++n) {
    if (m_curveIsOld) throw Cancelled();
    const double part = count > 1 ? static_cast<double>(n) / static_cast<double>(count - 1) : 0;
    const Vec3 point = request.from + part * (request.to - request.from);
    if (!sampler.locate(point, time, where)) continue;
    sampler.evaluate(probed.at(point, where, time, sampler), time, {&reading.answer.values[n], 1});
    tellApart(reading.answer.values[n]);
  }
}

void Workshop::readSteps(const CurveReading& reading,
                         const std::function<bool(std::int64_t step, double& value)>& readAt) {
  Clock::time_point shown = Clock::now();
  for (std::size_t& step = reading.next; step < reading.answer.values.size(); ++step) {
    if (m_curveIsOld) throw Cancelled();
    if (readAt(static_cast<std::int64_t>(step), reading.answer.values[step]))
      tellApart(reading.answer.values[step]);
    if (Clock::now() - shown < kNextCurve) continue;
    shown = Clock::now();
    reading.answer.part = static_cast<double>(step + 1) / static_cast<double>(reading.answer.values.size());
    if (reading.answer.part < 1) reading.show();
  }
}

void Workshop::readValues(const CurveReading& reading, tasks::TaskContext& task) {
  const fields::NodeBoxes boxes(reading.data.description(), reading.plan, fields::NodeBoxes::Blanks::Told);
  reading.answer.ofCells = fields::NodeBoxes::areOfCells(reading.data.description(), reading.plan);
  const std::int64_t step = std::min(reading.answer.request.step, reading.data.description().steps() - 1);
  const std::size_t perStep = boxes.perStep();
  Clock::time_point shown = Clock::now();
  // From all over the data first, so that the shape is seen soon.
  const session::TaskOrder order(perStep, session::TaskOrder::Kind::Refining);
  struct Found {
    double value, weight;
  };
  std::vector<Found> found;
  for (std::size_t& n = reading.next; n < perStep; ++n) {
    if (m_curveIsOld) throw Cancelled();
    found.clear();  // a box that is stopped in its middle is looked at once more
    boxes.visit(boxes.at(static_cast<std::size_t>(step) * perStep + order(n)), reading.data, task,
                [&](std::span<const double> values, bool isBlank, double weight) {
                  if (!isBlank) found.push_back({values[0], weight});
                });
    for (const auto& [value, weight] : found) reading.answer.histogram.add(value, weight);
    if (Clock::now() - shown < kNextCurve) continue;
    shown = Clock::now();
    reading.answer.part = static_cast<double>(n + 1) / static_cast<double>(perStep);
    if (reading.answer.part < 1) reading.show();
  }
}

void Workshop::answerCurve(Lock& lock, const CurveRequest& request) {
  const std::stop_token stop = m_probeStop.get_token();
  CurveAnswer answer;
  answer.request = request;
  DataSet& set = m_data.at(request.dataKey);
  if (!set.paged && set.planProblem) {
    answer.problem = set.planProblem->message;
    return tell(m_events.curveRead, answer);
  }
  m_curveIsOld = false;
  std::unique_ptr<fields::PagedData> own;
  const std::vector<std::string> arrays = arraysOf(set, request.function), &planned = set.plannedArrays;
  if (!set.paged || !std::all_of(arrays.begin(), arrays.end(), [&](const std::string& array) {
        return std::find(planned.begin(), planned.end(), array) != planned.end();
      })) {
    try {
      own = planBeside(lock, set, {.arrays = arrays});
    } catch (...) {
      answer.part = 1;
      answer.problem = currentProblem().message;
      return tell(m_events.curveRead, answer);
    }
    m_curveWaits = !own;
    if (!own && !m_curve && !m_curveIsUnwanted) m_curve = request;
    if (!own) return;
  }
  fields::PagedData& paged = own ? *own : *set.paged;
  std::size_t next = 0;
  const bool goesOn = m_curveBegun.answer.request == request && m_curveBegun.next > 0;
  if (goesOn) {
    answer = std::move(m_curveBegun.answer);
    next = m_curveBegun.next;
  }
  m_curveBegun = {};
  lock.unlock();
  bool stopped = false;
  try {
    const auto plan = std::make_shared<const fields::FunctionPlan>(
        paged.description(), std::vector<std::string>{request.function});
    if (plan->outputCount() != 1)
      throw Invalid("'" + request.function + "' is a vector, and a curve shows one number");
    MemoryClaim claim;
    if (request.kind == CurveRequest::Kind::Values)
      claim = m_account->claim(Purpose::Results, fields::NodeBoxes::bytesFor(*plan), "counting values");
    const std::int64_t count = request.kind == CurveRequest::Kind::Time
                                   ? paged.description().steps()
                                   : std::clamp(request.count, 1, kMostLinePoints);
    if (request.kind == CurveRequest::Kind::Time)
      claim = m_account->claim(Purpose::Results, static_cast<std::uint64_t>(count) * sizeof(double),
                               "a curve over time");
    if (request.kind != CurveRequest::Kind::Values && !goesOn)
      answer.values.assign(static_cast<std::size_t>(count), std::numeric_limits<double>::quiet_NaN());
    const CurveReading reading{paged, *plan, answer, next, [&] {
                                 const Lock again(m_mutex);
                                 tell(m_events.curveRead, answer);
                               }};
    tasks::TaskGroup group;
    group.name = "curve";
    group.count = 1;
    group.admission = &paged.admission();
    group.run = [&](std::size_t, tasks::TaskContext& task) {
      if (request.kind == CurveRequest::Kind::Values) return readValues(reading, task);
      // Where a surface moves the curve is that of a place of it, and not of a place in space that it passes.
      if (request.kind == CurveRequest::Kind::Time && fields::hasSurfacesInSpace(paged.description())) {
        if (paging::cellsChange(paged.description()))  // each step has faces of its own
          return readSteps(reading, [&](std::int64_t step, double& value) {
            return fields::placeOnSurface(paged, task, plan, request.from, step, {&value, 1}).has_value();
          });
        fields::SurfacePlaces places(paged, task, plan);
        const auto face = places.bestOfSteps(request.from, [this] {
          if (m_curveIsOld) throw Cancelled();
        });
        if (face)
          return readSteps(reading, [&](std::int64_t step, double& value) {
            if (!places.isThere(*face, step)) return false;
            places.evaluate(*face, step, {&value, 1});
            return true;
          });
      }
      const auto sampler = paged.makeSampler(task, plan);
      if (request.kind == CurveRequest::Kind::Line) return readLine(reading, *sampler);
      const fields::ProbedValues probed(paged.description());
      fields::Location where;
      readSteps(reading, [&](std::int64_t step, double& value) {
        // Grids may move.
        const fields::FieldTime moment{step};
        if (!sampler->locate(request.from, moment, where)) return false;
        sampler->evaluate(probed.at(request.from, where, moment, *sampler), moment, {&value, 1});
        return true;
      });
    };
    tasks::makeSerialScheduler(paged.reapers())->run(group, stop);
    answer.part = 1;
  } catch (const Cancelled&) {
    stopped = true;
  } catch (...) {
    answer.values.clear();
    answer.part = 1;
    answer.problem = currentProblem().message;
  }
  lock.lock();
  if (own) endPlan(lock, std::move(own));
  if (stopped) {
    // by the foreman, or for a point; unless something newer was asked, or nothing is wanted any more
    if (!m_curve && !m_curveIsUnwanted) m_curve = request;
    m_curveBegun = {std::move(answer), next};
    return;
  }
  tell(m_events.curveRead, answer);
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
