#include "core/paging/sources/page_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"

namespace farfield::paging {
namespace {

constexpr std::uint32_t kMagic = 0x31475046;
constexpr const char* kTotal = "total";
constexpr const char* kName = "name";
/// How long what was used counts as used just now, so that most uses need not be noted.
constexpr std::time_t kUseSeconds = 600;
/// After so long the sum is made anew: a killed program has not noted what it kept.
constexpr std::time_t kTotalSeconds = 24 * 3600;

struct Head {
  std::uint32_t magic = kMagic;
  std::uint32_t array = 0;
  std::uint64_t page = 0;
  std::uint32_t bytes = 0;
  std::uint8_t codec = 0, hasChecksum = 0, padded = 0, none = 0;
  std::uint64_t checksum = 0;  ///< of the bytes
  std::uint64_t own = 0;       ///< of the head above
  std::uint64_t sum() const { return paging::checksum(std::as_bytes(std::span(this, 1)).first(32)); }
};
static_assert(sizeof(Head) == PageFolder::kHeadBytes);

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

/// Without an allocation for each page: paths are short.
struct PageName {
  PageName(const std::filesystem::path& set, std::uint32_t array, std::uint64_t page) {
    std::snprintf(text, sizeof text, "%s/%x.%llx", set.c_str(), array, static_cast<unsigned long long>(page));
  }
  char text[4096];
};

std::filesystem::path pagesIn(const std::filesystem::path& folder) {
  return folder / "pages";
}

/// A file of the cache, as letting go sees it.
struct Kept {
  std::string path;
  std::uint64_t bytes;
  std::time_t used;
};

}  // namespace

PageFolder::~PageFolder() {
  settle();
}

std::filesystem::path PageFolder::folderOf(const std::string& identity) const noexcept {
  try {
    char number[20];
    std::snprintf(number, sizeof number, "%016llx",
                  static_cast<unsigned long long>(paging::checksum(std::as_bytes(std::span(identity)))));
    const std::filesystem::path root = pagesIn(m_options.folder), set = root / number;
    if (set.native().size() > 4000) return {};
    std::error_code ignored;
    std::filesystem::create_directories(m_options.folder, ignored);
    ::mkdir(root.c_str(), 0700);
    ::mkdir(set.c_str(), 0700);
    // Two names may have one number; the folder is that of the first.
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
      // Half written by a program that was killed, or another's: the one is mended, the other left alone.
      if (identity.starts_with(written)) ::unlink(name.c_str());
      return {};
    }
    return set;
  } catch (...) {
    return {};
  }
}

bool PageFolder::mayHave(const std::filesystem::path& set, std::uint32_t array,
                         std::uint64_t page) const noexcept {
  return ::access(PageName(set, array, page).text, R_OK) == 0;
}

std::optional<StoredPage> PageFolder::read(const std::filesystem::path& set, std::uint32_t array,
                                           std::uint64_t page, std::span<std::byte> buffer) const noexcept {
  const PageName name(set, array, page);
  const Descriptor file(::open(name.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return std::nullopt;
  ssize_t got = 0;
  while ((got = ::pread(file.get(), buffer.data(), buffer.size(), 0)) < 0 && errno == EINTR) {
  }
  Head head;
  const auto count = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  if (count >= sizeof head) std::memcpy(&head, buffer.data(), sizeof head);
  const auto bytes = buffer.subspan(std::min(sizeof head, buffer.size()));
  const bool isWhole = count >= sizeof head && head.magic == kMagic && head.own == head.sum() &&
                       head.array == array && head.page == page && count - sizeof head >= head.bytes &&
                       head.bytes <= bytes.size() && head.codec <= static_cast<std::uint8_t>(Codec::Gzip) &&
                       paging::checksum(bytes.first(head.bytes)) == head.checksum;
  if (!isWhole) {
    // One that is being written just now is met by the next that asks.
    struct stat status {};
    if (::fstat(file.get(), &status) == 0 && ::time(nullptr) - status.st_mtime > 60) ::unlink(name.text);
    return std::nullopt;
  }
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && ::time(nullptr) - status.st_mtime > kUseSeconds)
    ::futimens(file.get(), nullptr);
  return StoredPage{.bytes = bytes.first(head.bytes),
                    .codec = static_cast<Codec>(head.codec),
                    .hasChecksum = head.hasChecksum != 0,
                    .checksum = head.hasChecksum ? head.checksum : 0,
                    .padded = head.padded != 0};
}

void PageFolder::keep(const std::filesystem::path& set, std::uint32_t array, std::uint64_t page,
                      const StoredPage& stored) const noexcept {
  if (m_isFull || stored.bytes.size() > m_options.mostBytes / 16) return;
  // Its checksum is what the server says; what differs from it is no page.
  const std::uint64_t sum = paging::checksum(stored.bytes);
  if (stored.hasChecksum && sum != stored.checksum) return;
  Head head;
  head.array = array;
  head.page = page;
  head.bytes = static_cast<std::uint32_t>(stored.bytes.size());
  head.codec = static_cast<std::uint8_t>(stored.codec);
  head.hasChecksum = stored.hasChecksum;
  head.padded = stored.padded;
  head.checksum = sum;
  head.own = head.sum();
  const PageName name(set, array, page);
  const Descriptor file(::open(name.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) {
    if (errno != EEXIST) m_isFull = true;
    return;
  }
  const iovec parts[] = {{&head, sizeof head},
                         {const_cast<std::byte*>(stored.bytes.data()), stored.bytes.size()}};
  const auto all = static_cast<ssize_t>(sizeof head + stored.bytes.size());
  if (::writev(file.get(), parts, 2) != all) {
    ::unlink(name.text);
    m_isFull = true;
    return;
  }
  const std::uint64_t kept =
      m_kept.fetch_add(static_cast<std::uint64_t>(all)) + static_cast<std::uint64_t>(all);
  if (kept > m_options.mostBytes / 16) settle();
}

void PageFolder::settle() const noexcept {
  const std::uint64_t kept = m_kept.exchange(0);
  if (kept == 0) return;
  try {
    const std::filesystem::path path = pagesIn(m_options.folder) / kTotal;
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file || ::flock(file.get(), LOCK_EX) != 0) return;
    // The sum, and when it was made.
    std::uint64_t words[2] = {0, 0};
    const bool isKnown = ::pread(file.get(), words, sizeof words, 0) == sizeof words;
    const auto now = static_cast<std::uint64_t>(::time(nullptr));
    words[0] += kept;
    if (!isKnown || words[0] > m_options.mostBytes || words[1] > now || now - words[1] > kTotalSeconds) {
      letGo(words[0]);
      words[1] = now;
    }
    [[maybe_unused]] const auto written = ::pwrite(file.get(), words, sizeof words, 0);
  } catch (...) {  // the next one does it
  }
}

void PageFolder::letGo(std::uint64_t& total) const {
  std::vector<Kept> files;
  std::error_code ignored;
  total = 0;
  for (std::filesystem::recursive_directory_iterator at(
           pagesIn(m_options.folder), std::filesystem::directory_options::skip_permission_denied, ignored);
       at != std::filesystem::recursive_directory_iterator(); at.increment(ignored)) {
    struct stat status {};
    const std::string path = at->path().string();
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const std::string file = at->path().filename().string();
    if (file == kName || file == kTotal) continue;
    total += static_cast<std::uint64_t>(status.st_size);
    files.push_back({path, static_cast<std::uint64_t>(status.st_size), status.st_mtime});
  }
  if (total <= m_options.mostBytes) return;
  std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& file : files) {
    if (total <= m_options.mostBytes / 5 * 4) break;
    if (::unlink(file.path.c_str()) == 0) total -= std::min(total, file.bytes);
  }
}

}  // namespace farfield::paging
