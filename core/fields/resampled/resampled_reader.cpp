#include "core/fields/resampled/resampled_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "core/base/error.h"
#include "core/fields/cells/field_time.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/cell_samples.h"
#include "core/paging/pages/changing_cells.h"

namespace farfield::fields {
namespace {

/// Nodes of a row that are sampled one after the other, each located from the one before.
constexpr std::int64_t kPiece = 64;
/// Rows that are beside one another, for one task.
constexpr std::int64_t kRows = 16;

std::vector<std::string> functionsOf(const paging::ArrayDescription& array) {
  if (array.componentNames.empty()) return {array.name};
  return array.componentNames;
}

bool isWide(ScalarType type) {
  return type == ScalarType::F64 || type == ScalarType::I32;
}

void put(std::span<std::byte> out, std::size_t at, ScalarType type, double value) {
  if (type == ScalarType::F64) {
    std::memcpy(out.data() + at * sizeof(double), &value, sizeof(double));
  } else if (type == ScalarType::F32) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(out.data() + at * sizeof(float), &narrow, sizeof(float));
  } else {
    const auto whole = static_cast<std::int16_t>(value);
    std::memcpy(out.data() + at * sizeof(std::int16_t), &whole, sizeof(std::int16_t));
  }
}

}  // namespace

/// Rows of nodes as a task takes them: of all pieces along i, groups of kRows rows along j, and layers.
struct ResampledReader::Piece {
  std::int64_t i = 0, j = 0,
               k = 0;  ///< pieces from the first node of the grid; rows and layers from the first of the box
};

ResampledReader::ResampledReader(const OpenData& data, MemoryAccount& account, const ResampleOptions& options)
    : m_data(data), m_stop(options.stop) {
  choose();
  PagedDataOptions paging;
  std::set<std::string> needed;
  for (const paging::ArrayDescription& array : m_variables) {
    const auto functions = std::make_shared<const FunctionPlan>(data.description(), functionsOf(array));
    needed.insert(functions->arrays().begin(), functions->arrays().end());
    paging.resultBytesPerTask = std::max(
        paging.resultBytesPerTask, PagedData::samplerBytes(*functions) +
                                       sizeof(double) * static_cast<std::uint64_t>(functions->outputCount()));
    m_functions.push_back(functions);
  }
  paging.arrays.assign(needed.begin(), needed.end());
  paging.processors = options.processors;
  paging.shareOfFree = options.shareOfFree;
  m_paged = std::make_unique<PagedData>(data, account, paging);
  describe(options);
  m_functions.insert(m_functions.begin(), m_functions.front());  // of the blanking, which is located alone
}

/// The variables that all blocks have.
void ResampledReader::choose() {
  const paging::DatasetDescription& from = m_data.description();
  for (const paging::ArrayDescription& array : from.arrays) {
    if (array.isGrid() || array.detail != 0) continue;
    bool everywhere = true;
    for (int block = 0; block < static_cast<int>(from.blocks.size()); ++block) {
      const int found = from.find(block, array.name);
      everywhere = everywhere && found >= 0 &&
                   from.arrays[static_cast<std::size_t>(found)].components == array.components;
    }
    if (everywhere && array.block == 0)
      m_variables.push_back(array);
    else if (!everywhere && std::find(m_leftOut.begin(), m_leftOut.end(), array.name) == m_leftOut.end())
      m_leftOut.push_back(array.name);
  }
  if (m_variables.empty())
    throw Unsupported("there is no variable that all blocks have, so there is nothing to resample",
                      "name the solution as well as the grid");
}

void ResampledReader::describe(const ResampleOptions& options) {
  const paging::DatasetDescription& from = m_data.description();
  const RegularGrid grid = regularGridOver(from, m_paged->bounds(), options.alongLongest);
  m_description.format = from.format;
  m_description.times = from.times;
  m_description.attributes = from.attributes;
  paging::forgetAmr(m_description);
  m_description.attributes.erase(paging::kCellsChanging);
  m_description.attributes.erase(paging::kSamples);
  paging::BlockDescription block;
  block.kind = paging::GridKind::Regular;
  block.dims = grid.nodes;
  block.origin = grid.origin;
  block.spacing = grid.spacing;
  block.bounds = m_paged->bounds();
  block.hasIblank = true;
  m_description.blocks.push_back(block);
  const bool moves = paging::cellsChange(from) || std::any_of(from.arrays.begin(), from.arrays.end(),
                                                              [](const paging::ArrayDescription& array) {
                                                                return array.isGrid() && array.steps > 1;
                                                              });
  const paging::PageLayout layout = paging::PageLayout::even(grid.nodes, 32);
  paging::ArrayDescription blanking;
  blanking.name = "iblank";
  blanking.layout = layout;
  blanking.steps = moves ? from.steps() : 1;
  blanking.type = ScalarType::I16;
  blanking.role = paging::ArrayRole::Blanking;
  m_description.arrays.push_back(blanking);
  for (const paging::ArrayDescription& variable : m_variables) {
    paging::ArrayDescription array = variable;
    array.layout = layout;
    array.onCells = false;  // it is sampled at nodes
    array.steps = moves ? from.steps() : variable.steps;
    array.type = isWide(variable.type) ? ScalarType::F64 : ScalarType::F32;
    m_description.arrays.push_back(array);
  }
}

Vec3 ResampledReader::nodeAt(const Index3& node) const {
  const paging::BlockDescription& block = m_description.blocks.front();
  Vec3 point;
  for (int a = 0; a < 3; ++a)
    point[a] = std::clamp(
        block.origin[a] + block.spacing[a] * static_cast<double>(node[static_cast<std::size_t>(a)]),
        block.bounds.min[a], block.bounds.max[a]);
  return point;
}

void ResampledReader::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                           std::span<std::byte> out) const {
  const std::int64_t firstPiece = box.first[0] / kPiece;
  const std::int64_t pieces = (box.first[0] + box.size[0] - 1) / kPiece - firstPiece + 1;
  const Index3 tasks{pieces, (box.size[1] + kRows - 1) / kRows, box.size[2]};
  tasks::TaskGroup group;
  group.name = "resampling";
  group.count = static_cast<std::size_t>(product(tasks));
  group.run = [&](std::size_t number, tasks::TaskContext& context) {
    const Index3 at = unlinear(static_cast<std::int64_t>(number), tasks);
    samplePiece(array, step, box, {firstPiece + at[0], at[1] * kRows, at[2]}, context, out);
  };
  const std::lock_guard lock(m_mutex);
  group.admission = &m_paged->admission();
  m_paged->makeScheduler()->run(group, m_stop);
}

void ResampledReader::samplePiece(std::uint32_t array, std::int64_t step, const IndexBox& box,
                                  const Piece& piece, tasks::TaskContext& context,
                                  std::span<std::byte> out) const {
  const paging::ArrayDescription& asked = m_description.arrays[array];
  const bool blanking = asked.role == paging::ArrayRole::Blanking;
  const auto sampler = m_paged->makeSampler(context, m_functions[array]);
  const FieldTime time{step};
  const std::int64_t begin = piece.i * kPiece;
  const std::int64_t end = std::min(begin + kPiece, box.first[0] + box.size[0]);
  const auto components = static_cast<std::size_t>(asked.components);
  std::vector<double> values(static_cast<std::size_t>(sampler->valueCount()));
  for (std::int64_t row = piece.j; row < std::min(piece.j + kRows, box.size[1]); ++row) {
    context.throwIfStopped();
    Location location;
    for (std::int64_t i = begin; i < end; ++i) {
      const bool inside =
          sampler->locate(nodeAt({i, box.first[1] + row, box.first[2] + piece.k}), time, location);
      if (i < box.first[0]) continue;  // for the locations that follow alone
      if (blanking)
        values[0] = inside ? 1 : 0;
      else if (inside)
        sampler->evaluate(location, time, values);
      else
        std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
      const auto node = static_cast<std::size_t>(linear({i - box.first[0], row, piece.k}, box.size));
      for (std::size_t c = 0; c < components; ++c) put(out, node * components + c, asked.type, values[c]);
    }
  }
}

}  // namespace farfield::fields
