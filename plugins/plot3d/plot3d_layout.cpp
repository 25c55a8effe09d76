#include "plugins/plot3d/plot3d_layout.h"

#include "core/base/bytes.h"

namespace farfield::plot3d {

std::uint64_t headBytes(Content content, const Format& format, std::int64_t blocks) {
  const std::uint64_t markers = 2 * static_cast<std::uint64_t>(format.markerBytes);
  return (format.multiGrid ? 4 + markers : 0) + markers +
         static_cast<std::uint64_t>(checkedProduct({4, headNumbers(content, format, blocks)}));
}

namespace {

/// Bytes of one plane of k, all variables.
std::uint64_t planeBytes(const Layout& layout, const BlockLayout& block) {
  return static_cast<std::uint64_t>(block.dims[0] * block.dims[1] * nodeBytes(layout.content, layout.format));
}

}  // namespace

VariablePlace Layout::place(int block, int variable) const {
  const BlockLayout& b = blocks[static_cast<std::size_t>(block)];
  const auto real = static_cast<std::uint64_t>(sizeOf(format.precision));
  const auto plane = static_cast<std::uint64_t>(b.dims[0] * b.dims[1]);
  const auto before = real * static_cast<std::uint64_t>(variable);
  if (format.planes)
    return {b.data + plane * before,
            planeBytes(*this, b) + 2 * static_cast<std::uint64_t>(format.markerBytes)};
  const auto nodes = plane * static_cast<std::uint64_t>(b.dims[2]);
  const std::uint64_t element = variable == variableCount(content, format) ? 4 : real;
  return {b.data + nodes * before, plane * element};
}

std::int64_t Layout::dataBytes(int block) const {
  return product(blocks[static_cast<std::size_t>(block)].dims) * nodeBytes(content, format);
}

std::int64_t Layout::dataRecords(int block) const {
  return format.planes ? blocks[static_cast<std::size_t>(block)].dims[2] : 1;
}

Record Layout::dataRecord(int block, std::int64_t number) const {
  const BlockLayout& b = blocks[static_cast<std::size_t>(block)];
  if (!format.planes) return {b.data, static_cast<std::uint64_t>(dataBytes(block))};
  const VariablePlace first = place(block, 0);
  return {first.offset + static_cast<std::uint64_t>(number) * first.planeStride, planeBytes(*this, b)};
}

Record Layout::headerRecord(int block) const {
  return {blocks[static_cast<std::size_t>(block)].header,
          static_cast<std::uint64_t>(headerBytes(content, format))};
}

Layout makeLayout(Content content, const Format& format, const std::vector<Index3>& dims) {
  const auto marker = static_cast<std::uint64_t>(format.markerBytes);
  Layout layout{content, format, {}, headBytes(content, format, static_cast<std::int64_t>(dims.size()))};
  layout.blocks.reserve(dims.size());
  std::uint64_t& at = layout.fileBytes;
  for (const Index3& d : dims) {
    BlockLayout block{d, 0, 0};
    if (content == Content::Solution) {
      block.header = at + marker;
      at = block.header + static_cast<std::uint64_t>(headerBytes(content, format)) + marker;
    }
    block.data = at + marker;
    const std::int64_t bytes = checkedProduct({d[0], d[1], d[2], nodeBytes(content, format)});
    const std::int64_t more = format.planes ? checkedProduct({2 * format.markerBytes, d[2] - 1}) : 0;
    at = block.data + static_cast<std::uint64_t>(bytes) + static_cast<std::uint64_t>(more) + marker;
    if (at > std::uint64_t{1} << 62) throw Corrupt("the blocks together are larger than any file can be");
    layout.blocks.push_back(block);
  }
  return layout;
}

}  // namespace farfield::plot3d
