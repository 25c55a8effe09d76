#include "core/paging/location/kept_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <span>

#include "core/paging/pages/codec.h"

namespace farfield::paging {
namespace {

/// Writing takes a second or two; an older ".part" is abandoned.
constexpr std::chrono::hours kAbandoned(1);

/// Less than the size for a sparse file.
std::uint64_t bytesOnDisk(const std::filesystem::path& file, std::uint64_t size) {
  struct stat status {};
  constexpr std::uint64_t kBlock = 512;
  if (::stat(file.c_str(), &status) != 0) return size;
  return std::min(size, kBlock * static_cast<std::uint64_t>(status.st_blocks));
}

}  // namespace

std::string stampsOf(const std::vector<std::filesystem::path>& files) {
  std::string stamps;
  for (const std::filesystem::path& file : files) {
    struct stat status {};
    std::error_code failure;
    const std::filesystem::path path = std::filesystem::canonical(file, failure);
    if (failure || ::stat(path.c_str(), &status) != 0) return {};
    char text[160];
    // Includes the time of the last change of the inode, which no program can set back.
    std::snprintf(
        text, sizeof text,
        " %" PRIdMAX " bytes %" PRIdMAX ".%09ld %" PRIdMAX ".%09ld inode %" PRIuMAX " %" PRIuMAX "\n",
        static_cast<std::intmax_t>(status.st_size), static_cast<std::intmax_t>(status.st_mtim.tv_sec),
        status.st_mtim.tv_nsec, static_cast<std::intmax_t>(status.st_ctim.tv_sec), status.st_ctim.tv_nsec,
        static_cast<std::uintmax_t>(status.st_dev), static_cast<std::uintmax_t>(status.st_ino));
    stamps += path.string() + text;
  }
  return stamps;
}

std::filesystem::path keptFile(const std::filesystem::path& folder, const std::string& identity,
                               const char* extension) {
  char name[32];
  std::snprintf(name, sizeof name, "%016" PRIx64, checksum(std::as_bytes(std::span(identity))));
  return folder / (std::string(name) + extension);
}

void makeRoom(const std::filesystem::path& folder, const char* extension, std::uint64_t mostBytes) {
  struct Entry {
    std::filesystem::file_time_type used;
    std::filesystem::path path;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t bytes = 0;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    // others may be writing theirs
    if (file.path().extension() == ".part" && now - file.last_write_time() > kAbandoned)
      std::filesystem::remove(file.path());
    if (file.path().extension() != extension) continue;
    entries.push_back({file.last_write_time(), file.path(), bytesOnDisk(file.path(), file.file_size())});
    bytes += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (bytes <= mostBytes) return;
    std::filesystem::remove(entry.path);
    bytes -= entry.bytes;
  }
}

}  // namespace farfield::paging
