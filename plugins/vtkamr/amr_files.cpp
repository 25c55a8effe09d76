#include "plugins/vtkamr/amr_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/count_text.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/vtkfile/data_arrays.h"
#include "plugins/vtkfile/vtk_xml.h"

namespace farfield::vtkamr {
namespace {

using vtkfile::VtkArray;
using vtkfile::VtkGrid;

/// How far numbers of an index may be from those of the files, of which one is often rounded.
constexpr double kRounded = 0.01;

/// A box with its file.
struct Part {
  std::size_t level = 0;
  IndexBox cells;
  std::string file;
  VtkGrid grid;
};

Vec3 spacingOf(const VtkGrid& grid) {
  Vec3 spacing;
  for (int a = 0; a < 3; ++a) {
    const Vec3& direction = grid.directions[static_cast<std::size_t>(a)];
    spacing[a] = direction[a];
    for (int b = 0; b < 3; ++b)
      if (b != a && direction[b] != 0) throw Unsupported("a box is turned", "write boxes along the axes");
  }
  return spacing;
}

class Opener {
 public:
  Opener(AmrIndex index, const std::string& source, const fields::OpenRequest& request,
         const paging::ByteStores& stores, paging::ByteObjects& objects, MemoryAccount& account)
      : m_index(std::move(index)),
        m_source(source),
        m_request(request),
        m_stores(stores),
        m_objects(objects),
        m_account(account),
        m_pool(arrays::makeFilePool()),
        m_shared(account) {}

  FoundBoxes open() {
    m_claim = amr::claimBoxes(boxCount(), 0, m_account);
    for (std::size_t level = 0; level < m_index.levels.size(); ++level)
      for (IndexedBox& box : m_index.levels[level].boxes) openBox(level, box);
    if (m_parts.empty()) throw Corrupt("none of its boxes has a file", "check that the copy is complete");
    if (m_empty > 0)
      m_found.input.notes.push_back(
          "left out: " + countText(static_cast<std::int64_t>(m_empty), "box", "boxes") + " without a file");
    place();
    chooseValues();
    addVariables();
    m_found.input.claims.push_back(std::move(m_claim));
    return std::move(m_found);
  }

 private:
  std::size_t boxCount() const {
    std::size_t count = 0;
    for (const IndexedLevel& level : m_index.levels) count += level.boxes.size();
    if (count > amr::kMostBoxes)
      throw Unsupported("has more than " + std::to_string(amr::kMostBoxes) + " boxes");
    return count;
  }

  void openBox(std::size_t level, const IndexedBox& box) {
    if (m_request.stop.stop_requested()) throw Cancelled();
    if (box.file.empty()) {
      ++m_empty;
      return;
    }
    Part part{level, box.cells, fields::namedFile(m_request, m_source, confined(box.file)), {}};
    try {
      const auto bytes = arrays::namedBytes(part.file, m_stores, m_pool, m_objects);
      m_found.storedBytes += bytes->size();
      part.grid = vtkfile::readXmlGrid(bytes, !m_account.onlyCounts(), m_shared);
      if (part.grid.kind != vtkfile::VtkKind::Image)
        throw Unsupported("is no image (.vti), as boxes are", "write it as vtkOverlappingAMR");
      if (part.grid.cells() != part.cells.size)
        throw Corrupt("has other cells than the index says of it", "check that the copy is complete");
      for (const std::string& note : part.grid.notes) addNote(note);
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(part.file));
      throw;
    }
    // the others most likely have as many
    if (m_parts.empty())
      m_claim = amr::claimBoxes(boxCount(), part.grid.arrays.size(), m_account);
    else if (part.grid.arrays.size() > 2 * m_parts.front().grid.arrays.size() + 8)
      throw Unsupported("has more arrays than the boxes before it", "write boxes alike")
          .at(saidOf(part.file));
    m_found.files.push_back(part.file);
    m_parts.push_back(std::move(part));
  }

  void addNote(const std::string& note) {
    auto& notes = m_found.input.notes;
    constexpr std::size_t kMost = 20;
    if (notes.size() < kMost && std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.push_back(note);
  }

  /// Where cell 0 is, from the first file; ratios from the index, or from the spacings of the files.
  void place() {
    amr::AmrInput& input = m_found.input;
    input.format = "vtk";
    input.flat = m_index.flat;
    const Part& first = m_parts.front();
    std::vector<Vec3> spacings(m_index.levels.size());
    for (std::size_t n = m_parts.size(); n-- > 0;) spacings[m_parts[n].level] = spacingOf(m_parts[n].grid);
    for (std::size_t n = 0; n < spacings.size(); ++n)
      if (spacings[n] == Vec3{})
        throw Unsupported("level " + std::to_string(n) + " has no boxes", "check the file");
    if (input.flat)
      for (Vec3& spacing : spacings) spacing.z = 1;
    input.spacing = spacings.front();
    input.levels.resize(m_index.levels.size());
    for (std::size_t n = 0; n + 1 < spacings.size(); ++n)
      for (int a = 0; a < 3; ++a) {
        const double ratio = spacings[n][a] / spacings[n + 1][a];
        if (!(ratio > 0.5 && ratio < 2.0 * amr::kMostRatio) ||
            std::abs(ratio - std::round(ratio)) > kRounded * ratio)
          throw Unsupported(
              "level " + std::to_string(n + 1) + " has cells that do not divide those of the level before",
              "check the spacing of its files");
        input.levels[n].ratio[static_cast<std::size_t>(a)] = std::llround(ratio);
        const auto& said = m_index.levels[n].ratio;
        if (said && *said != std::llround(ratio) && !(input.flat && a == 2))
          throw Corrupt("its ratio of refinement does not fit the spacing of its files", "check the file");
      }
    for (int a = 0; a < 3; ++a)
      input.origin[a] =
          first.grid.origin[a] -
          static_cast<double>(first.cells.first[static_cast<std::size_t>(a)]) * spacings.front()[a];
    if (input.flat) input.origin.z = first.grid.origin.z - 0.5;
    for (Part& part : m_parts) {
      const IndexBox& box = part.cells;
      for (int a = 0; a < (input.flat ? 2 : 3); ++a) {
        const double at = input.origin[a] + static_cast<double>(box.first[static_cast<std::size_t>(a)]) *
                                                spacings[part.level][a];
        const double off = std::abs(part.grid.origin[a] - at) / spacings[part.level][a];
        if (!(off < 0.25) || std::abs(spacingOf(part.grid)[a] / spacings[part.level][a] - 1) > kRounded)
          throw Corrupt("lies elsewhere than the index says", "check that it belongs to the same data")
              .at(saidOf(part.file));
      }
      IndexBox cells = box;
      if (input.flat) cells.first[2] = 0;
      input.levels[part.level].boxes.push_back(cells);
    }
  }

  void chooseValues() {
    bool ofNodes = false, ofCells = false;
    for (const VtkArray& array : m_parts.front().grid.arrays) (array.onCells ? ofCells : ofNodes) = true;
    bool& onCells = m_found.input.onCells;
    onCells = ofCells || !ofNodes;
    if (const auto told = m_request.options.find("on"); told != m_request.options.end()) {
      if (told->second != "nodes" && told->second != "cells")
        throw Invalid("'" + printable(told->second) + "' have no values", "use nodes or cells")
            .at("option on");
      onCells = told->second == "cells";
    }
    if (onCells) return;
    throw Unsupported("has boxes with values at nodes, which are read of cells only",
                      "write values of cells");
  }

  void addVariables() {
    std::vector<VtkArray>& wanted = m_parts.front().grid.arrays;
    for (const VtkArray& array : wanted) {
      if (!array.onCells) {
        addNote("left out: " + printable(array.name) + ", of nodes");
        continue;
      }
      amr::Variable variable{array.name, array.components, array.type, {}};
      variable.boxes.reserve(m_parts.size());
      for (Part& part : m_parts) {
        const auto same =
            std::find_if(part.grid.arrays.begin(), part.grid.arrays.end(), [&](const VtkArray& its) {
              return its.name == array.name && its.onCells && its.type == array.type &&
                     its.components == array.components;
            });
        if (same == part.grid.arrays.end()) break;
        arrays::PlacedArray placed = vtkfile::placedOf(*same);
        placed.steps.push_back(same->pieces);
        if (!vtkfile::covers(placed.steps.front(), part.cells.size))
          throw Corrupt("its pieces do not hold all values of " + printable(array.name),
                        "check that the copy is complete")
              .at(saidOf(part.file));
        const bool rehearsed = std::any_of(same->pieces.begin(), same->pieces.end(),
                                           [](const arrays::Piece& piece) { return !piece.bytes; });
        if (!rehearsed) arrays::checkPlaces(placed, 1);
        variable.boxes.emplace_back(std::move(placed));
      }
      if (variable.boxes.size() == m_parts.size())
        m_found.input.variables.push_back(std::move(variable));
      else
        addNote("left out: " + printable(array.name) + ", which not all boxes have alike");
    }
  }

  AmrIndex m_index;
  const std::string& m_source;
  const fields::OpenRequest& m_request;
  const paging::ByteStores& m_stores;
  paging::ByteObjects& m_objects;
  MemoryAccount& m_account;
  std::shared_ptr<arrays::FilePool> m_pool;
  vtkfile::SharedArrays m_shared;
  MemoryClaim m_claim;
  std::size_t m_empty = 0;
  std::vector<Part> m_parts;
  FoundBoxes m_found;
};

}  // namespace

const std::string& confined(const std::string& named) {
  const std::filesystem::path path(named);
  const bool leaves = path.is_absolute() || named.find("://") != std::string::npos ||
                      named.find('\0') != std::string::npos ||
                      std::any_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
  if (leaves || named.empty())
    throw Corrupt("names the file " + printable(named) + ", which does not lie below its own folder",
                  "put the files of the boxes beside it");
  return named;
}

FoundBoxes boxesOf(AmrIndex index, const std::string& source, const fields::OpenRequest& request,
                   const paging::ByteStores& stores, paging::ByteObjects& objects, MemoryAccount& account) {
  return Opener(std::move(index), source, request, stores, objects, account).open();
}

}  // namespace farfield::vtkamr
