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
  BoundArray& bound = m_arrays.emplace_back();
  bound.handle = array;
  bound.description = &m_pool.array(array);
  bound.components = bound.description->components;
  bound.copyCorners = cornerCopyFor(bound.description->type, bound.components);
  bound.copyScattered = scatteredCopyFor(bound.description->type, bound.components);
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
        (array.description->steps > 1 && array.description->stepOf(array.heldPages[array.last]) != m_step))
      return gatherAcrossPages(box, targets, alongside);
  }
  for (const GatherTarget& target : targets) {
    const BoundArray& array = m_arrays[target.slot];
    const HeldPage& page = array.held[array.last];
    copyPart(*array.description, page.box, page.data, box, target.out);
  }
}

/// The page, pinned, if it is resident; else nullptr. May let go of a page that is not `needed`.
const Cursor::HeldPage* Cursor::holdResident(BoundArray& array, std::uint64_t page,
                                             std::span<const std::uint64_t> needed) {
  if (const int held = indexOfHeld(array, page); held >= 0) return &array.held[held];
  Frame* const frame = m_pool.tryPin(makeKey(array.handle, page));
  if (!frame) return nullptr;
  ++m_lookups;
  ++m_hits;
  for (int n = array.heldCount - 1; n >= 0 && array.heldCount == kPagesPerArray; --n)
    if (std::find(needed.begin(), needed.end(), array.heldPages[n]) == needed.end()) letGo(array, n);
  hold(array, page, frame);
  return &array.held[array.heldCount - 1];
}

/// From pages that are resident; false when one is missing. Pages differ at most along the axes on which the
/// cell lies across a border.
bool Cursor::gatherResidentCell(BoundArray& array, const Index3& cell, double* out) {
  const PageLayout& layout = array.description->layout;
  const Index3& pages = layout.pagesPerAxis();
  Index3 page;
  std::array<int, 3> across;
  for (int a = 0; a < 3; ++a) {
    page[a] = layout.pageAlong(a, cell[a]);
    across[a] = cell[a] + 1 == (page[a] + 1) * layout.extent()[a];
  }
  const std::uint64_t lowest = array.description->pageNumber(m_step, linear(page, pages));
  if ((across[0] | across[1] | across[2]) == 0) return gatherInPage(array, lowest, cell, out);
  // Which page holds a corner is told by the bits of the axes on which the cell lies across.
  const unsigned mask = static_cast<unsigned>(across[0] | across[1] << 1 | across[2] << 2);
  std::array<std::uint64_t, kPagesPerArray> needed;  // by corner; the same page more than once
  for (unsigned corner = 0; corner < kPagesPerArray; ++corner) {
    const unsigned own = corner & mask;
    needed[corner] =
        lowest + static_cast<std::uint64_t>((own & 1) + pages[0] * ((own >> 1 & 1) + pages[1] * (own >> 2)));
  }
  struct Piece {
    const std::byte* data;
    std::int64_t origin, j, k;  ///< number of the cell's lowest node, as if the page went on to it; strides
  };
  std::array<Piece, kPagesPerArray> pieces;
  const std::int64_t components = array.components;
  for (unsigned own = mask;; own = (own - 1) & mask) {
    const HeldPage* const held = holdResident(array, needed[own], needed);
    if (!held) return false;
    const IndexBox& box = held->box;
    const std::int64_t j = box.size[0] * components, k = j * box.size[1];
    pieces[own] = {
        held->data,
        (cell[0] - box.first[0]) * components + (cell[1] - box.first[1]) * j + (cell[2] - box.first[2]) * k,
        j, k};
    if (own == 0) break;
  }
  std::array<NodeAddress, kPagesPerArray> places;
  for (unsigned corner = 0; corner < kPagesPerArray; ++corner) {
    const Piece& piece = pieces[corner & mask];
    places[corner] = {piece.data, piece.origin + (corner & 1) * components + (corner >> 1 & 1) * piece.j +
                                      (corner >> 2) * piece.k};
  }
  array.copyScattered(places.data(), array.components, out);
  return true;
}

bool Cursor::gatherInPage(BoundArray& array, std::uint64_t page, const Index3& cell, double* out) {
  const HeldPage* const held = holdResident(array, page, {&page, 1});
  if (!held) return false;
  const IndexBox& box = held->box;
  array.last = static_cast<int>(held - array.held.data());
  array.near.first = box.first;
  for (int a = 0; a < 3; ++a) array.near.cells[a] = static_cast<std::uint64_t>(box.size[a] - 1);
  array.near.data = held->data;
  array.near.strides = {box.size[0] * array.components, box.size[0] * box.size[1] * array.components};
  array.near.copyCell(array, cell, out);
  return true;
}

void Cursor::gatherFarCell(const Index3& cell, std::span<const GatherTarget> targets,
                           std::span<const int> alongside) {
  bool resident = m_mode == GatherMode::Pinned;
  for (std::size_t n = 0; resident && n < targets.size(); ++n)
    resident = gatherResidentCell(m_arrays[static_cast<std::size_t>(targets[n].slot)], cell, targets[n].out);
  if (!resident) gather({cell, {2, 2, 2}}, targets, alongside);
}

Cursor::TouchedPages Cursor::pagesOf(const BoundArray& array, const IndexBox& box) const {
  const PageLayout& layout = array.description->layout;
  Index3 first, last;
  for (int a = 0; a < 3; ++a) {
    first[a] = layout.pageAlong(a, box.first[a]);
    last[a] = layout.pageAlong(a, box.first[a] + box.size[a] - 1);
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
    if (array.heldPages[static_cast<std::size_t>(n)] == page) return n;
  return -1;
}

void Cursor::hold(BoundArray& array, std::uint64_t page, Frame* frame) {
  assert(array.heldCount < kPagesPerArray);
  array.heldPages[array.heldCount] = page;
  array.held[array.heldCount++] = {frame, frame->data, frame->box};
}

void Cursor::collectMissing(int slot, const IndexBox& box, std::vector<PageWant>& wants,
                            std::vector<int>& wantSlots) {
  BoundArray& array = m_arrays[slot];
  const TouchedPages pages = pagesOf(array, box);
  // Make room within the reservation by letting go of pages that this gather does not need.
  int missing = 0;
  for (const std::uint64_t page : pages) missing += indexOfHeld(array, page) < 0;
  for (int n = array.heldCount - 1; n >= 0 && array.heldCount + missing > kPagesPerArray; --n) {
    if (std::find(pages.begin(), pages.end(), array.heldPages[n]) != pages.end()) continue;
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
  --array.heldCount;
  array.held[held] = array.held[array.heldCount];
  array.heldPages[held] = array.heldPages[array.heldCount];
  if (array.last >= array.heldCount) array.last = 0;
}

void Cursor::gatherTiled(const IndexBox& box, std::span<const GatherTarget> targets) {
  for (const GatherTarget& target : targets) {
    const ArrayDescription& array = *m_arrays[target.slot].description;
    visitPages(target.slot, box,
               [&](const PagePart& part) { copyPart(array, part.page, part.data, box, target.out); });
  }
}

/// The page, pinned: until leavePage() at least.
Cursor::HeldPage Cursor::takePage(BoundArray& array, std::uint64_t page) {
  const PageKey key = makeKey(array.handle, page);
  if (m_mode == GatherMode::Copying) {
    Frame* const frame = pin(key);
    return {frame, frame->data, frame->box};
  }
  if (const int held = indexOfHeld(array, page); held >= 0) return array.held[held];
  if (array.heldCount == kPagesPerArray) letGo(array, 0);
  hold(array, page, pin(key));
  return array.held[array.heldCount - 1];
}

void Cursor::leavePage(const HeldPage& page) {
  if (m_mode == GatherMode::Copying) m_pool.unpin(page.frame);
}

void Cursor::gatherByCopying(const IndexBox& box, const GatherTarget& target) {
  const BoundArray& array = m_arrays[target.slot];
  for (const std::uint64_t page : pagesOf(array, box)) {
    Frame* const frame = pin(makeKey(array.handle, page));
    copyPart(*array.description, frame->box, frame->data, box, target.out);
    m_pool.unpin(frame);
  }
}

void Cursor::expect(const Index3& node) {
  for (const BoundArray& array : m_arrays) {
    assert(array.description->layout.dims() == m_arrays.front().description->layout.dims());
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

Frame* Cursor::pin(PageKey key) {
  ++m_lookups;
  if (Frame* const frame = m_pool.tryPin(key)) {
    ++m_hits;
    return frame;
  }
  PageWant want{key};
  waitFor({&want, 1});
  return want.frame;
}

void Cursor::waitFor(std::span<PageWant> wants) {
  tasks::Gate gate(m_context.waker());
  m_context.throwIfGivenUp();
  const auto start = std::chrono::steady_clock::now();
  m_context.wait(gate, [&] { m_pool.request(wants, gate); });
  m_waited += std::chrono::steady_clock::now() - start;
  if (!gate.isOpen()) {
    m_pool.abandon(wants, gate);
    m_context.throwIfGivenUp();
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
