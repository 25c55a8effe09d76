#pragma once
// How long a test waits for a program that it started.

#include <algorithm>
#include <cstdlib>

namespace farfield::test {

/// Half of what the test may take, which is more where programs are slow (a sanitizer), and two minutes at least: a run that takes
/// seconds takes minutes on processors that ten others want.
inline int patienceMs() {
  const char* const most = std::getenv("QTEST_FUNCTION_TIMEOUT");
  return std::max(120'000, most ? std::atoi(most) / 2 : 0);
}

}  // namespace farfield::test
