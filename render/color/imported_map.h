#pragma once
// Colours and opacities as ParaView exports them. What comes from a file is not trusted: sizes are bounded, every number is looked
// at, and what is wrong is said in a sentence.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/color_choice.h"
#include "core/scene/scene.h"
#include "core/scene/volume.h"
#include "render/color/interpolated_map.h"

namespace farfield::color {

struct ImportedMap {
  scene::MapChoice choice;  ///< written out
  std::optional<scene::Rgba> nan;
  std::optional<std::array<double, 2>> range;  ///< of the values that its colours are at
  /// Of files with opacities, ascending in value; linear between, where the file has curves by points along them.
  std::vector<scene::OpacityPoint> opacity;
};

/// A map as a file says it.
struct MapDescription {
  std::string name, space;  ///< "Diverging"
  std::vector<MixingPoint> points;
  std::optional<std::array<double, 3>> nan;
  std::vector<std::array<double, 4>> opacity;  ///< value, opacity, midpoint, sharpness of what follows
};

constexpr std::size_t kMostImportedMaps = 1000, kMostImportedPoints = 4096;
constexpr std::uint64_t kMostMapFileBytes = std::uint64_t{16} << 20;

/// `nameless` is what a map is called that has no name. Throws Invalid, naming the map.
ImportedMap importedMap(MapDescription description, const std::string& nameless);
/// The maps of a list [ { "Name", "ColorSpace", "RGBPoints": [x, r, g, b, …], "NanColor": [r, g, b], "Points": [x, opacity, midpoint,
/// sharpness, …] }, … ], or of one of these; those without colours are left out. Throws Invalid.
std::vector<MapDescription> mapsFromJson(std::string_view text);
/// One line without what cannot be printed, not too long.
std::string plainName(const std::string& written, const std::string& otherwise);
/// Throws Invalid where `count` are `most` already.
void requireRoom(std::size_t count, std::size_t most, const char* what);

}  // namespace farfield::color
