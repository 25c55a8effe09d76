#pragma once
// PLOT3D files as a BoxReader: one grid (or one per step, if it moves) and any number of solutions, each a
// step. Binary files are read in place, by position; only offsets are kept. Text files are read from a binary
// copy (text_file.h).

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/words/bad_steps.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/component_reader.h"
#include "core/paging/pages/components_apart.h"
#include "plugins/plot3d/plot3d_detect.h"

namespace farfield::plot3d {

struct Plot3dFiles {
  std::vector<std::filesystem::path> grids;      ///< one, or as many as there are solutions
  std::vector<std::filesystem::path> solutions;  ///< and function files; may be empty; in the order of time
  std::vector<double> times = {};                ///< of the steps, if known otherwise
};

/// Arrays per block: "xyz" (3 components), "iblank" (int16) where the file has it, "q" (5 components, or what
/// solutionNames says) where there are solutions, "functions" where there are function files; reals in the
/// type that the file has. In 2-D z and momentum-z are 0. Attributes: gamma (an option; else what OVERFLOW's
/// header says, or 1.4), R (an option; else 1), and per step N the header of block 0: mach.N, alpha.N,
/// reynolds.N, time.N. Times are those given, else those of the headers, else, where those say nothing (no step is later than
/// the one before it), the step numbers.
///
/// A bad step is one whose file is not there, is cut short, has other dimensions, precision or variables than the first, or is not later than
/// the step before it. The option badSteps says what is done: "stop", the default, throws and names the step; "skip" leaves it out, and
/// those behind it move up, and so are steps that it names by their numbers, while others stop; "number" takes step numbers for times that do not ascend, and stops otherwise.
class Plot3dReader : public paging::BoxReader,
                     public paging::ComponentReader,
                     public paging::ComponentsApart {
 public:
  /// Opens and examines all files, which `stores` finds. Options: see overridesFrom, timesFrom, gamma, R, badSteps. Throws NotFound,
  /// Io, and what detectGrid and detectSolution throw. A file that is another when it is opened again is Corrupt.
  explicit Plot3dReader(
      const Plot3dFiles& files, const Options& options = {},
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>());
  ~Plot3dReader() override;

  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;

  void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                     std::span<std::byte> out) const override;
  /// In every kind of file: a variable of all nodes, or of a plane of them, and then the next.
  bool keepsApart(std::uint32_t) const override { return true; }

  void checkUnchanged() const override;

  /// Adds to the description's surfaces the walls that iblank marks; reads iblank once. Not thread-safe.
  /// Throws OverBudget, Io, Corrupt.
  void findWalls(MemoryAccount& account);
  /// Adds the walls among `surfaces`, found by an earlier findWalls().
  void takeWalls(const std::vector<paging::NamedSurface>& surfaces);

  /// How the formats were found, one line each, for the user.
  const std::vector<std::string>& explain() const { return m_explain; }
  /// Layout of the first grid, of the first solution and of the first function file (null without).
  const Layout& gridLayout() const { return *m_grids.front().layout; }
  const Layout* solutionLayout() const {
    return m_solutions.empty() ? nullptr : m_solutions.front().layout.get();
  }
  const Layout* functionLayout() const {
    return m_functions.empty() ? nullptr : m_functions.front().layout.get();
  }

 private:
  struct StepFile {
    std::filesystem::path path;
    paging::Generation generation;                   // of the file when it was examined
    std::shared_ptr<const Layout> layout;            // shared by the steps that agree
    std::shared_ptr<const paging::ByteObject> copy;  // binary copy of a text file
  };
  struct ArrayPlace {
    int block;
    enum class Kind { Coordinates, Iblank, Solution, Functions } kind;
  };
  class OpenFiles;
  struct Examined;

  const StepFile& fileOf(const ArrayPlace& place, std::int64_t step) const;
  std::shared_ptr<const paging::ByteObject> open(const StepFile& step) const;
  Examined examine(const std::filesystem::path& path, const Layout* grid, const Overrides& overrides) const;
  void examineGrids(const Plot3dFiles& files, const Options& options);
  void examineSolutions(const Plot3dFiles& files, const Options& options);
  void describeArrays();
  void addArray(int block, ArrayPlace::Kind kind);
  void setGamma(const Options& options);
  void describeSteps(const std::vector<double>& given, bool number);
  Plot3dFiles withoutBadSteps(const Plot3dFiles& files, const Options& options, const fields::BadSteps& bad);
  void addWalls(const std::vector<paging::NamedSurface>& walls);

  paging::DatasetDescription m_description;
  std::vector<StepFile> m_grids, m_solutions, m_functions;
  std::vector<std::string> m_functionNames;  ///< found with the first block
  std::vector<ArrayPlace> m_places;          // parallel to m_description.arrays
  std::vector<std::string> m_explain;
  std::unique_ptr<OpenFiles> m_open;
};

}  // namespace farfield::plot3d
