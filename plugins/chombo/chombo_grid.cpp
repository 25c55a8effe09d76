#include "plugins/chombo/chombo_grid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/arrays/axes.h"
#include "plugins/hdf5/hdf5_records.h"

namespace farfield::chombo {
namespace {

using hdf5::Dataset;

constexpr std::int64_t kMostComponents = 4096, kMostGhosts = 64;
const std::string kGlobal = "/Chombo_global";

class Maker {
 public:
  Maker(const hdf5::OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches,
        MemoryAccount& account)
      : m_opened(opened), m_contents(opened.contents), m_caches(caches), m_account(account) {}

  amr::AmrInput make() {
    m_input.format = "chombo";
    m_dimensions = static_cast<std::size_t>(count(kGlobal, "SpaceDim", 3, 2, 3));
    m_input.flat = m_dimensions == 2;
    const std::int64_t levels = count("", "num_levels", -1, 1, paging::kMostAmrLevels);
    const std::int64_t components = count("", "num_components", -1, 0, kMostComponents);
    for (std::int64_t n = 0; n < components; ++n) m_names.push_back(nameOf(n));
    if (const auto time = numbersOf("", "time"); !time.empty() && std::isfinite(time[0]))
      m_input.times = {time[0]};
    for (std::int64_t n = 0; n < levels; ++n)
      if (!addLevel(n)) break;
    if (m_input.levels.empty()) throw Corrupt("has no boxes", "check that the copy is complete");
    place();
    return std::move(m_input);
  }

 private:
  static std::string pathOf(std::int64_t level) { return "/level_" + std::to_string(level); }

  std::vector<double> numbersOf(const std::string& path, const char* name) const {
    const hdf5::Group* const group = m_contents.group(path);
    const cf::Attribute* const found = group ? cf::findAttribute(group->attributes, name) : nullptr;
    return found ? found->numbers : std::vector<double>();
  }

  /// A whole number of a group; `otherwise` < 0: it must be there.
  std::int64_t count(const std::string& path, const char* name, std::int64_t otherwise, std::int64_t least,
                     std::int64_t most) const {
    const std::vector<double> numbers = numbersOf(path, name);
    if (numbers.empty() && otherwise >= 0) return otherwise;
    if (numbers.empty() ||
        !(numbers[0] >= static_cast<double>(least) && numbers[0] <= static_cast<double>(most)))
      throw Corrupt("its attribute " + std::string(name) + " of " + (path.empty() ? "/" : path) +
                        " is missing or wrong",
                    "check that the copy is complete");
    return static_cast<std::int64_t>(numbers[0]);
  }

  std::string nameOf(std::int64_t component) const {
    const hdf5::Group* const root = m_contents.group("");
    const cf::Attribute* const found =
        root ? cf::findAttribute(root->attributes, "component_" + std::to_string(component)) : nullptr;
    return found && !found->text.empty() ? found->text : "component_" + std::to_string(component);
  }

  /// Numbers per axis: a list, a record of x, y, z or i, j, k, or one number for all axes; empty if there are none.
  std::vector<double> perAxis(const std::string& path, const char* name) const {
    std::vector<double> numbers = numbersOf(path, name);
    if (numbers.size() == 1) numbers.assign(m_dimensions, numbers[0]);
    if (numbers.size() >= m_dimensions)
      return {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(m_dimensions)};
    using Members = std::vector<std::string>;
    for (const Members& all :
         {Members{"x", "y", "z"}, Members{"intvecti", "intvectj", "intvectk"}, Members{"i", "j", "k"}}) {
      const Members members(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(m_dimensions));
      const std::vector<double> record =
          hdf5::recordOf(*m_opened.file, path.empty() ? "/" : path, name, members);
      if (!record.empty()) return record;
    }
    return {};
  }

  /// False if there is no such level.
  bool addLevel(std::int64_t level) {
    const std::string path = pathOf(level);
    if (!m_contents.group(path)) {
      if (level == 0) throw Corrupt("has no group level_0", "check that the copy is complete");
      return false;
    }
    std::vector<std::string> members{"lo_i", "lo_j", "lo_k", "hi_i", "hi_j", "hi_k"};
    if (m_input.flat) members = {"lo_i", "lo_j", "hi_i", "hi_j"};
    const std::vector<std::int64_t> boxes =
        hdf5::recordsOf(*m_opened.file, path + "/boxes", members, amr::kMostBoxes, m_account);
    if (boxes.empty()) return false;
    m_input.claims.push_back(amr::claimBoxes(boxes.size() / members.size(), m_names.size(), m_account));
    m_input.levels.emplace_back();
    amr::Level& added = m_input.levels.back();
    for (std::size_t n = 0; n < boxes.size(); n += members.size()) {
      IndexBox box{{0, 0, 0}, {1, 1, 1}};
      for (std::size_t a = 0; a < m_dimensions; ++a) {
        const std::int64_t low = boxes[n + a], high = boxes[n + m_dimensions + a];
        if (low < -amr::kFarthest || high > amr::kFarthest || high < low)
          throw Corrupt("a box of " + path + " is none", "check that the copy is complete");
        box.first[a] = low;
        box.size[a] = high - low + 1;
      }
      added.boxes.push_back(box);
    }
    const std::vector<double> ratios = perAxis(path, "ref_ratio");
    added.ratio = {1, 1, 1};
    for (std::size_t a = 0; a < m_dimensions; ++a)
      added.ratio[a] = ratios.empty() || !(ratios[a] >= 1 && ratios[a] <= amr::kMostRatio)
                           ? 2
                           : static_cast<std::int64_t>(ratios[a]);
    addValues(path, added.boxes);
    return true;
  }

  void place() {
    std::vector<double> spacing = perAxis(pathOf(0), "Vec_dx");
    if (spacing.empty()) spacing = perAxis(pathOf(0), "vec_dx");
    if (spacing.empty()) spacing = perAxis(pathOf(0), "dx");
    std::vector<double> origin = perAxis(pathOf(0), "prob_lo");
    if (origin.empty()) origin = perAxis("", "prob_lo");
    if (spacing.empty()) throw Corrupt("its level_0 has no dx", "check that the copy is complete");
    if (origin.empty()) m_input.notes.emplace_back("cell 0 begins at 0: the file has no origin");
    m_input.spacing = {1, 1, 1};
    for (std::size_t a = 0; a < m_dimensions; ++a) {
      m_input.spacing[static_cast<int>(a)] = spacing[a];
      if (!origin.empty()) m_input.origin[static_cast<int>(a)] = origin[a];
    }
    if (m_input.flat) m_input.origin.z = -0.5;
  }

  void addValues(const std::string& path, const std::vector<IndexBox>& boxes) {
    const Dataset* const data = m_contents.dataset(path + "/data:datatype=0");
    if (!data || !data->why.empty() || data->dims.size() != 1)
      throw Corrupt("has no values in " + path + (data && !data->why.empty() ? ", which " + data->why : ""),
                    "check that the copy is complete");
    std::array<std::int64_t, 3> ghosts{};
    const std::vector<double> said = perAxis(path + "/data_attributes", "outputGhost");
    for (std::size_t a = 0; a < said.size(); ++a) {
      if (!(said[a] >= 0 && said[a] <= static_cast<double>(kMostGhosts)))
        throw Corrupt("has an outputGhost that is wrong in " + path, "check that the copy is complete");
      ghosts[a] = static_cast<std::int64_t>(said[a]);
    }
    const auto components = static_cast<std::int64_t>(m_names.size());
    // AMReX says that there are ghosts where there are none: what is stored decides
    const auto numbers = [&](const IndexBox& box) {
      std::int64_t count = components;
      for (std::size_t a = 0; a < 3; ++a) count = checkedProduct({count, box.size[a] + 2 * ghosts[a]});
      return count;
    };
    const auto sum = [&] {
      std::int64_t all = 0;
      for (const IndexBox& box : boxes)
        if (all <= data->dims[0]) all += numbers(box);
      return all;
    };
    if (sum() > data->dims[0]) ghosts = {};
    if (sum() > data->dims[0])
      throw Corrupt("has " + std::to_string(data->dims[0]) + " numbers in " + path +
                        ", which are too few for its boxes",
                    "check that the copy is complete");
    const std::vector<std::int64_t> offsets = offsetsOf(path, boxes.size());
    const auto bytes = hdf5::bytesOf(m_opened.file, *data, m_caches);
    const int each = arrays::bytesOf(data->type);
    if (m_input.variables.empty())
      for (const std::string& name : m_names) m_input.variables.push_back({name, 1, data->type, {}});
    std::int64_t next = 0;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const std::int64_t first = offsets.empty() ? next : offsets[b], count = numbers(boxes[b]);
      if (first < 0 || first > data->dims[0] || count > data->dims[0] - first)
        throw Corrupt("has values of a box of " + path + " behind their end",
                      "check that the copy is complete");
      next = first + count;
      Index3 stored = boxes[b].size;
      for (std::size_t a = 0; a < 3; ++a) stored[a] += 2 * ghosts[a];
      for (std::size_t v = 0; v < m_names.size(); ++v) {
        if (m_input.variables[v].type != data->type)
          throw Unsupported("has levels of different types of numbers");
        arrays::PlacedArray placed;
        placed.type = data->type;
        placed.bigEndian = data->bigEndian;
        const std::int64_t at = first + static_cast<std::int64_t>(v) * product(stored) +
                                linear({ghosts[0], ghosts[1], ghosts[2]}, stored);
        arrays::Piece piece =
            arrays::densePiece(stored, data->type, 1, false, bytes, static_cast<std::uint64_t>(at * each));
        piece.nodes.size = boxes[b].size;
        placed.steps.push_back({std::move(piece)});
        arrays::checkPlaces(placed, 1);
        m_input.variables[v].boxes.emplace_back(std::move(placed));
      }
    }
  }

  /// Where the values of each box begin; empty if the file does not say.
  std::vector<std::int64_t> offsetsOf(const std::string& path, std::size_t boxes) {
    const Dataset* const data = m_contents.dataset(path + "/data:offsets=0");
    if (!data || !data->why.empty() || data->dims.size() != 1 ||
        data->dims[0] < static_cast<std::int64_t>(boxes))
      return {};
    arrays::PlacedArray row;
    row.type = data->type;
    row.bigEndian = data->bigEndian;
    const auto count = static_cast<std::int64_t>(boxes);
    row.steps.push_back({arrays::densePiece({count, 1, 1}, data->type, 1, false,
                                            hdf5::bytesOf(m_opened.file, *data, m_caches), 0)});
    arrays::checkPlaces(row, 1);
    std::vector<std::int64_t> offsets;
    for (const double number : arrays::readAxis(row, count, m_account)) {
      if (!(number >= 0 && number < 9e15))
        throw Corrupt("has offsets that are wrong in " + path, "check that the copy is complete");
      offsets.push_back(static_cast<std::int64_t>(number));
    }
    return offsets;
  }

  const hdf5::OpenedHdf5& m_opened;
  const hdf5::Contents& m_contents;
  const std::shared_ptr<chunks::ChunkCaches>& m_caches;
  MemoryAccount& m_account;
  std::size_t m_dimensions = 3;
  std::vector<std::string> m_names;
  amr::AmrInput m_input;
};

}  // namespace

bool isChombo(const hdf5::File& file) {
  return file.has("Chombo_global") && file.has("level_0");
}

amr::AmrInput inputOf(const hdf5::OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches,
                      MemoryAccount& account) {
  return Maker(opened, caches, account).make();
}

}  // namespace farfield::chombo
