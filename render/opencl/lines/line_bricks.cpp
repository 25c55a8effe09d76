#include "render/opencl/lines/line_bricks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/fields/node_coordinates.h"

namespace farfield::opencl {
namespace {

/// Layers of nodes that are computed at a time.
constexpr std::int64_t kLayers = 4;
constexpr std::int64_t kSide = kLineEdge + 1, kFlagSide = kLineEdge + 2;
/// Bricks read at a time.
constexpr std::size_t kReadAtOnce = 64;
/// Of what is known of a slot on the host, about.
constexpr std::uint64_t kSlotBytes = 256;

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

template <class Real>
struct LineBricks<Real>::Filled {
  std::vector<Real> nodes;
  std::vector<std::uint8_t> flags;
  std::array<Real, 3> origin{};
  bool isThere = false;
};

template <class Real>
LineBricks<Real>::LineBricks(const LineBricksParts& parts)
    : m_parts(parts),
      m_grid(parts.data.description()),
      m_outputs(static_cast<std::size_t>(parts.functions->outputCount())),
      m_channels(3 + m_outputs) {
  const std::uint64_t each =
      kNodes * m_channels * sizeof(Real) + kFlags + sizeof(Real) * 3 + sizeof(BrickLink);
  const std::uint64_t ofOneBuffer = parts.device.facts().largestBytes / (kNodes * m_channels * sizeof(Real));
  const auto count = static_cast<std::size_t>(
      std::min({static_cast<std::uint64_t>(m_grid.count()), parts.mostBytes / each, ofOneBuffer}));
  if (count < std::min<std::size_t>(2, static_cast<std::size_t>(m_grid.count())))
    parts.deviceAccount.refuse(2 * each, "bricks for lines on a device");
  m_hostClaim = parts.host.claim(Purpose::Work, count * kSlotBytes, "bricks for lines on a device");
  m_claim = parts.deviceAccount.claim(Purpose::Device, count * each, "bricks for lines on a device");
  const Device& device = parts.device;
  m_values = device.buffer(count * kNodes * m_channels * sizeof(Real), true);
  m_flags = device.buffer(count * kFlags, true);
  m_originsThere = device.buffer(count * 3 * sizeof(Real), true);
  m_linksThere = device.buffer(count * sizeof(BrickLink), true);
  m_slots.resize(count);
  m_origins.resize(count);
  m_links.resize(count);
  m_slotOf.reserve(count);
  for (std::size_t n = count; n > 0; --n) m_empty.push_back(static_cast<std::uint32_t>(n - 1));
}

template <class Real>
std::optional<std::uint32_t> LineBricks<Real>::slotOf(std::int64_t brick) {
  const auto found = m_slotOf.find(brick);
  if (found == m_slotOf.end()) return std::nullopt;
  m_slots[found->second].usedIn = m_round;
  return found->second;
}

/// Of the task that reads one, beside the cursor.
template <class Real>
std::uint64_t LineBricks<Real>::readingBytes() const {
  const std::uint64_t layers = sizeof(double) * kSide * kSide * (kLayers + 1) * (3 + m_outputs);
  const std::uint64_t blanks = sizeof(double) * kFlagSide * kFlagSide * kFlagSide * 2;
  return kNodes * m_channels * sizeof(Real) + kFlags + layers + blanks +
         fields::BoxFunctions::bytesFor(*m_parts.functions, {kSide, kSide, kLayers});
}

/// A slot that is not kept: an empty one, or that of a brick that was not used for a while.
template <class Real>
std::optional<std::uint32_t> LineBricks<Real>::makeRoom() {
  if (!m_empty.empty()) {
    const std::uint32_t slot = m_empty.back();
    m_empty.pop_back();
    return slot;
  }
  // A clock: the first time round it spares what was used in the round before.
  for (std::size_t n = 0; n < 2 * m_slots.size(); ++n) {
    const std::size_t at = m_hand;
    m_hand = (m_hand + 1) % m_slots.size();
    const std::uint64_t age = m_round - m_slots[at].usedIn;
    if (age == 0 || (age == 1 && n < m_slots.size())) continue;
    empty(static_cast<std::uint32_t>(at));
    return static_cast<std::uint32_t>(at);
  }
  return std::nullopt;
}

template <class Real>
void LineBricks<Real>::empty(std::uint32_t slot) {
  for (int face = 0; face < 6; ++face) {
    const std::int32_t other = std::exchange(m_links[slot].next[face], -1);
    if (other >= 0) m_links[static_cast<std::size_t>(other)].next[face ^ 1] = -1;
  }
  m_slotOf.erase(m_slots[slot].brick);
  m_slots[slot].brick = -1;
  m_changed = true;
}

template <class Real>
std::size_t LineBricks<Real>::load(std::span<const std::int64_t> bricks, tasks::Scheduler& scheduler,
                                   std::stop_token stop, std::chrono::milliseconds timeBudget,
                                   tasks::GroupResult& cost) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> places;
  for (const std::int64_t brick : bricks) {
    const auto slot = makeRoom();
    if (!slot) break;
    m_slots[*slot].usedIn = m_round;
    places.emplace_back(brick, *slot);
  }
  // In the order of their numbers, so that neighbours are read together.
  std::sort(places.begin(), places.end());
  std::size_t done = 0, loaded = 0;
  while (done < places.size()) {
    std::size_t count = std::min(kReadAtOnce, places.size() - done);
    std::optional<MemoryClaim> claim;
    while (count > 1 && !(claim = m_parts.host.tryClaim(Purpose::Work, count * readingBytes()))) count /= 2;
    if (!claim) claim = m_parts.host.claim(Purpose::Work, readingBytes(), "a brick for lines on a device");
    std::vector<Filled> filled(count);
    tasks::TaskGroup group;
    group.name = "bricks of lines";
    group.count = count;
    group.admission = &m_parts.data.admission();
    group.timeBudget = timeBudget;
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      read(m_grid.brick(places[done + n].first), context, filled[n]);
    };
    const tasks::GroupResult result = scheduler.run(group, stop);
    cost.waits += result.waits;
    cost.longestWaitChain = std::max(cost.longestWaitChain, result.longestWaitChain);
    cost.busySeconds += result.busySeconds;
    for (std::size_t n = 0; n < count; ++n) {
      const auto [brick, slot] = places[done + n];
      if (!filled[n].isThere) {
        m_empty.push_back(slot);
        continue;
      }
      const std::size_t bytes = kNodes * m_channels * sizeof(Real);
      m_parts.device.write(m_values, slot * bytes, bytesOf(filled[n].nodes));
      m_parts.device.write(m_flags, slot * kFlags, bytesOf(filled[n].flags));
      m_slots[slot].brick = brick;
      m_slots[slot].place = m_grid.brick(brick);
      m_origins[slot] = filled[n].origin;
      m_slotOf[brick] = slot;
      BrickLink& link = m_links[slot];
      for (std::size_t a = 0; a < 3; ++a)
        link.cells[a] = static_cast<std::int32_t>(m_slots[slot].place.cells.size[a]);
      for (int face = 0; face < 6; ++face) {
        const auto other = m_slotOf.find(m_grid.neighbour(brick, face));
        link.next[face] = other == m_slotOf.end() ? -1 : static_cast<std::int32_t>(other->second);
        if (other != m_slotOf.end()) m_links[other->second].next[face ^ 1] = static_cast<std::int32_t>(slot);
      }
      m_changed = true;
      ++loaded;
    }
    done += count;
  }
  return loaded;
}

template <class Real>
void LineBricks<Real>::update() {
  if (!std::exchange(m_changed, false)) return;
  m_parts.device.write(m_originsThere, 0, bytesOf(m_origins));
  m_parts.device.write(m_linksThere, 0, bytesOf(m_links));
}

template <class Real>
void LineBricks<Real>::read(const LineGrid::Brick& brick, tasks::TaskContext& context, Filled& out) const {
  const paging::BlockDescription& block =
      m_parts.data.description().blocks[static_cast<std::size_t>(brick.block)];
  paging::Cursor cursor(m_parts.data.cache(), context, m_parts.data.plan().mode);
  cursor.setStep(m_parts.step);
  const fields::BlockSlots slots = m_parts.data.bind(cursor, brick.block, *m_parts.functions);
  fields::BoxFunctions functions(*m_parts.functions);
  out.nodes.resize(kNodes * m_channels);
  IndexBox nodes = brick.cells;
  for (std::int64_t& size : nodes.size) ++size;
  std::vector<double> points, values;
  Vec3 origin;
  for (std::int64_t k = 0; k < nodes.size[2]; k += kLayers) {
    IndexBox box = nodes;
    box.first[2] += k;
    box.size[2] = std::min(kLayers, nodes.size[2] - k);
    const auto count = static_cast<std::size_t>(product(box.size));
    points.resize(3 * count);
    values.resize(m_outputs * count);
    fields::gatherCoordinates(cursor, slots.xyz, block, box, points);
    functions.compute(cursor, slots, block, box, values);
    if (sizeof(Real) < sizeof(double) && k == 0) {
      origin = {points[0], points[1], points[2]};
      for (int a = 0; a < 3; ++a) out.origin[static_cast<std::size_t>(a)] = static_cast<Real>(origin[a]);
      // Exactly what the device will add again.
      for (int a = 0; a < 3; ++a) origin[a] = static_cast<double>(out.origin[static_cast<std::size_t>(a)]);
    }
    std::size_t from = 0;
    for (std::int64_t z = 0; z < box.size[2]; ++z)
      for (std::int64_t y = 0; y < box.size[1]; ++y)
        for (std::int64_t x = 0; x < box.size[0]; ++x, ++from) {
          Real* to = out.nodes.data() +
                     static_cast<std::size_t>(linear({x, y, k + z}, {kSide, kSide, kSide})) * m_channels;
          for (int a = 0; a < 3; ++a)
            *to++ = static_cast<Real>(points[3 * from + static_cast<std::size_t>(a)] - origin[a]);
          for (std::size_t n = 0; n < m_outputs; ++n) *to++ = static_cast<Real>(values[m_outputs * from + n]);
        }
  }
  readFlags(cursor, slots.iblank, brick, out);
  out.isThere = true;
}

/// 1 for cells that are blank or beyond the block, of the brick and of one layer around it.
template <class Real>
void LineBricks<Real>::readFlags(paging::Cursor& cursor, int iblank, const LineGrid::Brick& brick,
                                 Filled& out) const {
  const Index3& all = m_grid.cells(brick.block);
  IndexBox cells, nodes;
  for (std::size_t a = 0; a < 3; ++a) {
    cells.first[a] = std::max<std::int64_t>(0, brick.cells.first[a] - 1);
    cells.size[a] = std::min(all[a], brick.cells.first[a] + brick.cells.size[a] + 1) - cells.first[a];
    nodes.first[a] = cells.first[a];
    nodes.size[a] = cells.size[a] + 1;
  }
  std::vector<double> blanks;
  if (iblank >= 0) {
    blanks.resize(static_cast<std::size_t>(product(nodes.size)));
    const paging::GatherTarget target{iblank, blanks.data()};
    cursor.gatherTiled(nodes, {&target, 1});
  }
  out.flags.assign(kFlags, 1);
  Index3 at;
  for (at[2] = 0; at[2] < cells.size[2]; ++at[2])
    for (at[1] = 0; at[1] < cells.size[1]; ++at[1])
      for (at[0] = 0; at[0] < cells.size[0]; ++at[0]) {
        bool blank = false;
        for (int corner = 0; corner < 8 && !blanks.empty(); ++corner)
          blank =
              blank ||
              blanks[static_cast<std::size_t>(linear(
                  {at[0] + (corner & 1), at[1] + (corner >> 1 & 1), at[2] + (corner >> 2)}, nodes.size))] ==
                  0;
        Index3 to;
        for (std::size_t a = 0; a < 3; ++a) to[a] = cells.first[a] + at[a] - brick.cells.first[a] + 1;
        out.flags[static_cast<std::size_t>(linear(to, {kFlagSide, kFlagSide, kFlagSide}))] = blank ? 1 : 0;
      }
}

template class LineBricks<double>;
template class LineBricks<float>;

}  // namespace farfield::opencl
