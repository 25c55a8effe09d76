#pragma once
// Pages out of a window of nodes.

#include <span>

#include "core/paging/ingest/window_stream.h"
#include "core/paging/store/page_summary.h"

namespace farfield::paging::detail {

/// Copies the nodes of the page `box` of `array` out of `window` into `page`, and returns the summary of the
/// cells that the page owns. `component`: the one to take if the window has more than the array; else 0.
PageSummary cutPage(const ArrayDescription& array, const IndexBox& box, const Window& window, int component,
                    std::span<std::byte> page);

}  // namespace farfield::paging::detail
