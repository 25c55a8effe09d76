#pragma once
// Puts what another program computed into spools, as if it had been computed here, whatever that program says.

#include <map>
#include <memory>
#include <vector>

#include "core/session/results/bundle_spool.h"
#include "core/session/results/surface_spool.h"
#include "core/session/run/result_parts.h"

namespace farfield::session {

/// Patches of tasks.
class TakenPatches final : public ResultSink {
 public:
  /// The spool has `numbers` numbers.
  TakenPatches(std::shared_ptr<SurfaceSpool> spool, std::uint64_t numbers)
      : m_spool(std::move(spool)), m_numbers(numbers) {}
  void line(const LinePart& part) override;
  void patch(std::uint64_t number, const extract::SurfacePatch& patch) override;

 private:
  std::shared_ptr<SurfaceSpool> m_spool;
  std::uint64_t m_numbers;
};

/// Bundles of lines of tasks. A part is a whole line: its own values, if lines have any, and then its vertices. Its number is the
/// task's; tasks without lines never come.
class TakenBundles final : public ResultSink {
 public:
  /// The spool has `numbers` bundles, and lines with `cells` values.
  TakenBundles(std::shared_ptr<BundleSpool> spool, std::uint64_t numbers, std::size_t cells)
      : m_spool(std::move(spool)), m_numbers(numbers), m_cells(cells) {}
  void line(const LinePart& part) override;
  void patch(std::uint64_t number, const extract::SurfacePatch& patch) override;

 private:
  std::shared_ptr<BundleSpool> m_spool;
  std::uint64_t m_numbers;
  std::size_t m_cells;
  std::map<std::uint64_t, BundleSpool::Writer> m_open;  ///< each has claimed its block
  std::vector<bool> m_whole;                            ///< that came
};

/// Lines of a single task, or patches of all: of an object whose lines follow from all patches, and which who has all of these gives as lines.
class TakenEither final : public ResultSink {
 public:
  TakenEither(TakenBundles lines, TakenPatches patches)
      : m_lines(std::move(lines)), m_patches(std::move(patches)) {}
  void line(const LinePart& part) override { m_lines.line(part); }
  void patch(std::uint64_t number, const extract::SurfacePatch& patch) override {
    m_patches.patch(number, patch);
  }

 private:
  TakenBundles m_lines;
  TakenPatches m_patches;
};

/// Gives the bundles of a share, a line at a time, as TakenBundles takes them.
void handOverBundles(const BundleSpool& spool, MemoryAccount& account, const TaskShare& share,
                     ResultSink& sink);
/// Gives the patches of a share of `numbers`.
void handOverPatches(const SurfaceSpool& spool, std::uint64_t numbers, const TaskShare& share,
                     ResultSink& sink);

}  // namespace farfield::session
