#pragma once
// Colour maps by name: they turn a number between 0 and 1 into a colour. They depend on no drawing library,
// so that legends, batch pictures, the viewport and the volume renderer use the same table of 256 colours.
// The tables are the published ones (resources/colormaps, each names its source); cool-warm is computed from
// its published formula (diverging_map.h).

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/color_choice.h"

namespace farfield::color {

/// Red, green, blue; sRGB, 0 … 255.
using Rgb8 = std::array<std::uint8_t, 3>;

/// Immutable; one per name exists for the life of the program. Thread-safe.
class ColorMap {
 public:
  static constexpr int kEntries = 256;

  ColorMap(std::string name, std::array<Rgb8, kEntries> table) : m_name(std::move(name)), m_table(table) {}

  /// The map named `name` (also "coolwarm", "gray"). Throws Invalid, with a list of names, for any other.
  static const ColorMap& named(std::string_view name);

  /// The map of a choice: by name or written out, reversed, in bands. Throws Invalid.
  static ColorMap of(const scene::MapChoice& choice);

  const std::string& name() const { return m_name; }
  /// Low to high.
  std::span<const Rgb8, kEntries> table() const { return m_table; }
  /// The colour at `t`, interpolated between neighbouring entries as a texture would be; `t` outside of
  /// 0 … 1 is clamped. `t` must not be NaN. Components 0 … 1.
  std::array<float, 3> at(double t) const;

 private:
  std::string m_name;
  std::array<Rgb8, kEntries> m_table;
};

/// The names that ColorMap::named() knows, in the order in which to offer them.
const std::vector<std::string>& mapNames();

}  // namespace farfield::color
