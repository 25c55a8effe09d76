#include "core/extract/listed_faces.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/fields/paged/listed_cells.h"

namespace farfield::extract::detail {
namespace {

/// As stored: a cell, and four corners; of a triangle the last is there twice.
constexpr std::size_t kNumbers = 5;
constexpr std::size_t kCorners = paging::kCellCorners;

}  // namespace

std::uint64_t listedFacesBytes(const fields::FunctionPlan& functions, std::int64_t count) {
  return static_cast<std::uint64_t>(count) * (kNumbers * sizeof(double) + 4 * sizeof(std::int64_t)) +
         fields::ListedFunctions::bytesFor(functions) +
         kCorners * static_cast<std::uint64_t>(functions.outputCount()) * sizeof(double);
}

FaceReader::FaceReader(int block, fields::PagedData& data, tasks::TaskContext& context,
                       const fields::FunctionPlan& functions, std::int64_t step)
    : m_grid(data.description().blocks[static_cast<std::size_t>(block)]),
      m_functions(functions),
      m_cursor(data.cache(), context, data.plan().mode),
      m_values(functions) {
  m_cursor.setStep(step);
  m_slots = data.bind(m_cursor, block, functions);
  const auto bound = [&](paging::ArrayRole role) {
    return m_cursor.bind(static_cast<std::uint32_t>(data.handle(block, role)));
  };
  m_facesSlot = bound(paging::ArrayRole::Faces);
  m_cellsSlot = bound(paging::ArrayRole::Cells);
  m_values.bind(m_cursor, m_slots);
}

std::vector<double> FaceReader::numbersOf(const IndexBox& faces) {
  std::vector<double> numbers(kNumbers * static_cast<std::size_t>(faces.size[0]));
  const paging::GatherTarget target{m_facesSlot, numbers.data()};
  m_cursor.gatherTiled(faces, {&target, 1});
  for (std::size_t at = 0; at < numbers.size(); at += kNumbers) {
    bool right = numbers[at] >= 0 && numbers[at] < static_cast<double>(m_grid.cells);
    for (std::size_t c = 1; c < kNumbers; ++c)
      right = right && numbers[at + c] >= 0 && numbers[at + c] < static_cast<double>(m_grid.dims[0]);
    if (!right)
      throw Corrupt("face " + std::to_string(faces.first[0] + static_cast<std::int64_t>(at / kNumbers)) +
                        " has a cell or a node that does not exist",
                    "make the file again");
  }
  return numbers;
}

std::vector<FaceCorners> FaceReader::corners(const IndexBox& faces) {
  std::vector<FaceCorners> corners;
  const std::vector<double> numbers = numbersOf(faces);
  for (std::size_t at = 0; at < numbers.size(); at += kNumbers) {
    FaceCorners& its = corners.emplace_back();
    for (std::size_t c = 0; c < its.size(); ++c) its[c] = static_cast<std::int64_t>(numbers[at + 1 + c]);
  }
  return corners;
}

std::vector<Vec3> FaceReader::points(std::span<const std::int64_t> nodes) {
  std::vector<double> numbers(3 * nodes.size());
  const paging::GatherTarget xyz{m_slots.xyz, numbers.data()};
  m_cursor.gatherNodes(nodes, {&xyz, 1});
  std::vector<Vec3> points;
  points.reserve(nodes.size());
  for (std::size_t at = 0; at < numbers.size(); at += 3)
    points.push_back({numbers[at], numbers[at + 1], numbers[at + 2]});
  return points;
}

FacePatch FaceReader::read(const IndexBox& faces) {
  const auto count = static_cast<std::size_t>(faces.size[0]);
  const std::vector<double> numbers = numbersOf(faces);
  FacePatch patch;
  std::vector<std::int64_t> nodes;
  for (std::size_t f = 0; f < count; ++f) {
    const double* const face = numbers.data() + kNumbers * f;
    FacePatch::Face made{{}, true};
    for (std::size_t c = 0; c < 4; ++c) {
      const bool again = c == 3 && face[4] == face[3];
      if (!again) nodes.push_back(static_cast<std::int64_t>(face[c + 1]));
      made.corners[c] = static_cast<std::uint32_t>(nodes.size() - 1);
    }
    patch.faces.push_back(made);
  }
  patch.xyz.resize(3 * nodes.size());
  const paging::GatherTarget xyz{m_slots.xyz, patch.xyz.data()};
  m_cursor.gatherNodes(nodes, {&xyz, 1});
  patch.iblank.assign(nodes.size(), 1.0);
  for (std::uint32_t n = 0; n < nodes.size(); ++n) patch.valuesOf.push_back(n);
  const auto outputs = static_cast<std::size_t>(m_functions.outputCount());
  patch.values.resize(outputs * nodes.size());
  if (!m_values.differByCell()) {
    m_values.computeNodes(m_cursor, m_slots, nodes, patch.values);
    return patch;
  }
  std::vector<double> ofCell(outputs * kCorners);
  for (std::size_t f = 0; f < count; ++f) {
    const auto cell = static_cast<std::int64_t>(numbers[kNumbers * f]);
    std::array<double, kCorners> its;
    const paging::GatherTarget cellTarget{m_cellsSlot, its.data()};
    m_cursor.gatherNodes({&cell, 1}, {&cellTarget, 1});
    paging::CellNodes cellNodes;
    std::array<std::int64_t, kCorners> wanted;
    std::array<double, 3 * kCorners> points;
    for (std::size_t c = 0; c < kCorners; ++c) {
      if (!(its[c] >= 0 && its[c] < static_cast<double>(m_grid.dims[0])))
        throw Corrupt("cell " + std::to_string(cell) + " has a node that does not exist",
                      "make the file again");
      wanted[c] = static_cast<std::int64_t>(its[c]);
      cellNodes[c] = static_cast<std::int32_t>(wanted[c]);
    }
    const paging::GatherTarget pointTarget{m_slots.xyz, points.data()};
    m_cursor.gatherNodes(wanted, {&pointTarget, 1});
    fields::CellCorners corners;
    for (std::size_t c = 0; c < kCorners; ++c)
      corners[c] = {points[3 * c], points[3 * c + 1], points[3 * c + 2]};
    m_values.computeCell(m_cursor, m_slots, cell, cellNodes, corners, ofCell);
    for (const std::uint32_t n : patch.faces[f].corners) {
      const auto corner =
          static_cast<std::size_t>(std::find(wanted.begin(), wanted.end(), nodes[n]) - wanted.begin());
      if (corner == kCorners)
        throw Corrupt("face " + std::to_string(faces.first[0] + static_cast<std::int64_t>(f)) +
                          " has a node that its cell has not",
                      "make the file again");
      std::copy_n(ofCell.begin() + static_cast<std::ptrdiff_t>(corner * outputs), outputs,
                  patch.values.begin() + static_cast<std::ptrdiff_t>(n * outputs));
    }
  }
  return patch;
}

}  // namespace farfield::extract::detail
