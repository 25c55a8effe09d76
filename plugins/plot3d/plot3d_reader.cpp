#include "plugins/plot3d/plot3d_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>

#include "core/base/bytes.h"
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
    if (file->generation() != expected)
      throw Corrupt("has changed since it was opened", "open the data again").at(file->name());
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

}  // namespace

Plot3dReader::Plot3dReader(const Plot3dFiles& files, const Options& options,
                           std::shared_ptr<const paging::ByteStores> stores)
    : m_open(std::make_unique<OpenFiles>(std::move(stores))) {
  checkKeys(options);
  if (files.grids.empty()) throw Invalid("PLOT3D data need a grid file");
  if (files.grids.size() > 1 && files.grids.size() != files.solutions.size() && !files.solutions.empty())
    throw Invalid(std::to_string(files.grids.size()) + " grid files do not go with " +
                      std::to_string(files.solutions.size()) + " solution files",
                  "give one grid, or one per solution");
  m_description.format = "plot3d";
  examineGrids(files, options);
  examineSolutions(files, options);
  setGamma(options);
  const auto gasConstant = options.find("R");
  m_description.attributes["R"] = gasConstant == options.end() ? "1" : gasConstant->second;
  m_description.attributes["source"] = lastPartOf(files.grids.front().string());
  describeArrays();
  describeSteps(files.times);
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

/// `grid`: null when examining a grid.
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
      if (file->generation() != step.generation)
        throw Corrupt("has changed since it was opened", "open the data again").at(file->name());
      file->checkUnchanged();
    }
}

void Plot3dReader::examineGrids(const Plot3dFiles& files, const Options& options) {
  const Overrides overrides = overridesFrom(options, "");
  for (const auto& path : files.grids) {
    Examined found = examine(path, nullptr, overrides);
    m_description.storedBytes += found.generation.bytes;
    if (m_grids.empty()) {
      m_explain.push_back("grid " + path.string());
      m_explain.insert(m_explain.end(), found.explain.begin(), found.explain.end());
    } else if (found.layout != *m_grids.front().layout) {
      throw Invalid("is laid out unlike the first grid of the series", "give grids of one kind and size")
          .at(saidOf(path.string()));
    }
    auto layout =
        m_grids.empty() ? std::make_shared<const Layout>(std::move(found.layout)) : m_grids.front().layout;
    m_grids.push_back({path, std::move(found.generation), std::move(layout), std::move(found.copy)});
  }
}

void Plot3dReader::examineSolutions(const Plot3dFiles& files, const Options& options) {
  const Overrides overrides = overridesFrom(options, "solution.");
  for (const auto& path : files.solutions) {
    Examined found = examine(path, &gridLayout(), overrides);
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
                      std::string("give files of one ") + differs)
            .at(saidOf(path.string()));
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
      array.componentNames = functionNames(first.path, *first.layout);
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

void Plot3dReader::describeSteps(const std::vector<double>& given) {
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
  bool increasing = times.size() == steps;
  for (std::size_t s = 0; s < times.size(); ++s)
    if (!std::isfinite(times[s]) || (s > 0 && times[s] <= times[s - 1])) increasing = false;
  if (!increasing) {
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
