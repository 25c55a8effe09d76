#pragma once
// Writes what a file of NetCDF's classic format holds as NetCDF-4 does: a dataset for each dimension and variable, dimensions
// named by references, texts as letters, the record dimension without a limit.

#include <memory>
#include <string>
#include <vector>

#include "plugins/arrays/byte_source.h"
#include "plugins/netcdf3/nc_header.h"
#include "tests/unit/hdf5/hdf5_maker.h"

namespace farfield::test {

struct Netcdf4Options {
  int gzip = -1;             ///< of values in chunks
  bool inChunks = false;     ///< all values, not only those with records
  bool shortScales = false;  ///< the record dimension's dataset is as it was before there were records
};

class Netcdf4Copy {
 public:
  Netcdf4Copy(const std::string& from, const std::string& to, Netcdf4Options options = {})
      : m_header(netcdf3::readHeader(arrays::fileBytes(from, arrays::makeFilePool()))),
        m_file(to),
        m_options(options) {
    for (const cf::Dimension& dimension : m_header.dimensions) addDimension(dimension);
    for (const cf::Variable& variable : m_header.variables) addVariable(variable);
  }

 private:
  static hid_t typeOf(arrays::NumberType type, bool big) {
    switch (type) {
      case arrays::NumberType::F64:
        return big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE;
      case arrays::NumberType::F32:
        return big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE;
      case arrays::NumberType::I32:
        return big ? H5T_STD_I32BE : H5T_STD_I32LE;
      default:
        return big ? H5T_STD_I8BE : H5T_STD_I8LE;
    }
  }

  void addDimension(const cf::Dimension& dimension) {
    DatasetOptions options{.dims = {static_cast<hsize_t>(dimension.size)}, .type = H5T_IEEE_F32BE};
    if (dimension.isRecord) {
      if (m_options.shortScales) options.dims = {1};
      options.chunks = {16};
      options.most = {H5S_UNLIMITED};
    }
    m_file.make(dimension.name, options);
    m_file.text(dimension.name, "CLASS", "DIMENSION_SCALE");
    m_file.text(dimension.name, "NAME", "This is a netCDF dimension but not a netCDF variable         7");
  }

  void addVariable(const cf::Variable& variable) {
    const Hid letters(H5Tcopy(H5T_C_S1), H5Tclose);
    DatasetOptions options{.dims = {}};
    options.type = variable.isText ? hid_t(letters) : typeOf(variable.type, false);
    std::vector<std::string> scales;
    std::uint64_t numbers = 1, perRecord = 1;
    for (std::size_t d = 0; d < variable.dims.size(); ++d) {
      const cf::Dimension& dimension = m_header.dimensions[static_cast<std::size_t>(variable.dims[d])];
      const auto size = static_cast<hsize_t>(dimension.size);
      scales.push_back(dimension.name);
      options.dims.push_back(size);
      options.most.push_back(dimension.isRecord ? H5S_UNLIMITED : size);
      options.chunks.push_back(dimension.isRecord ? 1 : std::max<hsize_t>(1, std::min<hsize_t>(size, 100)));
      numbers *= size;
      if (d > 0 || !variable.hasRecords) perRecord *= size;
    }
    if (options.dims.empty() || numbers == 0) return;
    if (!variable.hasRecords && !m_options.inChunks) options.chunks.clear();
    if (!options.chunks.empty()) options.gzip = m_options.gzip;
    m_file.make(variable.name, options);
    m_file.scales(variable.name, scales);
    for (const cf::Attribute& attribute : variable.attributes)
      if (!attribute.text.empty()) m_file.text(variable.name, attribute.name.c_str(), attribute.text);
    const std::uint64_t recordBytes = perRecord * static_cast<std::uint64_t>(arrays::bytesOf(variable.type));
    std::vector<std::byte> bytes(numbers / perRecord * recordBytes);
    for (std::uint64_t record = 0; record < numbers / perRecord; ++record)
      variable.bytes->readAt(variable.begin + record * static_cast<std::uint64_t>(m_header.recordBytes),
                             std::span(bytes).subspan(static_cast<std::size_t>(record * recordBytes),
                                                      static_cast<std::size_t>(recordBytes)));
    const Hid set(H5Dopen2(m_file.file(), variable.name.c_str(), H5P_DEFAULT), H5Dclose);
    H5Dwrite(set, variable.isText ? hid_t(letters) : typeOf(variable.type, true), H5S_ALL, H5S_ALL,
             H5P_DEFAULT, bytes.data());
  }

  cf::File m_header;
  Hdf5Maker m_file;
  Netcdf4Options m_options;
};

}  // namespace farfield::test
