#include "core/session/run/runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/base/error.h"
#include "core/session/run/opened_session.h"
#include "core/session/session_camera.h"
#include "core/session/spool_file.h"
#include "core/trace/trace.h"

namespace farfield::session {
namespace {

/// "_0042" where there are several steps: of all files of a run or of none. What follows the last underscore
/// is the step then, so the step 42 of `lines` and any step of an object called `lines_0042` have different
/// names.
std::string stepSuffix(std::int64_t step, std::size_t stepCount) {
  if (stepCount < 2) return {};
  char text[24];
  std::snprintf(text, sizeof text, "_%04lld", static_cast<long long>(step));
  return text;
}

std::vector<std::filesystem::path> filesOfStep(const Session& session, const RunOptions& options,
                                               std::int64_t step, std::size_t stepCount) {
  std::vector<std::filesystem::path> files;
  const std::string suffix = stepSuffix(step, stepCount);
  if (session.output.geometry)
    for (const Object& object : session.objects)
      if (object.visible) files.push_back(options.outputFolder / (object.name + suffix + ".vtp"));
  if (session.output.images) files.push_back(options.outputFolder / (session.name + suffix + ".png"));
  return files;
}

/// The work of runSession, in the order in which it happens.
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
    const auto start = std::chrono::steady_clock::now();
    requireShowable(m_session, m_options);
    m_runs = openSession(m_session, m_readers, m_options, m_account);
    for (const Object& object : m_session.objects)
      if (object.visible) m_stats.objects.push_back({object.name, nameOf(object.type()), 0, 0, 0, {}});
    const std::vector<std::int64_t> chosen = m_session.time.stepsOf(stepsOf(m_runs));
    for (std::size_t n = 0; m_options.declareFile && n < chosen.size(); ++n) {
      const auto files = filesOfStep(m_session, m_options, chosen[n], chosen.size());
      const bool kept = isLeftOut(files);
      for (const auto& file : files) m_options.declareFile(file, kept);
    }
    makeOutputFolder();
    m_stats.steps = chosen.size();
    for (const std::int64_t step : chosen) {
      const auto files = filesOfStep(m_session, m_options, step, chosen.size());
      if (isLeftOut(files)) {
        ++m_stats.stepsLeftOut;
        continue;
      }
      showStep(step, chosen.size());
    }
    m_stats.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    addPagingStats();
    measureProcess(m_stats);
    return std::move(m_stats);
  }

 private:
  bool isLeftOut(const std::vector<std::filesystem::path>& files) const {
    return m_options.resume &&
           std::all_of(files.begin(), files.end(), [](const auto& f) { return std::filesystem::exists(f); });
  }

  void makeOutputFolder() {
    std::error_code failure;
    std::filesystem::create_directories(m_options.outputFolder, failure);
    if (failure)
      throw Io("cannot be made: " + failure.message(), "name another folder to write to")
          .at("folder " + m_options.outputFolder.string());
  }

  void showStep(std::int64_t step, std::size_t stepCount) {
    const std::string suffix = stepSuffix(step, stepCount);
    scene::Scene scene;
    for (DataRun& run : m_runs) {
      for (const auto& object : run.objects)
        inObject(object->object(), [&] { showObject(run, *object, run.ownStep(step), suffix, scene); });
    }
    if (m_session.output.images) draw(scene, suffix, stepCount > 1 ? titleOf(step) : m_session.image.title);
  }

  std::string titleOf(std::int64_t step) const {
    if (!m_session.image.title.empty() || m_runs.empty()) return m_session.image.title;
    char text[64];
    const auto& times = m_runs.front().data->description().times;
    std::snprintf(text, sizeof text, "step %lld, t = %g", static_cast<long long>(step),
                  times[std::min<std::size_t>(static_cast<std::size_t>(step), times.size() - 1)]);
    return text;
  }

  void showObject(DataRun& run, ObjectRun& object, std::int64_t step, const std::string& suffix,
                  scene::Scene& scene) {
    const trace::Scope scope("session", "object");
    const auto start = std::chrono::steady_clock::now();
    const std::string& name = object.object().name;
    ObjectSurroundings surroundings{*run.paged, m_account, spoolFolder(m_options.outputFolder), m_stop, {}};
    if (m_options.progress)
      surroundings.progress = [&](std::size_t done, std::size_t total) {
        m_options.progress(name + suffix, done, total);
      };
    RunStats before;
    measureProcess(before);
    object.compute(surroundings, step);
    RunStats after;
    measureProcess(after);
    m_measures.cpuSeconds += after.cpuSeconds - before.cpuSeconds;
    m_measures.wallSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (m_session.output.geometry) object.writeGeometry(m_options.outputFolder / (name + suffix + ".vtp"));
    if (m_session.output.images) {
      scene.items.push_back(object.item());
      scene.bounds.add(object.bounds());
    }
    const auto stats = std::find_if(m_stats.objects.begin(), m_stats.objects.end(),
                                    [&](const ObjectStats& s) { return s.name == name; });
    object.count(*stats);
    stats->cpuSeconds += after.cpuSeconds - before.cpuSeconds;
    stats->seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    stats->mostTasksInFlight = std::max(stats->mostTasksInFlight, object.lastGroup().mostInFlight);
    m_measures.longestMissChain = std::max(m_measures.longestMissChain, object.lastGroup().longestWaitChain);
    if (m_stop.stop_requested()) throw Cancelled();
  }

  void draw(scene::Scene& scene, const std::string& suffix, const std::string& title) {
    if (!m_options.drawImage)
      throw Unsupported("pictures cannot be drawn by this build", "set output.images to false");
    const trace::Scope scope("session", "draw");
    const auto& size = m_session.image.sizePixels;
    if (m_options.progress) m_options.progress("picture" + suffix, 0, 1);
    scene.background = m_session.image.background;
    scene.title = title;
    // With nothing to see, the place where it would be; with no data at all, any place.
    if (scene.bounds.empty() && !m_runs.empty()) scene.bounds = m_runs.front().paged->bounds();
    if (scene.bounds.empty()) {
      scene.bounds.add(Vec3{0, 0, 0});
      scene.bounds.add(Vec3{1, 1, 1});
    }
    scene.camera = cameraOf(m_session, scene.bounds, static_cast<double>(size[0]) / size[1]);
    if (!m_session.image.legend)
      for (scene::SceneItem& item : scene.items) item.scale.title.clear();
    m_options.drawImage(scene, size, m_options.outputFolder / (m_session.name + suffix + ".png"));
    if (m_options.progress) m_options.progress("picture" + suffix, 1, 1);
  }

  void addPagingStats() {
    PagingStats& paging = m_stats.paging;
    paging.budgetBytes = m_account.budgetBytes();
    paging.peakBytes = m_account.peakBytes();
    paging.longestMissChain = m_measures.longestMissChain;
    m_measures.tasksAsked = m_options.scheduler == tasks::SchedulerKind::Serial
                                ? 1
                                : m_options.processors * m_options.workersPerProcessor;
    m_measures.tasksAllowed = m_measures.tasksAsked;
    for (const DataRun& run : m_runs) {
      const paging::MemoryPlan& plan = run.paged->plan();
      m_measures.tasksAllowed = std::min(m_measures.tasksAllowed, plan.processors * plan.tasksPerProcessor);
      const paging::SourceCounters source = run.paged->sourceCounters();
      paging.reads += source.reads;
      paging.bytesRead += source.bytesRead;
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
  RunStats m_stats;
  RunMeasures m_measures;
};

}  // namespace

fields::OpenRequest requestOf(const Session& session, const DataSource& source) {
  fields::OpenRequest request;
  for (const std::string& written : source.source)
    for (const std::string& name : fields::expandPattern(session.resolve(written)))
      request.sources.push_back(name);
  for (const std::string& written : source.solution)
    for (const std::string& name : fields::expandPattern(session.resolve(written)))
      request.solutions.push_back(name);
  request.reader = source.reader;
  for (const auto& [key, value] : source.options) request.options[key] = textOf(value);
  return request;
}

std::vector<std::filesystem::path> outputFiles(const Session& session, const RunOptions& options,
                                               std::int64_t steps) {
  std::vector<std::filesystem::path> files;
  const std::vector<std::int64_t> chosen = session.time.stepsOf(steps);
  for (const std::int64_t step : chosen)
    for (auto& file : filesOfStep(session, options, step, chosen.size())) files.push_back(std::move(file));
  return files;
}

RunStats runSession(const Session& session, const fields::ReaderRegistry& readers, const RunOptions& options,
                    std::stop_token stop) {
  return Run(session, readers, options, std::move(stop)).run();
}

}  // namespace farfield::session
