#include "core/paging/ingest/node_pages.h"

#include <cstring>

#include "core/paging/ingest/row_summary.h"
#include "core/paging/location/window_plan.h"

namespace farfield::paging::detail {
namespace {

/// The rows of a page and of the node layer after it, inside a window.
struct PageRows {
  const std::byte* first;
  std::size_t rowStride, planeStride;  // bytes
  Index3 own, owned;                   // nodes of the page, and with the layer after it
  std::size_t nodeBytes;               // in the page
  std::size_t windowNodeBytes;         // in the window: more if one component is taken

  const std::byte* row(std::int64_t j, std::int64_t k) const {
    return first + static_cast<std::size_t>(k) * planeStride + static_cast<std::size_t>(j) * rowStride;
  }
};

/// Calls see(row) with every row that the page owns, and copies those of the page.
template <class See>
void walk(const PageRows& rows, std::byte* to, See see) {
  const bool whole = rows.nodeBytes == rows.windowNodeBytes;
  const std::size_t rowBytes = static_cast<std::size_t>(rows.own[0]) * rows.nodeBytes;
  std::vector<std::byte> picked(whole ? 0 : static_cast<std::size_t>(rows.owned[0]) * rows.nodeBytes);
  for (std::int64_t k = 0; k < rows.owned[2]; ++k)
    for (std::int64_t j = 0; j < rows.owned[1]; ++j) {
      const std::byte* row = rows.row(j, k);
      if (!whole) {
        for (std::int64_t n = 0; n < rows.owned[0]; ++n, row += rows.windowNodeBytes)
          std::memcpy(&picked[static_cast<std::size_t>(n) * rows.nodeBytes], row, rows.nodeBytes);
        row = picked.data();
      }
      see(row);
      if (j == rows.own[1] || k == rows.own[2]) continue;
      std::memcpy(to, row, rowBytes);
      to += rowBytes;
    }
}

template <class T>
PageSummary cutSlowly(const PageRows& rows, const ArrayDescription& array, std::byte* to) {
  PageSummary summary(array.components);
  const std::size_t bytes = static_cast<std::size_t>(rows.owned[0]) * rows.nodeBytes;
  walk(rows, to, [&](const std::byte* row) { summary.add({row, bytes}, array.type); });
  return summary;
}

template <class T, int kComponents>
PageSummary cutInLanes(const PageRows& rows, const ArrayDescription& array, std::byte* to) {
  const std::size_t count = static_cast<std::size_t>(rows.owned[0]) * kComponents;
  RowSummary<T, kComponents> lanes;
  walk(rows, to, [&](const std::byte* row) { lanes.add(reinterpret_cast<const T*>(row), count); });
  if (!lanes.allFinite()) return cutSlowly<T>(rows, array, to);
  PageSummary summary(kComponents);
  lanes.foldInto(summary);
  return summary;
}

template <class T>
PageSummary cutRows(const PageRows& rows, const ArrayDescription& array, std::byte* to) {
  switch (array.components) {
    case 1:
      return cutInLanes<T, 1>(rows, array, to);
    case 3:
      return cutInLanes<T, 3>(rows, array, to);
    case 5:
      return cutInLanes<T, 5>(rows, array, to);
    default:
      return cutSlowly<T>(rows, array, to);
  }
}

}  // namespace

PageSummary cutPage(const ArrayDescription& array, const IndexBox& box, const Window& window, int component,
                    std::span<std::byte> page) {
  const IndexBox& from = window.job.window;
  const Index3 at = {box.first[0] - from.first[0], box.first[1] - from.first[1],
                     box.first[2] - from.first[2]};
  PageRows rows;
  rows.nodeBytes = static_cast<std::size_t>(array.nodeBytes());
  rows.windowNodeBytes = static_cast<std::size_t>(window.nodeBytes);
  rows.rowStride = static_cast<std::size_t>(from.size[0]) * rows.windowNodeBytes;
  rows.planeStride = static_cast<std::size_t>(from.size[1]) * rows.rowStride;
  rows.own = box.size;
  rows.owned = withApron(box, array.layout.dims()).size;
  rows.first = window.nodes.data() + static_cast<std::size_t>(linear(at, from.size)) * rows.windowNodeBytes +
               static_cast<std::size_t>(component) * rows.nodeBytes;
  switch (array.type) {
    case ScalarType::F32:
      return cutRows<float>(rows, array, page.data());
    case ScalarType::F64:
      return cutRows<double>(rows, array, page.data());
    case ScalarType::U8:
      return cutRows<std::uint8_t>(rows, array, page.data());
    case ScalarType::I8:
      return cutRows<std::int8_t>(rows, array, page.data());
    case ScalarType::U16:
      return cutRows<std::uint16_t>(rows, array, page.data());
    case ScalarType::I16:
      return cutRows<std::int16_t>(rows, array, page.data());
    case ScalarType::I32:
      return cutRows<std::int32_t>(rows, array, page.data());
  }
  return PageSummary(array.components);
}

}  // namespace farfield::paging::detail
