#pragma once
// The colours of a scale. A map is either known to every build by name, or written out point by point, so
// that a session with a map from elsewhere gives the same picture everywhere.

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
  std::string name = "viridis";  ///< a map known to render/color; with points: a name for people
  /// 2 … kMostMapPoints, ascending from 0 to 1, linear between in sRGB; two at one place are a sharp edge.
  /// Empty: the map known by `name`.
  std::vector<MapPoint> points = {};
  bool inverted = false;
  int bands = 0;  ///< so many equal steps of one colour each, at least 2; 0: smooth
  /// In place of each colour black or white, whichever stands out from it. Bands are of no account then: lines lie between them. No session has it.
  bool inks = false;

  MapChoice() = default;
  MapChoice(std::string wanted) : name(std::move(wanted)) {}
  MapChoice(const char* wanted) : name(wanted) {}
  auto operator<=>(const MapChoice&) const = default;
};

}  // namespace farfield::scene
