#include "app/cli/commands/sample_command.h"

#include <cstdio>

#include "app/cli/files/raw_writer.h"
#include "app/cli/files/store_files.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "core/base/log.h"
#include "core/base/machine.h"
#include "core/fields/samples/sample.h"
#include "core/fields/samples/sample_url.h"
#include "core/paging/ingest/converter.h"
#include "plugins/plot3d/plot3d_export.h"

namespace farfield::cli {
namespace {

std::vector<std::string> sampleNames() {
  std::vector<std::string> names;
  for (const samples::Sample& sample : samples::samples()) names.push_back(sample.name);
  return names;
}

std::vector<std::string> sampleTitles() {
  std::vector<std::string> lines;
  for (const samples::Sample& sample : samples::samples()) lines.push_back(sample.name + ": " + sample.title);
  return lines;
}

class SampleCommand final : public Command {
 public:
  Manual manual() override {
    std::vector<std::string> details{
        "plot3d writes OUT.xyz and OUT.q (OUT_0000.q and so on for several steps); farfield writes the paged "
        "store OUT; hdf5 writes it with gzip, which any HDF5 program reads; raw writes plain little-endian "
        "numbers, OUT_VARIABLE.raw for each block, variable and step. The names of the files are printed.",
        "The samples are:"};
    for (std::string& title : sampleTitles()) details.push_back(std::move(title));
    return {
        "sample",
        "makes exact data of any size",
        std::move(details),
        {{"NAME", "", "what to make", ChoiceTarget{&m_name, sampleNames()}, true}},
        {{"-o,--output", "OUT", "file, or the beginning of the files' names", &m_output, true},
         {"--size", "NI,NJ,NK", "nodes of a block", &m_size, false, "the sample's own"},
         {"--blocks", "N", "number of blocks", IntegerTarget{&m_options.blocks, 1, 100'000}, false,
          "the sample's own"},
         {"--steps", "N", "number of time steps", IntegerTarget{&m_options.steps, 1, 1'000'000}, false, "1"},
         {"--type", "NAME", "type of the numbers; whole numbers of marschner-lobb alone",
          ChoiceTarget{&m_type, {"f32", "f64", "u8", "i8", "u16", "i16"}}, false, "f32"},
         {"--format", "NAME", "what to write", ChoiceTarget{&m_format, {"plot3d", "farfield", "hdf5", "raw"}},
          false, "farfield"},
         overwriteOption(m_overwrite)}};
  }

  void run(const Context& context) override {
    if (!m_size.empty()) {
      try {
        m_options.size = samples::parseSize(m_size);
      } catch (const Invalid& error) {
        throw UsageError(error.message(), error.action()).at("--size");
      }
    }
    const bool plot3d = m_format == "plot3d";
    m_options.type = scalarTypeNamed(m_type);
    m_options.curvilinear = plot3d || samples::sampleNamed(m_name).alwaysCurvilinear;
    const auto sample = samples::makeSample(m_name, m_options);
    Progress progress("sample " + m_name, plot3d || m_format == "raw" ? "nodes" : "pages",
                      progressStyle(log::level() == log::Level::Quiet));
    const auto show = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
    const bool store = !plot3d && m_format != "raw";
    const std::vector<std::filesystem::path> names =
        plot3d  ? plot3d::plot3dFiles(sample->description(), m_output)
        : store ? std::vector<std::filesystem::path>{m_output}
                : rawFiles(sample->description(), m_output);
    RunFiles files(m_overwrite);
    if (store)
      declareStore(files, m_output);
    else
      for (const auto& name : names) files.writes(name, [](const auto&) { return false; });
    if (plot3d) {
      plot3d::writePlot3d(*sample, m_output, {context.stop, show});
    } else if (!store) {
      writeRaw(*sample, m_output, {context.stop, show});
    } else {
      paging::ConvertOptions options;
      options.codec = m_format == "hdf5" ? paging::Codec::Gzip : paging::Codec::Zstd;
      options.overwrite = true;
      options.keepPartial = false;  // nothing resumes a sample
      options.processors = availableProcessors();
      options.progress = show;
      options.stop = context.stop;
      MemoryAccount account(defaultMemoryBytes());
      paging::convert(*sample, m_output, options, account);
    }
    for (const auto& name : names) std::printf("%s\n", name.c_str());
  }

 private:
  std::string m_name, m_output, m_size, m_format = "farfield", m_type = "f32";
  samples::SampleOptions m_options;
  bool m_overwrite = false;
};

}  // namespace

std::unique_ptr<Command> makeSampleCommand() {
  return std::make_unique<SampleCommand>();
}

}  // namespace farfield::cli
