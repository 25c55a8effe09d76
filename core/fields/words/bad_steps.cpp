#include "core/fields/words/bad_steps.h"

#include <charconv>

namespace farfield::fields {

std::optional<BadSteps> BadSteps::from(const std::string& text) {
  BadSteps bad;
  bad.skipped = text == "skip";
  if (bad.skipped || text == "stop") return bad;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    std::size_t step = 0;
    const auto [behind, error] = std::from_chars(at, end, step);
    if (error != std::errc()) return std::nullopt;
    bad.named.insert(step);
    if (behind == end) return bad;
    if (*behind != ',') return std::nullopt;
    at = behind + 1;
  }
}

std::string BadSteps::textNaming(const std::set<std::size_t>& steps) {
  std::string text;
  for (const std::size_t step : steps) text += (text.empty() ? "" : ",") + std::to_string(step);
  return text.empty() ? "stop" : text;
}

}  // namespace farfield::fields
