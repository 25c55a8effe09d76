#pragma once
// The order in which the lines of scattered seeds start: seeds that lie near one another, in boxes about as large as a page, one after
// another, so that lines in flight at a time share pages. Without it the lines of scattered seeds, of which the stacks
// allow a few hundred at a time, read all of the data again and again.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/memory_account.h"
#include "core/flow/seeds.h"
#include "core/paging/pages/description.h"

namespace farfield::session {

/// Immutable; thread-safe. Its memory is claimed from the account.
class SeedOrder {
 public:
  /// As they are numbered where they are `inOrder`, are few, or have no memory for another order. Otherwise SeedSet::at()
  /// needs no coordinates of nodes.
  SeedOrder(const flow::SeedSet& seeds, bool inOrder, const paging::DatasetDescription& description,
            MemoryAccount& account);

  /// The seed that comes as the n-th.
  std::size_t operator()(std::size_t n) const { return m_seeds.empty() ? n : m_seeds[n]; }

 private:
  MemoryClaim m_claim;
  std::vector<std::uint32_t> m_seeds;
};

}  // namespace farfield::session
