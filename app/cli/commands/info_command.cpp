#include "app/cli/commands/info_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/cli/commands/field_pass.h"
#include "app/cli/commands/thumbnail.h"
#include "app/cli/files/own_files.h"
#include "app/cli/files/result_output.h"
#include "app/cli/files/run_files.h"
#include "app/cli/files/server_folder.h"
#include "app/cli/options/data_words.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "app/first/data_summary.h"
#include "app/first/usual_vector.h"
#include "core/base/log.h"
#include "core/base/units.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/functions.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/functions/origin.h"
#include "core/fields/functions/reading_choices.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/paged/budget_advice.h"
#include "core/fields/ranges/stored_range.h"
#include "core/fields/words/dates.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/cell_samples.h"
#include "core/paging/pages/changing_cells.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/kinds/slabs/slabs_run.h"

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Empty for local data.
fields::Origin originOf(const fields::OpenData& data) {
  const auto* const remote = dynamic_cast<const fields::RemoteOrigin*>(&data);
  return remote ? remote->origin() : fields::Origin{};
}

struct Variable {
  fields::FunctionInfo function;
  bool onCells = false;
  std::string type;     ///< as stored; of derived functions "f64", which they are computed in
  bool wanted = false;  ///< a range is asked for
  std::optional<FunctionRange> range;
  bool derived() const { return !function.formula.empty(); }
};

/// The range of a variable over all blocks, where the data set has kept it.
std::optional<FunctionRange> storedRange(const fields::OpenData& data, const std::string& name) {
  const auto range = fields::storedRangeOf(data, name);
  if (!range) return std::nullopt;
  FunctionRange all;
  all.empty = false;
  all.min = (*range)[0];
  all.max = (*range)[1];
  return all;
}

Json jsonOf(Vec3 v) {
  return Json::array({v.x, v.y, v.z});
}

/// "k 0, i 0 to 39, j 0 to 31": the axis that is fixed comes first.
std::string sheetText(const IndexBox& nodes) {
  std::string fixed, ranges;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string first = std::string(1, "ijk"[a]) + " " + std::to_string(nodes.first[a]);
    if (nodes.size[a] == 1)
      fixed += (fixed.empty() ? "" : ", ") + first;
    else
      ranges += ", " + first + " to " + std::to_string(nodes.first[a] + nodes.size[a] - 1);
  }
  return fixed + ranges;
}

Json jsonOf(const paging::NamedSurface& surface, const paging::DatasetDescription& data) {
  const paging::BlockDescription& block = data.blocks[static_cast<std::size_t>(surface.block)];
  Json range = Json::object();
  if (block.isUnstructured())
    range["faces"] =
        Json::array({surface.nodes.first[0], surface.nodes.first[0] + surface.nodes.size[0] - 1});
  for (std::size_t a = 0; a < 3 && !block.isUnstructured(); ++a)
    range[std::string(1, "ijk"[a])] =
        Json::array({surface.nodes.first[a], surface.nodes.first[a] + surface.nodes.size[a] - 1});
  Json out = {{"name", surface.name},
              {"block", surface.block},
              {"range", std::move(range)},
              {"kind", surface.kind},
              {"from", surface.from}};
  if (!session::hasArea(data, surface)) out["edge"] = true;
  return out;
}

Json jsonOf(const Variable& variable, const std::string& units) {
  Json out = {{"name", variable.function.name},
              {"components", variable.function.components},
              {"type", variable.type},
              {"on", variable.onCells ? "cells" : "nodes"}};
  if (variable.function.number) out["number"] = variable.function.number;
  if (variable.derived()) out["derived"] = true;
  if (!units.empty()) out["units"] = units;
  if (!variable.range) return out;
  const FunctionRange& range = *variable.range;
  out["min"] = range.empty ? Json() : Json(range.min);
  out["max"] = range.empty ? Json() : Json(range.max);
  if (variable.function.components > 1 && !range.empty) {
    out["componentMin"] = range.componentMin;
    out["componentMax"] = range.componentMax;
  }
  return out;
}

class InfoCommand final : public Command {
 public:
  Manual manual() override {
    Manual manual{
        "info",
        "says what a data set is",
        {"Ranges are those of the finite values at all nodes of all steps; of a vector that of its "
         "length. A function that is not kept in the data is computed at every node. With "
         "--verbose the reader says how it found out how the bytes are laid out. Of a URL far://HOST:PORT/FOLDER/ "
         "it lists what the server has there.",
         "The picture of --thumbnail shows what the window shows of the data first, at their first step. It "
         "is drawn with no display, and its file says what the data are by the keys of freedesktop.org's "
         "thumbnails. Its --memory is 256M where none is named. Where it does not come, nothing is "
         "written and the status is 1."},
        {{"DATA", "", "grid or data files, or URLs; several are the steps of a moving grid",
          ListTarget{&m_data.sources}, true}},
        m_data.options()};
    manual.options.insert(
        manual.options.end(),
        {{"--ranges", "", "least and greatest values of the variables, and which functions follow from them",
          &m_ranges},
         {"--function", "NAME",
          "with --ranges also those of this function, by name, NASA's number or as an expression; may be "
          "repeated",
          ListTarget{&m_functions, true}},
         {"--at-first", "",
          "as the window opens the data for the first time: oceans the right way up, bodies displaced",
          &m_atFirst},
         {"--json", "", "print JSON", &m_json},
         {"--thumbnail", "FILE", "make a small picture of the data, too (PNG)", &m_thumbnail},
         {"--size", "N", "with --thumbnail: width and height in pixels",
          IntegerTarget{&m_picture.sizePixels, 16, 4096}, false, "256"},
         {"--time-limit", "SECONDS", "with --thumbnail: give up after so long",
          IntegerTarget{&m_timeLimit, 1, 86'400}, false, "20"},
         overwriteOption(m_overwrite),
         memoryOption(m_memoryBytes),
         processorsOption(m_processors)});
    m_memoryBytes = kNotSaid;
    return manual;
  }

  void run(const Context& context) override {
    if (!m_ranges && !m_functions.empty()) throw UsageError("--function goes with --ranges");
    if (m_thumbnail.empty() &&
        (m_picture.sizePixels != kUsualSize || m_timeLimit != kUsualLimit || m_overwrite))
      throw UsageError("--size, --time-limit and --overwrite go with --thumbnail");
    fields::OpenRequest request = m_data.request(context.stop);
    if (const auto folder = folderOf(request)) {
      if (!m_thumbnail.empty()) throw UsageError("a folder has no picture", "name data in it");
      return printFolder(*folder, m_json, context.stop);
    }
    if (!m_thumbnail.empty()) drawPicture(request, context);
    if (m_memoryBytes == kNotSaid) m_memoryBytes = defaultMemoryBytes();
    MemoryAccount account(m_memoryBytes);
    std::unique_ptr<fields::OpenData> data;
    std::vector<Variable> variables;
    fields::withBudgetAdvice(
        m_memoryBytes,
        [&](MemoryAccount& rehearsed) {
          const auto opened = context.environment.readers.open(request, rehearsed);
          std::vector<Variable> listed = list(*opened);
          const std::uint64_t more =
              m_ranges
                  ? smallestBytesForRanges(*opened, namesOf(withoutRange(*opened, listed)), {m_processors})
                  : 0;
          return rehearsed.usedBytes() + more;
        },
        [&] {
          data = context.environment.readers.open(request, account);
          if (m_atFirst && chooseAtFirst(*data, request)) {
            data.reset();
            data = context.environment.readers.open(request, account);
          }
          variables = list(*data);
          if (m_ranges) addRanges(*data, variables, account, context);
          data->checkUnchanged();
        });
    const fields::Origin origin = originOf(*data);
    // what is named may name other files
    const std::uint64_t bytes = origin.fileBytes > 0
                                    ? origin.fileBytes
                                    : std::max(fileBytes(request), data->description().storedBytes);
    if (m_json)
      printJson(*data, variables, bytes, origin);
    else
      printText(*data, variables, bytes);
  }

 private:
  /// Whether there is another choice for who has chosen nothing.
  static bool chooseAtFirst(const fields::OpenData& data, fields::OpenRequest& request) {
    bool isAnother = false;
    for (const fields::ReadingChoice& choice : fields::readingChoicesOf(data))
      if (choice.atFirst)
        isAnother = request.options.try_emplace(choice.option, choice.values[*choice.atFirst].value).second ||
                    isAnother;
    return isAnother;
  }
  void drawPicture(const fields::OpenRequest& request, const Context& context) {
    RunFiles files(m_overwrite);
    declareReads(files, request);
    files.writes(m_thumbnail, isOwnPicture);
    m_picture.file = m_thumbnail;
    m_picture.timeLimit = std::chrono::seconds(m_timeLimit);
    m_picture.memoryBytes =
        m_memoryBytes == kNotSaid ? std::min(defaultMemoryBytes(), kThumbnailMemoryBytes) : m_memoryBytes;
    m_picture.processors = m_processors;
    makeThumbnail(request, m_picture, context);
  }

  std::vector<Variable> list(const fields::OpenData& data) const {
    std::vector<Variable> variables;
    std::vector<fields::FunctionInfo> functions = fields::availableFunctions(data.description());
    const std::vector<fields::FunctionInfo> parts = fields::vectorParts(data.description());
    const std::vector<fields::FunctionInfo> places = fields::placeFunctions(data.description());
    functions.insert(functions.end(), parts.begin(), parts.end());
    functions.insert(functions.end(), places.begin(), places.end());
    for (const fields::FunctionInfo& function : functions) {
      Variable variable{function, false, "f64", m_ranges && function.formula.empty(), std::nullopt};
      if (variable.derived() && !m_ranges) continue;
      const fields::VariablePlace place = fields::placeOf(data.description(), function.name);
      if (!variable.derived() && place.array >= 0) {
        const paging::ArrayDescription& array =
            data.description().arrays[static_cast<std::size_t>(place.array)];
        variable.type = nameOf(array.type);
        variable.onCells = array.onCells;
      }
      variables.push_back(std::move(variable));
    }
    const fields::FunctionPlan named(data.description(), m_functions);
    for (const fields::FunctionInfo& function : named.functions()) {
      const auto listed = std::find_if(variables.begin(), variables.end(), [&](const Variable& variable) {
        return variable.function.name == function.name;
      });
      if (listed != variables.end())
        listed->wanted = true;
      else
        variables.push_back({function, false, "f64", true, std::nullopt});
    }
    return variables;
  }

  /// Gives variables the ranges that the data have kept, and returns the others.
  static std::vector<Variable*> withoutRange(const fields::OpenData& data, std::vector<Variable>& variables) {
    std::vector<Variable*> missing;
    for (Variable& variable : variables) {
      if (!variable.wanted) continue;
      if (!variable.derived() && variable.function.components == 1)
        variable.range = storedRange(data, variable.function.name);
      if (!variable.range) missing.push_back(&variable);
    }
    return missing;
  }

  static std::vector<std::string> namesOf(const std::vector<Variable*>& variables) {
    std::vector<std::string> names;
    for (const Variable* variable : variables) names.push_back(variable->function.name);
    return names;
  }

  void addRanges(const fields::OpenData& data, std::vector<Variable>& variables, MemoryAccount& account,
                 const Context& context) const {
    const std::vector<Variable*> missing = withoutRange(data, variables);
    Progress progress("ranges", "boxes", progressStyle(log::level() == log::Level::Quiet));
    PassOptions options{m_processors, context.stop,
                        [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); }};
    std::vector<FunctionRange> ranges = computeRanges(data, namesOf(missing), account, options);
    for (std::size_t n = 0; n < missing.size(); ++n) missing[n]->range = std::move(ranges[n]);
  }

  /// Of all files together; what has no file (a formula) has none.
  static std::uint64_t fileBytes(const fields::OpenRequest& request) {
    std::uint64_t bytes = 0;
    for (const auto* names : {&request.sources, &request.solutions}) {
      for (const std::string& name : *names) {
        std::error_code none;
        const auto size = std::filesystem::file_size(name, none);
        if (!none) bytes += size;
      }
    }
    return bytes;
  }

  static std::uint64_t pageCount(const paging::DatasetDescription& data) {
    std::uint64_t pages = 0;
    for (const auto& array : data.arrays)
      if (!fields::areComputedPlaces(data, array)) pages += static_cast<std::uint64_t>(array.pageCount());
    return pages;
  }

  void printJson(const fields::OpenData& opened, const std::vector<Variable>& variables, std::uint64_t bytes,
                 const fields::Origin& origin) const {
    const paging::DatasetDescription& data = opened.description();
    Json out = {{"format", data.format}, {"steps", data.steps()}, {"times", data.times}, {"bytes", bytes}};
    out["cells"] = app::cellsOf(data);
    out["blocks"] = Json::array();
    const std::optional<paging::AmrLevels> amr = paging::amrOf(data);
    for (const auto& block : data.blocks) {
      Json bounds =
          block.bounds.empty() ? Json() : Json::array({jsonOf(block.bounds.min), jsonOf(block.bounds.max)});
      Json one = {{"dims", block.dims},
                  {"bounds", std::move(bounds)},
                  {"iblank", block.hasIblank},
                  {"kind", amr ? "amr" : nameOf(block.kind)},
                  {"cells", paging::areCellSamples(data) ? paging::cellsOfFile(block.dims)
                                                         : app::cellsOf(block, amr.has_value())}};
      if (amr) {
        one["level"] = amr->levelOf(static_cast<int>(out["blocks"].size()));
        one["spacing"] = jsonOf(block.spacing);
      }
      out["blocks"].push_back(std::move(one));
    }
    if (amr)
      out["amr"] = {{"on", amr->onCells ? "cells" : "nodes"}, {"boxes", amr->boxes}, {"ratios", amr->ratios}};
    out["surfaces"] = Json::array();
    for (const auto& surface : data.surfaces) out["surfaces"].push_back(jsonOf(surface, data));
    out["variables"] = Json::array();
    for (const Variable& variable : variables)
      out["variables"].push_back(jsonOf(variable, fields::unitsOf(data, variable.function.name)));
    if (const std::vector<std::string> usual = vectorOf(data); !usual.empty()) out["vector"] = usual;
    if (data.format == "farfield") {
      out["pages"] = pageCount(data);
      out["pageEdge"] = data.pageEdge;
      out["codec"] = data.codec;
      out["storedBytes"] = data.storedBytes;
      out["levels"] = paging::levelsSaid(data);
    }
    out["leftOut"] = leftOut(opened);
    for (const fields::ReadingChoice& choice : fields::readingChoicesOf(opened)) {
      auto& its = out["choices"][choice.option];
      its["now"] = choice.values[choice.now].value;
      for (const auto& value : choice.values) its["values"][value.value] = value.text;
    }
    out["attributes"] = data.attributes;
    out["attributes"].erase(session::kRendererData);  // between programs
    if (!origin.url.empty()) {
      out["source"] = origin.url;
      out["server"] = origin.server;
    }
    printResult(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  /// Ends a long list, of which `shown` are written.
  static bool isEnough(std::size_t shown, std::size_t count) {
    constexpr std::size_t kMost = 20;
    if (shown < kMost || log::level() == log::Level::Verbose) return false;
    std::printf("  … and %zu more (--verbose lists them)\n", count - shown);
    return true;
  }

  static void printLevels(const paging::DatasetDescription& data, const paging::AmrLevels& amr) {
    std::printf("levels     %d, with values of %s%s\n", amr.levels(), amr.onCells ? "cells" : "nodes",
                paging::boxesChange(data) ? ", and the boxes of all steps" : "");
    std::size_t block = 0;
    for (std::size_t level = 0; level < amr.boxes.size(); ++level) {
      std::int64_t cells = 0;
      const Vec3 spacing = block < data.blocks.size() ? data.blocks[block].spacing : Vec3{};
      for (std::int64_t n = 0; n < amr.boxes[level]; ++n) cells += paging::amrCells(data.blocks[block++]);
      std::printf("  %-6zu   %s, %s of %s by %s by %s%s\n", level,
                  countText(amr.boxes[level], "box", "boxes").c_str(),
                  countText(cells, "cell", "cells").c_str(), formatRounded(spacing.x).c_str(),
                  formatRounded(spacing.y).c_str(), formatRounded(spacing.z).c_str(),
                  level > 0 ? (", ratio " + std::to_string(amr.ratios[level - 1])).c_str() : "");
    }
  }

  /// Lines of an explanation say what is not shown as "left out: …", or "left out, on other grids: …".
  static constexpr std::string_view kLeftOut = "left out";

  /// What the data have that is not shown, without these words.
  static std::vector<std::string> leftOut(const fields::OpenData& opened) {
    std::vector<std::string> found;
    for (const std::string& line : opened.explanation())
      if (line.starts_with(kLeftOut) && line.size() > kLeftOut.size() + 2)
        found.push_back(line.substr(kLeftOut.size() + 2));
    return found;
  }

  /// What the data say of themselves in words; empty if they do not.
  static std::string said(const paging::DatasetDescription& data, const std::string& key) {
    const auto found = data.attributes.find(key);
    return found == data.attributes.end() ? "" : found->second;
  }

  /// What is measured along x, y and z, and where the values belong.
  static void printMeaning(const paging::DatasetDescription& data) {
    std::string axes;
    for (const char axis : {'x', 'y', 'z'})
      if (const std::string text = said(data, std::string("axis.") + axis); !text.empty())
        axes += (axes.empty() ? "" : "; ") + std::string(1, axis) + " " + text;
    if (!axes.empty()) std::printf("axes       %s\n", axes.c_str());
    if (const std::string units = said(data, "units"); !units.empty())
      std::printf("units      %s\n", units.c_str());
    if (const std::string samples = said(data, "samples"); !samples.empty())
      std::printf("values     of %s, which are the nodes here\n", samples.c_str());
  }

  /// The vector that lines begin with in the window: its name, or its three parts.
  static std::vector<std::string> vectorOf(const paging::DatasetDescription& data) {
    app::DataSummary summary;
    summary.description = data;
    summary.functions = fields::availableFunctions(data);
    return app::usualVector(summary);
  }

  /// Says which one it is where that is not plain: data with one vector have that one, and flows their velocity.
  static void printVector(const paging::DatasetDescription& data) {
    const std::vector<std::string> usual = vectorOf(data);
    if (usual.empty()) return;
    std::set<std::string> stored;
    for (const paging::ArrayDescription& array : data.arrays)
      if (!array.isGrid() && array.components == 3) stored.insert(array.name);
    if (usual.size() == 1 && stored.size() < 2 && !fields::isDefined(data.attributes, usual.front())) return;
    std::string names;
    for (const std::string& name : usual) names += (names.empty() ? "" : ", ") + name;
    std::printf("vector     %s  (lines, arrows and textures in the window begin with it)\n", names.c_str());
  }

  /// What a renderer can show, a line each in `names`.
  static void printShown(const std::string& names) {
    std::printf("shows      %td\n", 1 + std::count(names.begin(), names.end(), '\n'));
    std::istringstream lines(names);
    for (std::string name; std::getline(lines, name);) std::printf("  %s\n", name.c_str());
  }

  /// What can be read in another way, as options to be given.
  static void printChoices(const fields::OpenData& opened) {
    std::vector<std::pair<std::string, std::string>> others;
    for (const fields::ReadingChoice& choice : fields::readingChoicesOf(opened))
      for (std::size_t n = 0; n < choice.values.size(); ++n)
        if (n != choice.now)
          others.emplace_back(choice.option + "=" + choice.values[n].value, choice.values[n].text);
    if (others.empty()) return;
    std::printf("otherwise  %zu (--option KEY=VALUE)\n", others.size());
    for (std::size_t n = 0; n < others.size(); ++n) {
      if (isEnough(n, others.size())) break;
      std::printf("  %-22s %s\n", others[n].first.c_str(), others[n].second.c_str());
    }
  }

  /// Boundaries of a sheet of nodes are its edges, which nobody can draw as surfaces.
  static void printSurfaces(const paging::DatasetDescription& data) {
    std::vector<const paging::NamedSurface*> surfaces, edges;
    for (const paging::NamedSurface& surface : data.surfaces)
      (session::hasArea(data, surface) ? surfaces : edges).push_back(&surface);
    for (const auto& [what, all] : {std::pair("surfaces", &surfaces), std::pair("edges", &edges)}) {
      if (!all->empty()) std::printf("%-10s %zu\n", what, all->size());
      for (std::size_t n = 0; n < all->size() && !isEnough(n, all->size()); ++n) {
        const paging::NamedSurface& its = *(*all)[n];
        std::printf("  %-22s block %d, %s (%s)\n", its.name.c_str(), its.block,
                    data.blocks[static_cast<std::size_t>(its.block)].isUnstructured()
                        ? countText(its.nodes.size[0], "face", "faces").c_str()
                        : sheetText(its.nodes).c_str(),
                    its.from.c_str());
      }
    }
  }

  static void printText(const fields::OpenData& opened, const std::vector<Variable>& variables,
                        std::uint64_t bytes) {
    const paging::DatasetDescription& data = opened.description();
    for (const std::string& line : opened.explanation())
      if (!line.starts_with(kLeftOut)) log::detail(line);
    std::printf("format     %s\n", data.format.c_str());
    if (const fields::Origin origin = originOf(opened); !origin.url.empty())
      std::printf("server     %s\n", origin.server.c_str());
    if (bytes) std::printf("size       %s\n", formatBytes(bytes).c_str());
    std::printf("steps      %lld", static_cast<long long>(data.steps()));
    if (data.steps() > 1)
      std::printf("  t %s … %s", formatRounded(data.times.front()).c_str(),
                  formatRounded(data.times.back()).c_str());
    if (const std::string units = said(data, "time.units"); !units.empty())
      std::printf("  %s%s", units.c_str(),
                  said(data, "time.calendar").empty() ? "" : (", " + said(data, "time.calendar")).c_str());
    std::printf("\n");
    if (fields::saidDate(data, 0)) std::printf("dates      %s\n", fields::saidTimes(data).c_str());
    if (data.format == "farfield")
      std::printf("pages      %llu, edge %d, codec %s, %s stored\n",
                  static_cast<unsigned long long>(pageCount(data)), data.pageEdge, data.codec.c_str(),
                  formatBytes(data.storedBytes).c_str());
    if (data.format == "farfield" && paging::levelsSaid(data) > 1)
      std::printf("levels     %d (--option level=N looks at another than 0)\n", paging::levelsSaid(data));
    const std::optional<paging::AmrLevels> amr = paging::amrOf(data);
    if (amr) printLevels(data, *amr);
    printMeaning(data);
    std::printf("blocks     %zu%s\n", data.blocks.size(),
                paging::cellsChange(data) ? ", one for each step" : "");
    for (std::size_t n = 0; n < data.blocks.size(); ++n) {
      if (isEnough(n, data.blocks.size())) break;
      const auto& block = data.blocks[n];
      const std::string title = said(data, "block." + std::to_string(n));
      std::printf(
          "  %-6zu   %s nodes, %s%s%s%s\n           %s\n", n,
          block.isUnstructured() ? std::to_string(paging::nodesInFile(data, static_cast<int>(n))).c_str()
                                 : dimsText(block.dims).c_str(),
          amr ? ("level " + std::to_string(amr->levelOf(static_cast<int>(n)))).c_str() : nameOf(block.kind),
          block.isUnstructured() ? (", " + countText(block.cells, "cell", "cells")).c_str() : "",
          block.hasIblank ? ", iblank" : "", title.empty() ? "" : (", " + title).c_str(),
          boundsText(block.bounds).c_str());
    }
    printSurfaces(data);
    if (const auto said = data.attributes.find(session::kRendererFunctions); said != data.attributes.end())
      printShown(said->second);
    else
      std::printf("variables  %zu\n", variables.size());
    for (const Variable& variable : variables) {
      std::printf("  %-22s %-4s%s%s", variable.function.name.c_str(), variable.type.c_str(),
                  variable.function.components > 1
                      ? ("x" + std::to_string(variable.function.components)).c_str()
                      : "",
                  variable.onCells ? " on cells" : "");
      if (variable.range && variable.range->empty)
        std::printf("  no finite value");
      else if (variable.range)
        std::printf("  %s … %s", formatRounded(variable.range->min).c_str(),
                    formatRounded(variable.range->max).c_str());
      if (variable.derived()) std::printf("  = %s", variable.function.formula.c_str());
      if (const std::string units = fields::unitsOf(data, variable.function.name); !units.empty())
        std::printf("  %s", units.c_str());
      if (const std::string means = said(data, "means." + variable.function.name); !means.empty())
        std::printf("  (means %s)", means.c_str());
      std::printf("\n");
    }
    printVector(data);
    const std::vector<std::string> missing = leftOut(opened);
    if (!missing.empty()) std::printf("left out   %zu\n", missing.size());
    for (std::size_t n = 0; n < missing.size(); ++n) {
      if (isEnough(n, missing.size())) break;
      std::printf("  %s\n", missing[n].c_str());
    }
    printChoices(opened);
  }

  DataArguments m_data;
  std::vector<std::string> m_functions;
  std::string m_thumbnail;
  ThumbnailOptions m_picture;
  static constexpr int kUsualSize = 256, kUsualLimit = 20;
  int m_timeLimit = kUsualLimit;
  bool m_ranges = false, m_json = false, m_overwrite = false, m_atFirst = false;
  static constexpr std::uint64_t kNotSaid = ~std::uint64_t{0};
  std::uint64_t m_memoryBytes = kNotSaid;
  int m_processors = 1;
};

}  // namespace

std::unique_ptr<Command> makeInfoCommand() {
  return std::make_unique<InfoCommand>();
}

}  // namespace farfield::cli
