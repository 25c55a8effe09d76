#pragma once
// Sums of many numbers of different sizes and signs, such as the flow through a closed surface, where inflow
// and outflow cancel: the rounding error of each addition is kept and added at the end (Neumaier,
// "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54, 1974, method IV). The
// order of the additions still matters: equal sums need an equal order.

#include <cmath>

namespace farfield::extract {

class CompensatedSum {
 public:
  void add(double value) {
    const double sum = m_sum + value;
    m_lost += std::abs(m_sum) >= std::abs(value) ? (m_sum - sum) + value : (value - sum) + m_sum;
    m_sum = sum;
  }
  double value() const { return m_sum + m_lost; }

 private:
  double m_sum = 0, m_lost = 0;
};

}  // namespace farfield::extract
