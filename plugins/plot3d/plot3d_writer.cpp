#include "plugins/plot3d/plot3d_writer.h"

#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <utility>

#include "core/base/bytes.h"

namespace farfield::plot3d {
namespace {

/// Bytes of the head, in the chosen byte order.
class HeadBytes {
 public:
  explicit HeadBytes(const Format& format) : m_format(format) {}
  template <class T>
  void put(T value) {
    if (m_format.byteOrder == ByteOrder::Big) value = byteSwapped(value);
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    store(bytes.data() + at, value);
  }
  void putMarker(std::uint64_t payload) {
    if (m_format.markerBytes == 4) put(static_cast<std::uint32_t>(payload));
    if (m_format.markerBytes == 8) put(payload);
  }
  void putReal(double value) {
    if (m_format.precision == ScalarType::F32)
      put(static_cast<float>(value));
    else
      put(value);
  }
  std::vector<std::byte> bytes;

 private:
  Format m_format;
};

void checkWritable(const Layout& layout) {
  if (layout.blocks.empty()) throw Invalid("a PLOT3D file needs a block");
  if (!layout.format.multiGrid && layout.blocks.size() > 1)
    throw Invalid("a single-grid PLOT3D file holds one block, not " + std::to_string(layout.blocks.size()));
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    for (const std::int64_t n : layout.blocks[b].dims)
      if (n < 1 || n > INT32_MAX)
        throw Invalid("block " + std::to_string(b) + " is " + describe(layout.blocks[b].dims));
    if (layout.format.markerBytes == 4 &&
        layout.dataRecord(static_cast<int>(b), 0).bytes > static_cast<std::uint64_t>(kMaxMarked4))
      throw Invalid("block " + std::to_string(b) + " is too large for a record with 4-byte markers",
                    "use no markers or smaller blocks");
  }
}

}  // namespace

Plot3dWriter Plot3dWriter::grid(const std::filesystem::path& path, const Format& format,
                                const std::vector<Index3>& dims) {
  return {path, makeLayout(Content::Grid, format, dims), {}};
}

Plot3dWriter Plot3dWriter::solution(const std::filesystem::path& path, const Format& format,
                                    const std::vector<Index3>& dims, const FlowHeader& header) {
  return {path, makeLayout(Content::Solution, format, dims), header};
}

Plot3dWriter::Plot3dWriter(const std::filesystem::path& path, Layout layout, const FlowHeader& header)
    : m_path(path),
      m_temporary(path.parent_path() /
                  ("." + path.filename().string() + "." + std::to_string(::getpid()) + ".part")),
      m_layout(std::move(layout)) {
  checkWritable(m_layout);
  try {
    m_file = File::openForWriting(m_temporary, true);
    m_file.resize(m_layout.fileBytes);
    writeHead(header);
  } catch (const Error& error) {
    ::unlink(m_temporary.c_str());
    // the temporary name means nothing to the user; name the file that was asked for
    throw Io(error.message(), error.action()).at("file " + path.string());
  } catch (...) {
    ::unlink(m_temporary.c_str());
    throw;
  }
}

Plot3dWriter::Plot3dWriter(Plot3dWriter&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_temporary(std::move(other.m_temporary)),
      m_layout(std::move(other.m_layout)),
      m_file(std::move(other.m_file)),
      m_rows(std::move(other.m_rows)),
      m_committed(std::exchange(other.m_committed, true)) {}

Plot3dWriter::~Plot3dWriter() {
  if (!m_committed) ::unlink(m_temporary.c_str());
}

void Plot3dWriter::writeHead(const FlowHeader& header) {
  const Format& format = m_layout.format;
  HeadBytes head(format);
  if (format.multiGrid) {
    head.putMarker(4);
    head.put(static_cast<std::int32_t>(m_layout.blocks.size()));
    head.putMarker(4);
  }
  const std::uint64_t dimsBytes = 4 * static_cast<std::uint64_t>(format.dimensions) * m_layout.blocks.size();
  head.putMarker(dimsBytes);
  for (const BlockLayout& block : m_layout.blocks)
    for (int a = 0; a < format.dimensions; ++a) head.put(static_cast<std::int32_t>(block.dims[a]));
  head.putMarker(dimsBytes);
  m_file.writeAt(0, head.bytes);

  for (int b = 0; b < static_cast<int>(m_layout.blocks.size()); ++b) {
    if (m_layout.content == Content::Solution) {
      HeadBytes numbers(format);
      for (const double value : {header.mach, header.alpha, header.reynolds, header.time})
        numbers.putReal(value);
      const Record record = m_layout.headerRecord(b);
      m_file.writeAt(record.payload, numbers.bytes);
      writeMarkers(record);
    }
    for (std::int64_t n = 0; n < m_layout.dataRecords(b); ++n) writeMarkers(m_layout.dataRecord(b, n));
  }
}

void Plot3dWriter::writeMarkers(const Record& record) {
  HeadBytes marker(m_layout.format);
  marker.putMarker(record.bytes);
  if (marker.bytes.empty()) return;
  m_file.writeAt(record.payload - marker.bytes.size(), marker.bytes);
  m_file.writeAt(record.payload + record.bytes, marker.bytes);
}

template <class T, class Get>
void Plot3dWriter::writeVariable(const VariablePlace& place, int block, const IndexBox& box, Get get) {
  const Index3& dims = m_layout.blocks[static_cast<std::size_t>(block)].dims;
  const bool swap = m_layout.format.byteOrder == ByteOrder::Big;
  // adjacent rows are written at once
  const std::int64_t rows = box.size[0] == dims[0] ? box.size[1] : 1;
  const std::int64_t count = box.size[0] * rows;
  m_rows.resize(static_cast<std::size_t>(count) * sizeof(T));
  std::int64_t node = 0;
  for (std::int64_t k = 0; k < box.size[2]; ++k) {
    for (std::int64_t j = 0; j < box.size[1]; j += rows) {
      for (std::int64_t n = 0; n < count; ++n, ++node) {
        const T value = get(node);
        store(m_rows.data() + static_cast<std::size_t>(n) * sizeof(T), swap ? byteSwapped(value) : value);
      }
      const std::int64_t in = (box.first[1] + j) * dims[0] + box.first[0];
      m_file.writeAt(place.offset + static_cast<std::uint64_t>(box.first[2] + k) * place.planeStride +
                         static_cast<std::uint64_t>(in) * sizeof(T),
                     m_rows);
    }
  }
}

void Plot3dWriter::write(int block, const IndexBox& box, std::span<const double> values) {
  const int variables = variableCount(m_layout.content, m_layout.format);
  assert(values.size() == static_cast<std::size_t>(product(box.size) * variables));
  for (int v = 0; v < variables; ++v) {
    const auto value = [&](std::int64_t node) {
      return values[static_cast<std::size_t>(node * variables + v)];
    };
    if (m_layout.format.precision == ScalarType::F32)
      writeVariable<float>(m_layout.place(block, v), block, box,
                           [&](std::int64_t n) { return static_cast<float>(value(n)); });
    else
      writeVariable<double>(m_layout.place(block, v), block, box, value);
  }
}

void Plot3dWriter::writeIblank(int block, const IndexBox& box, std::span<const std::int32_t> values) {
  assert(m_layout.content == Content::Grid && m_layout.format.iblank);
  assert(values.size() == static_cast<std::size_t>(product(box.size)));
  writeVariable<std::int32_t>(m_layout.iblankPlace(block), block, box,
                              [&](std::int64_t n) { return values[static_cast<std::size_t>(n)]; });
}

void Plot3dWriter::commit() {
  m_file.close();
  if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
    throw ioError("cannot be written", errno).at("file " + m_path.string());
  m_committed = true;
}

}  // namespace farfield::plot3d
