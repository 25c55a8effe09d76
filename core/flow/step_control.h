#pragma once
// Chooses the size of the next step from the errors of the last ones.

#include <algorithm>
#include <cmath>

namespace farfield::flow {

/// The PI controller of DOPRI5 (Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.4,
/// with beta = 0.04) for a method whose error is of fifth order. Errors are in units of the tolerance.
class StepControl {
 public:
  /// Factor for the step that follows an accepted one of `error` <= 1.
  double afterAccepted(double error) {
    const double previous = m_previous;
    m_previous = std::max(error, 1e-4);
    const double factor = kSafety * std::pow(previous, kBeta) / std::pow(std::max(error, 1e-10), kExponent);
    const double most = m_rejected ? 1.0 : kMost;
    m_rejected = false;
    return std::clamp(factor, kLeast, most);
  }
  /// Factor for the next attempt after one of `error` > 1.
  double afterRejected(double error) {
    m_rejected = true;
    if (!std::isfinite(error)) return kLeast;
    return std::max(kLeast, std::min(kSafety, kSafety / std::pow(error, kExponent)));
  }
  /// Another engine had attempts with errors > 1.
  void noteRejected() { m_rejected = true; }

 private:
  static constexpr double kBeta = 0.04, kExponent = 0.2 - 0.75 * kBeta;
  static constexpr double kSafety = 0.9, kLeast = 0.2, kMost = 10;
  double m_previous = 1e-4;
  bool m_rejected = false;
};

}  // namespace farfield::flow
