#include "core/paging/writing/vtk_cells.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "core/base/bytes.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/pages/unstructured_cells.h"
#include "core/paging/writing/hdf5_list.h"

namespace farfield::paging::detail {
namespace {

/// VTK's number of a type of cells, and our corners in its order.
struct VtkCell {
  std::uint8_t type;
  OwnCorners corners;
};

VtkCell vtkCellOf(const CellNodes& c) {
  const UnstructuredShape shape = shapeOf(c);
  // a cell of a surface
  if (std::equal(c.begin(), c.begin() + 4, c.begin() + 4))
    return c[2] == c[3] ? VtkCell{5, {{0, 1, 2}, 3}} : VtkCell{9, {{0, 1, 3, 2}, 4}};
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return {10, ownCorners(shape)};
    case UnstructuredShape::Wedge:
      return {13, ownCorners(shape)};
    case UnstructuredShape::Pyramid:
      return {14, {{0, 1, 3, 2, 4}, 5}};
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {12, {{0, 1, 3, 2, 4, 5, 7, 6}, 8}};
}

/// The three lists.
class Lists {
 public:
  Lists(hid_t group, Codec codec, std::int64_t cells)
      // offsets and corners have one type in VTK
      : m_index(cells > std::numeric_limits<std::int32_t>::max() / 8 ? H5T_STD_I64LE : H5T_STD_I32LE),
        m_types(group, "Types", H5T_STD_U8LE, codec),
        m_connectivity(group, "Connectivity", m_index, codec),
        m_offsets(group, "Offsets", m_index, codec) {
    m_offsets.add(0);
  }
  void add(const CellNodes& nodes) {
    const VtkCell cell = vtkCellOf(nodes);
    m_types.add(cell.type);
    for (const std::uint8_t corner : cell.corners) m_connectivity.add(nodes[corner]);
    m_offsets.add(static_cast<std::int64_t>(m_connectivity.count()));
  }
  std::int64_t corners() const { return static_cast<std::int64_t>(m_connectivity.count()); }
  void finish() {
    m_types.finish();
    m_connectivity.finish();
    m_offsets.finish();
  }

 private:
  hid_t m_index;
  Hdf5List m_types, m_connectivity, m_offsets;
};

}  // namespace

void writeVtkCells(PlacedFile& placed, hid_t group, const Catalog& catalog, std::uint32_t number,
                   const Journal& journal, MemoryAccount& account) {
  const ArrayDescription& array = catalog.description.arrays[number];
  const auto pageBytes = static_cast<std::uint64_t>(array.maxPageBytes());
  // a page as stored, decoded, with its padding and in the codec's hands
  const MemoryClaim claim = account.claim(Purpose::Work, 4 * pageBytes + 3 * Hdf5List::kMostBytes,
                                          "the cells of a store as VTK lists them");
  Lists lists(group, catalog.codec, array.layout.dims()[0]);
  std::vector<std::byte> record, stored, nodes;
  Scratch scratch, padded;
  for (std::uint64_t page = 0; page < static_cast<std::uint64_t>(array.layout.pageCount()); ++page) {
    journal.readRecords(number, page, 1, record);
    const auto place = load<PagePlace>(record.data());
    stored.resize(place.bytes);
    placed.file->readAt(place.offset, stored);
    nodes.resize(static_cast<std::size_t>(array.boxOf(page).size[0] * array.nodeBytes()));
    decodeNodes(array, page,
                {.bytes = stored,
                 .codec = place.flags & kPageStoredRaw ? Codec::None : catalog.codec,
                 .hasChecksum = true,
                 .checksum = place.checksum,
                 .padded = true},
                nodes, scratch, padded);
    for (std::size_t at = 0; at < nodes.size(); at += sizeof(CellNodes))
      lists.add(load<CellNodes>(nodes.data() + at));
  }
  writeIntegerDataset(group, "NumberOfCells", std::array{array.layout.dims()[0]});
  writeIntegerDataset(group, "NumberOfConnectivityIds", std::array{lists.corners()});
  lists.finish();
}

}  // namespace farfield::paging::detail
