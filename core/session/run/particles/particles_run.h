#pragma once
// Shared by pathlines and streaklines: particles that are released from seeds at some times, and move from
// one step of the data to the next. A task moves a few neighbouring particles of one release through one
// interval between steps, or those of several such groups where few tasks are enough. Particles are numbered by release, then seed. Their state is on disk
// (ParticleTable); memory holds one number for each few.

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/guarded_pointer.h"
#include "core/fields/paged/step_ahead.h"
#include "core/flow/cell_stock.h"
#include "core/flow/seeds.h"
#include "core/flow/tracer.h"
#include "core/paging/pages/piecewise_checksum.h"
#include "core/session/particles/particle_table.h"
#include "core/session/particles/path_log.h"
#include "core/session/results/result_extent.h"
#include "core/session/run/object_run.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

/// All particles of an object after some step.
struct Particles {
  std::vector<double> releases;  ///< times, ascending
  std::uint64_t seeds = 0;
  std::shared_ptr<SpoolRoom> room;  ///< for all that is known of them
  std::unique_ptr<ParticleTable> table;
  /// Null where only the present counts. It only grows, so runs that go on from one another have one together.
  std::shared_ptr<PathLog> paths;
  std::uint64_t numberOf(std::size_t release, std::uint64_t seed) const { return release * seeds + seed; }
};

/// Vertices of a record's path, as it is drawn and written: of one without, a single place.
inline std::uint64_t pathVerticesOf(const ParticleRecord& record) {
  return record.lastRun == 0 ? 1 : static_cast<std::uint64_t>(record.particle.vertices);
}

/// The extent of vertices, and how late and how old they are at most.
struct PathExtent : ResultExtent {
  using ResultExtent::add;
  using ResultExtent::ResultExtent;
  void add(const PathExtent& other) {
    ResultExtent::add(other);
    latest = std::max(latest, other.latest);
    oldest = std::max(oldest, other.oldest);
  }
  double latest = -std::numeric_limits<double>::infinity(), oldest = 0;
};

class ParticlesRun : public ObjectRun {
 public:
  TaskName taskName() const override { return {"group of particles", "groups of particles"}; }
  std::uint64_t taskBytes() const override;
  std::uint64_t stateBytes() const override;
  void leaveMemory() override;
  int stepsAtATime() const override {
    return m_times.size() < 2 ? 1 : m_wishes.between == fields::BetweenSteps::Cubic ? 4 : 2;
  }
  bool carriesState() const override { return true; }
  std::size_t taskCount(const paging::DatasetDescription& description) const override;
  tasks::GroupResult tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                              std::span<const std::size_t> numbers,
                              std::chrono::milliseconds limit) const override;
  std::size_t begin(const ObjectSurroundings& surroundings, const RunSteps& steps) override;
  void step(const ObjectSurroundings& surroundings, std::int64_t step) override;
  /// Particles that are let go at this step stand at their seeds.
  void beforePicture(const ObjectSurroundings& surroundings) override;
  void writeCheckpoint(const std::filesystem::path& path) const override;
  void removeCheckpoint(const std::filesystem::path& path) const noexcept override;
  void end(const ObjectSurroundings& surroundings) override;
  using ObjectRun::item;
  /// From any thread. While step() runs, nothing: that would read what is known of all particles.
  void count(ObjectStats& stats) const override;
  /// Null before begin().
  std::shared_ptr<const Particles> particles() const { return m_particles.load(); }

 protected:
  /// What the two kinds require.
  struct Wishes {
    const std::vector<std::string>& vector;
    const Seeds& seeds;
    const Release& release;
    const Integrator& integrator;
    fields::BetweenSteps between = fields::BetweenSteps::Linear;
    bool everyStep = false;   ///< without a release: at every step, not only at the first
    bool keepsPaths = false;  ///< all vertices, not only the present positions
  };
  /// `own` as in ObjectRun.
  ParticlesRun(const Object& object, const paging::DatasetDescription& description, const Wishes& wishes,
               const std::vector<std::string>& own);
  double timeOf(std::int64_t step) const { return m_times[static_cast<std::size_t>(step)]; }
  /// Of all vertices so far.
  Bounds pathBounds() const;
  std::optional<std::array<double, 2>> pathRange(int value) const;
  /// How many these are, counted as they are made.
  std::uint64_t pathVertices() const;
  /// Least and greatest time and age of vertices; nothing where that is not known, as after a checkpoint.
  struct Spans {
    std::array<double, 2> times, ages;
  };
  std::optional<Spans> pathSpans() const;
  bool isOnTheWay() const { return m_onTheWay; }
  const std::string& vectorName() const { return m_vectorName; }
  /// Of which particles are known, the first ones: of the others none has been let go.
  std::size_t startedReleases() const;
  /// Looks at what is released at the very moment of the step that was computed and is still at its seed. What is known of it stays
  /// until it is moved, which begins anew with it, and is in no checkpoint.
  void lookAtNewcomers(const ObjectSurroundings& surroundings);
  /// Those started, and that of the newcomers, if they have been looked at.
  std::size_t knownReleases() const;
  /// False where none of these seeds, at least one, has a particle that goes on or a newcomer.
  bool anyAlive(std::uint64_t firstSeed, std::uint64_t seeds) const;
  /// What moving particles may take of the time for a step.
  virtual double shareOfMoving() const { return 1; }

 private:
  friend struct ParticlesCheckpoint;
  struct Interval {
    std::int64_t step = 0;  ///< from it to the next one
    double since = 0, until = 0;
  };
  /// A few particles of one release with consecutive seeds.
  struct Group {
    std::size_t release = 0;
    std::uint64_t firstSeed = 0, seeds = 0;
  };
  void resolveReleases(std::span<const std::int64_t> chosen);
  Group groupOf(std::size_t number) const;
  std::size_t groupCount() const { return m_releaseTimes.size() * m_groupsPerRelease; }
  bool hasWork(std::size_t group, const Interval& interval) const;
  /// How many of the data's steps, the first ones, have a part in what there is at `step` when `steps` are known.
  std::size_t stepsBehind(std::int64_t step, std::size_t steps) const;
  std::size_t goOnFrom(const ParticlesRun& before, const RunSteps& steps);
  void lookForSeeds(const ObjectSurroundings& surroundings) const;
  std::unique_ptr<fields::StepAhead> nextInterval(const ObjectSurroundings& surroundings) const;
  void advanceAll(const ObjectSurroundings& surroundings, const Interval& interval);
  void advanceGroups(std::span<const std::size_t> numbers, const Interval& interval, fields::PagedData& data,
                     tasks::TaskContext& context, Particles& particles);
  void moveGroups(std::span<const std::size_t> numbers, std::vector<ParticleRecord>& records,
                  std::size_t& known, const Interval& interval, fields::PagedData& data,
                  tasks::TaskContext& context, PathLog::Writer& paths, PathExtent& extent) const;
  ParticleRecord released(std::uint64_t seed, double time, fields::PagedData& data,
                          tasks::TaskContext& context) const;
  void move(std::span<ParticleRecord> records, const Interval& interval, fields::Sampler& sampler,
            tasks::TaskContext& context, PathLog::Writer& paths, PathExtent& extent,
            flow::StockLoan* loan) const;
  void makeStocks(const ObjectSurroundings& surroundings);
  void dropStocks();
  void makeRoomForGroups(const ObjectSurroundings& surroundings);
  std::size_t groupsPerTask(const fields::PagedData& data, std::size_t groups) const;
  std::uint64_t bytesOf(std::uint64_t particles) const;
  /// Of some groups, by number, in a task.
  using Work = std::function<void(std::span<const std::size_t>, tasks::TaskContext&)>;
  void run(const ObjectSurroundings& surroundings, const std::vector<std::size_t>& groups, const Work& work);

  const Wishes m_wishes;
  std::vector<double> m_times;  ///< of the data's steps
  flow::LineOptions m_options;
  mutable std::unique_ptr<flow::SeedSet> m_seeds;  ///< as many as there will be, until they are found
  mutable bool m_seedsAreFound = false;
  std::string m_vectorName;
  std::vector<double> m_releaseTimes;
  std::size_t m_groupsPerRelease = 0;
  std::vector<std::int64_t> m_chosen;

  MemoryClaim m_claim, m_claimOfStocks;
  MemoryClaim m_claimOfGroups;        ///< of tasks that have several
  std::size_t m_mostGroups = 1;       ///< that a task has
  bool m_fewTasksWait = false;        ///< the pages of an interval are there soon, and stay there
  mutable flow::CellStocks m_stocks;  ///< of cells, which tasks of an interval take one after the other
  std::unique_ptr<tasks::Scheduler> m_scheduler;  ///< kept from step to step where there is room
  /// By group: number of particles that go on; kNew before its release. Others count while tasks write.
  std::vector<std::uint8_t> m_alive;
  /// That have been looked at: their release, and by group of seeds how many go on.
  struct Newcomers {
    std::size_t release = 0;
    std::vector<std::uint8_t> alive = {};
  };
  Newcomers m_newcomers;
  std::atomic<std::int64_t> m_step{-1};  ///< -1: nothing has been computed
  /// Some particles are beyond m_step: a step was begun and has not ended.
  std::atomic<bool> m_onTheWay{false};
  std::atomic<std::int64_t> m_moreVertices{0};  ///< of paths, beyond one for each particle
  bool m_spansAreKnown = true;                  ///< PathExtent::latest and oldest are
  GuardedPointer<Particles> m_particles;
  std::optional<TimeBudget> m_budget;  ///< of the step that is being computed
  mutable std::mutex m_extentMutex;
  PathExtent m_extent;
  /// The checkpoint's file of paths.
  struct SavedPaths {
    std::filesystem::path file = {};
    std::uint64_t bytes = 1;  ///< how much of the paths is in it
    paging::PiecewiseChecksum sum = {};
  };
  mutable SavedPaths m_saved;
  const fields::OpenData* m_data = nullptr;  ///< since begin()
};

}  // namespace farfield::session
