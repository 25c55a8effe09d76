#pragma once
// NRRD files as arrays: raw values in place, compressed and text ones from a copy (plugins/arrays/copies.h).

#include <filesystem>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/arrays/option_words.h"

namespace farfield::nrrd {

struct NrrdData {
  paging::DatasetDescription description;
  std::vector<arrays::ArrayPlace> places;
  std::vector<std::string> explain;
  paging::ByteObjects objects;                    ///< what URLs named
  std::vector<std::filesystem::path> valueFiles;  ///< beside the headers, where those name them
};

/// `stores` opens the files. Several files are the steps and must be alike. Options: `axes` (what each axis
/// is, fastest first, as letters: c components, i, j, k, t steps; default: by the header's kinds), `endian`,
/// `name` of the variable ("value"), `spacing`, `origin`, `vectors`. With `copy` false nothing is copied, and
/// compressed and text files have a description but no values. Throws Corrupt, Unsupported, Invalid, Io.
NrrdData describeNrrd(const fields::OpenRequest& request, bool copy, const paging::ByteStores& stores = {});

}  // namespace farfield::nrrd
