// Data of a workshop whose files have changed while they are open: they are opened once more beside what is there, and go on with more
// steps, or as they are now.

#include <algorithm>
#include <utility>

#include "app/model/workshop/workshop_drawn.h"
#include "app/model/workshop/workshop_opening.h"
#include "core/base/error.h"

namespace farfield::app {
namespace {

/// Whether `now` has the steps of `before` and more, and the same blocks and arrays.
bool isLongerSeries(const paging::DatasetDescription& now, const paging::DatasetDescription& before) {
  const auto sameBlock = [](const paging::BlockDescription& a, const paging::BlockDescription& b) {
    return a.dims == b.dims && a.kind == b.kind;
  };
  const auto sameArray = [](const paging::ArrayDescription& a, const paging::ArrayDescription& b) {
    return a.name == b.name && a.block == b.block && a.components == b.components;
  };
  return now.steps() > before.steps() &&
         std::equal(before.times.begin(), before.times.end(), now.times.begin()) &&
         std::equal(now.blocks.begin(), now.blocks.end(), before.blocks.begin(), before.blocks.end(),
                    sameBlock) &&
         std::equal(now.arrays.begin(), now.arrays.end(), before.arrays.begin(), before.arrays.end(),
                    sameArray);
}

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

}  // namespace

void Workshop::lookAgain(const std::string& key) {
  ask([this, key] {
    const auto found = m_data.find(key);
    if (found == m_data.end()) return;
    const DataSet::State state = found->second.state;
    if (state != DataSet::State::Open && state != DataSet::State::Opening) return;
    found->second.lookAgain = true;
    m_changed.notify_all();
  });
}

void Workshop::readAgain(const std::string& key, std::function<fields::OpenRequest()> request) {
  ask([this, key, request = std::move(request)] {
    const auto found = m_data.find(key);
    if (found == m_data.end() || found->second.isReadAgain) return;
    const DataSet::State state = found->second.state;
    if (state != DataSet::State::Open && state != DataSet::State::Opening) return;
    found->second.readAgain = true;
    found->second.nextRequest = request;
    found->second.changedStop.request_stop();  // a look, whose place it takes
    m_changed.notify_all();
  });
}

void Workshop::stopReading(const std::string& key) {
  ask([this, key] {
    if (const auto found = m_data.find(key); found != m_data.end()) giveUpReading(key, found->second);
    m_changed.notify_all();
  });
}

void Workshop::giveUpReading(const std::string& key, DataSet& set) {
  if (set.isReadAgain) set.changedStop.request_stop();
  if (!std::exchange(set.readAgain, false)) return;
  set.nextRequest = nullptr;
  tell(m_events.notReplaced, key, Problem{});
}

/// What was opened once more can take its place, or need not.
bool Workshop::canTakeChanged(const DataSet& set) const {
  if (set.changedStop.stop_requested()) return true;
  // A picture that was begun anew for new steps is not begun again and again as they come.
  const bool isAwaited =
      !set.isReadAgain && std::any_of(set.drawn.begin(), set.drawn.end(), [](const auto& each) {
        const auto drawn = each.lock();
        return drawn && drawn->isAgain;
      });
  return !isAwaited && set.changed->isOver();
}

/// Begins to open what has changed, beside what is open and while others compute. What there is of what was begun earlier, and goes on.
std::vector<Workshop::Grown> Workshop::openChanged(Lock& lock) {
  std::vector<Grown> grown;
  takeChanged(lock, grown);
  for (auto& [key, set] : m_data) {  // the foreman alone takes any out
    const bool isTaken =
        std::any_of(grown.begin(), grown.end(), [&](const Grown& each) { return each.key == key; });
    if (set.changed || isTaken) continue;
    const bool looks = std::exchange(set.lookAgain, false);
    const bool reads = std::exchange(set.readAgain, false);
    if ((!looks && !reads) || set.state != DataSet::State::Open) continue;
    set.isReadAgain = reads;
    set.changedStop = {};  // what is open goes by the one before
    set.changed = beginOpening(lock, key, set, set.changedStop.get_token());
  }
  return grown;
}

void Workshop::takeChanged(Lock& lock, std::vector<Grown>& grown) {
  std::vector<Opened> unwanted;
  for (auto& [key, set] : m_data) {
    const bool isStopped = set.changedStop.stop_requested();
    if (!set.changed || !canTakeChanged(set)) continue;
    Opened opened = std::exchange(set.changed, nullptr)->take();
    const bool reads = set.isReadAgain;
    const bool isOpen = set.state == DataSet::State::Open && set.summary;
    const bool goesOn =
        isOpen && !isStopped &&
        (reads ? opened.data || opened.problem->lacksMemory
               : opened.data && isLongerSeries(opened.summary->description, set.summary->description));
    if (goesOn) {
      grown.push_back({key, std::move(opened), reads});
      continue;
    }
    // What a writer has not finished is looked at again once it changes.
    set.isReadAgain = false;
    if (reads) set.nextRequest = nullptr;
    if (reads && isOpen) tell(m_events.notReplaced, key, isStopped ? Problem{} : *opened.problem);
    unwanted.push_back(std::move(opened));
  }
  lock.unlock();
  unwanted.clear();
  lock.lock();
}

/// Of data that are others now. What is seen stays until there is something new.
void Workshop::forgetResults(const std::string& key, const DataSummary& now) {
  const std::int64_t steps = now.description.steps();
  for (auto& [id, job] : m_jobs) {
    if (job.shownKey == key) job.shownKey.clear();
    if (job.wanted.dataKey != key) continue;
    // Until its owner asks for what there is.
    job.wanted.step = std::min(job.wanted.step, steps - 1);
    if (job.wanted.nextStep >= steps) job.wanted.nextStep = -1;
  }
  if (m_curveBegun.answer.request.dataKey == key) m_curveBegun = {};
  m_data.at(key).probedArrays.clear();  // they may not be there any more
}

/// The data go on as they are now. Pages are read anew; what is shown stays.
void Workshop::takeGrown(Lock& lock, std::vector<Grown> grown) {
  const auto isOne = [&](const DataSet& set) {
    return std::any_of(grown.begin(), grown.end(),
                       [&](const Grown& each) { return &m_data.at(each.key) == &set; });
  };
  if (grown.empty()) return;
  // Pictures that are being drawn keep what they began with, unless there is not memory for both.
  for (const Grown& each : grown)
    if (each.isReadAgain && each.opened.data && DrawnPart::isAnyOf(m_data.at(each.key)))
      DrawnPart::keepData(*this, each.key);
  release(lock, isOne);
  for (Grown& each : grown) {
    DataSet& set = m_data.at(each.key);
    if (!each.opened.data) {
      std::unique_ptr<fields::OpenData> before = std::move(set.data);
      lock.unlock();
      before.reset();
      lock.lock();
      each.opened = openInTime(lock, each.key, set, set.changedStop.get_token());
    }
    const bool isReadAgain = std::exchange(set.isReadAgain, false);
    if (isReadAgain) ++set.timesReadAgain;
    if (isReadAgain && set.nextRequest) set.request = std::exchange(set.nextRequest, nullptr);
    if (each.opened.problem) {
      set.state = DataSet::State::Failed;
      set.summary.reset();
      tell(m_events.openFailed, each.key, *each.opened.problem);
      continue;
    }
    std::swap(set.data, each.opened.data);
    set.summary = each.opened.summary;
    if (isReadAgain) forgetResults(each.key, *set.summary);
    tell(isReadAgain ? m_events.replaced : m_events.grown, each.key, set.summary);
    if (isReadAgain)
      huntAnew(each.key);
    else
      huntGrown(each.key);
  }
  m_replan = true;  // also where nothing is computed again: points and lines are asked for
  lock.unlock();
  grown.clear();
  lock.lock();
}

}  // namespace farfield::app
