#include "core/fields/functions/defined_functions.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/fields/functions/forwarded_data.h"
#include "core/fields/functions/functions.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/functions/vector_parts.h"

namespace farfield::fields {
namespace {

constexpr std::size_t kMostDefinitions = 100, kLongestName = 60;
constexpr std::size_t kLongestText = 10'000;  // more than an expression may have of operands
constexpr int kDeepest = 32;

// As expressions have names (expression.h).
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool isInName(char c) {
  return isLetter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/// Replaces names in one text.
class Replacing {
 public:
  Replacing(const std::map<std::string, std::string>& attributes,
            const std::function<bool(std::string_view)>& isPlain)
      : m_attributes(attributes), m_isPlain(isPlain) {}

  std::string run(std::string_view text, int depth) const {
    if (depth > kDeepest) throw Invalid("the function refers to itself", "define it by others");
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
      if (isLetter(text[at])) {
        at += word(text.substr(at), depth, made);
      } else if (text[at] == '{') {
        at += quoted(text.substr(at), depth, made);
      } else {
        // The e of 1e-6 begins no name.
        double number = 0;
        const auto [end, status] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        const bool isNumber = text[at] != '-' && status == std::errc();
        const std::size_t length = isNumber ? static_cast<std::size_t>(end - text.data()) - at : 1;
        made += text.substr(at, length);
        at += length;
      }
      if (made.size() > kLongestText)
        throw Invalid("the expression is too long with what its names stand for");
    }
    return made;
  }

 private:
  std::string inPlace(std::string_view name, const std::string& meaning, int depth) const {
    if (partsOfVector(meaning).size() > 1)
      throw Invalid(std::string(name) + " is a vector", "use one of its components, or its magnitude");
    return '(' + run(meaning, depth + 1) + ')';
  }
  /// The name in braces at the beginning of `text`. Returns how much of it was taken.
  std::size_t quoted(std::string_view text, int depth, std::string& made) const {
    const std::size_t length = std::min(text.find('}'), text.size() - 1) + 1;
    const std::string_view name = text.substr(1, length - std::min<std::size_t>(length, 2));
    const auto meaning = m_isPlain(name) ? std::nullopt : definitionOf(m_attributes, name);
    if (meaning)
      made += inPlace(name, *meaning, depth);
    else
      made += text.substr(0, length);
    return length;
  }
  /// The word at the beginning of `text`: the longest name counts, as in expressions. Returns how much of it was taken.
  std::size_t word(std::string_view text, int depth, std::string& made) const {
    const auto end =
        static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isInName) - text.begin());
    for (std::string_view name = text.substr(0, end); !name.empty();
         name = name.substr(0, name.rfind('-') == std::string_view::npos ? 0 : name.rfind('-'))) {
      if (m_isPlain(name)) {
        made += name;
        return name.size();
      }
      if (const auto meaning = definitionOf(m_attributes, name)) {
        made += inPlace(name, *meaning, depth);
        return name.size();
      }
    }
    const std::size_t first = std::min(end, text.find('-'));
    made += text.substr(0, first);
    return first;
  }

  const std::map<std::string, std::string>& m_attributes;
  const std::function<bool(std::string_view)>& m_isPlain;
};

/// Data whose description has definitions; all else is theirs.
class DefinedData final : public ForwardedData {
 public:
  DefinedData(std::unique_ptr<OpenData> data, const std::map<std::string, std::string>& definitions)
      : ForwardedData(std::move(data)), m_definitions(definitions) {
    DefinedData::describe();
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  std::unique_ptr<OpenData> openLevel(int level, MemoryAccount& account) const override {
    auto coarse = behind().openLevel(level, account);
    return coarse ? std::make_unique<DefinedData>(std::move(coarse), m_definitions) : nullptr;
  }

 private:
  void describe() override {
    m_description = behind().description();
    for (const auto& [name, text] : m_definitions) {
      // What was defined by the file, and had units, is something else now.
      if (isDefined(m_description.attributes, name)) m_description.attributes.erase("units." + name);
      m_description.attributes[std::string(kDefinitionKey) + name] = text;
    }
  }

  paging::DatasetDescription m_description;
  std::map<std::string, std::string> m_definitions;
};

}  // namespace

std::string problemOfFunctionName(std::string_view name) {
  if (name.empty()) return "A function needs a name.";
  if (name.size() > kLongestName)
    return "The name is longer than " + std::to_string(kLongestName) + " letters.";
  if (!isLetter(name.front()) || !std::all_of(name.begin(), name.end(), isInName) || name.back() == '-')
    return "A name begins with a letter and has letters, digits, '-', '_' and '.'.";
  return {};
}

std::vector<std::string> takenNames(paging::DatasetDescription data) {
  std::erase_if(data.attributes,
                [](const auto& attribute) { return attribute.first.starts_with(kDefinitionKey); });
  std::vector<std::string> names;
  for (const FunctionInfo& function : availableFunctions(data)) names.push_back(function.name);
  // Arrays of several variables are in no list, and can be asked for as a whole. All blocks have the same ones.
  for (const paging::ArrayDescription& array : data.arrays)
    if (array.block == data.arrays.front().block && !array.isGrid()) names.push_back(array.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> partsOfVector(std::string_view text) {
  std::vector<std::string> parts{std::string()};
  int depth = 0;
  for (const char letter : text) {
    depth += letter == '(' || letter == '{' ? 1 : letter == ')' || letter == '}' ? -1 : 0;
    if (letter == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

bool isDefined(const std::map<std::string, std::string>& attributes, std::string_view name) {
  return attributes.contains(std::string(kDefinitionKey) + std::string(name));
}

std::optional<std::string> definitionOf(const std::map<std::string, std::string>& attributes,
                                        std::string_view name) {
  const auto textOf = [&](std::string_view defined) {
    return attributes.find(std::string(kDefinitionKey) + std::string(defined));
  };
  if (const auto found = textOf(name); found != attributes.end()) return found->second;
  const std::optional<VectorPart> part = vectorPartWritten(name);
  if (!part) return std::nullopt;
  const auto vector = textOf(part->vector);
  if (vector == attributes.end()) return std::nullopt;
  const std::vector<std::string> parts = partsOfVector(vector->second);
  if (parts.size() != 3) return std::nullopt;
  return part->part == VectorPart::kMagnitude ? magnitudeOf(part->vector)
                                              : parts[static_cast<std::size_t>(part->part)];
}

std::string withoutDefinitions(std::string_view text, const std::map<std::string, std::string>& attributes,
                               const std::function<bool(std::string_view)>& isPlain) {
  return Replacing(attributes, isPlain).run(text, 0);
}

std::map<std::string, std::string> takeDefinitions(std::map<std::string, std::string>& options) {
  std::map<std::string, std::string> taken;
  for (auto option = options.begin(); option != options.end();) {
    if (!option->first.starts_with(kDefinitionKey)) {
      ++option;
      continue;
    }
    std::string name = option->first.substr(kDefinitionKey.size());
    if (const std::string problem = problemOfFunctionName(name); !problem.empty())
      throw Invalid("'" + name + "' is no name of a function", problem).at("option " + option->first);
    taken.emplace(std::move(name), std::move(option->second));
    option = options.erase(option);
  }
  if (taken.size() > kMostDefinitions)
    throw Invalid("there are more than " + std::to_string(kMostDefinitions) + " functions in the options");
  return taken;
}

std::unique_ptr<OpenData> withDefinitions(std::unique_ptr<OpenData> data,
                                          const std::map<std::string, std::string>& definitions) {
  if (definitions.empty()) return data;
  const std::vector<std::string> taken = takenNames(data->description());
  auto defined = std::make_unique<DefinedData>(std::move(data), definitions);
  // They may be made of places, which data without coordinates are given later, and never where they are converted.
  const paging::DatasetDescription placed = describedWithPlaces(*defined);
  for (const auto& [name, text] : definitions) {
    try {
      if (std::binary_search(taken.begin(), taken.end(), name))
        throw Invalid("there is a function '" + name + "' in these data already", "choose another name");
      (void)FunctionPlan(placed, {name});
    } catch (Error& error) {
      error.at("option " + std::string(kDefinitionKey) + name);
      throw;
    }
  }
  return defined;
}

}  // namespace farfield::fields
