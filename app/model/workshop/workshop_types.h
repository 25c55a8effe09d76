#pragma once
// What goes into a workshop and what comes out of it.

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/first/data_summary.h"
#include "app/model/document/document.h"
#include "app/model/workshop/paging_sight.h"
#include "app/model/workshop/value_histogram.h"
#include "core/base/memory_account.h"
#include "core/fields/functions/functions.h"
#include "core/fields/paged/sampler.h"
#include "core/flow/line_engine.h"
#include "core/paging/pages/description.h"
#include "core/scene/scene.h"
#include "core/session/results/bound_by.h"
#include "core/session/results/stats.h"
#include "core/session/run/result_parts.h"
#include "core/session/run/volumes/slab_maker.h"
#include "core/session/run/volumes/volume_maker.h"

namespace farfield::paging {
class KeptLevels;
}

namespace farfield::app {

/// What went wrong, and what the user can do about it, where there is anything.
struct Problem {
  std::string message, advice;
  bool asksForLogin = false;      ///< a server does
  bool lacksMemory = false;       ///< the budget is too small
  bool isEarly = false;           ///< there is nothing at this step, but at later ones
  bool isRefused = false;         ///< what is asked for makes no sense, however often it is tried
  std::string noAnswerFrom = {};  ///< a server that cannot be reached now; empty: it is something else
};
/// Of the exception being handled.
Problem currentProblem();

struct WorkshopOptions {
  std::uint64_t memoryBytes = std::uint64_t{1} << 30;
  int processors = 1;
  int tasksPerProcessor = 0;  ///< in flight; 0: as many as suits where the data lie
  int readers = 16;
  std::filesystem::path spoolFolder;     ///< where results wait; made where it does not exist
  session::VolumeMaker makeVolume = {};  ///< empty in builds that cannot cast
  session::SlabMaker makeSlabs = {};     ///< the same
  session::ResultAsker askResults = {};  ///< the same
  flow::LineEngine traceLines = {};      ///< on a device; empty: tasks do
  /// What took less than this last time is not shown coarsely first.
  std::chrono::milliseconds soon{60};
  std::chrono::milliseconds coarseTime{300};  ///< the most that it may take to be shown coarsely
  int niceness = 10;                          ///< of the computing threads: the window comes first
  std::shared_ptr<const paging::KeptLevels> keptLevels = nullptr;  ///< of volumes; null: nothing is kept
};

struct ObjectRequest {
  ObjectId id = 0;
  std::string dataKey;
  session::Object object;
  std::int64_t step = 0;
  bool urgent = false;  ///< the user is dragging it: computed before others
  bool anew = false;    ///< also where the same is there already
  /// That is expected to be asked for next, as when steps are played; -1: none.
  std::int64_t nextStep = -1;
};

/// What there is of an object.
struct ObjectPicture {
  ObjectId id = 0;
  std::uint64_t request = 0;
  scene::SceneItem item;
  Bounds bounds;
  bool complete = false;  ///< all of it, as it was asked for
  bool coarse = false;    ///< at least a part of it is a coarse stand-in
};

struct ObjectProgress {
  ObjectId id = 0;
  std::uint64_t request = 0;
  std::uint64_t done = 0, total = 0;
  double secondsLeft = 0;  ///< 0 where it cannot be told yet
};

enum class ObjectEnd { Done, Failed, Cancelled };
struct ObjectOutcome {
  ObjectId id = 0;
  std::uint64_t request = 0;
  ObjectEnd end = ObjectEnd::Done;
  Problem problem;  ///< where it failed
  session::ObjectStats stats;
};

/// Levels of detail of what a volume shows, that are made in the background (level_maker.h).
struct LevelsReport {
  enum class State { None, Offered, Waiting, Making, Made, Stopped, Failed };
  ObjectId id = 0;
  State state = State::None;
  std::uint64_t bytes = 0;       ///< that they take at most
  std::uint64_t begunBytes = 0;  ///< of what was made so far
  double part = 0;               ///< while Making
  std::string folder = {};       ///< where they are kept
  Problem problem = {};          ///< where it failed
  bool justMade = false;         ///< at this moment: what shows the volume has something to gain
};

struct ProbeRequest {
  std::uint64_t number = 0;
  std::string dataKey;
  std::int64_t step = 0;
  Vec3 point;
  /// A point of a picture may lie beside the cell that it was drawn of, because surfaces are drawn flat: if there is
  /// none, one is looked for along this way, forth and back, near ones first.
  Vec3 stray = {};
  std::vector<std::string> functions;
  /// If there is none at the point, as in the hole of a ring, one is looked for in all directions, near ones first, a little inside of the
  /// data: walls have no values to speak of.
  bool seeks = false;
  bool stays = false;  ///< a newer request does not take its place: somebody waits for this answer
  /// In place of the point: where a rake may stand, of which one is sought that lies in the data (rakeInside()).
  std::vector<session::LineSeeds> rakes = {};
  /// The same: places of each of which it is asked whether it lies in the data.
  std::vector<Vec3> places = {};
  /// The same: a new surface that may lie inside of the data, and is to lie on their outside (outer_sheets.h).
  std::optional<session::GridSurface> sheet = {};
};
struct ProbeAnswer {
  std::uint64_t number = 0;
  Vec3 point;  ///< where it was found, else as it was asked for
  std::optional<session::LineSeeds> rake = {};
  std::vector<bool> inside = {};  ///< of ProbeRequest::places; empty where that could not be told
  std::optional<session::GridSurface> sheet =
      {};              ///< in place of ProbeRequest::sheet, where another is better
  bool found = false;  ///< in a cell that is not blanked
  int block = -1;
  Index3 cell{0, 0, 0};
  std::vector<std::pair<std::string, std::vector<double>>> values;
  std::string problem;
};

/// A place that does not go with its cell.
inline constexpr std::int64_t kStays = -1;

/// What is to be read of functions of one component, for curves.
struct CurveRequest {
  enum class Kind {
    Line,   ///< at `count` evenly spread points from `from` to `to`, both included, at `step`
    Time,   ///< at each of `places`, at all steps
    Values  ///< how often values of the only function occur at nodes, at `step`
  };
  std::string dataKey;
  std::int64_t step = 0;
  Vec3 from, to;
  std::vector<Vec3> places = {};
  std::vector<std::int64_t> goesFrom =
      {};  ///< of each of `places` the step from which it goes with its cell; kStays: it does not
  int count = 0;
  std::vector<std::string> functions = {};
  Kind kind = Kind::Line;
  bool operator==(const CurveRequest&) const = default;
};
struct CurveAnswer {
  CurveRequest request;
  /// Of Line and Time: of each function, of Time those at the first place first; NaN outside of the data, infinite where no number.
  std::vector<std::vector<double>> values = {};
  ValueHistogram histogram = {};  ///< of Values: of the nodes that are not blanked, or of the cells
  bool ofCells = false;           ///< of Values: these differ from cell to cell, and cells are counted
  double part = 1;                ///< that is done; more comes while it is below 1
  std::string problem = {};
  /// Of Time, where other steps could be read: those that could not, ascending, at which nothing is known of any place; and why the first
  /// of them could not.
  std::vector<std::int64_t> unread = {};
  std::string whyUnread = {};
};

/// A function of one component whose least and greatest value in the whole of some data are to be found, over all steps or in one.
struct RangeRequest {
  std::string dataKey, function;
  std::int64_t step = 0;  ///< the one to begin with
  bool ofStep = false;    ///< it is looked at alone
  /// The user asks for just that: it is found however much there is to read, and however far away.
  bool asked = false;
};
/// What is known of them so far.
struct RangeFound {
  std::string dataKey, function;
  std::optional<std::int64_t> step = {};  ///< none: over all steps
  std::optional<std::array<double, 2>> ends =
      {};                ///< of what was looked at; none while it has no finite value
  double part = 0;       ///< that was looked at
  bool isWhole = false;  ///< that was all
  bool isOver =
      false;  ///< no more comes: there is too much to read for what nobody asked for, or it cannot be read
};

/// What a window knows of the least and greatest value of a function in the whole of its data.
struct WholeRange {
  std::optional<std::array<double, 2>> ends = {};  ///< of what was looked at, if that has values
  bool isWhole = false;                            ///< these are the ends of all values
  bool isLooking = false;                          ///< more is being looked at
  double part = 0;                                 ///< of the data, that was looked at
  bool canBeFound = false;                         ///< it is known, or would be by looking at all
};

/// Sums over all data.
struct PagingTotals {
  std::uint64_t requests = 0, hits = 0, misses = 0, pagesRead = 0, distinctPages = 0, evictions = 0;
  std::uint64_t prefetches = 0, prefetchesUsed = 0;
  std::uint64_t reads = 0, bytesRead = 0, remoteBytes = 0;
  double readSeconds = 0, decodeSeconds = 0;
};

/// Since the last time that nothing was computed.
struct BusyPeriod {
  PagingTotals before;
  double cpuSecondsBefore = 0;
  std::int64_t startNanoseconds = 0;
  std::uint64_t longestMissChain = 0;
};

struct WorkshopCounters {
  std::uint64_t budgetBytes = 0, usedBytes = 0, peakBytes = 0;
  std::array<std::uint64_t, kPurposeCount> bytesByPurpose{};
  std::uint64_t frameBytes = 0, residentBytes = 0;
  PagingTotals totals;
  double hitRate = 1;            ///< of the last interval; 1 where nothing was asked for
  double bytesPerSecond = 0;     ///< read, in the last interval
  double readsInFlight = 0;      ///< on average, in the last interval
  int running = 0, waiting = 0;  ///< objects
  std::int64_t atNanoseconds = 0;
  session::BoundBy boundBy;  ///< of the present busy period, or of the last one
  /// Where somebody looks (Workshop::setSight).
  std::shared_ptr<const PagingSight> sight = nullptr;
  /// By data, and there by step: the part that is in memory. Only of data with several steps.
  std::map<std::string, std::vector<float>> residentSteps = {};
  /// The same, kept on this machine's disk of data that are elsewhere.
  std::map<std::string, std::vector<float>> keptSteps = {};
  /// By data that are elsewhere.
  std::map<std::string, std::vector<LinkSight>> links = {};
};

/// Called by a workshop; any may be empty.
struct WorkshopEvents {
  std::function<void(const std::string& key)> opening;
  std::function<void(const std::string& key, std::shared_ptr<const DataSummary>)> opened;
  std::function<void(const std::string& key, const Problem&)> openFailed;
  /// Data that are open have more steps than before.
  std::function<void(const std::string& key, std::shared_ptr<const DataSummary>)> grown;
  /// Data that are open are what their files are now.
  std::function<void(const std::string& key, std::shared_ptr<const DataSummary>)> replaced;
  /// They are what they were; without a message where that was stopped.
  std::function<void(const std::string& key, const Problem&)> notReplaced;
  std::function<void(ObjectId id, std::uint64_t request)> started;
  std::function<void(const ObjectPicture&)> picture;
  std::function<void(const ObjectProgress&)> progress;
  std::function<void(const ObjectOutcome&)> ended;
  std::function<void(const LevelsReport&)> levels;  ///< with another lock held than the others
  std::function<void(const ProbeAnswer&)> probed;
  std::function<void(const CurveAnswer&)> curveRead;
  std::function<void(const RangeFound&)> rangeFound;
  std::function<void(const WorkshopCounters&)> counted;
};

}  // namespace farfield::app
