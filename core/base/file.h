#pragma once
// Files: open ones with exact reads and writes, and new ones that appear completely or not at all.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace farfield {

/// An open file descriptor. Movable; closed by the destructor. Positional reads are thread-safe.
class File {
 public:
  File() = default;
  /// Opens for reading. Throws NotFound, Io (no permission, a directory, not a regular file).
  static File openForReading(const std::filesystem::path& path);
  /// Opens for reading and writing; creates the file, or empties it if `truncate`.
  static File openForWriting(const std::filesystem::path& path, bool truncate);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  bool isOpen() const { return m_fd >= 0; }
  int fd() const { return m_fd; }
  const std::filesystem::path& path() const { return m_path; }
  std::uint64_t size() const;

  /// Reads exactly `out.size()` bytes at `offset`. Throws Corrupt at the end of the file, Io.
  void readAt(std::uint64_t offset, std::span<std::byte> out) const;
  /// Reads up to `out.size()` bytes at `offset`; returns how many there were. Throws Io.
  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out) const;
  /// Tells the system that these bytes are read next, so that it reads ahead. A hint; reports nothing.
  void expect(std::uint64_t offset, std::uint64_t bytes) const noexcept;
  /// Writes all of `data` at `offset`. Throws Io.
  void writeAt(std::uint64_t offset, std::span<const std::byte> data);
  /// Cuts or extends to `bytes`. Throws Io.
  void resize(std::uint64_t bytes);
  /// Forces the contents to the disk. Throws Io.
  void sync();
  /// Closes and reports what close() reports. Throws Io.
  void close();

 private:
  int m_fd = -1;
  std::filesystem::path m_path;
};

/// Whether the file begins with `magic`; false if it cannot be read.
bool fileStartsWith(const std::filesystem::path& path, std::string_view magic);

/// A file being written. It has a hidden temporary name in the same folder and gets its own name by commit()
/// only; without commit() nothing stays behind.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Appends. Buffered. Throws Io (disk full, …).
  void write(std::span<const std::byte> data);
  void write(std::string_view text);
  std::uint64_t written() const { return m_offset + m_buffered; }
  /// Flushes, syncs, and renames to the final name. Throws Io.
  void commit();

 private:
  void flush();
  std::filesystem::path m_path, m_temporary;
  File m_file;
  std::string m_buffer;
  std::size_t m_buffered = 0;
  std::uint64_t m_offset = 0;
  bool m_committed = false;
};

}  // namespace farfield
