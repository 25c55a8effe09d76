#include "core/fields/paged/budget_advice.h"

#include <algorithm>

namespace farfield::fields {

std::uint64_t smallestBudget(std::uint64_t budgetBytes, const Rehearsal& rehearse) {
  for (;;) {
    MemoryAccount account(budgetBytes, MemoryAccount::Mode::Counts);
    const std::uint64_t after = rehearse(account);
    const std::uint64_t needed = (std::max(after, account.peakBytes()) + 1023) / 1024 * 1024;
    if (needed <= budgetBytes) return budgetBytes;
    budgetBytes = needed;
  }
}

void adviseBudget(OverBudget& error, std::uint64_t budgetBytes, const Rehearsal& rehearse) {
  std::uint64_t smallest = 0;
  try {
    smallest = smallestBudget(budgetBytes, rehearse);
  } catch (const Error&) {
    return;  // the first error says more than one from the rehearsal
  }
  if (smallest <= budgetBytes) return;
  // other advice of the error, such as smaller pages, stays
  const std::size_t more = error.action().find(", or ");
  error.advise(adviceToGive(smallest) + (more == std::string::npos ? "" : error.action().substr(more)));
}

}  // namespace farfield::fields
