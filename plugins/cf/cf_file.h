#pragma once
// What files of gridded data by the CF conventions say of themselves, whatever the format: dimensions, variables
// with attributes, and where their numbers are. NetCDF-3, HDF5 (NetCDF-4) and Zarr fill this in.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/arrays/byte_source.h"
#include "plugins/arrays/number_type.h"

namespace farfield::cf {

struct Dimension {
  std::string name;
  std::int64_t size = 0;  ///< of the record dimension: the number of records
  bool isRecord = false;
};

struct Attribute {
  std::string name;
  std::string text;             ///< if it is text
  std::vector<double> numbers;  ///< if it is numbers; only the first ones of a very long list
  bool isDouble = false;        ///< the numbers are f64
  bool isReal = false;          ///< the numbers are f32 or f64; false if the format does not say
};

/// Null if there is none of that name.
const Attribute* findAttribute(const std::vector<Attribute>& attributes, std::string_view name);

struct Variable {
  std::string name;
  std::vector<int> dims;  ///< numbers of dimensions, slowest first
  std::vector<Attribute> attributes;
  arrays::NumberType type = arrays::NumberType::F32;
  bool bigEndian = false;
  bool isText = false;
  bool hasRecords = false;  ///< its first dimension is the record dimension
  /// It has numbers at so many of its first dimension alone, at least at one; -1: at all.
  std::int64_t records = -1;
  int componentDim = -1;  ///< of `dims`, the one that counts the components of a vector; none: -1
  std::shared_ptr<const arrays::ByteSource> bytes;  ///< null: its numbers cannot be read (`why`)
  std::string why;
  std::uint64_t begin = 0;              ///< offset of its first number in `bytes`
  std::vector<std::int64_t> strides{};  ///< bytes from a number to the next along each of `dims`

  /// Null if it has none of that name.
  const Attribute* find(std::string_view attribute) const { return findAttribute(attributes, attribute); }
  /// Empty if it has none, or it is not text.
  std::string textOf(std::string_view attribute) const;
  /// It has numbers that can be read.
  bool hasNumbers() const { return !isText && bytes != nullptr; }
};

struct File {
  std::vector<Dimension> dimensions;
  std::vector<Attribute> attributes;
  std::vector<Variable> variables;
  std::int64_t records = 0;
  std::int64_t recordBytes = 0;  ///< from a record to the next
  bool hasDefaultFills = true;   ///< reals may hold NetCDF's default fill value
  /// Numbers of the variables in the order of their names; of another length than `variables`: not known.
  std::vector<std::uint32_t> byName = {};

  /// The first of that name; null if there is none.
  const Variable* variable(std::string_view name) const;
  /// From now on variable() need not go through all of them. Again where variables are added or get other names.
  void sortNames();
  std::int64_t sizeOf(int dimension) const { return dimensions[static_cast<std::size_t>(dimension)].size; }
};

/// The folder that all of "/a/b/c", "/a/d" are in, with a slash at its end unless it is empty: "/a/".
std::string commonFolder(const std::vector<std::string>& paths);

/// Sets the strides of numbers in a row, last dimension fastest. Throws Corrupt if no file can be that large.
void setDenseStrides(const File& file, Variable& variable);

}  // namespace farfield::cf
