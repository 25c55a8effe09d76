#pragma once
// What tests of pictures say of single pixels, and items that show values.

#include <QString>
#include <QTest>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/scene/scene.h"

namespace farfield::test {

using scene::Rgba;
using scene::SceneItem;

inline constexpr Rgba kRed{1, 0, 0, 1}, kGreen{0, 1, 0, 1}, kBlue{0, 0, 1, 1};
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline bool near(const std::uint8_t* pixel, Rgba color, int tolerance) {
  for (int c = 0; c < 4; ++c)
    if (std::abs(pixel[c] - std::lround(255 * color[c])) > tolerance) return false;
  return true;
}

inline QString text(const std::uint8_t* p) {
  return QString("%1 %2 %3 %4").arg(p[0]).arg(p[1]).arg(p[2]).arg(p[3]);
}

#define COMPARE_PIXEL(image, x, y, color, tolerance)                                        \
  do {                                                                                      \
    const auto& seen = (image);                                                             \
    QVERIFY2(near(seen.pixel(x, y), color, tolerance), qPrintable(text(seen.pixel(x, y)))); \
  } while (false)

inline SceneItem mapped(SceneItem item, const std::string& map, double min, double max) {
  item.colored = true;
  item.scale.map = map;
  item.scale.min = min;
  item.scale.max = max;
  return item;
}

}  // namespace farfield::test
