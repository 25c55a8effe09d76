#include "core/session/run/runner.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/small_pages.h"
#include "core/base/stoppable_waits.h"
#include "core/base/url.h"
#include "core/fields/words/axis_names.h"
#include "core/fields/words/dates.h"
#include "core/paging/pages/changing_cells.h"
#include "core/scene/legend_looks.h"
#include "core/scene/legend_title.h"
#include "core/session/legend_owner.h"
#include "core/session/results/spool_file.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/contrasting_lines.h"
#include "core/session/run/opened_session.h"
#include "core/session/run/picture_text.h"
#include "core/session/run/result_files.h"
#include "core/session/run/time_budget.h"
#include "core/session/session_camera.h"
#include "core/session/view_layout.h"
#include "core/trace/trace.h"

namespace farfield::session {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of this process so far. measureProcess() asks the system for more, which takes longer than some steps.
double cpuSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// An object during the run.
struct ShownObject {
  DataRun& data;
  ObjectRun& run;
  ObjectStats& stats;
  std::size_t next = 0;  ///< index of the chosen step at which it continues
};

/// The work of runSession, in order.
class Run {
 public:
  Run(const Session& session, const fields::ReaderRegistry& readers, const RunOptions& options,
      std::stop_token stop)
      : m_session(session),
        m_readers(readers),
        m_options(options),
        m_stop(std::move(stop)),
        m_account(options.memoryBytes) {}

  RunStats run() {
    const Clock::time_point start = Clock::now();
    const StoppableWaits drawsAndWrites(m_stop);  // results are visited for both
    requireShowable(m_session, m_options);
    m_runs = openSession(m_session, m_readers, m_options, m_account);
    takeObjects();
    m_chosen = chosenSteps(m_runs, m_session, m_readers, m_account);
    const bool turns = m_options.turn.has_value();
    m_inSeries = turns ? std::max(1, m_options.turn->pictures) : m_options.flowPictures;
    if (m_inSeries > 0 && m_chosen.size() > 1)
      throw Invalid(std::string("a ") + (turns ? "turn" : "flow of particles") +
                        " is of one step, and there are " + std::to_string(m_chosen.size()),
                    "choose one: --set time.steps=N");
    m_files.emplace(m_session, m_options.outputFolder,
                    ResultFiles::Naming{m_chosen.size(), m_options.numbered || m_options.unfinished,
                                        m_inSeries, turns ? "turn" : "flow"});
    if (m_session.output.images)
      for (const std::int64_t step : m_chosen)
        for (const auto& picture : m_files->picturesOf(step)) m_stats.pictures.push_back(picture);
    const std::vector<bool> left = lookForFiles();
    if (m_session.output.images && std::find(left.begin(), left.end(), false) != left.end())
      findRanges(m_runs, m_session, drawnSteps(left), m_readers, m_options, m_account, m_stop);
    divideMemory(m_runs, m_session, m_readers, m_options, m_account);
    makeOutputFolder();
    m_stats.steps = m_chosen.size();
    if (m_allThere) {
      m_stats.stepsLeftOut = m_stats.steps;
    } else {
      try {
        begin(static_cast<std::size_t>(std::find(left.begin(), left.end(), false) - left.begin()));
        for (std::size_t n = 0; n < m_chosen.size(); ++n) goThrough(n, !left[n]);
        if (m_options.unfinished)
          checkUnchanged();
        else
          end();
      } catch (const Corrupt&) {
        takeBackWhereChanged();
        throw;
      }
    }
    m_stats.wallSeconds = secondsSince(start);
    addPagingStats();
    measureProcess(m_stats);
    return std::move(m_stats);
  }

 private:
  /// In the order of the session, which is that of the legends in its pictures.
  void takeObjects() {
    for (const Object& object : m_session.objects)
      if (object.visible) m_stats.objects.push_back({object.name, nameOf(object.type()), 0, 0, 0, {}});
    for (ObjectStats& stats : m_stats.objects)
      for (DataRun& data : m_runs)
        for (const auto& run : data.objects)
          if (run->object().name == stats.name) m_objects.push_back({data, *run, stats});
  }

  std::vector<const ObjectRun*> shownObjects() const {
    std::vector<const ObjectRun*> shown;
    for (const ShownObject& each : m_objects) shown.push_back(&each.run);
    return shown;
  }

  /// Declares all files; returns for each step whether all its files exist and stay.
  std::vector<bool> lookForFiles() {
    const std::vector<const ObjectRun*> shown = shownObjects();
    std::vector<bool> left;
    for (const std::int64_t step : m_chosen)
      left.push_back(m_options.resume && areThere(m_files->ofStep(shown, step)));
    const std::vector<std::filesystem::path> ofRun = m_files->ofRun(shown);
    m_allThere = std::find(left.begin(), left.end(), false) == left.end() && areThere(ofRun);
    if (!ofRun.empty() && (m_options.unfinished || leavesOff(shown))) m_allThere = false;
    if (!m_options.declareFile) return left;
    for (std::size_t n = 0; n < m_chosen.size(); ++n)
      for (const auto& file : m_files->ofStep(shown, m_chosen[n])) {
        m_options.declareFile(file, left[n]);
        if (file.extension() != ".pvtp") continue;
        // how many there will be is not known yet
        for (std::uint64_t piece = 0; std::filesystem::exists(piecePath(file, piece)); ++piece)
          m_options.declareFile(piecePath(file, piece), left[n]);
      }
    for (const auto& file : ofRun) m_options.declareFile(file, m_allThere);
    for (const ShownObject& each : m_objects) {
      if (!each.run.carriesState() || m_allThere) continue;
      const std::filesystem::path checkpoint = m_files->checkpointOf(each.run.object());
      m_options.declareFile(checkpoint, m_options.resume && std::filesystem::exists(checkpoint));
    }
    return left;
  }

  std::vector<std::int64_t> drawnSteps(const std::vector<bool>& left) const {
    std::vector<std::int64_t> steps;
    for (std::size_t n = 0; n < m_chosen.size(); ++n)
      if (!left[n]) steps.push_back(m_chosen[n]);
    return steps;
  }

  /// Whether what is there of the whole run may be of fewer steps: a run that ends removes its checkpoints, so where one is left the
  /// file is of an earlier run; and where there are no files of steps, nothing says of how many the file is.
  bool leavesOff(const std::vector<const ObjectRun*>& shown) const {
    if (m_chosen.size() > 1 && m_files->ofStep(shown, m_chosen.front()).empty()) return true;
    return std::any_of(shown.begin(), shown.end(), [this](const ObjectRun* const run) {
      return run->geometryFiles() == GeometryFiles::PerRun && run->carriesState() &&
             std::filesystem::exists(m_files->checkpointOf(run->object()));
    });
  }

  void makeOutputFolder() {
    std::error_code failure;
    std::filesystem::create_directories(m_options.outputFolder, failure);
    if (failure)
      throw Io("cannot be made: " + failure.message(), "name another folder to write to")
          .at("folder " + m_options.outputFolder.string());
  }

  ObjectSurroundings surroundingsOf(const ShownObject& object, const std::string& what) {
    ObjectSurroundings its{*object.data.paged, m_account, spoolFolder(m_options.outputFolder), m_stop, {}};
    its.makeVolume = m_options.makeVolume;
    its.makeSlabs = m_options.makeSlabs;
    its.askResults = m_options.askResults;
    its.traceLines = m_options.traceLines;
    its.processors = m_options.processors;
    if (m_options.progress)
      its.progress = [this, what](std::size_t done, std::size_t total) {
        m_options.progress(what, done, total);
      };
    return its;
  }

  /// Before results are written: results from data that changed meanwhile would be a mixture.
  void checkUnchanged() const {
    for (const DataRun& run : m_runs) try {
        run.data->checkUnchanged();
      } catch (Error& error) {
        error.at("data " + run.source->name);
        throw;
      }
  }

  /// Nobody knows since when they have been others, so what this run wrote of its steps does not stay: resuming would take it as done.
  void takeBackWhereChanged() const noexcept {
    try {
      checkUnchanged();
    } catch (const Corrupt&) {
      std::error_code ignored;
      for (const std::filesystem::path& file : m_written) {
        std::filesystem::remove(file, ignored);
        if (file.extension() != ".pvtp") continue;
        for (std::uint64_t piece = 0; std::filesystem::remove(piecePath(file, piece), ignored); ++piece) {
        }
      }
      for (const ShownObject& each : m_objects)
        if (each.run.carriesState()) each.run.removeCheckpoint(m_files->checkpointOf(each.run.object()));
    } catch (...) {
      // it is not known
    }
  }

  void begin(std::size_t firstToWrite) {
    for (ShownObject& each : m_objects)
      inObject(each.run.object(), [&] {
        RunSteps steps;
        for (const std::int64_t step : m_chosen) steps.chosen.push_back(each.data.ownStep(step));
        steps.first = firstToWrite;
        if (m_options.resume) steps.checkpoint = m_files->checkpointOf(each.run.object());
        each.next = each.run.begin(surroundingsOf(each, each.run.object().name), steps);
      });
  }

  /// Computes one step. If its files exist nothing is written, and only objects that need it to go on are
  /// computed.
  void goThrough(std::size_t number, bool write) {
    const std::int64_t step = m_chosen[number];
    std::optional<SmallPages> pages;
    if (std::any_of(m_objects.begin(), m_objects.end(),
                    [](const ShownObject& each) { return isLittleTime(each.run.object().budgetMs); }))
      pages.emplace();
    if (write)
      for (std::filesystem::path& file : m_files->ofStep(shownObjects(), step))
        m_written.push_back(std::move(file));
    scene::Scene scene;
    m_drawn.clear();
    bool computed = false;
    for (ShownObject& each : m_objects) {
      if (each.run.carriesState() ? number < each.next : !write) continue;
      computed = true;
      inObject(each.run.object(), [&] { showObject(each, step, write, scene); });
    }
    if (!write && !computed) ++m_stats.stepsLeftOut;
    if (write && m_session.output.images)
      draw(scene, step, m_files->suffixOf(step).empty() ? m_session.image.title : titleOf(step));
    for (ShownObject& each : m_objects)
      inObject(each.run.object(), [&] {
        if (write && each.run.geometryFiles() != GeometryFiles::PerRun) each.run.count(each.stats);
        each.run.countMissing(each.stats);
        if (each.run.carriesState() && number >= each.next)
          each.run.writeCheckpoint(m_files->checkpointOf(each.run.object()));
      });
  }

  void end() {
    checkUnchanged();
    for (ShownObject& each : m_objects)
      inObject(each.run.object(), [&] {
        const Object& object = each.run.object();
        const Clock::time_point start = Clock::now();
        each.run.end(surroundingsOf(each, object.name));
        each.stats.seconds += secondsSince(start);
        if (each.run.geometryFiles() == GeometryFiles::PerRun) {
          if (m_session.output.geometry) each.run.writeGeometry(m_files->geometryOf(object));
          each.run.count(each.stats);
        }
      });
    for (const ShownObject& each : m_objects)
      if (each.run.carriesState()) each.run.removeCheckpoint(m_files->checkpointOf(each.run.object()));
  }

  /// Whose steps and times pictures name: the first of those with the most. There are some.
  const DataRun& withSteps() const {
    const std::vector<const DataRun*> drawn = drawnRuns();
    return **std::max_element(drawn.begin(), drawn.end(), [](const DataRun* a, const DataRun* b) {
      return a->data->description().steps() < b->data->description().steps();
    });
  }

  bool isDrawn(const Object& object) const {
    return !m_options.view || isShownIn(m_session.layout, *m_options.view, object);
  }

  /// Those of which the view is that is drawn; all, where it is of none alone.
  std::vector<const DataRun*> drawnRuns() const {
    std::vector<const DataRun*> drawn;
    for (const DataRun& run : m_runs)
      if (std::any_of(run.objects.begin(), run.objects.end(),
                      [this](const auto& each) { return isDrawn(each->object()); }))
        drawn.push_back(&run);
    if (drawn.empty())
      for (const DataRun& run : m_runs) drawn.push_back(&run);
    return drawn;
  }

  std::string titleOf(std::int64_t step) const {
    if (!m_session.image.title.empty() || m_runs.empty()) return m_session.image.title;
    char text[64];
    const paging::DatasetDescription& data = withSteps().data->description();
    // Data that the picture does not show may have more.
    const std::int64_t own = std::min(step, data.steps() - 1);
    if (const auto date = fields::saidDate(data, own)) return "step " + std::to_string(own) + ", " + *date;
    std::snprintf(text, sizeof text, "step %lld, t = %g", static_cast<long long>(own),
                  data.times[static_cast<std::size_t>(own)]);
    return text;
  }

  void showObject(ShownObject& each, std::int64_t step, bool write, scene::Scene& scene) {
    const trace::Scope scope("session", "object");
    const Clock::time_point start = Clock::now();
    const Object& object = each.run.object();
    const double cpuBefore = cpuSeconds();
    ObjectSurroundings surroundings = surroundingsOf(each, object.name + m_files->suffixOf(step));
    if (const auto next = std::upper_bound(m_chosen.begin(), m_chosen.end(), step); next != m_chosen.end())
      surroundings.nextStep = each.data.ownStep(*next);
    each.run.step(surroundings, each.data.ownStep(step));
    const double used = cpuSeconds() - cpuBefore;
    m_measures.cpuSeconds += used;
    m_measures.wallSeconds += secondsSince(start);
    each.stats.seconds += secondsSince(start);
    const bool writesFile = write && m_session.output.geometry;
    if (writesFile) each.run.complete(surroundings, each.data.ownStep(step));
    if (writesFile && each.run.geometryFiles() == GeometryFiles::PerStep) {
      const std::filesystem::path file = m_files->geometryOf(each.run, step);
      if (m_files->isInPieces(each.run))
        each.run.writePieces(file, static_cast<std::uint64_t>(m_session.output.pieceTriangles));
      else
        each.run.writeGeometry(file);
    }
    if (write && m_session.output.images) {
      const Clock::time_point looks = Clock::now();
      each.run.beforePicture(surroundings);
      scene.items.push_back(each.run.item());
      each.stats.seconds += secondsSince(looks);
      m_drawn.push_back(&object);
      if (isDrawn(object) || m_session.layout.over)
        scene.bounds.add(paging::boundsInTime(each.run.bounds(), each.data.data->description()));
    }
    each.stats.cpuSeconds += used;
    each.stats.mostTasksInFlight = std::max(each.stats.mostTasksInFlight, each.run.lastGroup().mostInFlight);
    m_measures.longestMissChain =
        std::max(m_measures.longestMissChain, each.run.lastGroup().longestWaitChain);
    if (m_stop.stop_requested()) throw Cancelled();
  }

  void draw(scene::Scene& scene, std::int64_t step, const std::string& title) {
    if (!m_options.drawImage)
      throw Unsupported("pictures cannot be drawn by this build", "set output.images to false");
    const trace::Scope scope("session", "draw");
    const auto& size = m_session.image.sizePixels;
    const std::string what = "picture" + m_files->suffixOf(step);
    scene.background = m_session.image.background;
    scene.title = title;
    // with nothing visible, the place where it would be; without data, any place
    if (scene.bounds.empty() && !m_runs.empty()) scene.bounds = m_runs.front().paged->bounds();
    if (scene.bounds.empty()) {
      scene.bounds.add(Vec3{0, 0, 0});
      scene.bounds.add(Vec3{1, 1, 1});
    }
    scene.camera = cameraOf(m_session, scene.bounds, static_cast<double>(size[0]) / size[1]);
    shareColors(scene, step);
    leaveOutOtherViews(scene);
    contrastLines(scaledItems(scene));
    for (std::size_t n = 0; n < scene.items.size(); ++n) {
      scene::SceneItem& item = scene.items[n];
      if (const auto* const look = scene::legendLook(m_session.image.legends,
                                                     legendOwner(*m_drawn[n], m_session), item.scale.title))
        scene::setLegend(item.scale, *look);
      if (!m_session.image.legend) item.scale.title.clear();
    }
    scene.notes = m_session.image.notes;
    std::vector<const paging::DatasetDescription*> seen;
    for (const DataRun* const run : drawnRuns()) seen.push_back(&run->data->description());
    scene.notes.axisNames = fields::saidOf(fields::axisNames(seen));
    scene.clip = m_session.image.clip;
    scene.phase = m_session.image.phase;
    if (!m_runs.empty()) {
      const DataRun &first = *drawnRuns().front(), &timed = withSteps();
      const auto said = [&](const std::string& text) {
        return pictureText(text, first.data->description(), first.ownStep(step), timed.data->description(),
                           timed.ownStep(step));
      };
      for (scene::TextNote& note : scene.notes.texts) note.text = said(note.text);
      scene.title = said(scene.title);
    }
    const std::vector<std::filesystem::path> pictures = m_files->picturesOf(step);
    // volumes are computed while they are drawn
    const bool computes = std::any_of(scene.items.begin(), scene.items.end(),
                                      [](const scene::SceneItem& item) { return item.volume != nullptr; });
    std::vector<scene::Camera> cameras;
    if (m_options.turn) {
      scene::Turntable turn = *m_options.turn;
      if (length(turn.axis) == 0) turn.axis = scene.camera.up;
      cameras = turnOf(turn, scene.camera, scene.bounds, static_cast<double>(size[0]) / size[1]).cameras;
    }
    for (std::size_t n = 0; n < pictures.size(); ++n) {
      if (m_options.progress) m_options.progress(what, n, pictures.size());
      if (m_stop.stop_requested()) throw Cancelled();
      if (m_options.turn)
        scene.camera = cameras[n];
      else if (m_inSeries > 0)
        scene.phase = m_session.image.phase + static_cast<double>(n) / m_inSeries;
      // Of a series that was interrupted some are there.
      if (m_inSeries > 0 && m_options.resume && areThere({pictures[n]})) continue;
      const Clock::time_point start = Clock::now();
      const double cpuBefore = cpuSeconds();
      m_options.drawImage(scene, size, pictures[n]);
      if (!computes) continue;
      m_measures.cpuSeconds += cpuSeconds() - cpuBefore;
      m_measures.wallSeconds += secondsSince(start);
    }
    if (m_options.progress) m_options.progress(what, pictures.size(), pictures.size());
  }

  std::vector<ScaledItem> scaledItems(scene::Scene& scene) const {
    std::vector<ScaledItem> scaled;
    for (std::size_t n = 0; n < scene.items.size(); ++n) scaled.push_back({m_drawn[n], &scene.items[n]});
    return scaled;
  }

  void leaveOutOtherViews(scene::Scene& scene) {
    for (std::size_t n = scene.items.size(); n-- > 0;)
      if (!isDrawn(*m_drawn[n])) {
        scene.items.erase(scene.items.begin() + static_cast<std::ptrdiff_t>(n));
        m_drawn.erase(m_drawn.begin() + static_cast<std::ptrdiff_t>(n));
      }
  }

  void shareColors(scene::Scene& scene, std::int64_t step) {
    shareRanges(
        scaledItems(scene),
        [&](const std::string& data, const std::string& function, RangeOf which) {
          std::optional<std::array<double, 2>> range;
          for (const DataRun& run : m_runs)
            if (run.source->name == data) range = run.rangeOf(function, which, step);
          return range;
        },
        m_session.layout.over);
    for (const scene::SceneItem& item : scene.items)
      if (item.colored && item.scale.reachesDown && m_toldOfLogarithm.insert(item.scale.title).second)
        log::warning(
            item.name + ": " + item.scale.title +
            " has values of 0 and less, which have no logarithm, or a few far below the others: they are "
            "shown as values below the range");
  }

  void addPagingStats() {
    PagingStats& paging = m_stats.paging;
    paging.budgetBytes = m_account.budgetBytes();
    paging.peakBytes = m_account.peakBytes();
    paging.longestMissChain = m_measures.longestMissChain;
    m_measures.tasksAsked = m_measures.tasksAllowed = 0;
    for (const DataRun& run : m_runs) {
      const paging::MemoryPlan& plan = run.paged->plan();
      const bool serial = m_options.scheduler == tasks::SchedulerKind::Serial;
      const int asked = serial ? 1 : m_options.processors * run.paged->options().tasksPerProcessor;
      const int allowed = plan.processors * plan.tasksPerProcessor;
      // Of several data sets, those that have the least of what they ask for.
      if (m_measures.tasksAsked == 0 || allowed * m_measures.tasksAsked < m_measures.tasksAllowed * asked) {
        m_measures.tasksAsked = asked;
        m_measures.tasksAllowed = allowed;
      }
      const paging::SourceCounters source = run.paged->sourceCounters();
      paging.reads += source.reads;
      paging.bytesRead += source.bytesRead;
      for (const paging::SourceReport& report : run.paged->sourceReports()) {
        if (!report.isHere) m_measures.remoteBytes += report.counters.bytesRead;
        paging.sources.push_back({report.name, report.counters.reads, report.counters.bytesRead,
                                  report.roundTripMs, report.bytesPerSecond / 1e6, report.reconnects});
      }
    }
    if (!m_runs.empty()) {
      const paging::CacheCounters cache = m_runs.front().paged->cache().counters();
      paging.requests = cache.requests;
      paging.hits = cache.hits;
      paging.misses = cache.misses;
      paging.prefetches = cache.prefetches;
      paging.prefetchesUsed = cache.prefetchesUsed;
      paging.evictions = cache.evictions;
      m_measures.decodeSeconds = cache.decodeSeconds;
      m_measures.readSeconds = cache.readSeconds;
      m_measures.pagesRead = cache.pagesRead;
      m_measures.distinctPages = cache.distinctPages;
      m_measures.evictions = cache.evictions;
    }
    m_measures.bytesRead = paging.bytesRead;
    m_measures.budgetBytes = m_account.budgetBytes();
    m_measures.processors = m_options.processors;
    m_measures.readers = m_options.readers;
    m_stats.boundBy = judge(m_measures);
  }

  const Session& m_session;
  const fields::ReaderRegistry& m_readers;
  const RunOptions& m_options;
  std::stop_token m_stop;
  MemoryAccount m_account;
  std::vector<DataRun> m_runs;
  std::vector<ShownObject> m_objects;
  std::vector<std::int64_t> m_chosen;
  std::optional<ResultFiles> m_files;
  std::vector<const Object*> m_drawn;            ///< the objects of the picture's items
  std::vector<std::filesystem::path> m_written;  ///< of steps, by this run
  std::set<std::string> m_toldOfLogarithm;
  int m_inSeries = 0;       ///< pictures of a turn or a flow
  bool m_allThere = false;  ///< all files of the run exist
  RunStats m_stats;
  RunMeasures m_measures;
};

}  // namespace

fields::OpenRequest requestOf(const Session& session, const DataSource& source) {
  fields::OpenRequest request;
  for (const std::string& written : source.source)
    for (const std::string& name : fields::expandPattern(session.resolve(written)))
      request.sources.push_back(name);
  const bool isRemote = !source.source.empty() && isUrl(source.source.front());
  for (const std::string& written : source.solution)
    // beside remote data; else beside the session
    for (const std::string& name : isRemote
                                       ? std::vector<std::string>{besideUrl(source.source.front(), written)}
                                       : fields::expandPattern(session.resolve(written)))
      request.solutions.push_back(name);
  request.reader = source.reader;
  for (const auto& [key, value] : source.options) request.options[key] = textOf(value);
  return request;
}

RunStats runSession(const Session& session, const fields::ReaderRegistry& readers, const RunOptions& options,
                    std::stop_token stop) {
  return Run(session, readers, options, std::move(stop)).run();
}

}  // namespace farfield::session
