#pragma once
// A file by the CF conventions that a test makes in memory, opened as formats open theirs.

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugins/cf/cf_reader.h"

namespace farfield::test {

class NumbersInMemory final : public arrays::ByteSource {
 public:
  explicit NumbersInMemory(std::vector<double> numbers) : m_numbers(std::move(numbers)) {}
  std::uint64_t size() const override { return m_numbers.size() * sizeof(double); }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    std::memcpy(out.data(), reinterpret_cast<const std::byte*>(m_numbers.data()) + offset, out.size());
  }

 private:
  std::vector<double> m_numbers;
};

class MadeCfFile {
 public:
  explicit MadeCfFile(std::vector<cf::Dimension> dimensions) {
    file.dimensions = std::move(dimensions);
    for (const cf::Dimension& dimension : file.dimensions)
      if (dimension.isRecord) file.records = dimension.size;
    file.hasDefaultFills = false;
  }
  /// A variable of f64; `dims` are numbers of dimensions, slowest first.
  cf::Variable& add(const std::string& name, std::vector<int> dims, std::vector<double> numbers,
                    std::vector<std::pair<std::string, std::string>> attributes = {}) {
    cf::Variable variable;
    variable.name = name;
    variable.dims = std::move(dims);
    variable.type = arrays::NumberType::F64;
    for (auto& [key, text] : attributes) variable.attributes.push_back({key, text, {}});
    variable.bytes = std::make_shared<NumbersInMemory>(std::move(numbers));
    cf::setDenseStrides(file, variable);
    file.variables.push_back(std::move(variable));
    return file.variables.back();
  }
  arrays::ArrayReader open(const arrays::Options& options = {}, int files = 1) {
    return openAll(std::vector<cf::OpenedFile>(static_cast<std::size_t>(files), {"made.nc", file, 1}),
                   options);
  }
  /// This file, and then another.
  arrays::ArrayReader openWith(const MadeCfFile& other, const arrays::Options& options = {}) {
    return openAll({{"made.nc", file, 1}, {"other.nc", other.file, 1}}, options);
  }

  cf::File file;
  std::string explain;  ///< of the last open(), as the next
  std::vector<fields::ReadingChoice> choices;

 private:
  arrays::ArrayReader openAll(std::vector<cf::OpenedFile> opened, const arrays::Options& options) {
    cf::CfData data = cf::describe(std::move(opened), "netcdf", options, m_account);
    explain.clear();
    for (const std::string& line : data.explain) explain += line + "\n";
    choices = std::move(data.choices);
    return {std::move(data.description), std::move(data.places), std::move(data.claims)};
  }

  MemoryAccount m_account{std::uint64_t{1} << 20};
};

}  // namespace farfield::test
