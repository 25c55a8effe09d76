#include "plugins/hdf5/library_dataset.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/hdf5/outside.h"

namespace farfield::hdf5 {
namespace {

/// A larger chunk may not fit into the memory of a process that looks.
constexpr std::uint64_t kMostOutside = 256 << 20;
/// Numbers that a place is told by.
constexpr std::size_t kOfPlace = 3;

/// Whether the library's last error is that the chunk has no address, which the dataset itself says. Those of a damaged index
/// begin in what reads it.
bool isNotStored() {
  bool is = false;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* answer) -> herr_t {
        if (depth == 0) *static_cast<bool*>(answer) = error->maj_num == H5E_DATASET;
        return 0;
      },
      &is);
  return is;
}

LookJob jobOf(LookKind kind, const LibraryLayout& layout, std::int64_t first, std::int64_t count) {
  LookJob job(kind);
  job.object = layout.path;
  job.dims = layout.dims;
  job.chunks = layout.chunks;
  job.elementBytes = layout.elementBytes;
  job.first = first;
  job.most = static_cast<std::uint64_t>(count);
  return job;
}

}  // namespace

class LibraryDataset::Noting {
 public:
  explicit Noting(File& file) : m_file(file) { m_file.startNoting(); }
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;
  ~Noting() { m_file.stopNoting(); }

 private:
  File& m_file;
};

LibraryDataset::LibraryDataset(std::shared_ptr<File> file, LibraryLayout layout)
    : m_file(std::move(file)), m_layout(std::move(layout)), m_grid(m_layout.dims.size()) {
  for (std::size_t d = m_layout.dims.size(); d-- > 0;) {
    m_grid[d] = m_count;
    m_count = checkedProduct({m_count, (m_layout.dims[d] - 1) / m_layout.chunks[d] + 1});
  }
  std::int64_t bytes = m_layout.elementBytes;
  for (const std::int64_t count : m_layout.chunks) bytes = checkedProduct({bytes, count});
  m_chunkBytes = static_cast<std::uint64_t>(bytes);
}

LibraryDataset::~LibraryDataset() {
  const std::lock_guard lock(m_file->mutex());
  m_id = Handle();
}

hid_t LibraryDataset::id() const {
  if (!m_id.isValid()) m_id = Handle(H5Dopen2(m_file->id(), m_layout.path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!m_id.isValid())
    throw Corrupt("HDF5 cannot open " + m_layout.path + " (" + lastError() + ")",
                  "check that the copy is complete");
  return m_id;
}

void LibraryDataset::boxOf(std::int64_t chunk, hsize_t* first, hsize_t* size) const {
  for (std::size_t d = 0; d < m_grid.size(); ++d) {
    const std::int64_t begin = chunk / m_grid[d] * m_layout.chunks[d];
    chunk %= m_grid[d];
    first[d] = static_cast<hsize_t>(begin);
    if (size) size[d] = static_cast<hsize_t>(std::min(m_layout.chunks[d], m_layout.dims[d] - begin));
  }
}

bool LibraryDataset::isWhole(std::int64_t chunk) const {
  hsize_t first[H5S_MAX_RANK], size[H5S_MAX_RANK];
  boxOf(chunk, first, size);
  for (std::size_t d = 0; d < m_grid.size(); ++d)
    if (static_cast<std::int64_t>(size[d]) != m_layout.chunks[d]) return false;
  return true;
}

/// Of what says nothing of itself the other process would open the file anew for each question.
bool LibraryDataset::isAskedOutside() const {
  return m_file->outside() && !m_file->object()->generation().tag.empty();
}

std::vector<LibraryDataset::Place> LibraryDataset::places(std::int64_t first, std::int64_t end) const {
  const std::lock_guard lock(m_file->mutex());
  if (!isAskedOutside()) return placesHere(first, end);
  const auto bytes =
      m_file->outside()->look(jobOf(LookKind::Places, m_layout, first, end - first), *m_file->object());
  if (!bytes) return placesHere(first, end);
  const std::vector<std::int64_t> numbers = decodedIntegers(*bytes);
  std::vector<Place> places(static_cast<std::size_t>(end - first));
  if (numbers.size() != kOfPlace * places.size()) throw wrongAnswer();
  for (std::size_t n = 0; n < places.size(); ++n)
    places[n] = {static_cast<std::uint64_t>(numbers[kOfPlace * n]),
                 static_cast<std::uint64_t>(numbers[kOfPlace * n + 1]),
                 static_cast<std::uint32_t>(numbers[kOfPlace * n + 2])};
  return places;
}

/// The library reads the chunk, and its driver notes where without doing it: its own query goes through all chunks of the
/// dataset each time.
std::vector<LibraryDataset::Place> LibraryDataset::placesHere(std::int64_t first, std::int64_t end) const {
  std::vector<Place> places(static_cast<std::size_t>(end - first));
  const Quiet quiet;
  const hid_t dataset = id();
  std::byte nothing[8];
  const Noting noting(*m_file);
  for (std::int64_t chunk = first; chunk < end; ++chunk) {
    hsize_t offset[H5S_MAX_RANK]{};
    boxOf(chunk, offset, nullptr);
    std::uint32_t skipped = 0;
    const herr_t result = H5Dread_chunk(dataset, H5P_DEFAULT, offset, &skipped, nothing);
    const std::optional<RawRange> range = m_file->noted();
    if (result < 0) {
      m_file->throwFailure();
      if (!range && isNotStored()) continue;
      throw Corrupt("HDF5 cannot find chunk " + std::to_string(chunk) + " (" + lastError() + ")",
                    "check that the copy is complete");
    }
    if (!range) continue;  // without bytes
    places[static_cast<std::size_t>(chunk - first)] = {range->offset, range->bytes, skipped};
  }
  H5Eclear2(H5E_DEFAULT);
  return places;
}

void LibraryDataset::read(std::int64_t chunk, std::span<std::byte> out) const {
  const std::lock_guard lock(m_file->mutex());
  if (isAskedOutside() && out.size() <= kMostOutside &&
      m_file->outside()->look(jobOf(LookKind::Values, m_layout, chunk, 1), *m_file->object(), {.into = out}))
    return;
  readHere(chunk, out);
}

void LibraryDataset::readHere(std::int64_t chunk, std::span<std::byte> out) const {
  std::array<hsize_t, H5S_MAX_RANK> first{}, size{}, whole{}, none{};
  boxOf(chunk, first.data(), size.data());
  for (std::size_t d = 0; d < m_grid.size(); ++d) whole[d] = static_cast<hsize_t>(m_layout.chunks[d]);
  const Quiet quiet;
  const hid_t dataset = id();
  const Handle type(H5Dget_type(dataset), H5Tclose), inFile(H5Dget_space(dataset), H5Sclose);
  const int rank = static_cast<int>(m_grid.size());
  // the library writes as much as the dataset says, whatever there is room for
  if (H5Tget_size(type) != static_cast<std::size_t>(m_layout.elementBytes) ||
      H5Sget_simple_extent_ndims(inFile) != rank || out.size() != m_chunkBytes)
    throw Corrupt("its dataset " + m_layout.path + " is another one than was listed",
                  "check that nothing writes it");
  const Handle inMemory(rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, whole.data(), nullptr),
                        H5Sclose);
  if (rank > 0) {
    H5Sselect_hyperslab(inFile, H5S_SELECT_SET, first.data(), nullptr, size.data(), nullptr);
    H5Sselect_hyperslab(inMemory, H5S_SELECT_SET, none.data(), nullptr, size.data(), nullptr);
  }
  if (H5Dread(dataset, type, inMemory, inFile, H5P_DEFAULT, out.data()) < 0) {
    m_file->throwFailure();
    throw Corrupt("HDF5 cannot read it (" + lastError() + ")", "check that the copy is complete");
  }
}

}  // namespace farfield::hdf5
