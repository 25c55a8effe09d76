#include "core/session/run/follow.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

#include "core/base/error.h"

namespace farfield::session {
namespace {

using Clock = std::chrono::steady_clock;

/// Returns when `time` is over. Throws Cancelled.
void rest(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop, time, [] { return false; });
  if (stop.stop_requested()) throw Cancelled();
}

/// The statistics of all passes: of data and steps those of the last one.
void add(RunStats& all, RunStats&& pass) {
  const auto addTo = [](auto& sum, auto more) { sum += more; };
  // What a pass leaves out because one before it computed it was not left out.
  const std::uint64_t computed = (all.steps - all.stepsLeftOut) + (pass.steps - pass.stepsLeftOut);
  pass.stepsLeftOut = pass.steps - std::min(pass.steps, computed);
  if (all.wallSeconds > pass.wallSeconds) pass.boundBy = all.boundBy;  // a short one tells little
  addTo(pass.wallSeconds, all.wallSeconds);
  pass.paging.peakBytes = std::max(pass.paging.peakBytes, all.paging.peakBytes);
  pass.paging.longestMissChain = std::max(pass.paging.longestMissChain, all.paging.longestMissChain);
  for (auto [sum, more] : {std::pair{&pass.paging.requests, all.paging.requests},
                           {&pass.paging.hits, all.paging.hits},
                           {&pass.paging.misses, all.paging.misses},
                           {&pass.paging.reads, all.paging.reads},
                           {&pass.paging.bytesRead, all.paging.bytesRead},
                           {&pass.paging.prefetches, all.paging.prefetches},
                           {&pass.paging.prefetchesUsed, all.paging.prefetchesUsed},
                           {&pass.paging.evictions, all.paging.evictions}})
    addTo(*sum, more);
  for (const ObjectStats& before : all.objects) {
    const auto same = std::find_if(pass.objects.begin(), pass.objects.end(),
                                   [&](const ObjectStats& each) { return each.name == before.name; });
    if (same == pass.objects.end()) continue;
    addTo(same->count, before.count);
    addTo(same->points, before.points);
    addTo(same->seconds, before.seconds);
    addTo(same->cpuSeconds, before.cpuSeconds);
    same->mostTasksInFlight = std::max(same->mostTasksInFlight, before.mostTasksInFlight);
    for (const auto& [reason, lines] : before.terminations) same->terminations[reason] += lines;
    for (const auto& [key, value] : before.more) {
      const StatsValue* const last = same->find(key);
      if (!last)
        same->set(key, value);
      else if (key == "missing" || key == "missingOf")
        same->set(key, std::get<std::uint64_t>(*last) + std::get<std::uint64_t>(value));
    }
  }
  all = std::move(pass);
}

}  // namespace

RunStats followSession(const Session& session, const fields::ReaderRegistry& readers, RunOptions options,
                       const FollowOptions& follow, std::stop_token stop) {
  RunStats all;
  std::exception_ptr failure;
  bool begun = false;
  options.numbered = options.unfinished = true;
  options.foundRanges = std::make_shared<FoundRanges>();
  std::string told;
  const auto tell = [&](const std::string& what) {
    if (follow.waiting && what != told) follow.waiting(what);
    told = what;
  };
  const auto pass = [&] {
    if (follow.beginPass) follow.beginPass();
    add(all, runSession(session, readers, options, stop));
    begun = options.resume = true;
  };
  FileLook done, seen = follow.look(session);
  Clock::time_point changed = Clock::now();
  bool anything = false;
  while (true) {
    const FileLook now = follow.look(session);
    const bool still = now == seen;
    if (!still) changed = Clock::now();
    seen = now;
    if (still && (!anything || now != done)) {
      anything = true;
      done = now;
      try {
        pass();
        failure = nullptr;
        tell("all " + std::to_string(all.steps) + (all.steps == 1 ? " step that is" : " steps that are") +
             " there are done; waiting for more");
        changed = Clock::now();
      } catch (const Cancelled&) {
        throw;
      } catch (const Error& error) {
        // A writer may be in the middle of it.
        failure = std::current_exception();
        tell(std::string("waiting, because ") + error.what());
      }
      continue;
    }
    if (follow.idle && Clock::now() - changed >= *follow.idle) break;
    rest(follow.interval, stop);
  }
  if (failure) std::rethrow_exception(failure);
  options.unfinished = false;
  pass();
  return all;
}

}  // namespace farfield::session
