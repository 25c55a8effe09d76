#pragma once
// One object of a session, ready to be computed: its functions resolved against the data, its tasks, its
// spool, its file and its item in the scene. A subclass per kind of object.

#include <chrono>
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
};

/// Not thread-safe, but for item() and bounds(). The session's object outlives it.
class ObjectRun {
 public:
  virtual ~ObjectRun() = default;
  const Object& object() const { return m_object; }
  /// Arrays that its tasks gather from, for the memory plan.
  const std::vector<std::string>& arrays() const { return m_functions->arrays(); }
  /// Memory of one of its tasks beside frames and stack.
  virtual std::uint64_t taskBytes() const = 0;
  /// Tasks that compute() runs.
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
  /// Computes it for `step` into a fresh spool.
  virtual void compute(const ObjectSurroundings& surroundings, std::int64_t step) = 0;
  /// Writes what was computed last.
  virtual void writeGeometry(const std::filesystem::path& path) const = 0;
  /// What was computed last, as the scene shows it; keeps the spool alive. While compute() runs: what is
  /// there until now, from any thread. Without geometry before there is any.
  scene::SceneItem item() const { return item(m_object); }
  /// The same as `look` would have it, an object that differs in its looks alone (sameGeometry).
  virtual scene::SceneItem item(const Object& look) const = 0;
  /// Of what item() shows.
  virtual Bounds bounds() const = 0;
  /// Adds counts of what was computed last.
  virtual void count(ObjectStats& stats) const = 0;
  /// What its last group of tasks cost.
  const tasks::GroupResult& lastGroup() const { return m_lastGroup; }

 protected:
  /// `functions` are the names that the tasks evaluate; the last is the colouring function where there is one
  /// that is not among the others.
  ObjectRun(const Object& object, const paging::DatasetDescription& description,
            std::vector<std::string> functions);
  /// Number of the colouring function's value among the functions'; none where the object has one colour.
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

/// Throws Unsupported for kinds that cannot be computed; NotFound, Invalid for functions, blocks and ranges
/// that the data do not have.
std::unique_ptr<ObjectRun> makeObjectRun(const Object& object, const paging::DatasetDescription& description);
/// Whether what was computed for `before` can be shown as `after`: they differ in name, map, range, width,
/// opacity and the like at most, or `after` is no longer coloured.
bool sameGeometry(const Object& before, const Object& after);
/// Throws Unsupported as makeObjectRun does, without needing data.
void requireComputable(const Object& object);

}  // namespace farfield::session
