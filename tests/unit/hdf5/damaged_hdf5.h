#pragma once
// An HDF5 file with texts of any length in an attribute, whose heap is damaged: what the library does with it depends on how.

#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/hdf5/hdf5_maker.h"

namespace farfield::test {

enum class Damage {
  None,
  Crashes,  ///< the library reads far beyond the heap
  Endless   ///< it looks at the same place of the heap again and again
};

inline void writeDamagedHdf5(const std::string& path, Damage damage) {
  {
    Hdf5Maker file(path);
    file.makeNumbered("values", {.dims = {4, 4, 4}});
    const Hid type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    const hsize_t count = 3;
    const Hid space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hid texts(H5Acreate2(file.file(), "texts", type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* const words[] = {"one", "another", "a third"};
    H5Awrite(texts, type, words);
  }
  std::ifstream in(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  // behind its header a heap has objects: number, uses, four bytes without meaning, size, bytes
  const std::size_t object = bytes.find("GCOL") + 16;
  if (damage == Damage::Crashes) bytes.at(object + 12) = '\x7f';
  if (damage == Damage::Endless) bytes.replace(object, 16, 16, '\0');
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace farfield::test
