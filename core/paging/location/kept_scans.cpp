#include "core/paging/location/kept_scans.h"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/paging/location/kept_files.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/catalog.h"

namespace farfield::paging {
namespace {

// A file: the head below; the identity; the description as text; a checksum for each array and step of the
// location bounds; the location bounds. `checksum` covers all between the head and the bounds.
struct Head {
  char magic[8];
  std::uint64_t checksum, identityBytes, descriptionBytes, boxes;
};
constexpr char kMagic[8] = {'F', 'F', 'P', 'L',
                            'A', 'C', 'E', '2'};  // the last is raised where what is found changes
constexpr const char* kExtension = ".places";
/// More than any description has.
constexpr std::uint64_t kMostTextBytes = std::uint64_t{64} << 20;

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// Without what belongs to solutions, so that all solutions of a grid share one file.
DatasetDescription gridOf(const DatasetDescription& description) {
  DatasetDescription grid = description;
  std::int64_t steps = 1;
  std::erase_if(grid.arrays, [](const ArrayDescription& array) {
    return array.role != ArrayRole::Coordinates && array.role != ArrayRole::Blanking;
  });
  for (const ArrayDescription& array : grid.arrays) steps = std::max(steps, array.steps);
  grid.times.assign(static_cast<std::size_t>(steps), 0);
  for (std::size_t n = 0; n < grid.times.size(); ++n) grid.times[n] = static_cast<double>(n);
  grid.attributes.clear();
  return grid;
}

template <class Visit>
void forBoxes(const DatasetDescription& boxes, Visit visit) {
  for (std::uint32_t array = 0; array < boxes.arrays.size(); ++array)
    for (std::int64_t step = 0; step < boxes.arrays[array].steps; ++step) visit(array, step);
}

}  // namespace

std::string KeptScans::identityOf(const std::vector<std::filesystem::path>& files,
                                  const DatasetDescription& description) const {
  std::uint64_t bytes = 0;
  for (const ArrayDescription& array : description.arrays)
    if (array.role == ArrayRole::Coordinates)
      bytes += static_cast<std::uint64_t>(
          checkedProduct({array.steps, product(array.layout.dims()), array.nodeBytes()}));
  if (bytes < m_options.leastCoordinateBytes) return {};
  DatasetDescription grid = gridOf(description);
  grid.surfaces.clear();
  const std::string stamps = stampsOf(files);
  return stamps.empty() ? stamps : stamps + descriptionText(grid);
}

std::optional<KeptScans::Kept> KeptScans::find(const std::string& identity,
                                               const std::vector<BlockDescription>& blocks) const {
  const std::filesystem::path path = keptFile(m_options.folder, identity, kExtension);
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return std::nullopt;
  try {
    Kept kept;
    kept.m_file = File::openForReading(path);
    Head head{};
    kept.m_file.readAt(0, std::as_writable_bytes(std::span(&head, 1)));
    if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.identityBytes != identity.size() ||
        head.descriptionBytes > kMostTextBytes || head.boxes > kMostTextBytes / 8)
      return std::nullopt;
    const std::uint64_t bodyBytes = head.identityBytes + head.descriptionBytes + 8 * head.boxes;
    if (kept.m_file.size() < sizeof head + bodyBytes) return std::nullopt;
    std::vector<std::byte> body(static_cast<std::size_t>(bodyBytes));
    kept.m_file.readAt(sizeof head, body);
    const char* const text = reinterpret_cast<const char*>(body.data());
    if (checksum(body) != head.checksum || identity != std::string_view(text, identity.size()))
      return std::nullopt;
    kept.m_description =
        descriptionFromText({text + head.identityBytes, static_cast<std::size_t>(head.descriptionBytes)});
    const auto sameNodes = [](const BlockDescription& a, const BlockDescription& b) {
      return a.dims == b.dims && a.kind == b.kind;
    };
    if (!std::ranges::equal(kept.m_description.blocks, blocks, sameNodes)) return std::nullopt;
    for (std::uint64_t n = 0; n < head.boxes; ++n)
      kept.m_checksums.push_back(
          load<std::uint64_t>(text + head.identityBytes + head.descriptionBytes + 8 * n));
    kept.m_boxesAt = sizeof head + body.size();
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), failure);
    return kept;
  } catch (const std::exception& error) {
    log::detail("what was kept of an earlier opening is not used: " + std::string(error.what()));
    return std::nullopt;
  }
}

bool KeptScans::Kept::readBoxes(MemoryReader& boxes) const {
  try {
    std::uint64_t at = m_boxesAt;
    std::size_t number = 0;
    bool right = true;
    forBoxes(boxes.description(), [&](std::uint32_t array, std::int64_t step) {
      const std::span<std::byte> bytes = boxes.bytes(array, step);
      right = right && number < m_checksums.size();
      if (!right) return;
      m_file.readAt(at, bytes);
      right = checksum(bytes) == m_checksums[number++];
      at += bytes.size();
    });
    return right && number == m_checksums.size() && at == m_file.size();
  } catch (const Error& error) {
    log::detail("what was kept of an earlier opening is not used: " + error.message());
    return false;
  }
}

void KeptScans::keep(const std::string& identity, const DatasetDescription& found,
                     const MemoryReader& boxes) const noexcept {
  try {
    const std::string description = descriptionText(gridOf(found));
    std::string body = identity + description;
    Head head{};
    std::memcpy(head.magic, kMagic, sizeof kMagic);
    head.identityBytes = identity.size();
    head.descriptionBytes = description.size();
    forBoxes(boxes.description(), [&](std::uint32_t array, std::int64_t step) {
      char sum[8];
      store(sum, checksum(boxes.bytes(array, step)));
      body.append(sum, sizeof sum);
      ++head.boxes;
    });
    head.checksum = checksum(bytesOf(body));
    std::filesystem::create_directories(m_options.folder);
    NewFile file(keptFile(m_options.folder, identity, kExtension));
    file.write(std::as_bytes(std::span(&head, 1)));
    file.write(body);
    forBoxes(boxes.description(),
             [&](std::uint32_t array, std::int64_t step) { file.write(boxes.bytes(array, step)); });
    file.commit();
    makeRoom(m_options.folder, kExtension, m_options.mostBytes);
  } catch (const std::exception& error) {
    log::detail("what opening found out is not kept: " + std::string(error.what()));
  }
}

}  // namespace farfield::paging
