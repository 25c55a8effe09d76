#pragma once
// How much detail a picture may have while something moves, so that it follows the hand: smooth edges go
// first, then half of the pixels each way, then lines. What is still is always drawn in full, unless that
// takes very long.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace farfield::qt3d {

struct Detail {
  bool smooth = true;  ///< several samples per pixel
  double scale = 1;    ///< pixels drawn per pixel shown, along each axis
  double part = 1;     ///< of the lines
  /// How wide a line is drawn, in pixels, that is `pixels` wide as it is shown: one that is narrower than a
  /// pixel misses most of them, unless they are smooth.
  double lineWidth(double pixels) const { return smooth ? scale * pixels : std::max(1.0, scale * pixels); }
  bool operator==(const Detail&) const = default;
};

/// Learns from the time that pictures take, and guesses for pictures that nobody has drawn yet. Not
/// thread-safe.
class DetailControl {
 public:
  static constexpr int kLevels = 8;
  /// Level 0 is full detail.
  static Detail detailOf(int level);

  explicit DetailControl(double targetMs = 45) : m_target(targetMs) {}

  /// Drawing is done by the processor, not by a graphics card: what is guessed before anything is known.
  void setSoftware(bool software) { m_software = software; }
  /// How much there is to draw, in indices.
  void setWork(std::size_t indices) { m_work = indices; }

  int movingLevel() const { return m_moving; }
  /// For a view that has just come to rest, and may move again: the finest level that is still quick, if it
  /// is any finer than the moving one.
  std::optional<int> restingLevel() const;
  /// For a view that is left alone: 0, or the least above it that does not take unbearably long. `patience`
  /// times as long may be borne by a view that has been alone for a while: what was measured while the
  /// processors had other work says too much.
  int stillLevel(double patience = 1) const;
  /// A picture of `level` took so long.
  void record(int level, double milliseconds);
  /// To be called before each picture that is drawn because something moved: chooses its level.
  int choose();
  /// How long a picture of `level` should take.
  double expectedMs(int level) const;

 private:
  struct Measured {
    double milliseconds = 0;
    std::size_t work = 0;
  };
  double m_target;
  bool m_software = false;
  std::size_t m_work = 0;
  int m_moving = 0;
  int m_easy = 0;  // pictures in a row after which a finer one would have been quick enough
  std::array<std::optional<Measured>, kLevels> m_measured;
  std::array<double, kLevels> m_last{};  // milliseconds per index of the last picture; 0: none yet
};

}  // namespace farfield::qt3d
