#include "app/doctor/folder_check.h"

#include <sys/vfs.h>

#include <cerrno>
#include <chrono>
#include <random>
#include <system_error>
#include <vector>

#include "core/base/disk_rate.h"
#include "core/base/error.h"
#include "core/base/temporary_file.h"
#include "core/base/units.h"

namespace farfield::doctor {
namespace {

constexpr std::uint64_t kPieceBytes = 1 << 20, kMostBytes = 32 * kPieceBytes, kRequestBytes = 64 << 10;
constexpr double kMostSeconds = 1;
constexpr int kReaders = 16;
constexpr std::uint64_t kLittleRoom = std::uint64_t{1} << 30, kNoRoom = std::uint64_t{64} << 20;
constexpr double kSlow = 20.0 * (1 << 20);
constexpr long kInMemory = 0x01021994;  // TMPFS_MAGIC of linux/magic.h

/// Bytes a second, the disk's cache flushed.
double writeRate(File& file) {
  std::vector<std::byte> piece(kPieceBytes);
  std::mt19937_64 random(1);  // what compresses is written faster by some file systems
  for (std::size_t n = 0; n < piece.size(); n += 8) {
    const std::uint64_t value = random();
    for (std::size_t b = 0; b < 8; ++b) piece[n + b] = static_cast<std::byte>(value >> (8 * b));
  }
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::uint64_t written = 0;
  for (; written < kMostBytes && seconds() < kMostSeconds; written += kPieceBytes)
    file.writeAt(written, piece);
  file.sync();
  return static_cast<double>(written) / std::max(seconds(), 1e-6);
}

std::string perSecond(double bytes) {
  return formatBytes(static_cast<std::uint64_t>(bytes)) + " a second";
}

}  // namespace

Finding checkFolder(const std::filesystem::path& folder) {
  struct statfs system {};
  if (::statfs(folder.c_str(), &system) != 0)
    return {Status::Fail, folder.string() + " cannot be used: " + std::generic_category().message(errno),
            "set TMPDIR to a folder that can be written"};
  const std::uint64_t room =
      static_cast<std::uint64_t>(system.f_bavail) * static_cast<std::uint64_t>(system.f_bsize);
  std::string found = folder.string() + ", " + formatBytes(room) + " free";
  if (room < kNoRoom)
    return {Status::Fail, found, "make room, or set TMPDIR to another folder; results wait there"};
  double write = 0, read = 0;
  try {
    File file = makeTemporaryFile(folder);
    write = writeRate(file);
    read = measureReadRate("/proc/self/fd/" + std::to_string(file.fd()), kRequestBytes, kReaders);
  } catch (Error& error) {
    error.advise("set TMPDIR to a folder that can be written");
    throw;
  }
  found += "; writes " + perSecond(write);
  if (read > 0) found += ", reads " + perSecond(read) + " in requests of " + formatBytes(kRequestBytes);
  if (static_cast<long>(system.f_type) == kInMemory)
    return {Status::Warn, found + "; it lies in memory",
            "set TMPDIR to a folder on a disk: what waits there takes memory beside the budget"};
  if (room < kLittleRoom)
    return {Status::Warn, found, "make room: results wait there until they are written"};
  if (write < kSlow || (read > 0 && read < kSlow))
    return {Status::Warn, found, "set TMPDIR to a folder on a faster disk"};
  return {Status::Ok, found, ""};
}

}  // namespace farfield::doctor
