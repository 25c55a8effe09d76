#include "render/color/color_map.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "core/base/error.h"
#include "render/color/color_spaces.h"
#include "render/color/diverging_map.h"

namespace farfield::color {
namespace {

constexpr std::pair<std::string_view, std::string_view> kTables[] = {
#include "colormaps.inc"
};

constexpr double kMiddleLightness = 50;  // L* of CIE 1976, as far from black as from white

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Reads 256 times RRGGBB; lines that begin with '#' are skipped.
std::array<Rgb8, ColorMap::kEntries> parseTable(std::string_view name, std::string_view text) {
  std::array<Rgb8, ColorMap::kEntries> table{};
  int digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#') i = std::min(text.find('\n', i), text.size() - 1);
    const int digit = hexDigit(text[i]);
    if (digit < 0) continue;
    if (digits == 6 * ColorMap::kEntries) throw Corrupt("more than 256 colours").at(std::string(name));
    std::uint8_t& byte = table[digits / 6][digits % 6 / 2];
    byte = static_cast<std::uint8_t>(byte * 16 + digit);
    ++digits;
  }
  if (digits != 6 * ColorMap::kEntries) throw Corrupt("fewer than 256 colours").at(std::string(name));
  return table;
}

std::array<Rgb8, ColorMap::kEntries> publishedTable(const std::string& name) {
  for (const auto& [file, text] : kTables)
    if (file == name + ".txt") return parseTable(file, text);
  throw NotFound("no table of this name is built in").at("colour map " + name);
}

std::array<Rgb8, ColorMap::kEntries> writtenOut(const std::vector<scene::MapPoint>& points) {
  bool good = points.size() >= 2 && points.size() <= static_cast<std::size_t>(scene::kMostMapPoints);
  for (std::size_t i = 1; i < points.size(); ++i) good = good && points[i - 1].place <= points[i].place;
  if (!good)
    throw Invalid("a colour map needs 2 to " + std::to_string(scene::kMostMapPoints) +
                  " points at ascending places");
  std::array<Rgb8, ColorMap::kEntries> table;
  std::size_t next = 1;  // the next point
  for (int i = 0; i < ColorMap::kEntries; ++i) {
    const double place = i / (ColorMap::kEntries - 1.0);
    while (next + 1 < points.size() && points[next].place <= place) ++next;
    const scene::MapPoint &low = points[next - 1], &high = points[next];
    const double span = high.place - low.place;
    const double part = span > 0 ? std::clamp((place - low.place) / span, 0.0, 1.0) : 1;
    for (std::size_t c = 0; c < 3; ++c)
      table[static_cast<std::size_t>(i)][c] =
          static_cast<std::uint8_t>(std::lround((1 - part) * low.color[c] + part * high.color[c]));
  }
  return table;
}

// Even steps of sRGB grey are close to even steps of lightness.
std::array<Rgb8, ColorMap::kEntries> greyTable() {
  std::array<Rgb8, ColorMap::kEntries> table;
  for (int i = 0; i < ColorMap::kEntries; ++i) table[i].fill(static_cast<std::uint8_t>(i));
  return table;
}

const std::deque<ColorMap>& allMaps() {
  static const std::deque<ColorMap> maps = [] {
    std::deque<ColorMap> list;
    for (const char* name : {"viridis", "cividis"}) list.emplace_back(name, publishedTable(name));
    list.emplace_back("cool-warm", divergingTable({59, 76, 192}, {180, 4, 38}));
    for (const char* name : {"plasma", "turbo"}) list.emplace_back(name, publishedTable(name));
    list.emplace_back("grey", greyTable());
    // from dark to light, with a middle, round in a circle
    for (const char* name :
         {"batlow", "hawaii", "lajolla", "oslo", "thermal", "haline", "deep", "ice", "speed", "YlGnBu", "vik",
          "berlin", "balance", "RdBu", "Spectral", "romaO", "phase"})
      list.emplace_back(name, publishedTable(name));
    return list;
  }();
  return maps;
}

}  // namespace

const ColorMap& ColorMap::named(std::string_view name) {
  if (name == "coolwarm") name = "cool-warm";
  if (name == "gray") name = "grey";
  for (const ColorMap& map : allMaps())
    if (map.name() == name) return map;
  std::string names;
  for (const std::string& known : mapNames()) names += (names.empty() ? "" : ", ") + known;
  throw Invalid("there is no colour map \"" + std::string(name) + "\"", "choose one of " + names);
}

ColorMap ColorMap::of(const scene::MapChoice& choice) {
  ColorMap map =
      choice.points.empty() ? named(choice.name) : ColorMap(choice.name, writtenOut(choice.points));
  if (choice.inverted) std::reverse(map.m_table.begin(), map.m_table.end());
  if (choice.inks) {
    for (Rgb8& color : map.m_table) color.fill(labOf(color)[0] < kMiddleLightness ? 255 : 0);
  } else if (choice.bands > 1) {
    const ColorMap smooth = map;
    // the first and the last band have the colours of the map's ends
    for (int i = 0; i < kEntries; ++i) {
      const int band = std::min(choice.bands - 1, i * choice.bands / (kEntries - 1));
      const std::array<float, 3> color = smooth.at(static_cast<double>(band) / (choice.bands - 1));
      for (std::size_t c = 0; c < 3; ++c)
        map.m_table[static_cast<std::size_t>(i)][c] = static_cast<std::uint8_t>(std::lround(255 * color[c]));
    }
  }
  return map;
}

std::array<float, 3> ColorMap::at(double t) const {
  const double place = std::clamp(t, 0.0, 1.0) * (kEntries - 1);
  const int low = std::min(static_cast<int>(place), kEntries - 2);
  const double part = place - low;
  std::array<float, 3> color;
  for (int c = 0; c < 3; ++c)
    color[c] = static_cast<float>(((1 - part) * m_table[low][c] + part * m_table[low + 1][c]) / 255);
  return color;
}

const std::vector<std::string>& mapNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const ColorMap& map : allMaps()) list.push_back(map.name());
    return list;
  }();
  return names;
}

}  // namespace farfield::color
