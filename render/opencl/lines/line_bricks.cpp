#include "render/opencl/lines/line_bricks.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace farfield::opencl {
namespace {

/// Bricks read at a time, and by one task.
constexpr std::size_t kReadAtOnce = 64, kOfOneTask = 4;
/// Of what is known of a slot on the host, about.
constexpr std::uint64_t kSlotBytes = 256;

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

template <class Real>
LineBricks<Real>::LineBricks(const LineBricksParts& parts)
    : m_parts(parts),
      m_grid(parts.data.description(), parts.layout.edge),
      m_reader(parts.data, parts.functions, parts.step, parts.layout, m_grid) {
  const LineLayout& layout = parts.layout;
  const std::uint64_t ofPositions = layout.positions() * layout.positionBytes;
  const std::uint64_t ofValues = layout.values() * layout.valueBytes;
  const std::uint64_t each = layout.bytes() + sizeof(Real) * 3 + sizeof(BrickLink);
  const std::uint64_t ofOneBuffer = parts.device.facts().largestBytes / std::max(ofPositions, ofValues);
  const auto count = static_cast<std::size_t>(
      std::min({static_cast<std::uint64_t>(m_grid.count()), parts.mostBytes / each, ofOneBuffer}));
  if (count < std::min<std::size_t>(2, static_cast<std::size_t>(m_grid.count())))
    parts.deviceAccount.refuse(2 * each, "bricks for lines on a device");
  m_hostClaim = parts.host.claim(Purpose::Work, count * kSlotBytes, "bricks for lines on a device");
  m_claim = parts.deviceAccount.claim(Purpose::Device, count * each, "bricks for lines on a device");
  const Device& device = parts.device;
  m_positions = device.buffer(count * ofPositions, true);
  m_values = device.buffer(count * ofValues, true);
  m_flags = device.buffer(count * layout.flags(), true);
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
    const auto tasksOf = [](std::size_t some) { return (some + kOfOneTask - 1) / kOfOneTask; };
    const auto bytes = [&](std::size_t some) {
      return some * m_parts.layout.bytes() + tasksOf(some) * m_reader.taskBytes();
    };
    std::optional<MemoryClaim> claim;
    while (count > 1 && !(claim = m_parts.host.tryClaim(Purpose::Work, bytes(count)))) count /= 2;
    if (!claim) claim = m_parts.host.claim(Purpose::Work, bytes(1), "a brick for lines on a device");
    std::vector<FilledBrick> filled(count);
    std::vector<std::int64_t> numbers;
    for (std::size_t n = 0; n < count; ++n) numbers.push_back(places[done + n].first);
    tasks::TaskGroup group;
    group.name = "bricks of lines";
    group.count = tasksOf(count);
    group.admission = &m_parts.data.admission();
    group.timeBudget = timeBudget;
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      const std::size_t first = n * kOfOneTask, its = std::min(kOfOneTask, count - first);
      m_reader.read(std::span(numbers).subspan(first, its), context, std::span(filled).subspan(first, its));
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
      const auto write = [&, at = slot](const Memory& memory, const auto& of) {
        m_parts.device.write(memory, at * of.size(), bytesOf(of));
      };
      write(m_positions, filled[n].positions.bytes());
      write(m_values, filled[n].values.bytes());
      write(m_flags, filled[n].flags);
      m_slots[slot].brick = brick;
      m_slots[slot].place = m_grid.brick(brick);
      for (std::size_t a = 0; a < 3; ++a)
        m_origins[slot][a] = static_cast<Real>(filled[n].origin[static_cast<int>(a)]);
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

template class LineBricks<double>;
template class LineBricks<float>;

}  // namespace farfield::opencl
