#pragma once
// The order in which an object's tasks start while the user is watching: a few from all over the object
// first, so that its shape shows at once, then the others by number, because neighbours share pages.

#include <algorithm>
#include <cstddef>

namespace farfield::session {

/// A permutation of 0 … count-1. Uses no memory.
class TaskOrder {
 public:
  static constexpr std::size_t kFirst = 48;  ///< about so many come first

  /// By number, or spread.
  TaskOrder(std::size_t count, bool spread)
      : m_stride(spread ? std::max<std::size_t>(1, (count + kFirst - 1) / kFirst) : 1),
        m_first(m_stride > 1 ? (count + m_stride - 1) / m_stride : 0) {}

  /// The number of the task that starts as the n-th.
  std::size_t operator()(std::size_t n) const {
    if (m_stride == 1) return n;
    if (n < m_first) return n * m_stride;
    const std::size_t rest = n - m_first;
    return rest / (m_stride - 1) * m_stride + 1 + rest % (m_stride - 1);
  }

 private:
  std::size_t m_stride, m_first;
};

}  // namespace farfield::session
