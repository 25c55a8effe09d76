#pragma once
// What another process is asked of an HDF5 file, and what it answers, as bytes. The answers come from a process that has had a foreign file
// in its hands: each is checked when it is read, as the file itself would be.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/hdf5/hdf5_contents.h"

namespace farfield::hdf5 {

enum class LookKind : std::uint8_t {
  Head,      ///< that it can be opened, and what can be said without listing it
  Contents,  ///< contentsOf()
  Records,   ///< recordsOf()
  Record     ///< recordOf()
};

struct LookJob {
  LookJob() = default;
  explicit LookJob(LookKind its) : kind(its) {}

  LookKind kind = LookKind::Head;
  std::string name = {};  ///< of the object, for messages
  paging::Generation generation = {};
  unsigned seconds = 30;  ///< of processor time that the looking may take
  std::string object = {}, attribute = {};
  std::vector<std::string> members = {};
  std::uint64_t most = 0;
};

/// What an open file says of itself without being listed.
struct Head {
  File::Sizes sizes;
  std::vector<std::string>
      names;  ///< of the root's objects, in the file's order; only the first of very many
};

/// An error that the other process had.
struct LookFailure {
  enum class Kind : std::uint8_t { Corrupt, Unsupported, Invalid, NotFound, Io, OverBudget, NoMemory, Other };
  Kind kind = Kind::Other;
  std::string place, message, action;

  /// Of the exception that is being handled.
  static LookFailure current();
  /// Throws it: an Error, or std::bad_alloc.
  [[noreturn]] void raise() const;
};

std::string encoded(const LookJob& job);
std::string encoded(const Head& head);
std::string encoded(const Contents& contents);
std::string encoded(const LookFailure& failure);
std::string encoded(const std::vector<std::int64_t>& numbers);
std::string encoded(const std::vector<double>& numbers);

/// Throw Protocol where the bytes are none.
LookJob decodedJob(std::string_view bytes);
Head decodedHead(std::string_view bytes);
Contents decodedContents(std::string_view bytes);
LookFailure decodedFailure(std::string_view bytes);
std::vector<std::int64_t> decodedIntegers(std::string_view bytes);
std::vector<double> decodedReals(std::string_view bytes);

}  // namespace farfield::hdf5
