#pragma once
// Random reads of a file without Farfield: what the disk itself can do at a given size and depth, for
// comparison with reads through pages.

#include <cstdint>
#include <filesystem>

#include "core/base/anonymous_memory.h"

namespace farfield::bench {

enum class RawMethod {
  Uring,   ///< one thread, one ring
  Threads  ///< `depth` threads in pread
};

struct RawReads {
  std::uint64_t bytes = 0;  ///< of a read; rounded up to whole sectors of 4 KiB
  int depth = 1;            ///< reads on their way at a time
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  bool direct = true;  ///< past the system's cache; false: through it, with nothing of the file in it
  MemoryPages memory = MemoryPages::Huge;  ///< that is read into; direct reads are fastest into huge pages
  bool kept = false;                       ///< each read is checked and copied, as a page is; Threads only
};

/// Reads per second; 0 if the method is not available. Throws Io, Invalid (the file is shorter than a read).
double rawReadRate(const std::filesystem::path& path, RawMethod method, const RawReads& reads);

}  // namespace farfield::bench
