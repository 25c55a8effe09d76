#include "plugins/plot3d/plot3d_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/changed_file.h"
#include "core/base/log.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/paging/pages/role_names.h"
#include "core/trace/trace.h"
#include "plugins/plot3d/boundary_files.h"
#include "plugins/plot3d/box_read.h"
#include "plugins/plot3d/text_file.h"
#include "plugins/plot3d/variable_names.h"
#include "plugins/plot3d/wall_points.h"

namespace farfield::plot3d {

/// Keeps a few files of a long series open. Thread-safe.
class Plot3dReader::OpenFiles {
 public:
  explicit OpenFiles(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}

  const paging::ByteStores& stores() const { return *m_stores; }
  std::shared_ptr<const paging::ByteObject> open(const std::filesystem::path& path) const {
    return m_stores->open(path.string());
  }
  std::shared_ptr<const paging::ByteObject> get(const std::filesystem::path& path,
                                                const paging::Generation& expected) {
    const std::lock_guard lock(m_mutex);
    const auto found =
        std::find_if(m_files.begin(), m_files.end(), [&](const auto& file) { return file.first == path; });
    if (found != m_files.end()) {
      m_files.splice(m_files.begin(), m_files, found);
      return m_files.front().second;
    }
    auto file = open(path);
    if (file->generation() != expected) throw fileHasChanged().at(file->name());
    m_files.emplace_front(path, std::move(file));
    if (m_files.size() > kMost) m_files.pop_back();
    return m_files.front().second;
  }

 private:
  static constexpr std::size_t kMost = 32;
  const std::shared_ptr<const paging::ByteStores> m_stores;
  std::mutex m_mutex;
  // most recently used first
  std::list<std::pair<std::filesystem::path, std::shared_ptr<const paging::ByteObject>>> m_files;
};

namespace {

/// Suggested pages: long in i, as the file is, so that a page takes few and long reads.
constexpr Index3 kPageExtent{128, 16, 16};

/// Mach, alpha, Re and time of the first block, and gamma, if the file has it (else 0).
using Header = std::array<double, 5>;
Header readHeader(const paging::ByteObject& file, const Layout& layout) {
  const int element = sizeOf(layout.format.precision);
  const int count = layout.format.overflow ? 5 : 4;
  std::array<std::byte, 40> bytes;
  const std::span<std::byte> used(bytes.data(), static_cast<std::size_t>(count * element));
  layout.read(file, layout.blocks.front().header, used);
  if (layout.format.byteOrder == ByteOrder::Big) swapBytes(used, element);
  Header values{};
  toDouble(bytes.data(), layout.format.precision, 0, count, values.data());
  return values;
}

/// The component missing in a two-dimensional file: z or momentum-z; -1 if it has all.
int missingComponent(const Layout& layout) {
  if (layout.format.dimensions == 3 || layout.content == Content::Function) return -1;
  return layout.content == Content::Grid ? 2 : 3;
}

/// Copies nodes of `stored` components of `element` bytes each, inserting a 0 before component `at`.
void insertZero(std::span<const std::byte> from, int stored, int at, int element, std::span<std::byte> to) {
  const auto before = static_cast<std::size_t>(at * element);
  const auto nodeBytes = static_cast<std::size_t>(stored * element);
  std::byte* out = to.data();
  for (std::size_t n = 0; n < from.size(); n += nodeBytes) {
    out = std::copy_n(from.data() + n, before, out);
    out = std::fill_n(out, element, std::byte{0});
    out = std::copy_n(from.data() + n + before, nodeBytes - before, out);
  }
}

constexpr const char* kOrSkip = ", or leave such steps out with the option badSteps=skip";

std::string stepName(std::size_t step) {
  return "step " + std::to_string(step);
}

/// What `look` gives. What it throws names the step where there are `steps` of them.
template <class Look>
auto ofStep(std::size_t step, std::size_t steps, const Look& look) {
  try {
    return look();
  } catch (Error& error) {
    if (steps > 1)
      error.at(stepName(step)).advise(error.action() + (error.action().empty() ? kOrSkip + 2 : kOrSkip));
    throw;
  }
}

}  // namespace

Plot3dReader::Plot3dReader(const Plot3dFiles& given, const Options& options,
                           std::shared_ptr<const paging::ByteStores> stores)
    : m_open(std::make_unique<OpenFiles>(std::move(stores))) {
  checkKeys(options);
  if (given.grids.empty()) throw Invalid("PLOT3D data need a grid file");
  if (given.grids.size() > 1 && given.grids.size() != given.solutions.size() && !given.solutions.empty())
    throw Invalid(std::to_string(given.grids.size()) + " grid files do not go with " +
                      std::to_string(given.solutions.size()) + " solution files",
                  "give one grid, or one per solution");
  const auto bad = options.find("badSteps");
  const std::string onBadStep = bad == options.end() ? "stop" : bad->second;
  const fields::BadSteps badSteps = fields::BadSteps::from(onBadStep).value_or(fields::BadSteps{});
  Plot3dFiles files = given;
  const auto takeTimes = [&](std::size_t steps) {
    if (auto times = timesFrom(options, steps); !times.empty()) files.times = std::move(times);
  };
  if (badSteps.mayBeLeftOut()) {
    takeTimes(std::max(files.grids.size(), files.solutions.size()));
    files = withoutBadSteps(files, options, badSteps);
  }
  m_description.format = "plot3d";
  examineGrids(files, options);
  examineSolutions(files, options);
  setGamma(options);
  const auto gasConstant = options.find("R");
  m_description.attributes["R"] = gasConstant == options.end() ? "1" : gasConstant->second;
  if (const auto viscosity = options.find("viscosity"); viscosity != options.end())
    m_description.attributes["viscosity"] = viscosity->second;
  m_description.attributes["source"] = lastPartOf(files.grids.front().string());
  describeArrays();
  // functions and solutions of the same steps are files of their own
  if (!badSteps.mayBeLeftOut()) takeTimes(std::max({m_grids.size(), m_solutions.size(), m_functions.size()}));
  describeSteps(files.times, onBadStep == "number");
  std::vector<Index3> dims;
  for (const auto& block : m_description.blocks) dims.push_back(block.dims);
  m_description.surfaces = surfacesBeside(files.grids.front(), dims, m_explain);
}

Plot3dReader::~Plot3dReader() = default;

/// What examining a file found.
struct Plot3dReader::Examined {
  Layout layout;
  std::vector<std::string> explain;
  paging::Generation generation;
  std::shared_ptr<const paging::ByteObject> copy;  ///< of a text file
};

/// Opens the files of each step alone, and those of good ones once more together.
Plot3dFiles Plot3dReader::withoutBadSteps(const Plot3dFiles& files, const Options& options,
                                          const fields::BadSteps& bad) {
  const std::size_t steps = std::max(files.grids.size(), files.solutions.size());
  if (steps < 2) return files;
  const bool moves = files.grids.size() > 1;
  const Overrides ofGrid = overridesFrom(options, ""), ofSolution = overridesFrom(options, "solution.");
  std::optional<Layout> grid, solution;
  Plot3dFiles good;
  std::vector<std::size_t> numbers;  // of the good ones among all
  std::vector<double> times;         // of the good ones, where they are known
  const auto leaveOut = [this](std::size_t step, const std::string& why) {
    const std::string what = stepName(step) + " is left out: " + why;
    log::warning(what);
    m_explain.push_back(what);
  };
  if (!moves) {
    good.grids = files.grids;
    grid = examine(files.grids.front(), nullptr, ofGrid).layout;
  }
  for (std::size_t step = 0; step < steps; ++step) try {
      if (bad.names(step)) {
        leaveOut(step, fields::BadSteps::kWhyNamed);
        continue;
      }
      std::optional<Layout> itsGrid, its;
      std::optional<double> time;
      if (moves) {
        itsGrid = examine(files.grids[step], nullptr, ofGrid).layout;
        if (grid && *itsGrid != *grid)
          throw Invalid("is laid out unlike the first grid").at(saidOf(files.grids[step].string()));
      }
      if (!files.solutions.empty()) {
        const std::filesystem::path& path = files.solutions[step];
        const Examined found = examine(path, itsGrid ? &*itsGrid : &*grid, ofSolution);
        its = found.layout;
        if (solution && its->content != solution->content)
          throw Unsupported("bad steps of solutions and function files together cannot be left out",
                            "give the good files, or solutions alone");
        if (solution &&
            (its->format.precision != solution->format.precision ||
             variableCount(its->content, its->format) != variableCount(solution->content, solution->format)))
          throw Invalid("has another precision or number of variables than the first")
              .at(saidOf(path.string()));
        if (its->content == Content::Solution) {
          const StepFile file{path, found.generation, std::make_shared<const Layout>(*its), found.copy};
          time = readHeader(*open(file), *file.layout)[3];
        }
      }
      if (files.times.size() == steps) time = files.times[step];
      if (moves) good.grids.push_back(files.grids[step]);
      if (!files.solutions.empty()) good.solutions.push_back(files.solutions[step]);
      if (files.times.size() == steps) good.times.push_back(files.times[step]);
      if (itsGrid && !grid) grid = std::move(itsGrid);
      if (its && !solution) solution = std::move(its);
      numbers.push_back(step);
      if (time) times.push_back(*time);
    } catch (const Cancelled&) {
      throw;
    } catch (const Unsupported&) {
      throw;
    } catch (Error& error) {
      if (!bad.skipped) {
        error.at(stepName(step)).advise(fields::BadSteps::kNameAsWell);
        throw;
      }
      leaveOut(step, error.what());
    }
  bool sayNothing = times.size() != numbers.size();
  if (!sayNothing) sayNothing = std::adjacent_find(times.begin(), times.end(), std::less<>()) == times.end();
  for (std::size_t n = 0, kept = 0; !sayNothing && n < times.size(); ++n) {
    if (std::isfinite(times[n]) && (kept == 0 || times[n] > times[kept - 1])) {
      times[kept++] = times[n];
      continue;
    }
    const std::string isAt = "at the time " + formatNumber(times[n]) + ", not after the step before it";
    if (!bad.skipped) throw Invalid("is " + isAt, fields::BadSteps::kNameAsWell).at(stepName(numbers[n]));
    leaveOut(numbers[n], "it is " + isAt);
    const auto drop = [&](auto& list) {
      if (list.size() > 1) list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept));
    };
    if (moves) drop(good.grids);
    drop(good.solutions);
    drop(good.times);
  }
  if (good.grids.empty() || (good.solutions.empty() && !files.solutions.empty()))
    throw Invalid("no step is good", "leave out badSteps=skip to see what is wrong with the first");
  return good;
}

/// `grid`: null for a grid.
Plot3dReader::Examined Plot3dReader::examine(const std::filesystem::path& path, const Layout* grid,
                                             const Overrides& overrides) const {
  const auto file = m_open->open(path);
  Examined examined;
  if (looksLikeText(*file)) {
    TextAsBinary text = binaryFromText(*file, grid, overrides);
    examined = {std::move(text.layout), std::move(text.explain), file->generation(), std::move(text.file)};
  } else {
    Detection found = grid ? detectSolution(*file, *grid, overrides) : detectGrid(*file, overrides);
    examined = {std::move(found.layout), std::move(found.explain), file->generation(), nullptr};
  }
  return examined;
}

std::shared_ptr<const paging::ByteObject> Plot3dReader::open(const StepFile& step) const {
  return step.copy ? step.copy : m_open->get(step.path, step.generation);
}

void Plot3dReader::checkUnchanged() const {
  for (const auto* series : {&m_grids, &m_solutions, &m_functions})
    for (const StepFile& step : *series) {
      const auto file = m_open->open(step.path);
      if (file->generation() != step.generation) throw fileHasChanged().at(file->name());
      file->checkUnchanged();
    }
}

void Plot3dReader::examineGrids(const Plot3dFiles& files, const Options& options) {
  const Overrides overrides = overridesFrom(options, "");
  for (const auto& path : files.grids) {
    Examined found =
        ofStep(m_grids.size(), files.grids.size(), [&] { return examine(path, nullptr, overrides); });
    m_description.storedBytes += found.generation.bytes;
    if (m_grids.empty()) {
      m_explain.push_back("grid " + path.string());
      m_explain.insert(m_explain.end(), found.explain.begin(), found.explain.end());
    } else if (found.layout != *m_grids.front().layout) {
      throw Invalid("is laid out unlike the first grid of the series",
                    std::string("give grids of one kind and size") + kOrSkip)
          .at(saidOf(path.string()))
          .at(stepName(m_grids.size()));
    }
    auto layout =
        m_grids.empty() ? std::make_shared<const Layout>(std::move(found.layout)) : m_grids.front().layout;
    m_grids.push_back({path, std::move(found.generation), std::move(layout), std::move(found.copy)});
  }
}

void Plot3dReader::examineSolutions(const Plot3dFiles& files, const Options& options) {
  const Overrides overrides = overridesFrom(options, "solution.");
  for (std::size_t step = 0; step < files.solutions.size(); ++step) {
    const std::filesystem::path& path = files.solutions[step];
    Examined found =
        ofStep(step, files.solutions.size(), [&] { return examine(path, &gridLayout(), overrides); });
    m_description.storedBytes += found.generation.bytes;
    const bool isSolution = found.layout.content == Content::Solution;
    std::vector<StepFile>& series = isSolution ? m_solutions : m_functions;
    const char* const what = isSolution ? "solution" : "function file";
    if (series.empty()) {
      m_explain.push_back(std::string(what) + " " + path.string());
      m_explain.insert(m_explain.end(), found.explain.begin(), found.explain.end());
    } else {
      const Format& first = series.front().layout->format;
      const char* const differs = found.layout.format.precision != first.precision ? "precision"
                                  : variableCount(found.layout.content, found.layout.format) !=
                                          variableCount(found.layout.content, first)
                                      ? "number of variables"
                                      : nullptr;
      if (differs)
        throw Invalid(std::string("has another ") + differs + " than the first " + what + " of the series",
                      std::string("give files of one ") + differs + kOrSkip)
            .at(saidOf(path.string()))
            .at(stepName(series.size()));
    }
    const bool same = !series.empty() && found.layout == *series.back().layout;
    auto layout = same ? series.back().layout : std::make_shared<const Layout>(std::move(found.layout));
    series.push_back({path, std::move(found.generation), std::move(layout), std::move(found.copy)});
  }
  if (m_solutions.size() > 1 && m_functions.size() > 1 && m_solutions.size() != m_functions.size())
    throw Invalid(std::to_string(m_functions.size()) + " function files do not go with " +
                      std::to_string(m_solutions.size()) + " solutions",
                  "give one function file, or one per solution");
}

/// An option takes precedence over a header, and that over the value for air.
void Plot3dReader::setGamma(const Options& options) {
  std::string& gamma = m_description.attributes["gamma"];
  gamma = "1.4";
  if (const auto given = options.find("gamma"); given != options.end()) {
    gamma = given->second;
  } else if (!m_solutions.empty() && solutionLayout()->format.overflow) {
    const StepFile& first = m_solutions.front();
    const double inHeader = readHeader(*open(first), *first.layout)[4];
    if (inHeader > 1 && inHeader < 3) gamma = formatNumber(inHeader);
  }
}

void Plot3dReader::addArray(int block, ArrayPlace::Kind kind) {
  paging::ArrayDescription array;
  array.block = block;
  array.layout =
      paging::PageLayout::ofExtent(gridLayout().blocks[static_cast<std::size_t>(block)].dims, kPageExtent);
  array.steps = static_cast<std::int64_t>(m_grids.size());
  array.type = gridLayout().format.precision;
  switch (kind) {
    case ArrayPlace::Kind::Coordinates:
      array.name = paging::kCoordinatesName;
      array.role = paging::ArrayRole::Coordinates;
      array.componentNames = {"x", "y", "z"};
      break;
    case ArrayPlace::Kind::Iblank:
      array.name = paging::kBlankingName;
      array.role = paging::ArrayRole::Blanking;
      array.type = ScalarType::I16;
      break;
    case ArrayPlace::Kind::Solution:
      array.name = "q";
      array.steps = static_cast<std::int64_t>(m_solutions.size());
      array.type = solutionLayout()->format.precision;
      array.componentNames = solutionNames(*solutionLayout());
      break;
    case ArrayPlace::Kind::Functions: {
      const StepFile& first = m_functions.front();
      array.name = "functions";
      array.steps = static_cast<std::int64_t>(m_functions.size());
      array.type = first.layout->format.precision;
      if (m_functionNames.empty())
        m_functionNames = functionNames(first.path, *first.layout, m_open->stores());
      array.componentNames = m_functionNames;
      break;
    }
  }
  array.components = std::max(1, static_cast<int>(array.componentNames.size()));
  m_description.arrays.push_back(array);
  m_places.push_back({block, kind});
}

void Plot3dReader::describeArrays() {
  const Layout& grid = gridLayout();
  for (int b = 0; b < static_cast<int>(grid.blocks.size()); ++b) {
    paging::BlockDescription block;
    block.dims = grid.blocks[static_cast<std::size_t>(b)].dims;
    block.kind = paging::GridKind::Curvilinear;
    block.hasIblank = grid.format.iblank;
    m_description.blocks.push_back(block);
    addArray(b, ArrayPlace::Kind::Coordinates);
    if (grid.format.iblank) addArray(b, ArrayPlace::Kind::Iblank);
    if (!m_solutions.empty()) addArray(b, ArrayPlace::Kind::Solution);
    if (!m_functions.empty()) addArray(b, ArrayPlace::Kind::Functions);
  }
}

void Plot3dReader::describeSteps(const std::vector<double>& given, bool number) {
  const std::size_t steps = std::max({m_grids.size(), m_solutions.size(), m_functions.size()});
  std::vector<double> times;
  for (std::size_t s = 0; s < m_solutions.size(); ++s) {
    const auto file = open(m_solutions[s]);
    const Header header = readHeader(*file, *m_solutions[s].layout);
    const char* const names[] = {"mach", "alpha", "reynolds", "time"};
    for (int n = 0; n < 4; ++n)
      m_description.attributes[names[n] + std::string(".") + std::to_string(s)] =
          formatNumber(header[static_cast<std::size_t>(n)]);
    times.push_back(header[3]);
  }
  if (given.size() == steps) times = given;
  bool saySomething = times.size() == steps && steps == 1 && std::isfinite(times[0]);
  for (std::size_t s = 1; times.size() == steps && s < steps; ++s)
    saySomething = saySomething || times[s] > times[s - 1];
  std::size_t wrong = 0;
  while (wrong < times.size() && std::isfinite(times[wrong]) &&
         (wrong == 0 || times[wrong] > times[wrong - 1]))
    ++wrong;
  if (saySomething && wrong < steps && !number)
    throw Invalid(
        "is at the time " + formatNumber(times[wrong]) +
            (wrong > 0
                 ? ", not after step " + std::to_string(wrong - 1) + " at " + formatNumber(times[wrong - 1])
                 : std::string()),
        std::string("give the steps in the order of time, or the option badSteps=number to count them") +
            kOrSkip)
        .at(stepName(wrong));
  if (!saySomething || wrong < steps) {
    times.clear();
    for (std::size_t s = 0; s < steps; ++s) times.push_back(static_cast<double>(s));
  }
  m_description.times = std::move(times);
}

const Plot3dReader::StepFile& Plot3dReader::fileOf(const ArrayPlace& place, std::int64_t step) const {
  const std::vector<StepFile>& series = place.kind == ArrayPlace::Kind::Solution    ? m_solutions
                                        : place.kind == ArrayPlace::Kind::Functions ? m_functions
                                                                                    : m_grids;
  return series.at(series.size() > 1 ? static_cast<std::size_t>(step) : 0);
}

void Plot3dReader::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                        std::span<std::byte> out) const {
  const trace::Scope scope("plot3d", "read", out.size());
  const ArrayPlace& place = m_places.at(array);
  const StepFile& source = fileOf(place, step);
  const Layout& layout = *source.layout;
  const auto file = open(source);
  if (place.kind == ArrayPlace::Kind::Iblank) return readIblank(*file, layout, place.block, box, out);
  const int stored = variableCount(layout.content, layout.format);
  const int missing = missingComponent(layout);
  if (missing < 0) return readReals(*file, layout, place.block, 0, stored, box, out);
  std::vector<std::byte> fewer(out.size() / static_cast<std::size_t>(stored + 1) *
                               static_cast<std::size_t>(stored));
  readReals(*file, layout, place.block, 0, stored, box, fewer);
  insertZero(fewer, stored, missing, sizeOf(layout.format.precision), out);
}

void Plot3dReader::readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                                 std::span<std::byte> out) const {
  const ArrayPlace& place = m_places.at(array);
  if (place.kind == ArrayPlace::Kind::Iblank) return read(array, step, box, out);
  const trace::Scope scope("plot3d", "read component", out.size());
  const StepFile& source = fileOf(place, step);
  const int missing = missingComponent(*source.layout);
  if (component == missing) return std::fill(out.begin(), out.end(), std::byte{0});
  const int stored = missing >= 0 && component > missing ? component - 1 : component;
  const auto file = open(source);
  readReals(*file, *source.layout, place.block, stored, 1, box, out);
}

void Plot3dReader::findWalls(MemoryAccount& account) {
  addWalls(wallSurfaces(*this, account));
}

void Plot3dReader::takeWalls(const std::vector<paging::NamedSurface>& surfaces) {
  std::vector<paging::NamedSurface> walls;
  std::copy_if(surfaces.begin(), surfaces.end(), std::back_inserter(walls),
               [](const paging::NamedSurface& surface) { return surface.from == kWallSource; });
  addWalls(walls);
}

void Plot3dReader::addWalls(const std::vector<paging::NamedSurface>& walls) {
  if (!walls.empty())
    m_explain.push_back("iblank marks " + std::to_string(walls.size()) + " walls" +
                        (walls.size() == kMostWalls ? "; more are left out" : ""));
  m_description.surfaces.insert(m_description.surfaces.end(), walls.begin(), walls.end());
}

}  // namespace farfield::plot3d
