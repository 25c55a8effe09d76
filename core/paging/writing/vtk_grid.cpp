#include "core/paging/writing/vtk_grid.h"

#include <algorithm>
#include <array>

#include "core/paging/writing/vtk_cells.h"
#include "core/paging/writing/vtk_groups.h"

namespace farfield::paging::detail {
namespace {

/// Calls `visit(number, array)` for the variables of a block that VTK has a place for.
template <class Visit>
void forEachVariable(const DatasetDescription& description, int block, const Visit& visit) {
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const ArrayDescription& array = description.arrays[n];
    const bool shown = array.role == ArrayRole::Variable || array.role == ArrayRole::Blanking;
    if (array.block == block && array.detail == 0 && shown) visit(n, array);
  }
}

// ---- one unstructured block

void writeUnstructured(PlacedFile& placed, hid_t file, const Catalog& catalog, const Journal& journal,
                       MemoryAccount& account) {
  const DatasetDescription& description = catalog.description;
  const bool moves = description.steps() > 1;
  const Hdf5Id group = makeVtkGroup(file, "VTKHDF", "UnstructuredGrid", {moves ? 2 : 1, 0});
  const auto points = static_cast<std::uint32_t>(description.find(0, ArrayRole::Coordinates));
  const auto cells = static_cast<std::uint32_t>(description.find(0, ArrayRole::Cells));
  // One entry each, for one part that all steps share: before ParaView 5.12 several entries were several parts.
  writeIntegerDataset(group, "NumberOfPoints", std::array{description.blocks[0].dims[0]});
  writeVtkCells(placed, group, catalog, cells, journal, account);
  placeArray(placed, group, "Points", catalog, points, journal, TimeAxis::Chained);
  const Hdf5Id onNodes = makeGroup(group, "PointData"), onCells = makeGroup(group, "CellData");
  forEachVariable(description, 0, [&](std::uint32_t n, const ArrayDescription& array) {
    placeArray(placed, array.onCells ? onCells : onNodes, array.name, catalog, n, journal, TimeAxis::Chained);
  });
  if (!moves) return;
  const Hdf5Id steps = makeVtkSteps(group, description.times);
  const std::vector<std::int64_t> zeros(description.times.size()), ones(description.times.size(), 1);
  for (const char* name : {"PartOffsets", "CellOffsets", "ConnectivityIdOffsets"})
    writeIntegerDataset(steps, name, zeros);
  writeIntegerDataset(steps, "NumberOfParts", ones);
  const ArrayDescription& xyz = description.arrays[points];
  writeVtkOffsets(steps, "PointOffsets", description, xyz, chainedStride(xyz));
  const Hdf5Id nodeOffsets = makeGroup(steps, "PointDataOffsets"),
               cellOffsets = makeGroup(steps, "CellDataOffsets");
  forEachVariable(description, 0, [&](std::uint32_t, const ArrayDescription& array) {
    writeVtkOffsets(array.onCells ? cellOffsets : nodeOffsets, array.name, description, array,
                    chainedStride(array));
  });
}

// ---- structured blocks

const char* typeOf(GridKind kind) {
  switch (kind) {
    case GridKind::Regular:
      return "ImageData";
    case GridKind::Curvilinear:
      return "StructuredGrid";
    case GridKind::Rectilinear:
      return "RectilinearGrid";
    case GridKind::Unstructured:
      break;
  }
  return "UnstructuredGrid";
}

/// Lists what the store has of structured blocks. Of several steps the arrays have the axis that VTK wants, and links to
/// them do; of one step VTK wants none, and pages are entered in datasets of their own.
class StructuredLists {
 public:
  StructuredLists(PlacedFile& placed, hid_t file, const Catalog& catalog, const Journal& journal)
      : m_placed(placed), m_file(file), m_catalog(catalog), m_journal(journal) {}

  /// Block `number` as the group `name` of `parent`.
  void writeBlock(hid_t parent, const std::string& name, int number) const {
    const BlockDescription& block = description().blocks[static_cast<std::size_t>(number)];
    const Hdf5Id group = makeVtkGroup(parent, name, typeOf(block.kind), kStructured);
    if (block.kind == GridKind::Regular)
      writeVtkImagePlace(group, block);
    else
      writeIntegers(group, "Dimensions", block.dims);
    if (block.kind == GridKind::Curvilinear)
      list(static_cast<std::uint32_t>(description().find(number, ArrayRole::Coordinates)), group, "Points");
    if (block.kind == GridKind::Rectilinear)
      for (std::size_t a = 0; a < 3; ++a)
        writeRealDataset(group, (std::string(1, "XYZ"[a]) + "Coordinates").c_str(), (*block.axes)[a]);
    const Hdf5Id values = makeGroup(group, "PointData");
    const auto forEachShown = [&](const auto& visit) {
      forEachVariable(description(), number, [&](std::uint32_t n, const ArrayDescription& array) {
        if (array.layout.dims() == block.dims) visit(n, array);
      });
    };
    forEachShown([&](std::uint32_t n, const ArrayDescription& array) { list(n, values, array.name); });
    if (!moves()) return;
    const Hdf5Id steps = makeVtkSteps(group, description().times);
    if (const int xyz = description().find(number, ArrayRole::Coordinates); xyz >= 0)
      writeVtkOffsets(steps, "PointOffsets", description(),
                      description().arrays[static_cast<std::size_t>(xyz)], 1);
    const Hdf5Id offsets = makeGroup(steps, "PointDataOffsets");
    forEachShown([&](std::uint32_t, const ArrayDescription& array) {
      writeVtkOffsets(offsets, array.name, description(), array, 1);
    });
  }

  void writeBlocks() const {
    const std::size_t blocks = description().blocks.size();
    if (blocks == 1) {
      writeBlock(m_file, "VTKHDF", 0);
      return;
    }
    const Hdf5Id group = makeVtkGroup(m_file, "VTKHDF", kMultiBlock, kStructured);
    if (moves()) makeVtkSteps(group, description().times);  // here as well as in every block
    const Hdf5Id order = makeOrderedGroup(group, "Assembly");
    for (std::size_t n = 0; n < blocks; ++n) {
      const std::string name = "block_" + std::to_string(n);
      writeBlock(group, name, static_cast<int>(n));
      checkHdf5(H5Lcreate_soft(("/VTKHDF/" + name).c_str(), order, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                "link a block");
    }
  }

 private:
  static constexpr VtkVersion kStructured{2, 7};

  const DatasetDescription& description() const { return m_catalog.description; }
  bool moves() const { return description().steps() > 1; }
  void list(std::uint32_t number, hid_t parent, const std::string& name) const {
    listVtkArray(m_placed, m_file, parent, name, m_catalog, number, m_journal);
  }

  PlacedFile& m_placed;
  hid_t m_file;
  const Catalog& m_catalog;
  const Journal& m_journal;
};

}  // namespace

bool isVtkGrid(const DatasetDescription& description) {
  const std::vector<BlockDescription>& blocks = description.blocks;
  if (blocks.size() == 1 && blocks[0].isUnstructured()) return true;
  return std::none_of(blocks.begin(), blocks.end(),
                      [](const BlockDescription& block) { return block.isUnstructured(); });
}

void writeVtkGrid(PlacedFile& placed, hid_t file, const Catalog& catalog, const Journal& journal,
                  MemoryAccount& account) {
  if (catalog.description.blocks[0].isUnstructured())
    writeUnstructured(placed, file, catalog, journal, account);
  else
    StructuredLists(placed, file, catalog, journal).writeBlocks();
}

}  // namespace farfield::paging::detail
