#pragma once
// A small picture of any data that open, made with no display and nobody watching: what the window shows of them first
// (app/first), within a small memory budget and a time limit, with what the data are written into its file.

#include <chrono>
#include <cstdint>
#include <filesystem>

#include "app/cli/options/command.h"
#include "core/fields/functions/open_data.h"

namespace farfield::cli {

struct ThumbnailOptions {
  std::filesystem::path file;  ///< a PNG, written whole or not at all
  int sizePixels = 256;        ///< of each side
  std::uint64_t memoryBytes = 0;
  int processors = 1;
  std::chrono::seconds timeLimit{20};
};

/// The memory budget of pictures where none is named.
constexpr std::uint64_t kThumbnailMemoryBytes = std::uint64_t{256} << 20;

/// Throws Unsupported (no pictures in this build, or not in that time), Cancelled, and what opening and computing throw;
/// there is no file then.
void makeThumbnail(const fields::OpenRequest& request, const ThumbnailOptions& options,
                   const Context& context);

}  // namespace farfield::cli
