#include "plugins/arrays/byte_source.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/paging/bytes/local_file.h"

namespace farfield::arrays {

using paging::LocalFile;

class FilePool {
 public:
  std::shared_ptr<const LocalFile> get(const std::filesystem::path& path, const LocalFile::Mark& mark) {
    const std::lock_guard lock(m_mutex);
    const auto found = std::find_if(m_files.begin(), m_files.end(), [&](const Known& each) {
      return each.path == path && each.file->mark() == mark;
    });
    if (found != m_files.end()) {
      m_files.splice(m_files.begin(), m_files, found);
      return m_files.front().file;
    }
    m_files.push_front({path, LocalFile::open(path, mark)});
    if (m_files.size() > kMost) m_files.pop_back();
    return m_files.front().file;
  }

 private:
  struct Known {
    std::filesystem::path path;
    std::shared_ptr<const LocalFile> file;
  };
  static constexpr std::size_t kMost = 32;
  std::mutex m_mutex;
  std::list<Known> m_files;  // most recently used first
};

std::shared_ptr<FilePool> makeFilePool() {
  return std::make_shared<FilePool>();
}

namespace {

/// Behind what counts records in headers, and enough to tell a file from another of its kind.
constexpr std::uint64_t kHeadAt = 12, kSampleBytes = 64;

LocalFile::Mark markOf(const std::filesystem::path& path, Growth growth, std::uint64_t counted) {
  const auto file = LocalFile::open(path);
  if (growth == Growth::None || file->size() == 0) return file->mark();
  std::vector<paging::LastingBytes> lasting;
  const auto stays = [&](std::uint64_t from, std::uint64_t end) {
    if (from >= end) return;
    lasting.push_back({from, std::vector<std::byte>(static_cast<std::size_t>(end - from))});
    file->readAt(from, lasting.back().bytes);
  };
  const std::uint64_t size = file->size(), end = std::min(size, counted);
  stays(0, std::min<std::uint64_t>(end, 4));
  if (growth == Growth::Behind) {
    stays(kHeadAt, std::min(end, kHeadAt + kSampleBytes));
    stays(std::max(kHeadAt, end - std::min(end, kSampleBytes)), end);
  }
  file->letGrow(lasting);
  LocalFile::Mark mark = file->mark();
  mark.onlyLonger = end == size;
  return mark;
}

class PooledFile final : public ByteSource {
 public:
  PooledFile(std::filesystem::path path, std::shared_ptr<FilePool> pool, Growth growth, std::uint64_t counted)
      : m_path(std::move(path)), m_pool(std::move(pool)), m_mark(markOf(m_path, growth, counted)) {}
  std::uint64_t size() const override { return m_mark.bytes(); }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    m_pool->get(m_path, m_mark)->readAt(offset, out);
  }
  void checkUnchanged() const override {
    std::error_code ignored;
    if (std::filesystem::exists(m_path, ignored)) m_pool->get(m_path, m_mark)->checkUnchanged();
  }

 private:
  const std::filesystem::path m_path;
  const std::shared_ptr<FilePool> m_pool;
  const LocalFile::Mark m_mark;
};

class NamedObject final : public ByteSource {
 public:
  explicit NamedObject(std::shared_ptr<const paging::ByteObject> object) : m_object(std::move(object)) {}
  std::uint64_t size() const override { return m_object->size(); }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    m_object->readAt(offset, out);
  }

 private:
  std::shared_ptr<const paging::ByteObject> m_object;
};

class OpenFile final : public ByteSource {
 public:
  explicit OpenFile(File file) : m_file(std::move(file)), m_size(m_file.size()) {}
  std::uint64_t size() const override { return m_size; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override { m_file.readAt(offset, out); }

 private:
  File m_file;
  std::uint64_t m_size;
};

class Part final : public ByteSource {
 public:
  Part(std::shared_ptr<const ByteSource> source, std::uint64_t offset, std::uint64_t bytes)
      : m_source(std::move(source)), m_offset(offset), m_bytes(bytes) {}
  std::uint64_t size() const override { return m_bytes; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    m_source->readAt(m_offset + offset, out);
  }
  void checkUnchanged() const override { m_source->checkUnchanged(); }

 private:
  std::shared_ptr<const ByteSource> m_source;
  std::uint64_t m_offset, m_bytes;
};

class Joined final : public ByteSource {
 public:
  explicit Joined(std::vector<std::shared_ptr<const ByteSource>> parts)
      : m_parts(std::move(parts)), m_partBytes(m_parts.front()->size()) {}
  std::uint64_t size() const override { return m_parts.size() * m_partBytes; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    while (!out.empty()) {
      const std::uint64_t within = offset % m_partBytes;
      const std::size_t bytes = std::min<std::uint64_t>(out.size(), m_partBytes - within);
      m_parts[static_cast<std::size_t>(offset / m_partBytes)]->readAt(within, out.first(bytes));
      out = out.subspan(bytes);
      offset += bytes;
    }
  }
  void checkUnchanged() const override {
    for (const auto& part : m_parts) part->checkUnchanged();
  }

 private:
  std::vector<std::shared_ptr<const ByteSource>> m_parts;
  std::uint64_t m_partBytes;
};

}  // namespace

std::shared_ptr<const ByteSource> fileBytes(const std::filesystem::path& path,
                                            const std::shared_ptr<FilePool>& pool, Growth growth,
                                            std::uint64_t counted) {
  return std::make_shared<PooledFile>(path, pool, growth, counted);
}

std::shared_ptr<const ByteSource> namedBytes(const std::string& name, const paging::ByteStores& stores,
                                             const std::shared_ptr<FilePool>& pool,
                                             paging::ByteObjects& opened, Growth growth) {
  if (!isUrl(name)) return fileBytes(name, pool, growth);
  opened.push_back(stores.open(name));
  return std::make_shared<NamedObject>(opened.back());
}

std::string beginning(const std::string& name, const paging::ByteStores& stores, std::size_t count) {
  if (!stores.knows(name)) return {};
  std::string head(count, '\0');
  try {
    head.resize(stores.open(name)->readSomeAt(0, std::as_writable_bytes(std::span(head))));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    head.clear();
  }
  return head;
}

bool namesFile(const Error& error) {
  return error.place().find("file ") != std::string::npos || error.place().find("://") != std::string::npos;
}

std::shared_ptr<const ByteSource> openFileBytes(File file) {
  return std::make_shared<OpenFile>(std::move(file));
}

std::shared_ptr<const ByteSource> partOf(std::shared_ptr<const ByteSource> source, std::uint64_t offset,
                                         std::uint64_t bytes) {
  if (offset == 0 && bytes == source->size()) return source;
  return std::make_shared<Part>(std::move(source), offset, bytes);
}

std::shared_ptr<const ByteSource> joined(std::vector<std::shared_ptr<const ByteSource>> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return std::make_shared<Joined>(std::move(parts));
}

}  // namespace farfield::arrays
