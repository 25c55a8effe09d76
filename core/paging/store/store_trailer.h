#pragma once
// From the end of a file to its catalog: whether it is a store, complete and undamaged.

#include "core/paging/bytes/byte_object.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging::detail {

/// Reads and checks the trailer. Throws Invalid (not a store, or not finished), Corrupt, Unsupported, Io.
Trailer readTrailer(const ByteObject& reader);

/// Throws Corrupt, which names `part`, unless the range lies between HDF5's superblock and the trailer.
void checkRange(const NodePlace& place, std::uint64_t fileBytes, const std::string& part);

/// Reads place.bytes bytes into `out` and checks them against place.checksum. checkRange() has passed.
void readChecked(const ByteObject& reader, const NodePlace& place, std::span<std::byte> out,
                 const std::string& part);

}  // namespace farfield::paging::detail
