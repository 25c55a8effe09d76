#include "core/paging/store/store_trailer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/paging/bytes/growing_object.h"
#include "core/paging/pages/codec.h"

namespace farfield::paging::detail {
namespace {

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// For a file without a trailer: throws what it is instead.
[[noreturn]] void failWithoutTrailer(const ByteObject& reader) {
  char head[8]{};
  if (reader.size() >= sizeof head) reader.readAt(0, std::as_writable_bytes(std::span(head)));
  if (std::memcmp(head, kPartialMagic, sizeof head) == 0)
    throw Invalid("is an unfinished store: its conversion was interrupted", "run it again with --resume");
  if (std::memcmp(head, kHdf5Signature, sizeof head) == 0)
    throw Corrupt("does not end as a store does", "it is cut short, or an HDF5 file of another kind");
  throw Invalid("is not a Farfield store");
}

bool isTrailer(const Trailer& trailer) {
  return std::memcmp(trailer.magic, Trailer{}.magic, sizeof trailer.magic) == 0;
}

/// A note that is being written is read once more; one that stays wrong counts for nothing.
constexpr int kLooksAtNote = 8;

LastingBytes lastingAt(std::uint64_t at, std::span<const std::byte> bytes) {
  return {at, {bytes.begin(), bytes.end()}};
}

/// That the store's note says that it grows.
LastingBytes growthMagic() {
  const GrowthNote note;
  return lastingAt(kGrowthNoteAt, std::as_bytes(std::span(note.magic)));
}

void letGrow(const ByteObject& reader, const std::vector<LastingBytes>& lasting) {
  if (const auto* const growing = dynamic_cast<const GrowingObject*>(&reader)) growing->letGrow(lasting);
}

/// A store only gets longer: its note says that it grows, and its trailer is where it was. That has checksums of all that
/// the pages are found by, and these have theirs.
void letGrowBehind(const ByteObject& reader, const Trailer& trailer, std::uint64_t fileBytes) {
  letGrow(reader,
          {growthMagic(), lastingAt(fileBytes - sizeof trailer, std::as_bytes(std::span(&trailer, 1)))});
}

Trailer readUnnamed(const ByteObject& reader) {
  std::uint64_t size = reader.size();
  if (size < kPayloadStart + sizeof(Trailer)) failWithoutTrailer(reader);
  letStoreGrow(reader);
  Trailer trailer;
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(&trailer, 1));
  reader.readAt(size - sizeof trailer, bytes);
  if (!isTrailer(trailer)) {
    const std::optional<GrowthNote> note = readGrowthNote(reader);
    if (!note || note->fileBytes < kPayloadStart + sizeof trailer || note->fileBytes >= size)
      failWithoutTrailer(reader);
    size = note->fileBytes;
    reader.readAt(size - sizeof trailer, bytes);
    if (!isTrailer(trailer)) failWithoutTrailer(reader);
  }
  letGrowBehind(reader, trailer, size);
  const std::uint64_t sum = checksum(bytes.first(sizeof trailer - sizeof trailer.checksum));
  if (sum != trailer.checksum)
    throw Corrupt("the trailer is damaged: its checksum is " + hex(sum) + ", not " + hex(trailer.checksum),
                  "convert or copy it again");
  if (trailer.version == 0 || trailer.version > kStoreVersion)
    throw Unsupported("is a store of version " + std::to_string(trailer.version) +
                          "; this program reads versions up to " + std::to_string(kStoreVersion),
                      "use a newer Farfield");
  if (trailer.fileBytes != size)
    throw Corrupt("has " + std::to_string(size) + " bytes instead of " + std::to_string(trailer.fileBytes),
                  "copy it again");
  checkRange(trailer.catalog, size, "catalog");
  return trailer;
}

}  // namespace

std::uint64_t checksumOf(const GrowthNote& note) {
  return checksum(std::as_bytes(std::span(&note, 1)).first(offsetof(GrowthNote, checksum)));
}

std::optional<GrowthNote> readGrowthNote(const ByteObject& reader) {
  for (int look = 0; look < kLooksAtNote; ++look) {
    GrowthNote note;
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(&note, 1));
    if (reader.readSomeAt(kGrowthNoteAt, bytes) != bytes.size()) return std::nullopt;
    if (std::memcmp(note.magic, GrowthNote{}.magic, sizeof note.magic) != 0) return std::nullopt;
    if (note.checksum == checksumOf(note)) return note;
  }
  return std::nullopt;
}

void letStoreGrow(const ByteObject& reader) {
  letGrow(reader, {growthMagic()});
}

Trailer readTrailer(const ByteObject& reader) {
  try {
    return readUnnamed(reader);
  } catch (Error& error) {
    if (error.place().empty()) error.at(reader.name());
    throw;
  }
}

void checkRange(const NodePlace& place, std::uint64_t fileBytes, const std::string& part) {
  const std::uint64_t end = fileBytes - sizeof(Trailer);
  if (place.offset < kPayloadStart || place.offset > end || place.bytes > end - place.offset)
    throw Corrupt("the " + part + " is said to lie at bytes " + std::to_string(place.offset) + " + " +
                      std::to_string(place.bytes) + " of " + std::to_string(fileBytes),
                  "convert or copy it again");
}

void readChecked(const ByteObject& reader, const NodePlace& place, std::span<std::byte> out,
                 const std::string& part) {
  reader.readAt(place.offset, out);
  const std::uint64_t sum = checksum(out);
  if (sum != place.checksum)
    throw Corrupt("the " + part + " is damaged: its checksum is " + hex(sum) + ", not " + hex(place.checksum),
                  "convert or copy it again")
        .at(reader.name());
}

}  // namespace farfield::paging::detail
