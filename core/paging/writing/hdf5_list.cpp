#include "core/paging/writing/hdf5_list.h"

#include "core/paging/writing/hdf5_objects.h"

namespace farfield::paging::detail {
namespace {

Hdf5Id makeList(hid_t parent, const char* name, hid_t fileType, Codec codec) {
  const hsize_t none = 0, any = H5S_UNLIMITED, chunk = Hdf5List::kChunk;
  const Hdf5Id space(H5Screate_simple(1, &none, &any), H5Sclose, "make a dataspace");
  const Hdf5Id creation = datasetCreation();
  checkHdf5(H5Pset_chunk(creation, 1, &chunk), "set the chunk size");
  // the end of the last chunk has no values, and must not be what was in memory
  checkHdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC), "fill a chunk");
  setFilters(creation, codec);
  return {H5Dcreate2(parent, name, fileType, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
          "make a list"};
}

}  // namespace

Hdf5List::Hdf5List(hid_t parent, const char* name, hid_t fileType, Codec codec)
    : m_dataset(makeList(parent, name, fileType, codec)) {
  m_values.reserve(kChunk);
}

void Hdf5List::write() {
  if (m_values.empty()) return;
  const hsize_t first = m_written, size = m_values.size(), end = first + size;
  checkHdf5(H5Dset_extent(m_dataset, &end), "extend a list");
  const Hdf5Id there(H5Dget_space(m_dataset), H5Sclose, "see a dataspace");
  checkHdf5(H5Sselect_hyperslab(there, H5S_SELECT_SET, &first, nullptr, &size, nullptr), "choose numbers");
  const Hdf5Id here(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a dataspace");
  checkHdf5(H5Dwrite(m_dataset, H5T_NATIVE_INT64, here, there, H5P_DEFAULT, m_values.data()), "write a list");
  m_written = end;
  m_values.clear();
}

void Hdf5List::finish() {
  write();
  m_dataset.close("close a list");
}

}  // namespace farfield::paging::detail
