#pragma once
// HDF5 files as gridded data: NetCDF-4 by its dimensions and attributes, other files by the extents of their datasets.

#include <string>
#include <vector>

#include "plugins/cf/cf_reader.h"
#include "plugins/hdf5/hdf5_bytes.h"

namespace farfield::hdf5 {

/// An open file and what is in it.
struct OpenedHdf5 {
  std::string path;
  std::shared_ptr<File> file;
  Contents contents;
  MemoryClaim claim = {};  ///< of the contents
};

/// Memory is claimed from `account`. Throws Corrupt, OverBudget, what Outside::look() throws.
OpenedHdf5 openFile(const std::string& path, std::shared_ptr<const paging::ByteObject> object,
                    MemoryAccount& account);

/// Dimensions and variables by the conventions of NetCDF-4. Datasets of other files: those of equal extents have the same
/// dimensions, x being the fastest; a fastest dimension much shorter than the others counts components. Throws Corrupt.
cf::File fileOf(const OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches);

/// As cf::describe, cut by its chunks where it has any (`inChunks`), with the options `variable`, `vectors`, `origin`, `spacing` and `vertical`. Formats on
/// HDF5 with rules of their own (CGNS, Chombo, Cactus) are Unsupported unless one of their datasets is named.
cf::CfData describeHdf5(const std::vector<OpenedHdf5>& files, const arrays::Options& options,
                        const std::shared_ptr<chunks::ChunkCaches>& caches, MemoryAccount& account,
                        bool* inChunks = nullptr);

}  // namespace farfield::hdf5
