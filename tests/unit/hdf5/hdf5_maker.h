#pragma once
// HDF5 files of the tests, written by the library itself.

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

namespace farfield::test {

/// Closes what it holds.
class Hid {
 public:
  Hid(hid_t id, herr_t (*closer)(hid_t)) : m_id(id), m_closer(closer) {}
  Hid(const Hid&) = delete;
  Hid& operator=(const Hid&) = delete;
  ~Hid() { m_closer(m_id); }
  operator hid_t() const { return m_id; }

 private:
  hid_t m_id;
  herr_t (*m_closer)(hid_t);
};

struct DatasetOptions {
  std::vector<hsize_t> dims, chunks = {}, most = {};
  hid_t type = H5T_IEEE_F32LE;
  bool shuffle = false, fletcher = false, scaleOffset = false, nbit = false, compact = false, early = false,
       wholeChunksOnly = false;
  int gzip = -1;
  const double* fill = nullptr;
};

/// How a file's structures are written.
struct StructureOptions {
  bool latest = false;
  hsize_t userBlock = 0;
  std::size_t addressBytes = 8;
  unsigned treeHalf = 0;  ///< nodes of trees of chunks have twice as many entries; 0: as the library has it
};

class Hdf5Maker {
 public:
  explicit Hdf5Maker(const std::string& path, bool latest = false, hsize_t userBlock = 0)
      : Hdf5Maker(path, StructureOptions{.latest = latest, .userBlock = userBlock}) {}
  Hdf5Maker(const std::string& path, const StructureOptions& options)
      : m_access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose),
        m_creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose),
        m_file(create(path, options), H5Fclose) {}
  hid_t file() const { return m_file; }

  void group(const std::string& name) {
    const Hid group(H5Gcreate2(m_file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }

  /// An empty dataset.
  void make(const std::string& name, const DatasetOptions& options) {
    const auto rank = static_cast<int>(options.dims.size());
    const Hid creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (!options.chunks.empty()) H5Pset_chunk(creation, rank, options.chunks.data());
    if (options.compact) H5Pset_layout(creation, H5D_COMPACT);
    if (options.early) H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    if (options.wholeChunksOnly) H5Pset_chunk_opts(creation, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
    if (options.scaleOffset) H5Pset_scaleoffset(creation, H5Z_SO_INT, 0);
    if (options.nbit) H5Pset_nbit(creation);
    if (options.shuffle) H5Pset_shuffle(creation);
    if (options.gzip >= 0) H5Pset_deflate(creation, static_cast<unsigned>(options.gzip));
    if (options.fletcher) H5Pset_fletcher32(creation);
    if (options.fill) H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, options.fill);
    const Hid space(
        H5Screate_simple(rank, options.dims.data(), options.most.empty() ? nullptr : options.most.data()),
        H5Sclose);
    const Hid set(H5Dcreate2(m_file, name.c_str(), options.type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                  H5Dclose);
  }

  /// Fills all of it.
  void write(const std::string& name, const std::vector<double>& values) {
    const Hid set(H5Dopen2(m_file, name.c_str(), H5P_DEFAULT), H5Dclose);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  /// Fills a box of it.
  void writeBox(const std::string& name, const std::vector<hsize_t>& first, const std::vector<hsize_t>& size,
                const std::vector<double>& values) {
    const Hid set(H5Dopen2(m_file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hid space(H5Dget_space(set), H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, size.data(), nullptr);
    const Hid memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data());
  }
  /// A dataset whose values are their numbers.
  std::vector<double> makeNumbered(const std::string& name, const DatasetOptions& options) {
    std::size_t count = 1;
    for (const hsize_t size : options.dims) count *= static_cast<std::size_t>(size);
    std::vector<double> values(count);
    for (std::size_t n = 0; n < count; ++n) values[n] = static_cast<double>(n);
    make(name, options);
    write(name, values);
    return values;
  }

  void text(const std::string& object, const char* name, const std::string& text, bool variable = false) {
    const Hid at(H5Oopen(m_file, object.c_str(), H5P_DEFAULT), H5Oclose);
    const Hid type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(type, variable ? H5T_VARIABLE : text.size() + 1);
    const Hid attribute(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* const words = text.c_str();
    H5Awrite(attribute, type, variable ? static_cast<const void*>(&words) : words);
  }
  void numbers(const std::string& object, const char* name, const std::vector<double>& values,
               hid_t type = H5T_IEEE_F64LE) {
    const Hid at(H5Oopen(m_file, object.c_str(), H5P_DEFAULT), H5Oclose);
    const hsize_t count = values.size();
    const Hid space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hid attribute(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, values.data());
  }
  /// Makes `scales` those of the dimensions, as NetCDF-4 does.
  void scales(const std::string& name, const std::vector<std::string>& scales) {
    const Hid at(H5Dopen2(m_file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hid type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose);
    const hsize_t count = scales.size();
    const Hid space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hid attribute(H5Acreate2(at, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    std::vector<hobj_ref_t> references(scales.size());
    std::vector<hvl_t> lists;
    for (std::size_t n = 0; n < scales.size(); ++n) {
      H5Rcreate(&references[n], m_file, scales[n].c_str(), H5R_OBJECT, -1);
      lists.push_back({1, &references[n]});
    }
    H5Awrite(attribute, type, lists.data());
  }
  void scale(const std::string& name, const std::vector<double>& values, bool named = true) {
    make(name, {.dims = {values.size()}, .type = H5T_IEEE_F64LE});
    write(name, values);
    text(name, "CLASS", "DIMENSION_SCALE");
    text(name, "NAME", named ? name : "This is a netCDF dimension but not a netCDF variable         3");
  }

 private:
  hid_t create(const std::string& path, const StructureOptions& options) {
    if (options.latest) H5Pset_libver_bounds(m_access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    if (options.userBlock > 0) H5Pset_userblock(m_creation, options.userBlock);
    if (options.addressBytes != 8) H5Pset_sizes(m_creation, options.addressBytes, options.addressBytes);
    if (options.treeHalf > 0) H5Pset_istore_k(m_creation, options.treeHalf);
    return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, m_creation, m_access);
  }
  Hid m_access, m_creation, m_file;
};

}  // namespace farfield::test
