#pragma once
// In which order an object's tasks start. As they are numbered where nobody looks on, because neighbours share pages.
// Where somebody watches, a few from all over the object first, so that its shape is there at once, then the others as
// they are numbered. Where time is short, from all over the object on every scale: whenever the time is up, what is
// there is spread evenly.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace farfield::session {

/// A permutation of 0 … count-1. Uses no memory.
class TaskOrder {
 public:
  enum class Kind { AsNumbered, FirstSpread, Refining };
  static constexpr std::size_t kFirst = 48;  ///< of FirstSpread about so many come first

  TaskOrder(std::size_t count, Kind kind)
      : m_count(count),
        m_refining(kind == Kind::Refining),
        m_stride(kind == Kind::FirstSpread ? std::max<std::size_t>(1, (count + kFirst - 1) / kFirst) : 1),
        m_first(m_stride > 1 ? (count + m_stride - 1) / m_stride : 0) {}
  /// Of an object that is watched, or has little time.
  static Kind kindFor(bool watched, bool littleTime) {
    return littleTime ? Kind::Refining : watched ? Kind::FirstSpread : Kind::AsNumbered;
  }

  /// The number of the task that starts as the n-th.
  std::size_t operator()(std::size_t n) const {
    if (m_refining) return refined(n);
    if (m_stride == 1) return n;
    if (n < m_first) return n * m_stride;
    const std::size_t rest = n - m_first;
    return rest / (m_stride - 1) * m_stride + 1 + rest % (m_stride - 1);
  }

 private:
  /// 0, then the odd multiples of ever smaller powers of two.
  std::size_t refined(std::size_t n) const {
    if (n == 0) return 0;
    --n;
    for (std::size_t step = std::bit_ceil(m_count) / 2; step > 0; step /= 2) {
      const std::size_t odd = ((m_count - 1) / step + 1) / 2;
      if (n < odd) return (2 * n + 1) * step;
      n -= odd;
    }
    return 0;
  }

  std::size_t m_count;
  bool m_refining;
  std::size_t m_stride, m_first;
};

}  // namespace farfield::session
