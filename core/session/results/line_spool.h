#pragma once
// The lines of one object, on disk: whatever their number and length, a task holds one block of vertices in
// memory. Lines are numbered by seed, then direction, and are read back in that order, whatever the order in
// which they were made. They can be read while others are still being made; unfinished lines do not exist
// yet.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/guarded_pointer.h"
#include "core/flow/tracer.h"
#include "core/session/results/chain_spool.h"
#include "core/session/results/polylines.h"
#include "core/session/results/result_extent.h"

namespace farfield::session {

struct LineSpoolOptions {
  std::filesystem::path folder;   ///< see spoolFolder()
  std::uint64_t lineCount = 0;    ///< seeds x directions; at most 2^31 - 1
  int valuesPerVertex = 3;        ///< values of the field; the vector's three components first
  std::size_t blockBytes = 4096;  ///< of memory per line being made
  Bounds near = {};  ///< what is its seed alone, and lies outside, counts for no extent; empty: all counts
};

struct LineSummary {
  std::uint64_t number = 0;    ///< of the line
  std::uint64_t vertices = 0;  ///< at least 1 for a finished line; 0 for one that was never finished
  flow::Termination termination = flow::Termination::None;
  std::int32_t block = -1;
};

class LineSpool {
 public:
  /// Throws Io, Invalid (too many lines).
  LineSpool(const LineSpoolOptions& options, MemoryAccount& account);

  /// Writes the vertices of one line. Belongs to one task.
  class Writer final : public flow::LineSink {
   public:
    void vertex(Vec3 point, double time, std::span<const double> values) override;
    /// Ends the line. One without any vertex gets `seed` as its only one, at time 0 and with NaN for all
    /// values: a file has a cell for every line, and cells without points make VTK's filters crash.
    void finish(const flow::LineResult& result, Vec3 seed);

   private:
    friend class LineSpool;
    Writer(LineSpool& spool, ChainSpool::Writer chain)
        : m_spool(&spool), m_chain(std::move(chain)), m_extent(spool.m_values) {}
    LineSpool* m_spool;
    ChainSpool::Writer m_chain;
    ResultExtent m_extent;
  };
  /// Starts line `number`. Throws OverBudget. Thread-safe.
  Writer open(std::uint64_t number) { return {*this, m_chains.open(number)}; }

  /// Whether line `number` has been finished. Thread-safe. Throws Io.
  bool isFinished(std::uint64_t number) const { return m_chains.entry(number).finished != 0; }

  /// Finishes those of the lines `first` … first + count - 1 that are not, as lines that there was no time to begin: each is its
  /// seed alone. They are written many at a time. Nobody writes these lines meanwhile; `seedOf` may stop the task. Throws Io,
  /// OverBudget.
  void finishRest(std::uint64_t first, std::size_t count,
                  const std::function<Vec3(std::uint64_t number)>& seedOf);

  /// From now on those lines that were never finished are read as such lines, and nothing is written. `seedOf` is thread-safe.
  /// Called once, when all lines have been made.
  void readRestAs(std::function<Vec3(std::uint64_t number)> seedOf) {
    m_rest.store(std::make_shared<const std::function<Vec3(std::uint64_t)>>(std::move(seedOf)));
  }

  // Reading: any thread, at any time; sees the lines finished until then.

  /// Every line in order. Throws Io.
  void visitLines(const std::function<void(const LineSummary&)>& visit) const;
  /// Every line in order as one or more runs of vertices, doubles() each: x, y, z, time, values.
  void visitVertices(const std::function<void(const LineSummary&, std::span<const double> run)>& visit) const;
  /// Least and greatest finite value number `value` of all vertices; nothing if there is none.
  std::optional<std::array<double, 2>> range(int value) const;
  /// As ResultExtent has it.
  std::optional<double> usualLeast(int value) const;
  /// Of all vertices but seeds that are far away.
  Bounds bounds() const;

  std::uint64_t lineCount() const { return m_chains.chainCount(); }
  std::uint64_t vertexCount() const { return m_vertices.load() + restCount(); }
  /// Number of lines that ended for `reason`.
  std::uint64_t countOf(flow::Termination reason) const {
    const std::uint64_t made = m_ended[static_cast<std::size_t>(reason)].load();
    return reason == flow::Termination::OutOfTime ? made + restCount() : made;
  }
  int valuesPerVertex() const { return m_values; }
  int doubles() const { return 4 + m_values; }

 private:
  LineSummary summaryOf(std::uint64_t number, const ChainEntry& entry) const;
  /// Lines that readRestAs() stands for.
  std::uint64_t restCount() const;
  void setSeed(std::span<double> vertex, Vec3 seed) const;
  bool isFar(Vec3 seed) const { return !m_near.empty() && !m_near.contains(seed); }

  ChainSpool m_chains;
  int m_values;
  const Bounds m_near;
  GuardedPointer<const std::function<Vec3(std::uint64_t)>> m_rest;
  mutable std::mutex m_extentMutex;
  ResultExtent m_extent;  ///< of finished lines; guarded by m_extentMutex
  mutable std::optional<Bounds>
      m_restBounds;  ///< of lines that readRestAs() stands for, once asked for; guarded by it, too
  std::atomic<std::uint64_t> m_vertices{0};
  std::array<std::atomic<std::uint64_t>, flow::kTerminationCount> m_ended{};
};

/// The lines as they are written and drawn. Columns of a vertex: point, time, values. With `directions` (line
/// n belongs to seed n / size, direction [n % size]), columns of a line: seed, direction, termination, block;
/// else none.
std::shared_ptr<const Polylines> polylinesOf(std::shared_ptr<const LineSpool> spool,
                                             std::vector<int> directions = {});

}  // namespace farfield::session
