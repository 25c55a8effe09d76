#pragma once
// A limit to the time of a piece of work that nobody waits for, such as the picture that a file manager asks for. What can
// be stopped is asked to stop a little before the end; what cannot (a reader in the middle of a large text) ends with the
// program, so that the limit holds whatever the data are.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/error.h"

namespace farfield::cli {

/// Made and destroyed by the thread that works.
class TimeLimit {
 public:
  /// From now on. `what` names the work in the error. `stop` stops it, too. `ending` (may be empty) is called on another thread
  /// when the work is asked to stop for want of time.
  TimeLimit(std::chrono::seconds limit, std::string what, std::stop_token stop,
            std::function<void()> ending = {});
  /// The work is done: the limit is no more.
  ~TimeLimit() { finish(); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Requested when the work is to stop.
  std::stop_token token() const { return m_stop.get_token(); }
  /// What is left to be done takes no time worth counting, and must not be torn apart.
  void finish();
  /// Why the work was stopped, where that was for want of time.
  Unsupported error() const;

 private:
  void watch(const std::stop_token& finished);

  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  std::chrono::seconds m_limit;
  std::string m_what;
  std::function<void()> m_ending;
  std::stop_source m_stop;
  std::stop_callback<std::function<void()>> m_from;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::jthread m_thread;  ///< last: it uses the others
};

}  // namespace farfield::cli
