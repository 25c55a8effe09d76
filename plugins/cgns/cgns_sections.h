#pragma once
// The elements of unstructured zones (Elements_t): lists of nodes by sections, read in place and a piece at a time.

#include <array>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/paging/pages/unstructured_cells.h"
#include "plugins/cgns/cgns_tree.h"
#include "plugins/cgns/cgns_zones.h"

namespace farfield::cgns {

/// Whole numbers of a node, of which a few parts are in memory. Not thread-safe.
class IntegerList {
 public:
  /// Throws Corrupt if the node has no numbers.
  IntegerList(const Tree& tree, const Node& node);
  std::int64_t size() const { return m_size; }
  /// Valid until the next call. Throws Corrupt if they are not all there.
  std::span<const std::int64_t> read(std::int64_t first, std::int64_t count);
  std::int64_t at(std::int64_t index) { return read(index, 1)[0]; }

 private:
  struct Part {
    std::int64_t number = -1;
    std::vector<std::int64_t> numbers;
  };
  const Part& part(std::int64_t number);
  arrays::PlacedArray m_array;
  std::int64_t m_size = 0;
  std::list<Part> m_parts;  ///< most recently used first
  std::vector<std::int64_t> m_numbers;
};

struct Section {
  std::string name;
  std::int64_t type = 0;
  int dims =
      0;  ///< of its elements; of kMixed those of the base, but 2 where none is a cell of three dimensions
  std::int64_t first = 1;  ///< number of its first element
  std::int64_t count = 0;
  const Node* connectivity = nullptr;
  const Node* offsets = nullptr;
  /// Cells beside its faces, and which face of them each is; null where the file does not say.
  const Node *parents = nullptr, *positions = nullptr;
};

/// By the numbers of their elements. Throws Corrupt, Unsupported (lists of polygons of files before version 4).
std::vector<Section> sectionsOf(const Tree& tree, const Base& base, const Zone& zone);

/// The elements of a zone. Not thread-safe.
class ZoneElements {
 public:
  ZoneElements(const Tree& tree, const Zone& zone, const std::vector<Section>& sections);

  /// Elements `first` … of a section, by their numbers in it: VTK's type, and the nodes from 0; of polygons type 7.
  using Visit =
      std::function<void(std::int64_t element, std::int64_t type, std::span<const std::int64_t> nodes)>;
  void forEach(const Section& section, const Visit& visit);
  /// Cells of three dimensions (`dims` 3) or two of the zone, in order: visit(number, type, nodes, faces); `type` is VTK's, faces as
  /// in vtkfile::cellsOf(). Throws Corrupt if there are more than the zone says.
  using VisitCell =
      std::function<void(std::int64_t number, std::int64_t type, std::span<const std::int64_t> nodes,
                         std::span<const std::int64_t> faces)>;
  void forEachCell(int dims, const VisitCell& visit);
  /// The faces of polyhedra: visit(cell, number of the element that is the face); negative ones are turned to the inside.
  using VisitFace = std::function<void(std::int64_t cell, std::int64_t face)>;
  void forEachFaceOfPolyhedra(const VisitFace& visit);
  /// The element of that number if it is a triangle, quadrilateral or polygon: its nodes from 0; empty otherwise. Valid until the next call.
  std::span<const std::int64_t> flatElement(std::int64_t number);
  /// The face of a section's element as its cell has it, outwards: the cell's number in the zone, and nodes from 0, of a triangle
  /// the last twice. Nothing if the file does not say, or the cell is of no fixed type.
  struct ParentFace {
    std::int64_t cell = 0;
    std::array<std::int64_t, 4> nodes{};
  };
  std::optional<ParentFace> faceOfParent(std::int64_t number);

 private:
  const Section* sectionOf(std::int64_t number) const;
  struct Lists {
    std::optional<IntegerList> connectivity, offsets, parents, positions;
    std::optional<std::int64_t> cells;  ///< of mixed elements, once they were counted
    /// Of mixed elements without offsets, once they were looked for: where each kStartsEvery-th begins in `connectivity`.
    std::vector<std::int64_t> starts;
    MemoryClaim startsClaim;
  };
  /// Where mixed element `n` of a section begins, with its type.
  std::int64_t startOf(const Section& section, std::int64_t n);
  /// How many cells of three dimensions forEachCell() finds in a section that may have some.
  std::int64_t cellsIn(const Section& section);
  Lists& listsOf(const Section& section);
  std::span<const std::int64_t> zeroBased(std::span<const std::int64_t> nodes);
  void polyhedra(const Section& section, std::int64_t& number, const VisitCell& visit);

  const Tree& m_tree;
  const Zone& m_zone;
  const std::vector<Section>& m_sections;
  std::map<const Section*, Lists> m_lists;
  std::vector<std::int64_t> m_nodes;
};

}  // namespace farfield::cgns
