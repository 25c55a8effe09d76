#include "core/paging/ingest/kept_levels.h"

#include <algorithm>

#include "core/base/bytes.h"
#include "core/base/changed_file.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/location/kept_files.h"
#include "core/paging/pages/coarse_reader.h"
#include "core/paging/writing/store_writer.h"

namespace farfield::paging {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".levels";
constexpr const char* kIdentity = "levelsOf";
/// Beside the values: index, catalog, HDF5's structures, journal.
constexpr std::uint64_t kRestPart = 32;

/// Numbers of the arrays that are wanted; empty where one is missing.
std::vector<std::uint32_t> arraysIn(const DatasetDescription& data, const LevelsWanted& wanted) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : wanted.arrays) {
    const int found = data.find(0, name);
    if (found < 0) return {};
    numbers.push_back(static_cast<std::uint32_t>(found));
  }
  if (data.blocks[0].hasIblank) {
    const int blank = data.find(0, ArrayRole::Blanking);
    if (blank < 0) return {};
    numbers.push_back(static_cast<std::uint32_t>(blank));
  }
  return numbers;
}

std::string identityOf(const LevelsWanted& wanted, const DatasetDescription& data,
                       const std::vector<std::uint32_t>& arrays) {
  std::string text = stampsOf(wanted.files);
  if (text.empty()) return {};
  text += "reader " + wanted.reader + '\n';
  for (const auto& [key, value] : wanted.options) text += key + '=' + value + '\n';
  const Index3& dims = data.blocks[0].dims;
  text += "nodes " + std::to_string(dims[0]) + ' ' + std::to_string(dims[1]) + ' ' + std::to_string(dims[2]);
  for (const std::uint32_t n : arrays) {
    const ArrayDescription& array = data.arrays[n];
    text += '\n' + array.name + ' ' + std::to_string(array.components) + ' ' + nameOf(array.type);
  }
  return text + "\nstep " + std::to_string(wanted.step);
}

std::uint64_t sizeOfFile(const fs::path& file) {
  std::error_code failure;
  const std::uint64_t bytes = fs::file_size(file, failure);
  return failure ? 0 : bytes;
}

/// An empty file whose time is that of the last use: the store's own may not change while it is open.
fs::path usedFile(const fs::path& file) {
  return file.string() + ".used";
}

/// The file of a place and what lies beside it.
std::vector<fs::path> filesOf(const fs::path& file) {
  const auto partial = StoreWriter::partialFiles(file);
  return {file, partial[0], partial[1], usedFile(file)};
}

}  // namespace

std::optional<KeptLevels::Place> KeptLevels::placeOf(const LevelsWanted& wanted,
                                                     const DatasetDescription& data) const {
  if (m_options.folder.empty() || wanted.files.empty() || data.blocks.size() != 1 ||
      data.blocks[0].hasCoordinates() || levelsSaid(data) > 1)
    return std::nullopt;
  const std::vector<std::uint32_t> arrays = arraysIn(data, wanted);
  if (arrays.empty()) return std::nullopt;
  Place place;
  place.levels = levelsOf(data, 0);
  if (place.levels < 2) return std::nullopt;
  std::uint64_t finest = 0;
  for (const std::uint32_t n : arrays) {
    const ArrayDescription& array = data.arrays[n];
    if (array.layout.dims() != data.blocks[0].dims) return std::nullopt;
    finest += static_cast<std::uint64_t>(checkedProduct({product(array.layout.dims()), array.nodeBytes()}));
    for (int level = 1; level < place.levels; ++level)
      place.bytes +=
          static_cast<std::uint64_t>(product(coarseDims(array.layout.dims(), level)) * array.nodeBytes());
  }
  place.bytes += place.bytes / kRestPart;
  if (finest < m_options.leastBytes || place.bytes > m_options.mostBytes) return std::nullopt;
  place.identity = identityOf(wanted, data, arrays);
  if (place.identity.empty()) return std::nullopt;
  place.file = keptFile(m_options.folder, place.identity, kExtension);
  return place;
}

bool KeptLevels::isThere(const Place& place) const noexcept {
  std::error_code failure;
  return fs::exists(place.file, failure) && !failure;
}

std::uint64_t KeptLevels::begunBytes(const Place& place) const noexcept {
  return isThere(place) ? 0 : sizeOfFile(StoreWriter::partialFiles(place.file)[0]);
}

void KeptLevels::use(const Place& place) const noexcept {
  try {
    const fs::path used = usedFile(place.file);
    File::openForWriting(used, false);
    fs::last_write_time(used, fs::file_time_type::clock::now());
  } catch (const std::exception&) {
    // Then it counts as old; that is all.
  }
}

bool KeptLevels::isOf(const Place& place, const DatasetDescription& store) {
  const auto found = store.attributes.find(kIdentity);
  return found != store.attributes.end() && found->second == place.identity;
}

/// Files that were used longest ago go until this one fits, those that are half made too.
void KeptLevels::makeRoom(const Place& place) const {
  struct Entry {
    fs::file_time_type used;
    fs::path file;
    std::uint64_t bytes;
  };
  std::map<std::string, Entry> entries;
  for (const auto& found : fs::directory_iterator(m_options.folder)) {
    const std::string name = found.path().filename().string();
    const std::size_t end = name.find(kExtension);
    if (end == std::string::npos) continue;
    const std::string file = name.substr(0, end + std::string(kExtension).size());
    if (m_options.folder / file == place.file) continue;
    std::error_code failure;
    const auto used = fs::last_write_time(found.path(), failure);
    if (failure) continue;
    Entry& entry = entries.try_emplace(file, Entry{used, m_options.folder / file, 0}).first->second;
    entry.used = std::max(entry.used, used);
    entry.bytes += sizeOfFile(found.path());
  }
  std::vector<Entry> byAge;
  std::uint64_t bytes = place.bytes;
  for (const auto& [name, entry] : entries) {
    byAge.push_back(entry);
    bytes += entry.bytes;
  }
  std::sort(byAge.begin(), byAge.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : byAge) {
    if (bytes <= m_options.mostBytes) break;
    std::error_code ignored;
    for (const fs::path& each : filesOf(entry.file)) fs::remove(each, ignored);
    bytes -= entry.bytes;
  }
  const std::uint64_t begun = begunBytes(place), missing = place.bytes - std::min(place.bytes, begun);
  const fs::space_info disk = fs::space(m_options.folder);
  if (disk.available < missing)
    throw Io("has room for " + formatBytes(disk.available) + ", and levels of detail take up to " +
                 formatBytes(missing),
             "make room, or name another folder by FARFIELD_CACHE_DIR")
        .at("folder " + m_options.folder.string());
}

void KeptLevels::make(std::shared_ptr<const BoxReader> data, const LevelsWanted& wanted, const Place& place,
                      const MakeOptions& options, MemoryAccount& account) const {
  if (isThere(place)) return;
  try {
    fs::create_directories(m_options.folder);
    makeRoom(place);
  } catch (const fs::filesystem_error& error) {
    throw Io(error.code().message(), "name another folder by FARFIELD_CACHE_DIR")
        .at("folder " + m_options.folder.string());
  }
  const DatasetDescription& description = data->description();
  const std::vector<std::uint32_t> arrays = arraysIn(description, wanted);
  const auto throwIfChanged = [&] {
    if (arrays.empty() || identityOf(wanted, description, arrays) != place.identity)
      throw fileHasChanged().at("file " + wanted.files.front().string());
  };
  throwIfChanged();
  const auto coarse = makeCoarseReader(
      std::move(data), {.first = 1, .levels = place.levels - 1, .arrays = arrays, .step = wanted.step});
  ConvertOptions convertOptions;
  convertOptions.codec = Codec::Lz4;
  convertOptions.resume = true;
  convertOptions.levels = place.levels - 1;
  convertOptions.processors = options.processors;
  convertOptions.attributes = {{kIdentity, place.identity}};
  convertOptions.progress = options.progress;
  convertOptions.stop = options.stop;
  convert(*coarse, place.file, convertOptions, account);
  try {
    throwIfChanged();
  } catch (const Corrupt&) {
    std::error_code ignored;
    for (const fs::path& each : filesOf(place.file)) fs::remove(each, ignored);
    throw;
  }
}

}  // namespace farfield::paging
