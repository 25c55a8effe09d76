#pragma once
// Local files in the byte layer: read by io_uring or by threads. A file has changed if its size, device,
// inode or time of the last change differ. Whoever knows the format may say that more is written behind what is read. What a file was
// can be kept while it is closed, so that those of long series are compared with it when they are opened again.

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
  struct Stamp;

 public:
  /// What a file was when it was opened first, and how it may become longer.
  struct Mark {
    std::shared_ptr<const Stamp> stamp = nullptr;
    Lasting lasting = nullptr;
    /// With `lasting`: if it is no longer than it was, it is not to have been written either.
    bool onlyLonger = false;
    bool operator==(const Mark& other) const;
    std::uint64_t bytes() const;
  };
  /// Throws NotFound, Io.
  static std::shared_ptr<const LocalFile> open(const std::filesystem::path& path);
  /// Once more. Throws Corrupt, too, if it is not what `mark` says; it is compared with that from then on.
  static std::shared_ptr<const LocalFile> open(const std::filesystem::path& path, Mark mark);
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
  Mark mark() const;
  std::unique_ptr<ReadEngine> makeEngine(const ByteObjects& objects,
                                         const EngineOptions& options) const override;

 private:
  friend class LocalReads;
  LocalFile(File file, Mark mark);
  bool isUnchanged() const noexcept;
  /// Whether the file with this stamp, which may be another one, has the bytes that are read.
  bool isSame(const Stamp& now) const noexcept;

  const File m_file;
  std::shared_ptr<const LocalFile>
      m_plain;  ///< the same file, where this one is read past the system's cache: any bytes of it can be read
  const std::shared_ptr<const Stamp> m_stamp;
  const bool m_onlyLonger = false;
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
