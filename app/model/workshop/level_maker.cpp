#include "app/model/workshop/level_maker.h"

#include <algorithm>

#include "app/levels/volume_levels.h"
#include "core/base/error.h"
#include "core/base/niceness.h"
#include "core/base/stoppable_waits.h"
#include "core/fields/data/page_reader.h"
#include "core/trace/trace.h"

namespace farfield::app {
namespace {

constexpr int kNiceness = 15;
constexpr std::chrono::milliseconds kTellInterval{200};
/// Of the budget, and no more than is any use. To go on with what was begun takes 4 MiB for checking it.
constexpr std::uint64_t kBudgetShare = 8, kLeastBytes = std::uint64_t{8} << 20,
                        kMostBytes = std::uint64_t{64} << 20;
/// Of that, for pages of stores.
constexpr std::uint64_t kPagePart = 4;

}  // namespace

LevelMaker::LevelMaker(std::shared_ptr<const fields::ReaderRegistry> readers, Options options,
                       std::shared_ptr<MemoryAccount> account, std::function<void(const LevelsReport&)> tell)
    : m_readers(std::move(readers)),
      m_options(std::move(options)),
      m_account(std::move(account)),
      m_tell(std::move(tell)) {
  if (!m_options.kept) return;
  m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

LevelMaker::~LevelMaker() {
  m_thread.request_stop();
  const std::lock_guard lock(m_mutex);
  m_stop.request_stop();
}

void LevelMaker::report(ObjectId id, const Wish& wish, bool justMade) const {
  if (!m_tell) return;
  LevelsReport report;
  report.id = id;
  report.state = wish.state;
  report.bytes = wish.place.bytes;
  report.begunBytes = wish.begunBytes;
  report.part = wish.part;
  report.folder = m_options.kept->folder().string();
  report.problem = wish.problem;
  report.justMade = justMade;
  m_tell(report);
}

void LevelMaker::consider(ObjectId id, const fields::OpenData& data, const std::vector<std::string>& arrays,
                          std::int64_t step) {
  if (!m_options.kept) return;
  std::optional<paging::LevelsWanted> wanted;
  std::optional<paging::KeptLevels::Place> place;
  try {
    wanted = levelsWantedOf(data, arrays, step);
    if (wanted) place = m_options.kept->placeOf(*wanted, data.description());
  } catch (const std::exception&) {
    // Who reads the data says what is wrong with them.
  }
  // The folder may be on a machine that does not answer: nobody else waits for that.
  const bool isThere = place && m_options.kept->isThere(*place);
  const std::uint64_t begun = place && !isThere ? m_options.kept->begunBytes(*place) : 0;
  const std::lock_guard lock(m_mutex);
  const auto known = m_wishes.find(id);
  if (!place) {
    if (known == m_wishes.end()) return;
    m_wishes.erase(known);
    stopUnwanted();
    if (m_tell) m_tell({.id = id});
    return;
  }
  if (known != m_wishes.end() && known->second.place.identity == place->identity &&
      known->second.state != State::Made)
    return;
  Wish wish{*data.request(), std::move(*wanted), std::move(*place), Clock::now() + m_options.rest, begun};
  if (isThere) {
    wish.state = State::Made;
  } else if (const auto failed = m_failed.find(wish.place.identity); failed != m_failed.end()) {
    wish.state = State::Failed;
    wish.problem = failed->second;
  } else if (m_stopped.contains(wish.place.identity)) {
    wish.state = State::Stopped;
  } else if (m_making == wish.place.identity) {
    wish.state = State::Making;
  } else {
    wish.state = wish.place.bytes <= m_options.mostUnasked ? State::Waiting : State::Offered;
  }
  const auto placed = m_wishes.insert_or_assign(id, std::move(wish)).first;
  stopUnwanted();
  report(id, placed->second);
  m_changed.notify_all();
}

void LevelMaker::forget(ObjectId id) {
  const std::lock_guard lock(m_mutex);
  if (m_wishes.erase(id) > 0) stopUnwanted();
}

void LevelMaker::make(ObjectId id) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_wishes.find(id);
  if (found == m_wishes.end() || found->second.state == State::Made || found->second.state == State::Making)
    return;
  Wish& wish = found->second;
  m_stopped.erase(wish.place.identity);
  m_failed.erase(wish.place.identity);
  wish.due = Clock::now();
  setState(wish.place.identity, State::Waiting, 0);
  m_changed.notify_all();
}

void LevelMaker::stop(ObjectId id) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_wishes.find(id);
  if (found == m_wishes.end() ||
      (found->second.state != State::Making && found->second.state != State::Waiting))
    return;
  const std::string identity = found->second.place.identity;
  m_stopped.insert(identity);
  if (m_making == identity) m_stop.request_stop();
  setState(identity, State::Stopped, found->second.part);
}

void LevelMaker::giveBack(const std::stop_token& stop, std::chrono::milliseconds most) {
  std::unique_lock lock(m_mutex);
  if (m_making.empty()) return;
  const std::uint64_t before = m_ends;
  m_stop.request_stop();
  // It may have begun again by then, or another.
  m_changed.wait_for(lock, stop, most, [&] { return m_ends != before; });
}

/// What nobody shows any more is left as it is, to be gone on with.
void LevelMaker::stopUnwanted() {
  if (m_making.empty()) return;
  const bool wanted = std::any_of(m_wishes.begin(), m_wishes.end(),
                                  [&](const auto& entry) { return entry.second.place.identity == m_making; });
  if (!wanted) m_stop.request_stop();
}

void LevelMaker::sawBegun(const std::string& identity, std::uint64_t bytes) {
  for (auto& [id, wish] : m_wishes)
    if (wish.place.identity == identity) wish.begunBytes = bytes;
}

void LevelMaker::setState(const std::string& identity, State state, double part, const Problem& problem) {
  for (auto& [id, wish] : m_wishes) {
    if (wish.place.identity != identity) continue;
    wish.state = state;
    wish.part = part;
    wish.problem = problem;
    report(id, wish);
  }
}

void LevelMaker::run(const std::stop_token& stop) {
  trace::nameThread("level maker");
  beNice(kNiceness);
  std::unique_lock lock(m_mutex);
  while (!stop.stop_requested()) {
    const Wish* next = nullptr;
    for (const auto& [id, wish] : m_wishes)
      if (wish.state == State::Waiting && (!next || wish.due < next->due)) next = &wish;
    if (!next) {
      m_changed.wait(lock, stop, [&] {
        return std::any_of(m_wishes.begin(), m_wishes.end(),
                           [](const auto& entry) { return entry.second.state == State::Waiting; });
      });
      continue;
    }
    if (const Clock::time_point due = next->due; due > Clock::now()) {
      const std::string identity = next->place.identity;
      // Until it is due, or something is asked for meanwhile.
      m_changed.wait_until(lock, stop, due, [&] {
        return std::none_of(m_wishes.begin(), m_wishes.end(), [&](const auto& entry) {
          return entry.second.place.identity == identity && entry.second.state == State::Waiting &&
                 entry.second.due >= due;
        });
      });
      continue;
    }
    makeOne(lock, *next);
  }
}

void LevelMaker::makeOne(std::unique_lock<std::mutex>& lock, Wish wish) {
  const std::string identity = wish.place.identity;
  m_making = identity;
  m_stop = {};
  const std::stop_token stop = m_stop.get_token();
  setState(identity, State::Making, 0);
  lock.unlock();
  State end = State::Made;
  Problem problem;
  try {
    const StoppableWaits waits(stop);
    const std::uint64_t bytes = std::clamp(m_account->budgetBytes() / kBudgetShare, kLeastBytes, kMostBytes);
    const MemoryClaim claim = m_account->claim(Purpose::Work, bytes, "making levels of detail");
    MemoryAccount own(bytes);
    fields::OpenRequest request = wish.request;
    request.forConversion = true;
    request.stop = stop;
    const std::unique_ptr<fields::OpenData> data = m_readers->open(request, own);
    std::shared_ptr<const paging::BoxReader> reader;
    if (data->boxReader())
      reader = {std::shared_ptr<const void>(), data->boxReader()};
    else
      reader = std::make_shared<fields::PageReader>(*data, own, bytes / kPagePart);
    auto told = Clock::now();
    const auto progress = [&](std::uint64_t done, std::uint64_t total) {
      const auto now = Clock::now();
      if (now - told < kTellInterval || total == 0) return;
      told = now;
      const std::uint64_t begun = m_options.kept->begunBytes(wish.place);
      const std::lock_guard guard(m_mutex);
      sawBegun(identity, begun);
      if (!stop.stop_requested())
        setState(identity, State::Making, static_cast<double>(done) / static_cast<double>(total));
    };
    m_options.kept->make(reader, wish.wanted, wish.place,
                         {.processors = 1, .progress = progress, .stop = stop}, own);
  } catch (const Cancelled&) {
    end = State::Stopped;
  } catch (...) {
    end = State::Failed;
    problem = currentProblem();
  }
  const std::uint64_t begun = m_options.kept->begunBytes(wish.place);
  lock.lock();
  sawBegun(identity, begun);
  m_making.clear();
  ++m_ends;
  m_changed.notify_all();
  if (end == State::Failed) m_failed[identity] = problem;
  if (end == State::Stopped && !m_stopped.contains(identity)) {
    // Nobody showed it for a moment, but somebody does again.
    setState(identity, State::Waiting, 0);
    return;
  }
  for (auto& [id, its] : m_wishes) {
    if (its.place.identity != identity) continue;
    its.state = end;
    its.problem = problem;
    report(id, its, end == State::Made);
  }
}

}  // namespace farfield::app
