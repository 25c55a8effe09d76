#pragma once
// How much detail a picture may have while something moves, so that it follows the hand: smooth edges go
// first, then half of the pixels each way, then lines. What is still is always drawn in full, unless that
// takes very long.

#include <array>
#include <optional>

namespace farfield::qt3d {

struct Detail {
  bool smooth = true;  ///< several samples per pixel
  double scale = 1;    ///< pixels drawn per pixel shown, along each axis
  double part = 1;     ///< of the lines
  bool operator==(const Detail&) const = default;
};

/// Learns from the time that pictures take. Not thread-safe.
class DetailControl {
 public:
  static constexpr int kLevels = 7;
  /// Level 0 is full detail.
  static Detail detailOf(int level);

  explicit DetailControl(double targetMs = 45) : m_target(targetMs) {}

  int movingLevel() const { return m_moving; }
  /// 0, or 1 where smooth edges would take so long that the view would not answer.
  int stillLevel() const;
  /// A picture of `level` took so long.
  void record(int level, double milliseconds);
  /// Something else is shown than before: what has been learnt about full detail no longer holds.
  void forget();

 private:
  double m_target;
  int m_moving = 0;
  int m_easy = 0;  // pictures in a row that took far less than they might
  std::array<std::optional<double>, kLevels> m_times;
};

}  // namespace farfield::qt3d
