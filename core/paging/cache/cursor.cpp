#include "core/paging/cache/cursor.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield::paging {
namespace {

/// Copies the part of `want` that lies in page `box` into `out`, which has the shape of `want`.
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

/// The lowest bit of each of the page's indices along i, j, k: neighbouring pages differ in it.
constexpr unsigned sideOf(const Index3& at) {
  return static_cast<unsigned>((at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2);
}

Index3 placeOf(const ArrayDescription& array, std::uint64_t page) {
  return unlinear(static_cast<std::int64_t>(page) % array.layout.pageCount(), array.layout.pagesPerAxis());
}

}  // namespace

Cursor::Cursor(PageCache& cache, tasks::TaskContext& context, GatherMode mode)
    : m_cache(cache), m_context(context), m_mode(mode) {}

Cursor::~Cursor() {
  releaseAll();
  m_cache.cursorEnded(m_hits);
}

const Cursor::HeldPage Cursor::kNoPage;

IndexBox Cursor::HeldPage::box() const {
  IndexBox nodes{first, {}};
  for (int a = 0; a < 3; ++a) nodes.size[a] = lastCell[a] + 2;
  return nodes;
}

int Cursor::bind(std::uint32_t array) {
  BoundArray& bound = m_arrays.emplace_back();
  bound.handle = array;
  bound.description = &m_cache.array(array);
  bound.components = bound.description->components;
  bound.copyCell = cellCopyFor(bound.description->type, bound.components);
  bound.copyCrossing = crossingCopyFor(bound.description->type, bound.components);
  bound.firstPage = firstPageOf(bound);
  const Index3& pages = bound.description->layout.pagesPerAxis();
  for (unsigned beyond = 0; beyond < 8; ++beyond)
    bound.pagesOn[beyond] =
        static_cast<std::uint64_t>(linear({beyond & 1, beyond >> 1 & 1, beyond >> 2}, pages));
  for (BoundArray& moved : m_arrays) moved.near = &kNoPage;
  return static_cast<int>(m_arrays.size() - 1);
}

int Cursor::bindStep(int slot, std::int64_t later) {
  const BoundArray& array = m_arrays[static_cast<std::size_t>(slot)];
  if (array.description->steps == 1) return slot;
  const int next = bind(array.handle);
  BoundArray& bound = m_arrays.back();
  bound.later = later;
  bound.firstPage = firstPageOf(bound);
  return next;
}

std::uint64_t Cursor::firstPageOf(const BoundArray& array) const {
  const std::int64_t step = std::clamp<std::int64_t>(m_step + array.later, 0, array.description->steps - 1);
  return array.description->pageNumber(step, 0);
}

void Cursor::unbind() {
  releaseAll();
  m_arrays.clear();
}

void Cursor::setStep(std::int64_t step) {
  m_step = step;
  for (BoundArray& array : m_arrays) {
    array.near = &kNoPage;
    array.firstPage = firstPageOf(array);
  }
}

bool Cursor::inside(const IndexBox& box, const HeldPage& page) {
  if (!page.frame) return false;
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
  for (const GatherTarget& target : targets)
    if (!inside(box, *m_arrays[target.slot].near)) return gatherAcrossPages(box, targets, alongside);
  for (const GatherTarget& target : targets) {
    const BoundArray& array = m_arrays[target.slot];
    copyPart(*array.description, array.near->box(), array.near->frame->data, box, target.out);
  }
}

/// Holds the page beyond the borders in `beyond`, if it is resident, in place of a page that does not meet it
/// or of what a gather of another shape has left there.
inline bool Cursor::holdResident(BoundArray& array, const CellPages& pages, unsigned beyond) {
  const unsigned side = pages.side ^ beyond;
  const std::uint64_t page = pages.page + array.pagesOn[beyond];
  if (array.held[side].page == page) return true;
  const Index3& at = pages.at;
  return takeResident(array, side, page,
                      {at[0] + (beyond & 1), at[1] + (beyond >> 1 & 1), at[2] + (beyond >> 2)});
}

bool Cursor::takeResident(BoundArray& array, unsigned side, std::uint64_t page, const Index3& at) {
  letGo(array, side);
  Frame* const frame = m_cache.tryPin(makeKey(array.handle, page));
  if (!frame) return false;
  ++m_hits;
  hold(array, side, page, frame, at);
  // After crossing a border the next cells usually lie in the new page.
  array.near = &array.held[side];
  return true;
}

Cursor::CellPages Cursor::pagesOf(const BoundArray& array, const Index3& cell) const {
  const PageLayout& layout = array.description->layout;
  CellPages pages{{}, array.firstPage, 0, 0};
  for (int a = 0; a < 3; ++a) {
    const std::int64_t at = layout.pageAlong(a, cell[a]);
    pages.at[a] = at;
    pages.across |= static_cast<unsigned>(cell[a] + 1 == (at + 1) * layout.extent()[a]) << a;
    pages.side |= static_cast<unsigned>(at & 1) << a;
    pages.page += static_cast<std::uint64_t>(at) * array.pagesOn[std::size_t{1} << a];
  }
  return pages;
}

/// From resident pages; false if one is missing.
bool Cursor::gatherResidentCell(BoundArray& array, const Index3& cell, double* out) {
  if (m_mode != GatherMode::Pinned) return false;
  const CellPages pages = pagesOf(array, cell);
  if (pages.across == 0) {
    if (!holdResident(array, pages, 0)) return false;
    const HeldPage& held = array.held[pages.side];
    array.near = &held;
    array.copyCell(held.places.of(cell), held.places, out);
    return true;
  }
  // The bits of a corner that are in `across` say which page holds it.
  std::array<CellPiece, kPagesPerArray> pieces;
  for (unsigned beyond = pages.across;; beyond = (beyond - 1) & pages.across) {
    if (!holdResident(array, pages, beyond)) return false;
    const HeldPage& held = array.held[pages.side ^ beyond];
    pieces[beyond] = {held.places.of(cell), &held.places};
    if (beyond == 0) break;
  }
  array.copyCrossing(pieces.data(), pages.across, out);
  return true;
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
        // How pages are cut comes from a file.
        if (touched.count == kPagesPerArray)
          throw Corrupt("its pages are too small for what is read of it", "make the store anew")
              .at(array.description->name);
        touched.pages[touched.count++] =
            array.firstPage + static_cast<std::uint64_t>(linear({i, j, k}, layout.pagesPerAxis()));
      }
  return touched;
}

const Cursor::HeldPage* Cursor::find(const BoundArray& array, std::uint64_t page) const {
  for (const HeldPage& held : array.held)
    if (held.page == page) return &held;
  return nullptr;
}

/// Records a pinned page at index `at` in an empty place.
inline void Cursor::hold(BoundArray& array, unsigned place, std::uint64_t page, Frame* frame,
                         const Index3& at) {
  const IndexBox box = array.description->layout.boxAt(at);
  HeldPage& held = array.held[place];
  assert(!held.frame);
  held.first = box.first;
  for (int a = 0; a < 3; ++a) held.lastCell[a] = box.size[a] - 2;
  NodePlaces& places = held.places;
  places.i = array.components * sizeOf(array.description->type);
  places.j = box.size[0] * places.i;
  places.k = box.size[1] * places.j;
  places.origin = 0;
  places.origin = reinterpret_cast<std::intptr_t>(frame->data) - places.of(box.first);
  held.frame = frame;
  held.page = page;
}

inline void Cursor::letGo(BoundArray& array, unsigned place) {
  HeldPage& held = array.held[place];
  if (!held.frame) return;
  if (array.near == &held) array.near = &kNoPage;
  m_cache.unpin(held.frame);
  held.frame = nullptr;
  held.page = HeldPage::kNone;
}

/// Holds the pages of the box that are resident. True if one is missing.
bool Cursor::holdResident(int slot, const IndexBox& box) {
  BoundArray& array = m_arrays[slot];
  const TouchedPages pages = pagesOf(array, box);
  unsigned usable = (1u << kPagesPerArray) - 1;  // places whose pages this gather does not need, as bits
  for (const std::uint64_t page : pages)
    if (const HeldPage* const held = find(array, page)) usable &= ~(1u << (held - array.held.data()));
  bool missing = false;
  for (const std::uint64_t page : pages) {
    if (find(array, page)) continue;
    const Index3 at = placeOf(*array.description, page);
    const unsigned side = sideOf(at);
    const unsigned place = usable >> side & 1 ? side : static_cast<unsigned>(std::countr_zero(usable));
    usable &= ~(1u << place);
    letGo(array, place);
    if (Frame* const frame = m_cache.tryPin(makeKey(array.handle, page))) {
      ++m_hits;
      hold(array, place, page, frame, at);
    } else {
      missing = true;
    }
  }
  return missing;
}

void Cursor::gatherAcrossPages(const IndexBox& box, std::span<const GatherTarget> targets,
                               std::span<const int> alongside) {
  bool missing = false;
  for (const GatherTarget& target : targets) missing = holdResident(target.slot, box) || missing;
  if (missing) {
    // A task that waits holds only what it waits for, so that there can be many of them.
    releaseAll();
    std::vector<PageWant> wants;
    std::vector<int> slots;
    const auto add = [&](int slot) {
      const BoundArray& array = m_arrays[slot];
      for (const std::uint64_t page : pagesOf(array, box)) {
        wants.emplace_back(makeKey(array.handle, page));
        slots.push_back(slot);
      }
    };
    for (const GatherTarget& target : targets) add(target.slot);
    for (const int slot : alongside) add(slot);
    waitFor(wants);
    for (std::size_t n = 0; n < wants.size(); ++n) {
      BoundArray& array = m_arrays[slots[n]];
      const std::uint64_t page = pageOf(wants[n].key);
      const Index3 at = placeOf(*array.description, page);
      unsigned place = sideOf(at);
      for (unsigned other = 0; array.held[place].frame; ++other) place = other;
      hold(array, place, page, wants[n].frame, at);
    }
  }
  for (const GatherTarget& target : targets) {
    BoundArray& array = m_arrays[target.slot];
    for (const std::uint64_t page : pagesOf(array, box)) {
      array.near = find(array, page);
      copyPart(*array.description, array.near->box(), array.near->frame->data, box, target.out);
    }
  }
}

/// The page, held; null if it is not resident.
const Cursor::HeldPage* Cursor::holdOnAxis(BoundArray& array, std::uint64_t page) {
  const auto place = static_cast<unsigned>(page % kPagesPerArray);
  if (array.held[place].page == page) return &array.held[place];
  if (const HeldPage* const held = find(array, page)) return held;
  Frame* const frame = m_cache.tryPin(makeKey(array.handle, page));
  if (!frame) return nullptr;
  ++m_hits;
  letGo(array, place);
  hold(array, place, page, frame,
       {static_cast<std::int64_t>(page) % array.description->layout.pageCount(), 0, 0});
  return &array.held[place];
}

/// Waits for the pages of the first of `nodes`, as many as may be pinned together, and holds them.
void Cursor::waitForNodes(std::span<const std::int64_t> nodes, std::span<const GatherTarget> targets,
                          std::span<const int> alongside) {
  releaseAll();
  std::vector<int> slots;
  for (const GatherTarget& target : targets) slots.push_back(target.slot);
  slots.insert(slots.end(), alongside.begin(), alongside.end());
  std::vector<std::vector<std::uint64_t>> pages(slots.size());
  bool room = true;
  for (std::size_t n = 0; n < nodes.size() && room; ++n)
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const BoundArray& array = m_arrays[static_cast<std::size_t>(slots[s])];
      const std::uint64_t page =
          array.firstPage + static_cast<std::uint64_t>(array.description->layout.pageAlong(0, nodes[n]));
      if (std::find(pages[s].begin(), pages[s].end(), page) != pages[s].end()) continue;
      pages[s].push_back(page);
      room = room && pages[s].size() < std::size_t{kPagesPerArray};
    }
  std::vector<PageWant> wants;
  for (std::size_t s = 0; s < slots.size(); ++s)
    for (const std::uint64_t page : pages[s])
      wants.emplace_back(makeKey(m_arrays[static_cast<std::size_t>(slots[s])].handle, page));
  waitFor(wants);
  std::size_t n = 0;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    BoundArray& array = m_arrays[static_cast<std::size_t>(slots[s])];
    for (const std::uint64_t page : pages[s]) {
      auto place = static_cast<unsigned>(page % kPagesPerArray);
      for (unsigned other = 0; array.held[place].frame; ++other) place = other;
      hold(array, place, page, wants[n++].frame,
           {static_cast<std::int64_t>(page) % array.description->layout.pageCount(), 0, 0});
    }
  }
}

void Cursor::gatherNodes(std::span<const std::int64_t> nodes, std::span<const GatherTarget> targets,
                         std::span<const int> alongside) {
  if (m_mode == GatherMode::Copying) {
    for (const GatherTarget& target : targets) {
      const BoundArray& array = m_arrays[static_cast<std::size_t>(target.slot)];
      const PageLayout& layout = array.description->layout;
      for (std::size_t n = 0; n < nodes.size();) {
        const std::int64_t page = layout.pageAlong(0, nodes[n]);
        Frame* const frame = pin(makeKey(array.handle, array.firstPage + static_cast<std::uint64_t>(page)));
        for (; n < nodes.size() && layout.pageAlong(0, nodes[n]) == page; ++n)
          toDouble(frame->data, array.description->type, (nodes[n] - frame->box.first[0]) * array.components,
                   array.components, target.out + n * static_cast<std::size_t>(array.components));
        m_cache.unpin(frame);
      }
    }
    return;
  }
  // Nodes lie anywhere in their pages. What they and those alongside have is fetched from memory together, not one after the other;
  // without targets that is all.
  // (Inlined, or GCC takes it for a function without effects and leaves it out.)
  const auto fetch = [&](int slot) __attribute__((always_inline)) {
    const BoundArray& array = m_arrays[static_cast<std::size_t>(slot)];
    const std::int64_t bytes = array.description->nodeBytes();
    for (const std::int64_t node : nodes) {
      const std::uint64_t page =
          array.firstPage + static_cast<std::uint64_t>(array.description->layout.pageAlong(0, node));
      const HeldPage& held = array.held[page % kPagesPerArray];
      if (held.page != page) continue;
      const std::byte* const at = held.frame->data + (node - held.first[0]) * bytes;
      __builtin_prefetch(at);
      __builtin_prefetch(at + bytes - 1);
    }
  };
  if (nodes.size() > 1)
    for (const GatherTarget& target : targets) fetch(target.slot);
  for (const int slot : alongside) fetch(slot);
  bool waited = false;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const GatherTarget& target = targets[t];
      BoundArray& array = m_arrays[static_cast<std::size_t>(target.slot)];
      const std::uint64_t page =
          array.firstPage + static_cast<std::uint64_t>(array.description->layout.pageAlong(0, nodes[n]));
      const HeldPage* held = holdOnAxis(array, page);
      if (!held) {
        // what comes alongside is asked for once, and only as long as it is new
        waitForNodes(nodes.subspan(n), targets, waited ? std::span<const int>{} : alongside);
        waited = true;
        held = holdOnAxis(array, page);
      }
      toDouble(held->frame->data, array.description->type, (nodes[n] - held->first[0]) * array.components,
               array.components, target.out + n * static_cast<std::size_t>(array.components));
    }
  }
}

void Cursor::gatherTiled(const IndexBox& box, std::span<const GatherTarget> targets) {
  for (const GatherTarget& target : targets) {
    const ArrayDescription& array = *m_arrays[target.slot].description;
    visitPages(target.slot, box,
               [&](const PagePart& part) { copyPart(array, part.page, part.data, box, target.out); });
  }
}

/// The page, pinned at least until leavePage().
Frame* Cursor::takePage(BoundArray& array, std::uint64_t page) {
  const PageKey key = makeKey(array.handle, page);
  if (m_mode == GatherMode::Copying) return pin(key);
  if (const HeldPage* const held = find(array, page)) return held->frame;
  const Index3 at = placeOf(*array.description, page);
  letGo(array, sideOf(at));
  Frame* const frame = pin(key);
  unsigned place = sideOf(at);
  letGo(array, place);
  hold(array, place, page, frame, at);
  return frame;
}

void Cursor::leavePage(Frame* frame) {
  if (m_mode == GatherMode::Copying) m_cache.unpin(frame);
}

void Cursor::gatherByCopying(const IndexBox& box, const GatherTarget& target) {
  const BoundArray& array = m_arrays[target.slot];
  for (const std::uint64_t page : pagesOf(array, box)) {
    Frame* const frame = pin(makeKey(array.handle, page));
    copyPart(*array.description, frame->box, frame->data, box, target.out);
    m_cache.unpin(frame);
  }
}

void Cursor::expect(const Index3& node) {
  for (const BoundArray& array : m_arrays) {
    assert(array.description->layout.dims() == m_arrays.front().description->layout.dims());
    const std::uint64_t page =
        array.firstPage + static_cast<std::uint64_t>(array.description->layout.pageOf(node));
    const PageKey key = makeKey(array.handle, page);
    if (!find(array, page) && std::find(m_expected.begin(), m_expected.end(), key) == m_expected.end())
      m_expected.push_back(key);
  }
}

void Cursor::sendExpected() {
  if (!m_expected.empty()) m_cache.prefetch(m_expected);
  m_expected.clear();
}

Frame* Cursor::pin(PageKey key) {
  if (Frame* const frame = m_cache.tryPin(key)) {
    ++m_hits;
    return frame;
  }
  releaseAll();
  PageWant want{key};
  waitFor({&want, 1});
  return want.frame;
}

void Cursor::waitFor(std::span<PageWant> wants) {
  tasks::Gate gate(m_context.waker());
  m_context.throwIfGivenUp();
  const auto start = std::chrono::steady_clock::now();
  m_context.wait(gate, [&] { m_cache.request(wants, gate); });
  m_waited += std::chrono::steady_clock::now() - start;
  if (!gate.isOpen()) {
    m_cache.abandon(wants, gate);
    m_context.throwIfGivenUp();
    throw Cancelled();
  }
  m_cache.resumed();
  try {
    for (const PageWant& want : wants) {
      if (!want.frame)
        throw OverBudget("the page cache of " + formatBytes(m_cache.frameBytes()) +
                             " has no frame free for a page of " +
                             formatBytes(m_cache.slotBytes(arrayOf(want.key))),
                         "give more --memory; where the system has little, raise its limit (ulimit -v)");
      if (want.frame->state() == FrameState::Failed) want.frame->error->raise();
    }
  } catch (...) {
    // raise() throws a copy, so the pins, and with them the frame's error, can be given up.
    for (const PageWant& each : wants)
      if (each.frame) m_cache.unpin(each.frame);
    throw;
  }
}

void Cursor::releaseAll() {
  for (BoundArray& array : m_arrays)
    for (unsigned place = 0; place < kPagesPerArray; ++place) letGo(array, place);
}

}  // namespace farfield::paging
