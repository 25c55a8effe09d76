#pragma once
// Opening arrays of files of which some are stored in chunks.

#include <memory>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "core/fields/functions/reading_choices.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::chunks {

/// Data of `reader`, whose bytes come from `objects`, those that `request` names as sources, in the same order. With `inChunks` the
/// arrays have been cut by cutByChunks(), and their pages come from chunkSources(). `explanation` as in openBoxes(). Memory is
/// claimed as in DataReader::open. Throws what openBoxes() throws.
std::unique_ptr<fields::OpenData> openChunked(std::shared_ptr<const arrays::ArrayReader> reader,
                                              const paging::ByteObjects& objects, bool inChunks,
                                              const fields::OpenRequest& request,
                                              std::vector<std::string> explanation, MemoryAccount& account,
                                              std::vector<fields::ReadingChoice> choices = {});

}  // namespace farfield::chunks
