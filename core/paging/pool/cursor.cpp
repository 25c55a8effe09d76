#include "core/paging/pool/cursor.h"

#include <algorithm>
#include <cassert>

#include "core/base/error.h"

namespace farfield::paging {
namespace {

/// Copies the part of `want` that lies in the page `box` into `out`, whose shape is `want`.
void copyPart(const ArrayDescription& array, const IndexBox& box, const std::byte* data, const IndexBox& want,
              double* out) {
  Index3 low, high;
  for (int a = 0; a < 3; ++a) {
    low[a] = std::max(box.first[a], want.first[a]);
    high[a] = std::min(box.first[a] + box.size[a], want.first[a] + want.size[a]);
  }
  const int components = array.components;
  for (std::int64_t k = low[2]; k < high[2]; ++k)
    for (std::int64_t j = low[1]; j < high[1]; ++j) {
      const std::int64_t from = linear({low[0] - box.first[0], j - box.first[1], k - box.first[2]}, box.size);
      const std::int64_t to =
          linear({low[0] - want.first[0], j - want.first[1], k - want.first[2]}, want.size);
      toDouble(data, array.type, from * components, (high[0] - low[0]) * components, out + to * components);
    }
}

}  // namespace

Cursor::Cursor(PagePool& pool, tasks::TaskContext& context, GatherMode mode)
    : m_pool(pool), m_context(context), m_mode(mode) {}

Cursor::~Cursor() {
  releaseAll();
  m_pool.addLookups(m_lookups, m_hits);
}

int Cursor::bind(std::uint32_t array) {
  BoundArray bound;
  bound.handle = array;
  bound.description = &m_pool.array(array);
  bound.components = bound.description->components;
  bound.copyCorners = cornerCopyFor(bound.description->type, bound.components);
  assert(m_arrays.empty() || bound.description->layout.dims() == m_arrays.front().description->layout.dims());
  m_arrays.push_back(bound);
  return static_cast<int>(m_arrays.size() - 1);
}

void Cursor::unbind() {
  releaseAll();
  m_arrays.clear();
}

void Cursor::setStep(std::int64_t step) {
  m_step = step;
  for (BoundArray& array : m_arrays) array.near = {};
}

bool Cursor::inside(const IndexBox& box, const HeldPage& page) {
  for (int a = 0; a < 3; ++a)
    if (box.first[a] < page.box.first[a] || box.first[a] + box.size[a] > page.box.first[a] + page.box.size[a])
      return false;
  return true;
}

void Cursor::gather(const IndexBox& box, std::span<const GatherTarget> targets,
                    std::span<const int> alongside) {
  if (m_mode == GatherMode::Copying) {
    for (const GatherTarget& target : targets) gatherByCopying(box, target);
    return;
  }
  for (const GatherTarget& target : targets) {
    const BoundArray& array = m_arrays[target.slot];
    const HeldPage& page = array.held[array.last];
    // Pages of different steps have the same boxes.
    if (array.heldCount == 0 || !inside(box, page) ||
        (array.description->steps > 1 && array.description->stepOf(page.page) != m_step))
      return gatherAcrossPages(box, targets, alongside);
  }
  for (const GatherTarget& target : targets) {
    const BoundArray& array = m_arrays[target.slot];
    const HeldPage& page = array.held[array.last];
    copyPart(*array.description, page.box, page.data, box, target.out);
  }
}

/// From held pages alone; false when one is missing. Pages differ at most along the axes on which the cell
/// lies across a border.
bool Cursor::gatherHeldCell(BoundArray& array, const Index3& cell, double* out) {
  const PageLayout& layout = array.description->layout;
  Index3 page, in, across;
  for (int a = 0; a < 3; ++a) {
    page[a] = cell[a] / layout.extent()[a];
    in[a] = cell[a] - page[a] * layout.extent()[a];
    across[a] = in[a] + 1 == layout.extent()[a];
  }
  if (product({1 + across[0], 1 + across[1], 1 + across[2]}) == 1) {
    const std::uint64_t number = array.description->pageNumber(m_step, linear(page, layout.pagesPerAxis()));
    const int held = indexOfHeld(array, number);
    if (held < 0) return false;
    array.last = held;
    const HeldPage& at = array.held[held];
    array.near.first = at.box.first;
    for (int a = 0; a < 3; ++a) array.near.cells[a] = static_cast<std::uint64_t>(at.box.size[a] - 1);
    array.near.data = at.data;
    array.near.strides = {at.box.size[0] * array.components,
                          at.box.size[0] * at.box.size[1] * array.components};
    array.near.copyCell(array, cell, out);
    return true;
  }
  std::array<int, kPagesPerArray> held;
  for (int corner = 0; corner < kPagesPerArray; ++corner) {
    const Index3 step{corner & across[0], corner >> 1 & across[1], corner >> 2 & across[2]};
    const int own = static_cast<int>(step[0] | step[1] << 1 | step[2] << 2);
    if (own != corner) {
      held[corner] = held[own];
      continue;
    }
    held[corner] = indexOfHeld(
        array, array.description->pageNumber(
                   m_step,
                   linear({page[0] + step[0], page[1] + step[1], page[2] + step[2]}, layout.pagesPerAxis())));
    if (held[corner] < 0) return false;
  }
  const int components = array.components;
  for (int row = 0; row < 4; ++row) {
    const std::int64_t j = cell[1] + (row & 1), k = cell[2] + (row >> 1);
    for (int i = 0; i < 2; i += across[0] ? 1 : 2) {
      const HeldPage& at = array.held[held[row << 1 | i]];
      const std::int64_t node =
          linear({cell[0] + i - at.box.first[0], j - at.box.first[1], k - at.box.first[2]}, at.box.size);
      toDouble(at.data, array.description->type, node * components, (across[0] ? 1 : 2) * components, out);
      out += (across[0] ? 1 : 2) * components;
    }
  }
  return true;
}

void Cursor::gatherFarCell(const Index3& cell, std::span<const GatherTarget> targets,
                           std::span<const int> alongside) {
  bool held = m_mode == GatherMode::Pinned;
  for (std::size_t n = 0; held && n < targets.size(); ++n)
    held = gatherHeldCell(m_arrays[static_cast<std::size_t>(targets[n].slot)], cell, targets[n].out);
  if (!held) gather({cell, {2, 2, 2}}, targets, alongside);
}

Cursor::TouchedPages Cursor::pagesOf(const BoundArray& array, const IndexBox& box) const {
  const PageLayout& layout = array.description->layout;
  Index3 first, last;
  for (int a = 0; a < 3; ++a) {
    first[a] = box.first[a] / layout.extent()[a];
    last[a] = (box.first[a] + box.size[a] - 1) / layout.extent()[a];
  }
  TouchedPages touched;
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i) {
        assert(touched.count < kPagesPerArray && "a gather touches too many pages");
        touched.pages[touched.count++] =
            array.description->pageNumber(m_step, linear({i, j, k}, layout.pagesPerAxis()));
      }
  return touched;
}

int Cursor::indexOfHeld(const BoundArray& array, std::uint64_t page) const {
  for (int n = 0; n < array.heldCount; ++n)
    if (array.held[n].page == page) return n;
  return -1;
}

void Cursor::hold(BoundArray& array, std::uint64_t page, Frame* frame) {
  assert(array.heldCount < kPagesPerArray);
  array.held[array.heldCount++] = {frame, frame->data, frame->box, page};
}

void Cursor::collectMissing(int slot, const IndexBox& box, std::vector<PageWant>& wants,
                            std::vector<int>& wantSlots) {
  BoundArray& array = m_arrays[slot];
  const TouchedPages pages = pagesOf(array, box);
  // Make room within the reservation by letting go of pages that this gather does not need.
  int missing = 0;
  for (const std::uint64_t page : pages) missing += indexOfHeld(array, page) < 0;
  for (int n = array.heldCount - 1; n >= 0 && array.heldCount + missing > kPagesPerArray; --n) {
    if (std::find(pages.begin(), pages.end(), array.held[n].page) != pages.end()) continue;
    letGo(array, n);
  }
  for (const std::uint64_t page : pages) {
    if (indexOfHeld(array, page) >= 0) continue;
    ++m_lookups;
    const PageKey key = makeKey(array.handle, page);
    if (Frame* const frame = m_pool.tryPin(key)) {
      ++m_hits;
      hold(array, page, frame);
    } else {
      wants.push_back({key});
      wantSlots.push_back(slot);
    }
  }
}

void Cursor::gatherAcrossPages(const IndexBox& box, std::span<const GatherTarget> targets,
                               std::span<const int> alongside) {
  std::vector<PageWant> wants;
  std::vector<int> wantSlots;
  for (const GatherTarget& target : targets) collectMissing(target.slot, box, wants, wantSlots);
  if (!wants.empty())
    for (const int slot : alongside) collectMissing(slot, box, wants, wantSlots);
  if (!wants.empty()) {
    waitFor(wants);
    for (std::size_t n = 0; n < wants.size(); ++n)
      hold(m_arrays[wantSlots[n]], pageOf(wants[n].key), wants[n].frame);
  }
  for (const GatherTarget& target : targets) {
    BoundArray& array = m_arrays[target.slot];
    for (const std::uint64_t page : pagesOf(array, box)) {
      array.last = indexOfHeld(array, page);
      const HeldPage& held = array.held[array.last];
      copyPart(*array.description, held.box, held.data, box, target.out);
    }
  }
}

void Cursor::letGo(BoundArray& array, int held) {
  m_pool.unpin(array.held[held].frame);
  array.near = {};
  array.held[held] = array.held[--array.heldCount];
  if (array.last >= array.heldCount) array.last = 0;
}

void Cursor::gatherTiled(const IndexBox& box, std::span<const GatherTarget> targets) {
  for (const GatherTarget& target : targets) {
    const ArrayDescription& array = *m_arrays[target.slot].description;
    const Index3& extent = array.layout.extent();
    Index3 first, last;
    for (int a = 0; a < 3; ++a) {
      first[a] = box.first[a] / extent[a];
      last[a] = (box.first[a] + box.size[a] - 1) / extent[a];
    }
    for (std::int64_t k = first[2]; k <= last[2]; ++k)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t i = first[0]; i <= last[0]; ++i)
          gatherPageOf(target, linear({i, j, k}, array.layout.pagesPerAxis()), box);
  }
}

void Cursor::gatherPageOf(const GatherTarget& target, std::int64_t page, const IndexBox& box) {
  BoundArray& array = m_arrays[target.slot];
  const std::uint64_t number = array.description->pageNumber(m_step, page);
  const int held = indexOfHeld(array, number);
  if (held >= 0) {
    copyPart(*array.description, array.held[held].box, array.held[held].data, box, target.out);
    return;
  }
  ++m_lookups;
  PageWant want{makeKey(array.handle, number)};
  if (m_mode == GatherMode::Pinned && array.heldCount == kPagesPerArray) letGo(array, 0);
  want.frame = m_pool.tryPin(want.key);
  if (want.frame)
    ++m_hits;
  else
    waitFor({&want, 1});
  copyPart(*array.description, want.frame->box, want.frame->data, box, target.out);
  if (m_mode == GatherMode::Pinned)
    hold(array, number, want.frame);
  else
    m_pool.unpin(want.frame);
}

void Cursor::gatherByCopying(const IndexBox& box, const GatherTarget& target) {
  const BoundArray& array = m_arrays[target.slot];
  for (const std::uint64_t page : pagesOf(array, box)) {
    ++m_lookups;
    PageWant want{makeKey(array.handle, page)};
    want.frame = m_pool.tryPin(want.key);
    if (want.frame)
      ++m_hits;
    else
      waitFor({&want, 1});
    copyPart(*array.description, want.frame->box, want.frame->data, box, target.out);
    m_pool.unpin(want.frame);
  }
}

void Cursor::expect(const Index3& node) {
  for (const BoundArray& array : m_arrays) {
    const std::uint64_t page = array.description->pageNumber(m_step, array.description->layout.pageOf(node));
    const PageKey key = makeKey(array.handle, page);
    if (indexOfHeld(array, page) < 0 &&
        std::find(m_expected.begin(), m_expected.end(), key) == m_expected.end())
      m_expected.push_back(key);
  }
}

void Cursor::sendExpected() {
  if (!m_expected.empty()) m_pool.prefetch(m_expected);
  m_expected.clear();
}

void Cursor::waitFor(std::span<PageWant> wants) {
  tasks::Gate gate(m_context.waker());
  m_context.throwIfStopped();
  const auto start = std::chrono::steady_clock::now();
  m_context.wait(gate, [&] { m_pool.request(wants, gate); });
  m_waited += std::chrono::steady_clock::now() - start;
  if (!gate.isOpen()) {
    m_pool.abandon(wants, gate);
    throw Cancelled();
  }
  for (const PageWant& want : wants) {
    if (want.frame->state() != FrameState::Failed) continue;
    // The error is copied before the pins, and with them the frame's error, are given up.
    try {
      want.frame->error->raise();
    } catch (...) {
      for (const PageWant& each : wants) m_pool.unpin(each.frame);
      throw;
    }
  }
}

void Cursor::releaseAll() {
  for (BoundArray& array : m_arrays) {
    for (int n = 0; n < array.heldCount; ++n) m_pool.unpin(array.held[n].frame);
    array.heldCount = 0;
    array.last = 0;
    array.near = {};
  }
}

}  // namespace farfield::paging
