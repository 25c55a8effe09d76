#pragma once
// Stores as HDF5 reads them, without our reader.

#include <hdf5.h>

#include <QTest>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "tests/unit/paging/store/store_samples.h"

namespace farfield::test {

inline hid_t memoryType(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
      return H5T_NATIVE_FLOAT;
    case ScalarType::F64:
      return H5T_NATIVE_DOUBLE;
    case ScalarType::U8:
      return H5T_NATIVE_UINT8;
    case ScalarType::I8:
      return H5T_NATIVE_INT8;
    case ScalarType::U16:
      return H5T_NATIVE_UINT16;
    case ScalarType::I16:
      return H5T_NATIVE_INT16;
    case ScalarType::I32:
      return H5T_NATIVE_INT32;
  }
  return -1;
}

/// A whole dataset as HDF5 reads it.
inline Bytes readDataset(const std::filesystem::path& path, const std::string& name, ScalarType type,
                         std::vector<hsize_t>& dims) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  dims.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  Bytes bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) *
              static_cast<std::size_t>(sizeOf(type)));
  const herr_t status = H5Dread(dataset, memoryType(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  if (status < 0) throw Io("H5Dread failed");
  return bytes;
}

inline void compareWithHdf5(const std::filesystem::path& path, const DatasetDescription& description) {
  for (std::uint32_t a = 0; a < description.arrays.size(); ++a) {
    const ArrayDescription& array = description.arrays[a];
    std::vector<hsize_t> dims;
    const std::string name = "/farfield/blocks/000" + std::to_string(array.block) + "/" + array.name;
    const Bytes bytes = readDataset(path, name, array.type, dims);
    const Index3& nodes = array.layout.dims();
    std::vector<hsize_t> expected{static_cast<hsize_t>(array.steps), static_cast<hsize_t>(nodes[2]),
                                  static_cast<hsize_t>(nodes[1]), static_cast<hsize_t>(nodes[0])};
    if (array.components > 1) expected.push_back(static_cast<hsize_t>(array.components));
    QVERIFY(dims == expected);
    Bytes all;
    for (std::int64_t step = 0; step < array.steps; ++step) {
      const Bytes one = sampleNodes(description, a, step, {{0, 0, 0}, nodes});
      all.insert(all.end(), one.begin(), one.end());
    }
    QVERIFY(bytes == all);
  }
}

}  // namespace farfield::test
