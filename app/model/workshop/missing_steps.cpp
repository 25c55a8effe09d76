#include "app/model/workshop/missing_steps.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "app/model/workshop/engine.h"
#include "core/base/error.h"
#include "core/fields/words/bad_steps.h"
#include "core/fields/words/series_gaps.h"

namespace farfield::app {
namespace {

constexpr const char* kStep = "step ";
constexpr const char* kIsLeftOut = " is left out: ";
constexpr const char* kNoFile = "no file ";

std::string lineOf(const fields::SeriesGap& gap) {
  return kStep + std::to_string(gap.step) + kIsLeftOut + kNoFile + gap.file;
}
std::string lineOnceThere(const fields::SeriesGap& gap) {
  return kStep + std::to_string(gap.step) + kIsLeftOut + gap.file +
         " is there now, and was not when these data were opened; open all of their files anew";
}

}  // namespace

std::vector<std::string> stepsWithoutFile(const fields::OpenRequest& request) {
  const auto option = request.options.find("badSteps");
  const bool stops = option != request.options.end() && option->second == "stop";
  std::vector<std::string> lines;
  for (const auto* names : {&request.sources, &request.solutions})
    for (const fields::SeriesGap& gap : fields::gapsIn(*names)) {
      // one that is there was not chosen
      std::error_code ignored;
      if (std::filesystem::exists(gap.file, ignored)) continue;
      if (stops)
        throw NotFound("no such file, and those before and after it are there",
                       "leave such steps out with the option badSteps=skip")
            .at("file " + gap.file)
            .at("step " + std::to_string(gap.step));
      lines.push_back(lineOf(gap));
    }
  return lines;
}

std::vector<std::string> stepsThatCame(const fields::OpenRequest& request,
                                       const std::vector<std::string>& before) {
  std::vector<std::string> lines;
  for (const auto* names : {&request.sources, &request.solutions})
    for (const fields::SeriesGap& gap : fields::gapsIn(*names)) {
      std::error_code ignored;
      if (!std::filesystem::exists(gap.file, ignored)) continue;
      const bool wasMissing = std::any_of(before.begin(), before.end(), [&](const std::string& line) {
        return line == lineOf(gap) || line == lineOnceThere(gap);
      });
      if (wasMissing) lines.push_back(lineOnceThere(gap));
    }
  return lines;
}

void keepFiles(fields::OpenRequest& request, const std::vector<std::string>& explanation) {
  const auto wasMissing = [&](const std::string& file) {
    return std::any_of(explanation.begin(), explanation.end(), [&](const std::string& line) {
      return line.starts_with(kStep) && line.ends_with(std::string(kIsLeftOut) + kNoFile + file);
    });
  };
  for (auto* const names : {&request.sources, &request.solutions}) {
    if (names->size() < 2) continue;
    std::erase_if(*names, wasMissing);
    for (const fields::SeriesGap& gap : fields::gapsIn(*names)) {
      std::error_code ignored;
      if (!wasMissing(gap.file) && !std::filesystem::exists(gap.file, ignored))
        throw NotFound("is not there any more", fields::BadSteps::kNameAsWell)
            .at(std::filesystem::path(gap.file).filename().string());
    }
  }
}

std::vector<std::string> stepsLeftOut(const DataSummary& summary) {
  std::vector<std::string> lines;
  for (const std::string& line : summary.explanation)
    if (line.starts_with(kStep) && line.find(kIsLeftOut) != std::string::npos) {
      // What can be done about it is done in the window.
      const std::size_t advice = line.find("; ");
      lines.push_back(advice == std::string::npos
                          ? line
                          : line.substr(0, advice + 2) + windowAdvice(line.substr(advice + 2)).toStdString());
    }
  return lines;
}

std::vector<std::int64_t> namedStepsLeftOut(const DataSummary& summary) {
  std::vector<std::int64_t> steps;
  const std::string_view front = kStep, middle = kIsLeftOut;
  for (const std::string& line : summary.explanation) {
    if (!line.starts_with(front)) continue;
    std::int64_t step = 0;
    const auto [end, error] = std::from_chars(line.data() + front.size(), line.data() + line.size(), step);
    const std::string_view rest(end, line.data() + line.size());
    // Of a file that nobody has named none was counted.
    if (error == std::errc() && rest.starts_with(middle) && !rest.substr(middle.size()).starts_with(kNoFile))
      steps.push_back(step);
  }
  return steps;
}

}  // namespace farfield::app
