#include "plugins/carpet/carpet_name.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace farfield::carpet {
namespace {

constexpr std::int64_t kMostNumber = std::int64_t{1} << 40;

/// Takes digits from the front of `text`. Nothing if there are none, or too many.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
  std::int64_t number = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || number < 0 || number > kMostNumber) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool takeNumbered(std::string_view& text, std::string_view word) {
  return take(text, word) && takeNumber(text).has_value();
}

}  // namespace

std::optional<DatasetName> datasetName(const std::string& name) {
  const std::size_t at = name.rfind(" it=");
  if (at == std::string::npos || name.find("::") > at) return std::nullopt;
  DatasetName result;
  result.variable = name.substr(0, at);
  std::string_view rest = std::string_view(name).substr(at);
  bool hasLevel = false;
  while (!rest.empty()) {
    std::int64_t* to = nullptr;
    if (take(rest, " it="))
      to = &result.iteration;
    else if (take(rest, " tl="))
      to = &result.timeLevel;
    else if (take(rest, " m="))
      to = &result.map;
    else if (take(rest, " rl="))
      to = &result.level, hasLevel = true;
    else if (take(rest, " c="))
      to = &result.component;
    else
      return std::nullopt;
    const auto number = takeNumber(rest);
    if (!number) return std::nullopt;
    *to = *number;
  }
  // what has no level of refinement is no grid function
  if (!hasLevel) return std::nullopt;
  return result;
}

std::optional<FileName> fileName(const std::string& name) {
  const std::size_t at = name.rfind(".file_");
  if (at == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(name).substr(at + 6);
  const auto process = takeNumber(rest);
  if (!process || rest != ".h5") return std::nullopt;
  return FileName{name.substr(0, at), *process};
}

bool isPartOfSet(const std::string& folder) {
  std::string_view rest = folder;
  if (rest.starts_with("level_"))
    return takeNumbered(rest, "level_") && takeNumbered(rest, ".group_") && rest.empty();
  return (takeNumbered(rest, "proc_") || takeNumbered(rest, "proc")) && rest.empty();
}

}  // namespace farfield::carpet
