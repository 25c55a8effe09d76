#include "core/paging/location/kept_ranges.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/temporary_file.h"
#include "core/paging/location/kept_files.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/catalog.h"

namespace farfield::paging {
namespace {

// A file: the head; the identity; the records of the pages, array by array, and then those of boxes. A record: a checksum of
// its offset and of what follows; flags; least and greatest value of each component, or of each group of the box. Records
// never written are zeros, which are not valid.
struct Head {
  char magic[8];
  std::uint64_t identityBytes, checksum;
};
constexpr char kMagic[8] = {'F', 'F', 'R', 'A', 'N', 'G', 'E', '2'};
constexpr const char* kExtension = ".ranges";
constexpr std::uint64_t kMostIdentityBytes = std::uint64_t{64} << 20;
constexpr int kMostComponents = 64;
constexpr std::size_t kMostRecord = 16 + 16 * kMostComponents;

constexpr std::size_t kBoxRecord = 8 + sizeof(GroupExtremes);

std::uint64_t boxesOf(const DatasetDescription& description, const ArrayDescription& array) {
  const Index3& dims = array.layout.dims();
  if (array.isGrid() || array.components > GroupExtremes::kMostComponents || array.onCells ||
      description.blocks[static_cast<std::size_t>(array.block)].isUnstructured() ||
      *std::min_element(dims.begin(), dims.end()) < 2)
    return 0;
  const Index3 boxes = levelDims(cellDims(dims), 1);
  return static_cast<std::uint64_t>(
      checkedProduct({array.steps, array.components, boxes[0], boxes[1], boxes[2]}));
}

std::size_t recordBytes(int components) {
  return 16 + 16 * static_cast<std::size_t>(components);
}

/// Two programs may write the same record at the same time, with the same contents; half of one is invalid.
std::uint64_t checksumOf(std::uint64_t place, std::span<std::byte> record) {
  store(record.data(), place);
  return checksum(record);
}

/// True if the file at `path` belongs to `identity`.
bool isOf(const std::filesystem::path& path, const std::string& identity) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return false;
  const File file = File::openForReading(path);
  Head head{};
  if (file.readSomeAt(0, std::as_writable_bytes(std::span(&head, 1))) != sizeof head ||
      std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.identityBytes != identity.size() ||
      head.checksum != checksum(std::as_bytes(std::span(identity))))
    return false;
  std::string kept(identity.size(), '\0');
  return file.readSomeAt(sizeof head, std::as_writable_bytes(std::span(kept))) == kept.size() &&
         kept == identity;
}

void make(const std::filesystem::path& path, const std::string& identity) {
  Head head{};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.identityBytes = identity.size();
  head.checksum = checksum(std::as_bytes(std::span(identity)));
  NewFile file(path);
  file.write(std::as_bytes(std::span(&head, 1)));
  file.write(identity);
  file.commit();
}

}  // namespace

bool RangeTable::read(std::uint64_t at, std::span<std::byte> record) const {
  try {
    if (m_file.readSomeAt(at, record) != record.size()) return false;
  } catch (const Error&) {
    m_failed = true;
    return false;
  }
  const auto sum = load<std::uint64_t>(record.data());
  return sum != 0 && sum == checksumOf(at, record);
}

void RangeTable::write(std::uint64_t at, std::span<std::byte> record) noexcept {
  try {
    const std::uint64_t sum = checksumOf(at, record);
    store(record.data(), sum);
    m_file.writeAt(at, record);
  } catch (const std::exception& error) {
    // usually a full disk
    m_failed = true;
    log::detail("ranges of pages are not kept: " + std::string(error.what()));
  }
}

std::optional<PageSummary> RangeTable::find(std::uint32_t array, std::uint64_t page) const {
  const Place& place = m_places.at(array);
  if (page >= place.pages || m_failed) return std::nullopt;
  std::array<std::byte, kMostRecord> buffer;
  const std::span<std::byte> record = std::span(buffer).first(recordBytes(place.components));
  if (!read(place.first + page * record.size(), record)) return std::nullopt;
  PageSummary ranges(place.components);
  ranges.hasNonFinite = load<std::uint64_t>(record.data() + 8) != 0;
  const std::byte* from = record.data() + 16;
  for (ValueRange& range : ranges.components) {
    range = {load<double>(from), load<double>(from + 8)};
    if (!range.isValid()) return std::nullopt;
    from += 16;
  }
  return ranges;
}

void RangeTable::put(std::uint32_t array, std::uint64_t page, const PageSummary& ranges) noexcept {
  const Place& place = m_places[array];
  if (page >= place.pages || m_failed) return;
  std::array<std::byte, kMostRecord> buffer;
  const std::span<std::byte> record = std::span(buffer).first(recordBytes(place.components));
  store(record.data() + 8, std::uint64_t{ranges.hasNonFinite ? 1U : 0U});
  std::byte* to = record.data() + 16;
  for (const ValueRange& range : ranges.components) {
    store(to, range.min);
    store(to + 8, range.max);
    to += 16;
  }
  write(place.first + page * record.size(), record);
}

std::optional<GroupExtremes> RangeTable::findGroups(std::uint32_t array, std::uint64_t box) const {
  const Place& place = m_places.at(array);
  std::array<std::byte, kBoxRecord> record;
  if (box >= place.boxes || m_failed || !read(place.firstBox + box * record.size(), record))
    return std::nullopt;
  GroupExtremes groups;
  std::memcpy(&groups, record.data() + 8, sizeof groups);
  return groups;
}

void RangeTable::putGroups(std::uint32_t array, std::uint64_t box, const GroupExtremes& groups) noexcept {
  const Place& place = m_places[array];
  if (box >= place.boxes || m_failed) return;
  std::array<std::byte, kBoxRecord> record;
  std::memcpy(record.data() + 8, &groups, sizeof groups);
  write(place.firstBox + box * record.size(), record);
}

std::shared_ptr<RangeTable> KeptRanges::tableOf(const std::vector<std::filesystem::path>& files,
                                                const DatasetDescription& description) const noexcept {
  try {
    std::uint64_t bytes = 0, records = 0;
    auto table = std::make_shared<RangeTable>();
    for (const ArrayDescription& array : description.arrays) {
      RangeTable::Place place{records, 0, array.components};
      if (!array.isGrid() && array.components <= kMostComponents) {
        place.pages = static_cast<std::uint64_t>(array.pageCount());
        bytes += static_cast<std::uint64_t>(
            checkedProduct({array.steps, product(array.layout.dims()), array.nodeBytes()}));
        records += static_cast<std::uint64_t>(
            checkedProduct({array.pageCount(), static_cast<std::int64_t>(recordBytes(array.components))}));
      }
      table->m_places.push_back(place);
    }
    // where these would be too many, pages alone have ranges
    for (std::size_t n = 0; n < description.arrays.size(); ++n) {
      RangeTable::Place& place = table->m_places[n];
      place.firstBox = records;
      place.boxes = boxesOf(description, description.arrays[n]);
      if (place.boxes > m_options.mostBytes / kBoxRecord ||
          records + place.boxes * kBoxRecord > m_options.mostBytes)
        place.boxes = 0;
      records += place.boxes * kBoxRecord;
    }
    if (files.empty() || bytes < m_options.leastBytes || records > m_options.mostBytes) return nullptr;
    if (m_options.folder.empty()) {
      table->m_file = makeTemporaryFile(temporaryFolder());
      return table;
    }
    std::string identity = stampsOf(files);
    if (identity.empty()) return nullptr;
    identity += descriptionText(description);
    if (identity.size() > kMostIdentityBytes) return nullptr;
    for (RangeTable::Place& place : table->m_places) {
      place.first += sizeof(Head) + identity.size();
      place.firstBox += sizeof(Head) + identity.size();
    }
    std::filesystem::create_directories(m_options.folder);
    const std::filesystem::path path = keptFile(m_options.folder, identity, kExtension);
    if (!isOf(path, identity)) make(path, identity);
    std::error_code failure;
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), failure);
    makeRoom(m_options.folder, kExtension, m_options.mostBytes);
    table->m_file = File::openForWriting(path, false);
    return table;
  } catch (const std::exception& error) {
    log::detail("ranges of pages are not kept: " + std::string(error.what()));
    return nullptr;
  }
}

}  // namespace farfield::paging
