#include "plugins/plot3d/plot3d_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>

#include "core/base/bytes.h"
#include "core/base/units.h"
#include "core/trace/trace.h"
#include "plugins/plot3d/box_read.h"

namespace farfield::plot3d {

/// The few files of a long series that are in use. Thread-safe.
class Plot3dReader::OpenFiles {
 public:
  std::shared_ptr<const File> get(const std::filesystem::path& path, std::uint64_t expectedBytes) {
    const std::lock_guard lock(m_mutex);
    const auto found =
        std::find_if(m_files.begin(), m_files.end(), [&](const auto& file) { return file->path() == path; });
    if (found != m_files.end()) {
      m_files.splice(m_files.begin(), m_files, found);
      return m_files.front();
    }
    auto file = std::make_shared<const File>(File::openForReading(path));
    if (file->size() != expectedBytes)
      throw Corrupt("has changed since it was opened", "open the data again").at("file " + path.string());
    m_files.push_front(std::move(file));
    if (m_files.size() > kMost) m_files.pop_back();
    return m_files.front();
  }

 private:
  static constexpr std::size_t kMost = 32;
  std::mutex m_mutex;
  std::list<std::shared_ptr<const File>> m_files;  // latest use first
};

namespace {

/// Suggested pages: long in i, as the file is, so that a page takes few and long reads.
constexpr Index3 kPageExtent{128, 16, 16};

const std::vector<std::string>& solutionNames() {
  static const std::vector<std::string> kNames = {"density", "momentum-x", "momentum-y", "momentum-z",
                                                  "energy"};
  return kNames;
}

/// Mach, alpha, Re and time of `block`.
std::array<double, 4> readHeader(const File& file, const Layout& layout, int block) {
  const int element = sizeOf(layout.format.precision);
  std::array<std::byte, 32> bytes;
  const std::span<std::byte> used(bytes.data(), static_cast<std::size_t>(4 * element));
  file.readAt(layout.blocks[static_cast<std::size_t>(block)].header, used);
  if (layout.format.byteOrder == ByteOrder::Big) swapBytes(used, element);
  std::array<double, 4> values{};
  toDouble(bytes.data(), layout.format.precision, 0, 4, values.data());
  return values;
}

template <class T>
void addNodes(const std::vector<std::byte>& nodes, std::int64_t count, Bounds& bounds) {
  const T* xyz = reinterpret_cast<const T*>(nodes.data());
  for (std::int64_t n = 0; n < count; ++n) {
    const Vec3 point{xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]};
    if (isFinite(point)) bounds.add(point);
  }
}

}  // namespace

Plot3dReader::Plot3dReader(const Plot3dFiles& files, const Options& options)
    : m_open(std::make_unique<OpenFiles>()) {
  checkKeys(options);
  if (files.grids.empty()) throw Invalid("PLOT3D data need a grid file");
  if (files.grids.size() > 1 && files.grids.size() != files.solutions.size() && !files.solutions.empty())
    throw Invalid(std::to_string(files.grids.size()) + " grid files do not go with " +
                      std::to_string(files.solutions.size()) + " solution files",
                  "give one grid, or one per solution");
  m_description.format = "plot3d";
  examineGrids(files, options);
  examineSolutions(files, options);
  for (const auto& [key, fallback] : {std::pair{"gamma", "1.4"}, std::pair{"R", "1"}}) {
    const auto given = options.find(key);
    m_description.attributes[key] = given == options.end() ? fallback : given->second;
  }
  m_description.attributes["source"] = files.grids.front().filename().string();
  describeArrays();
  describeSteps();
}

Plot3dReader::~Plot3dReader() = default;

void Plot3dReader::examineGrids(const Plot3dFiles& files, const Options& options) {
  const Overrides overrides = overridesFrom(options, "");
  for (const auto& path : files.grids) {
    const File file = File::openForReading(path);
    Detection found = detectGrid(file, overrides);
    m_description.storedBytes += file.size();
    if (m_grids.empty()) {
      m_explain.push_back("grid " + path.string());
      m_explain.insert(m_explain.end(), found.explain.begin(), found.explain.end());
    } else if (found.layout != *m_grids.front().layout) {
      throw Invalid("is laid out unlike the first grid of the series", "give grids of one kind and size")
          .at("file " + path.string());
    }
    auto layout =
        m_grids.empty() ? std::make_shared<const Layout>(std::move(found.layout)) : m_grids.front().layout;
    m_grids.push_back({path, file.size(), std::move(layout)});
  }
}

void Plot3dReader::examineSolutions(const Plot3dFiles& files, const Options& options) {
  const Overrides overrides = overridesFrom(options, "solution.");
  for (const auto& path : files.solutions) {
    const File file = File::openForReading(path);
    Detection found = detectSolution(file, gridLayout(), overrides);
    m_description.storedBytes += file.size();
    if (m_solutions.empty()) {
      m_explain.push_back("solution " + path.string());
      m_explain.insert(m_explain.end(), found.explain.begin(), found.explain.end());
    } else if (found.layout.format.precision != solutionLayout()->format.precision) {
      throw Invalid("has another precision than the first solution of the series",
                    "give solutions of one precision")
          .at("file " + path.string());
    }
    const bool same = !m_solutions.empty() && found.layout == *m_solutions.back().layout;
    auto layout = same ? m_solutions.back().layout : std::make_shared<const Layout>(std::move(found.layout));
    m_solutions.push_back({path, file.size(), std::move(layout)});
  }
}

void Plot3dReader::describeArrays() {
  const Layout& grid = gridLayout();
  for (int b = 0; b < static_cast<int>(grid.blocks.size()); ++b) {
    const Index3& dims = grid.blocks[static_cast<std::size_t>(b)].dims;
    paging::BlockDescription block;
    block.dims = dims;
    block.kind = paging::GridKind::Curvilinear;
    block.hasIblank = grid.format.iblank;
    m_description.blocks.push_back(block);

    paging::ArrayDescription array;
    array.name = "xyz";
    array.block = b;
    array.layout = paging::PageLayout::ofExtent(dims, kPageExtent);
    array.steps = static_cast<std::int64_t>(m_grids.size());
    array.components = 3;
    array.type = grid.format.precision;
    array.componentNames = {"x", "y", "z"};
    m_description.arrays.push_back(array);
    m_places.push_back({b, ArrayPlace::Kind::Coordinates});
    if (grid.format.iblank) {
      array.name = "iblank";
      array.components = 1;
      array.type = ScalarType::I16;
      array.componentNames = {};
      m_description.arrays.push_back(array);
      m_places.push_back({b, ArrayPlace::Kind::Iblank});
    }
    if (!m_solutions.empty()) {
      array.name = "q";
      array.steps = static_cast<std::int64_t>(m_solutions.size());
      array.components = 5;
      array.type = solutionLayout()->format.precision;
      array.componentNames = solutionNames();
      m_description.arrays.push_back(array);
      m_places.push_back({b, ArrayPlace::Kind::Solution});
    }
  }
}

void Plot3dReader::describeSteps() {
  const std::size_t steps = std::max(m_grids.size(), m_solutions.size());
  std::vector<double> times;
  for (std::size_t s = 0; s < m_solutions.size(); ++s) {
    const auto file = m_open->get(m_solutions[s].path, m_solutions[s].bytes);
    const auto header = readHeader(*file, *m_solutions[s].layout, 0);
    const char* const names[] = {"mach", "alpha", "reynolds", "time"};
    for (int n = 0; n < 4; ++n)
      m_description.attributes[names[n] + std::string(".") + std::to_string(s)] =
          formatNumber(header[static_cast<std::size_t>(n)]);
    times.push_back(header[3]);
  }
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
  const std::vector<StepFile>& series = place.kind == ArrayPlace::Kind::Solution ? m_solutions : m_grids;
  return series.at(series.size() > 1 ? static_cast<std::size_t>(step) : 0);
}

void Plot3dReader::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                        std::span<std::byte> out) const {
  const trace::Scope scope("plot3d", "read", out.size());
  const ArrayPlace& place = m_places.at(array);
  const StepFile& source = fileOf(place, step);
  const Layout& layout = *source.layout;
  const auto file = m_open->get(source.path, source.bytes);
  if (place.kind == ArrayPlace::Kind::Iblank) return readIblank(*file, layout, place.block, box, out);
  readReals(*file, layout, place.block, 0, variableCount(layout.content, layout.format), box, out);
}

void Plot3dReader::readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                                 std::span<std::byte> out) const {
  const ArrayPlace& place = m_places.at(array);
  if (place.kind == ArrayPlace::Kind::Iblank) return read(array, step, box, out);
  const trace::Scope scope("plot3d", "read component", out.size());
  const StepFile& source = fileOf(place, step);
  const auto file = m_open->get(source.path, source.bytes);
  readReals(*file, *source.layout, place.block, component, 1, box, out);
}

void Plot3dReader::computeBounds(std::stop_token stop) {
  constexpr std::int64_t kNodesAtOnce = 64 * 1024;
  std::vector<std::byte> nodes;
  for (std::size_t a = 0; a < m_places.size(); ++a) {
    if (m_places[a].kind != ArrayPlace::Kind::Coordinates) continue;
    const paging::ArrayDescription& array = m_description.arrays[a];
    const Index3& dims = array.layout.dims();
    Bounds bounds;
    // Rows of a plane at a time, as they lie in the file; a row longer than the buffer in pieces.
    const std::int64_t columns = std::min(dims[0], kNodesAtOnce);
    const std::int64_t rows = std::clamp<std::int64_t>(kNodesAtOnce / columns, 1, dims[1]);
    const std::int64_t planes =
        rows == dims[1] ? std::clamp<std::int64_t>(kNodesAtOnce / (columns * rows), 1, dims[2]) : 1;
    const paging::PageLayout pieces = paging::PageLayout::ofExtent(dims, {columns, rows, planes});
    for (std::int64_t step = 0; step < array.steps; ++step) {
      for (std::int64_t piece = 0; piece < pieces.pageCount(); ++piece) {
        if (stop.stop_requested()) throw Cancelled();
        const IndexBox box = pieces.box(piece);
        const std::int64_t count = product(box.size);
        nodes.resize(static_cast<std::size_t>(count * array.nodeBytes()));
        read(static_cast<std::uint32_t>(a), step, box, nodes);
        if (array.type == ScalarType::F32)
          addNodes<float>(nodes, count, bounds);
        else
          addNodes<double>(nodes, count, bounds);
      }
    }
    m_description.blocks[static_cast<std::size_t>(array.block)].bounds = bounds;
  }
}

}  // namespace farfield::plot3d
