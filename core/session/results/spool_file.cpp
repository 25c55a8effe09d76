#include "core/session/results/spool_file.h"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/temporary_file.h"

namespace farfield::session {
namespace {

constexpr const char* kPlace = "temporary file for results";
/// A limit on the size of files holds in all folders.
constexpr const char* kAdvice =
    "free disk space, name another folder in TMPDIR, or raise the limit (ulimit -f)";

}  // namespace

std::filesystem::path spoolFolder(const std::filesystem::path& outputFolder) {
  const char* const named = std::getenv("TMPDIR");
  return named && *named ? std::filesystem::path(named) : outputFolder;
}

SpoolFile::SpoolFile(const std::filesystem::path& folder, std::uint64_t reservedBytes)
    : m_file(makeTemporaryFile(folder)), m_end(std::max<std::uint64_t>(reservedBytes, 1)) {
  m_file.resize(reservedBytes);
}

void SpoolFile::write(std::uint64_t offset, std::span<const std::byte> data) {
  try {
    m_file.writeAt(offset, data);
  } catch (Error& error) {
    error.at(kPlace).advise(kAdvice);
    throw;
  }
}

void SpoolFile::write(std::uint64_t offset, std::span<const std::span<const std::byte>> parts) {
  std::array<iovec, 16> pieces;
  const std::size_t count = std::min(parts.size(), pieces.size());
  std::size_t bytes = 0;
  for (std::size_t n = 0; n < count; ++n) {
    // the system only reads from there
    pieces[n] = {const_cast<std::byte*>(parts[n].data()),
                 parts[n].size()};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    bytes += parts[n].size();
  }
  const ssize_t written =
      ::pwritev(m_file.fd(), pieces.data(), static_cast<int>(count), static_cast<off_t>(offset));
  if (count == parts.size() && written == static_cast<ssize_t>(bytes)) return;
  // some of it at most: again, one by one, which says what is wrong
  for (const std::span<const std::byte> part : parts) {
    write(offset, part);
    offset += part.size();
  }
}

void SpoolFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  try {
    m_file.readAt(offset, out);
  } catch (Error& error) {
    error.at(kPlace);
    throw;
  }
}

std::size_t SpoolFile::readSome(std::uint64_t offset, std::span<std::byte> out) const {
  try {
    return m_file.readSomeAt(offset, out);
  } catch (Error& error) {
    error.at(kPlace);
    throw;
  }
}

}  // namespace farfield::session
