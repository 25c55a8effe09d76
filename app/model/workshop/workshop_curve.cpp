// What a workshop reads for curves: along lines, over time, and how often values occur.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "app/model/workshop/curve_reader.h"
#include "app/model/workshop/workshop.h"
#include "core/base/error.h"
#include "core/fields/groups/node_boxes.h"
#include "core/fields/places/moving_places.h"
#include "core/fields/places/probed_values.h"
#include "core/fields/places/surface_places.h"
#include "core/paging/pages/changing_cells.h"
#include "core/paging/pages/source_report.h"
#include "core/session/run/task_order.h"

namespace farfield::app {
namespace {

constexpr int kMostLinePoints = 10'000;
/// Until a curve that takes long is shown as far as it is.
constexpr std::chrono::milliseconds kNextCurve{250};

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

/// Where no number is known yet, or none will be.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// To the curves of the functions, at point or step `n`. What is no number in the data is told from what lies outside of them.
void put(std::span<const double> values, std::span<std::vector<double>> curves, std::size_t n) {
  for (std::size_t each = 0; each < curves.size(); ++each)
    curves[each][n] = std::isfinite(values[each]) ? values[each] : std::numeric_limits<double>::infinity();
}

/// Whether what failed so is a gap in a curve, whose other steps can still be read: each that waits for what is far away may take long.
bool isOfOneStep(const Error& error, const fields::PagedData& data) {
  if (dynamic_cast<const Cancelled*>(&error) || dynamic_cast<const OverBudget*>(&error)) return false;
  if (dynamic_cast<const NotFound*>(&error) || dynamic_cast<const Corrupt*>(&error)) return true;
  const std::vector<paging::SourceReport> sources = data.sourceReports();
  return std::all_of(sources.begin(), sources.end(),
                     [](const paging::SourceReport& its) { return its.isHere; });
}

/// Puts a line between two places that go with cells where these are at its step. False where one of them is not there then.
bool moveEnds(CurveRequest& request, fields::PagedData& data, tasks::TaskContext& task,
              const std::shared_ptr<const fields::FunctionPlan>& plan) {
  if (!lineMoves(request) || !fields::cellsMove(data.description())) return true;
  fields::MovingPlaces places(data, task, plan);
  for (const auto& [n, end] : {std::pair(0, &request.from), std::pair(1, &request.to)}) {
    const std::int64_t from = request.goesFrom[static_cast<std::size_t>(n)];
    if (from == kStays) continue;
    const auto found = places.find(request.places[static_cast<std::size_t>(n)], from);
    if (!found || !places.evaluate(*found, request.step, {})) return false;
    *end = places.pointAt(*found, request.step);
  }
  return true;
}

}  // namespace

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
  return plansFor(set, m_curve->functions);
}

/// Who reads it stops for a point under the cursor, and goes on afterwards.
struct Workshop::CurveReading {
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> plan;
  CurveAnswer& answer;
  std::size_t& next;  ///< of its points, of the steps of one place after the other, or of its boxes
  fields::SurfacePlaces::Search& search;  ///< for the face of the place that is next
  std::function<void()> show;             ///< what there is so far

  bool isUnread(std::int64_t step) const {
    return std::binary_search(answer.unread.begin(), answer.unread.end(), step);
  }
  /// Of an error that is being handled; throws it on where it is not of that step alone.
  void leaveOut(std::int64_t step, const Error& error) const {
    if (!isOfOneStep(error, data)) throw;
    if (isUnread(step)) return;
    if (answer.unread.empty() || step < answer.unread.front()) answer.whyUnread = currentProblem().message;
    answer.unread.insert(std::lower_bound(answer.unread.begin(), answer.unread.end(), step), step);
  }
};

void Workshop::readLine(const CurveReading& reading, fields::Sampler& sampler) {
  const CurveRequest& request = reading.answer.request;
  const fields::FieldTime time{std::min(request.step, reading.data.description().steps() - 1)};
  const std::size_t count = reading.answer.values.front().size();
  const fields::ProbedValues probed(reading.data.description());
  std::vector<double> values(request.functions.size());
  fields::Location where;
  for (std::size_t& n = reading.next; n < count; ++n) {
    if (m_curveIsOld) throw Cancelled();
    const double part = count > 1 ? static_cast<double>(n) / static_cast<double>(count - 1) : 0;
    const Vec3 point = request.from + part * (request.to - request.from);
    if (!sampler.locate(point, time, where)) continue;
    sampler.evaluate(probed.at(point, where, time, sampler), time, values);
    put(values, reading.answer.values, n);
  }
}

void Workshop::readSteps(const CurveReading& reading, std::size_t place,
                         const std::function<bool(std::int64_t step, std::span<double> values)>& readAt,
                         const std::function<void()>& readAnew) {
  const std::size_t functions = reading.answer.request.functions.size();
  const std::span<std::vector<double>> curves =
      std::span(reading.answer.values).subspan(place * functions, functions);
  const std::size_t steps = curves.front().size(), all = steps * reading.answer.request.places.size();
  std::vector<double> values(functions);
  Clock::time_point shown = Clock::now();
  for (std::size_t& next = reading.next; next < (place + 1) * steps; ++next) {
    if (m_curveIsOld) throw Cancelled();
    const std::size_t n = next - place * steps;
    const auto step = static_cast<std::int64_t>(n);
    bool isRead = !reading.isUnread(step);
    if (isRead) {
      try {
        if (readAt(step, values)) put(values, curves, n);
      } catch (const Error& error) {
        reading.leaveOut(step, error);
        isRead = false;
      }
      // What was reading is where it failed.
      if (!isRead) readAnew();
    }
    if (Clock::now() - shown < kNextCurve) continue;
    shown = Clock::now();
    reading.answer.part = static_cast<double>(next + 1) / static_cast<double>(all);
    if (reading.answer.part < 1) reading.show();
  }
}

void Workshop::readTime(const CurveReading& reading, tasks::TaskContext& task, std::size_t place) {
  fields::PagedData& data = reading.data;
  const CurveRequest& request = reading.answer.request;
  const Vec3 point = request.places[place];
  if (const std::int64_t from = place < request.goesFrom.size() ? request.goesFrom[place] : kStays;
      from != kStays && fields::cellsMove(data.description())) {
    std::optional<fields::MovingPlaces> places(std::in_place, data, task, reading.plan);
    const auto found = places->find(point, from);
    return readSteps(
        reading, place,
        [&](std::int64_t step, std::span<double> values) {
          return found && places->evaluate(*found, step, values);
        },
        [&] {
          places.reset();  // a task has room for one
          places.emplace(data, task, reading.plan);
        });
  }
  // Where a surface moves the curve is that of a place of it, and not of a place in space that it passes.
  if (fields::hasSurfacesInSpace(data.description())) {
    if (paging::cellsChange(data.description()))  // each step has faces of its own
      return readSteps(
          reading, place,
          [&](std::int64_t step, std::span<double> values) {
            return fields::placeOnSurface(data, task, reading.plan, point, step, values).has_value();
          },
          [] {});
    std::optional<fields::SurfacePlaces> faces(std::in_place, data, task, reading.plan);
    const auto readAnew = [&] {
      faces.reset();
      faces.emplace(data, task, reading.plan);
    };
    std::optional<fields::Location> face;
    for (bool isLooking = true; isLooking;) {
      try {
        face = faces->bestOfSteps(point, reading.search, [this] {
          if (m_curveIsOld) throw Cancelled();
        });
        isLooking = false;
      } catch (const Error& error) {
        reading.leaveOut(reading.search.next, error);
        ++reading.search.next;
      }
      if (isLooking) readAnew();
    }
    if (face)
      return readSteps(
          reading, place,
          [&](std::int64_t step, std::span<double> values) {
            if (!faces->isThere(*face, step)) return false;
            faces->evaluate(*face, step, values);
            return true;
          },
          readAnew);
  }
  std::unique_ptr<fields::Sampler> sampler = data.makeSampler(task, reading.plan);
  const fields::ProbedValues probed(data.description());
  fields::Location where;
  readSteps(
      reading, place,
      [&](std::int64_t step, std::span<double> values) {
        // Grids may move.
        const fields::FieldTime moment{step};
        if (!sampler->locate(point, moment, where)) return false;
        sampler->evaluate(probed.at(point, where, moment, *sampler), moment, values);
        return true;
      },
      [&] {
        where = {};
        sampler.reset();
        sampler = data.makeSampler(task, reading.plan);
      });
}

void Workshop::readValues(const CurveReading& reading, tasks::TaskContext& task) {
  const fields::NodeBoxes boxes(reading.data.description(), *reading.plan, fields::NodeBoxes::Blanks::Told);
  reading.answer.ofCells = fields::NodeBoxes::areOfCells(reading.data.description(), *reading.plan);
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
  const std::vector<std::string>& planned = set.plannedArrays;
  std::vector<std::string> arrays;
  for (const std::string& function : request.functions)
    for (const std::string& array : arraysOf(set, function))
      if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) arrays.push_back(array);
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
  fields::SurfacePlaces::Search search;
  const bool goesOn =
      m_curveBegun.answer.request == request && (m_curveBegun.next > 0 || m_curveBegun.search.next > 0);
  if (goesOn) {
    answer = std::move(m_curveBegun.answer);
    next = m_curveBegun.next;
    search = std::move(m_curveBegun.search);
  }
  m_curveBegun = {};
  lock.unlock();
  bool stopped = false;
  try {
    const auto plan = std::make_shared<const fields::FunctionPlan>(paged.description(), request.functions);
    if (request.functions.empty()) throw Invalid("a curve needs a function");
    for (const fields::FunctionInfo& function : plan->functions())
      if (function.components != 1)
        throw Invalid("'" + function.name + "' is a vector, and a curve shows one number");
    MemoryClaim claim;
    if (request.kind == CurveRequest::Kind::Values)
      claim = m_account->claim(Purpose::Results, fields::NodeBoxes::bytesFor(*plan), "counting values");
    const bool isOverTime = request.kind == CurveRequest::Kind::Time;
    const auto count =
        static_cast<std::size_t>(isOverTime ? paged.description().steps()
                                            : std::clamp<std::int64_t>(request.count, 1, kMostLinePoints));
    const std::size_t curves = request.functions.size() * (isOverTime ? request.places.size() : 1);
    if (isOverTime)
      claim = m_account->claim(Purpose::Results, curves * count * sizeof(double), "curves over time");
    if (request.kind != CurveRequest::Kind::Values && !goesOn)
      answer.values.assign(curves, std::vector<double>(count, kNone));
    const CurveReading reading{paged, plan, answer, next, search, [&] {
                                 const Lock again(m_mutex);
                                 tell(m_events.curveRead, answer);
                               }};
    tasks::TaskGroup group;
    group.name = "curve";
    group.count = 1;
    group.admission = &paged.admission();
    group.run = [&](std::size_t, tasks::TaskContext& task) {
      if (request.kind == CurveRequest::Kind::Values) return readValues(reading, task);
      if (request.kind == CurveRequest::Kind::Line) {
        if (!moveEnds(answer.request, paged, task, plan)) return;
        const auto sampler = paged.makeSampler(task, plan);
        return readLine(reading, *sampler);
      }
      // What was read before it made way stays.
      for (std::size_t place = 0; place < request.places.size(); ++place) {
        if (next >= (place + 1) * answer.values.front().size()) continue;
        readTime(reading, task, place);
        search = {};
      }
    };
    tasks::makeSerialScheduler(paged.reapers())->run(group, stop);
    answer.part = 1;
    if (isOverTime && answer.unread.size() == count) {
      answer.values.clear();
      answer.problem = answer.whyUnread;
    }
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
    answer.request = request;
    m_curveBegun = {std::move(answer), next, std::move(search)};
    return;
  }
  tell(m_events.curveRead, answer);
}

}  // namespace farfield::app
