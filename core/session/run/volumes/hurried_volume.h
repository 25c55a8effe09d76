#pragma once
// What a volume may be that can be seen in little time: volumes of a session's casters are, where they know how.

#include <chrono>

namespace farfield::session {

class HurriedVolume {
 public:
  virtual ~HurriedVolume() = default;
  /// Before anything else is asked of it: finding the range of values and opacities takes at most `surveyTime`, from what is read until
  /// then, and there are levels that are coarse enough to be seen at once.
  virtual void hurry(std::chrono::milliseconds surveyTime) = 0;
};

}  // namespace farfield::session
