#pragma once
// The order in which lines start, so that those in flight at a time, a few hundred of what may be a million,
// share pages. A line leaves its pages along the flow, so lines that begin one behind the other along the
// flow share most pages. Of the axes, the one along which lines move least separates them best: the data are
// traversed in layers across that axis, about as thick as a page. Without this order scattered lines read all
// of the data again and again.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/description.h"
#include "core/session/kinds/streamlines/flow_sketch.h"

namespace farfield::session {

/// Immutable; thread-safe. Its memory is claimed from the account.
class SeedOrder {
 public:
  /// Without a sketch, or without memory for another order, seeds come in the order of their numbers. With
  /// one, SeedSet::at() needs no coordinates of nodes.
  SeedOrder(const flow::SeedSet& seeds, const std::optional<FlowSketch>& sketch,
            const paging::DatasetDescription& description, MemoryAccount& account);

  /// The seed that starts as the n-th.
  std::size_t operator()(std::size_t n) const { return m_seeds.empty() ? n : m_seeds[n]; }

 private:
  MemoryClaim m_claim;
  std::vector<std::uint32_t> m_seeds;
};

}  // namespace farfield::session
