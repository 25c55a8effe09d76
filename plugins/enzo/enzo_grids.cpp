#include "plugins/enzo/enzo_grids.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::enzo {
namespace {

constexpr double kRounded = 0.01;

double edgeOf(const Grid& grid, int axis) {
  return (grid.right[axis] - grid.left[axis]) /
         static_cast<double>(grid.cells[static_cast<std::size_t>(axis)]);
}

class Maker {
 public:
  Maker(std::vector<Grid> grids, const std::function<SetFile(const std::string&)>& open,
        MemoryAccount& account)
      : m_grids(std::move(grids)), m_open(open), m_account(account) {}

  amr::AmrInput make() {
    m_input.format = "enzo";
    m_rank = m_grids.front().rank;
    if (m_rank < 2) throw Unsupported("has grids of one dimension", "give data of two or three dimensions");
    m_input.flat = m_rank == 2;
    m_input.times = {m_grids.front().time};
    place();
    addValues();
    return std::move(m_input);
  }

 private:
  /// Sorts the grids by level, which are those of equal edges, and places them.
  void place() {
    for (const Grid& grid : m_grids)
      if (grid.rank != m_rank) throw Unsupported("has grids of different dimensions");
    std::stable_sort(m_grids.begin(), m_grids.end(),
                     [](const Grid& a, const Grid& b) { return edgeOf(a, 0) > edgeOf(b, 0); });
    Vec3 edges{1, 1, 1};
    m_input.spacing = {1, 1, 1};
    for (int a = 0; a < m_rank; ++a) {
      m_input.spacing[a] = edges[a] = edgeOf(m_grids.front(), a);
      m_input.origin[a] = m_grids.front().left[a];
      for (const Grid& grid : m_grids) m_input.origin[a] = std::min(m_input.origin[a], grid.left[a]);
    }
    if (m_input.flat) m_input.origin.z = -0.5;
    m_input.levels.emplace_back();
    for (const Grid& grid : m_grids) {
      // edges of a level differ by rounding only
      if (edgeOf(grid, 0) < edges.x * (1 - kRounded)) nextLevel(grid, edges);
      IndexBox box{{0, 0, 0}, grid.cells};
      for (int a = 0; a < m_rank; ++a) {
        const double first = (grid.left[a] - m_input.origin[a]) / edges[a];
        if (std::abs(edgeOf(grid, a) / edges[a] - 1) > kRounded || !(std::abs(first) < 1e9) ||
            std::abs(first - std::round(first)) > 0.1)
          throw Corrupt("grid " + std::to_string(grid.number) + " does not lie on the cells of its level",
                        "check the file");
        box.first[static_cast<std::size_t>(a)] = std::llround(first);
      }
      m_input.levels.back().boxes.push_back(box);
    }
  }

  void nextLevel(const Grid& grid, Vec3& edges) {
    if (m_input.levels.size() == static_cast<std::size_t>(paging::kMostAmrLevels))
      throw Unsupported("has too many levels");
    Index3 ratio{1, 1, 1};
    for (int a = 0; a < m_rank; ++a) {
      const double its = edges[a] / edgeOf(grid, a);
      if (!(its > 0.5 && its < 2.0 * amr::kMostRatio) || std::abs(its - std::round(its)) > kRounded * its)
        throw Corrupt(
            "grid " + std::to_string(grid.number) + " has cells that do not divide those of the level before",
            "check the file");
      ratio[static_cast<std::size_t>(a)] = std::llround(its);
      edges[a] /= std::round(its);
    }
    m_input.levels.back().ratio = ratio;
    m_input.levels.emplace_back();
  }

  static std::string groupOf(const Grid& grid) {
    char name[24];
    std::snprintf(name, sizeof name, "/Grid%08lld", static_cast<long long>(grid.number));
    return name;
  }

  void addValues() {
    // file by file, so that each is listed once
    std::map<std::string, std::vector<std::size_t>> byFile;
    for (std::size_t n = 0; n < m_grids.size(); ++n) {
      if (m_grids[n].file.empty())
        throw Unsupported("grid " + std::to_string(m_grids[n].number) + " has no values",
                          "write it with its fields");
      byFile[m_grids[n].file].push_back(n);
    }
    std::map<std::string, std::size_t> missing;
    for (const auto& [name, numbers] : byFile) {
      const SetFile file = m_open(name);
      const hdf5::Contents& contents = file.opened.contents;
      try {
        if (m_input.variables.empty()) chooseVariables(contents, m_grids[numbers.front()]);
        for (const std::size_t n : numbers)
          for (amr::Variable& variable : m_input.variables) {
            const hdf5::Dataset* const data = contents.dataset(groupOf(m_grids[n]) + "/" + variable.name);
            if (data && fits(*data, m_grids[n]) && data->type == variable.type)
              variable.boxes[n] = placed(*data, m_grids[n], file.bytesOf(*data));
            else
              ++missing[variable.name];
          }
      } catch (Error& error) {
        if (!arrays::namesFile(error)) error.at("file " + file.opened.path);
        throw;
      }
    }
    for (const auto& [name, count] : missing)
      m_input.notes.push_back("left out: " + printable(name) + ", which " + std::to_string(count) +
                              " grids have not alike");
    std::erase_if(m_input.variables,
                  [&](const amr::Variable& variable) { return missing.contains(variable.name); });
  }

  bool fits(const hdf5::Dataset& data, const Grid& grid) const {
    if (!data.why.empty() || data.dims.size() != static_cast<std::size_t>(m_rank)) return false;
    for (std::size_t a = 0; a < data.dims.size(); ++a)
      if (data.dims[data.dims.size() - 1 - a] != grid.cells[a]) return false;
    return true;
  }

  void chooseVariables(const hdf5::Contents& contents, const Grid& grid) {
    const std::string group = groupOf(grid);
    for (const hdf5::Dataset& data : contents.datasets) {
      if (data.folder() != group) continue;
      if (!fits(data, grid)) {
        m_input.notes.push_back("left out: " + printable(data.name()) + ", which is no field of cells");
        continue;
      }
      m_input.variables.push_back({data.name(), 1, data.type, {}});
    }
    if (m_input.variables.empty())
      throw Corrupt("has no fields in " + group, "check that the copy is complete");
    m_input.claims.push_back(amr::claimBoxes(m_grids.size(), m_input.variables.size(), m_account));
    for (amr::Variable& variable : m_input.variables) variable.boxes.resize(m_grids.size());
  }

  static arrays::PlacedArray placed(const hdf5::Dataset& data, const Grid& grid,
                                    std::shared_ptr<const arrays::ByteSource> bytes) {
    arrays::PlacedArray array;
    array.type = data.type;
    array.bigEndian = data.bigEndian;
    array.steps.push_back({arrays::densePiece(grid.cells, data.type, 1, false, std::move(bytes), 0)});
    arrays::checkPlaces(array, 1);
    return array;
  }

  std::vector<Grid> m_grids;
  const std::function<SetFile(const std::string&)>& m_open;
  MemoryAccount& m_account;
  int m_rank = 3;
  amr::AmrInput m_input;
};

}  // namespace

amr::AmrInput inputOf(std::vector<Grid> grids, const std::function<SetFile(const std::string& name)>& open,
                      MemoryAccount& account) {
  return Maker(std::move(grids), open, account).make();
}

}  // namespace farfield::enzo
