#pragma once
// Levels of detail of volumes that are kept in the cache folder: which ones some data could have, and opening them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "core/paging/ingest/kept_levels.h"

namespace farfield::app {

/// What is wanted of data as they were opened by a registry, for functions of `arrays`. Nothing where it is not known how
/// they are opened again, or from which files they come.
std::optional<paging::LevelsWanted> levelsWantedOf(const fields::OpenData& data,
                                                   const std::vector<std::string>& arrays, std::int64_t step);

/// Level `level` (1 or more) as it is kept; null where none is, or it cannot be read, and then it is removed. Throws OverBudget.
std::unique_ptr<fields::OpenData> openKeptLevel(const paging::KeptLevels& kept, const fields::OpenData& data,
                                                const std::vector<std::string>& arrays, std::int64_t step,
                                                int level, MemoryAccount& account);

}  // namespace farfield::app
