#pragma once
// Makes a striped set (striped_set.h) of a store: the same pages, byte for byte, in several files.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/store/store_file.h"

namespace farfield::paging {

struct StripeOptions {
  std::uint32_t parts = 2;  ///< 1 to kMostParts
  std::stop_token stop{};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< in pages; may be empty
};

/// The files of a set of so many parts: the set first.
std::vector<std::filesystem::path> filesOfSet(const std::filesystem::path& set, std::uint32_t parts);

/// Writes `set` (which ends in kStripesEnding) and its parts beside it. They take their names, the set last, when all of
/// them are whole and on the disk, and parts that a set of this name had beyond them go; a failure before leaves nothing behind. Every page is compared with its
/// checksum on the way. Memory is claimed from `account`. Returns how many pages there are. Throws Corrupt (the store
/// is damaged), Unsupported (it is a striped set itself), Io, OverBudget, Cancelled, Invalid.
std::uint64_t writeStripes(const ByteObject& store, const std::filesystem::path& set,
                           const StripeOptions& options, MemoryAccount& account);

}  // namespace farfield::paging
