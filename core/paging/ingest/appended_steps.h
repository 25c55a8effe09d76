#pragma once
// Steps for a store that there is already: which of the input's are new, and the input seen as if it were the data of the
// longer store, whose earlier steps nobody reads.
//
// What has one step in the store (a grid that stands still) is compared with the input's, value by value. Where the store has a single
// step, variables change from now on, and whatever else differs does, too.

#include <memory>

#include "core/base/memory_account.h"
#include "core/paging/ingest/output_plan.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/store/catalog.h"

namespace farfield::paging::detail {

/// A finished store as the converter needs it.
struct StoreToExtend {
  std::shared_ptr<const ByteObject> object;
  MemoryClaim claim;
  Catalog catalog;
  std::uint64_t fileBytes = 0;
};

/// Throws NotFound, Invalid (no store), Unsupported (a striped set), Corrupt, Io, OverBudget.
StoreToExtend storeToExtend(const std::filesystem::path& path, MemoryAccount& account);

/// The first step of `input` that the store of `store` does not have, which is their number if it has all. Throws Invalid if
/// an earlier one is none of the store's, or it has all of a single step.
std::int64_t firstNewStep(const DatasetDescription& store, const DatasetDescription& input);

struct Extension {
  OutputPlan plan;                   ///< of the longer store
  std::unique_ptr<BoxReader> input;  ///< the input as its data; borrows the input
};

/// `options` have page edge and levels of the store; whether it is split is found out. Throws Invalid, which says what the store and the
/// input do not have in common; Corrupt, Io, Cancelled, OverBudget.
Extension extend(const StoreToExtend& store, const BoxReader& input, std::int64_t firstStep,
                 const ConvertOptions& options, MemoryAccount& account);

}  // namespace farfield::paging::detail
