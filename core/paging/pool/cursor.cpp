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

/// Of a page's place among the pages of each axis.
constexpr unsigned lastBits(const Index3& at) {
  return static_cast<unsigned>((at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2);
}

}  // namespace

Cursor::Cursor(PagePool& pool, tasks::TaskContext& context, GatherMode mode)
    : m_pool(pool), m_context(context), m_mode(mode) {}

Cursor::~Cursor() {
  releaseAll();
  m_pool.addLookups(m_lookups, m_hits);
}

const Cursor::HeldPage Cursor::kNoPage;

IndexBox Cursor::HeldPage::box() const {
  IndexBox nodes{first, {}};
  for (int a = 0; a < 3; ++a) nodes.size[a] = static_cast<std::int64_t>(cells[a]) + 1;
  return nodes;
}

int Cursor::bind(std::uint32_t array) {
  BoundArray& bound = m_arrays.emplace_back();
  bound.handle = array;
  bound.description = &m_pool.array(array);
  bound.components = bound.description->components;
  bound.copyCorners = cornerCopyFor(bound.description->type, bound.components);
  bound.copyCrossing = &crossingCopiesFor(bound.description->type, bound.components);
  for (BoundArray& moved : m_arrays) moved.near = &kNoPage;
  return static_cast<int>(m_arrays.size() - 1);
}

void Cursor::unbind() {
  releaseAll();
  m_arrays.clear();
}

void Cursor::setStep(std::int64_t step) {
  m_step = step;
  for (BoundArray& array : m_arrays) array.near = &kNoPage;
}

bool Cursor::inside(const IndexBox& box, const HeldPage& page) {
  const IndexBox nodes = page.box();
  for (int a = 0; a < 3; ++a)
    if (box.first[a] < nodes.first[a] || box.first[a] + box.size[a] > nodes.first[a] + nodes.size[a])
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
    copyPart(*array.description, page.box(), page.data, box, target.out);
  }
}

/// The page, the one at `at`, pinned, if it is resident; else nullptr. It may take the place of one that does
/// not meet it.
inline const Cursor::HeldPage* Cursor::holdResident(BoundArray& array, std::uint64_t page, const Index3& at) {
  const int held = array.bySide[lastBits(at)];
  return array.heldPages[held] == page && held < array.heldCount ? &array.held[held]
                                                                 : takeResident(array, page, at);
}

const Cursor::HeldPage* Cursor::takeResident(BoundArray& array, std::uint64_t page, const Index3& at) {
  const unsigned side = lastBits(at);
  if (const int held = indexOfHeld(array, page); held >= 0) {
    array.bySide[side] = static_cast<std::uint8_t>(held);
    return &array.held[held];
  }
  const auto ofThisSide = [&](int n) { return array.held[n].side == side; };
  int place = array.bySide[side];
  if (place >= array.heldCount || !ofThisSide(place)) place = array.heldCount;
  if (place == kPagesPerArray)
    for (place = 0; place < kPagesPerArray && !ofThisSide(place);) ++place;
  if (place == kPagesPerArray) return nullptr;  // all in use by gathers of another shape
  Frame* const frame = m_pool.tryPin(makeKey(array.handle, page));
  if (!frame) return nullptr;
  ++m_lookups;
  ++m_hits;
  if (place == array.heldCount)
    ++array.heldCount;
  else
    m_pool.unpin(array.held[place].frame);
  const HeldPage& held = hold(array, place, page, frame, at);
  // Who comes to the border of a page that was not held goes into it next, as a rule.
  array.near = &held;
  array.last = place;
  return &held;
}

/// From pages that are resident, a cell that lies across borders along the axes of the bits of `across`;
/// false when one is missing. Its lowest node is in the page at `lowest`; which page holds a corner is told
/// by the bits that it has of these.
bool Cursor::gatherCrossingCell(BoundArray& array, const Index3& cell, const Index3& lowest, unsigned across,
                                double* out) {
  const Index3& pages = array.description->layout.pagesPerAxis();
  const std::uint64_t number = array.description->pageNumber(m_step, linear(lowest, pages));
  std::array<CellPiece, kPagesPerArray> pieces;
  for (unsigned side = across;; side = (side - 1) & across) {
    const std::int64_t i = side & 1, j = side >> 1 & 1, k = side >> 2;
    const HeldPage* const page =
        holdResident(array, number + static_cast<std::uint64_t>(i + pages[0] * (j + pages[1] * k)),
                     {lowest[0] + i, lowest[1] + j, lowest[2] + k});
    if (!page) return false;
    pieces[side] = {
        page->data,
        page->origin + cell[0] * array.components + cell[1] * page->strides.j + cell[2] * page->strides.k,
        page->strides};
    if (side == 0) break;
  }
  (*array.copyCrossing)[across](pieces.data(), array.components, out);
  return true;
}

/// From pages that are resident; false when one is missing.
bool Cursor::gatherResidentCell(BoundArray& array, const Index3& cell, double* out) {
  const PageLayout& layout = array.description->layout;
  Index3 page;
  unsigned across = 0;
  for (int a = 0; a < 3; ++a) {
    page[a] = layout.pageAlong(a, cell[a]);
    across |= static_cast<unsigned>(cell[a] + 1 == (page[a] + 1) * layout.extent()[a]) << a;
  }
  if (across != 0) return gatherCrossingCell(array, cell, page, across, out);
  const std::uint64_t number = array.description->pageNumber(m_step, linear(page, layout.pagesPerAxis()));
  const HeldPage* const held = holdResident(array, number, page);
  if (!held) return false;
  array.near = held;
  array.last = static_cast<int>(held - array.held.data());
  return held->copyCell(array, cell, out);
}

void Cursor::gatherCells(const Index3& cell, std::span<const GatherTarget> targets,
                         std::span<const int> alongside) {
  for (const GatherTarget& target : targets) {
    BoundArray& array = m_arrays[static_cast<std::size_t>(target.slot)];
    if (!array.near->copyCell(array, cell, target.out) &&
        (m_mode != GatherMode::Pinned || !gatherResidentCell(array, cell, target.out)))
      return gather({cell, {2, 2, 2}}, targets, alongside);
  }
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

/// Puts a pinned page, the one at `at`, among the held ones.
inline Cursor::HeldPage& Cursor::hold(BoundArray& array, int place, std::uint64_t page, Frame* frame,
                                      const Index3& at) {
  const IndexBox box = array.description->layout.boxAt(at);
  HeldPage& held = array.held[place];
  held.first = box.first;
  for (int a = 0; a < 3; ++a) held.cells[a] = static_cast<std::uint64_t>(box.size[a] - 1);
  held.data = frame->data;
  held.strides.j = box.size[0] * array.components;
  held.strides.k = box.size[1] * held.strides.j;
  held.origin =
      -(box.first[0] * array.components + box.first[1] * held.strides.j + box.first[2] * held.strides.k);
  held.frame = frame;
  held.side = lastBits(at);
  array.heldPages[place] = page;
  array.bySide[held.side] = static_cast<std::uint8_t>(place);
  return held;
}

void Cursor::holdOneMore(BoundArray& array, std::uint64_t page, Frame* frame) {
  assert(array.heldCount < kPagesPerArray);
  const PageLayout& layout = array.description->layout;
  Index3 at;
  for (int a = 0; a < 3; ++a) at[a] = layout.pageAlong(a, frame->box.first[a]);
  hold(array, array.heldCount++, page, frame, at);
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
      holdOneMore(array, page, frame);
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
      holdOneMore(m_arrays[wantSlots[n]], pageOf(wants[n].key), wants[n].frame);
  }
  for (const GatherTarget& target : targets) {
    BoundArray& array = m_arrays[target.slot];
    for (const std::uint64_t page : pagesOf(array, box)) {
      array.last = indexOfHeld(array, page);
      const HeldPage& held = array.held[array.last];
      copyPart(*array.description, held.box(), held.data, box, target.out);
    }
  }
}

void Cursor::letGo(BoundArray& array, int held) {
  m_pool.unpin(array.held[held].frame);
  array.near = &kNoPage;
  --array.heldCount;
  array.held[held] = array.held[array.heldCount];
  array.heldPages[held] = array.heldPages[array.heldCount];
  array.bySide[array.held[held].side] = static_cast<std::uint8_t>(held);
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
Frame* Cursor::takePage(BoundArray& array, std::uint64_t page) {
  const PageKey key = makeKey(array.handle, page);
  if (m_mode == GatherMode::Copying) return pin(key);
  if (const int held = indexOfHeld(array, page); held >= 0) return array.held[held].frame;
  if (array.heldCount == kPagesPerArray) letGo(array, 0);
  Frame* const frame = pin(key);
  holdOneMore(array, page, frame);
  return frame;
}

void Cursor::leavePage(Frame* frame) {
  if (m_mode == GatherMode::Copying) m_pool.unpin(frame);
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
    array.near = &kNoPage;
  }
}

}  // namespace farfield::paging
