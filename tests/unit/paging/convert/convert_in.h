#pragma once
// Conversion under a budget that is held to it, and what it wrote.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/base/error.h"
#include "core/paging/convert/converter.h"

namespace farfield::paging::test {

inline constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

inline std::string bytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Throws Invalid where more than `budget` was claimed, or not all was given back.
inline ConvertResult convertIn(std::uint64_t budget, const BoxReader& reader,
                               const std::filesystem::path& path, const ConvertOptions& options) {
  MemoryAccount account(budget);
  const ConvertResult result = convert(reader, path, options, account);
  if (account.usedBytes() != 0 || account.peakBytes() > budget) throw Invalid("the budget was not kept");
  return result;
}

}  // namespace farfield::paging::test
