#pragma once
// One object of a session, ready to be computed: its functions resolved against the data, its tasks, its
// spool, its file and its item in the scene. A subclass per kind of object.
//
// It lasts for a run: begin(), step() for one step of the data after the other, end(). In between it may keep
// spools and memory that it claims (stateBytes). Most kinds compute each step for itself, and keep nothing but what was computed last.
// Kinds that carry state from step to step can go on with a checkpoint where a run was interrupted. After an error or a
// stop nothing more is called but the destructor.

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

#include "core/fields/paged_data.h"
#include "core/scene/scene.h"
#include "core/session/run/touched_pages.h"
#include "core/session/run/volume_maker.h"
#include "core/session/session.h"
#include "core/session/stats.h"

namespace farfield::session {

/// What every computation of an object is given.
struct ObjectSurroundings {
  fields::PagedData& data;
  MemoryAccount& account;
  std::filesystem::path spoolFolder;
  std::stop_token stop;
  std::function<void(std::size_t done, std::size_t total)> progress;
  /// Somebody watches: the tasks start in an order that shows all of the object early (task_order.h).
  bool watched = false;
  /// Makes what casts volumes; empty in builds that cannot.
  VolumeMaker makeVolume = {};
  int processors = 1;  ///< for what casts volumes
  /// Of the data, the step that is expected to be computed after this one; -1: none. Nothing but speed depends on it.
  std::int64_t nextStep = -1;
};

/// The steps that an object is computed for.
struct RunSteps {
  /// Of the data, ascending; data that do not change in time have the same step again and again.
  std::vector<std::int64_t> chosen;
  /// Number in `chosen` of the first step of which anything is to be written; the size where nothing is.
  std::size_t first = 0;
  /// Where an interrupted run may have left a checkpoint to go on with; empty: begin anew.
  std::filesystem::path checkpoint = {};
};

/// What an object writes beside pictures.
enum class GeometryFiles {
  PerStep,  ///< what was computed last, after each step
  PerRun,   ///< one, after end(); for kinds that carry state
  None
};

/// What a task is called in messages.
struct TaskName {
  const char* one;
  const char* many;
};

/// Checkpoint files begin with it.
inline constexpr const char* kCheckpointHead = "farfield checkpoint\n";

/// Not thread-safe, but for item() and bounds(). The session's object outlives it.
class ObjectRun {
 public:
  virtual ~ObjectRun() = default;
  const Object& object() const { return m_object; }
  /// Arrays that its tasks gather from, for the memory plan.
  const std::vector<std::string>& arrays() const { return m_functions->arrays(); }
  virtual TaskName taskName() const = 0;
  /// Memory of one of its tasks beside frames and stack.
  virtual std::uint64_t taskBytes() const = 0;
  /// Memory that it claims in begin() and keeps until it ends; the memory plan leaves it free.
  virtual std::uint64_t stateBytes() const { return 0; }
  /// Steps of the data that its tasks gather from: 2 where they ask for times between steps, which are then under one
  /// reservation.
  virtual int stepsAtATime() const { return 1; }
  /// Whether a step needs what was computed of those before it. Then no step is left out, and none comes twice.
  virtual bool carriesState() const { return false; }
  /// Whether what item() hands out reads the data when it is drawn.
  virtual bool drawsFromData() const { return false; }
  virtual GeometryFiles geometryFiles() const { return GeometryFiles::PerStep; }
  /// Tasks that step() runs.
  virtual std::size_t taskCount(const paging::DatasetDescription& description) const = 0;
  /// The nodes that they gather, where that follows from the session alone.
  virtual std::optional<std::vector<GatheredNodes>> gathered(
      const paging::DatasetDescription& description) const {
    (void)description;
    return std::nullopt;
  }
  /// How many tasks at most say what all of them cost.
  virtual std::size_t mostTrials() const { return 256; }
  /// Runs a few of the tasks, at most for `limit`, and keeps nothing: to find out what they cost.
  virtual tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                      std::span<const std::size_t> numbers,
                                      std::chrono::milliseconds limit) const = 0;
  /// Called once, before the first step. Returns the number in `steps.chosen` with which to go on, at most `steps.first`: where a
  /// checkpoint leads to that fits the session, the data and these steps; without state there is nothing to catch up with.
  virtual std::size_t begin(const ObjectSurroundings& surroundings, const RunSteps& steps) {
    (void)surroundings;
    return carriesState() ? 0 : steps.first;
  }
  /// Computes `step`: into a fresh spool, or going on from the step before.
  virtual void step(const ObjectSurroundings& surroundings, std::int64_t step) = 0;
  /// Writes to `path`, whole or not at all and with kCheckpointHead first, what begin() needs to go on behind the last
  /// step. Called once all files of the step are there, of kinds that carry state.
  virtual void writeCheckpoint(const std::filesystem::path& path) const { (void)path; }
  /// Called once, after the last step.
  virtual void end(const ObjectSurroundings& surroundings) { (void)surroundings; }
  /// Writes what was computed last, or, where the file is of the whole run, all of it.
  virtual void writeGeometry(const std::filesystem::path& path) const = 0;
  /// What was computed last, as the scene shows it; keeps the spool alive. While step() runs: what is
  /// there until now, from any thread. Without geometry before there is any.
  scene::SceneItem item() const { return item(m_object); }
  /// The same as `look` would have it, an object that differs in its looks alone (sameGeometry).
  virtual scene::SceneItem item(const Object& look) const = 0;
  /// Of what item() shows.
  virtual Bounds bounds() const = 0;
  /// Adds counts: of what was computed last, once its files and its picture are written, or, where the file is of the
  /// whole run, of all of it.
  virtual void count(ObjectStats& stats) const = 0;
  /// What its last group of tasks cost.
  const tasks::GroupResult& lastGroup() const { return m_lastGroup; }

 protected:
  /// `functions` are the names that the tasks evaluate; the last is the colouring function where there is one
  /// that is not among the others. `own` are what its vertices have beside functions and may be coloured by;
  /// `key` names the functions in the document.
  ObjectRun(const Object& object, const paging::DatasetDescription& description,
            std::vector<std::string> functions, const std::vector<std::string>& own = {},
            const char* key = "vector");
  /// Number of the colouring function's value among the functions'; none where the object has one colour, or is
  /// coloured by something of its own, whose name m_colorName then is.
  std::optional<int> colorValue() const { return m_colorValue; }
  /// For tryTasks: a group that runs `run` for each of `numbers`.
  tasks::GroupResult runTasks(const ObjectSurroundings& surroundings, std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit,
                              const std::function<void(std::size_t, tasks::TaskContext&)>& run) const;
  /// A scene item with everything but the geometry; `range` is that of the values shown.
  scene::SceneItem describedItem(const Object& look, const std::optional<std::array<double, 2>>& range) const;

  const Object& m_object;
  std::shared_ptr<const fields::FunctionPlan> m_functions;
  std::optional<int> m_colorValue;
  std::string m_colorName;  ///< the colouring function's, also where it was asked for by number
  tasks::GroupResult m_lastGroup;
};

/// Computes `step` by itself: of an object that carries state all steps from the first on until there. May be called again for
/// an object without state.
void computeAlone(ObjectRun& run, const ObjectSurroundings& surroundings, std::int64_t step);

/// Throws Unsupported for kinds that cannot be computed; NotFound, Invalid for functions, blocks and ranges
/// that the data do not have.
std::unique_ptr<ObjectRun> makeObjectRun(const Object& object, const paging::DatasetDescription& description);
/// Whether what was computed for `before` can be shown as `after`: they differ in name, map, range, width,
/// opacity and the like at most, or `after` is no longer coloured.
bool sameGeometry(const Object& before, const Object& after);
/// Throws Unsupported as makeObjectRun does, without needing data.
void requireComputable(const Object& object);

}  // namespace farfield::session
