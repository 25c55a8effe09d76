#include "app/cli/commands/preview_text.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/units.h"

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;

/// "label" in a column, then `text`.
std::string row(const std::string& label, const std::string& text) {
  std::string line = label;
  line.append(line.size() < 12 ? 12 - line.size() : 1, ' ');
  return line + text + "\n";
}

std::string objectText(const session::ObjectPreview& object, std::uint64_t steps) {
  std::string text = object.type + ", " + std::to_string(object.tasks) + " " +
                     (object.tasks == 1 ? object.taskName.one : object.taskName.many);
  if (steps > 1) text += " in each of " + std::to_string(steps) + " steps";
  text += object.isLeast ? ": more than " : object.pagesAreKnown ? ": " : ": about ";
  text += formatBytes(object.bytes) + " to read, ";
  text += (object.isLeast ? "more than " : "about ") + formatSeconds(object.cpuSeconds) + " of a processor";
  if (object.tried < object.tasks)
    text += object.tried > 0 ? " (from " + std::to_string(object.tried) + " tried)" : " (none was tried)";
  return text;
}

}  // namespace

std::string previewText(const session::RunPreview& preview) {
  std::string text;
  for (const session::ObjectPreview& object : preview.objects)
    text += row(object.name, objectText(object, preview.steps));
  std::string reading = formatBytes(preview.bytesToRead);
  if (preview.readBytesPerSecond > 0)
    reading += ", from a disk that gives " +
               formatBytes(static_cast<std::uint64_t>(preview.readBytesPerSecond)) +
               " a second in requests of " + formatBytes(preview.requestBytes);
  text += row("to read", reading);
  text +=
      row("memory", formatBytes(preview.memoryBytes) + " of the budget of " +
                        formatBytes(preview.budgetBytes) + ", of which " + formatBytes(preview.frameBytes) +
                        " hold pages; the least is " + formatBytes(preview.smallestBudgetBytes));
  if (preview.readsMoreThanOnce)
    text += row("", formatBytes(preview.decodedBytes) + " of pages do not fit: some are read more than once");
  text +=
      row("process", "about " + formatBytes(preview.rssBytes) + ", " + std::to_string(preview.processors) +
                         (preview.processors == 1 ? " processor, " : " processors, ") +
                         std::to_string(preview.tasksInFlight) + " tasks in flight");
  text += row("time", "about " + formatSeconds(preview.seconds) + " to open and compute, bound by " +
                          preview.boundBy + "; writing files and drawing come on top");
  return text;
}

std::string previewJson(const session::RunPreview& preview) {
  Json out = {
      {"steps", preview.steps},
      {"bytesToRead", preview.bytesToRead},
      {"decodedBytes", preview.decodedBytes},
      {"seconds", preview.seconds},
      {"openSeconds", preview.openSeconds},
      {"boundBy", preview.boundBy},
      {"memory",
       {{"budgetBytes", preview.budgetBytes},
        {"smallestBudgetBytes", preview.smallestBudgetBytes},
        {"frameBytes", preview.frameBytes},
        {"expectedBytes", preview.memoryBytes},
        {"expectedRssBytes", preview.rssBytes},
        {"readsMoreThanOnce", preview.readsMoreThanOnce},
        {"processors", preview.processors},
        {"tasksInFlight", preview.tasksInFlight}}},
      {"disk", {{"requestBytes", preview.requestBytes}, {"bytesPerSecond", preview.readBytesPerSecond}}},
      {"objects", Json::array()}};
  for (const session::ObjectPreview& object : preview.objects)
    out["objects"].push_back({{"name", object.name},
                              {"type", object.type},
                              {"tasks", object.tasks},
                              {"tried", object.tried},
                              {"bytes", object.bytes},
                              {"pagesAreKnown", object.pagesAreKnown},
                              {"isLeast", object.isLeast},
                              {"cpuSeconds", object.cpuSeconds}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace farfield::cli
