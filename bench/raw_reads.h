#pragma once
// Random reads of a file with nothing but the system in between: what the disk itself can do at a given size
// and depth, and what reads through pages are held against.

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
  bool direct = true;  ///< past the system's cache; false: through it, but nothing of the file is in it
  MemoryPages memory = MemoryPages::Huge;  ///< that is read into; direct reads are fastest into huge pages
  bool kept = false;  ///< each read is checked and copied to where it stays, as a page is; Threads only
};

/// Reads a second. 0 where the method is not granted here. Throws Io, Invalid (the file is shorter than a
/// read).
double rawReadRate(const std::filesystem::path& path, RawMethod method, const RawReads& reads);

}  // namespace farfield::bench
