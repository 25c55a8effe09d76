#include "core/base/near_names.h"

#include <algorithm>
#include <cctype>

namespace farfield {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Number of letters to change, add, leave out or swap with their neighbour (Damerau and Levenshtein),
/// ignoring case.
std::size_t editDistance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> d((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& here = d[i * width + j];
      if (i == 0 || j == 0) {
        here = i + j;
        continue;
      }
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      here = std::min({d[(i - 1) * width + j] + 1, d[i * width + j - 1] + 1,
                       d[(i - 1) * width + j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) here = std::min(here, d[(i - 2) * width + j - 2] + 1);
    }
  }
  return d.back();
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return lower(c); });
  return text;
}

}  // namespace

std::string nearestName(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.size() > 64) return {};
  std::string best;
  std::size_t bestDistance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> nearNames(const std::string& word, const std::vector<std::string>& candidates,
                                   std::size_t most) {
  std::vector<std::string> near;
  const auto add = [&](const std::string& name) {
    if (near.size() < most && std::find(near.begin(), near.end(), name) == near.end()) near.push_back(name);
  };
  if (word.empty()) return near;
  // One letter, and even two, may be mistyped for nearly anything, and are in nearly everything.
  if (const std::string nearest = nearestName(word, candidates); word.size() > 2 && !nearest.empty())
    add(nearest);
  const std::string typed = lower(word);
  for (const std::string& name : candidates)
    if (lower(name).starts_with(typed)) add(name);
  for (const std::string& name : candidates)
    if (word.size() > 2 && lower(name).find(typed) != std::string::npos) add(name);
  return near;
}

std::string asGuess(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t n = 0; n < names.size(); ++n)
    text += (n == 0 ? "did you mean " : n + 1 == names.size() ? " or " : ", ") + names[n];
  return text.empty() ? text : text + '?';
}

}  // namespace farfield
