#pragma once
// Which of several curves are measured along the axis at the left, and which along one at the right: what has one unit has one axis, and
// so has what has none known and is of about one size. There are two axes at most, and what that hides is said.

#include <QString>
#include <array>
#include <vector>

#include "app/ui/plots/curve.h"

namespace farfield::ui {

enum class Side { Left, Right };

struct CurveAxes {
  std::vector<Side> sides;                        ///< of each curve
  std::array<std::array<double, 2>, 2> ranges{};  ///< of the axis at the left and the one at the right
  std::vector<std::array<double, 2>>
      spans;  ///< least and greatest of each curve, as an axis of its own would be
  bool hasRight = false;
  QString note;  ///< what cannot be seen; empty: nothing
  const std::array<double, 2>& rangeOf(Side side) const { return ranges[static_cast<std::size_t>(side)]; }
};

/// `sides`: where each of the same curves was at another moment, and is now; empty: as suits what they are now.
CurveAxes axesOf(const Curve& curve, const std::vector<Side>& sides = {});

}  // namespace farfield::ui
