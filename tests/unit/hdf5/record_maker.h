#pragma once
// Compounds in HDF5 files of the tests.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/hdf5/hdf5_maker.h"

namespace farfield::test {

/// A compound of `members` of `type`, one after the other.
inline hid_t recordType(const std::vector<std::string>& members, hid_t type) {
  const std::size_t each = H5Tget_size(type);
  const hid_t record = H5Tcreate(H5T_COMPOUND, each * members.size());
  for (std::size_t n = 0; n < members.size(); ++n) H5Tinsert(record, members[n].c_str(), each * n, type);
  return record;
}

/// A dataset of records of i32.
inline void writeRecords(Hdf5Maker& file, const std::string& name, const std::vector<std::string>& members,
                         const std::vector<std::int32_t>& values) {
  const Hid type(recordType(members, H5T_NATIVE_INT32), H5Tclose);
  const hsize_t count = values.size() / members.size();
  const Hid space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hid data(H5Dcreate2(file.file(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose);
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

/// An attribute that is a record of f64.
inline void writeRecord(Hdf5Maker& file, const std::string& object, const char* name,
                        const std::vector<std::string>& members, const std::vector<double>& values) {
  const Hid at(H5Oopen(file.file(), object.c_str(), H5P_DEFAULT), H5Oclose);
  const Hid type(recordType(members, H5T_NATIVE_DOUBLE), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hid attribute(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  H5Awrite(attribute, type, values.data());
}

}  // namespace farfield::test
