#pragma once
// One object of a session, ready to be computed: its functions resolved against the data, its tasks, its
// spool, its file and its item in the scene. One subclass per kind of object.
//
// Used for one run: begin(), step() for one step of the data after the other, end(). In between it may keep
// spools and memory that it claims (stateBytes). Most kinds compute each step by itself and keep only the
// last result. Kinds that carry state from step to step can continue an interrupted run from a checkpoint.
// After an error or a stop only the destructor may be called.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/fields/paged/paged_data.h"
#include "core/flow/line_engine.h"
#include "core/scene/scene.h"
#include "core/session/results/stats.h"
#include "core/session/run/result_parts.h"
#include "core/session/run/touched_pages.h"
#include "core/session/run/volumes/slab_maker.h"
#include "core/session/run/volumes/volume_maker.h"
#include "core/session/session.h"

namespace farfield::session {

/// What every computation of an object gets.
struct ObjectSurroundings {
  fields::PagedData& data;
  MemoryAccount& account;
  std::filesystem::path spoolFolder;
  std::stop_token stop;
  std::function<void(std::size_t done, std::size_t total)> progress;
  /// The user is watching: tasks start in an order that shows all of the object early (task_order.h).
  bool watched = false;
  /// Where set, kinds that can show something coarse at once do, before they compute the thing itself, and call this, in step(),
  /// when item() has it.
  std::function<void()> coarseIsThere = {};
  /// The most that this may take. What is read meanwhile is read for the thing itself as well, where it stays in memory.
  std::chrono::milliseconds coarseTime{300};
  /// Makes volumes that can be cast; empty in builds without.
  VolumeMaker makeVolume = {};
  /// Asks other programs for what they render; empty in builds without.
  SlabMaker makeSlabs = {};
  /// Asks them for results of objects of their data; likewise.
  ResultAsker askResults = {};
  /// Of kinds that are handed over (isHandedOver) step() computes this share alone.
  TaskShare share = {};
  int processors = 1;  ///< for casting volumes
  /// Traces lines of objects with "engine": "opencl"; empty: tasks do.
  flow::LineEngine traceLines = {};
  /// The step of the data that is expected to be computed next; -1: none. Only speed depends on it.
  std::int64_t nextStep = -1;
};

class ObjectRun;

/// The steps that an object is computed for.
struct RunSteps {
  /// Of the data, ascending; data that do not change in time have the same step several times.
  std::vector<std::int64_t> chosen;
  /// Index in `chosen` of the first step of which anything is to be written; its size if nothing is.
  std::size_t first = 0;
  /// Where an interrupted run may have left a checkpoint; empty: start from the beginning.
  std::filesystem::path checkpoint = {};
  /// A run of the same object and the same data, perhaps of fewer steps of them, to go on from where its state allows it, or to
  /// take over what it knows of the data. It is only read, and not being computed. Without state it may be of another step, and of the object before a change.
  const ObjectRun* before = nullptr;
};

/// What an object writes besides pictures.
enum class GeometryFiles {
  PerStep,  ///< the last result, after each step
  PerRun,   ///< one file, after end(); for kinds that carry state
  None
};

/// What tasks are called in messages.
struct TaskName {
  const char* one;
  const char* many;
};

/// Checkpoint files begin with it.
inline constexpr const char* kCheckpointHead = "farfield checkpoint\n";

/// Not thread-safe, except item() and bounds(). The session's object outlives it.
class ObjectRun {
 public:
  virtual ~ObjectRun() = default;
  const Object& object() const { return m_object; }
  /// Arrays that its tasks gather from, for the memory plan.
  const std::vector<std::string>& arrays() const { return m_functions->arrays(); }
  /// Coloured by what its vertices have beside functions of the data (the age of particles).
  bool hasOwnColor() const { return !m_colorName.empty() && !m_colorValue; }
  virtual TaskName taskName() const = 0;
  /// Memory of one task apart from frames and stack.
  virtual std::uint64_t taskBytes() const = 0;
  /// Memory that it claims in begin() and keeps to the end; the memory plan leaves it free.
  virtual std::uint64_t stateBytes() const { return 0; }
  /// Steps of the data that its tasks gather from: 2 if they use times between steps, which are then under
  /// one reservation.
  virtual int stepsAtATime() const { return 1; }
  /// Whether a step needs the results of the steps before it. If so, no step is left out and none is
  /// repeated.
  virtual bool carriesState() const { return false; }
  /// Whether the scene item reads the data when it is drawn.
  virtual bool drawsFromData() const { return false; }
  /// What it has in memory for speed goes, results to the disk, while it computes nothing; pictures may read them meanwhile. Throws Io.
  virtual void leaveMemory() {}
  virtual GeometryFiles geometryFiles() const { return GeometryFiles::PerStep; }
  /// Tasks that step() runs.
  virtual std::size_t taskCount(const paging::DatasetDescription& description) const = 0;
  /// The nodes that they gather, if that follows from the session alone.
  virtual std::optional<std::vector<GatheredNodes>> gathered(
      const paging::DatasetDescription& description) const {
    (void)description;
    return std::nullopt;
  }
  /// How many tasks at most must be tried to estimate the cost of all.
  virtual std::size_t mostTrials() const { return 256; }
  /// Runs a few of the tasks, for at most `limit`, and keeps no results: to find out what they cost; of none, what comes before all of them.
  virtual tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                      std::span<const std::size_t> numbers,
                                      std::chrono::milliseconds limit) const = 0;
  /// Called once, before the first step. Returns the index in `steps.chosen` at which to continue, at most
  /// `steps.first`: from a checkpoint that fits the session, the data and these steps; without state it is
  /// `steps.first`.
  virtual std::size_t begin(const ObjectSurroundings& surroundings, const RunSteps& steps) {
    (void)surroundings;
    return carriesState() ? 0 : steps.first;
  }
  /// Computes `step`: into a new spool, or continuing from the step before.
  virtual void step(const ObjectSurroundings& surroundings, std::int64_t step) = 0;
  /// Called after a step() whose result is kept or written: adds what its file needs and nobody sees, which is outside of the
  /// object's time. Throws as step() does.
  virtual void complete(const ObjectSurroundings& surroundings, std::int64_t step) {
    (void)surroundings, (void)step;
  }
  /// Called after a step() of which a picture is drawn: adds what is seen and no later step needs. Throws as step() does.
  virtual void beforePicture(const ObjectSurroundings& surroundings) { (void)surroundings; }
  /// Writes to `path`, completely or not at all and with kCheckpointHead first, what begin() needs to
  /// continue after the last step. Called when all files of the step are written, for kinds that carry state.
  virtual void writeCheckpoint(const std::filesystem::path& path) const { (void)path; }
  /// Removes all of it, once everything that was asked for is written.
  virtual void removeCheckpoint(const std::filesystem::path& path) const noexcept { (void)path; }
  /// Called once, after the last step.
  virtual void end(const ObjectSurroundings& surroundings) { (void)surroundings; }
  /// Whether a run in another program can show what this one computed: handOver() there, takeOver() here.
  virtual bool isHandedOver() const { return false; }
  /// Of the last result, which is of `share`.
  virtual ResultFacts facts(const TaskShare& share) const {
    (void)share;
    return {};
  }
  /// Gives all parts of it. Throws what the sink throws, Io, OverBudget.
  virtual void handOver(const TaskShare& share, ResultSink& sink) const { (void)share, (void)sink; }
  /// Begins a result at `step` that comes in parts, which is shown from now on; tookOver() ends it. `data` are what it is computed
  /// of, which `surroundings` lack. The sink throws Invalid for parts that cannot be of it, Io, OverBudget, as this does.
  virtual std::shared_ptr<ResultSink> takeOver(const ObjectSurroundings& surroundings,
                                               const paging::DatasetDescription& data, std::int64_t step,
                                               const ResultFacts& facts) {
    (void)surroundings, (void)data, (void)step, (void)facts;
    return nullptr;
  }
  virtual void tookOver(const ObjectSurroundings& surroundings) { (void)surroundings; }
  /// Writes the last result, or all of it if the file is of the whole run.
  virtual void writeGeometry(const std::filesystem::path& path) const = 0;
  /// Whether the last result can be written in pieces, which is asked for large surfaces.
  virtual bool hasPieces() const { return false; }
  /// Writes it, to `path` and the pieces beside it (writeSurfaceInPieces).
  virtual void writePieces(const std::filesystem::path& path, std::uint64_t triangles) const {
    (void)path, (void)triangles;
  }
  /// The last result, as the scene shows it; keeps the spool alive. From any thread; while step() runs, what
  /// exists so far. Without geometry before the first result.
  scene::SceneItem item() const { return item(m_object); }
  /// The same with the looks of `look`, which differs in nothing else (sameGeometry).
  virtual scene::SceneItem item(const Object& look) const = 0;
  /// Whether that, or a part of it, is a coarse stand-in for what is not computed yet, or was not in time.
  virtual bool isCoarse() const { return false; }
  /// Of what item() shows.
  virtual Bounds bounds() const = 0;
  /// Adds counts: of the last result, once its files and its picture are written, or of the whole run if the
  /// file is of the whole run.
  virtual void count(ObjectStats& stats) const = 0;
  /// Adds what is missing because time was short; nothing where nothing is.
  void countMissing(ObjectStats& stats) const;
  /// Tasks that there was no time for, and of how many, over all steps that lacked some.
  std::array<std::uint64_t, 2> missing() const { return {m_missing, m_ofTasks}; }
  /// What its last group of tasks cost.
  const tasks::GroupResult& lastGroup() const { return m_lastGroup; }

 protected:
  /// `functions` are the names that the tasks evaluate; the last is the colouring function if it is not among
  /// the others. `own` are values that its vertices have beside functions, by which it may be coloured; `key`
  /// names the functions in the document.
  ObjectRun(const Object& object, const paging::DatasetDescription& description,
            std::vector<std::string> functions, const std::vector<std::string>& own = {},
            const char* key = "vector");
  /// Index of the colouring function among the functions' values; nothing if the object has one colour, or is
  /// coloured by a value of its own, whose name is then m_colorName.
  std::optional<int> colorValue() const { return m_colorValue; }
  /// For tryTasks: a group that runs `run` for each of `numbers`.
  tasks::GroupResult runTasks(const ObjectSurroundings& surroundings, std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit,
                              const std::function<void(std::size_t, tasks::TaskContext&)>& run) const;
  /// A scene item without geometry; `range` is that of the values shown, and where an automatic logarithmic one begins says
  /// `usualLeast`, if few values lie far below it (ResultExtent).
  scene::SceneItem describedItem(const Object& look, const std::optional<std::array<double, 2>>& range,
                                 const std::optional<double>& usualLeast = {}) const;

  /// Has the title of the legend say what `function`, by which the object is coloured, is measured in.
  void sayUnits(const paging::DatasetDescription& description, const std::string& function);

  /// Of a step's `tasks`, `finished` came to their end in the time that there was.
  void noteMissing(std::size_t finished, std::size_t tasks);

  const Object& m_object;
  std::shared_ptr<const fields::FunctionPlan> m_functions;
  std::optional<int> m_colorValue;
  std::string m_colorName;    ///< the name of the colouring function, even if it was asked for by number
  std::string m_legendTitle;  ///< "pressure [Pa]"; empty: the function's name
  tasks::GroupResult m_lastGroup;

 private:
  std::uint64_t m_missing = 0, m_ofTasks = 0;  ///< over all steps that lacked some
};

/// Computes `step` by itself: of an object that carries state all steps from the first on until there. May be called again for
/// an object without state. `before` as RunSteps has it.
void computeAlone(ObjectRun& run, const ObjectSurroundings& surroundings, std::int64_t step,
                  const ObjectRun* before = nullptr);

/// Throws Unsupported for kinds that cannot be computed; NotFound, Invalid for functions, blocks and ranges
/// that the data do not have.
std::unique_ptr<ObjectRun> makeObjectRun(const Object& object, const paging::DatasetDescription& description);
/// Whether the results for `before` can be shown as `after`: they differ at most in name, map, range, width,
/// opacity and the like, or `after` is no longer coloured.
bool sameGeometry(const Object& before, const Object& after);
/// Whether the scene items of both, which have the same geometry, also have the same vertices: they differ at most in colours and
/// widths.
bool isDrawnLike(const Object& one, const Object& other);
/// Throws Unsupported as makeObjectRun does, without needing data.
void requireComputable(const Object& object);

}  // namespace farfield::session
