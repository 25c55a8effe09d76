#include "app/first/named_vectors.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/fields/vector_parts.h"

namespace farfield::app {
namespace {

/// Letters of directions. The first two may be all of a name.
constexpr std::array<std::string_view, 5> kDirections{"uvw", "UVW", "xyz", "XYZ", "123"};
constexpr std::size_t kAlone = 2;

/// Whether the letter at `at` stands for itself, and is not one of a word: at the beginning, as in "ubar", at the end, or behind a mark.
bool standsForItself(const std::string& name, std::size_t at) {
  return at == 0 || at + 1 == name.size() || !std::isalnum(static_cast<unsigned char>(name[at - 1]));
}

/// Variables of one number that can be written between commas.
std::vector<std::string> numbersIn(const DataSummary& data) {
  std::vector<std::string> names;
  const auto& arrays = data.description.arrays;
  for (const paging::ArrayDescription& array : arrays)
    if (array.block == arrays.front().block && !array.isGrid() && array.components == 1 &&
        array.name.find_first_of(",()") == std::string::npos)
      names.push_back(array.name);
  return names;
}

}  // namespace

std::vector<std::array<std::string, 3>> namedVectors(const DataSummary& data) {
  std::vector<std::array<std::string, 3>> vectors;
  const std::vector<std::string> names = numbersIn(data);
  const auto isLike = [&](const std::string& name, const std::string& first) {
    return std::find(names.begin(), names.end(), name) != names.end() &&
           fields::unitsOf(data.description, name) == fields::unitsOf(data.description, first);
  };
  for (const std::string& first : names)
    for (std::size_t at = 0; at < first.size(); ++at)
      for (std::size_t n = 0; n < kDirections.size(); ++n) {
        const std::string_view letters = kDirections[n];
        if (first[at] != letters[0] || !standsForItself(first, at) || (first.size() == 1 && n >= kAlone))
          continue;
        std::string second = first, third = first;
        second[at] = letters[1];
        third[at] = letters[2];
        if (isLike(second, first)) vectors.push_back({first, second, isLike(third, first) ? third : "0"});
      }
  return vectors;
}

}  // namespace farfield::app
