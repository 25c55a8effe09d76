#pragma once
// What a job would need, for the error of a budget that is too small. Opening data, dividing memory and every
// further data set need some of the budget; a user who raises it for the first need only runs into the next.
// So the job is rehearsed with an account that refuses nothing, allocates nothing and reads only headers, and
// the error names one budget that is enough for all.

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/base/memory_account.h"

namespace farfield::fields {

/// Opens everything that the job opens, with the given account, and returns the least budget with which the
/// job can then go on: what is claimed, and what it must find free.
using Rehearsal = std::function<std::uint64_t(MemoryAccount& account)>;

/// The least budget in whole KiB, from `budgetBytes` on, with which the rehearsed job works. The need may
/// grow with the budget (an index takes a share of it), but more slowly.
std::uint64_t smallestBudget(std::uint64_t budgetBytes, const Rehearsal& rehearse);

/// Makes `error`, which happened with `budgetBytes`, advise the smallest budget. Leaves it unchanged if the
/// rehearsal fails, or finds that the budget is enough.
void adviseBudget(OverBudget& error, std::uint64_t budgetBytes, const Rehearsal& rehearse);

/// Does `work`; its OverBudget errors get that advice.
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
