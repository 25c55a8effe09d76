#include "app/cli/options/option_text.h"

#include <algorithm>

namespace farfield::cli {
namespace {

std::vector<std::string> splitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// By the name that the declaration gives to the value.
ValueKind kindOfName(const std::string& name) {
  if (name == "DIR") return ValueKind::Folder;
  for (const std::string& part : splitAt(name, '|'))
    for (const char* file : {"FILE", "OUT", "SESSION", "DATA", "INPUT"})
      if (part == file) return ValueKind::File;
  return ValueKind::Other;
}

}  // namespace

OptionText textOf(const Option& option) {
  OptionText text;
  text.explanation = option.help;
  text.required = option.required;
  const bool isArgument = !option.flags.starts_with('-');
  if (!isArgument) text.flags = splitAt(option.flags, ',');
  text.words = option.knownWords;
  if (const auto* choice = std::get_if<ChoiceTarget>(&option.target)) {
    text.words = choice->choices;
    for (std::size_t n = 0; n < choice->choices.size(); ++n)
      text.explanation += (n ? ", " : ": ") + choice->choices[n];
  }
  if (!option.byDefault.empty()) text.explanation += " (default: " + option.byDefault + ")";
  if (const auto* list = std::get_if<ListTarget>(&option.target)) {
    text.repeated = !list->single;
  }
  if (std::holds_alternative<bool*>(option.target)) return text;
  text.value = isArgument ? option.flags : option.valueName;
  text.kind = text.words.empty() ? kindOfName(text.value) : ValueKind::Words;
  return text;
}

std::vector<OptionText> textsOf(std::span<const Option> options) {
  std::vector<OptionText> texts;
  for (const Option& option : options) texts.push_back(textOf(option));
  return texts;
}

}  // namespace farfield::cli
