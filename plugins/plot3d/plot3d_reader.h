#pragma once
// PLOT3D files as a BoxReader: one grid (or one per step, where it moves) and any number of solutions, of
// which each is a step. The files are read in place, by position; nothing is kept but where things lie.

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "core/paging/box_reader.h"
#include "core/paging/component_reader.h"
#include "plugins/plot3d/plot3d_detect.h"

namespace farfield::plot3d {

struct Plot3dFiles {
  std::vector<std::filesystem::path> grids;      ///< one, or as many as there are solutions
  std::vector<std::filesystem::path> solutions;  ///< may be empty; in the order of time
};

/// Arrays per block: "xyz" (3 components), "iblank" (int16) where the file has it, "q" (5 components) where
/// there are solutions; reals in the type that the file has. Attributes: gamma, R (options, by default 1.4
/// and 1), and per step N the header of block 0: mach.N, alpha.N, reynolds.N, time.N. Times are those of the
/// headers where they increase from step to step, else the step numbers.
class Plot3dReader : public paging::BoxReader, public paging::ComponentReader {
 public:
  /// Opens and examines all files. Options: see overridesFrom, gamma, R. Throws NotFound, Io, and what
  /// detectGrid and detectSolution throw.
  explicit Plot3dReader(const Plot3dFiles& files, const Options& options = {});
  ~Plot3dReader() override;

  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;

  void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                     std::span<std::byte> out) const override;

  /// Fills in the blocks' bounds (of all finite nodes, over all steps) by reading the coordinates once. Until
  /// then they are empty. Not thread-safe. Throws Cancelled, Io, Corrupt.
  void computeBounds(std::stop_token stop = {});

  /// How the formats were found, a line each, for the user.
  const std::vector<std::string>& explain() const { return m_explain; }
  /// Layout of the first grid and of the first solution (null without).
  const Layout& gridLayout() const { return *m_grids.front().layout; }
  const Layout* solutionLayout() const {
    return m_solutions.empty() ? nullptr : m_solutions.front().layout.get();
  }

 private:
  struct StepFile {
    std::filesystem::path path;
    std::uint64_t bytes = 0;               // of the file when it was examined
    std::shared_ptr<const Layout> layout;  // shared by the steps that agree
  };
  struct ArrayPlace {
    int block;
    enum class Kind { Coordinates, Iblank, Solution } kind;
  };
  class OpenFiles;

  const StepFile& fileOf(const ArrayPlace& place, std::int64_t step) const;
  void examineGrids(const Plot3dFiles& files, const Options& options);
  void examineSolutions(const Plot3dFiles& files, const Options& options);
  void describeArrays();
  void describeSteps();

  paging::DatasetDescription m_description;
  std::vector<StepFile> m_grids, m_solutions;
  std::vector<ArrayPlace> m_places;  // parallel to m_description.arrays
  std::vector<std::string> m_explain;
  std::unique_ptr<OpenFiles> m_open;
};

}  // namespace farfield::plot3d
