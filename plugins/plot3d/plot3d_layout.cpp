#include "plugins/plot3d/plot3d_layout.h"

#include "core/base/bytes.h"

namespace farfield::plot3d {

std::uint64_t headBytes(Content content, const Format& format, std::int64_t blocks) {
  const std::uint64_t markers = 2 * static_cast<std::uint64_t>(format.markerBytes);
  return (format.multiGrid ? 4 + markers : 0) + markers +
         static_cast<std::uint64_t>(checkedProduct({4, headNumbers(content, format, blocks)}));
}

VariablePlace Layout::place(int block, int variable) const {
  const BlockLayout& b = blocks[static_cast<std::size_t>(block)];
  const auto real = static_cast<std::uint64_t>(sizeOf(format.precision));
  const auto plane = static_cast<std::uint64_t>(b.dims[0] * b.dims[1]);
  const auto nodes = plane * static_cast<std::uint64_t>(b.dims[2]);
  const std::uint64_t element = variable == variableCount(content, format) ? 4 : real;
  return {b.data + nodes * real * static_cast<std::uint64_t>(variable), plane * element};
}

std::int64_t Layout::dataBytes(int block) const {
  return product(blocks[static_cast<std::size_t>(block)].dims) * nodeBytes(content, format);
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
    at = block.data + static_cast<std::uint64_t>(bytes) + marker;
    if (at > std::uint64_t{1} << 62) throw Corrupt("the blocks together are larger than any file can be");
    layout.blocks.push_back(block);
  }
  return layout;
}

}  // namespace farfield::plot3d
