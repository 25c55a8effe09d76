#pragma once
// What another process is asked of an HDF5 file, and what it answers, as bytes. The answers come from a process that has had a foreign file
// in its hands: each is checked when it is read, as the file itself would be. Plain values, which no two threads use at a time.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/hdf5/hdf5_contents.h"

namespace farfield::hdf5 {

/// Addresses in bytes that the process may take: far more than the structure of any file that is shown, of which a damaged one may ask
/// for all there is.
constexpr std::uint64_t kMostLookMemory = std::uint64_t{2} << 30;

enum class LookKind : std::uint8_t {
  Head,      ///< that it can be opened, and what can be said without listing it; the answer is a Head
  Has,       ///< whether its root has `object`; a flag
  Contents,  ///< contentsHere(); Contents
  Records,   ///< recordsOf() `members` of `object`, at most `most`; integers
  Record,    ///< recordOf() `members` of `attribute` of `object`; reals
  Places,    ///< LibraryDataset::places() of `most` chunks from `first` of `object`; three integers each
  Values     ///< LibraryDataset::read() of the chunk `first` of `object`; its bytes alone
};

/// One question about one file. Which of the texts have a meaning, its kind says.
struct LookJob {
  LookJob() = default;
  explicit LookJob(LookKind its) : kind(its) {}

  LookKind kind = LookKind::Head;
  std::string name = {};  ///< of the file (ByteObject::name()), for messages
  paging::Generation generation =
      {};                      ///< of the file: its size, and what tells it from a later one of that name
  unsigned seconds = 30;       ///< of processor time that the looking may take
  std::string object = {};     ///< path of a dataset or a group, "/group/name"; of Has a name at the root
  std::string attribute = {};  ///< name of one of its attributes
  std::vector<std::string> members =
      {};  ///< names of the members that are wanted of a compound, in this order
  std::vector<std::int64_t> dims = {}, chunks = {};  ///< of a dataset, as LibraryLayout has them
  int elementBytes = 0;                              ///< the same
  std::int64_t first = 0;                            ///< number of a chunk
  std::uint64_t most = 0;                            ///< records, of which more are an error; chunks
};

/// Bytes of an answer that is no failure, at most: more are not received.
std::uint64_t mostAnswerBytes(const LookJob& job);
/// Bytes of a failure, at most.
constexpr std::uint64_t kMostFailureBytes = 1 << 20;

/// What an open file says of itself without being listed.
struct Head {
  File::Sizes sizes;
  std::vector<std::string> names;  ///< of the root's objects, in the file's order, as many as headOf() takes
  bool all = true;                 ///< false: the root has more objects
};
/// The first names alone of a root with very many, so that it can be kept of many files. Throws Corrupt. Takes the mutex of `file`,
/// which is open in this process.
Head headOf(const File& file);

/// An error that the other process had, or has become.
struct LookFailure {
  enum class Kind : std::uint8_t { Corrupt, Unsupported, Invalid, NotFound, Io, OverBudget, NoMemory, Other };
  Kind kind = Kind::Other;
  std::string place, message, action;  ///< as an Error has them; of NoMemory without meaning

  /// Of the exception that is being handled.
  static LookFailure current();
  /// Throws the Error of its kind. NoMemory is Corrupt: only a damaged file takes more than that process may have.
  [[noreturn]] void raise() const;
};

/// As the other side decodes them: numbers as this machine has them, since both are on it.
std::string encoded(const LookJob& job);
std::string encoded(const Head& head);
std::string encoded(bool flag);
std::string encoded(const Contents& contents);
std::string encoded(const LookFailure& failure);
std::string encoded(const std::vector<std::int64_t>& numbers);
std::string encoded(const std::vector<double>& numbers);

/// Throw Protocol where the bytes are none, or say what no file can hold. They take memory in proportion to `bytes`: Contents at most
/// kDecodedTimes as much, the others no more than Contents.
constexpr std::uint64_t kDecodedTimes = 4;
LookJob decodedJob(std::string_view bytes);
Head decodedHead(std::string_view bytes);
bool decodedFlag(std::string_view bytes);
Contents decodedContents(std::string_view bytes);
LookFailure decodedFailure(std::string_view bytes);
std::vector<std::int64_t> decodedIntegers(std::string_view bytes);
std::vector<double> decodedReals(std::string_view bytes);
/// For who finds that an answer is not what was asked for.
Protocol wrongAnswer();

}  // namespace farfield::hdf5
