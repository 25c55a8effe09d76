#pragma once
// Carries a session out: opens its data, computes every object of every chosen step under the memory budget,
// and writes geometry and pictures. Drawing pictures and opening formats are passed in.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "core/flow/line_engine.h"
#include "core/paging/cache/page_trace_writer.h"
#include "core/scene/scene.h"
#include "core/scene/turntable.h"
#include "core/session/results/stats.h"
#include "core/session/run/object_run.h"
#include "core/session/run/volumes/volume_maker.h"
#include "core/session/session.h"
#include "core/tasks/scheduler.h"

namespace farfield::session {

/// Ranges of functions, by data set and function, of the first `steps` steps.
struct FoundRange {
  std::int64_t steps = 0;
  std::optional<std::array<double, 2>> range;
};
using FoundRanges = std::map<std::pair<std::string, std::string>, FoundRange>;

/// `count` steps from `first` on.
struct StepSpan {
  std::int64_t first = 0, count = 0;
  bool operator==(const StepSpan&) const = default;
};

struct RunOptions {
  std::filesystem::path outputFolder;  ///< created if it does not exist
  std::uint64_t memoryBytes = 0;
  tasks::SchedulerKind scheduler = tasks::SchedulerKind::Fibers;
  int processors = 1;
  int workersPerProcessor = 0;  ///< tasks in flight; 0: as many as suits where the data lie
  int readers = 16;
  paging::EngineKind engine = paging::EngineKind::Auto;
  bool prefetch = true;  ///< read pages ahead of lines
  /// Leaves out steps whose files all exist. Objects that carry state from step to step continue from their
  /// checkpoint.
  bool resume = false;
  /// Called with every file that the run will write, or keeps (`kept`, with resume), before anything is
  /// computed; what it throws ends the run.
  std::function<void(const std::filesystem::path& file, bool kept)> declareFile = {};
  /// Records the pages that tasks request; null: none.
  paging::PageTraceWriter* pageTrace = nullptr;
  /// Draws `scene` and writes it as PNG to `path`, whole or not at all. Needed when the session has images.
  std::function<void(const scene::Scene& scene, std::array<int, 2> sizePixels,
                     const std::filesystem::path& path)>
      drawImage;
  /// The colour maps that drawImage knows; an object with another one is refused before anything is computed.
  std::vector<std::string> colorMaps = {};
  /// Makes an object ready to be computed.
  std::function<std::unique_ptr<ObjectRun>(const Object&, const paging::DatasetDescription&)> makeRun =
      makeObjectRun;
  /// Least and greatest value of a function in some steps of some data, by reading them; for colours over the range of the whole
  /// data, where the data have not kept it. Empty: these have the range of what is shown.
  std::function<std::optional<std::array<double, 2>>(const fields::OpenData&, const std::string& function,
                                                     StepSpan steps, MemoryAccount&)>
      findRange = {};
  /// What findRange found, kept from one run of a session to the next while its data grow; null: nothing is kept.
  std::shared_ptr<FoundRanges> foundRanges = {};
  /// Makes what casts volumes. Needed if the session has any.
  VolumeMaker makeVolume = {};
  /// Asks other programs for what they render. Needed if the session has slabs.
  SlabMaker makeSlabs = {};
  /// Asks them for objects of their data. Needed if the session has any.
  ResultAsker askResults = {};
  /// Traces lines of objects with "engine": "opencl"; empty: tasks do.
  flow::LineEngine traceLines = {};
  /// The camera goes round the one step that the session shows, and pictures are numbered along its way. Its axis is what is up in
  /// the view where it is nothing.
  std::optional<scene::Turntable> turn = {};
  /// So many pictures of the one step that the session shows, in which particles, dashes and textures move on until they are where
  /// those before them were; 0: one, of their phase. Not with a turn.
  int flowPictures = 0;
  /// Pictures are of this one of the session's views, from 0: objects that it does not show are computed, for the colours that they
  /// share, and not drawn (ofView()). None: of all objects.
  std::optional<std::size_t> view = {};
  /// More steps are to come: the files of steps have the step in their names however many there are, files of the whole run
  /// are not written yet, and what carries state leaves its checkpoint.
  bool unfinished = false;
  /// As `unfinished` names files.
  bool numbered = false;
  /// What is being done, and how far it is; called from one thread at a time.
  std::function<void(const std::string& what, std::size_t done, std::size_t total)> progress;
};

/// The request that opens `source` of `session`: paths resolved, patterns replaced by files. Throws NotFound.
fields::OpenRequest requestOf(const Session& session, const DataSource& source);

/// Runs the session. Throws Unsupported for objects that cannot be computed (before anything is written),
/// Cancelled on a stop request, and errors of data, budget and disk, with the object's name in front. Files
/// that exist on return or throw are complete.
RunStats runSession(const Session& session, const fields::ReaderRegistry& readers, const RunOptions& options,
                    std::stop_token stop);

}  // namespace farfield::session
