#include "app/cli/options/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "app/cli/options/option_text.h"
#include "core/base/overloaded.h"
#include "core/base/units.h"

namespace farfield::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

int parseInteger(const std::string& text, const IntegerTarget& target) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size() || number < target.min ||
      number > target.max) {
    throw UsageError("'" + text + "' is not a whole number from " + std::to_string(target.min) + " to " +
                     std::to_string(target.max));
  }
  return number;
}

/// Puts the words of one option into its variable.
void assign(const Option& option, const std::vector<std::string>& words) {
  try {
    if (std::find(words.begin(), words.end(), "") != words.end())
      throw UsageError("an empty text says nothing", "give it a value or leave it out");
    std::visit(
        Overloaded{[](bool* flag) { *flag = true; }, [&](std::string* text) { *text = words.back(); },
                   [&](const IntegerTarget& target) { *target.value = parseInteger(words.back(), target); },
                   [&](const BytesTarget& target) { *target.value = parseBytes(words.back()); },
                   [&](const ChoiceTarget& target) {
                     if (std::find(target.choices.begin(), target.choices.end(), words.back()) ==
                         target.choices.end())
                       throw UsageError("'" + words.back() + "' is not one of " + joined(target.choices));
                     *target.value = words.back();
                   },
                   [&](const ListTarget& target) { *target.values = words; }},
        option.target);
  } catch (const Error& error) {
    throw UsageError(error.message(), error.action()).at(option.flags.substr(option.flags.find(',') + 1));
  }
}

/// `told`: for the help, which names one where one is meant.
void declare(CLI::App& app, const Option& option, bool told) {
  CLI::Option* added = nullptr;
  if (std::holds_alternative<bool*>(option.target)) {
    added = app.add_flag_callback(
        option.flags, [&option] { assign(option, {}); }, textOf(option).explanation);
  } else {
    added = app.add_option(
        option.flags,
        [&option](const CLI::results_t& words) {
          assign(option, words);
          return true;
        },
        textOf(option).explanation);
    added->option_text(option.valueName.empty() ? " " : option.valueName);
    added->type_size(1);
    if (const auto* list = std::get_if<ListTarget>(&option.target)) {
      const int most = told && list->single ? 1 : CLI::detail::expected_max_vector_size;
      added->expected(1, most)->allow_extra_args(!list->onePerUse);
      if (list->onePerUse) added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    } else {
      added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    }
  }
  if (option.required) added->required();
}

/// The parser of one command. Refers to the manual and to `common`.
void build(CLI::App& app, const Manual& manual, const std::vector<Option>& common, bool told = false) {
  app.name("farfield " + manual.name);
  app.get_formatter()->column_width(34);
  app.set_help_flag();
  for (const Option& argument : manual.arguments) declare(app, argument, told);
  for (const Option& option : manual.options) declare(app, option, told);
  for (const Option& option : common) declare(app, option, told);
  app.get_option("--verbose")->excludes(app.get_option("--quiet"));
}

}  // namespace

std::vector<Option> CommonOptions::options() {
  return {{"-h,--help", "", "print this help and exit", &help},
          {"-q,--quiet", "", "print nothing but results and errors", &quiet},
          {"-v,--verbose", "", "say more about what is done", &verbose}};
}

ParsedCommon parseArguments(const Manual& manual, const std::vector<std::string>& arguments) {
  ParsedCommon parsed;
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto asked = [&](const char* flag) { return std::find(arguments.begin(), end, flag) != end; };
  if (asked("--help") || asked("-h")) {
    parsed.help = helpText(manual);
    return parsed;
  }
  CommonOptions common;
  const std::vector<Option> commonOptions = common.options();
  CLI::App app;
  build(app, manual, commonOptions);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  // A number without a digit before its point is no option.
  for (std::string& word : reversed)
    if (word.size() > 2 && word.starts_with("-.") && word[2] >= '0' && word[2] <= '9') word.insert(1, "0");
  try {
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what(), name = text.substr(0, text.find(':'));
    const CLI::Option* const option = app.get_option_no_throw(name);
    throw UsageError(name + (option && option->count() > 1 ? " is given twice" : " needs a value"),
                     "see farfield " + manual.name + " --help");
  } catch (const CLI::ExtrasError&) {
    throw UsageError("'" + app.remaining().front() + "' is not expected",
                     "see farfield " + manual.name + " --help");
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw UsageError(message, "see farfield " + manual.name + " --help");
  }
  parsed.quiet = common.quiet;
  parsed.verbose = common.verbose;
  return parsed;
}

std::string helpText(const Manual& manual) {
  CommonOptions common;
  const std::vector<Option> commonOptions = common.options();
  CLI::App app;
  build(app, manual, commonOptions, true);
  std::string text = "farfield " + manual.name + ": " + manual.summary + "\n" + app.help();
  while (text.ends_with("\n\n")) text.pop_back();
  for (const std::string& paragraph : manual.details) {
    // Filled to the width of a terminal.
    std::string line;
    text += "\n";
    for (std::size_t at = 0; at < paragraph.size();) {
      const std::size_t end = std::min(paragraph.find(' ', at), paragraph.size());
      if (line.size() + end - at > 78) {
        text += line + "\n";
        line.clear();
      }
      line += (line.empty() ? "" : " ") + paragraph.substr(at, end - at);
      at = end + 1;
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace farfield::cli
