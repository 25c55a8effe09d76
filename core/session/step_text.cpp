#include "core/session/step_text.h"

#include <charconv>
#include <cstdint>
#include <vector>

namespace farfield::session {

std::optional<TimeSelection> stepsFromText(const std::string& text) {
  TimeSelection selection;
  if (text == "all") return selection;
  std::vector<std::int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t number = 0;
    const auto [after, failure] = std::from_chars(at, end, number);
    if (failure != std::errc{} || numbers.size() == 3) return std::nullopt;
    numbers.push_back(number);
    if (after == end) break;
    if (*after != ':') return std::nullopt;
    at = after + 1;
  }
  selection.steps = {numbers[0], numbers.size() > 1 ? numbers[1] : numbers[0]};
  if (numbers.size() > 2) selection.stride = numbers[2];
  if (selection.stride < 1) return std::nullopt;
  return selection;
}

}  // namespace farfield::session
