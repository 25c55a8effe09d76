#include "core/paging/sources/page_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "core/base/error.h"

namespace farfield::paging {
namespace {

constexpr const char* kTotal = "total";
constexpr const char* kName = "name";
constexpr const char* kIndex = "index";
constexpr const char* kSegment = ".pages";
constexpr std::size_t kMostSegmentsOpen = 64;
constexpr std::uint64_t kMostSegmentBytes = std::uint64_t{64} << 20;
/// A use within this time of the last is not recorded.
constexpr std::int64_t kUseSeconds = 600;
/// After so long the sum is computed anew: a killed program has not recorded what it kept.
constexpr std::uint64_t kTotalSeconds = 24 * 3600;

class Descriptor {
 public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return m_fd; }
  explicit operator bool() const { return m_fd >= 0; }

 private:
  int m_fd;
};

std::filesystem::path pagesIn(const std::filesystem::path& folder) {
  return folder / "pages";
}

std::string numberText(std::uint64_t number) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

/// A file of pages, as a candidate for deletion.
struct Kept {
  std::filesystem::path path;
  std::uint64_t bytes;
  std::time_t used;
};

}  // namespace

struct PageFolder::Set::Record {
  std::uint64_t segment = 0, offset = 0;
  std::uint64_t checksum = 0;  ///< of the bytes
  std::uint32_t bytes = 0;
  std::uint8_t codec = 0, hasChecksum = 0, padded = 0, none = 0;
  std::uint64_t own = 0;  ///< of the record above and its position
  std::uint64_t sum(std::uint64_t place) const {
    std::byte all[32 + sizeof place];
    std::memcpy(all, this, 32);
    std::memcpy(all + 32, &place, sizeof place);
    return paging::checksum(all);
  }
};

PageFolder::~PageFolder() {
  settle();
}

std::shared_ptr<PageFolder::Set> PageFolder::open(const std::string& identity,
                                                  const DatasetDescription& description) const noexcept {
  try {
    std::vector<std::uint64_t> pages;
    for (const ArrayDescription& array : description.arrays)
      pages.push_back(static_cast<std::uint64_t>(array.pageCount()));
    return open(identity, pages);
  } catch (...) {
    return nullptr;
  }
}

std::shared_ptr<PageFolder::Set> PageFolder::open(
    const std::string& identity, const std::vector<std::uint64_t>& pagesOfArrays) const noexcept {
  try {
    const std::filesystem::path root = pagesIn(m_options.folder);
    const std::filesystem::path set = root / numberText(paging::checksum(std::as_bytes(std::span(identity))));
    std::error_code ignored;
    std::filesystem::create_directories(m_options.folder, ignored);
    ::mkdir(root.c_str(), 0700);
    ::mkdir(set.c_str(), 0700);
    // Two names may have the same hash; the folder belongs to the first.
    const std::filesystem::path name = set / kName;
    {
      const Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      if (file &&
          ::write(file.get(), identity.data(), identity.size()) != static_cast<ssize_t>(identity.size()))
        ::unlink(name.c_str());
    }
    std::ifstream in(name, std::ios::binary);
    const std::string written((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (written != identity) {
      // Half written by a killed program, or another program's: the first is repaired, the second left alone.
      if (identity.starts_with(written)) ::unlink(name.c_str());
      return nullptr;
    }
    const std::filesystem::path index = set / kIndex;
    { const Descriptor made(::open(index.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)); }
    return std::make_shared<Set>(*this, set, File::openForWriting(index, false), pagesOfArrays);
  } catch (...) {
    return nullptr;
  }
}

PageFolder::Set::Set(const PageFolder& folder, std::filesystem::path path, File index,
                     const std::vector<std::uint64_t>& pagesOfArrays)
    : m_folder(folder), m_path(std::move(path)), m_index(std::move(index)), m_firstOfArrays{0} {
  static_assert(sizeof(Record) == 40);
  for (const std::uint64_t pages : pagesOfArrays) m_firstOfArrays.push_back(m_firstOfArrays.back() + pages);
}

std::optional<std::uint64_t> PageFolder::Set::placeOf(std::uint32_t array, std::uint64_t page) const {
  if (array + std::size_t{1} >= m_firstOfArrays.size() ||
      page >= m_firstOfArrays[array + std::size_t{1}] - m_firstOfArrays[array])
    return std::nullopt;
  return (m_firstOfArrays[array] + page) * sizeof(Record);
}

std::optional<PageFolder::Set::Record> PageFolder::Set::recordOf(std::uint32_t array,
                                                                 std::uint64_t page) const noexcept {
  const auto place = placeOf(array, page);
  Record record;
  if (!place || ::pread(m_index.fd(), &record, sizeof record, static_cast<off_t>(*place)) != sizeof record ||
      record.bytes == 0 || record.own != record.sum(*place))
    return std::nullopt;
  return record;
}

std::filesystem::path PageFolder::Set::pathOf(std::uint64_t segment) const {
  return m_path / (numberText(segment) + kSegment);
}

std::shared_ptr<PageFolder::Set::Segment> PageFolder::Set::segment(std::uint64_t number) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_segments.find(number);
  if (found != m_segments.end()) return found->second;
  if (m_segments.size() >= kMostSegmentsOpen) m_segments.clear();
  return m_segments.emplace(number, std::make_shared<Segment>(File::openForReading(pathOf(number))))
      .first->second;
}

std::shared_ptr<PageFolder::Set::Segment> PageFolder::Set::ownSegment(std::uint64_t bytes,
                                                                      std::uint64_t& number,
                                                                      std::uint64_t& offset) const {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t most = std::min(kMostSegmentBytes, m_folder.mostBytes() / 16);
  auto found = m_segments.find(m_ownNumber);
  if (m_ownNumber == 0 || m_ownBytes + bytes > most || found == m_segments.end()) {
    std::random_device random;
    m_ownNumber = (std::uint64_t{random()} << 32 | random()) | 1;
    m_ownBytes = 0;
    const std::filesystem::path path = pathOf(m_ownNumber);
    { const Descriptor made(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)); }
    if (m_segments.size() >= kMostSegmentsOpen) m_segments.clear();
    found =
        m_segments.emplace(m_ownNumber, std::make_shared<Segment>(File::openForWriting(path, false))).first;
  }
  number = m_ownNumber;
  offset = m_ownBytes;
  m_ownBytes += bytes;
  return found->second;
}

bool PageFolder::Set::mayHave(std::uint32_t array, std::uint64_t page) const noexcept {
  return recordOf(array, page).has_value();
}

std::vector<bool> PageFolder::Set::look(std::uint32_t array, std::uint64_t first,
                                        std::uint64_t count) const noexcept {
  try {
    const auto place = placeOf(array, first);
    if (!place || count == 0 || !placeOf(array, first + count - 1)) return {};
    std::vector<bool> found(count);
    std::array<Record, 1024> records;
    for (std::uint64_t at = 0; at < count; at += records.size()) {
      const std::uint64_t part = std::min<std::uint64_t>(records.size(), count - at);
      const std::uint64_t from = *place + at * sizeof(Record);
      const ssize_t got =
          ::pread(m_index.fd(), records.data(), part * sizeof(Record), static_cast<off_t>(from));
      // Behind the end of the index nothing has been kept yet.
      const auto whole = got > 0 ? static_cast<std::uint64_t>(got) / sizeof(Record) : 0;
      for (std::uint64_t n = 0; n < whole; ++n)
        found[at + n] = records[n].bytes != 0 && records[n].own == records[n].sum(from + n * sizeof(Record));
    }
    return found;
  } catch (...) {
    return {};
  }
}

std::optional<StoredPage> PageFolder::Set::read(std::uint32_t array, std::uint64_t page,
                                                std::span<std::byte> buffer) const noexcept {
  const auto record = recordOf(array, page);
  if (!record || record->bytes > buffer.size() || record->codec > static_cast<std::uint8_t>(Codec::Gzip))
    return std::nullopt;
  try {
    const auto its = segment(record->segment);
    const auto bytes = buffer.first(record->bytes);
    its->file.readAt(record->offset, bytes);
    if (paging::checksum(bytes) != record->checksum) return std::nullopt;
    const std::int64_t now = std::time(nullptr);
    if (now - its->usedAt.load(std::memory_order_relaxed) > kUseSeconds) {
      its->usedAt.store(now, std::memory_order_relaxed);
      ::futimens(its->file.fd(), nullptr);
    }
    StoredPage found;
    found.bytes = bytes;
    found.codec = static_cast<Codec>(record->codec);
    found.hasChecksum = record->hasChecksum != 0;
    found.checksum = record->hasChecksum ? record->checksum : 0;
    found.padded = record->padded != 0;
    return found;
  } catch (...) {  // was deleted, or cannot be read
    return std::nullopt;
  }
}

void PageFolder::Set::keep(std::uint32_t array, std::uint64_t page, const StoredPage& stored) const noexcept {
  const std::uint64_t bytes = stored.bytes.size();
  const auto place = placeOf(array, page);
  if (m_folder.m_isFull || !place || bytes == 0 || bytes > m_folder.mostBytes() / 16 || bytes > UINT32_MAX)
    return;
  // The checksum is the server's; bytes that differ from it are not a page.
  const std::uint64_t sum = paging::checksum(stored.bytes);
  if (stored.hasChecksum && sum != stored.checksum) return;
  try {
    Record record;
    const auto its = ownSegment(bytes, record.segment, record.offset);
    its->file.writeAt(record.offset, stored.bytes);
    record.checksum = sum;
    record.bytes = static_cast<std::uint32_t>(bytes);
    record.codec = static_cast<std::uint8_t>(stored.codec);
    record.hasChecksum = stored.hasChecksum;
    record.padded = stored.padded;
    record.own = record.sum(*place);
    m_index.writeAt(*place, std::as_bytes(std::span(&record, 1)));
  } catch (...) {
    m_folder.m_isFull = true;
    return;
  }
  const std::uint64_t kept = m_folder.m_kept.fetch_add(bytes) + bytes;
  if (kept > m_folder.mostBytes() / 16) m_folder.settle();
}

void PageFolder::settle() const noexcept {
  const std::uint64_t kept = m_kept.exchange(0);
  if (kept == 0) return;
  try {
    const std::filesystem::path path = pagesIn(m_options.folder) / kTotal;
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file || ::flock(file.get(), LOCK_EX) != 0) return;
    // The sum, and when it was computed.
    std::uint64_t words[2] = {0, 0};
    const bool isKnown = ::pread(file.get(), words, sizeof words, 0) == sizeof words;
    const auto now = static_cast<std::uint64_t>(std::time(nullptr));
    words[0] += kept;
    if (!isKnown || words[0] > m_options.mostBytes || words[1] > now || now - words[1] > kTotalSeconds) {
      letGo(words[0]);
      words[1] = now;
    }
    [[maybe_unused]] const auto written = ::pwrite(file.get(), words, sizeof words, 0);
  } catch (...) {  // the next caller does it
  }
}

void PageFolder::letGo(std::uint64_t& total) const {
  std::vector<Kept> files;
  std::set<std::filesystem::path> empty;
  std::error_code ignored;
  total = 0;
  for (std::filesystem::recursive_directory_iterator at(
           pagesIn(m_options.folder), std::filesystem::directory_options::skip_permission_denied, ignored);
       at != std::filesystem::recursive_directory_iterator(); at.increment(ignored)) {
    struct stat status {};
    const std::filesystem::path& path = at->path();
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (path.filename() == kIndex &&
        static_cast<std::uint64_t>(std::time(nullptr) - status.st_mtime) > kTotalSeconds)
      empty.insert(path.parent_path());
    if (path.extension() != kSegment) continue;
    total += static_cast<std::uint64_t>(status.st_size);
    files.push_back({path, static_cast<std::uint64_t>(status.st_size), status.st_mtime});
  }
  std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  const bool isTooMuch = total > m_options.mostBytes;
  for (const Kept& file : files) {
    if (isTooMuch && total > m_options.mostBytes / 5 * 4 && ::unlink(file.path.c_str()) == 0)
      total -= std::min(total, file.bytes);
    else
      empty.erase(file.path.parent_path());
  }
  for (const std::filesystem::path& set : empty) {
    ::unlink((set / kIndex).c_str());
    ::unlink((set / kName).c_str());
    ::rmdir(set.c_str());
  }
}

}  // namespace farfield::paging
