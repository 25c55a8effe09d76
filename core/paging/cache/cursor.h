#pragma once
// The cursor: the only way of an algorithm to the bytes of pages. It belongs to one task. It is bound to
// arrays of one block that have the same nodes (coordinates, solution, iblank), gathers a small box of nodes
// from any of them as doubles, and holds the pages it used last. If pages are missing it asks for all of a
// gather together, and the task waits.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/paging/cache/corner_copy.h"
#include "core/paging/cache/page_cache.h"
#include "core/tasks/task_context.h"

namespace farfield::paging {

/// How a cursor may use frames; decided by the memory plan.
enum class GatherMode {
  Pinned,   ///< all pages of a gather are pinned at the same time: eight page sets reserved
  Copying,  ///< one page at a time: the largest page reserved
};

/// One array of a gather, and where its values go.
struct GatherTarget {
  int slot = 0;           ///< from Cursor::bind
  double* out = nullptr;  ///< box nodes x components: component fastest, then i, j, k
};

/// The part of a box of nodes that lies in one page, in place.
struct PagePart {
  const std::byte* data;  ///< the page's numbers, of `type`: component fastest, then i, j, k
  ScalarType type;
  int components;
  IndexBox page, nodes;  ///< the page's nodes, and those of the box among them

  /// Index in `data` of the first number of the box's first node.
  std::int64_t first() const {
    return components * linear({nodes.first[0] - page.first[0], nodes.first[1] - page.first[1],
                                nodes.first[2] - page.first[2]},
                               page.size);
  }
};

/// Belongs to one task; not thread-safe. Pins are given back by the destructor.
class Cursor {
 public:
  static constexpr int kPagesPerArray = 8;  ///< a box of 2x2x2 nodes lies in at most eight pages

  Cursor(PageCache& cache, tasks::TaskContext& context, GatherMode mode);
  ~Cursor();
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Adds an array (a handle of the cache); returns its slot. All arrays that are gathered together have the
  /// same dims.
  int bind(std::uint32_t array);
  /// Adds the array in `slot` once more, `later` steps later (earlier if negative); returns the new slot, or `slot` itself if the
  /// array has no steps. It stays between the first and the last step.
  int bindStep(int slot, std::int64_t later);
  int bindNextStep(int slot) { return bindStep(slot, 1); }
  /// Releases all pages and arrays.
  void unbind();
  /// Sets the step of later gathers.
  void setStep(std::int64_t step);

  /// Gathers the nodes of `box` from every target's array. `box` lies inside the dims and touches at most
  /// kPagesPerArray pages of each array. If it has to wait, it asks in the same call for the pages of the
  /// arrays in the slots `alongside` for the same box: what the caller will gather next. No array occurs
  /// twice. Throws Cancelled, or the error of a page that cannot be read.
  void gather(const IndexBox& box, std::span<const GatherTarget> targets,
              std::span<const int> alongside = {});
  /// gather() of the eight corner nodes of `cell`, optimized: while cells lie in one page it costs three
  /// comparisons and a copy for each array.
  void gatherCell(const Index3& cell, std::span<const GatherTarget> targets,
                  std::span<const int> alongside = {}) {
    // Kept short: it limits how many loads of gathers the processor overlaps.
    for (const GatherTarget& target : targets) {
      BoundArray& array = m_arrays[static_cast<std::size_t>(target.slot)];
      const HeldPage& near = *array.near;
      if (near.hasCell(cell))
        array.copyCell(near.places.of(cell), near.places, target.out);
      else if (!gatherResidentCell(array, cell, target.out))
        return gather({cell, {2, 2, 2}}, targets, alongside);
    }
  }
  /// Gathers nodes anywhere in arrays of one axis, such as the lists of an unstructured grid: the values of nodes[n]
  /// come n-th. If it has to wait, it asks in the same call for the pages of all targets' arrays, and of those in
  /// the slots `alongside`, that hold these nodes, as far as the reservation goes. Throws as gather().
  void gatherNodes(std::span<const std::int64_t> nodes, std::span<const GatherTarget> targets,
                   std::span<const int> alongside = {});
  /// A hint: the pages of all bound arrays that hold `node` will be needed soon. Never waits.
  void expect(const Index3& node);
  /// Sends the hints since the last call.
  void sendExpected();
  /// Time spent waiting for pages so far.
  std::chrono::nanoseconds waited() const { return m_waited; }
  /// Components of the array in `slot`.
  int components(int slot) const { return m_arrays[static_cast<std::size_t>(slot)].components; }
  const ArrayDescription& description(int slot) const {
    return *m_arrays[static_cast<std::size_t>(slot)].description;
  }
  /// How the array in `slot` is cut into pages.
  const PageLayout& layout(int slot) const {
    return m_arrays[static_cast<std::size_t>(slot)].description->layout;
  }

  /// Gathers a box of any size, page by page.
  void gatherTiled(const IndexBox& box, std::span<const GatherTarget> targets);
  /// Calls `visit(PagePart)` for each page that a box of any size of the array in `slot` touches, in page
  /// order. The part is valid during the call only; `visit` must neither use the cursor nor throw.
  template <class Visit>
  void visitPages(int slot, const IndexBox& box, Visit visit) {
    const PageLayout& layout = m_arrays[static_cast<std::size_t>(slot)].description->layout;
    Index3 first, last;
    for (int a = 0; a < 3; ++a) {
      first[a] = layout.pageAlong(a, box.first[a]);
      last[a] = layout.pageAlong(a, box.first[a] + box.size[a] - 1);
    }
    for (std::int64_t k = first[2]; k <= last[2]; ++k)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t i = first[0]; i <= last[0]; ++i)
          visitPage(slot, linear({i, j, k}, layout.pagesPerAxis()), box, visit);
  }

 private:
  struct BoundArray;
  /// A pinned page.
  struct HeldPage {
    Index3 first{0, 0, 0};        ///< its first node
    Index3 lastCell{-2, -2, -2};  ///< last cell with all corners in the page, counted from `first`
    NodePlaces places;
    Frame* frame = nullptr;
    std::uint64_t page = kNone;  ///< its number

    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    IndexBox box() const;
    bool hasCell(const Index3& cell) const {
      // One sign for all comparisons, and one branch: when lines cross borders cannot be predicted, and
      // compilers would make a branch of each comparison.
      std::int64_t outside = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::int64_t in = cell[a] - first[a];
        outside |= in | (lastCell[a] - in);
      }
      return outside >= 0;
    }
  };
  static const HeldPage kNoPage;  ///< holds no cell
  struct BoundArray {
    std::uint32_t handle = 0;
    const ArrayDescription* description = nullptr;
    int components = 1;
    CellCopy copyCell = nullptr;
    CrossingCopy copyCrossing = nullptr;
    const HeldPage* near = &kNoPage;  ///< where gathers look first: one of `held`
    std::uint64_t firstPage = 0;      ///< number of the first page of the step
    std::int64_t later = 0;           ///< steps after the cursor's, as far as there are any
    /// What is added to a page's number to get the page beyond it, by the bits of the axes crossed.
    std::array<std::uint64_t, 8> pagesOn{};
    /// Indexed by side (sideOf()). The pages of a cell differ in it, so each is found at its side or not at
    /// all; pages of a box of another shape may lie elsewhere.
    std::array<HeldPage, kPagesPerArray> held;
  };
  /// The pages that a box touches, by number; i fastest.
  struct TouchedPages {
    std::array<std::uint64_t, kPagesPerArray> pages;
    int count = 0;
    const std::uint64_t* begin() const { return pages.data(); }
    const std::uint64_t* end() const { return pages.data() + count; }
  };
  /// The pages that a cell lies in.
  struct CellPages {
    Index3 at;           ///< page indices, along i, j, k, of the page with the cell's lowest node
    std::uint64_t page;  ///< its number
    unsigned side;       ///< its side
    unsigned across;     ///< bits of the axes along which the cell crosses a border
  };
  std::uint64_t firstPageOf(const BoundArray& array) const;
  CellPages pagesOf(const BoundArray& array, const Index3& cell) const;
  static bool inside(const IndexBox& box, const HeldPage& page);
  bool gatherResidentCell(BoundArray& array, const Index3& cell, double* out);
  bool holdResident(BoundArray& array, const CellPages& pages, unsigned beyond);
  bool takeResident(BoundArray& array, unsigned side, std::uint64_t page, const Index3& at);
  void gatherAcrossPages(const IndexBox& box, std::span<const GatherTarget> targets,
                         std::span<const int> alongside);
  bool holdResident(int slot, const IndexBox& box);
  const HeldPage* holdOnAxis(BoundArray& array, std::uint64_t page);
  void waitForNodes(std::span<const std::int64_t> nodes, std::span<const GatherTarget> targets,
                    std::span<const int> alongside);
  void gatherByCopying(const IndexBox& box, const GatherTarget& target);
  template <class Visit>
  void visitPage(int slot, std::int64_t page, const IndexBox& box, Visit& visit) {
    BoundArray& array = m_arrays[static_cast<std::size_t>(slot)];
    Frame* const frame = takePage(array, array.firstPage + static_cast<std::uint64_t>(page));
    PagePart part{frame->data, array.description->type, array.components, frame->box, {}};
    for (int a = 0; a < 3; ++a) {
      part.nodes.first[a] = std::max(part.page.first[a], box.first[a]);
      part.nodes.size[a] =
          std::min(part.page.first[a] + part.page.size[a], box.first[a] + box.size[a]) - part.nodes.first[a];
    }
    visit(part);
    leavePage(frame);
  }
  Frame* takePage(BoundArray& array, std::uint64_t page);
  void leavePage(Frame* frame);
  void hold(BoundArray& array, unsigned place, std::uint64_t page, Frame* frame, const Index3& at);
  void letGo(BoundArray& array, unsigned place);
  const HeldPage* find(const BoundArray& array, std::uint64_t page) const;
  /// Waits if the page is not resident.
  Frame* pin(PageKey key);
  void waitFor(std::span<PageWant> wants);
  void releaseAll();
  TouchedPages pagesOf(const BoundArray& array, const IndexBox& box) const;

  PageCache& m_cache;
  tasks::TaskContext& m_context;
  GatherMode m_mode;
  std::int64_t m_step = 0;
  std::vector<BoundArray> m_arrays;
  std::uint64_t m_hits = 0;  ///< pages found resident
  std::vector<PageKey> m_expected;
  std::chrono::nanoseconds m_waited{0};
};

}  // namespace farfield::paging
