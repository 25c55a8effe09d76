#include "plugins/exodus/displacement.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace farfield::exodus {
namespace {

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

bool beginsAsDisplacement(const std::string& name) {
  constexpr std::string_view kBegin = "dis";
  return name.size() >= kBegin.size() &&
         std::equal(kBegin.begin(), kBegin.end(), name.begin(),
                    [](char wanted, char letter) { return lower(letter) == wanted; });
}

}  // namespace

std::string stemOf(const std::string& name, char axis) {
  if (name.size() < 2 || lower(name.back()) != axis) return {};
  std::string stem = name.substr(0, name.size() - 1);
  while (!stem.empty() && (stem.back() == '_' || stem.back() == '.' || stem.back() == ' ')) stem.pop_back();
  return stem;
}

std::optional<Displacement> displacementAmong(const std::vector<std::string>& names, std::size_t axes) {
  for (std::size_t n = 0; n + axes <= names.size(); ++n) {
    const std::string stem = stemOf(names[n], 'x');
    if (stem.empty() || !beginsAsDisplacement(stem)) continue;
    bool all = true;
    for (std::size_t a = 1; a < axes; ++a) all = all && stemOf(names[n + a], "xyz"[a]) == stem;
    if (all) return Displacement{stem, n};
  }
  return std::nullopt;
}

}  // namespace farfield::exodus
