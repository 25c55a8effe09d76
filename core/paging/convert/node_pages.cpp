#include "core/paging/convert/node_pages.h"

#include <cstring>

#include "core/paging/boxes/window_plan.h"

namespace farfield::paging::detail {
namespace {

/// One of several components of `count` nodes.
void pick(const std::byte* from, std::size_t stride, std::size_t bytes, std::int64_t count, std::byte* to) {
  for (std::int64_t n = 0; n < count; ++n, from += stride, to += bytes) std::memcpy(to, from, bytes);
}

}  // namespace

PageSummary cutPage(const ArrayDescription& array, const IndexBox& box, const Window& window, int component,
                    std::span<std::byte> page) {
  const Index3& windowSize = window.job.window.size;
  const Index3& windowFirst = window.job.window.first;
  const IndexBox owned = withApron(box, array.layout.dims());
  const auto stride = static_cast<std::size_t>(window.nodeBytes);
  const auto bytes = static_cast<std::size_t>(array.nodeBytes());
  const bool whole = stride == bytes;
  const std::size_t rowBytes = static_cast<std::size_t>(box.size[0]) * bytes;
  const std::size_t ownedBytes = static_cast<std::size_t>(owned.size[0]) * bytes;
  std::vector<std::byte> picked(whole ? 0 : ownedBytes);

  PageSummary summary(array.components);
  std::byte* to = page.data();
  for (std::int64_t k = 0; k < owned.size[2]; ++k)
    for (std::int64_t j = 0; j < owned.size[1]; ++j) {
      const Index3 at = {box.first[0] - windowFirst[0], box.first[1] + j - windowFirst[1],
                         box.first[2] + k - windowFirst[2]};
      const std::byte* row = window.nodes.data() + static_cast<std::size_t>(linear(at, windowSize)) * stride;
      if (!whole) {
        pick(row + static_cast<std::size_t>(component) * bytes, stride, bytes, owned.size[0], picked.data());
        row = picked.data();
      }
      summary.add({row, ownedBytes}, array.type);
      if (j == box.size[1] || k == box.size[2]) continue;
      std::memcpy(to, row, rowBytes);
      to += rowBytes;
    }
  return summary;
}

}  // namespace farfield::paging::detail
