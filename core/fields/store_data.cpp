#include "core/fields/store_data.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/paging/sources/store_source.h"
#include "core/paging/store/store_file.h"

namespace farfield::fields {
namespace {

/// The share of the budget that index nodes may take, and the most that is any use. Budgets below the least
/// are not told apart: what they leave for pages then does not depend on them, so that the smallest budget
/// that an error names is the smallest.
constexpr std::uint64_t kIndexShare = 16, kLeastBudgetBytes = 1 << 20;
constexpr std::uint64_t kMostIndexBytes = 32 << 20;

class StoreData final : public OpenData {
 public:
  explicit StoreData(std::shared_ptr<const paging::StoreFile> file) : m_file(std::move(file)) {}

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
    source.engine = options.engine;
    source.readers = options.readers;
    source.depth = std::max(options.readers, 1);
    source.rings = std::max(options.processors, 1);
    source.stagingBytes = options.stagingBytes;
    std::vector<std::unique_ptr<paging::PageSource>> sources;
    sources.push_back(paging::makeStoreSource(m_file, account, source));
    return sources;
  }
  std::vector<std::string> explanation() const override {
    return {"paged store of " + formatBytes(m_file->fileBytes()) + ", pages of edge " +
            std::to_string(description().pageEdge) + ", codec " + description().codec};
  }
  std::uint64_t storedBytesOf(std::uint32_t array, std::uint64_t page) const override {
    return m_file->place(array, page).bytes;
  }
  std::optional<std::array<double, 2>> storedRange(std::uint32_t array, int component) const override {
    const paging::PageSummary& summary = m_file->arraySummary(array);
    const auto& range = summary.components.at(static_cast<std::size_t>(component));
    if (!(range.min <= range.max)) return std::nullopt;
    return std::array<double, 2>{range.min, range.max};
  }

 private:
  std::shared_ptr<const paging::StoreFile> m_file;
};

bool isHdf5(const std::string& path) {
  constexpr unsigned char kSignature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  try {
    char head[sizeof kSignature]{};
    File::openForReading(path).readSomeAt(0, std::as_writable_bytes(std::span(head)));
    return std::memcmp(head, kSignature, sizeof head) == 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool StoreDataReader::recognizes(const std::string& source) const {
  if (source.find("://") != std::string::npos) return false;
  return paging::StoreFile::looksLikeStore(source) || isHdf5(source);
}

std::unique_ptr<OpenData> StoreDataReader::open(const OpenRequest& request, MemoryAccount& account) const {
  if (request.sources.size() != 1)
    throw Invalid("a store is one file, and " + std::to_string(request.sources.size()) + " are named");
  if (!request.solutions.empty())
    throw Invalid("a store has its own solution", "leave out the solution")
        .at("file " + request.sources.front());
  paging::StoreFileOptions options;
  for (const auto& [key, value] : request.options) {
    if (key != "level") throw Invalid("stores take no option '" + key + "'", "leave it out; they take level");
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, options.level);
    if (error != std::errc() || stop != end || options.level < 0)
      throw Invalid("'" + value + "' is no level", "0 is all of the data, 1 half their resolution");
  }
  options.indexCacheBytes =
      std::min(std::max(account.budgetBytes(), kLeastBudgetBytes) / kIndexShare, kMostIndexBytes);
  return std::make_unique<StoreData>(paging::StoreFile::open(request.sources.front(), account, options));
}

}  // namespace farfield::fields
