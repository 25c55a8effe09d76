#pragma once
// The steps of several files one after the other, and where the numbers of a variable are at each.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/base/memory_account.h"
#include "core/base/url.h"
#include "plugins/arrays/placed_array.h"
#include "plugins/cf/cf_file.h"

namespace farfield::cf {

/// Errors of `action` name the file.
template <class Action>
void inFile(const std::string& path, Action action) {
  try {
    action();
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(path));
    throw;
  }
}

class Series {
 public:
  /// `claims`, to which the memory of lists of steps is added, must outlive it.
  Series(MemoryAccount& account, std::vector<MemoryClaim>& claims) : m_account(account), m_claims(claims) {}

  /// The next file has so many steps.
  void addFile(std::int64_t steps);
  std::int64_t steps() const { return m_steps; }

  /// Adds the steps of file `file` to an array: its first is `piece`, the next ones follow at `stride`. `its` is how the numbers of this file are stored: its packing may be another
  /// than that of the others. If `records` is not -1 there are numbers at so many steps, at least at one, and no values at the file's later ones. Files are added in order. Throws
  /// Corrupt.
  void add(std::size_t file, const arrays::Piece& piece, std::int64_t stride, const arrays::PlacedArray& its,
           arrays::PlacedArray& to, std::int64_t records = -1);
  /// A file of a few bytes may say that it has as many steps as are read.
  void claim(std::uint64_t steps);

 private:
  MemoryAccount& m_account;
  std::vector<MemoryClaim>& m_claims;
  std::vector<std::int64_t> m_stepsOf;  ///< each file
  std::int64_t m_steps = 0;
};

/// Throws Unsupported if the numbers of a file cannot follow those of the first. Scales, offsets and fill values may be each file's own.
void requireStoredAlike(const Variable& variable, const arrays::PlacedArray& its,
                        const arrays::PlacedArray& first);

/// Once all steps are there: one packing for all where they are alike, values of one type where not.
void settlePackings(arrays::PlacedArray& array);

}  // namespace farfield::cf
