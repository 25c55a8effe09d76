#pragma once
// Sums over columns of equal time, exact to the fraction of a column.

#include <vector>

namespace farfield::lifelines {

/// How much of each column is covered by intervals. Times are in any unit, all in the same.
class ColumnSums {
 public:
  ColumnSums() = default;
  /// `count` columns from `begin` to `end`; `count` > 0, `end` > `begin`.
  ColumnSums(double begin, double end, int count);

  /// Adds an interval `weight` times. What lies outside of the columns is cut off; `to` before `from` adds
  /// nothing.
  void add(double from, double to, double weight = 1);
  /// From `at` on there are `change` more of something.
  void step(double at, int change) { add(at, m_end, change); }
  /// Per column; 1 where one interval covers it whole. Never below 0.
  std::vector<float> values() const;

 private:
  double m_begin = 0, m_end = 1;
  std::vector<double> m_partial;  ///< of the columns in which an interval begins or ends
  std::vector<double> m_steps;    ///< by how much what covers whole columns grows at the beginning of each
};

}  // namespace farfield::lifelines
