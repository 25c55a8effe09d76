#include "plugins/netcdf3/nc_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/url.h"

namespace farfield::netcdf3 {
namespace {

using arrays::NumberType;

constexpr std::uint32_t kDimensions = 10, kVariables = 11, kAttributes = 12;
constexpr std::size_t kPieceBytes = 16 * 1024;
constexpr std::uint64_t kLongestName = 1024;
constexpr std::uint64_t kMostText = 64 * 1024;
constexpr std::uint64_t kMostNumbers = 4096;
constexpr std::uint64_t kMostDims = 64;
constexpr std::uint64_t kMostVariables = 4096;
constexpr std::uint64_t kMostEntries = 100000;  ///< dimensions, variables, attributes of one
/// Of all names and attributes together as they are kept, which takes several times the memory of the file's bytes.
constexpr std::uint64_t kMostKeptBytes = 16 << 20;

struct TypeInfo {
  bool isText = false;
  NumberType type = NumberType::I8;
};

TypeInfo typeNumbered(std::uint32_t number) {
  switch (number) {
    case 1:
      return {false, NumberType::I8};
    case 2:
      return {true, NumberType::U8};
    case 3:
      return {false, NumberType::I16};
    case 4:
      return {false, NumberType::I32};
    case 5:
      return {false, NumberType::F32};
    case 6:
      return {false, NumberType::F64};
    case 7:
      return {false, NumberType::U8};
    case 8:
      return {false, NumberType::U16};
    case 9:
      return {false, NumberType::U32};
    case 10:
      return {false, NumberType::I64};
    case 11:
      return {false, NumberType::U64};
    default:
      throw Corrupt("has a type number " + std::to_string(number), "check that the copy is complete");
  }
}

class Parser {
 public:
  explicit Parser(std::shared_ptr<const arrays::ByteSource> file)
      : m_source(std::move(file)), m_file(*m_source) {}

  cf::File parse() {
    std::array<std::byte, 4> mark;
    bytes(mark);
    m_version = static_cast<int>(mark[3]);
    if (std::memcmp(mark.data(), "CDF", 3) != 0 || (m_version != 1 && m_version != 2 && m_version != 5))
      throw Corrupt("does not begin as a NetCDF file of the classic format does", "check the file");
    const std::uint64_t said = count();
    const std::uint64_t streaming = m_version == 5 ? ~std::uint64_t{0} : 0xffffffff;
    readDimensions();
    m_header.attributes = readAttributes();
    readVariables();
    findRecords(said, said == streaming);
    for (cf::Variable& variable : m_header.variables) place(variable);
    return std::move(m_header);
  }

 private:
  void readDimensions() {
    const std::uint64_t entries = list(kDimensions, "dimensions");
    for (std::uint64_t n = 0; n < entries; ++n) {
      cf::Dimension dimension;
      dimension.name = name();
      const std::uint64_t size = count();
      if (size > std::uint64_t{1} << 60) throw Corrupt("a dimension is larger than any file can be");
      dimension.size = static_cast<std::int64_t>(size);
      dimension.isRecord = size == 0;
      keep(sizeof dimension + dimension.name.size());
      m_header.dimensions.push_back(std::move(dimension));
    }
  }

  std::vector<cf::Attribute> readAttributes() {
    std::vector<cf::Attribute> attributes;
    const std::uint64_t entries = list(kAttributes, "attributes");
    for (std::uint64_t n = 0; n < entries; ++n) {
      cf::Attribute attribute;
      attribute.name = name();
      const TypeInfo info = typeNumbered(word());
      const std::uint64_t values = count();
      const auto each = static_cast<std::uint64_t>(arrays::bytesOf(info.type));
      if (values > (m_file.size() - m_at) / each)
        throw Corrupt("ends in its header", "check that the copy is complete");
      const std::uint64_t end = m_at + (values * each + 3) / 4 * 4;
      if (info.isText) {
        attribute.text.resize(static_cast<std::size_t>(std::min(values, kMostText)));
        bytes(std::as_writable_bytes(std::span(attribute.text)));
        // some writers pad with zeros
        attribute.text.resize(std::strlen(attribute.text.c_str()));
      } else {
        attribute.isDouble = info.type == NumberType::F64;
        attribute.isReal = attribute.isDouble || info.type == NumberType::F32;
        std::byte stored[8], kept[8];
        for (std::uint64_t v = 0; v < std::min(values, kMostNumbers); ++v) {
          bytes({stored, static_cast<std::size_t>(each)});
          arrays::convert(info.type, true, stored, 0, 1, kept, 0);
          attribute.numbers.push_back(valueAt(kept, arrays::keptAs(info.type), 0));
        }
      }
      m_at = end;
      keep(sizeof attribute + attribute.name.size() + attribute.text.size() +
           attribute.numbers.size() * sizeof(double));
      attributes.push_back(std::move(attribute));
    }
    return attributes;
  }

  void readVariables() {
    const std::uint64_t entries = list(kVariables, "variables");
    if (entries > kMostVariables)
      throw Unsupported("has more than " + std::to_string(kMostVariables) + " variables",
                        "give a part of it");
    for (std::uint64_t n = 0; n < entries; ++n) {
      cf::Variable variable;
      variable.name = name();
      const std::uint64_t dims = count();
      if (dims > kMostDims) throw Unsupported("a variable has " + std::to_string(dims) + " dimensions");
      for (std::uint64_t d = 0; d < dims; ++d) {
        const std::uint64_t number = count();
        if (number >= m_header.dimensions.size())
          throw Corrupt("a variable has a dimension that is none", "check that the copy is complete");
        const bool isRecord = m_header.dimensions[static_cast<std::size_t>(number)].isRecord;
        if (isRecord && d > 0) throw Corrupt("a variable has records within records", "check the file");
        variable.hasRecords = variable.hasRecords || isRecord;
        variable.dims.push_back(static_cast<int>(number));
      }
      keep(sizeof variable + variable.name.size() + variable.dims.size() * sizeof(int));
      variable.attributes = readAttributes();
      const TypeInfo info = typeNumbered(word());
      variable.type = info.type;
      variable.isText = info.isText;
      count();  // its size, which follows from its dimensions and may have overflowed
      variable.begin = m_version == 1 ? word() : wide();
      m_header.variables.push_back(std::move(variable));
    }
  }

  /// Finds the number of records, and their distance.
  void findRecords(std::uint64_t said, bool streaming) {
    std::int64_t padded = 0, plain = 0, first = 0;
    int variables = 0;
    for (const cf::Variable& variable : m_header.variables) {
      if (!variable.hasRecords) continue;
      std::int64_t each = arrays::bytesOf(variable.type);
      for (std::size_t d = 1; d < variable.dims.size(); ++d)
        each = checkedProduct({each, m_header.dimensions[static_cast<std::size_t>(variable.dims[d])].size});
      plain = each;
      padded += (each + 3) / 4 * 4;
      if (padded > std::int64_t{1} << 61) throw Corrupt("a record is larger than any file can be");
      if (++variables == 1 || static_cast<std::int64_t>(variable.begin) < first)
        first = static_cast<std::int64_t>(variable.begin);
    }
    // records of a single variable are not padded
    m_header.recordBytes = variables == 1 ? plain : padded;
    if (streaming) {
      const std::uint64_t from = static_cast<std::uint64_t>(std::max<std::int64_t>(first, 0));
      said = variables > 0 && m_header.recordBytes > 0 && m_file.size() > from
                 ? (m_file.size() - from) / static_cast<std::uint64_t>(m_header.recordBytes)
                 : 0;
    }
    if (said > std::uint64_t{1} << 40) throw Corrupt("has more records than any file can have");
    m_header.records = static_cast<std::int64_t>(said);
    for (cf::Dimension& dimension : m_header.dimensions)
      if (dimension.isRecord) dimension.size = m_header.records;
  }

  void place(cf::Variable& variable) {
    variable.bytes = m_source;
    variable.bigEndian = arrays::bytesOf(variable.type) > 1;
    variable.strides.assign(variable.dims.size(), m_header.recordBytes);
    std::int64_t stride = arrays::bytesOf(variable.type);
    for (std::size_t d = variable.dims.size(); d-- > (variable.hasRecords ? 1 : 0);) {
      variable.strides[d] = stride;
      stride = checkedProduct({stride, m_header.sizeOf(variable.dims[d])});
    }
  }

  /// Counts what is kept from here on.
  void keep(std::uint64_t bytes) {
    m_kept += bytes;
    if (m_kept > kMostKeptBytes)
      throw Unsupported("has names and attributes of more than 16 MiB",
                        "give a part of it, or leave out attributes");
  }

  /// Number of entries of a list, which may be absent.
  std::uint64_t list(std::uint32_t tag, const char* what) {
    const std::uint32_t found = word();
    const std::uint64_t entries = count();
    if ((found != tag && !(found == 0 && entries == 0)) || entries > kMostEntries)
      throw Corrupt("its list of " + std::string(what) + " is wrong", "check that the copy is complete");
    return entries;
  }

  std::string name() {
    const std::uint64_t length = count();
    if (length > kLongestName)
      throw Corrupt("has a name of " + std::to_string(length) + " letters", "check the file");
    std::string text(static_cast<std::size_t>(length), ' ');
    bytes(std::as_writable_bytes(std::span(text)));
    m_at += (4 - length % 4) % 4;
    return text;
  }
  /// counts have 32 bits except in CDF-5
  std::uint64_t count() { return m_version == 5 ? wide() : word(); }
  std::uint32_t word() {
    std::byte raw[4];
    bytes(raw);
    return byteSwapped(load<std::uint32_t>(raw));
  }
  std::uint64_t wide() {
    std::byte raw[8];
    bytes(raw);
    return byteSwapped(load<std::uint64_t>(raw));
  }
  void bytes(std::span<std::byte> out) {
    if (m_at > m_file.size() || m_file.size() - m_at < out.size())
      throw Corrupt("ends in its header", "check that the copy is complete");
    if (m_at < m_pieceAt || m_at + out.size() > m_pieceAt + m_piece.size()) {
      if (out.size() > kPieceBytes) {
        m_file.readAt(m_at, out);
        m_at += out.size();
        return;
      }
      m_pieceAt = m_at;
      m_piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, m_file.size() - m_at)));
      m_file.readAt(m_pieceAt, m_piece);
    }
    std::memcpy(out.data(), m_piece.data() + (m_at - m_pieceAt), out.size());
    m_at += out.size();
  }

  std::shared_ptr<const arrays::ByteSource> m_source;
  const arrays::ByteSource& m_file;
  int m_version = 1;
  std::uint64_t m_at = 0, m_pieceAt = 0, m_kept = 0;
  std::vector<std::byte> m_piece;
  cf::File m_header;
};

}  // namespace

cf::File readHeader(std::shared_ptr<const arrays::ByteSource> file) {
  return Parser(std::move(file)).parse();
}

namespace {

/// Where the records end that are counted, if another one, at least, is behind them.
std::optional<std::uint64_t> endOfCounted(const cf::File& header, std::uint64_t fileBytes) {
  std::optional<std::uint64_t> first;
  for (const cf::Variable& variable : header.variables)
    if (variable.hasRecords) first = std::min(first.value_or(variable.begin), variable.begin);
  if (!first || header.recordBytes < 1) return std::nullopt;
  const auto record = static_cast<std::uint64_t>(header.recordBytes),
             records = static_cast<std::uint64_t>(header.records);
  if (*first > fileBytes || (fileBytes - *first) / record <= records) return std::nullopt;
  return *first + records * record;
}

}  // namespace

Opened openGrowing(const std::string& name, const paging::ByteStores& stores,
                   const std::shared_ptr<arrays::FilePool>& pool, paging::ByteObjects& opened) {
  Opened file{arrays::namedBytes(name, stores, pool, opened, arrays::Growth::Behind), {}};
  file.header = readHeader(file.bytes);
  const auto end = isUrl(name) ? std::nullopt : endOfCounted(file.header, file.bytes->size());
  if (!end) return file;
  file.bytes = arrays::fileBytes(name, pool, arrays::Growth::Behind, *end);
  file.header = readHeader(file.bytes);
  return file;
}

}  // namespace farfield::netcdf3
