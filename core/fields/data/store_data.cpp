#include "core/fields/data/store_data.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <mutex>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/fields/data/store_levels.h"
#include "core/fields/functions/origin.h"
#include "core/paging/sources/kept_source.h"
#include "core/paging/sources/store_source.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/store_check.h"
#include "core/paging/store/store_file.h"

namespace farfield::fields {
namespace {

/// The share of the budget that index nodes may take, and the most that is useful. Budgets below the least
/// count as that one: what they leave for pages then does not depend on them, so that the smallest budget in
/// an error really is the smallest.
constexpr std::uint64_t kIndexShare = 16, kLeastBudgetBytes = 1 << 20;
constexpr std::uint64_t kMostIndexBytes = 32 << 20;

std::uint64_t indexBytes(const MemoryAccount& account) {
  return std::min(std::max(account.budgetBytes(), kLeastBudgetBytes) / kIndexShare, kMostIndexBytes);
}

class StoreData final : public OpenData, public RemoteOrigin {
 public:
  StoreData(std::shared_ptr<const paging::StoreFile> file, std::shared_ptr<const paging::PageFolder> kept)
      : m_file(std::move(file)), m_kept(std::move(kept)) {}

  const paging::DatasetDescription& description() const override { return m_file->description(); }
  std::uint64_t largestStoredBytes() const override {
    std::uint64_t largest = 0;
    for (std::size_t n = 0; n < description().arrays.size(); ++n)
      largest = std::max(largest, m_file->maxStoredBytes(static_cast<std::uint32_t>(n)));
    return largest;
  }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(MemoryAccount& account,
                                                               const SourceOptions& options) const override {
    paging::StoreSourceOptions source;
    source.engine.kind = options.engine;
    source.engine.readers = options.readers;
    source.engine.depth = std::max(options.readers, 1);
    source.engine.rings = std::max(options.processors, 1);
    const paging::ByteObject& object = *m_file->object();
    const bool isRemote = !object.server().empty();
    const paging::KeptSourceOptions keeping{.folder = isRemote ? m_kept : nullptr,
                                            .identity = object.name() + '\n' + std::to_string(object.size()) +
                                                        '\n' + object.generation().tag + '\n' +
                                                        paging::descriptionText(description()),
                                            .stagingBytes = options.stagingBytes,
                                            .largestBytes = largestStoredBytes()};
    std::vector<std::unique_ptr<paging::PageSource>> sources;
    sources.push_back(paging::keepPages(keeping, account, [&](std::uint64_t stagingBytes) {
      source.stagingBytes = stagingBytes;
      return paging::makeStoreSource(m_file, account, source);
    }));
    return sources;
  }
  std::vector<std::string> checkRest(MemoryAccount& account, const std::stop_token& stop) const override {
    return paging::checkStore(*m_file->object(), account, stop);
  }
  void checkUnchanged() const override { m_file->checkUnchanged(); }
  Origin origin() const override {
    Origin origin = originOf(*m_file->object());
    origin.fileBytes = m_file->fileBytes();
    return origin;
  }
  std::vector<std::filesystem::path> files() const override {
    constexpr std::string_view kOfThisMachine = "file ";
    const std::string& name = m_file->object()->name();
    const bool oneFile = m_file->pageObjects().size() == 1;
    if (!oneFile || !m_file->object()->server().empty() || !name.starts_with(kOfThisMachine)) return {};
    return {name.substr(kOfThisMachine.size())};
  }
  std::vector<std::string> explanation() const override {
    return {"paged store of " + formatBytes(m_file->fileBytes()) + ", pages of edge " +
            std::to_string(description().pageEdge) + ", codec " + description().codec};
  }
  std::uint64_t storedBytesOf(std::uint32_t array, std::uint64_t page) const override {
    return m_file->place(array, page).bytes;
  }
  std::unique_ptr<OpenData> openLevel(int level, MemoryAccount& account) const override {
    if (level > 0 && m_file->levels() == 1 && level < stridedLevelsOf(*this))
      return openStridedLevel(*this, stridedReader(account), level, m_file->object()->name(), account);
    if (level < 0 || level >= m_file->levels()) return nullptr;
    paging::StoreFileOptions options;
    options.level = level;
    options.indexCacheBytes = indexBytes(account);
    options.openPart = [this](std::size_t part, const std::string&) { return m_file->pageObjects()[part]; };
    return std::make_unique<StoreData>(paging::StoreFile::open(m_file->object(), account, options), m_kept);
  }
  std::optional<paging::PageSummary> summaryOf(std::uint32_t array, std::uint64_t page) const override {
    return m_file->summary(array, page);
  }
  std::optional<std::array<double, 2>> storedRange(std::uint32_t array, int component) const override {
    const paging::PageSummary& summary = m_file->arraySummary(array);
    const auto& range = summary.components.at(static_cast<std::size_t>(component));
    if (!(range.min <= range.max)) return std::nullopt;
    return std::array<double, 2>{range.min, range.max};
  }

 private:
  /// One for all levels.
  std::shared_ptr<const StridedReader> stridedReader(MemoryAccount& account) const {
    const std::lock_guard lock(m_mutex);
    auto reader = m_strided.lock();
    if (!reader) {
      reader = std::make_shared<const StridedReader>(*this, account, availableProcessors());
      m_strided = reader;
    }
    return reader;
  }

  std::shared_ptr<const paging::StoreFile> m_file;
  std::shared_ptr<const paging::PageFolder> m_kept;
  mutable std::mutex m_mutex;
  mutable std::weak_ptr<const StridedReader> m_strided;  ///< guarded by it
};

/// An HDF5 file whose structures, which a store has at its end, lie behind its end.
bool isCutShort(const paging::ByteObject& object) {
  constexpr unsigned char kSignature[9] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 0};
  constexpr std::size_t kRootHeader = 64;  // address of the root group's header in a superblock of version 0
  std::byte head[kRootHeader + sizeof(std::uint64_t)]{};
  if (object.readSomeAt(0, head) < sizeof head) return false;
  return std::memcmp(head, kSignature, sizeof kSignature) == 0 &&
         load<std::uint64_t>(head + kRootHeader) >= object.size();
}

}  // namespace

bool StoreDataReader::recognizes(const std::string& source) const {
  if (!m_stores->knows(source)) return false;
  try {
    const auto object = m_stores->open(source);
    return paging::StoreFile::looksLikeStore(*object) || isCutShort(*object);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<OpenData> StoreDataReader::open(const OpenRequest& request, MemoryAccount& account) const {
  if (request.sources.size() != 1)
    throw Invalid("a store is one file, and " + std::to_string(request.sources.size()) + " are named");
  if (!request.solutions.empty())
    throw Invalid("a store includes its solution", "leave out the solution")
        .at(saidOf(request.sources.front()));
  paging::StoreFileOptions options;
  for (const auto& [key, value] : request.options) {
    if (key != "level") throw Invalid("stores take no option '" + key + "'", "leave it out; they take level");
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, options.level);
    if (error != std::errc() || stop != end || options.level < 0)
      throw Invalid("'" + value + "' is not a level", "0 is all of the data, 1 half their resolution");
  }
  options.indexCacheBytes = indexBytes(account);
  const std::string& name = request.sources.front();
  if (!paging::ByteStores::schemeOf(name).empty())
    options.openPart = [&](std::size_t, const std::string& part) {
      return m_stores->open(besideUrl(name, part));
    };
  // for a missing local file its name tells more: it may be unfinished
  return std::make_unique<StoreData>(
      paging::ByteStores::schemeOf(name).empty()
          ? paging::StoreFile::open(std::filesystem::path(name), account, options)
          : paging::StoreFile::open(m_stores->open(name), account, options),
      m_kept);
}

}  // namespace farfield::fields
