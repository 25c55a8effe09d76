#pragma once
// What a job would need, for the error of a budget that is too small. Opening data and sharing out memory
// each need something of the budget, and so does every data set that is opened; a user who is told of the
// first only runs into the next. So the job is rehearsed with an account that refuses nothing, which
// allocates nothing and reads nothing but headers, and the error names the one budget that is enough for all
// of it.

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/base/memory_account.h"

namespace farfield::fields {

/// Opens everything that the job opens, with the account that it is given, and returns the least budget with
/// which the job can go on then: what is claimed, and what it must find free.
using Rehearsal = std::function<std::uint64_t(MemoryAccount& account)>;

/// The least budget in whole KiB, from `budgetBytes` on, with which the rehearsed job works. What is needed
/// may grow with the budget (an index that takes its share), but more slowly.
std::uint64_t smallestBudget(std::uint64_t budgetBytes, const Rehearsal& rehearse);

/// Makes `error`, which came of `budgetBytes`, advise the smallest budget. Leaves it as it is where the
/// rehearsal finds nothing wrong with the budget, or fails.
void adviseBudget(OverBudget& error, std::uint64_t budgetBytes, const Rehearsal& rehearse);

/// Does `work`, whose OverBudget errors get that advice.
template <class Work>
auto withBudgetAdvice(std::uint64_t budgetBytes, const Rehearsal& rehearse, Work&& work) {
  try {
    return work();
  } catch (OverBudget& error) {
    adviseBudget(error, budgetBytes, rehearse);
    throw;
  }
}

}  // namespace farfield::fields
