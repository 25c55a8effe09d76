#pragma once
// An HDF5 file opened by the HDF5 library through the byte layer, for its structure, and for values that only the library can read. Where
// another process can be had, the library opens it there, and not here (docs/decisions/0364).

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/hdf5/hdf5_handle.h"

namespace farfield::hdf5 {

/// Bytes that the library wanted to read.
struct RawRange {
  std::uint64_t offset = 0, bytes = 0;
};

struct Head;
class Outside;

/// Thread-safe where it says so; else the mutex must be held.
class File {
 public:
  enum class Looking {
    OtherProcess,  ///< where one can be had, of Outside::ofThisProgram()
    ThisProcess
  };
  /// Throws Corrupt if it is no HDF5 file, or damaged; what Outside::head() throws.
  explicit File(std::shared_ptr<const paging::ByteObject> object, Looking looking = Looking::OtherProcess);
  /// A process of `outside` looks, where one can be had; it must outlive the file.
  File(std::shared_ptr<const paging::ByteObject> object, Outside& outside);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  const std::shared_ptr<const paging::ByteObject>& object() const { return m_object; }
  /// The library's number of it, which this object owns. Opens it in this process, unless it is: from then on what is damaged in it may
  /// end this one. With the mutex. Throws Corrupt if the library cannot open it, and what reading it throws.
  hid_t id() const;
  /// Of what the process is that is asked what is found in it; null: it is open in this one.
  Outside* outside() const { return m_outside; }
  /// Whether its root has an object of that name. Takes the mutex. Throws what Outside::look() throws.
  bool has(const char* name) const;
  /// Names of up to `most` objects of its root; of one that is looked at outside no more than its head has (look_job.h). Takes the mutex.
  std::vector<std::string> someNames(std::size_t most) const;
  /// How its structures are written.
  struct Sizes {
    std::uint64_t base = 0;       ///< where addresses count from
    int address = 8, length = 8;  ///< bytes of an address and of a length
    unsigned treeEntries = 0;     ///< the most in a node of a B-tree of chunks
  };
  /// Takes the mutex. Throws Corrupt.
  Sizes sizes() const;
  /// Held during the library's calls for this file, and what belongs to them.
  std::mutex& mutex() const { return m_mutex; }

  /// From now on values that the library reads are not read: the last range is noted, and returned.
  void startNoting();
  std::optional<RawRange> noted();
  void stopNoting();
  bool isNoting() const { return m_isNoting; }

  /// It has been listed: gives back most of what was kept of its structures. Takes the mutex.
  void dropBlocks();
  /// Memory of an open file, at most, the library's own included.
  static constexpr std::uint64_t kOpenBytes = 256 << 10;

  /// Throws what kept the driver from reading since the last call, if anything did: the library only says that it failed.
  void throwFailure() const;

  /// For the driver. Copies bytes of the library's structures. False if it could not.
  bool read(bool isValues, std::uint64_t offset, std::uint64_t bytes, void* out) noexcept;

 private:
  struct Block {
    std::uint64_t number = 0, lastUse = 0;
    std::vector<std::byte> bytes;
  };
  const Block& block(std::uint64_t number);
  void lookBy(Outside& outside);
  void open();
  Handle opened() const;

  std::shared_ptr<const paging::ByteObject> m_object;
  mutable std::mutex m_mutex;
  std::vector<Block> m_blocks;  ///< of the file, read last
  std::uint64_t m_uses = 0;
  bool m_isNoting = false, m_isListed = false;
  std::optional<RawRange> m_noted;
  mutable std::exception_ptr m_failure;
  Outside* m_outside = nullptr;
  std::shared_ptr<const Head> m_head;  ///< what that says
  mutable Handle m_id;                 ///< closed before the rest goes
};

}  // namespace farfield::hdf5
