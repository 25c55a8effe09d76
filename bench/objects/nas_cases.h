#pragma once
// The data sets and devices of the experiment in nas.h.

#include <filesystem>
#include <vector>

#include "bench/benchmark.h"
#include "bench/shared/line_job.h"
#include "bench/shared/store_image.h"

namespace farfield::bench {

constexpr const char* kDefaultDisk = "this disk";

/// The data of a case as a store on the real disk.
struct DiskStore {
  const char* name;  ///< used as the device's name in the results
  std::filesystem::path path;
};

/// A data set as stores on the disk, and the lines to trace through it.
struct NasCase {
  const char* name;
  /// With the program's defaults; uncompressed, as the data of 2001 were; and with the pages of 2001: 8 nodes
  /// along an edge, of one variable.
  std::vector<DiskStore> stores;
  LineJob job;
  /// Less of the same, for devices so slow that the whole would take minutes without telling more.
  LineJob slowJob = {};
  int blocks = 1;
  std::int64_t steps = 1;
  std::uint64_t dataBytes = 0;    ///< as PLOT3D files would have: coordinates, solution, iblank
  std::uint64_t storedBytes = 0;  ///< of all pages
};

/// Makes the stores in `folder`:
///   sslv     the Space Shuttle launch vehicle: overlapping blocks with iblank, 1 step, 0.56 GB
///   f18      an aircraft at high angle of attack: many steps of a whirl; published 150 steps, 4.97 GB
///   harrier  a jet in ground effect: many more steps; published 1,600 steps, 107.7 GB
/// Scaled down to the request's extent.
std::vector<NasCase> makeNasCases(const Request& request, const std::filesystem::path& folder);

/// The devices other than the real disk, with the sources of their figures.
std::vector<Device> nasDevices();

}  // namespace farfield::bench
