#pragma once
// CGNS files in the ADF format (Advanced Data Format, the one before HDF5) as the same tree: what is in one is listed as the HDF5
// plug-in lists a file, with the dataset " data" for a node's numbers and the attributes that SIDS-to-HDF5 gives nodes, so all that
// knows CGNS reads both. The format: the tables at the beginning of the CGNS library's ADF_internals.c. Everything but the numbers
// is text, numbers of places are hexadecimal, and a place is a block of 4,096 bytes and an offset within it.

#include <map>
#include <memory>
#include <string>

#include "core/paging/bytes/byte_object.h"
#include "plugins/arrays/byte_source.h"
#include "plugins/hdf5/hdf5_contents.h"

namespace farfield::cgns {

/// Whether the object begins as a file of ADF. False if it cannot be read. Throws Cancelled.
bool isAdf(const std::string& source, const paging::ByteStores& stores);

struct AdfFile {
  hdf5::Contents contents;  ///< `all` is false beyond 20,000 nodes and pieces of data
  /// By a dataset's path: exactly its bytes, which lie in one piece of the file or in several.
  std::map<std::string, std::shared_ptr<const arrays::ByteSource>> bytes;
};

/// Links within the file stand for what they lead to; links to other files are nodes with the attribute "type" "LK". Reads
/// headers and tables only; its memory is bounded by the limit of nodes. Throws Corrupt, Unsupported (numbers as no machine of
/// today writes them), Io.
AdfFile readAdf(const std::shared_ptr<const paging::ByteObject>& object);

}  // namespace farfield::cgns
