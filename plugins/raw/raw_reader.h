#pragma once
// Files of plain numbers, described by options and read in place at any size.

#include <memory>
#include <string>
#include <vector>

#include "plugins/arrays/array_reader.h"
#include "plugins/arrays/option_words.h"

namespace farfield::raw {

struct RawData {
  paging::DatasetDescription description;
  std::vector<arrays::ArrayPlace> places;
  std::vector<std::string> explain;
  paging::ByteObjects objects;  ///< what URLs named
};

/// Options: `dims` (nodes along i, j, k: one to three numbers), `type`, `offset` (bytes before the numbers),
/// `endian` (little), `components` (1), `order` of components ("interleaved" or "planar"), `steps` in one
/// file (1), `name` (of the variable, or one for each component; "value"), `spacing`, `origin`, `vectors`.
/// `stores` opens the files. Several files are planes of one volume if together they hold exactly that, else
/// each is a step. Throws Invalid with the possible values if `dims` or `type` are missing or do not fit,
/// Corrupt if a file is too short.
RawData describeRaw(const std::vector<std::string>& files, const arrays::Options& options,
                    const paging::ByteStores& stores = {});

}  // namespace farfield::raw
