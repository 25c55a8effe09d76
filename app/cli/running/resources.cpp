#include "app/cli/running/resources.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/machine.h"
#include "core/base/url.h"
#include "core/fields/words/series_gaps.h"
#include "core/session/run/remote_run.h"
#include "plugins/plot3d/grid_of_solution.h"
#include "plugins/plot3d/pair_names.h"
#include "remote/client/server_folders.h"

namespace farfield::cli {
namespace {

/// Solutions alone, which are steps of one grid, get that grid as the source. What is to be said of it; empty where there is nothing to do.
std::string takeGrid(fields::OpenRequest& request) {
  if (request.sources.empty() || !request.solutions.empty() ||
      (!request.reader.empty() && request.reader != "plot3d"))
    return {};
  const auto nameOf = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  for (const std::string& source : request.sources)
    if (isUrl(source) || !plot3d::isNamedAsSolution(nameOf(source))) return {};
  const std::string& first = request.sources.front();
  const plot3d::GridOfSolution found = plot3d::gridOfSolution(first);
  if (found.grid.empty()) return {};
  const std::string series = plot3d::seriesNameOf(nameOf(first));
  for (const std::string& source : request.sources) {
    const bool isNext = !series.empty() && plot3d::seriesNameOf(nameOf(source)) == series;
    if (!isNext && source != first && plot3d::gridOfSolution(source).grid != found.grid) return {};
  }
  request.solutions = std::exchange(request.sources, {found.grid.string()});
  return "grid of " + request.solutions.front() + ": " + found.grid.string() +
         (found.bySize ? ", the only file beside it with blocks of the same sizes" : "");
}

/// The URL of the grid that lies beside a solution on a paging server, by its name; empty where there is none.
std::string farGridOf(const std::string& solution, const std::stop_token& stop) {
  const remote::FarUrl url = remote::parseFarUrl(solution);
  const auto slash = url.path.rfind('/');
  const std::string folder = slash == std::string::npos ? std::string() : url.path.substr(0, slash);
  const std::string name = url.path.substr(slash == std::string::npos ? 0 : slash + 1);
  if (!plot3d::isNamedAsSolution(name)) return {};
  remote::ServerFolders folders(url, stop);
  std::vector<std::string> names;
  try {
    for (const remote::ListEntry& entry : folders.list(folder, stop))
      if (entry.kind == remote::EntryKind::File) names.push_back(entry.name);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return {};  // opening it says what is wrong
  }
  const std::string grid = plot3d::GridFinder(names).gridOf(name);
  if (grid.empty()) return {};
  return remote::urlOf(url, folder.empty() ? grid : folder + '/' + grid);
}

}  // namespace

std::uint64_t defaultMemoryBytes() {
  return std::clamp(machineMemoryBytes() / 4, std::uint64_t{64} << 20, std::uint64_t{4} << 30);
}

Option memoryOption(std::uint64_t& bytes) {
  bytes = defaultMemoryBytes();
  return {"--memory",          "SIZE", "memory budget, such as 512K, 200M or 1G; never exceeded",
          BytesTarget{&bytes}, false,  "a quarter of the machine's, at most 4G"};
}

Option processorsOption(int& count) {
  count = availableProcessors();
  return {"--processors", "N",  "processors that compute at a time", IntegerTarget{&count, 1, 1024},
          false,          "all"};
}

Option overwriteOption(bool& overwrite) {
  return {"--overwrite", "", "replace files of those names, whatever they are", &overwrite};
}

std::vector<Option> DataArguments::options() {
  return {{"--solution", "FILE", "solution files of a grid, in the order of time; patterns are allowed",
           ListTarget{&solutions}},
          {"--reader", "NAME", "read the data as this format", &reader, false, "found by looking"},
          {"--option", "KEY=VALUE", "setting of the reader; may be repeated", ListTarget{&settings, true}}};
}

fields::OpenRequest DataArguments::request(const std::stop_token& stop) const {
  fields::OpenRequest request;
  request.stop = stop;
  for (const std::string& source : sources)
    for (std::string& name : fields::expandPattern(source)) request.sources.push_back(std::move(name));
  // A solution that is no URL lies beside a source that is one.
  for (const std::string& solution : solutions)
    if (!sources.empty() && isUrl(sources.front()))
      request.solutions.push_back(besideUrl(sources.front(), solution));
    else
      for (std::string& name : fields::expandPattern(solution)) request.solutions.push_back(std::move(name));
  // What a pattern lacks in the middle leaves no trace in what it finds; a list says itself what there is.
  if (!std::exchange(m_gapsAreSaid, true))
    for (const auto* names : {&sources, &solutions})
      if (names->size() == 1)
        for (const fields::SeriesGap& gap : fields::gapsIn(fields::expandPattern(names->front())))
          log::warning("step " + std::to_string(gap.step) + " is left out: no file " + gap.file);
  request.reader = reader;
  if (const std::string said = takeGrid(request); !said.empty() && !std::exchange(m_gridIsSaid, true))
    log::note(said);
  const bool isPlot3d = reader.empty() || reader == "plot3d";
  if (request.sources.size() == 1 && solutions.empty() && isPlot3d &&
      remote::isFarUrl(request.sources.front())) {
    const std::string& solution = request.sources.front();
    if (!m_farGrid) {
      m_farGrid = farGridOf(solution, stop);
      if (!m_farGrid->empty()) log::note("grid of " + saidOf(solution) + ": " + saidOf(*m_farGrid));
    }
    if (!m_farGrid->empty()) request.solutions = std::exchange(request.sources, {*m_farGrid});
  }
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("'" + setting + "' is not KEY=VALUE").at("--option");
    request.options[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return request;
}

void declareReads(RunFiles& files, const fields::OpenRequest& request) {
  files.reads(request.sources);
  files.reads(request.solutions);
}

void declareReads(RunFiles& files, const fields::OpenData& data) {
  for (const std::filesystem::path& file : data.files()) files.reads(file);
}

bool looksLikeSession(const std::string& name) {
  if (isUrl(name)) return false;
  const std::filesystem::path path(name);
  std::error_code unseen;
  if (std::filesystem::is_directory(path, unseen)) return false;
  // lists of PLOT3D files, and what lies in the folders of Zarr and N5
  if (path.extension() == ".p3d") return false;
  for (const char* const metadata :
       {"zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata", "attributes.json"})
    if (path.filename() == metadata) return false;
  const File file = File::openForReading(name);
  std::byte start[64];
  const std::size_t count = file.readSomeAt(0, start);
  for (std::size_t n = 0; n < count; ++n)
    if (!std::isspace(static_cast<unsigned char>(start[n]))) return static_cast<char>(start[n]) == '{';
  return false;
}

void requireValues(const fields::OpenData& data, const fields::OpenRequest& request) {
  if (data.description().attributes.contains(session::kRendererAttribute))
    throw Unsupported("a renderer gives pictures, not values", "name the data themselves")
        .at(request.sources.front());
}

}  // namespace farfield::cli
