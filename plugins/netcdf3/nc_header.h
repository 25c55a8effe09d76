#pragma once
// The header of a NetCDF file of the classic format (CDF-1, CDF-2 with 64-bit offsets, CDF-5): dimensions,
// variables, attributes and the offsets of values. The format: "NetCDF Classic Format Specification"
// (Unidata), appendix B.

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/arrays/byte_source.h"
#include "plugins/arrays/number_type.h"

namespace farfield::netcdf3 {

struct NcDimension {
  std::string name;
  std::int64_t size = 0;  ///< of the record dimension: the number of records
  bool isRecord = false;
};

struct NcAttribute {
  std::string name;
  std::string text;             ///< if it is text
  std::vector<double> numbers;  ///< if it is numbers; only the first ones of a very long list
  bool isDouble = false;        ///< the numbers are f64
};

struct NcVariable {
  std::string name;
  std::vector<int> dims;  ///< numbers of dimensions, slowest first
  std::vector<NcAttribute> attributes;
  arrays::NumberType type = arrays::NumberType::F32;
  bool isText = false;
  bool hasRecords = false;  ///< its first dimension is the record dimension
  std::uint64_t begin = 0;  ///< offset of its first number

  /// Null if it has none of that name.
  const NcAttribute* find(std::string_view attribute) const;
  /// Empty if it has none, or it is not text.
  std::string textOf(std::string_view attribute) const;
};

struct NcHeader {
  std::vector<NcDimension> dimensions;
  std::vector<NcAttribute> attributes;
  std::vector<NcVariable> variables;
  std::int64_t records = 0;
  std::int64_t recordBytes = 0;  ///< from a record to the next

  const NcVariable* variable(std::string_view name) const;
};

/// Every size in it counts something in the file or fits 2^62. Offsets of values are not checked
/// (arrays::checkPlaces does that). Throws Corrupt, Unsupported.
NcHeader readHeader(const arrays::ByteSource& file);

}  // namespace farfield::netcdf3
