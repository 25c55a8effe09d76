#include "core/paging/writing/hdf5_structures.h"

#include <cstdio>

#include "core/base/spare_memory.h"
#include "core/hdf5/quiet_calls.h"
#include "core/paging/writing/vtk_grid.h"
#include "core/paging/writing/vtk_image.h"

namespace farfield::paging::detail {
namespace {

void writeBlock(PlacedFile& placed, hid_t blocks, const Catalog& catalog, int number, std::uint32_t& array,
                const Journal& journal) {
  const BlockDescription& block = catalog.description.blocks[static_cast<std::size_t>(number)];
  char name[16];
  std::snprintf(name, sizeof name, "%04d", number);
  const Hdf5Id group = makeGroup(blocks, name);
  writeIntegers(group, "dims", block.dims);
  writeText(group, "kind", nameOf(block.kind));
  if (block.kind == GridKind::Regular) {
    writeVec3(group, "origin", block.origin);
    writeVec3(group, "spacing", block.spacing);
  }
  if (block.axes && catalog.description.find(number, "axes") < 0) {
    const Hdf5Id axes = makeGroup(group, "axes");
    for (std::size_t a = 0; a < 3; ++a)
      writeRealDataset(axes, std::string(1, "xyz"[a]).c_str(), (*block.axes)[a]);
  }
  const std::vector<ArrayDescription>& arrays = catalog.description.arrays;
  for (; array < arrays.size() && arrays[array].block == number; ++array)
    placeArray(placed, group, arrays[array].name, catalog, array, journal, TimeAxis::Leading);
}

}  // namespace

void writeHdf5Structures(PlacedFile& placed, const Catalog& catalog, const Journal& journal,
                         ByteRange indexBytes, ByteRange catalogBytes, bool forVtk, MemoryAccount& account) {
  const hdf5::Quiet quiet;
  Hdf5Id file(createPlacedFile(placed), H5Fclose, "make a file");
  const Hdf5Id root = makeGroup(file, "farfield");
  writeText(root, "codec", nameOf(catalog.codec));
  std::size_t written = 0;
  for (const auto& [key, value] : catalog.description.attributes)
    if (!key.empty() && key != "codec" && value.size() <= kMaxAttributeBytes && key.size() < 1024 &&
        key.find('\0') == std::string::npos && written++ < kMaxAttributes)
      writeText(root, key, value);
  writeRealDataset(root, "time", catalog.description.times);
  placeBytes(placed, root, "index", indexBytes);
  placeBytes(placed, root, "catalog", catalogBytes);
  const Hdf5Id blocks = makeGroup(root, "blocks");
  std::uint32_t array = 0;
  for (std::size_t n = 0; n < catalog.description.blocks.size(); ++n)
    writeBlock(placed, blocks, catalog, static_cast<int>(n), array, journal);
  if (isVtkImage(catalog.description))
    writeVtkImage(placed, file, catalog, journal);
  else if (forVtk && isVtkGrid(catalog.description))
    writeVtkGrid(placed, file, catalog, journal, account);
  file.close("close a file");
}

bool listsVtk(const std::filesystem::path& path) {
  const hdf5::Quiet quiet;
  ensureSpareMemory(kHdf5OpenBytes);
  const Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open a store");
  const htri_t exists = H5Lexists(file, "VTKHDF", H5P_DEFAULT);
  checkHdf5(exists < 0 ? -1 : 0, "look for a group");
  return exists > 0;
}

}  // namespace farfield::paging::detail
