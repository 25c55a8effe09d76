#pragma once
// The triangles of one object, on disk, patch by patch: tasks write patches in any order, and they are read
// by number, those of one number in the order they came, even while others are still being written. Only one
// patch is in memory at a time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/memory_account.h"
#include "core/extract/grid_surface.h"
#include "core/scene/scene.h"
#include "core/session/results/result_extent.h"
#include "core/session/results/spool_file.h"

namespace farfield::session {

class SurfaceSpool final : public extract::SurfaceSink {
 public:
  /// For patches of the numbers 0 … numberCount-1. Throws Io.
  SurfaceSpool(const std::filesystem::path& folder, std::uint64_t numberCount, int valuesPerNode,
               MemoryAccount& account);

  /// Thread-safe, but patches of one number come one after the other. At most 65,536 nodes each. Throws Io.
  void patch(std::size_t number, const extract::SurfacePatch& patch) override;
  /// Takes the patches of a number out, of a result that only stands in for others: they are no longer visited. What was counted
  /// stays. Thread-safe. Throws Io.
  void drop(std::size_t number);

  // Reading: any thread, at any time; sees the patches written until then.

  /// The arrays of a patch to read; the others are empty in visit().
  struct Parts {
    bool points = true, normals = true, values = true, triangles = true, sides = false;
  };
  /// Some of the numbers, one after the other, and what their patches have.
  struct Piece {
    std::uint64_t first = 0, end = 0;
    std::uint64_t nodes = 0, triangles = 0;
  };
  /// All of it.
  Piece whole() const { return {0, m_numberCount, m_nodes.load(), m_triangles.load()}; }
  /// In order, each of as many numbers as have at most `triangles` together, and of one at least. One without anything if
  /// there is nothing at all. Throws Io, OverBudget.
  std::vector<Piece> pieces(std::uint64_t triangles) const;
  /// Every patch that has triangles, in order. Throws Io, OverBudget.
  void visit(const Parts& parts, const std::function<void(const extract::SurfacePatch&)>& visit) const {
    visitPiece(whole(), parts, visit);
  }
  /// The same of a piece.
  void visitPiece(const Piece& piece, const Parts& parts,
                  const std::function<void(const extract::SurfacePatch&)>& visit) const;
  /// Of each number the patches of `standIn`, which has as many, until it has none of that number any more; then those here.
  /// Throws Io, OverBudget.
  void visitEither(const SurfaceSpool& standIn, const Parts& parts,
                   const std::function<void(const extract::SurfacePatch&)>& visit) const;
  /// Least and greatest finite value number `value`; nothing if there is none.
  std::optional<std::array<double, 2>> range(int value) const;
  /// As ResultExtent has it.
  std::optional<double> usualLeast(int value) const;
  Bounds bounds() const;

  // of the patches that have triangles
  std::uint64_t nodeCount() const { return m_nodes.load(); }
  std::uint64_t triangleCount() const { return m_triangles.load(); }
  int valuesPerNode() const { return m_values; }

 private:
  /// Offsets of the first and the last patch of a number; 0 if there is none.
  struct Entry {
    std::uint64_t first = 0, last = 0;
  };
  /// Written before the arrays of a patch.
  static constexpr std::uint32_t kFromBehind = 1, kBorder = 2;
  struct Head {
    std::uint64_t next = 0;  ///< offset of the next patch of the same number
    std::uint32_t nodes = 0, triangles = 0;
    std::uint32_t seen = 0;   ///< kFromBehind, kBorder
    std::uint32_t sides = 0;  ///< of its triangles that are known: all or none
  };
  struct Buffers;
  Head headAt(std::uint64_t offset) const;
  std::uint64_t visitPatch(std::uint64_t offset, const Parts& parts, MemoryClaim& claim, Buffers& buffers,
                           const std::function<void(const extract::SurfacePatch&)>& visit) const;
  /// The entries of the numbers from `first` to before `end`, in order.
  void visitEntries(std::uint64_t first, std::uint64_t end,
                    const std::function<void(std::uint64_t number, const Entry&)>& visit) const;

  SpoolFile m_file;
  std::uint64_t m_numberCount;
  int m_values;
  MemoryAccount* m_account;
  mutable std::mutex m_directory;  ///< held while entries and heads are read or changed
  mutable std::mutex m_extentMutex;
  ResultExtent m_extent;  ///< of the patches written; guarded by m_extentMutex
  std::atomic<std::uint64_t> m_nodes{0}, m_triangles{0}, m_largestPatch{0};
};

/// The triangles as the scene draws them, coloured by value number `value` (none: without scalars), with a texture in
/// the three values from `shade` on (none: without); with a stand-in as of SurfaceSpool::visitEither().
std::shared_ptr<const scene::TriangleGeometry> triangleGeometry(
    std::shared_ptr<const SurfaceSpool> spool, std::optional<int> value, std::optional<int> shade = {},
    std::shared_ptr<const SurfaceSpool> standIn = {});

/// The sides of its triangles that are edges of cells, once for each patch, as lines of two vertices; nothing of patches that do not
/// know them.
std::shared_ptr<const scene::LineGeometry> edgeGeometry(std::shared_ptr<const SurfaceSpool> spool);

}  // namespace farfield::session
