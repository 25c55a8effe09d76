#include "render/opencl/device_bricks.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "render/volume/device_caster.h"

namespace farfield::opencl {
namespace {

using volume::Brick;
using volume::kBrickSide;
using volume::kBrickValues;

/// Of page tables and marks, for each page, on the device and on the host.
constexpr std::uint64_t kPageBytes = 2 * sizeof(std::int32_t);
/// Beside the values: on the device, and on the host for what is known of it.
constexpr std::uint64_t kSlotBytes = 16, kHostSlotBytes = 1024;
/// Page tables are counted in 32 bits, by both levels.
constexpr std::int64_t kMostBricks = std::int64_t{1} << 29;

template <class Value>
std::span<const std::byte> bytesOf(const std::vector<Value>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

DeviceBricks::DeviceBricks(const Device& device, const volume::BrickFormat& format, bool image,
                           std::int64_t wanted, std::uint64_t mostBytes, MemoryAccount& account,
                           MemoryAccount& host)
    : m_device(device), m_format(format), m_image(image), m_account(account), m_host(host) {
  const std::uint64_t brickBytes = kBrickValues * sizeOf(format.type) + kSlotBytes;
  std::uint64_t most = mostBytes;
  if (!image) most = std::min(most, device.facts().largestBytes);
  std::uint64_t count = std::clamp<std::uint64_t>(
      most / (brickBytes + kHostSlotBytes), 2, static_cast<std::uint64_t>(std::max<std::int64_t>(2, wanted)));
  std::array<std::size_t, 3> across{1, 1, 1};
  if (image) {
    const auto& sides = device.facts().imageSides;
    const auto edge = static_cast<std::size_t>(std::cbrt(static_cast<double>(count)));
    for (std::size_t a = 0; a < 2; ++a) across[a] = std::clamp<std::size_t>(edge, 1, sides[a] / kBrickSide);
    across[2] = std::clamp<std::size_t>(count / (across[0] * across[1]), 1, sides[2] / kBrickSide);
    if (across[2] < 2 && across[0] * across[1] < 2) across[2] = 2;
    count = across[0] * across[1] * across[2];
    m_across = {static_cast<std::int32_t>(across[0]), static_cast<std::int32_t>(across[1])};
  }
  m_claim = account.claim(Purpose::Device, count * brickBytes, "bricks on a device");
  m_hostClaim = host.claim(Purpose::Work, count * kHostSlotBytes, "what is known of bricks on a device");
  if (image)
    m_values =
        device.image(format.type, {across[0] * kBrickSide, across[1] * kBrickSide, across[2] * kBrickSide});
  else
    m_values = device.buffer(count * kBrickValues * sizeOf(format.type), true);
  m_used = device.buffer(count * sizeof(std::int32_t));
  m_seen = device.buffer(count * sizeof(std::uint64_t), true);
  m_slots.resize(count);
  m_seenOf.resize(count);
  m_usedOf.resize(count);
  device.fill(m_used, 0, count * sizeof(std::int32_t));
  for (std::size_t n = count; n > 0; --n) m_empty.push_back(static_cast<std::uint32_t>(n - 1));
}

void DeviceBricks::show(std::span<volume::BrickSource* const> sources, const volume::CastLook& look,
                        bool same) {
  m_look = &look;
  if (same) {
    m_device.fill(m_marks, 0, m_pages.size() * sizeof(std::int32_t));
    return;
  }
  m_shown.clear();
  std::int64_t pages = 0;
  for (const volume::BrickSource* source : sources) {
    const std::int64_t bricks = source->grid().brickCount();
    if (bricks > kMostBricks - pages)
      throw volume::DeviceFailed("a volume of " + std::to_string(bricks) + " bricks is too large for OpenCL");
    m_shown.push_back({source->grid().level, bricks, static_cast<std::size_t>(pages)});
    pages += bricks;
  }
  const auto count = static_cast<std::size_t>(pages);
  if (count != m_pages.size() || !m_table) {
    m_pages.clear();
    m_table = {};
    m_marks = {};
    m_pagesClaim.release();
    m_pagesOnDevice.release();
    m_pagesClaim = m_host.claim(Purpose::Work, count * kPageBytes, "the page table of a volume");
    m_pagesOnDevice =
        m_account.claim(Purpose::Device, count * kPageBytes, "the page table of a volume on a device");
    m_table = m_device.buffer(count * sizeof(std::int32_t));
    m_marks = m_device.buffer(count * sizeof(std::int32_t));
    m_pages.resize(count);
  }
  for (std::size_t n = 0; n < sources.size(); ++n) {
    const Index3 bricks = sources[n]->grid().bricks();
    for (std::int64_t number = 0; number < m_shown[n].bricks; ++number) {
      const auto range = sources[n]->range(unlinear(number, bricks));
      m_pages[m_shown[n].pagesAt + static_cast<std::size_t>(number)] =
          range && !look.isSeen(*range) ? kNothing : kMissing;
    }
  }
  for (std::size_t n = 0; n < m_slots.size(); ++n) {
    const auto page = pageOf(m_slots[n]);
    if (!page) continue;
    m_seenOf[n] = look.groupsSeen(m_slots[n].low, m_slots[n].high);
    m_pages[*page] = m_seenOf[n] ? static_cast<std::int32_t>(n) : kNothing;
  }
  m_device.write(m_table, 0, bytesOf(m_pages));
  m_device.write(m_seen, 0, bytesOf(m_seenOf));
  m_device.fill(m_marks, 0, count * sizeof(std::int32_t));
}

std::optional<std::size_t> DeviceBricks::pageOf(const Slot& slot) const {
  for (const Shown& shown : m_shown)
    if (slot.level == shown.level) return shown.pagesAt + static_cast<std::size_t>(slot.number);
  return std::nullopt;
}

void DeviceBricks::beginRound() {
  ++m_round;
  m_lookedAtUsed = false;
  m_changes.clear();
}

std::optional<std::uint32_t> DeviceBricks::makeRoom() {
  if (!m_lookedAtUsed) m_device.read(m_used, 0, std::as_writable_bytes(std::span(m_usedOf)));
  m_lookedAtUsed = true;
  // Twice round: the first time brings down the marks of those that were used.
  for (std::size_t n = 0; n < 2 * m_slots.size(); ++n) {
    const std::size_t at = m_hand;
    m_hand = (m_hand + 1) % m_slots.size();
    Slot& slot = m_slots[at];
    if (slot.filledIn == m_round) continue;
    if (m_usedOf[at] != 0) {
      m_usedOf[at] = 0;
      continue;
    }
    // What shows nothing shows nothing wherever it is.
    if (const auto page = pageOf(slot); page && m_pages[*page] >= 0) setPage(*page, kMissing);
    slot.level = -1;
    return static_cast<std::uint32_t>(at);
  }
  return std::nullopt;
}

void DeviceBricks::setPage(std::size_t page, std::int32_t value) {
  m_pages[page] = value;
  m_changes.push_back({static_cast<std::int32_t>(page), value});
}

std::optional<std::uint32_t> DeviceBricks::slotFor(std::size_t page) {
  std::optional<std::uint32_t> place;
  if (m_empty.empty()) {
    place = makeRoom();
    if (!place) return place;
  } else {
    place = m_empty.back();
    m_empty.pop_back();
  }
  const Shown& shown = m_shown[levelOf(page)];
  Slot& slot = m_slots[*place];
  slot.level = shown.level;
  slot.number = static_cast<std::int64_t>(page - shown.pagesAt);
  slot.filledIn = m_round;
  return place;
}

void DeviceBricks::fill(std::uint32_t place, const Brick& brick) {
  Slot& slot = m_slots[place];
  slot.low = brick.groupLow();
  slot.high = brick.groupHigh();
  const std::size_t bytes = kBrickValues * sizeOf(m_format.type);
  if (m_image) {
    const auto x = static_cast<std::size_t>(m_across[0]), y = static_cast<std::size_t>(m_across[1]);
    const std::array<std::size_t, 3> at{place % x * kBrickSide, place / x % y * kBrickSide,
                                        place / (x * y) * kBrickSide};
    const std::array<std::size_t, 3> size{kBrickSide, kBrickSide, kBrickSide};
    check(clEnqueueWriteImage(m_device.queue(), m_values.get(), CL_TRUE, at.data(), size.data(), 0, 0,
                              brick.data(), 0, nullptr, nullptr),
          "writing to the device");
  } else {
    m_device.write(m_values, place * bytes, {brick.data(), bytes});
  }
  m_seenOf[place] = m_look->groupsSeen(slot.low, slot.high);
  setPage(*pageOf(slot), m_seenOf[place] ? static_cast<std::int32_t>(place) : kNothing);
}

void DeviceBricks::forget(std::uint32_t slot) {
  m_slots[slot].level = -1;
  m_empty.push_back(slot);
}

void DeviceBricks::endRound(const Kernel& kernel) {
  if (m_lookedAtUsed) m_device.write(m_used, 0, bytesOf(m_usedOf));
  if (m_changes.empty()) return;
  m_device.write(m_seen, 0, bytesOf(m_seenOf));
  const Memory changes = m_device.buffer(m_changes.size() * sizeof m_changes[0], true);
  m_device.write(changes, 0, bytesOf(m_changes));
  const auto count = static_cast<cl_int>(m_changes.size());
  const cl_mem changed = changes.get(), table = m_table.get(), marks = m_marks.get();
  cl_int status = clSetKernelArg(kernel.get(), 0, sizeof(cl_mem), &changed);
  if (status == CL_SUCCESS) status = clSetKernelArg(kernel.get(), 1, sizeof count, &count);
  if (status == CL_SUCCESS) status = clSetKernelArg(kernel.get(), 2, sizeof(cl_mem), &table);
  if (status == CL_SUCCESS) status = clSetKernelArg(kernel.get(), 3, sizeof(cl_mem), &marks);
  check(status, "running a kernel");
  m_device.launch(kernel, {0, 0}, {m_changes.size(), 1}, {0, 0});
  m_device.finish();
}

}  // namespace farfield::opencl
