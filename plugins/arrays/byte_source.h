#pragma once
// Where the bytes of arrays come from: a file, several in a row, or a copy of what had to be decompressed or
// parsed. Readers of arrays see one sequence of bytes that can be read anywhere.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::arrays {

class ChunkedBytes;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  /// Reads exactly `out.size()` bytes at `offset`, within size(). Thread-safe. Waits. Throws Io, Corrupt.
  virtual void readAt(std::uint64_t offset, std::span<std::byte> out) const = 0;
  /// Throws Corrupt, naming the file, if it is another than when it was found. Objects of URLs are compared by who has opened them.
  virtual void checkUnchanged() const {}
  /// The chunks that the bytes are stored in (chunked_bytes.h); null if they lie in a row.
  virtual const ChunkedBytes* inChunks() const { return nullptr; }
};

/// Keeps a few files of a long series open. Thread-safe.
class FilePool;
std::shared_ptr<FilePool> makeFilePool();

/// How a program that writes a file may go on with it while it is open here.
enum class Growth {
  None,
  Behind,  ///< what is there stays; what begins it may count what is behind
  Within   ///< the values that are there stay where they are
};

/// The file `path`, opened when it is read. Throws NotFound, Io. Reading it is Corrupt (fileHasChanged()) once it has been written since,
/// but in the way of `growth`. Of one that grows behind, `counted` bytes are read: what lies behind them, and the count, may still be written
/// without its becoming longer.
std::shared_ptr<const ByteSource> fileBytes(const std::filesystem::path& path,
                                            const std::shared_ptr<FilePool>& pool,
                                            Growth growth = Growth::None, std::uint64_t counted = UINT64_MAX);
/// What `stores` finds for the name: a file, as above, or the object of a URL, which is added to `opened`.
std::shared_ptr<const ByteSource> namedBytes(const std::string& name, const paging::ByteStores& stores,
                                             const std::shared_ptr<FilePool>& pool,
                                             paging::ByteObjects& opened, Growth growth = Growth::None);
/// The first bytes of what `stores` finds for the name, `count` of them or fewer; none if it cannot be read. Throws Cancelled.
std::string beginning(const std::string& name, const paging::ByteStores& stores, std::size_t count);
/// Whether the error says which file or URL it is about.
bool namesFile(const Error& error);
/// An open file, such as a temporary one.
std::shared_ptr<const ByteSource> openFileBytes(File file);
/// `bytes` bytes of `source` from `offset` on, within it.
std::shared_ptr<const ByteSource> partOf(std::shared_ptr<const ByteSource> source, std::uint64_t offset,
                                         std::uint64_t bytes);
/// All `parts`, which have equal sizes > 0, in a row.
std::shared_ptr<const ByteSource> joined(std::vector<std::shared_ptr<const ByteSource>> parts);

}  // namespace farfield::arrays
