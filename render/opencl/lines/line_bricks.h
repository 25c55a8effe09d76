#pragma once
// Bricks of nodes in a device's memory, for lines: the coordinates and the functions' values of nodes, and for each cell,
// also in one layer around the brick, whether a line may enter it. A slot knows the slots of its neighbours, so the device
// needs no table of all bricks, and memory depends on the number of slots, not on the data.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/paged/paged_data.h"
#include "render/opencl/device.h"
#include "render/opencl/lines/line_brick_reader.h"
#include "render/opencl/lines/line_grid.h"
#include "render/opencl/lines/line_layout.h"
#include "render/opencl/lines/line_numbers.h"

namespace farfield::opencl {

struct LineBricksParts {
  const Device& device;
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> functions;
  std::int64_t step = 0;
  const LineLayout& layout;      ///< outlives the bricks
  std::uint64_t mostBytes = 0;   ///< on the device
  MemoryAccount& deviceAccount;  ///< counts the device's memory; the host's where that is the same
  MemoryAccount& host;
};

/// One thread. `Real` is what the device computes with.
template <class Real>
class LineBricks {
 public:
  /// Throws OverBudget if two bricks do not fit, volume::DeviceFailed.
  explicit LineBricks(const LineBricksParts& parts);

  const LineGrid& grid() const { return m_grid; }
  std::size_t slotCount() const { return m_slots.size(); }

  /// Slots that are looked up from now on are kept until the next round.
  void beginRound() { ++m_round; }
  /// The slot of a brick, kept for this round; none if the brick is missing.
  std::optional<std::uint32_t> slotOf(std::int64_t brick);
  /// Whether a brick can be read without reading pages.
  bool isInCache(std::int64_t brick) const { return m_reader.isInCache(brick); }
  /// Reads missing bricks: the first ones, as many as there is room for beside the slots that are kept. They are kept for this round, too.
  /// Returns how many were read; fewer if time runs out. Throws what reading throws, volume::DeviceFailed.
  std::size_t load(std::span<const std::int64_t> bricks, tasks::Scheduler& scheduler, std::stop_token stop,
                   std::chrono::milliseconds timeBudget, tasks::GroupResult& cost);
  /// Sends the links of the slots to the device if they changed.
  void update();

  /// The origin of positions in a slot; 0 in double precision, so that they are those of the data.
  std::array<Real, 3> originOf(std::uint32_t slot) const { return m_origins[slot]; }
  /// The cells in a slot.
  const LineGrid::Brick& brickIn(std::uint32_t slot) const { return m_slots[slot].place; }

  const Memory& positions() const { return m_positions; }
  const Memory& values() const { return m_values; }
  const Memory& flags() const { return m_flags; }
  const Memory& origins() const { return m_originsThere; }
  const Memory& links() const { return m_linksThere; }

 private:
  struct Slot {
    std::int64_t brick = -1;  ///< -1: empty
    LineGrid::Brick place;
    std::uint64_t usedIn = 0;  ///< the round
  };
  std::optional<std::uint32_t> makeRoom();
  void empty(std::uint32_t slot);

  const LineBricksParts m_parts;
  const LineGrid m_grid;
  const LineBrickReader m_reader;
  MemoryClaim m_claim, m_hostClaim;
  Memory m_positions, m_values, m_flags, m_originsThere, m_linksThere;
  std::vector<Slot> m_slots;
  std::vector<std::uint32_t> m_empty;
  std::vector<std::array<Real, 3>> m_origins;
  std::vector<BrickLink> m_links;
  std::unordered_map<std::int64_t, std::uint32_t> m_slotOf;
  std::uint64_t m_round = 0;
  std::size_t m_hand = 0;
  bool m_changed = false;
};

extern template class LineBricks<double>;
extern template class LineBricks<float>;

}  // namespace farfield::opencl
