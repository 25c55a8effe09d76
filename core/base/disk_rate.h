#pragma once
// How fast a disk answers, for estimates: a few dozen reads spread over a file, past the system's cache if
// the file system allows it, by as many threads as a run would have reads on their way.

#include <cstdint>
#include <filesystem>

namespace farfield {

/// Bytes per second of reads of about `requestBytes` with `readers` on their way, from `path`; 0 if the file
/// cannot be read or is too small to tell. Takes the time of some 64 reads.
double measureReadRate(const std::filesystem::path& path, std::uint64_t requestBytes, int readers);

}  // namespace farfield
