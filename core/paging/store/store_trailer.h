#pragma once
// From the end of a file to its catalog: whether it is a store, complete and undamaged.

#include <optional>

#include "core/paging/bytes/byte_object.h"
#include "core/paging/store/growth_note.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging::detail {

/// The first bytes of an HDF5 file.
constexpr unsigned char kHdf5Signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/// Reads and checks the trailer: that of the file's end, or, of a store in the middle of growing, that of what it was
/// before. The file may grow from then on. Throws Invalid (not a store, or not finished), Corrupt, Unsupported, Io.
Trailer readTrailer(const ByteObject& reader);

/// The note of a store that has grown, is about to, or was interrupted; nothing in any other.
std::optional<GrowthNote> readGrowthNote(const ByteObject& reader);
/// From now on a store that grows counts as unchanged. For the time before readTrailer(), which says so itself.
void letStoreGrow(const ByteObject& reader);
std::uint64_t checksumOf(const GrowthNote& note);

/// Throws Corrupt, which names `part`, unless the range lies between HDF5's superblock and the trailer.
void checkRange(const NodePlace& place, std::uint64_t fileBytes, const std::string& part);

/// Reads place.bytes bytes into `out` and checks them against place.checksum. checkRange() has passed.
void readChecked(const ByteObject& reader, const NodePlace& place, std::span<std::byte> out,
                 const std::string& part);

}  // namespace farfield::paging::detail
