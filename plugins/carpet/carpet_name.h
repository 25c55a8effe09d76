#pragma once
// Names in Cactus/Carpet's HDF5 output: of datasets ("WAVETOY::phi it=64 tl=0 rl=1 c=3"), of files (one per process), of folders.

#include <cstdint>
#include <optional>
#include <string>

namespace farfield::carpet {

struct DatasetName {
  std::string variable;  ///< "WAVETOY::phi"
  std::int64_t iteration = 0;
  std::int64_t timeLevel = 0;  ///< 0: the values of the iteration; others: those before it, for going on from
  std::int64_t map = 0;        ///< of several grids that cover the domain together
  std::int64_t level = 0;      ///< of refinement
  std::int64_t component = 0;  ///< part of a level, one or more per process
};

/// Nothing if it is no such name.
std::optional<DatasetName> datasetName(const std::string& name);

/// "phi.file_12.h5" is process 12 of "phi".
struct FileName {
  std::string set;
  std::int64_t process = 0;
};
/// Nothing if the name says no process.
std::optional<FileName> fileName(const std::string& name);

/// Whether a folder is one of those into which the files of many processes are divided ("level_1.group_2", "proc_7").
bool isPartOfSet(const std::string& folder);

}  // namespace farfield::carpet
