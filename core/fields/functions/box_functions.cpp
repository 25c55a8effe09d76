#include "core/fields/functions/box_functions.h"

#include <algorithm>
#include <array>

#include "core/fields/cells/node_gradients.h"
#include "core/fields/functions/node_coordinates.h"

namespace farfield::fields {
namespace {

constexpr int kMostBasics = 5;

/// `more` nodes on each side of those whose derivatives the nodes have, as far as the block has them, and the nodes themselves. Never
/// larger than with `more` on each side of the box.
IndexBox withNeighbours(const IndexBox& box, const Index3& dims, const RepeatedEnds& ends,
                        std::int64_t more) {
  IndexBox grown;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t least = ends.first(a), most = ends.last(dims, a);
    const std::int64_t first = box.first[a], last = box.first[a] + box.size[a] - 1;
    grown.first[a] = std::max<std::int64_t>(0, std::min(first, std::clamp(first, least, most) - more));
    grown.size[a] =
        std::min(dims[a] - 1, std::max(last, std::clamp(last, least, most) + more)) + 1 - grown.first[a];
  }
  return grown;
}

/// Nodes around those wanted.
std::int64_t reachOf(const FunctionPlan& functions) {
  return functions.gradientCount() == 0 ? 0 : functions.isOnWalls() ? kWallReach : 1;
}

}  // namespace

std::optional<WallFace> wallFaceOf(const Index3& dims, const IndexBox& sheet, int fixedAxis) {
  const auto axis = static_cast<std::size_t>(fixedAxis);
  if (dims[axis] < 2) return std::nullopt;
  if (sheet.first[axis] == 0) return WallFace{fixedAxis, false};
  if (sheet.first[axis] == dims[axis] - 1) return WallFace{fixedAxis, true};
  return std::nullopt;
}

std::uint64_t BoxFunctions::bytesFor(const FunctionPlan& functions, const Index3& size) {
  const bool gradients = functions.gradientCount() > 0;
  Index3 gathered = size;
  if (gradients)
    for (std::int64_t& along : gathered) along += 2 * reachOf(functions);
  const int perNode = functions.inputCount() + (gradients ? 3 + 1 + functions.gradientCount() : 0);
  return sizeof(double) * static_cast<std::uint64_t>(product(gathered) * perNode + functions.inputCount()) +
         sizeof(BoxFunctions);
}

void BoxFunctions::gather(paging::Cursor& cursor, const BlockSlots& slots,
                          const paging::BlockDescription& block) {
  const auto nodes = static_cast<std::size_t>(product(m_gathered.size));
  std::vector<paging::GatherTarget> targets;
  m_variables.resize(static_cast<std::size_t>(m_functions.inputCount()) * nodes);
  m_components.clear();
  double* out = m_variables.data();
  for (const int slot : slots.variables) {
    targets.push_back({slot, out});
    m_components.push_back(cursor.components(slot));
    out += static_cast<std::size_t>(m_components.back()) * nodes;
  }
  if (m_functions.gradientCount() > 0) {
    m_xyz.resize(3 * nodes);
    gatherCoordinates(cursor, slots.xyz, block, m_gathered, m_xyz);
    m_iblank.resize(slots.iblank >= 0 ? nodes : 0);
    if (slots.iblank >= 0) targets.push_back({slots.iblank, m_iblank.data()});
  }
  cursor.gatherTiled(m_gathered, targets);
}

/// Collects the node's components of all arrays.
void BoxFunctions::inputsOf(std::size_t node) {
  const auto nodes = static_cast<std::size_t>(product(m_gathered.size));
  const double* from = m_variables.data();
  auto to = m_nodeInputs.begin();
  for (const int components : m_components) {
    const auto each = static_cast<std::size_t>(components);
    to = std::copy_n(from + node * each, each, to);
    from += each * nodes;
  }
}

void BoxFunctions::compute(paging::Cursor& cursor, const BlockSlots& slots,
                           const paging::BlockDescription& block, const IndexBox& box, std::span<double> out,
                           const std::optional<WallFace>& wall) {
  if (m_functions.isVariables() && slots.variables.size() == 1 &&
      m_functions.outputCount() == cursor.components(slots.variables[0]) && m_functions.outputCount() == 1) {
    const paging::GatherTarget target{slots.variables[0], out.data()};
    return cursor.gatherTiled(box, {&target, 1});
  }
  const auto basics = static_cast<std::size_t>(m_functions.gradientCount());
  m_gathered = basics > 0 ? withNeighbours(box, block.dims, slots.ends, reachOf(m_functions)) : box;
  m_nodeInputs.resize(static_cast<std::size_t>(m_functions.inputCount()));
  gather(cursor, slots, block);
  const auto nodes = static_cast<std::size_t>(product(m_gathered.size));
  if (basics == 0) {
    // the nodes gathered are exactly those wanted
    const auto values = static_cast<std::size_t>(m_functions.outputCount());
    if (m_components.size() == 1) return m_functions.computeNodes(nodes, m_variables.data(), out.data());
    for (std::size_t n = 0; n < nodes; ++n) {
      inputsOf(n);
      m_functions.computeNode(m_nodeInputs, out.subspan(n * values, values));
    }
    return;
  }
  m_basics.resize(basics * nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    inputsOf(n);
    m_functions.computeBasics(m_nodeInputs, {m_basics.data() + n * basics, basics});
  }
  const GatheredNodes gathered{m_gathered, m_xyz, m_iblank, slots.ends};
  std::array<Vec3, kMostBasics> gradients;
  const auto values = static_cast<std::size_t>(m_functions.outputCount());
  const auto asked = static_cast<std::size_t>(product(box.size));
  for (std::size_t n = 0; n < asked; ++n) {
    Index3 at = unlinear(static_cast<std::int64_t>(n), box.size), local;
    for (int a = 0; a < 3; ++a) {
      at[a] += box.first[a];
      local[a] = at[a] - m_gathered.first[a];
    }
    inputsOf(static_cast<std::size_t>(linear(local, m_gathered.size)));
    gradientsAt(gathered, block.dims, m_basics, basics, at, {gradients.data(), basics});
    std::optional<WallState> state;
    if (wall && m_functions.isOnWalls())
      state = wallAt(gathered, block.dims,
                     std::span(m_basics).subspan(static_cast<std::size_t>(m_functions.velocityBasic())),
                     basics, at, *wall);
    m_functions.computeNode(m_nodeInputs, {gradients.data(), basics}, out.subspan(n * values, values),
                            state ? &*state : nullptr);
  }
}

}  // namespace farfield::fields
