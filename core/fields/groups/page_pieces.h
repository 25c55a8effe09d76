#pragma once
// A box of nodes cut at the page borders of a function's arrays, and the range of the function in each piece,
// as far as it follows without reading pages: from the ranges of the arrays' components there, by interval
// arithmetic (FunctionPlan::bound). Private to core/fields.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/interval.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

/// Belongs to one task and one block.
class PagePieces {
 public:
  /// For the first output of `function`, which outlives it, as `data` does. A function with derivatives has
  /// one piece per box, of which nothing is known.
  PagePieces(const PagedData& data, int block, const FunctionPlan& function, std::int64_t step);
  /// Memory for boxes of up to `edge` nodes along each axis of any block.
  static std::uint64_t bytesFor(const paging::DatasetDescription& description, const FunctionPlan& function,
                                std::int64_t edge);

  /// Selects the box `nodes`.
  void open(const IndexBox& nodes);
  /// Calls `visit(piece, part)` for each piece that `box`, inside open()'s box, meets, with the part of `box`
  /// in it.
  template <class Visit>
  void forEach(const IndexBox& box, Visit visit) const {
    Index3 from, to;
    for (std::size_t a = 0; a < 3; ++a) {
      from[a] = pieceAlong(a, box.first[a]);
      to[a] = pieceAlong(a, box.first[a] + box.size[a] - 1);
    }
    Index3 at;
    for (at[2] = from[2]; at[2] <= to[2]; ++at[2])
      for (at[1] = from[1]; at[1] <= to[1]; ++at[1])
        for (at[0] = from[0]; at[0] <= to[0]; ++at[0]) {
          IndexBox part;
          for (std::size_t a = 0; a < 3; ++a) {
            const auto n = static_cast<std::size_t>(at[a]);
            part.first[a] = std::max(box.first[a], m_starts[a][n]);
            part.size[a] = std::min(box.first[a] + box.size[a], m_starts[a][n + 1]) - part.first[a];
          }
          visit(static_cast<std::size_t>(linear(at, m_counts)), part);
        }
  }
  /// A range that holds the function at the nodes of the pages that hold `node`; unbounded if nothing is known. Without a box.
  Interval rangeAt(const Index3& node);
  /// A range that holds the values at the piece's nodes; unbounded if nothing is known. Throws what looking
  /// pages up throws.
  const Interval& range(std::size_t piece);
  /// After the pages of a piece have been read: computes ranges that are not known and gives them to the data
  /// to keep. `slots` are those of the function's arrays in `cursor`. May stop the task.
  void learn(std::size_t piece, paging::Cursor& cursor, std::span<const int> slots);

 private:
  std::int64_t pieceAlong(std::size_t axis, std::int64_t node) const;
  Index3 firstNode(std::size_t piece) const;
  Interval lookUp(std::size_t piece) { return rangeAt(firstNode(piece)); }

  const PagedData& m_data;
  const FunctionPlan& m_function;
  std::int64_t m_step;
  std::vector<std::uint32_t> m_arrays;                ///< of the function, in its order
  std::array<std::vector<std::int64_t>, 3> m_starts;  ///< of the pieces along each axis, and the end
  Index3 m_counts{0, 0, 0};
  std::vector<Interval> m_ranges;
  std::vector<bool> m_looked;
  std::vector<Interval> m_inputs, m_outputs;  ///< of bound()
};

}  // namespace farfield::fields
