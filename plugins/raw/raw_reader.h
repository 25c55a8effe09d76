#pragma once
// Files of plain numbers, of which options say what they are. Read in place, whatever their size.

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

/// Options: `dims` (nodes along i, j, k: one to three numbers), `type`, `offset` (bytes before the numbers), `endian`
/// (little), `components` (1), `order` (of these: "interleaved" or "planar"), `steps` in one file (1), `name` (of the
/// variable, or one for each component; "value"), `spacing`, `origin`, `vectors`.
/// Files are what `stores` finds by their names. Several are planes of one volume where together they hold just that, else each is a step. Throws Invalid
/// with what could be meant where `dims` or `type` are missing or do not fit, Corrupt where a file is too short.
RawData describeRaw(const std::vector<std::string>& files, const arrays::Options& options,
                    const paging::ByteStores& stores = {});

}  // namespace farfield::raw
