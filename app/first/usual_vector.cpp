#include "app/first/usual_vector.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "app/first/first_objects.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/vector_parts.h"

namespace farfield::app {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether scalars whose names begin so are where nodes are: "GRID::x" of Cactus, "CoordinateX" of CGNS.
bool beginsPlaces(std::string begin) {
  std::erase_if(begin, [](unsigned char letter) { return std::isalpha(letter) == 0; });
  std::transform(begin.begin(), begin.end(), begin.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const char* const whole : {"grid", "node", "nodes", "points", "position", "pos"})
    if (begin == whole) return true;
  for (const char* const end : {"coord", "coords", "coordinate", "coordinates"})
    if (begin.ends_with(end)) return true;
  return false;
}

/// Whether scalars of the name of `first` have numbers before or behind those of `numbers`: then they are many of a kind, and no parts.
bool isNumberedFurther(const std::vector<std::string>& scalars, const std::string& first,
                       const std::array<char, 3>& numbers) {
  std::string before = first, behind = first;
  before.back() = static_cast<char>(numbers[0] - 1);
  behind.back() = static_cast<char>(numbers[2] + 1);
  return (numbers[0] > '0' && has(scalars, before)) || has(scalars, behind);
}

/// Three scalars that are named alike but for the last letter; of u and v alone the two and 0.
std::vector<std::string> partsOfAVector(const std::vector<std::string>& scalars) {
  constexpr std::array<std::array<char, 3>, 6> kLast{
      {{'u', 'v', 'w'}, {'U', 'V', 'W'}, {'x', 'y', 'z'}, {'X', 'Y', 'Z'}, {'1', '2', '3'}, {'0', '1', '2'}}};
  for (const std::array<char, 3>& last : kLast)
    for (const std::string& first : scalars) {
      if (first.back() != last[0]) continue;
      // Places are no vector that anything follows, and numbers count many things.
      const char before = first.size() > 1 ? first[first.size() - 2] : '\0';
      const bool isNumber = last[0] <= '9';
      if (isNumber ? before != '_' && before != ':' : before == '\0' && last[2] != 'w' && last[2] != 'W')
        continue;
      if (beginsPlaces(first.substr(0, first.size() - 1))) continue;
      std::vector<std::string> parts(3, first);
      for (std::size_t n = 1; n < 3; ++n) parts[n].back() = last[n];
      if (isNumber && isNumberedFurther(scalars, first, last)) continue;
      if (has(scalars, parts[1]) && has(scalars, parts[2])) return parts;
    }
  for (const char* const flat : {"uv", "UV"})
    if (const std::string u(1, flat[0]), v(1, flat[1]); has(scalars, u) && has(scalars, v))
      return {u, v, "0"};
  return {};
}

}  // namespace

std::vector<std::string> usualVector(const DataSummary& data) {
  const std::vector<std::string> vectors = vectorFunctions(data);
  // A velocity that somebody defines is meant to be followed.
  if (has(vectors, "velocity") && fields::isDefined(data.description.attributes, "velocity"))
    return {"velocity"};
  if (const auto said = data.description.attributes.find(fields::kUsualVectorKey);
      said != data.description.attributes.end() && has(vectors, said->second))
    return {said->second};
  if (has(vectors, "velocity")) return {"velocity"};
  const bool hasOwn =
      std::any_of(data.functions.begin(), data.functions.end(), [](const fields::FunctionInfo& its) {
        return its.components == 3 && !its.onWalls && its.formula.empty();
      });
  // What follows from a scalar, as its gradient does, is a vector for want of a better one.
  if (!hasOwn)
    if (std::vector<std::string> parts = partsOfAVector(scalarFunctions(data)); !parts.empty()) return parts;
  // Solvers of solids write displacements first, and call what flows "vel", "VEL" or "Velocity".
  const auto flows = std::find_if(vectors.begin(), vectors.end(), [](const std::string& name) {
    constexpr std::string_view kBegins = "vel";
    return name.size() >= kBegins.size() &&
           std::equal(kBegins.begin(), kBegins.end(), name.begin(), [](char wanted, char its) {
             return wanted == std::tolower(static_cast<unsigned char>(its));
           });
  });
  if (vectors.empty()) return {};
  return {flows == vectors.end() ? vectors.front() : *flows};
}

}  // namespace farfield::app
