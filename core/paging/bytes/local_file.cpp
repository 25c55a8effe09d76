#include "core/paging/bytes/local_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/changed_file.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/paging/bytes/read_engine.h"
#include "core/paging/bytes/system_cache.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

/// fstat() takes up to a twentieth of the time of a read from the system's cache, so not every read checks.
constexpr std::int64_t kCheckEveryNs = 5'000'000;

std::int64_t coarseNow() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

struct LocalFile::Stamp {
  explicit Stamp(const struct stat& info)
      : bytes(static_cast<std::uint64_t>(info.st_size)),
        device(info.st_dev),
        inode(info.st_ino),
        changedNs(std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec) {}
  static Stamp of(const File& file) {
    struct stat info {};
    if (::fstat(file.fd(), &info) != 0) throw ioError("cannot be examined", errno);
    return Stamp(info);
  }
  Generation generation() const {
    return {bytes, std::to_string(device) + ":" + std::to_string(inode) + ":" + std::to_string(changedNs)};
  }
  bool operator==(const Stamp&) const = default;

  std::uint64_t bytes;
  dev_t device;
  ino_t inode;
  std::int64_t changedNs;
};

std::shared_ptr<const LocalFile> LocalFile::open(const std::filesystem::path& path) {
  return std::make_shared<const LocalFile>(File::openForReading(path));
}

std::shared_ptr<const LocalFile> LocalFile::open(const std::filesystem::path& path, Mark mark) {
  std::shared_ptr<const LocalFile> file(new LocalFile(File::openForReading(path), std::move(mark)));
  if (!file->isSame(Stamp::of(file->m_file))) throw fileHasChanged().at(file->name());
  return file;
}

LocalFile::LocalFile(File file) : LocalFile(std::move(file), Mark{}) {}

LocalFile::LocalFile(File file, Mark mark)
    : ByteObject("file " + file.path().string(),
                 mark.stamp ? mark.stamp->generation() : Stamp::of(file).generation()),
      m_file(std::move(file)),
      m_stamp(mark.stamp ? std::move(mark.stamp) : std::make_shared<const Stamp>(Stamp::of(m_file))),
      m_onlyLonger(mark.onlyLonger),
      m_lasting(std::move(mark.lasting)) {}

LocalFile::~LocalFile() = default;

std::size_t LocalFile::readSomeAt(std::uint64_t offset, std::span<std::byte> out, std::size_t enough) const {
  std::size_t got = 0;
  while (got < enough) {
    const ssize_t part =
        ::pread(m_file.fd(), out.data() + got, out.size() - got, static_cast<off_t>(offset + got));
    if (part < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (part < 0) throw ioError("read failed at byte " + std::to_string(offset + got), errno);
    if (part == 0) break;
    got += static_cast<std::size_t>(part);
  }
  if (!isUnchanged()) throwChanged();
  return got;
}

void LocalFile::expect(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  m_file.expect(offset, bytes);
}

bool LocalFile::isUnchanged() const noexcept {
  const std::int64_t now = coarseNow();
  if (now < m_nextCheck.load(std::memory_order_relaxed)) return true;
  struct stat info {};
  if (::fstat(m_file.fd(), &info) == 0 && !isSame(Stamp(info))) return false;
  m_nextCheck.store(now + kCheckEveryNs, std::memory_order_relaxed);
  return true;
}

bool LocalFile::isSame(const Stamp& now) const noexcept {
  if (now == *m_stamp) return true;
  Lasting lasting;
  {
    const std::lock_guard lock(m_mutex);
    lasting = m_lasting;
  }
  if (!lasting || now.device != m_stamp->device || now.inode != m_stamp->inode) return false;
  if (m_onlyLonger && now.bytes <= m_stamp->bytes) return false;
  const File& plain = m_plain ? m_plain->m_file : m_file;
  try {
    return std::all_of(lasting->begin(), lasting->end(), [&](const LastingBytes& part) {
      std::vector<std::byte> there(part.bytes.size());
      return plain.readSomeAt(part.at, there) == there.size() && there == part.bytes;
    });
  } catch (const std::exception&) {
    return false;
  }
}

void LocalFile::letGrow(const std::vector<LastingBytes>& lasting) const {
  const std::lock_guard lock(m_mutex);
  m_lasting = together(m_lasting, lasting);
}

bool LocalFile::Mark::operator==(const Mark& other) const {
  return stamp && other.stamp && *stamp == *other.stamp && onlyLonger == other.onlyLonger;
}

std::uint64_t LocalFile::Mark::bytes() const {
  return stamp->bytes;
}

LocalFile::Mark LocalFile::mark() const {
  const std::lock_guard lock(m_mutex);
  return {m_stamp, m_lasting, m_onlyLonger};
}

void LocalFile::checkUnchanged() const {
  try {
    if (!isSame(Stamp::of(m_file))) throwChanged();
    struct stat info {};
    if (::stat(m_file.path().c_str(), &info) == 0 && !isSame(Stamp(info))) throwChanged();
  } catch (Error& error) {
    error.at(name());
    throw;
  }
}

std::unique_ptr<ReadEngine> LocalFile::makeEngine(const ByteObjects& objects,
                                                  const EngineOptions& options) const {
  std::vector<std::shared_ptr<const LocalFile>> files;
  std::uint64_t bytes = 0;
  for (const auto& object : objects) {
    files.push_back(std::dynamic_pointer_cast<const LocalFile>(object));
    if (!files.back())
      throw Invalid("is not a local file, but belongs to data in local files").at(object->name());
    bytes += object->size();
  }
  bool direct = options.systemCache == SystemCache::Bypass;
  if (options.systemCache == SystemCache::Auto && bytes > machineMemoryBytes()) {
    direct = true;
    for (const auto& file : files) direct = direct && offersDirectReads(file->m_file.path());
  }
  for (auto& file : files) {
    if (!direct) {
      // Ranges are scattered, and neighbours are merged anyway: the system's own read-ahead (whole megabytes
      // on some machines) would mostly be wasted.
      ::posix_fadvise(file->m_file.fd(), 0, 0, POSIX_FADV_RANDOM);
      continue;
    }
    std::shared_ptr<LocalFile> past(new LocalFile(File::openForReading(file->m_file.path()), file->mark()));
    past->m_plain = file;
    if (!past->isSame(Stamp::of(past->m_file))) throw fileHasChanged().at(file->name());
    if (::fcntl(past->m_file.fd(), F_SETFL, O_DIRECT) != 0)
      throw ioError("direct reads are refused", errno).at(file->name());
    file = std::move(past);
  }
  const std::uint64_t alignment = direct ? kDirectUnit : 1;
  if (options.kind == EngineKind::Uring || (options.kind == EngineKind::Auto && whyNoUring().empty())) {
    try {
      return makeUringEngine(files, std::max(1, options.rings), std::max(1, options.depth), alignment);
    } catch (Unsupported&) {  // several rings can be refused where one is granted
      if (options.kind == EngineKind::Uring) throw;
    }
  }
  return makeThreadEngine({files.begin(), files.end()}, options.readers, alignment);
}

std::shared_ptr<const ByteObject> LocalStore::open(const std::string& name) const {
  constexpr std::string_view kScheme = "file://";
  return LocalFile::open(name.starts_with(kScheme) ? name.substr(kScheme.size()) : name);
}

}  // namespace farfield::paging
