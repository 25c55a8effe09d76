#pragma once
// Which colours a scale goes through. A map is one that every build knows by name, or it is written out point
// by point, so that a session with a map from elsewhere gives the same picture wherever it is drawn.

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace farfield::scene {

/// A colour of a map that is written out.
struct MapPoint {
  double place = 0;                     ///< 0 at the low end, 1 at the high end
  std::array<std::uint8_t, 3> color{};  ///< red, green, blue; sRGB
  auto operator<=>(const MapPoint&) const = default;
};

constexpr int kMostMapPoints = 256;
constexpr int kMostBands = 64;

struct MapChoice {
  std::string name = "viridis";  ///< one that render/color knows; where there are points: what people call it
  /// 2 … kMostMapPoints, ascending from 0 to 1, linear between in sRGB; two at one place are a sharp edge.
  /// Empty: the map known by `name`.
  std::vector<MapPoint> points = {};
  bool inverted = false;
  int bands = 0;  ///< so many equal steps of one colour each, at least 2; 0: smooth

  MapChoice() = default;
  MapChoice(std::string wanted) : name(std::move(wanted)) {}
  MapChoice(const char* wanted) : name(wanted) {}
  auto operator<=>(const MapChoice&) const = default;
};

}  // namespace farfield::scene
