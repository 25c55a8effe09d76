#include "core/session/run/preview.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/disk_rate.h"
#include "core/fields/functions/node_places.h"
#include "core/paging/pages/changing_cells.h"
#include "core/session/run/opened_session.h"
#include "core/session/run/time_left.h"

namespace farfield::session {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// For trying tasks, divided among the objects.
constexpr milliseconds kTrialTime{2000};
/// Steps whose pages are looked up; more are taken to be like these.
constexpr std::size_t kStepsLookedUp = 16;
/// Memory for drawing in software, outside the budget (docs/user/memory.md).
constexpr std::uint64_t kDrawingBytes = std::uint64_t{130} << 20;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Number `n` of an order of 0 … count-1 that is evenly spread wherever it is cut off (van der Corput).
std::vector<std::size_t> spreadOrder(std::size_t count, std::size_t most) {
  std::vector<std::size_t> order;
  // if all are taken, the sequence comes to some of them more than once
  std::vector<bool> taken(count <= most ? count : 0);
  for (std::uint32_t n = 0; order.size() < std::min(count, most); ++n) {
    std::uint32_t reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (n >> bit & 1u) << (31 - bit);
    const auto at =
        static_cast<std::size_t>(static_cast<double>(reversed) / 4294967296.0 * static_cast<double>(count));
    if (!taken.empty()) {
      if (taken[at]) continue;
      taken[at] = true;
    }
    order.push_back(at);
  }
  return order;
}

/// What some tasks of an object cost.
struct Trial {
  std::size_t tasks = 0;
  std::uint64_t bytes = 0, decodedBytes = 0;
  double cpuSeconds = 0;
};

/// What it costs to find out what tasks need before any of them.
struct Prepared {
  double cpuSeconds = 0, bytes = 0, decodedBytes = 0;
  double storedShare =
      1;  ///< bytes as they are stored of a decoded one, of all that was read for this and by tasks
};

/// What `tasks` tasks read, from the last two trials, the last of which had about twice the tasks of the one
/// before. A power law overestimates, because it has no limit; a saturating curve n / (n + K) underestimates,
/// because it takes all tasks to be alike. The estimate is their geometric mean.
double extrapolated(const std::vector<Trial>& trials, std::uint64_t Trial::*what, std::size_t tasks) {
  const Trial& last = trials.back();
  const auto value = static_cast<double>(last.*what);
  if (last.tasks >= tasks || value <= 0) return value;
  const double more = static_cast<double>(tasks) / static_cast<double>(last.tasks);
  if (trials.size() < 2) return value * more;
  const Trial& before = trials[trials.size() - 2];
  const double steps = static_cast<double>(last.tasks) / static_cast<double>(before.tasks);
  const double growth = std::clamp(value / std::max(1.0, static_cast<double>(before.*what)), 1.0, steps);
  const double power = std::pow(more, std::log(growth) / std::log(steps));
  // growth = steps (1 + k) / (steps + k), with k = K / before.tasks; the next is that from last.tasks on.
  const double k = steps * (growth - 1) / std::max(steps - growth, 1e-9);
  const double saturating = more * (steps + k) / (steps * more + k);
  return value * std::sqrt(power * saturating);
}

/// Processor time of `tasks` tasks: those after the trials cost what the later trials did, which found pages
/// already decoded.
double cpuSecondsOf(const std::vector<Trial>& trials, std::size_t tasks) {
  const Trial& last = trials.back();
  Trial before;
  if (trials.size() > 1) before = trials[trials.size() - 2];
  const double each = (last.cpuSeconds - before.cpuSeconds) / static_cast<double>(last.tasks - before.tasks);
  return last.cpuSeconds + each * static_cast<double>(tasks - std::min(tasks, last.tasks));
}

class Preview {
 public:
  Preview(const Session& session, const fields::ReaderRegistry& readers, const RunOptions& options,
          std::stop_token stop)
      : m_session(session),
        m_readers(readers),
        m_options(options),
        m_stop(std::move(stop)),
        m_account(options.memoryBytes) {}

  RunPreview make() {
    requireShowable(m_session, m_options);
    const auto start = Clock::now();
    m_runs = openSession(m_session, m_readers, m_options, m_account);
    divideMemory(m_runs, m_session, m_readers, m_options, m_account);
    m_preview.openSeconds = secondsSince(start);
    m_rssWhenOpen = currentRssBytes();
    m_steps = chosenSteps(m_runs, m_session, m_readers, m_account);
    m_preview.steps = m_steps.size();
    m_preview.budgetBytes = m_account.budgetBytes();
    m_preview.smallestBudgetBytes = smallestBudget();
    for (DataRun& run : m_runs) addData(run);
    addMemory();
    addTime();
    return std::move(m_preview);
  }

 private:
  /// Searched from 1 KiB on. If even the rehearsal needs more (a very large catalog), it gets more.
  std::uint64_t smallestBudget() const {
    for (std::uint64_t from = 1024; from < m_account.budgetBytes(); from *= 2) try {
        return smallestSessionBudget(m_session, m_readers, m_options, from);
      } catch (const OverBudget&) {
        continue;
      }
    return m_account.budgetBytes();
  }

  /// Of what is read.
  static bool isUsed(const paging::DatasetDescription& data, const paging::ArrayDescription& array,
                     const ObjectRun& object) {
    if (fields::areComputedPlaces(data, array)) return false;
    return array.isGrid() ||
           std::find(object.arrays().begin(), object.arrays().end(), array.name) != object.arrays().end();
  }

  /// The share of what one step reads that is read once for all steps.
  static double staticShare(const DataRun& run, const ObjectRun& object) {
    double all = 0, still = 0;
    for (const paging::ArrayDescription& array : run.data->description().arrays) {
      if (!isUsed(run.data->description(), array, object)) continue;
      const auto bytes = static_cast<double>(product(array.layout.dims()) * array.nodeBytes());
      all += bytes;
      if (array.steps == 1) still += bytes;
    }
    return all > 0 ? still / all : 1;
  }

  /// Decoded bytes of one step; more cannot be read without reading again.
  static double wholeBytes(const DataRun& run, const ObjectRun& object) {
    double all = 0;
    for (const paging::ArrayDescription& array : run.data->description().arrays)
      if (isUsed(run.data->description(), array, object))
        all += static_cast<double>(product(array.layout.dims()) * array.nodeBytes());
    return all;
  }

  void addData(DataRun& run) {
    std::vector<GatheredNodes> known;
    for (const auto& object : run.objects) {
      ObjectPreview preview;
      preview.name = object->object().name;
      preview.type = nameOf(object->object().type());
      preview.taskName = object->taskName();
      inObject(object->object(), [&] { addObject(run, *object, known, preview); });
      m_preview.objects.push_back(std::move(preview));
    }
    const TouchedPages shared = touchedInAllSteps(run, known);
    m_preview.bytesToRead += shared.storedBytes;
    m_preview.decodedBytes += shared.decodedBytes;
    measureDisk(run);
    m_preview.frameBytes += run.paged->plan().frameBytes;
    m_preview.processors = std::max(m_preview.processors, run.paged->plan().processors);
    m_preview.tasksInFlight += run.paged->plan().maxTasks;
  }

  void addObject(DataRun& run, ObjectRun& object, std::vector<GatheredNodes>& known, ObjectPreview& preview) {
    const paging::DatasetDescription& description = run.data->description();
    const std::size_t tasks = object.taskCount(description);
    preview.tasks = tasks;
    const auto regions = object.gathered(description);
    preview.pagesAreKnown = regions.has_value();
    Prepared prepared;
    const std::vector<Trial> trials = tryTasks(run, object, preview, prepared);
    const auto steps = static_cast<double>(m_steps.size());
    // what is found out about cells is so once for all steps that have them
    preview.cpuSeconds = prepared.cpuSeconds * (paging::cellsChange(description) ? steps : 1);
    if (!trials.empty()) preview.cpuSeconds += cpuSecondsOf(trials, tasks) * steps;
    if (regions) {
      preview.bytes = touchedInAllSteps(run, *regions).storedBytes;
      known.insert(known.end(), regions->begin(), regions->end());
      return;
    }
    if (trials.empty() && prepared.decodedBytes <= 0) return;
    const double still = staticShare(run, object);
    const double times = still + (1 - still) * steps;
    const double whole = wholeBytes(run, object);
    const auto ofTasks = [&](std::uint64_t Trial::*what) {
      return trials.empty() ? 0 : extrapolated(trials, what, tasks);
    };
    const double decoded = std::min(prepared.decodedBytes + ofTasks(&Trial::decodedBytes), whole);
    // all pages are assumed to compress as those that were read
    const double bytes = std::min(prepared.bytes + ofTasks(&Trial::bytes), whole * prepared.storedShare);
    preview.bytes = static_cast<std::uint64_t>(bytes * times);
    m_preview.bytesToRead += preview.bytes;
    m_preview.decodedBytes += static_cast<std::uint64_t>(decoded * times);
  }

  TouchedPages touchedInAllSteps(const DataRun& run, const std::vector<GatheredNodes>& regions) const {
    TouchedPages all;
    if (m_steps.empty()) return all;
    const auto add = [&](const TouchedPages& more, double times) {
      const auto scaled = [&](std::uint64_t n) {
        return static_cast<std::uint64_t>(std::llround(static_cast<double>(n) * times));
      };
      all.pages += scaled(more.pages);
      all.storedBytes += scaled(more.storedBytes);
      all.decodedBytes += scaled(more.decodedBytes);
    };
    const bool inTime = run.data->description().steps() > 1;
    // arrays that change are counted for some steps, the others once
    const TouchedPages first = touchedPages(*run.data, regions, run.ownStep(m_steps.front()), true);
    add(first, 1);
    if (!inTime || m_steps.size() == 1) return all;
    const std::size_t looked = std::min(m_steps.size() - 1, kStepsLookedUp);
    for (std::size_t n = 1; n <= looked; ++n) {
      const std::size_t at = n * (m_steps.size() - 1) / looked;
      add(touchedPages(*run.data, regions, run.ownStep(m_steps[at]), false),
          static_cast<double>(m_steps.size() - 1) / static_cast<double>(looked));
    }
    return all;
  }

  /// Runs more and more tasks of the first step, twice as many each time, while time is left. Where there was too little for what they need
  /// before, none is run, and what that costs is known in part.
  std::vector<Trial> tryTasks(DataRun& run, ObjectRun& object, ObjectPreview& preview, Prepared& prepared) {
    std::size_t shown = 0;
    for (const DataRun& each : m_runs) shown += each.objects.size();
    const milliseconds time =
        std::max(milliseconds{1}, kTrialTime / static_cast<int>(std::max<std::size_t>(shown, 1)));
    const auto start = Clock::now();
    const std::vector<std::size_t> order =
        spreadOrder(object.taskCount(run.data->description()), object.mostTrials());
    const ObjectSurroundings surroundings{*run.paged, m_account, {}, m_stop, {}};
    std::vector<Trial> trials;
    Trial sum;
    std::uint64_t bytesBefore = run.paged->sourceCounters().bytesRead;
    // pages of other objects are evicted, as if the object were alone
    run.paged->cache().evictAll();
    std::uint64_t decodedBefore = run.paged->cache().counters().decodedBytes;
    const auto read = [&] {
      return static_cast<double>(run.paged->sourceCounters().bytesRead - bytesBefore);
    };
    const auto decoded = [&] {
      return static_cast<double>(run.paged->cache().counters().decodedBytes - decodedBefore);
    };
    const std::int64_t step = run.ownStep(m_steps.front());
    // of none: what comes before all of them
    const tasks::GroupResult before = object.tryTasks(surroundings, step, {}, leftOf(time, start));
    double allRead = read(), allDecoded = decoded();
    prepared = {before.busySeconds, allRead, allDecoded};
    preview.isLeast = before.outOfTime;
    bytesBefore = run.paged->sourceCounters().bytesRead;
    decodedBefore = run.paged->cache().counters().decodedBytes;
    for (std::size_t next = 0; !before.outOfTime && next < order.size();) {
      const std::size_t count = std::min(std::max<std::size_t>(next, 1), order.size() - next);
      if (Clock::now() - start >= time) break;
      const tasks::GroupResult result =
          object.tryTasks(surroundings, step, std::span(order).subspan(next, count), leftOf(time, start));
      sum.cpuSeconds += result.busySeconds;
      if (result.outOfTime && !trials.empty()) break;
      next += count;
      sum.tasks = next;
      sum.bytes = static_cast<std::uint64_t>(read());
      sum.decodedBytes = static_cast<std::uint64_t>(decoded());
      trials.push_back(sum);
      preview.isLeast = result.outOfTime;
      if (result.outOfTime) break;
    }
    if (!trials.empty()) preview.tried = trials.back().tasks;
    if (trials.empty() && !order.empty() && prepared.cpuSeconds > 0) preview.isLeast = true;
    allRead += read();
    allDecoded += decoded();
    if (allDecoded > 0) prepared.storedShare = allRead / allDecoded;
    return trials;
  }

  /// On the first file, with requests of the size that the trials had, else of a stored page.
  void measureDisk(const DataRun& run) {
    if (m_preview.readBytesPerSecond > 0) return;
    const paging::SourceCounters tried = run.paged->sourceCounters();
    const paging::DatasetDescription& description = run.data->description();
    double pages = 0, bytes = 0;
    for (const paging::ArrayDescription& array : description.arrays) {
      pages += static_cast<double>(array.pageCount());
      bytes += static_cast<double>(product(array.layout.dims()) * array.nodeBytes() * array.steps);
    }
    if (description.storedBytes > 0) bytes = static_cast<double>(description.storedBytes);
    const std::uint64_t request = tried.reads > 0 ? tried.bytesRead / tried.reads
                                                  : static_cast<std::uint64_t>(pages > 0 ? bytes / pages : 0);
    const fields::OpenRequest opened = requestOf(m_session, *run.source);
    for (const auto* names : {&opened.solutions, &opened.sources}) {
      if (names->empty() || m_preview.readBytesPerSecond > 0) continue;
      const int readers = m_options.scheduler == tasks::SchedulerKind::Serial ? 1 : m_options.readers;
      m_preview.readBytesPerSecond = measureReadRate(names->front(), request, readers);
      m_preview.requestBytes = request;
    }
  }

  void addMemory() {
    const std::uint64_t frames = std::min(m_preview.frameBytes, m_preview.decodedBytes);
    m_preview.readsMoreThanOnce = m_preview.decodedBytes > m_preview.frameBytes;
    m_preview.memoryBytes =
        m_account.usedBytes() - std::min(m_account.usedBytes(), m_preview.frameBytes) + frames;
    m_preview.rssBytes = m_rssWhenOpen + frames + (m_session.output.images ? kDrawingBytes : 0);
  }

  void addTime() {
    double cpu = 0;
    for (const ObjectPreview& object : m_preview.objects) cpu += object.cpuSeconds;
    const double computing = cpu / std::max(1, m_preview.processors);
    const double reading = m_preview.readBytesPerSecond > 0
                               ? static_cast<double>(m_preview.bytesToRead) / m_preview.readBytesPerSecond
                               : 0;
    const bool serial = m_options.scheduler == tasks::SchedulerKind::Serial;
    m_preview.seconds = m_preview.openSeconds + (serial ? computing + reading : std::max(computing, reading));
    if (computing > 0 || reading > 0) m_preview.boundBy = reading > computing ? "disk" : "compute";
    if (m_preview.boundBy.empty()) m_preview.boundBy = "nothing";
  }

  const Session& m_session;
  const fields::ReaderRegistry& m_readers;
  const RunOptions& m_options;
  std::stop_token m_stop;
  MemoryAccount m_account;
  std::vector<DataRun> m_runs;
  std::vector<std::int64_t> m_steps;
  std::uint64_t m_rssWhenOpen = 0;
  RunPreview m_preview;
};

}  // namespace

RunPreview previewSession(const Session& session, const fields::ReaderRegistry& readers,
                          const RunOptions& options, std::stop_token stop) {
  return Preview(session, readers, options, std::move(stop)).make();
}

}  // namespace farfield::session
