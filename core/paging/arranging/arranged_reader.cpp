#include "core/paging/arranging/arranged_reader.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/paging/pages/location_levels.h"
#include "core/paging/pages/page_edge.h"
#include "core/paging/pages/role_names.h"

namespace farfield::paging {
namespace {

/// Values so near in the file are read together, wanted or not.
constexpr std::int64_t kNearBytes = 2048;
/// Of a read.
constexpr std::int64_t kMostBytes = 256 * 1024;

}  // namespace

ArrangedReader::ArrangedReader(std::shared_ptr<const MeshInput> input, ArrangedMesh mesh,
                               const std::string& format, std::vector<double> times,
                               std::shared_ptr<const CellsAround> around)
    : m_input(std::move(input)), m_mesh(std::move(mesh)), m_around(std::move(around)) {
  m_description.format = format;
  m_description.times = std::move(times);
  BlockDescription block;
  block.kind = GridKind::Unstructured;
  block.dims = {m_mesh.nodes, 1, 1};
  block.cells = m_mesh.cells;
  block.bounds = m_mesh.bounds;
  m_description.blocks.push_back(block);
  const auto list = [&](const char* name, ArrayRole role, int components, std::int64_t items,
                        std::uint64_t at) {
    ArrayDescription array;
    array.name = name;
    array.role = role;
    array.components = components;
    array.type = role == ArrayRole::Coordinates ? m_mesh.pointType : ScalarType::I32;
    if (role == ArrayRole::Coordinates) array.steps = m_mesh.pointSteps;
    add(std::move(array), items,
        {at, role == ArrayRole::Coordinates && m_mesh.pointSteps > 1 ? kPoints : kNone});
  };
  list(kCoordinatesName, ArrayRole::Coordinates, 3, m_mesh.nodes, m_mesh.pointsAt);
  list(kCellsName, ArrayRole::Cells, kCellCorners, m_mesh.cells, m_mesh.cellsAt);
  list(kNeighboursName, ArrayRole::Neighbours, kCellFaces, m_mesh.cells, m_mesh.neighboursAt);
  if (m_mesh.faces > 0) list(kFacesName, ArrayRole::Faces, 5, m_mesh.faces, m_mesh.facesAt);
  for (int level = 0; level < static_cast<int>(m_mesh.boundsAt.size()); ++level) {
    ArrayDescription array;
    array.name = boundsName(level);
    array.role = ArrayRole::LocationBounds;
    array.boundsLevel = level;
    array.components = 6;
    array.type = ScalarType::F32;
    array.steps = m_mesh.pointSteps;
    add(std::move(array), levelDims({m_mesh.cells, 1, 1}, level)[0],
        {m_mesh.boundsPlace(level, 0), kNone, m_mesh.boundsPlace(level, 1) - m_mesh.boundsPlace(level, 0)});
  }
  for (std::size_t n = 0; n < m_input->variables().size(); ++n) {
    const MeshVariable& variable = m_input->variables()[n];
    ArrayDescription array;
    array.name = variable.name;
    array.components = variable.components;
    array.componentNames = variable.componentNames;
    const bool areMeans = variable.onCells && m_around;
    array.type = areMeans ? typeOfMeans(variable.type) : variable.type;
    array.steps = variable.steps;
    array.onCells = variable.onCells && !areMeans;
    add(std::move(array), variable.onCells && !areMeans ? m_mesh.cells : m_mesh.nodes,
        {0, static_cast<int>(n), 0, areMeans});
  }
  for (const ArrangedMesh::Surface& surface : m_mesh.surfaces)
    if (surface.count > 0)
      m_description.surfaces.push_back(
          {surface.name, 0, {{surface.first, 0, 0}, {surface.count, 1, 1}}, surface.kind, surface.from});
}

void ArrangedReader::add(ArrayDescription array, std::int64_t items, Part part) {
  array.layout = PageLayout::ofExtent({items, 1, 1}, {listPage(pageEdgeFor(m_description)), 1, 1});
  m_description.arrays.push_back(std::move(array));
  m_parts.push_back(part);
}

void ArrangedReader::read(std::uint32_t number, std::int64_t step, const IndexBox& box,
                          std::span<std::byte> out) const {
  const ArrayDescription& array = m_description.arrays[number];
  const Part& part = m_parts[number];
  if (part.variable == kPoints)
    return readInOrder(array, box.first[0], out,
                       [&](std::int64_t first, std::span<std::byte> some) { readPoints(step, first, some); });
  const auto readRun = [&](std::int64_t first, std::span<std::byte> some) {
    m_input->readVariable(static_cast<std::size_t>(part.variable), step, first, some);
  };
  if (part.areMeans) {
    const MeshVariable& variable = m_input->variables()[static_cast<std::size_t>(part.variable)];
    const auto each = static_cast<std::size_t>(variable.components * sizeOf(variable.type));
    return m_around->readMeans(
        box.first[0], variable.components, variable.type,
        [&](std::span<const std::int32_t> cells, std::span<std::byte> some) {
          readByRuns(cells, each, some, readRun);
        },
        out);
  }
  if (part.variable >= 0) return readInOrder(array, box.first[0], out, readRun);
  m_mesh.file->readAt(part.at + static_cast<std::uint64_t>(step) * part.stepBytes +
                          static_cast<std::uint64_t>(box.first[0] * array.nodeBytes()),
                      out);
}

void ArrangedReader::readPoints(std::int64_t step, std::int64_t first, std::span<std::byte> out) const {
  std::vector<double> numbers(out.size() / static_cast<std::size_t>(sizeOf(m_mesh.pointType)));
  m_input->readPoints(step, first, numbers);
  if (m_mesh.pointType == ScalarType::F64) {
    std::memcpy(out.data(), numbers.data(), out.size());
    return;
  }
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const auto number = static_cast<float>(numbers[n]);
    std::memcpy(out.data() + n * sizeof number, &number, sizeof number);
  }
}

template <class ReadRun>
void ArrangedReader::readInOrder(const ArrayDescription& array, std::int64_t first, std::span<std::byte> out,
                                 const ReadRun& readRun) const {
  const auto each = static_cast<std::size_t>(array.nodeBytes());
  std::vector<std::int32_t> source(out.size() / each);
  m_mesh.file->readAt((array.onCells ? m_mesh.cellOrderAt : m_mesh.nodeOrderAt) +
                          static_cast<std::uint64_t>(first) * sizeof(std::int32_t),
                      std::as_writable_bytes(std::span(source)));
  readByRuns(source, each, out, readRun);
}

template <class ReadRun>
void ArrangedReader::readByRuns(std::span<const std::int32_t> source, std::size_t each,
                                std::span<std::byte> out, const ReadRun& readRun) {
  const auto bytes = static_cast<std::int64_t>(each);
  const std::int64_t near = std::max<std::int64_t>(1, kNearBytes / bytes),
                     most = std::max<std::int64_t>(1, kMostBytes / bytes);
  std::vector<std::uint32_t> order(source.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return source[a] < source[b]; });
  std::vector<std::byte> run;
  for (std::size_t n = 0; n < order.size();) {
    const std::int64_t begin = source[order[n]];
    std::size_t end = n + 1;
    while (end < order.size() && source[order[end]] - source[order[end - 1]] <= near &&
           source[order[end]] - begin < most)
      ++end;
    const std::int64_t count = source[order[end - 1]] - begin + 1;
    run.resize(static_cast<std::size_t>(count) * each);
    readRun(begin, run);
    for (; n < end; ++n)
      std::memcpy(out.data() + order[n] * each,
                  run.data() + static_cast<std::size_t>(source[order[n]] - begin) * each, each);
  }
}

}  // namespace farfield::paging
