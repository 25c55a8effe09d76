#include "plugins/vtkhdf/vtkhdf_amr.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amr/amr_ratio.h"
#include "plugins/arrays/axes.h"

namespace farfield::vtkhdf {
namespace {

using hdf5::Dataset;

const std::string kRoot = "/VTKHDF";
constexpr std::int64_t kMostComponents = 1024;

const cf::Attribute* attributeOf(const hdf5::Contents& contents, const std::string& path, const char* name) {
  const hdf5::Group* const group = contents.group(path);
  return group ? cf::findAttribute(group->attributes, name) : nullptr;
}

class Maker {
 public:
  Maker(const hdf5::OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches,
        MemoryAccount& account)
      : m_opened(opened), m_contents(opened.contents), m_caches(caches), m_account(account) {}

  amr::AmrInput make() {
    if (const cf::Attribute* const steps = attributeOf(m_contents, kRoot + "/Steps", "NSteps");
        steps && !steps->numbers.empty() && steps->numbers[0] > 1)
      throw Unsupported("has steps, in which boxes may move", "write a file per step");
    m_input.format = "vtkhdf";
    for (std::size_t level = 0; m_contents.group(pathOf(level)); ++level) addLevel(level);
    while (!m_input.levels.empty() && m_input.levels.back().boxes.empty()) m_input.levels.pop_back();
    if (m_input.levels.empty()) throw Corrupt("has no boxes", "check that the copy is complete");
    place();
    addVariables();
    return std::move(m_input);
  }

 private:
  static std::string pathOf(std::size_t level) { return kRoot + "/Level" + std::to_string(level); }

  Vec3 vectorOf(const std::string& path, const char* name) const {
    const cf::Attribute* const found = attributeOf(m_contents, path, name);
    if (!found || found->numbers.size() != 3)
      throw Corrupt("has no " + std::string(name) + " of three numbers in " + path, "check the file");
    return {found->numbers[0], found->numbers[1], found->numbers[2]};
  }

  void addLevel(std::size_t level) {
    if (level >= static_cast<std::size_t>(paging::kMostAmrLevels)) throw Unsupported("has too many levels");
    m_spacings.push_back(vectorOf(pathOf(level), "Spacing"));
    m_input.levels.emplace_back();
    const Dataset* const boxes = m_contents.dataset(pathOf(level) + "/AMRBox");
    if (!boxes || !boxes->why.empty() || boxes->dims.size() != 2 || boxes->dims[1] != 6)
      throw Corrupt("has no boxes of six numbers in " + pathOf(level), "check the file");
    if (boxes->dims[0] > static_cast<std::int64_t>(amr::kMostBoxes)) throw Unsupported("has too many boxes");
    if (boxes->dims[0] == 0) return;
    const std::int64_t count = checkedProduct({boxes->dims[0], 6});
    arrays::PlacedArray row;
    row.type = boxes->type;
    row.bigEndian = boxes->bigEndian;
    row.steps.push_back({arrays::densePiece({count, 1, 1}, boxes->type, 1, false,
                                            hdf5::bytesOf(m_opened.file, *boxes, m_caches), 0)});
    arrays::checkPlaces(row, 1);
    m_input.claims.push_back(amr::claimBoxes(static_cast<std::size_t>(boxes->dims[0]), 0, m_account));
    const std::vector<double> numbers = arrays::readAxis(row, count, m_account);
    for (std::size_t n = 0; n < numbers.size(); n += 6) {
      IndexBox box;
      for (std::size_t a = 0; a < 3; ++a) {
        const double first = numbers[n + 2 * a], last = numbers[n + 2 * a + 1];
        if (!(std::abs(first) < 1e12 && std::abs(last) < 1e12 && last >= first - 1))
          throw Corrupt("a box of " + pathOf(level) + " is none", "check the file");
        if (last < first && a < 2)
          throw Unsupported("lies in a plane across x or y", "write it in the plane of x and y");
        (last < first ? m_flat : m_thick) += a == 2;
        box.first[a] = static_cast<std::int64_t>(first);
        box.size[a] = std::max<std::int64_t>(1, static_cast<std::int64_t>(last - first) + 1);
        if (last < first) box.first[a] = 0;
      }
      m_input.levels.back().boxes.push_back(box);
    }
  }

  void place() {
    if (m_flat > 0 && m_thick > 0) throw Corrupt("has boxes in a plane and others", "check the file");
    m_input.flat = m_flat > 0;
    m_input.origin = vectorOf(kRoot, "Origin");
    if (m_input.flat) {
      for (Vec3& spacing : m_spacings) spacing.z = 1;
      m_input.origin.z -= 0.5;
    }
    m_input.spacing = m_spacings.front();
    for (std::size_t n = 0; n + 1 < m_input.levels.size(); ++n)
      m_input.levels[n].ratio = amr::ratioBetween(m_spacings[n], m_spacings[n + 1], n + 1);
  }

  void addVariables() {
    const std::string first = pathOf(firstLevel()) + "/CellData";
    for (const Dataset& data : m_contents.datasets) {
      if (data.folder() != first || data.dims.empty()) continue;
      const std::string name = data.name();
      if (!data.why.empty() || data.dims.size() > 2 || name == "vtkGhostType") {
        m_input.notes.push_back("left out: " + printable(name) +
                                (data.why.empty() ? "" : ", which " + data.why));
        continue;
      }
      addVariable(name, data);
    }
    for (std::size_t level = 0; level < m_input.levels.size(); ++level)
      for (const Dataset& data : m_contents.datasets)
        if (level == firstLevel() && data.folder() == pathOf(level) + "/PointData")
          m_input.notes.push_back("left out: " + printable(data.name()) + ", of points");
  }

  std::size_t firstLevel() const {
    std::size_t level = 0;
    while (m_input.levels[level].boxes.empty()) ++level;
    return level;
  }

  void addVariable(const std::string& name, const Dataset& first) {
    const std::int64_t components = first.dims.size() == 2 ? first.dims[1] : 1;
    if (components < 1 || components > kMostComponents)
      throw Corrupt("its array " + printable(name) + " is wrong", "check the file");
    StoppableWaits::throwIfStopped();
    amr::Variable variable{name, static_cast<int>(components), first.type, {}};
    MemoryClaim claim = amr::claimVariable(boxCount(), m_account);
    for (std::size_t level = 0; level < m_input.levels.size(); ++level) {
      if (m_input.levels[level].boxes.empty()) continue;
      const Dataset* const data = m_contents.dataset(pathOf(level) + "/CellData/" + name);
      if (!data || !data->why.empty() || data->type != first.type || data->bigEndian != first.bigEndian ||
          data->dims.size() != first.dims.size() || (components > 1 && data->dims[1] != components)) {
        m_input.notes.push_back("left out: " + printable(name) + ", which not all levels have alike");
        return;
      }
      const auto bytes = hdf5::bytesOf(m_opened.file, *data, m_caches);
      std::int64_t cells = 0;
      for (const IndexBox& box : m_input.levels[level].boxes) {
        const std::int64_t its = checkedProduct({box.size[0], box.size[1], box.size[2]});
        if (its > data->dims[0] - cells)
          throw Corrupt("its array " + printable(data->path) + " has too few numbers for its boxes",
                        "check that the copy is complete");
        arrays::PlacedArray placed;
        placed.type = first.type;
        placed.bigEndian = first.bigEndian;
        placed.components = variable.components;
        placed.steps.push_back({arrays::densePiece(
            box.size, first.type, variable.components, false, bytes,
            static_cast<std::uint64_t>(cells * components * arrays::bytesOf(first.type)))});
        arrays::checkPlaces(placed, 1);
        variable.boxes.emplace_back(std::move(placed));
        cells += its;
      }
    }
    m_input.variables.push_back(std::move(variable));
    m_input.claims.push_back(std::move(claim));
  }

  std::size_t boxCount() const {
    std::size_t count = 0;
    for (const amr::Level& level : m_input.levels) count += level.boxes.size();
    return count;
  }

  const hdf5::OpenedHdf5& m_opened;
  const hdf5::Contents& m_contents;
  const std::shared_ptr<chunks::ChunkCaches>& m_caches;
  MemoryAccount& m_account;
  std::vector<Vec3> m_spacings;
  std::size_t m_flat = 0, m_thick = 0;  ///< boxes
  amr::AmrInput m_input;
};

}  // namespace

bool isOverlappingAmr(const hdf5::Contents& contents) {
  const cf::Attribute* const type = attributeOf(contents, kRoot, "Type");
  return type && type->text == "OverlappingAMR";
}

amr::AmrInput amrOf(const hdf5::OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches,
                    MemoryAccount& account) {
  return Maker(opened, caches, account).make();
}

}  // namespace farfield::vtkhdf
