#pragma once
// Lines of which a task makes any number: a *bundle* of lines per task, on disk, so that neither their number
// nor their length takes memory. They are read in the order of the bundles, and within one in the order in which
// they were added, whatever the order in which tasks end. Finished bundles can be read while others are still
// being written.

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>

#include "core/session/results/chain_spool.h"
#include "core/session/results/polylines.h"
#include "core/session/results/result_extent.h"

namespace farfield::session {

struct BundleSpoolOptions {
  std::filesystem::path folder;  ///< see spoolFolder()
  std::uint64_t bundleCount = 0;
  int width = 3;                  ///< numbers of a vertex, of which the first three are the point
  int cells = 0;                  ///< numbers of a line
  std::size_t blockBytes = 2048;  ///< of memory per bundle being made
};

class BundleSpool final : public Polylines {
 public:
  /// Throws Io.
  BundleSpool(const BundleSpoolOptions& options, MemoryAccount& account);

  /// Writes one bundle. Belongs to one task.
  class Writer {
   public:
    /// Begins a line of so many vertices, at least one, which follow. Throws Io.
    void line(std::uint64_t vertices, std::span<const double> cells);
    void vertex(std::span<const double> vertex);
    /// Makes the bundle readable, with or without lines.
    void finish();

   private:
    friend class BundleSpool;
    Writer(BundleSpool& spool, ChainSpool::Writer chain)
        : m_spool(&spool), m_chain(std::move(chain)), m_extent(spool.m_width - 3) {}
    BundleSpool* m_spool;
    ChainSpool::Writer m_chain;
    ResultExtent m_extent;
    std::uint64_t m_lines = 0, m_vertices = 0;
  };
  /// Starts bundle `number`. Throws OverBudget. Thread-safe.
  Writer open(std::uint64_t number) { return {*this, m_chains.open(number)}; }

  // Reading: any thread, at any time; sees the bundles finished until then.

  int width() const override { return m_width; }
  std::uint64_t lineCount() const override { return m_lines.load(); }
  std::uint64_t vertexCount() const override { return m_vertices.load(); }
  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override;
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double> run)>& visit) const override;
  /// The same with the bundle of each line.
  void visitBundles(const std::function<void(std::uint64_t bundle, const PolylineSummary&,
                                             std::span<const double> run)>& visit) const;
  /// Least and greatest finite value of a column, from the fourth on; nothing if there is none.
  std::optional<std::array<double, 2>> range(int column) const;
  /// As ResultExtent has it.
  std::optional<double> usualLeast(int column) const;
  Bounds bounds() const;

 private:
  class Numbers;

  ChainSpool m_chains;
  int m_width, m_cells;
  mutable std::mutex m_extentMutex;
  ResultExtent m_extent;  ///< of finished bundles; guarded by m_extentMutex
  std::atomic<std::uint64_t> m_lines{0}, m_vertices{0};
};

}  // namespace farfield::session
