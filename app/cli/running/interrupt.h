#pragma once
// Ctrl-C as a stop request. The first SIGINT, SIGTERM or SIGHUP, unless that is passed over, asks the work to stop, so that it ends with nothing
// half-written; a second one ends the program at once.

#include <stop_token>
#include <thread>

namespace farfield::cli {

/// One at a time, on the main thread, before others are started.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  std::stop_token token() const { return m_stop.get_token(); }

 private:
  std::stop_source m_stop;
  int m_wake = -1;  ///< event counter that the handler and the destructor write to
  std::jthread m_watcher;
};

}  // namespace farfield::cli
