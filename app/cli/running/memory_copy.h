#pragma once
// Data that are pages already, read into memory as boxes, so that they can be cut into other pages.

#include <memory>

#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::cli {

/// All arrays of `data` but the location bounds, which a conversion makes itself. Waits for all pages. The
/// copy is claimed from `account`. Throws OverBudget where it does not fit, and what reading throws.
std::unique_ptr<paging::BoxReader> copyToMemory(const fields::OpenData& data, MemoryAccount& account);

}  // namespace farfield::cli
