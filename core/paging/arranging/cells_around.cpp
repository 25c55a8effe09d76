#include "core/paging/arranging/cells_around.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/record_sorter.h"
#include "core/base/temporary_file.h"
#include "core/paging/arranging/part_writer.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20;
constexpr std::int64_t kCellsAtATime = 4096;
constexpr std::int64_t kNodesAtATime = 4096;
/// Values of cells that are in memory at a time.
constexpr std::int64_t kMostBytes = 256 * 1024;

struct Corner {
  std::int32_t node = 0, cell = 0;
  bool operator<(const Corner& other) const {
    return std::tie(node, cell) < std::tie(other.node, other.cell);
  }
};

void throwIfStopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Cancelled();
}

}  // namespace

bool hasValuesOfCells(const MeshInput& input) {
  const auto& variables = input.variables();
  return std::any_of(variables.begin(), variables.end(), [](const auto& its) { return its.onCells; });
}

ScalarType typeOfMeans(ScalarType type) {
  return type == ScalarType::F64 || type == ScalarType::I32 ? ScalarType::F64 : ScalarType::F32;
}

CellsAround::CellsAround(const ArrangedMesh& mesh, MemoryAccount& account,
                         const std::filesystem::path& folder, const std::stop_token& stop)
    : m_cellsAt(static_cast<std::uint64_t>(mesh.nodes + 1) * sizeof(std::int64_t)) {
  const trace::Scope scope("convert", "cells around nodes");
  RecordSorter<Corner> corners(std::max(kLeastBytes, account.obtainableBytes() / 2), account, folder);
  std::vector<CellNodes> cells;
  std::vector<std::int32_t> numbers;
  for (std::int64_t first = 0; first < mesh.cells; first += kCellsAtATime) {
    throwIfStopped(stop);
    const auto count = static_cast<std::size_t>(std::min(kCellsAtATime, mesh.cells - first));
    cells.resize(count);
    numbers.resize(count);
    mesh.file->readAt(mesh.cellsAt + static_cast<std::uint64_t>(first) * sizeof(CellNodes),
                      std::as_writable_bytes(std::span(cells)));
    mesh.file->readAt(mesh.cellOrderAt + static_cast<std::uint64_t>(first) * sizeof(std::int32_t),
                      std::as_writable_bytes(std::span(numbers)));
    for (std::size_t n = 0; n < count; ++n) {
      // of shapes with fewer corners some are there several times
      CellNodes its = cells[n];
      std::sort(its.begin(), its.end());
      const auto end = std::unique(its.begin(), its.end());
      for (auto node = its.begin(); node != end; ++node) corners.add({*node, numbers[n]});
    }
  }
  File file = makeTemporaryFile(folder);
  PartWriter begins(file, 0), list(file, m_cellsAt);
  std::int64_t node = -1, written = 0, seen = 0;
  std::int32_t last = -1;
  corners.forEach([&](const Corner& corner) {
    if (seen++ % kCellsAtATime == 0) throwIfStopped(stop);
    if (corner.node == node && corner.cell == last) return;  // of a polyhedron that was cut
    for (; node < corner.node; ++node) begins.add(written);
    last = corner.cell;
    list.add(last);
    ++written;
  });
  for (; node < mesh.nodes; ++node) begins.add(written);
  begins.flush();
  list.flush();
  m_file = std::make_shared<const File>(std::move(file));
}

void CellsAround::readMeans(std::int64_t first, int components, ScalarType type, const ReadCells& readCells,
                            std::span<std::byte> out) const {
  const std::int64_t bytes = components * std::int64_t{sizeOf(typeOfMeans(type))};
  const std::int64_t count = static_cast<std::int64_t>(out.size()) / bytes;
  for (std::int64_t done = 0; done < count; done += kNodesAtATime)
    readSome(first + done, std::min(kNodesAtATime, count - done), components, type, readCells,
             out.data() + done * bytes);
}

void CellsAround::readSome(std::int64_t first, std::int64_t count, int components, ScalarType type,
                           const ReadCells& readCells, std::byte* out) const {
  std::vector<std::int64_t> begins(static_cast<std::size_t>(count) + 1);
  m_file->readAt(static_cast<std::uint64_t>(first) * sizeof(std::int64_t),
                 std::as_writable_bytes(std::span(begins)));
  const auto each = static_cast<std::size_t>(components);
  std::vector<double> sums(static_cast<std::size_t>(count) * each);
  std::vector<std::int32_t> counts(sums.size());
  const std::int64_t cellBytes = components * std::int64_t{sizeOf(type)};
  const std::int64_t most = std::max<std::int64_t>(1, kMostBytes / cellBytes);
  std::vector<std::int32_t> cells;
  std::vector<std::byte> values;
  std::size_t node = 0;
  for (std::int64_t at = begins.front(); at < begins.back(); at += most) {
    cells.resize(static_cast<std::size_t>(std::min(most, begins.back() - at)));
    m_file->readAt(m_cellsAt + static_cast<std::uint64_t>(at) * sizeof(std::int32_t),
                   std::as_writable_bytes(std::span(cells)));
    values.resize(cells.size() * static_cast<std::size_t>(cellBytes));
    readCells(cells, values);
    for (std::size_t n = 0; n < cells.size(); ++n) {
      while (begins[node + 1] <= at + static_cast<std::int64_t>(n)) ++node;
      for (std::size_t c = 0; c < each; ++c) {
        const double value = valueAt(values.data(), type, static_cast<std::int64_t>(n * each + c));
        if (std::isnan(value)) continue;
        sums[node * each + c] += value;
        ++counts[node * each + c];
      }
    }
  }
  const bool isShort = typeOfMeans(type) == ScalarType::F32;
  for (std::size_t n = 0; n < sums.size(); ++n) {
    const double mean = counts[n] > 0 ? sums[n] / counts[n] : std::numeric_limits<double>::quiet_NaN();
    if (isShort)
      store(out + n * sizeof(float), static_cast<float>(mean));
    else
      store(out + n * sizeof(double), mean);
  }
}

}  // namespace farfield::paging
