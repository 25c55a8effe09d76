#pragma once
// Local files in the byte layer: read by io_uring or by threads. A file has changed if its size, device,
// inode or time of the last change differ. Whoever knows the format may say that more is written behind what is read.

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/file.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/bytes/growing_object.h"

namespace farfield::paging {

class LocalFile final : public ByteObject, public GrowingObject {
 public:
  /// Throws NotFound, Io.
  static std::shared_ptr<const LocalFile> open(const std::filesystem::path& path);
  /// For a file that is open already, even one without a name; its `path` is for messages.
  explicit LocalFile(File file);
  ~LocalFile() override;

  using ByteObject::readSomeAt;
  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out, std::size_t enough) const override;
  void expect(std::uint64_t offset, std::uint64_t bytes) const noexcept override;
  /// Also notices that another file has taken the name. A deleted file counts as unchanged.
  void checkUnchanged() const override;
  /// Another file of the name is a change whatever it has.
  void letGrow(const std::vector<LastingBytes>& lasting) const override;
  std::unique_ptr<ReadEngine> makeEngine(const ByteObjects& objects,
                                         const EngineOptions& options) const override;

 private:
  friend class LocalReads;
  struct Stamp;
  bool isUnchanged() const noexcept;
  /// Whether the file with this stamp, which may be another one, has the bytes that are read.
  bool isSame(const Stamp& now) const noexcept;

  const File m_file;
  const std::unique_ptr<const Stamp> m_stamp;
  mutable std::atomic<std::int64_t> m_nextCheck{0};  ///< of the coarse clock, in nanoseconds
  mutable std::mutex m_mutex;
  mutable Lasting m_lasting;  ///< guarded by it
};

class LocalStore final : public ByteStore {
 public:
  std::shared_ptr<const ByteObject> open(const std::string& name) const override;
};

/// What the engines need to know of files; for this folder only.
class LocalReads {
 public:
  static int descriptorOf(const LocalFile& file) { return file.m_file.fd(); }
  /// False if the file is known to have changed; checks every few milliseconds.
  static bool isUnchanged(const LocalFile& file) noexcept { return file.isUnchanged(); }
  [[noreturn]] static void throwChanged() { LocalFile::throwChanged(); }
};

}  // namespace farfield::paging
