#include "plugins/arrays/option_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::arrays {
namespace {

std::string withoutMarks(std::string text) {
  std::erase_if(text, [](char letter) {
    return letter == '[' || letter == ']' || letter == '(' || letter == ')' || letter == '"' ||
           letter == '\'';
  });
  return text;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// A name and the variables of its vector.
using NamedList = std::pair<std::string, std::vector<std::string>>;

/// Parses "a=u,v,w;b=x,y" and { "a": ["u", "v", "w"], "b": ["x", "y"] }.
std::vector<NamedList> vectorsIn(std::string text) {
  text = trimmed(text);
  std::vector<NamedList> vectors;
  const auto add = [&](const std::string& name, const std::string& list) {
    vectors.push_back({trimmed(withoutMarks(name)), wordsOf(list)});
  };
  const bool json = text.starts_with('{');
  if (json) text = text.substr(1, text.size() - (text.ends_with('}') ? 2 : 1));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t colon = text.find_first_of(json ? ":" : "=:", at);
    if (colon == std::string::npos) break;
    const std::size_t end = std::min(text.size(), text.find(json ? ']' : ';', colon));
    add(text.substr(at, colon - at), text.substr(colon + 1, end - colon - 1));
    at = end + 1;
    if (json && at < text.size()) at = std::min(text.size(), text.find_first_not_of(", \t\r\n", at));
  }
  return vectors;
}

}  // namespace

void checkOptions(const Options& options, const std::vector<std::string>& known) {
  for (const auto& [key, value] : options) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    throw Invalid("there is no option '" + printable(key) + "' of this reader",
                  known.empty() ? "leave it out" : "use one of: " + list);
  }
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  const std::string plain = withoutMarks(text);
  for (std::size_t at = 0; at <= plain.size();) {
    const std::size_t end = std::min(plain.size(), plain.find(',', at));
    if (std::string word = trimmed(plain.substr(at, end - at)); !word.empty())
      words.push_back(std::move(word));
    at = end + 1;
  }
  return words;
}

std::vector<double> numbersOf(const std::string& key, const std::string& text, std::size_t most) {
  std::vector<double> numbers;
  for (const std::string& word : wordsOf(text)) {
    double value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      throw Invalid("'" + printable(word) + "' is not a number", "give numbers between commas")
          .at("option " + key);
    numbers.push_back(value);
  }
  if (numbers.empty() || numbers.size() > most)
    throw Invalid("has " + std::to_string(numbers.size()) + " numbers", "give 1 to " + std::to_string(most))
        .at("option " + key);
  return numbers;
}

std::optional<Vec3> vectorOption(const Options& options, const std::string& key) {
  const auto found = options.find(key);
  if (found == options.end()) return std::nullopt;
  const std::vector<double> numbers = numbersOf(key, found->second, 3);
  if (numbers.size() != 3) throw Invalid("has not three numbers", "give x,y,z").at("option " + key);
  return Vec3{numbers[0], numbers[1], numbers[2]};
}

std::optional<std::int64_t> countOption(const Options& options, const std::string& key) {
  const auto found = options.find(key);
  if (found == options.end()) return std::nullopt;
  const std::vector<double> numbers = numbersOf(key, found->second, 1);
  if (numbers[0] < 0 || numbers[0] > 0x1p53 || numbers[0] != std::floor(numbers[0]))
    throw Invalid("'" + printable(found->second) + "' is not a whole number of 0 or more")
        .at("option " + key);
  return static_cast<std::int64_t>(numbers[0]);
}

std::optional<bool> endianOption(const Options& options) {
  const auto found = options.find("endian");
  if (found == options.end()) return std::nullopt;
  if (found->second != "big" && found->second != "little")
    throw Invalid("'" + printable(found->second) + "' is no byte order", "use little or big")
        .at("option endian");
  return found->second == "big";
}

void makeVectors(const Options& options, paging::DatasetDescription& description,
                 std::vector<ArrayPlace>& places) {
  const auto found = options.find("vectors");
  if (found == options.end()) return;
  const auto wrong = [](const std::string& what, const std::string& action) {
    return Invalid(what, action).at("option vectors");
  };
  const std::vector<NamedList> wanted = vectorsIn(found->second);
  if (wanted.empty()) throw wrong("names no vector", "give NAME=u,v,w, several between semicolons");
  for (const auto& [name, variables] : wanted) {
    if (name.empty() || variables.size() < 2 || variables.size() > 3)
      throw wrong("'" + printable(name) + "' has " + std::to_string(variables.size()) + " components",
                  "give two or three variables between commas");
    GatheredArray components;
    std::vector<std::size_t> used;
    for (const std::string& variable : variables) {
      const auto array =
          std::find_if(description.arrays.begin(), description.arrays.end(),
                       [&](const auto& its) { return its.name == variable && its.components == 1; });
      const auto n = static_cast<std::size_t>(array - description.arrays.begin());
      if (array == description.arrays.end() || !std::holds_alternative<PlacedArray>(places[n]) ||
          std::find(used.begin(), used.end(), n) != used.end()) {
        std::string list;
        for (const auto& its : description.arrays)
          if (its.components == 1 && !its.isGrid()) list += (list.empty() ? "" : ", ") + its.name;
        throw wrong("there is no variable '" + printable(variable) + "' of one component left",
                    "use some of: " + list);
      }
      used.push_back(n);
      components.push_back(std::get<PlacedArray>(places[n]));
    }
    paging::ArrayDescription vector = description.arrays[used.front()];
    for (const std::size_t n : used) {
      const paging::ArrayDescription& its = description.arrays[n];
      if (its.type != vector.type || its.steps != vector.steps || its.block != vector.block)
        throw wrong("the variables of '" + printable(name) + "' differ in type or steps", "name others");
      vector.componentNames.push_back(its.name);
    }
    vector.components = static_cast<int>(used.size());
    const std::size_t at = *std::min_element(used.begin(), used.end());
    std::sort(used.rbegin(), used.rend());
    for (const std::size_t n : used) {
      description.arrays.erase(description.arrays.begin() + static_cast<std::ptrdiff_t>(n));
      if (n != at) places.erase(places.begin() + static_cast<std::ptrdiff_t>(n));
    }
    places[at] = std::move(components);
    vector.name = usableName(name, description);
    description.arrays.insert(description.arrays.begin() + static_cast<std::ptrdiff_t>(at), vector);
  }
}

}  // namespace farfield::arrays
