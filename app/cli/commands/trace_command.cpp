#include "app/cli/commands/trace_command.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "app/cli/files/own_files.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "app/lifelines/life_lines_picture.h"
#include "core/base/log.h"
#include "core/base/units.h"

namespace farfield::cli {
namespace {

constexpr int kLeastWidth = 480, kMostWidth = 8192;

/// Seconds since the beginning of the log. Throws UsageError.
double parseSeconds(const std::string& text, const char* option) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stopped != end || !(value >= 0) || value > 1e12)
    throw UsageError("'" + text + "' is not a time", "write seconds since the beginning, as 0.25").at(option);
  return value;
}

using MakeCanvas = std::unique_ptr<lifelines::Canvas> (*)(int width, int height);

/// The format that the name of a picture asks for.
MakeCanvas canvasFor(const std::string& output) {
  std::string ending = std::filesystem::path(output).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (ending == ".svg") return lifelines::makeSvgCanvas;
  if (ending == ".png") return lifelines::makePngCanvas;
  throw UsageError("'" + output + "' is neither .png nor .svg", "end the name in one of these")
      .at("--output");
}

class TraceCommand final : public Command {
 public:
  Manual manual() override {
    return {
        "trace",
        "draws the life lines that batchvis --trace recorded",
        {"trace plot TRACE -o PICTURE draws a row for each thread, in which each column says how the thread "
         "spent that time; below, how many tasks were in flight, how many of them waited, and how many reads "
         "were on their way; and the lives of a few tasks, spread evenly over all. The shares beside the "
         "colours are of the time of all threads that are shown.",
         "Of several, of the ranks of one farfield-slabd, the clocks are set by what the ranks measured when they started.",
         "A trace is an event log of Chrome's format, which Perfetto opens as well."},
        {{"ACTION", "", "plot", ChoiceTarget{&m_action, {"plot"}}, true},
         {"TRACE", "",
          "what batchvis --trace wrote, or what all ranks of farfield-slabd --trace did, the first one's first",
          ListTarget{&m_traces, false, true}, true}},
        {{"-o,--output", "FILE", "the picture, .png or .svg", &m_output, true},
         {"--from", "SECONDS", "begin here, in seconds since the beginning of the trace", &m_from, false,
          "0"},
         {"--to", "SECONDS", "end there", &m_to, false, "the end of the trace"},
         {"--tasks", "N", "lives of tasks to draw", IntegerTarget{&m_options.tasks, 0, 1000}, false, "24"},
         {"--width", "PIXELS", "of the picture", IntegerTarget{&m_width, kLeastWidth, kMostWidth}, false,
          "1280"},
         overwriteOption(m_overwrite)}};
  }

  void run(const Context& context) override {
    if (m_traces.empty()) throw UsageError("name a trace", "see farfield trace --help");
    const MakeCanvas makeCanvas = canvasFor(m_output);
    if (!m_from.empty()) m_options.from = parseSeconds(m_from, "--from");
    if (!m_to.empty()) m_options.to = parseSeconds(m_to, "--to");
    if (m_options.to && *m_options.to <= m_options.from)
      throw UsageError("ends before it begins", "give a time after --from").at("--to");
    m_options.columns = lifelines::columnsOf(m_width);

    RunFiles files(m_overwrite);
    files.reads(m_traces);
    files.writes(m_output, makeCanvas == lifelines::makePngCanvas ? isOwnPicture : isOwnDrawing);

    Progress progress("trace", "MiB", progressStyle(log::level() == log::Level::Quiet));
    const lifelines::LifeLines lines = lifelines::gatherLifeLines(
        lifelines::TraceSet({m_traces.begin(), m_traces.end()}, context.stop), m_options, context.stop,
        [&](std::uint64_t done, std::uint64_t total) { progress.update(done >> 20, total >> 20); });
    const std::string title = std::filesystem::path(m_traces.front()).filename().string();
    lifelines::drawLifeLines(lines, title, m_width, makeCanvas)->save(m_output);
    if (lines.dropped > 0)
      log::warning(std::to_string(lines.dropped) + " events are missing: the trace had no room for them");
  }

 private:
  std::string m_action, m_output, m_from, m_to;
  std::vector<std::string> m_traces;
  lifelines::GatherOptions m_options;
  int m_width = 1280;
  bool m_overwrite = false;
};

}  // namespace

std::unique_ptr<Command> makeTraceCommand() {
  return std::make_unique<TraceCommand>();
}

}  // namespace farfield::cli
