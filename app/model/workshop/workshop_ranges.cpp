// How a workshop finds the ranges of functions over the whole of their data: while nobody else has anything to do, for a moment at a
// time, going on where it stopped.

#include <algorithm>

#include "app/model/workshop/workshop.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/paging/pages/source_report.h"

namespace farfield::app {
namespace {

/// So long others wait at most, beside the box that is being looked at.
constexpr std::chrono::milliseconds kTurn{30};
/// Between two times that it is told how far it is.
constexpr std::chrono::milliseconds kNextWord{500};
/// So much is read for what nobody has asked for: half a minute of the least important thread's time.
constexpr std::uint64_t kMostUnasked = std::uint64_t{4} << 30;

/// What is far away is not fetched as a whole unless somebody asks.
bool isHere(const fields::PagedData& data) {
  const std::vector<paging::SourceReport> all = data.sourceReports();
  return std::all_of(all.begin(), all.end(), [](const paging::SourceReport& its) { return its.isHere; });
}

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

fields::RangeSearch searchFor(const RangeRequest& request) {
  using Steps = fields::RangeSearch::Steps;
  return {request.function, request.step, request.ofStep ? Steps::FirstAlone : Steps::All};
}

RangeFound foundBy(const RangeRequest& request, const fields::RangeSearch& search, bool isOver) {
  return {request.dataKey, request.function, request.ofStep ? std::optional(request.step) : std::nullopt,
          search.found(),  search.part(),    search.isDone(),
          isOver};
}

}  // namespace

void Workshop::findRanges(const std::vector<RangeRequest>& requests) {
  ask([this, requests] {
    std::vector<RangeHunt> hunts;
    for (const RangeRequest& request : requests) {
      if (RangeHunt* const known = huntOf(request)) {
        // What was too much for nobody goes on for somebody.
        const bool goesOn = request.asked && !known->request.asked && known->isOver;
        known->request.asked = request.asked;
        if (goesOn) known->isOver = false;
        hunts.push_back(std::move(*known));
      } else {
        hunts.push_back({request, searchFor(request), {}, false});
      }
    }
    m_hunts = std::move(hunts);
    m_changed.notify_all();
  });
}

Workshop::RangeHunt* Workshop::huntOf(const RangeRequest& request) {
  const auto found = std::find_if(m_hunts.begin(), m_hunts.end(), [&](const RangeHunt& its) {
    return its.request.dataKey == request.dataKey && its.request.function == request.function &&
           its.request.ofStep == request.ofStep && (!request.ofStep || its.request.step == request.step);
  });
  return found == m_hunts.end() ? nullptr : &*found;
}

/// Whose data are planned with the arrays that it takes, while everybody else rests: nothing is planned anew for it.
Workshop::RangeHunt* Workshop::nextHunt() {
  if (m_exclusive || foremanHasWork() || m_busy > 0 || !m_order.empty()) return nullptr;
  for (RangeHunt& its : m_hunts) {
    if (its.isOver || its.search.isDone()) continue;
    const auto found = m_data.find(its.request.dataKey);
    if (found == m_data.end() || found->second.state != DataSet::State::Open || !found->second.paged)
      continue;
    const std::vector<std::string>& planned = found->second.plannedArrays;
    try {
      const fields::FunctionPlan plan(found->second.data->description(), {its.request.function});
      if (std::all_of(plan.arrays().begin(), plan.arrays().end(), [&](const std::string& array) {
            return std::find(planned.begin(), planned.end(), array) != planned.end();
          }))
        return &its;
    } catch (const std::exception&) {
      its.isOver = true;  // no function of these data: whoever shows it says so
    }
  }
  return nullptr;
}

void Workshop::hunt(Lock& lock, RangeHunt& its) {
  const std::stop_token stop = m_probeStop.get_token();
  const RangeRequest request = its.request;
  fields::RangeSearch search = its.search;
  fields::PagedData& paged = *m_data.at(request.dataKey).paged;
  lock.unlock();
  const Clock::time_point end = Clock::now() + kTurn;
  const auto isTooMuch = [&] { return !request.asked && search.seenBytes() > kMostUnasked; };
  bool isOver = false;
  try {
    isOver = !request.asked && !isHere(paged);
    if (!isOver) {
      const MemoryClaim claim = m_account->claim(
          Purpose::Results, fields::RangeSearch::bytesFor(paged.description(), request.function),
          "finding a range");
      tasks::TaskGroup group;
      group.name = "range";
      group.count = 1;
      group.admission = &paged.admission();
      group.run = [&](std::size_t, tasks::TaskContext& task) {
        search.goOn(paged, task, [&] { return Clock::now() >= end || isTooMuch(); });
      };
      tasks::makeSerialScheduler(paged.reapers())->run(group, stop);
      isOver = isTooMuch() && !search.isDone();
    }
  } catch (const Cancelled&) {
    // The foreman wants to work; it goes on afterwards.
  } catch (const OverBudget&) {
    isOver = true;
  } catch (const std::exception& error) {
    // Also what is no error of ours: the system may have less memory than the budget.
    isOver = true;
    log::detail("the range of " + request.function + " is not found: " + error.what());
  }
  lock.lock();
  RangeHunt* const now = huntOf(request);
  if (!now) return;
  now->search = search;
  // Somebody may have asked meanwhile.
  now->isOver = isOver && now->request.asked == request.asked;
  if (!now->isOver && !search.isDone() && Clock::now() - now->told < kNextWord) return;
  now->told = Clock::now();
  tell(m_events.rangeFound, foundBy(request, search, now->isOver));
}

/// There are more steps of data: what was whole is no more.
void Workshop::huntGrown(const std::string& key) {
  for (RangeHunt& its : m_hunts) {
    if (its.request.dataKey != key || its.isOver) continue;
    its.search.takeMoreSteps();
    tell(m_events.rangeFound, foundBy(its.request, its.search, false));
  }
}

/// The data are others under the same name.
void Workshop::huntAnew(const std::string& key) {
  for (RangeHunt& its : m_hunts) {
    if (its.request.dataKey != key) continue;
    its.search = searchFor(its.request);
    its.isOver = false;
    tell(m_events.rangeFound, foundBy(its.request, its.search, false));
  }
}

}  // namespace farfield::app
