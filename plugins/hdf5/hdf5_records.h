#pragma once
// Short lists of compounds (boxes, vectors of an index) in HDF5 files, as plain numbers: what formats say of their grids with them.

#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/hdf5/hdf5_file.h"

namespace farfield::hdf5 {

/// The whole numbers `members` of each record of a dataset, one record after the other, in the order of `members`. Memory is
/// claimed from `account` while they are read. Throws Corrupt if there is no such dataset or it has no such members, Unsupported
/// if it has more than `most` records.
std::vector<std::int64_t> recordsOf(const File& file, const std::string& dataset,
                                    const std::vector<std::string>& members, std::size_t most,
                                    MemoryAccount& account);
/// The same of an attribute that is one record, as doubles; empty if it is not there or is none.
std::vector<double> recordOf(const File& file, const std::string& object, const std::string& attribute,
                             const std::vector<std::string>& members);

}  // namespace farfield::hdf5
