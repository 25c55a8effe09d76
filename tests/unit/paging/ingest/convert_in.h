#pragma once
// Conversion under a budget that is held to it, and what it wrote.

#include <cstdint>
#include <filesystem>

#include "core/base/error.h"
#include "core/paging/ingest/converter.h"
#include "tests/support/file_contents.h"

namespace farfield::paging::test {

using farfield::test::fileContents;

inline constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

/// Throws Invalid where more than `budget` was claimed, or not all was given back.
inline ConvertResult convertIn(std::uint64_t budget, const BoxReader& reader,
                               const std::filesystem::path& path, const ConvertOptions& options) {
  MemoryAccount account(budget);
  const ConvertResult result = convert(reader, path, options, account);
  if (account.usedBytes() != 0 || account.peakBytes() > budget) throw Invalid("the budget was not kept");
  return result;
}

}  // namespace farfield::paging::test
