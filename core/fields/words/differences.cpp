#include "core/fields/words/differences.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

namespace farfield::fields {
namespace {

/// Whether a name or number may begin at a letter, and whether there is a name before it.
enum class Begin : std::uint8_t { No, First, AfterName };

/// The letter behind the number that begins at letter `at` of `text`; `at` if none does.
std::size_t behindNumber(std::string_view text, std::size_t at) {
  if (text[at] != '.' && (text[at] < '0' || text[at] > '9')) return at;
  double number = 0;
  const auto [behind, problem] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  return problem == std::errc() ? static_cast<std::size_t>(behind - text.data()) : at;
}

}  // namespace

bool isDifference(std::string_view text, std::size_t longest,
                  const std::function<bool(std::string_view)>& isName) {
  std::vector<Begin> begins(text.size() + 1, Begin::No);
  begins[0] = Begin::First;
  const auto goOn = [&](std::size_t at, Begin how) { begins[at] = std::max(begins[at], how); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const Begin how = begins[at];
    if (how == Begin::No) continue;
    if (text[at] == '-') goOn(at + 1, how);
    if (const std::size_t end = behindNumber(text, at); end > at) {
      if (end == text.size() && how == Begin::AfterName) return true;
      if (end < text.size() && text[end] == '-') goOn(end + 1, how);
    }
    for (std::size_t end = at + 1; end <= std::min(at + longest, text.size()); ++end) {
      if (end < text.size() && text[end] != '-') continue;
      if (!isName(text.substr(at, end - at))) continue;
      if (end == text.size()) return true;
      goOn(end + 1, Begin::AfterName);
    }
  }
  return false;
}

}  // namespace farfield::fields
