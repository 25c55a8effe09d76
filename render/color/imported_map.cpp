#include "render/color/imported_map.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_depth.h"

namespace farfield::color {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostNameLength = 60;  // characters
constexpr int kMostDepth = 32;

/// Between the ends of a piece of vtkPiecewiseFunction, whose documentation has the formula.
double curveAt(double part, double from, double to, double midpoint, double sharpness) {
  double s = part < midpoint ? 0.5 * part / midpoint : 0.5 + 0.5 * (part - midpoint) / (1 - midpoint);
  if (sharpness < 0.01) return from + (to - from) * s;
  s = s < 0.5 ? 0.5 * std::pow(2 * s, 1 + 10 * sharpness)
              : 1 - 0.5 * std::pow(2 * (1 - s), 1 + 10 * sharpness);
  const double ss = s * s, sss = s * ss, slope = (1 - sharpness) * (to - from);
  const double curve = (2 * sss - 3 * ss + 1) * from + (3 * ss - 2 * sss) * to + (sss - 2 * ss + s) * slope +
                       (sss - ss) * slope;
  return std::clamp(curve, std::min(from, to), std::max(from, to));
}

std::vector<scene::OpacityPoint> opacityOf(std::vector<std::array<double, 4>> nodes) {
  constexpr int kPieces = 16;
  std::vector<scene::OpacityPoint> points;
  std::stable_sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto& [value, opacity, middle, sharpness] = nodes[n];
    if (!(opacity >= 0 && opacity <= 1)) throw Invalid("an opacity is outside of 0 to 1");
    points.push_back({value, opacity});
    if (n + 1 == nodes.size() || opacity == nodes[n + 1][1]) continue;
    const double width = nodes[n + 1][0] - value, next = nodes[n + 1][1];
    const double midpoint = std::clamp(middle, 1e-5, 1 - 1e-5);
    if (sharpness > 0.99) {
      points.push_back({value + midpoint * width, opacity});
      points.push_back({value + midpoint * width, next});
    } else if (sharpness >= 0.01) {
      for (int piece = 1; piece < kPieces; ++piece) {
        const double part = static_cast<double>(piece) / kPieces;
        points.push_back({value + part * width, curveAt(part, opacity, next, midpoint, sharpness)});
      }
    } else if (std::abs(midpoint - 0.5) > 1e-3) {
      points.push_back({value + midpoint * width, 0.5 * (opacity + next)});
    }
  }
  return points;
}

MixingSpace spaceOf(const std::string& name) {
  const std::size_t first = name.find_first_not_of(' '), last = name.find_last_not_of(' ');
  std::string plain = first == std::string::npos ? std::string() : name.substr(first, last + 1 - first);
  for (char& c : plain)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (plain == "rgb") return MixingSpace::Rgb;
  if (plain == "hsv" || plain.empty()) return MixingSpace::Hsv;  // as in ParaView
  if (plain == "hsvnowrap" || plain == "wrapped hsv") return MixingSpace::HsvNoWrap;
  if (plain == "lab" || plain == "cielab" || plain == "lab/ciede2000") return MixingSpace::Lab;
  if (plain == "diverging") return MixingSpace::Diverging;
  if (plain == "step") return MixingSpace::Step;
  throw Invalid("its colour space \"" + plainName(name, "") + "\" is not known",
                "convert it to RGB, HSV, Lab, Diverging or Step in ParaView");
}

double numberOf(const Json& value) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw Invalid("something among its numbers is none");
  return value.get<double>();
}

/// The list `key` of an object; empty if it has none.
const Json& listIn(const Json& object, const char* key) {
  static const Json none = Json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : none;
}

std::string textIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Lists of four numbers each.
std::vector<std::array<double, 4>> foursIn(const Json& object, const char* key, const char* what) {
  const Json& numbers = listIn(object, key);
  if (numbers.size() % 4 != 0) throw Invalid(std::string(key) + " is no list of four numbers each");
  requireRoom(numbers.size() / 4, kMostImportedPoints + 1, what);
  std::vector<std::array<double, 4>> fours;
  for (std::size_t n = 0; n < numbers.size(); n += 4)
    fours.push_back(
        {numberOf(numbers[n]), numberOf(numbers[n + 1]), numberOf(numbers[n + 2]), numberOf(numbers[n + 3])});
  return fours;
}

Json parsed(std::string_view text) {
  if (isNestedDeeper(text, kMostDepth)) throw Invalid("its lists are nested too deep");
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    std::string what = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    const std::size_t colon = what.rfind(": ");
    if (colon != std::string::npos) what = what.substr(colon + 2);
    what = what.substr(0, what.find(';'));
    throw Invalid("at byte " + std::to_string(error.byte) + ": " + plainName(what, "it is no JSON"));
  } catch (const Json::exception&) {
    throw Invalid("a number in it is none that can be read");
  }
}

}  // namespace

void requireRoom(std::size_t count, std::size_t most, const char* what) {
  if (count >= most) throw Invalid("more than " + std::to_string(most) + " " + what);
}

std::string plainName(const std::string& written, const std::string& otherwise) {
  std::string name;
  std::size_t length = 0;
  bool space = false;
  for (std::size_t n = 0; n < written.size(); ++n) {
    const auto byte = static_cast<unsigned char>(written[n]);
    const bool continues = (byte & 0xC0U) == 0x80U;
    if (byte <= 0x20 || byte == 0x7F) {
      space = !name.empty();
      continue;
    }
    if (!continues && length + (space ? 1 : 0) >= kMostNameLength) break;
    if (space) name += ' ', ++length;
    space = false;
    name += written[n];
    if (!continues) ++length;
  }
  return name.empty() ? otherwise : name;
}

ImportedMap importedMap(MapDescription description, const std::string& nameless) {
  const std::string name = plainName(description.name, nameless);
  try {
    // ParaView sorts, too; two colours at one place keep their order.
    std::stable_sort(description.points.begin(), description.points.end(),
                     [](const auto& a, const auto& b) { return a.place < b.place; });
    ImportedMap map;
    map.choice.name = name;
    if (!description.points.empty() && description.points.front().place < description.points.back().place)
      map.range = {{description.points.front().place, description.points.back().place}};
    map.opacity = opacityOf(std::move(description.opacity));
    map.choice.points = writtenOut(spaceOf(description.space), description.points);
    if (description.nan) {
      for (const double part : *description.nan)
        if (!(part >= 0 && part <= 1)) throw Invalid("its colour of NaN has a part outside of 0 to 1");
      const auto& [red, green, blue] = *description.nan;
      map.nan = scene::Rgba{static_cast<float>(red), static_cast<float>(green), static_cast<float>(blue), 1};
    }
    return map;
  } catch (Error& error) {
    error.at("colour map \"" + name + "\"");
    throw;
  }
}

std::vector<MapDescription> mapsFromJson(std::string_view text) {
  const Json document = parsed(text);
  const Json list = document.is_array() ? document : Json::array({document});
  std::vector<MapDescription> maps;
  for (const Json& object : list) {
    // opacities or annotations alone are no map
    if (!object.is_object() || listIn(object, "RGBPoints").empty()) continue;
    requireRoom(maps.size(), kMostImportedMaps, "colour maps");
    MapDescription& map = maps.emplace_back();
    map.name = textIn(object, "Name");
    map.space = textIn(object, "ColorSpace");
    for (const auto& [place, red, green, blue] : foursIn(object, "RGBPoints", "colours in a map"))
      map.points.push_back({place, {red, green, blue}});
    map.opacity = foursIn(object, "Points", "opacities in a map");
    const Json& nan = listIn(object, "NanColor");
    if (nan.size() >= 3) map.nan = {numberOf(nan[0]), numberOf(nan[1]), numberOf(nan[2])};
  }
  return maps;
}

}  // namespace farfield::color
