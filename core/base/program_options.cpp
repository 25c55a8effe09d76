#include "core/base/program_options.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield {

std::string helpLines(std::span<const ProgramOption> options) {
  std::string text;
  for (const ProgramOption& option : options) {
    std::string left =
        std::string("  ") + option.name + (option.value ? std::string(" ") + option.value : "");
    left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
    text += left + option.help + "\n";
  }
  return text + "  --help                    prints this\n  --version                 prints the version\n";
}

std::string manLines(std::span<const ProgramOption> options) {
  std::string text;
  for (const ProgramOption& option : options) {
    std::string name = option.name;
    for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
    text += ".TP\n.B " + name + (option.value ? std::string(" ") + option.value : "") + "\n" + option.help +
            ".\n";
  }
  return text;
}

GivenOptions parseOptions(std::span<const ProgramOption> options, const std::vector<std::string>& arguments,
                          const std::string& program, bool takesWords) {
  GivenOptions given;
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    std::string word = arguments[n], value;
    if (word == "-h") word = "--help";
    if (word == "--help" || word == "--version" || word == "--man-page") {
      given.asked = word;
      return given;
    }
    if (takesWords && !word.starts_with("-")) {
      given.words.push_back(word);
      continue;
    }
    const auto equals = word.find('=');
    const bool hasValue = word.starts_with("--") && equals != std::string::npos;
    if (hasValue) {
      value = word.substr(equals + 1);
      word.resize(equals);
    }
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const ProgramOption& its) { return word == its.name; });
    if (found == options.end())
      throw Invalid("'" + word + "' is not understood", "see " + program + " --help").at("command line");
    if (!found->value && hasValue) throw Invalid(word + " takes no value").at("command line");
    if (found->value && !hasValue) {
      if (++n == arguments.size()) throw Invalid(word + " needs a value: " + found->value).at("command line");
      value = arguments[n];
    }
    given.options.emplace_back(static_cast<std::size_t>(found - options.begin()), value);
  }
  return given;
}

}  // namespace farfield
