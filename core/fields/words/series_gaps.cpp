#include "core/fields/words/series_gaps.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace farfield::fields {
namespace {

constexpr std::size_t kFewest = 4;         // of which a rule can be seen
constexpr std::size_t kPresentPerGap = 4;  // of which one may be missing

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The number in which names differ.
struct Numbered {
  std::size_t from = 0, behind = 0;  ///< characters before it, and after it
  std::vector<std::int64_t> numbers = {};
};

/// Nothing where the names differ in more than one number.
std::optional<Numbered> numbersOf(const std::vector<std::string>& files) {
  const std::string &first = files.front(), &last = files.back();
  const std::size_t most = std::min(first.size(), last.size());
  Numbered its;
  while (its.from < most && first[its.from] == last[its.from]) ++its.from;
  while (its.from > 0 && isDigit(first[its.from - 1])) --its.from;
  while (its.behind < most - its.from &&
         first[first.size() - 1 - its.behind] == last[last.size() - 1 - its.behind])
    ++its.behind;
  while (its.behind > 0 && isDigit(first[first.size() - its.behind])) --its.behind;
  for (const std::string& file : files) {
    if (file.size() <= its.from + its.behind || file.compare(0, its.from, first, 0, its.from) != 0 ||
        file.compare(file.size() - its.behind, its.behind, first, first.size() - its.behind, its.behind) != 0)
      return std::nullopt;
    const char *const begin = file.data() + its.from, *const end = file.data() + file.size() - its.behind;
    std::int64_t number = 0;
    const auto [stopped, status] = std::from_chars(begin, end, number);
    if (!isDigit(*begin) || stopped != end || status != std::errc()) return std::nullopt;
    if (!its.numbers.empty() && number <= its.numbers.back()) return std::nullopt;
    its.numbers.push_back(number);
  }
  return its;
}

std::int64_t usualDifference(const std::vector<std::int64_t>& numbers) {
  std::map<std::int64_t, std::size_t> counts;
  for (std::size_t n = 1; n < numbers.size(); ++n) ++counts[numbers[n] - numbers[n - 1]];
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

std::vector<SeriesGap> gapsIn(const std::vector<std::string>& files) {
  std::vector<SeriesGap> gaps;
  if (files.size() < kFewest) return gaps;
  const std::optional<Numbered> its = numbersOf(files);
  if (!its) return gaps;
  const std::int64_t usual = usualDifference(its->numbers);
  for (std::size_t n = 1; n < files.size(); ++n) {
    const std::int64_t before = its->numbers[n - 1], difference = its->numbers[n] - before;
    if (difference % usual != 0) return {};
    for (std::int64_t missing = 1; missing < difference / usual; ++missing) {
      if ((gaps.size() + 1) * kPresentPerGap > files.size()) return {};
      const std::string& last = files[n - 1];
      std::string digits = std::to_string(before + missing * usual);
      // as wide as the one before it, with zeros in front
      const std::size_t width = last.size() - its->from - its->behind;
      if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
      gaps.push_back(
          {n + gaps.size(), last.substr(0, its->from) + digits + last.substr(last.size() - its->behind)});
    }
  }
  return gaps;
}

}  // namespace farfield::fields
