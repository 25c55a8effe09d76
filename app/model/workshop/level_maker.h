#pragma once
// Makes levels of detail of what volumes show, where the data have none, in the background: for whoever turns a volume of
// data that were not converted. It says how much it would keep before it begins; what is large is begun on request
// alone. One at a time, of steps at which a volume stays for a while.
//
// A volume's levels are Offered (large), or Waiting, then Making, then Made; Stopped by the user or Failed, until he asks
// again. What is there already, small data and data of other machines are None.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/model/workshop/workshop_types.h"
#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/ingest/kept_levels.h"

namespace farfield::app {

/// Thread-safe; no call waits but giveBack(), and consider(), which looks at files.
class LevelMaker {
 public:
  struct Options {
    std::shared_ptr<const paging::KeptLevels> kept = nullptr;  ///< null: nothing is made
    /// What takes more is made on request.
    std::uint64_t mostUnasked = std::uint64_t{1} << 30;
    /// So long a volume has shown what it shows.
    std::chrono::milliseconds rest{2000};
  };
  /// `tell` is called from any thread, with a lock held: it posts and returns.
  LevelMaker(std::shared_ptr<const fields::ReaderRegistry> readers, Options options,
             std::shared_ptr<MemoryAccount> account, std::function<void(const LevelsReport&)> tell);
  /// Stops what is being made, which can be gone on with, and waits for it.
  ~LevelMaker();
  LevelMaker(const LevelMaker&) = delete;
  LevelMaker& operator=(const LevelMaker&) = delete;

  /// The volume `id` shows a function of `arrays` of `data` at `step` from now on.
  void consider(ObjectId id, const fields::OpenData& data, const std::vector<std::string>& arrays,
                std::int64_t step);
  /// It shows nothing any more.
  void forget(ObjectId id);
  /// On request of the user.
  void make(ObjectId id);
  void stop(ObjectId id);
  /// There is less memory: what is being made goes on with what it may have now. Waits until it has given back what it had, or until
  /// `stop`, and no longer than `most`: who reads for it may be slow to stop.
  void giveBack(const std::stop_token& stop = {}, std::chrono::milliseconds most = std::chrono::seconds(10));

 private:
  using Clock = std::chrono::steady_clock;
  using State = LevelsReport::State;
  struct Wish {
    fields::OpenRequest request;
    paging::LevelsWanted wanted;
    paging::KeptLevels::Place place;
    Clock::time_point due;
    std::uint64_t begunBytes = 0;  ///< as of the last look at the folder
    State state = State::None;
    double part = 0;
    Problem problem = {};
  };
  void run(const std::stop_token& stop);
  void makeOne(std::unique_lock<std::mutex>& lock, Wish wish);
  void stopUnwanted();
  void sawBegun(const std::string& identity, std::uint64_t bytes);
  void setState(const std::string& identity, State state, double part, const Problem& problem = {});
  void report(ObjectId id, const Wish& wish, bool justMade = false) const;

  const std::shared_ptr<const fields::ReaderRegistry> m_readers;
  const Options m_options;
  const std::shared_ptr<MemoryAccount> m_account;
  const std::function<void(const LevelsReport&)> m_tell;
  std::mutex m_mutex;  // guards everything below
  std::condition_variable_any m_changed;
  std::map<ObjectId, Wish> m_wishes;
  std::map<std::string, Problem> m_failed;  ///< by identity; not tried again by itself
  std::set<std::string> m_stopped;          ///< by the user
  std::string m_making;                     ///< identity; empty: none
  std::uint64_t m_ends = 0;                 ///< how often something was being made and is no more
  std::stop_source m_stop;                  ///< of it
  std::jthread m_thread;                    // last: it uses the others
};

}  // namespace farfield::app
