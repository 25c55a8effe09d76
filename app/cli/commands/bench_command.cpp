#include "app/cli/commands/bench_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/files/result_output.h"
#include "app/cli/running/prompt_end.h"
#include "app/cli/running/resources.h"
#include "bench/benchmark.h"
#include "bench/shared/disk.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/temporary_file.h"

namespace farfield::cli {
namespace {

class BenchCommand final : public Command {
 public:
  Manual manual() override {
    Manual manual{
        "bench",
        "measures this program on this machine, against what the machine can do",
        {"Prints JSON: every figure with the limit measured in the same run, and the ratio of the two. "
         "Without a NAME it lists the benchmarks."},
        {{"NAME", "", "benchmarks to run, or all; page traces after policies, data after planes",
          ListTarget{&m_names}}},
        {{"--extent", "HOW", "how much is measured; tiny shows only that it runs",
          ChoiceTarget{&m_extent, {"tiny", "quick", "normal", "full"}}, false, "normal"},
         {"--quick", "", "the same as --extent quick", &m_quick},
         {"--full", "", "the same as --extent full", &m_full},
         {"-o,--output", "FILE", "write the JSON to this file", &m_output},
         {"--folder", "DIR", "where files for the measurement are made", &m_folder, false,
          "a folder in TMPDIR"},
         overwriteOption(m_overwrite),
         memoryOption(m_memoryBytes),
         processorsOption(m_processors)}};
    manual.arguments.front().knownWords = {"all"};
    for (const bench::Benchmark& each : bench::benchmarks()) {
      manual.arguments.front().knownWords.push_back(each.name);
      manual.details.push_back(std::string(each.name) + ": " + each.summary + ".");
    }
    return manual;
  }

  void run(const Context& context) override {
    if (m_names.empty()) return list();
    if (m_quick + m_full + !m_extent.empty() > 1)
      throw UsageError("--extent, --quick and --full exclude each other");
    bench::Request request;
    if (!m_extent.empty()) request.extent = bench::extentNamed(m_extent);
    if (m_quick) request.extent = bench::Extent::Quick;
    if (m_full) request.extent = bench::Extent::Full;
    request.memoryBytes = m_memoryBytes;
    request.processors = m_processors;
    request.files = takeFiles();
    RunFiles files(m_overwrite);
    for (const auto& file : request.files) files.reads(file);
    if (!m_output.empty()) files.writes(m_output, "{\n  \"machine\":");
    request.stop = context.stop;
    request.say = [](const std::string& text) { log::note(text); };
    const bench::WorkFolder work(m_folder.empty() ? temporaryFolder() : std::filesystem::path(m_folder));
    request.folder = work.path();
    PromptEnd end(context.stop, [&] {
      // Once more: what was being made meanwhile is there by then, and nothing more can be.
      work.remove();
      work.remove();
    });
    const std::string text = bench::runBenchmarks(m_names, request).dump(2) + "\n";
    end.finish();
    if (m_output.empty()) {
      printResult(text);
    } else {
      NewFile file(m_output);
      file.write(text);
      file.commit();
    }
  }

 private:
  /// Takes the files out of `policies TRACE …` and `planes FILE …`: the words after it that are no benchmarks.
  std::vector<std::filesystem::path> takeFiles() {
    const auto isBenchmark = [](const std::string& word) {
      const auto all = bench::benchmarks();
      return word == "all" ||
             std::any_of(all.begin(), all.end(), [&](const auto& b) { return word == b.name; });
    };
    std::vector<std::filesystem::path> files;
    const auto taker = std::find_if(m_names.begin(), m_names.end(), [](const std::string& name) {
      return name == "policies" || name == "planes";
    });
    if (taker == m_names.end()) return files;
    const auto rest = std::stable_partition(taker, m_names.end(), isBenchmark);
    files.assign(rest, m_names.end());
    m_names.erase(rest, m_names.end());
    return files;
  }
  static void list() {
    for (const bench::Benchmark& each : bench::benchmarks())
      std::printf("%-12s%s\n", each.name, each.summary);
  }

  std::vector<std::string> m_names;
  std::string m_extent, m_output, m_folder;
  bool m_quick = false, m_full = false, m_overwrite = false;
  std::uint64_t m_memoryBytes = 0;
  int m_processors = 1;
};

}  // namespace

std::unique_ptr<Command> makeBenchCommand() {
  return std::make_unique<BenchCommand>();
}

}  // namespace farfield::cli
