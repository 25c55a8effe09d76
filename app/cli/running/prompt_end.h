#pragma once
// Work that cannot look everywhere whether it is to stop, as a measurement cannot without measuring that, too. It is asked to, and where
// it has not come back a moment later the program ends, with the status and the words of an interrupted one.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace farfield::cli {

/// Made and destroyed by the thread that works.
class PromptEnd {
 public:
  /// From now on. `clean` removes what the work has made; it is called on another thread, while the work goes on, and throws nothing.
  PromptEnd(const std::stop_token& stop, std::function<void()> clean);
  /// The work is done: the program ends by itself.
  ~PromptEnd() { finish(); }
  PromptEnd(const PromptEnd&) = delete;
  PromptEnd& operator=(const PromptEnd&) = delete;

  /// As the destructor, before what must not be torn apart, such as the printing of results. More than once is once.
  void finish();

 private:
  void watch(const std::stop_token& finished, const std::stop_token& stop);

  std::function<void()> m_clean;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::jthread m_thread;  ///< last: it uses the others
};

}  // namespace farfield::cli
