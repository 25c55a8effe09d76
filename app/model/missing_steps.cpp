#include "app/model/missing_steps.h"

#include <algorithm>
#include <filesystem>

#include "app/model/engine.h"
#include "core/base/error.h"
#include "core/fields/series_gaps.h"

namespace farfield::app {
namespace {

constexpr const char* kIsLeftOut = " is left out: ";

std::string lineOf(const fields::SeriesGap& gap) {
  return "step " + std::to_string(gap.step) + kIsLeftOut + "no file " + gap.file;
}
std::string lineOnceThere(const fields::SeriesGap& gap) {
  return "step " + std::to_string(gap.step) + kIsLeftOut + gap.file +
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

std::vector<std::string> stepsLeftOut(const DataSummary& summary) {
  std::vector<std::string> lines;
  for (const std::string& line : summary.explanation)
    if (line.starts_with("step ") && line.find(kIsLeftOut) != std::string::npos) {
      // What can be done about it is done in the window.
      const std::size_t advice = line.find("; ");
      lines.push_back(advice == std::string::npos
                          ? line
                          : line.substr(0, advice + 2) + windowAdvice(line.substr(advice + 2)).toStdString());
    }
  return lines;
}

}  // namespace farfield::app
