#pragma once
// What a volume may be of which much has to be read before it is known what values it has: volumes of a session's casters are.

#include <cstddef>
#include <functional>
#include <stop_token>

namespace farfield::session {

class SurveyedVolume {
 public:
  virtual ~SurveyedVolume() = default;
  /// Before anything else is asked of it: whether something is seen of it at once, by what is known of the data without reading
  /// them. Casts, the range and the opacities are of that until survey() has ended.
  virtual bool firstSight() = 0;
  /// Reads what says which values there are. `progress` is told how many samples were taken, of all, by one thread at a time. Throws
  /// Cancelled, and what reading throws.
  virtual void survey(const std::function<void(std::size_t done, std::size_t total)>& progress,
                      const std::stop_token& stop) = 0;
};

}  // namespace farfield::session
