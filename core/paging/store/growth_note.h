#pragma once
// How a store grows (the writer is writing/store_growth.h): by what is written behind its trailer, pages of more steps, then index,
// catalog, structures and a trailer of the whole. What was there stays where it is, so whoever has the store open reads on. A file that
// does not end with a trailer is in the middle of that, or was left there: the note in front of the pages says where the store
// that was there ends (docs/decisions/0163-stores-that-grow.md).

#include "core/paging/store/store_format.h"

namespace farfield::paging {

/// The last bytes before the pages, from the moment on at which a store begins to grow for the first time; else zeros.
/// What it says counts where the file does not end with a trailer.
struct GrowthNote {
  static constexpr std::size_t kSuperblockBytes = 224;
  char magic[8] = {'F', 'a', 'r', 'F', 'G', 'r', 'o', 'w'};
  std::uint64_t fileBytes = 0;  ///< of the store, its trailer included
  /// The first bytes of the file, which HDF5 finds its structures by.
  std::byte superblock[kSuperblockBytes]{};
  std::uint64_t reserved = 0;
  std::uint64_t checksum = 0;  ///< of all bytes before it
};
static_assert(sizeof(GrowthNote) == 256);
constexpr std::uint64_t kGrowthNoteAt = kPayloadStart - sizeof(GrowthNote);

}  // namespace farfield::paging
