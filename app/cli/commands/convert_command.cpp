#include "app/cli/commands/convert_command.h"

#include <charconv>
#include <filesystem>

#include "app/cli/files/provenance.h"
#include "app/cli/files/store_files.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/resampled/resampled_reader.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/pages/page_edge.h"
#include "core/paging/store/store_file.h"
#include "core/paging/writing/xdmf_writer.h"
#include "plugins/arrays/byte_source.h"

namespace farfield::cli {
namespace {

/// What made the store, for its provenance: the command without what does not change the result (folders, the
/// output's name, memory, processors, interruptions), so that equal conversions make equal files.
std::string canonicalCommand(const fields::OpenRequest& request, const paging::ConvertOptions& options,
                             const std::string& resample) {
  std::string line = "farfield convert";
  const auto addName = [&](const std::string& source) {
    line += " " + (source.find("://") == std::string::npos ? std::filesystem::path(source).filename().string()
                                                           : source);
  };
  for (const std::string& source : request.sources) addName(source);
  for (const std::string& solution : request.solutions) {
    line += " --solution";
    addName(solution);
  }
  for (const auto& [key, value] : request.options) line += " --option " + key + "=" + value;
  line += " --page-edge " + std::to_string(*options.pageEdge) + " --codec " + paging::nameOf(options.codec);
  if (options.forVtk) line += " --open";
  if (options.split) line += " --split";
  if (options.levels > 1) line += " --levels " + std::to_string(options.levels);
  if (!resample.empty()) line += " --resample " + resample;
  return line;
}

/// Which programs open a store made with --open, and what of it: VTK has learned VTKHDF's types one by one.
std::string whoReads(const paging::DatasetDescription& description, const std::filesystem::path& store) {
  const std::string name = store.filename().string(),
                    xdmf = paging::xdmfPath(store).filename().string() + " is XDMF, for ParaView 5.11";
  const paging::GridKind kind = description.blocks.front().kind;
  const bool steps = description.steps() > 1;
  if (kind == paging::GridKind::Unstructured)
    return name + " is VTKHDF, for ParaView " +
           (steps ? "5.12 and newer (5.11 shows no more than the first step)" : "5.11 and newer");
  if (kind == paging::GridKind::Regular && description.blocks.size() == 1)
    return name + " is VTKHDF, for ParaView " + (steps ? "5.12 and newer; " + xdmf : "5.11 and newer");
  return xdmf + " and newer; " + name + " is VTKHDF of a kind that VTK 9.7 and newer read";
}

class ConvertCommand final : public Command {
 public:
  Manual manual() override {
    Manual manual{
        "convert",
        "makes a paged store of data in another format",
        {"The store is an ordinary HDF5 file whose chunks are pages. gzip is the codec that every HDF5 "
         "program reads. A conversion that was stopped goes on with --resume.",
         "With --append the steps are added to a store that is there, of which those that it has already are passed "
         "over. Whoever has the store open reads on; until all is written it is the store that it was."},
        {{"INPUT", "",
          "grid or data files, or URLs; several are the steps of a moving grid; patterns are allowed",
          ListTarget{&m_data.sources}, true}},
        {{"-o,--output", "OUT", "the store to make", &m_output, true}}};
    for (Option& option : m_data.options()) manual.options.push_back(std::move(option));
    manual.options.insert(
        manual.options.end(),
        {{"--page-edge", "E", "nodes along the edge of a page", IntegerTarget{&m_pageEdge, 2, 256}, false,
          "16, or 32 where a node takes at most 8 bytes"},
         {"--codec", "NAME", "how pages are compressed",
          ChoiceTarget{&m_codec, {"zstd", "lz4", "gzip", "none"}}, false, "zstd"},
         {"--open", "",
          "for ParaView and others: gzip and VTKHDF, and of structured grids an XDMF file beside the store",
          &m_open},
         {"--split", "", "keep each variable for itself, for data of which one variable is read",
          &m_options.split},
         {"--levels",
          "N",
          "levels of detail, each of half the resolution of the one before; auto: until the "
          "coarsest is small",
          &m_levels,
          false,
          "1",
          {"auto"}},
         {"--resample",
          "N",
          "the values on one regular grid over the data, of N nodes along the longest axis; auto: as the "
          "data's nodes make "
          "worth it",
          &m_resample,
          false,
          {},
          {"auto"}},
         {"--resume", "", "go on where an earlier conversion to the same name stopped", &m_options.resume},
         {"--append", "", "add the steps to the store OUT, which is cut as it was", &m_options.append},
         overwriteOption(m_options.overwrite),
         memoryOption(m_memoryBytes),
         processorsOption(m_options.processors)});
    return manual;
  }

  void run(const Context& context) override {
    if (m_options.append) checkAppend();
    if (m_codec.empty()) m_codec = m_open ? "gzip" : "zstd";
    if (m_open && m_codec != "gzip") throw UsageError("--open takes gzip", "leave out --codec");
    const int levels = levelsWanted();
    MemoryAccount account(m_memoryBytes);
    fields::OpenRequest request = m_data.request(context.stop);
    request.forConversion = m_resample.empty();
    RunFiles files(m_options.overwrite);
    declareReads(files, request);
    const std::filesystem::path xdmf = paging::xdmfPath(m_output);
    if (m_options.append) {
      declareLongerStore(files, m_output);
      m_open = std::filesystem::exists(xdmf);
    } else {
      declareStore(files, m_output, m_options.resume);
    }
    if (m_open) files.writes(xdmf, "<?xml version=\"1.0\"?>\n<Xdmf");
    try {
      convert(context, request, levels, files, account);
    } catch (const Cancelled&) {
      throw;
    } catch (const OverBudget&) {
      throw;  // which is of no file
    } catch (const UsageError&) {
      throw;
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(request.sources.front()));
      throw;
    }
  }

 private:
  void convert(const Context& context, const fields::OpenRequest& request, int levels, RunFiles& files,
               MemoryAccount& account) {
    const auto data = context.environment.readers.open(request, account);
    declareReads(files, *data);
    for (const std::string& line : data->explanation()) log::detail(line);
    const std::unique_ptr<fields::ResampledReader> resampled = resample(*data, account, context.stop);
    const paging::BoxReader* const reader = resampled ? resampled.get() : data->boxReader();
    if (!reader) throw Invalid("is made of pages already", "use it as it is").at(m_data.sources.front());
    const std::vector<paging::BlockDescription>& blocks = reader->description().blocks;
    const bool unstructured = blocks.front().isUnstructured();
    if (unstructured && levels != 1)
      throw Unsupported("--levels is for structured grids", "use --resample, which makes a regular grid")
          .at(m_data.sources.front());
    if (unstructured && m_open && blocks.size() > 1)
      throw Unsupported("--open is for one unstructured grid, and here cells change from step to step",
                        "convert a step by itself with --option step=N")
          .at(m_data.sources.front());
    Progress progress("convert", "pages", progressStyle(log::level() == log::Level::Quiet));
    m_options.codec = paging::codecNamed(m_codec);
    m_options.forVtk = m_open;
    m_options.levels = paging::levelsOf(reader->description(), levels);
    m_options.pageEdge = m_pageEdge > 0 ? m_pageEdge : paging::pageEdgeFor(reader->description());
    std::vector<std::string> sources = request.sources;
    sources.insert(sources.end(), request.solutions.begin(), request.solutions.end());
    m_options.attributes = provenanceOf(sources);
    for (const auto& [key, value] : data->description().attributes)
      if (key.starts_with(fields::kDefinitionKey)) m_options.attributes[key] = value;
    m_options.attributes["command"] = canonicalCommand(request, m_options, m_resample);
    m_options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
    m_options.stop = context.stop;
    const paging::ConvertResult result = paging::convert(*reader, m_output, m_options, account);
    if (m_open && !unstructured)
      paging::writeXdmf(m_output, paging::StoreFile::open(m_output, account)->description());
    if (m_open && !m_options.append) log::note(whoReads(reader->description(), m_output));
    if (m_options.append && result.pagesBefore == result.pages)
      log::note(std::filesystem::path(m_output).filename().string() + " has all of these steps already");
    log::detail(std::to_string(result.pages) + " pages, " + formatBytes(result.storedBytes) + " stored");
  }

  /// Null where nobody asked for it.
  std::unique_ptr<fields::ResampledReader> resample(const fields::OpenData& data, MemoryAccount& account,
                                                    const std::stop_token& stop) const {
    if (m_resample.empty()) return nullptr;
    fields::ResampleOptions options;
    try {
      options.alongLongest = fields::nodesAlongLongest(m_resample, "--resample");
    } catch (const Invalid& error) {
      throw UsageError(error.what());
    }
    options.processors = m_options.processors;
    options.stop = stop;
    auto reader = std::make_unique<fields::ResampledReader>(data, account, options);
    const Index3& nodes = reader->description().blocks.front().dims;
    log::detail("resampled: " + std::to_string(nodes[0]) + " x " + std::to_string(nodes[1]) + " x " +
                std::to_string(nodes[2]) + " nodes");
    for (const std::string& name : reader->leftOut())
      log::warning("'" + name + "' is left out: not all blocks have it");
    return reader;
  }

  /// Throws UsageError where the store says itself what is given.
  void checkAppend() const {
    if (m_options.resume)
      throw UsageError("--append and --resume exclude each other", "an interrupted --append is run again");
    if (m_options.overwrite) throw UsageError("--append replaces nothing", "leave out --overwrite");
    if (!m_codec.empty() || m_pageEdge > 0 || m_open || m_options.split || !m_levels.empty())
      throw UsageError("--append goes on as the store was made",
                       "leave out --codec, --page-edge, --open, --split and --levels");
  }

  /// 0 for auto.
  int levelsWanted() const {
    if (m_levels.empty()) return 1;
    if (m_levels == "auto") return 0;
    int levels = 0;
    const char* const end = m_levels.data() + m_levels.size();
    const auto [stop, error] = std::from_chars(m_levels.data(), end, levels);
    if (error != std::errc() || stop != end || levels < 1 || levels > paging::kMostLevels)
      throw UsageError("--levels takes auto or a number from 1 to " + std::to_string(paging::kMostLevels) +
                       ", not '" + m_levels + "'");
    return levels;
  }

  DataArguments m_data;
  std::string m_output, m_codec, m_levels, m_resample;
  int m_pageEdge = 0;  ///< 0: not given
  bool m_open = false;
  std::uint64_t m_memoryBytes = 0;
  paging::ConvertOptions m_options;
};

}  // namespace

std::unique_ptr<Command> makeConvertCommand() {
  return std::make_unique<ConvertCommand>();
}

}  // namespace farfield::cli
