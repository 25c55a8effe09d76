#pragma once
// How much detail a picture may have while something moves, so that it follows the hand: smooth edges go
// first, then half of the pixels in each direction, then lines. At rest everything is drawn in full, unless
// that takes very long.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace farfield::qt3d {

struct Detail {
  bool smooth = true;  ///< several samples per pixel
  double scale = 1;    ///< pixels drawn per pixel shown, along each axis
  double part = 1;     ///< of the lines
  /// The width in pixels at which to draw a line shown `pixels` wide: without smoothing, a line narrower than
  /// a pixel would miss most of them.
  double lineWidth(double pixels) const { return smooth ? scale * pixels : std::max(1.0, scale * pixels); }
  bool operator==(const Detail&) const = default;
};

/// Learns from the time that pictures take, and guesses before the first. Not thread-safe.
class DetailControl {
 public:
  static constexpr int kLevels = 8;
  /// Level 0 is full detail.
  static Detail detailOf(int level);

  explicit DetailControl(double targetMs = 45) : m_target(targetMs) {}

  /// Drawing is done by the processor, not by a graphics card: affects the first guess.
  void setSoftware(bool software) { m_software = software; }
  /// Of the time there is, when several views are drawn by turns: 0 < share <= 1. The usual: 1.
  void setShare(double share) { m_share = share; }
  /// How much there is to draw, in indices.
  void setWork(std::size_t indices) { m_work = indices; }

  int movingLevel() const { return m_moving; }
  /// For a view that stands still while something in it changes that no hand waits for: what does not change is not to go for it. The
  /// finest level that is quick, and all lines in any case.
  int changedLevel() const;
  /// For a view that has just come to rest, and may move again: the finest level that is still quick, if it
  /// is finer than the moving one.
  std::optional<int> restingLevel() const;
  /// For a view at rest: 0, or the finest level that does not take unbearably long. A view that has been at
  /// rest for a while may take `patience` times as long: measurements made while the processors had other
  /// work are too high.
  int stillLevel(double patience = 1) const;
  /// The least patience with which something finer than `level`, which was drawn, is drawn at rest; at most kMostPatience.
  double patienceForMore(int level) const;
  /// Patience grows up to this.
  static constexpr double kMostPatience = 8;
  /// How long a picture at rest may take, times the patience. The usual: 2.5 s.
  void setStillMs(double milliseconds) { m_still = milliseconds; }
  /// Whether a view at rest that is drawn like this is drawn no better, however long one waits.
  bool isFinest(int level, double patience) const {
    return level == 0 || (patience >= kMostPatience && level <= stillLevel(patience));
  }
  /// Records that a picture of `level` took so long.
  void record(int level, double milliseconds);
  /// Records that a picture of `level` that had been drawn of the same before took so long now: as much quicker as it was,
  /// finer ones are taken to be.
  void recordAgain(int level, double milliseconds);
  /// To be called before each picture that is drawn because of a movement: chooses its level.
  int choose();
  /// Expected time of a picture of `level`.
  double expectedMs(int level) const;

 private:
  struct Measured {
    double milliseconds = 0;
    std::size_t work = 0;
  };
  bool isMuchOtherWork(std::size_t work) const;

  double m_target, m_share = 1, m_still = 2500;
  bool m_software = false;
  std::size_t m_work = 0;
  int m_moving = 0;
  int m_easy = 0;  // pictures in a row after which a finer one would have been quick enough
  std::array<std::optional<Measured>, kLevels> m_measured;
  std::array<std::optional<Measured>, kLevels> m_last;  // as it was
};

}  // namespace farfield::qt3d
