#pragma once
// A process that is watched: what drivers, file systems and other programs do may hang or crash, which must end the
// question and not the program.

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace farfield {

struct ChildOutcome {
  enum class End { Exited, Signalled, TimedOut };
  End end = End::Exited;
  int number = 0;           ///< exit status or signal
  std::string out, errors;  ///< what it printed, each at most 64 KiB
};

/// Runs `program` with `arguments` and waits for its end; kills it after `timeout`, and on a stop request.
/// Throws Io when it cannot be started, Cancelled.
ChildOutcome runChild(const std::string& program, const std::vector<std::string>& arguments,
                      std::chrono::milliseconds timeout, const std::stop_token& stop);

}  // namespace farfield
