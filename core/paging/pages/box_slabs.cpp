#include "core/paging/pages/box_slabs.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::paging {
namespace {
constexpr std::int64_t kSlabBytes = std::int64_t{4} << 20;
}

BoxSlabs::BoxSlabs(const BoxReader& reader, const SlabOptions& options)
    : m_reader(reader), m_options(options) {
  for (const ArrayDescription& array : reader.description().arrays)
    m_total += static_cast<std::uint64_t>(array.steps * product(array.layout.dims()));
}

void BoxSlabs::forEach(std::uint32_t number, std::int64_t step, const Use& use) {
  const ArrayDescription& array = m_reader.description().arrays[number];
  const Index3 dims = array.layout.dims();
  const std::int64_t rowBytes = dims[0] * array.nodeBytes();
  const std::int64_t rows = std::clamp<std::int64_t>(kSlabBytes / rowBytes, 1, dims[1]);
  const std::int64_t layers =
      rows < dims[1] ? 1 : std::clamp<std::int64_t>(kSlabBytes / (rowBytes * dims[1]), 1, dims[2]);
  for (std::int64_t k = 0; k < dims[2]; k += layers) {
    for (std::int64_t j = 0; j < dims[1]; j += rows) {
      if (m_options.stop.stop_requested()) throw Cancelled();
      const IndexBox box{{0, j, k}, {dims[0], std::min(rows, dims[1] - j), std::min(layers, dims[2] - k)}};
      m_bytes.resize(static_cast<std::size_t>(product(box.size) * array.nodeBytes()));
      m_reader.read(number, step, box, m_bytes);
      use(box, m_bytes);
      m_done += static_cast<std::uint64_t>(product(box.size));
      if (m_options.progress) m_options.progress(m_done, m_total);
    }
  }
}

std::span<const double> BoxSlabs::toDoubles(const ArrayDescription& array, std::span<const std::byte> nodes) {
  m_doubles.resize(nodes.size() / static_cast<std::size_t>(sizeOf(array.type)));
  toDouble(nodes.data(), array.type, 0, static_cast<std::int64_t>(m_doubles.size()), m_doubles.data());
  return m_doubles;
}

}  // namespace farfield::paging
