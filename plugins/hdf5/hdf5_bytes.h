#pragma once
// The numbers of datasets as bytes to read in place: where chunks lie is read from the file's index of them; of the library it is asked
// where the index is of another kind. The bytes come from the byte layer.

#include <memory>

#include "plugins/chunks/chunk_array.h"
#include "plugins/hdf5/hdf5_contents.h"

namespace farfield::hdf5 {

/// Of a dataset without `why`, or of letters. Throws Corrupt.
std::shared_ptr<const arrays::ByteSource> bytesOf(const std::shared_ptr<File>& file, const Dataset& dataset,
                                                  const std::shared_ptr<chunks::ChunkCaches>& caches);

}  // namespace farfield::hdf5
