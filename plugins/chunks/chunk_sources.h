#pragma once
// Pages that are chunks, read as the store's pages are: many ranges on their way at a time, unpacked by the processors that want
// them. Arrays whose pages are not just a chunk each are read by boxes.

#include <memory>
#include <string>

#include "core/fields/data/box_data.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::chunks {

/// Sources for the arrays of `reader`, which are cut by cutByChunks(). `name` is put in front of errors.
std::shared_ptr<const fields::BoxSources> chunkSources(std::shared_ptr<const arrays::ArrayReader> reader,
                                                       std::string name);

}  // namespace farfield::chunks
