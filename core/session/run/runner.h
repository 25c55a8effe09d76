#pragma once
// Carries a session out: opens its data, computes every object of every chosen step under the memory budget,
// and writes geometry and pictures. What draws pictures and what opens formats is handed in.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/open_data.h"
#include "core/flow/line_engine.h"
#include "core/paging/cache/page_trace_writer.h"
#include "core/scene/scene.h"
#include "core/session/run/object_run.h"
#include "core/session/run/volume_maker.h"
#include "core/session/session.h"
#include "core/session/stats.h"
#include "core/tasks/scheduler.h"

namespace farfield::session {

struct RunOptions {
  std::filesystem::path outputFolder;  ///< created where it does not exist
  std::uint64_t memoryBytes = 0;
  tasks::SchedulerKind scheduler = tasks::SchedulerKind::Fibers;
  int processors = 1;
  int workersPerProcessor = 64;
  int readers = 16;
  paging::EngineKind engine = paging::EngineKind::Auto;
  bool prefetch = true;  ///< pages ahead of lines may be asked for early
  /// Leaves out steps whose files are all there already. Objects that carry state from step to step go on from their
  /// checkpoint.
  bool resume = false;
  /// Gets every file, which the run will write, or has `kept` (resume), before anything is computed; what it
  /// throws ends the run.
  std::function<void(const std::filesystem::path& file, bool kept)> declareFile = {};
  /// Where the pages that tasks ask for are recorded; none where it is null.
  paging::PageTraceWriter* pageTrace = nullptr;
  /// Draws `scene` and writes it as PNG to `path`, whole or not at all. Needed when the session has images.
  std::function<void(const scene::Scene& scene, std::array<int, 2> sizePixels,
                     const std::filesystem::path& path)>
      drawImage;
  /// The colour maps that drawImage knows; an object that names another is refused before anything is
  /// computed.
  std::vector<std::string> colorMaps = {};
  /// Makes an object ready to be computed.
  std::function<std::unique_ptr<ObjectRun>(const Object&, const paging::DatasetDescription&)> makeRun =
      makeObjectRun;
  /// Makes what casts volumes. Needed when the session has any.
  VolumeMaker makeVolume = {};
  /// Traces lines of objects with "engine": "opencl"; empty: tasks do.
  flow::LineEngine traceLines = {};
  /// What is being done, and how far it is; from one thread at a time.
  std::function<void(const std::string& what, std::size_t done, std::size_t total)> progress;
};

/// What opens `source` of `session`: paths resolved, patterns replaced by files. Throws NotFound.
fields::OpenRequest requestOf(const Session& session, const DataSource& source);

/// Runs the session. Throws Unsupported for objects that cannot be computed (before anything is written),
/// Cancelled on a stop request, and whatever data, budget and disk have to say, with the object's name in
/// front. Files that are there on return or throw are whole.
RunStats runSession(const Session& session, const fields::ReaderRegistry& readers, const RunOptions& options,
                    std::stop_token stop);

}  // namespace farfield::session
