#pragma once
// Where the work behind a window is done: opens data, shares out the memory budget, computes objects, and
// says what comes of it. Nothing here waits on the caller's thread for longer than a millisecond: its lock is
// held for moments, but by threads that run when nobody else wants to, and such a moment may last. What
// cannot be done at once is left in an inbox, and done in the order in which it was asked for.
//
// Threads. The *doorman* empties the inbox. The *foreman* alone opens and closes data and shares out memory;
// while it closes and shares out, nobody begins, and those stop that use the data in question: all where the budget is another one. It waits for data that are being opened, by a thread of its own each, no longer
// than the user does: who gives up need not wait for somebody far away who does not answer. For data that are opened once more, because
// their files have changed, it does not wait. *Hands* compute objects, one each at a time; each runs a group of tasks
// with all processors. One more hand does *errands*: writing geometry, drawing pictures; and another
// *probes*, so that a point is answered while a long animation is drawn. The *watchman* looks now and then:
// it hands out what there is of unfinished objects, and counts.
//
// What is urgent comes first, then what is quick (slices and what lies on surfaces), then what may take minutes. While nothing but that is
// being computed, the hand for what is urgent takes what is quick beside it, and gives it back for something urgent. Where that needs what
// memory was not shared out for, it gets a plan of its own from what is free, so that nobody else begins anew.
//
// An object is Waiting until a hand takes it and its data are open and planned, Running, and then Done,
// Failed or Cancelled. A request for an object that is Running stops it and makes it Waiting again. To keep a
// picture under a moving mouse, it is not stopped before it has shown something, or a fifth of a second has
// passed; longer where it is being made coarsely, and the picture before stays until then. The foreman, too, stops what is Running, which goes back to Waiting without anybody being told.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/model/workshop/disposer.h"
#include "app/model/workshop/level_maker.h"
#include "app/model/workshop/volume_leases.h"
#include "app/model/workshop/workshop_types.h"
#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/places/surface_places.h"
#include "core/fields/ranges/range_search.h"
#include "core/session/run/object_run.h"

namespace farfield::app {

/// Meant for one owner, on one thread.
class Workshop {
 public:
  /// The events are called from its threads, one at a time, while a lock is held: they post and return.
  Workshop(std::shared_ptr<const fields::ReaderRegistry> readers, const WorkshopOptions& options,
           WorkshopEvents events);
  /// Stops everything and waits for it.
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  /// Opens data under `key`, where nothing is open under it. `request` is called on another thread; it may
  /// look for files, and throw.
  void open(const std::string& key, std::function<fields::OpenRequest()> request);
  /// The files of these data have changed. Where they have more steps now, and are the same otherwise, the data go on with them,
  /// and `grown` is told; else nothing happens.
  void lookAgain(const std::string& key);
  /// Opens data that are open once more, as their files are now. What comes of it takes their place, and `replaced` is told: nothing that
  /// was computed of them holds any more. Where it cannot be opened, or cancelAll() stops it, `notReplaced` is told, and they stay; but
  /// where there is not memory for both, the old ones go first. With `request` that is opened, and stays what they are.
  void readAgain(const std::string& key, std::function<fields::OpenRequest()> request = {});
  /// Gives that up: `notReplaced` is told, without a message, or `replaced` where it was done by then.
  void stopReading(const std::string& key);
  /// Objects of these data must have been forgotten.
  void close(const std::string& key);

  /// Computes an object in place of what was asked for under its id before. What differs in its looks alone
  /// is shown at once.
  struct Accepted {
    std::uint64_t number = 0;  ///< of the request, which its events carry; numbers ascend
    bool atOnce = false;  ///< it was there, and is shown; where that cannot be told at once, events tell it
  };
  Accepted compute(const ObjectRequest& request);
  /// No event follows of what was asked for under `id`.
  void forget(ObjectId id);
  /// What is there of it is kept for when it is asked for again, but is not computed anew where its data are planned anew.
  void hide(ObjectId id);
  /// Stops it where it is; what is there stays.
  void cancel(ObjectId id);
  /// Data that are being opened, too.
  void cancelAll();

  /// Acts at once: pages go where it is less, and can come where it is more. Where the data cannot go on with it, or could use
  /// more processors, what runs is stopped and begins again with memory shared out anew.
  void setMemoryBytes(std::uint64_t bytes);
  std::uint64_t memoryBytes() const { return m_wantedBytes.load(); }

  /// What the counters are to tell of paging from now on.
  void setSight(const SightRequest& request);
  /// The latest request alone is answered, and each one that seeks, while its data are open.
  void probe(const ProbeRequest& request);
  /// The same of these.
  void readCurve(const std::optional<CurveRequest>& request);
  /// Ranges of functions over the whole of their data: these, and no others any more. `rangeFound` tells of them now and then.
  void findRanges(const std::vector<RangeRequest>& requests);
  /// Levels of detail of what a volume shows, in the background.
  void makeLevels(ObjectId id) { m_levels.make(id); }
  void stopLevels(ObjectId id) { m_levels.stop(id); }
  /// Writes what was computed last of an object, as batch runs do; `done` is called like an event. With `unwanted` it is not written, and
  /// what was there before stays, which is a problem.
  void writeGeometry(ObjectId id, const std::filesystem::path& path,
                     std::function<void(std::optional<Problem>)> done, std::stop_token unwanted = {});

  /// Adds what is shown of `ids` to `scene`, in this order, and hands it to `draw`, on another thread; `done`
  /// is called like an event. Where a volume's data are planned anew meanwhile, `draw` gets the same things once more; with `unwanted`
  /// that is not waited for, and is no problem.
  void draw(const std::vector<ObjectId>& ids, const scene::Scene& scene,
            std::function<void(const scene::Scene&)> draw, std::function<void(std::optional<Problem>)> done,
            std::stop_token unwanted = {});

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::timed_mutex>;

  struct Opening;
  struct Opened;
  /// An object that an errand draws from its data.
  struct DrawnFromData {
    session::Object object;
    /// Its data were planned anew meanwhile, which they are not once more for new steps.
    bool isAgain = false;
  };
  struct DataSet {
    enum class State { Queued, Opening, Open, Failed } state = State::Queued;
    std::function<fields::OpenRequest()> request;
    std::unique_ptr<fields::OpenData> data;
    std::unique_ptr<fields::PagedData> paged;  ///< null until something is to be computed
    std::shared_ptr<VolumeLeases> volumes;     ///< that read `paged`; there as long as it is
    std::vector<std::string> plannedArrays;
    std::uint64_t plannedTaskBytes = 0;
    bool planIsOld = false;  ///< its objects need more
    bool wantsPlan =
        false;  ///< something of it was computed with a plan of its own, which is gone: it gets one once nothing long is computed
    bool planIsTight =
        false;  ///< there has been more memory since; what was shown or made then would have gone with the plan
    bool lacksRoom =
        false;  ///< there was too little beside long work for a plan: it gets one once that is done
    bool needsRest = false;  ///< Queued: there was too little memory to open it while others computed
    int users = 0;           ///< hands and probes that are at it
    std::vector<std::string> probedArrays;  ///< of functions that were asked for by probing
    std::optional<Problem> planProblem;
    std::shared_ptr<const DataSummary> summary;
    std::stop_source openStop;
    std::shared_ptr<Opening> changed;  ///< of Open ones: opened once more, because its files have changed
    std::stop_source changedStop;      ///< of that
    bool openAgain = false;            ///< wanted again while opening was being given up
    bool lookAgain = false;            ///< Open or Opening: its files have changed
    bool readAgain = false;            ///< the same: to be opened in its own place
    bool isReadAgain = false;          ///< that is being done
    std::function<fields::OpenRequest()> nextRequest;  ///< of that; empty: as before
    int timesReadAgain = 0;
    std::stop_source handsStop;  ///< of errands that compute of these data
    /// What errands draw, as long as they are at it; and for which of these `paged` was planned.
    std::vector<std::weak_ptr<const DrawnFromData>> drawn, plannedFor;
    /// What is shown of them at `step`: their last one where they have fewer, as far as that is known.
    std::int64_t stepFor(std::int64_t step) const {
      return summary ? std::min(step, summary->description.steps() - 1) : step;
    }
  };
  /// An object with its results. The run refers to the object.
  struct Computed {
    session::Object object;
    std::unique_ptr<session::ObjectRun> run;
    std::optional<session::ObjectStats> stats = {};  ///< once it is complete
    /// Once it is complete: the geometry that was handed out, so that a change of looks is seen to be one; and as what it was
    /// drawn.
    session::Object look = {};
    std::shared_ptr<const scene::LineGeometry> lines, edges;
    std::shared_ptr<const scene::TriangleGeometry> triangles;
  };
  enum class JobState { Waiting, Running, Done, Failed, Cancelled };
  struct Job {
    ObjectRequest wanted;
    std::uint64_t number = 0;
    JobState state = JobState::Waiting;
    std::shared_ptr<Computed> shown;  ///< what was computed last, whole or not
    std::int64_t shownStep = -1;
    std::string shownKey;
    bool hasPicture = false;  ///< that was handed out, of whatever was asked for
    bool hidden = false;      ///< nobody sees it until it is asked for again

    // While Running.
    std::shared_ptr<Computed> making;  ///< null until the run is made
    ObjectRequest running;
    std::stop_source stop;
    bool again = false;        ///< superseded: becomes Waiting
    bool interrupted = false;  ///< by the foreman: becomes Waiting
    bool cancelled = false;
    Clock::time_point started, deliveredAt;
    std::uint64_t deliveredPoints = 0;
    bool isBeside = false;      ///< by the hand for what is urgent, while others are at long work
    bool waitsItsTurn = false;  ///< for it there was not enough memory beside others
    bool waitsForCoarse =
        false;  ///< the picture before is shown until there is something coarse of all of it
    /// What computing something like it took last; none: not known.
    std::optional<Clock::duration> took;
  };
  /// A range that is wanted, and how far it is found.
  struct RangeHunt {
    RangeRequest request;
    fields::RangeSearch search;
    Clock::time_point told;
    bool isOver = false;
  };
  // Inbox. `work` runs with the lock held; says whether it has run already.
  bool ask(std::function<void()> work);
  void doorLoop(std::stop_token stop);
  bool accept(const ObjectRequest& request, std::uint64_t number);
  void cancelLocked(ObjectId id);
  void letGo(Job& job);

  // Foreman.
  void foremanLoop(std::stop_token stop);
  bool hasUrgentWork() const;
  bool foremanHasWork() const;
  bool canTakeChanged(const DataSet& set) const;
  void stopHands(Lock& lock, const std::function<bool(const std::string&)>& which);
  bool showsWhatWouldGo(const std::string& key) const;
  bool moveBudget(Lock& lock, std::uint64_t bytes);
  void release(Lock& lock, const std::function<bool(const DataSet&)>& which);
  void computeVolumesAgain(const std::string& key);
  void leaveMemory(Lock& lock, const std::stop_token& stop);
  void closeData(Lock& lock);
  bool openBeside(Lock& lock);
  void openOne(Lock& lock, const std::string& key);
  struct Grown;
  std::vector<Grown> openChanged(Lock& lock);
  void takeChanged(Lock& lock, std::vector<Grown>& grown);
  void takeGrown(Lock& lock, std::vector<Grown> grown);
  void forgetResults(const std::string& key, const DataSummary& now);
  void giveUpReading(const std::string& key, DataSet& set);
  std::shared_ptr<Opening> beginOpening(Lock& lock, const std::string& key, const DataSet& set,
                                        const std::stop_token& stop);
  Opened openInTime(Lock& lock, const std::string& key, const DataSet& set, const std::stop_token& stop);
  std::shared_ptr<Opening> openAside(std::function<fields::OpenRequest()> request,
                                     std::function<DataSummary(const fields::OpenData&)> about,
                                     const std::stop_token& stop);
  void reopenLarge(Lock& lock);
  void plan(Lock& lock);
  bool planMissing(Lock& lock, bool beside);
  bool planOne(DataSet& set, const std::vector<session::Object>& objects, double share, bool beside);
  DataSummary summaryOf(const std::string& key, const fields::OpenData& data, const std::stop_token& stop,
                        const DataSummary* before) const;

  // Hands.
  void handLoop(std::stop_token stop, bool urgentOnly);
  Job* nextJob(bool urgentOnly, ObjectId& id);
  bool hasRoomBesideLongWork() const;
  void makeWay();
  void computeJob(Lock& lock, ObjectId id);
  void endJob(ObjectId id, const std::shared_ptr<Computed>& made, std::optional<Problem> problem,
              bool stopped);
  void considerLevels(Lock& lock, ObjectId id);
  bool longWorkRuns() const;
  bool longWorkRunsElsewhere(const std::string& key) const;
  bool hasPlanFor(const DataSet& set, const std::string& key, const Computed& made) const;
  bool goesBesideLongWork(const Computed& made) const;
  fields::PagedDataOptions besideOthers(fields::PagedDataOptions needs) const;
  std::unique_ptr<fields::PagedData> planBeside(Lock& lock, const DataSet& set,
                                                const fields::PagedDataOptions& needs);
  void endPlan(Lock& lock, std::unique_ptr<fields::PagedData> own);
  void turnAway(Job& job, DataSet& set);
  struct Drawn;
  Drawn drawn(const Computed& computed, const session::Object& look);
  void show(ObjectId id, Job& job, Computed& computed, const session::Object& look, bool complete);
  void handOut(ObjectId id, Job& job, Computed& computed, const session::Object& look, bool complete,
               Drawn drawn);
  void stopSuperseded(Job& job, Clock::time_point now);
  void showCoarse(ObjectId id, const std::shared_ptr<Computed>& made);

  // Errands.
  using Errand = std::function<void(const std::stop_token& stop)>;
  void errandLoop(std::stop_token stop);
  struct DrawnPart;
  void drawParts(std::vector<DrawnPart> parts, const scene::Scene& scene,
                 const std::function<void(const scene::Scene&)>& draw, const std::stop_token& stop);
  void renew(DrawnPart& part, const std::stop_token& stop);
  bool waitForRest(const std::stop_token& stop, bool& isAtRest);
  bool canRenew(const DrawnPart& part);
  static bool isOf(const DrawnPart& part, const DataSet& set);
  const Job* jobLike(const DrawnPart& part) const;
  void computeAnew(Lock& lock, DrawnPart& part, const std::stop_token& stop);
  void probeLoop(std::stop_token stop);
  bool probeCanStart();
  bool seekingCanStart();
  bool curveCanStart();
  bool plansFor(DataSet& set, const std::vector<std::string>& functions);
  void forgetPlanned(const ProbeRequest& request);
  static std::vector<std::string> arraysOf(const DataSet& set, const std::string& function);
  void answer(Lock& lock, const ProbeRequest& request);
  void answerCurve(Lock& lock, const CurveRequest& request);
  struct CurveReading;
  void readLine(const CurveReading& reading, fields::Sampler& sampler);
  void readTime(const CurveReading& reading, tasks::TaskContext& task, std::size_t place);
  void readSteps(const CurveReading& reading, std::size_t place,
                 const std::function<bool(std::int64_t step, std::span<double> values)>& readAt,
                 const std::function<void()>& readAnew);
  void readValues(const CurveReading& reading, tasks::TaskContext& task);
  RangeHunt* nextHunt();
  RangeHunt* huntOf(const RangeRequest& request);
  void hunt(Lock& lock, RangeHunt& its);
  void huntGrown(const std::string& key);
  void huntAnew(const std::string& key);

  // Watchman.
  void watchLoop(std::stop_token stop);
  void deliverPartial(Lock& lock, ObjectId id, Clock::time_point now);
  void beginBusyPeriod();
  session::BoundBy judgeBusyPeriod(const PagingTotals& now) const;
  PagingTotals totals() const;
  WorkshopCounters count();
  void addSight(WorkshopCounters& counters);
  void addLinks(WorkshopCounters& counters) const;

  const std::shared_ptr<const fields::ReaderRegistry> m_readers;
  const WorkshopOptions m_options;
  const WorkshopEvents m_events;

  /// Shared with pictures, whose geometry is read long after it was handed out.
  const std::shared_ptr<MemoryAccount> m_account;
  const std::shared_ptr<paging::PageCache> m_cache;  ///< of all data

  LevelMaker m_levels;
  Disposer m_disposer;
  std::atomic<std::uint64_t> m_number{0}, m_wantedBytes;

  std::mutex m_inboxMutex;
  std::condition_variable_any m_inboxFilled;
  std::deque<std::function<void()>> m_inbox;  ///< taken out by who holds m_mutex; guarded by m_inboxMutex

  mutable std::timed_mutex m_mutex;  ///< guards everything below
  std::condition_variable_any m_changed;
  std::map<std::string, DataSet> m_data;
  std::map<ObjectId, Job> m_jobs;
  std::deque<ObjectId> m_order;  ///< Waiting ones, in the order in which they were asked for
  std::optional<ProbeRequest> m_probe;
  std::deque<ProbeRequest> m_sought;
  std::optional<CurveRequest> m_curve;
  /// That was stopped, for a point or by the foreman, and how far it was.
  struct {
    CurveAnswer answer;
    std::size_t next = 0;
    fields::SurfacePlaces::Search search = {};  ///< of the place that was next
  } m_curveBegun;
  bool m_curveIsUnwanted = false;         ///< nor that which is being sampled
  bool m_curveWaits = false;              ///< there was no memory for it beside long work
  std::atomic<bool> m_curveIsOld{false};  ///< what is being sampled is to make way
  std::vector<RangeHunt> m_hunts;
  std::deque<Errand> m_errands;
  std::vector<std::string> m_closing;
  std::optional<std::uint64_t> m_newBudget;
  bool m_atDoor = false;    ///< the doorman is at work
  bool m_isEnding = false;  ///< what would be opened from now on, nothing would stop
  bool m_replan = false;
  bool m_exclusive = false;  ///< the foreman is at work, or wants to be
  int m_busy = 0;            ///< hands and probes that use data
  int m_computing = 0;       ///< hands alone
  int m_concurrent = 1;      ///< hands that the budget has stacks for
  std::stop_source m_probeStop;
  PagingTotals m_past;         ///< read for plans that are gone
  BusyPeriod m_busyPeriod;     ///< while somebody computes
  session::BoundBy m_boundBy;  ///< of the last one that ended
  WorkshopCounters m_lastCount;
  SightRequest m_sight;
  bool m_sightIsNew = false;
  std::list<std::pair<std::shared_ptr<Opening>, std::jthread>> m_openings;  ///< of the foreman
  std::vector<std::jthread> m_threads;                                      ///< last: they use the others
};

/// Adds what was read for `data`.
void addSources(PagingTotals& totals, const fields::PagedData& data);

}  // namespace farfield::app
