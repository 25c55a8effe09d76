#pragma once
// A check of the machine, and what it found. Checks depend on nothing but what they are given, look for a
// second or two, change nothing, and may throw: what they throw is a failure.

#include <functional>
#include <string>

namespace farfield::doctor {

enum class Status { Ok, Warn, Fail };
/// "ok", "warn", "fail".
const char* nameOf(Status status);

struct Finding {
  Status status = Status::Ok;
  std::string found;   ///< one line
  std::string advice;  ///< what to do; empty where there is nothing to do
};

struct Check {
  std::string name;  ///< "io_uring"
  std::function<Finding()> look;
};

/// Does the check; what it throws becomes a failure.
Finding findingOf(const Check& check);

/// What draws, as its driver says.
struct DrawingDevice {
  std::string name;     ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string version;  ///< "4.5 (Core Profile) Mesa 22.3.6"
  std::string through;  ///< the way to it: "EGL", "xcb, a screen of 1920 x 1080"
};

}  // namespace farfield::doctor
