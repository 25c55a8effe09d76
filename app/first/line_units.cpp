#include "app/first/line_units.h"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "core/fields/functions/vector_parts.h"

namespace farfield::app {
namespace {

/// "meter", "m" and "metres" are one word; one that is not known is itself. UDUNITS' names and symbols.
std::string unitNamed(std::string word) {
  for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (word.starts_with("degree")) return "degree";
  if (word.size() > 1 && word.ends_with('s') && word != "ms") word.pop_back();
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kNames{
      {{"m", "meter"},
       {"metre", "meter"},
       {"km", "kilometer"},
       {"kilometre", "kilometer"},
       {"cm", "centimeter"},
       {"centimetre", "centimeter"},
       {"s", "second"},
       {"sec", "second"},
       {"min", "minute"},
       {"h", "hour"},
       {"hr", "hour"},
       {"d", "day"},
       {"yr", "year"}}};
  for (const auto& [symbol, name] : kNames)
    if (word == symbol) return std::string(name);
  return word;
}

/// Its words, in order: "m s-1", "m/s" and "meter second-1" have two.
std::vector<std::string> wordsOf(const std::string& units) {
  std::vector<std::string> words;
  bool inWord = false;
  for (const char letter : units) {
    const bool isLetter = std::isalpha(static_cast<unsigned char>(letter)) || (inWord && letter == '_');
    if (isLetter && !inWord) words.emplace_back();
    if (isLetter) words.back() += letter;
    inWord = isLetter;
  }
  for (std::string& word : words) word = unitNamed(word);
  return words;
}

std::string saidOf(const DataSummary& data, const std::string& key) {
  const auto found = data.description.attributes.find(key);
  return found == data.description.attributes.end() ? std::string() : found->second;
}

}  // namespace

std::optional<UnlikeUnits> unlikeUnits(const DataSummary& data, const std::vector<std::string>& vector,
                                       bool overTime) {
  UnlikeUnits its;
  for (const std::string& part : vector)
    if (its.velocity.empty()) its.velocity = fields::unitsOf(data.description, part);
  its.axes = saidOf(data, "axisUnits.x");
  const std::vector<std::string> velocity = wordsOf(its.velocity), axes = wordsOf(its.axes);
  // "m s-1" is a length and a time; what else there is says nothing that could be compared.
  if (velocity.size() < 2 || axes.empty()) return std::nullopt;
  if (overTime && data.description.times.size() > 1) {
    const std::string times = saidOf(data, "time.units");
    const std::vector<std::string> words = wordsOf(times);
    if (!words.empty() && words.front() != velocity[1]) its.times = times.substr(0, times.find(" since"));
  }
  if (velocity[0] == axes[0] && its.times.empty()) return std::nullopt;
  return its;
}

}  // namespace farfield::app
