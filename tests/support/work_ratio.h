#pragma once
// How work grows with its size: the processor time of this thread for a large input over that for a small one. What is linear grows as the
// input does, whatever the machine and however busy it is; what goes through all for each grows by the square.

#include <time.h>

#include <algorithm>
#include <functional>

namespace farfield::test {

/// Processor time of the calling thread for `work(many)` over that for `work(few)`, each the least of some runs.
inline double workRatio(int few, int many, const std::function<void(int)>& work) {
  const auto seconds = [] {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const auto least = [&](int size) {
    double best = 1e9;
    for (int run = 0; run < 4; ++run) {
      const double start = seconds();
      work(size);
      best = std::min(best, seconds() - start);
    }
    return best;
  };
  const double small = least(few);
  return least(many) / std::max(small, 1e-6);
}

}  // namespace farfield::test
