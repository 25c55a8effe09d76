#include "app/cli/thumbnail.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/thumbnail_texts.h"
#include "app/cli/time_limit.h"
#include "app/first/first_objects.h"
#include "app/first/first_view.h"
#include "core/base/url.h"
#include "core/fields/budget_advice.h"
#include "core/session/run/runner.h"

namespace farfield::cli {
namespace {

constexpr const char* kData = "data";

std::string absoluteName(const std::string& name) {
  std::error_code unseen;
  return isUrl(name) ? name : std::filesystem::absolute(name, unseen).string();
}

app::DataSummary look(const fields::OpenRequest& request, std::uint64_t memoryBytes,
                      const fields::ReaderRegistry& readers) {
  MemoryAccount account(memoryBytes);
  return fields::withBudgetAdvice(
      memoryBytes,
      [&](MemoryAccount& rehearsed) {
        const auto opened = readers.open(request, rehearsed);
        return rehearsed.usedBytes();
      },
      [&] { return app::summaryOf(kData, *readers.open(request, account)); });
}

/// Whether more than outlines is to be seen: lines of a flow at rest are points.
bool showsAnything(const scene::Scene& scene, const session::Session& session) {
  bool any = false;
  for (const scene::SceneItem& item : scene.items) {
    const auto isOutline = [&](const session::Object& object) {
      return object.name == item.name && object.type() == session::kTypeOf<session::Outline>;
    };
    if (std::any_of(session.objects.begin(), session.objects.end(), isOutline)) continue;
    any = any || item.volume || item.slabs;
    if (item.lines)
      item.lines->visit([&](const scene::LineChunk& chunk) {
        any = any || std::any_of(chunk.lengths.begin(), chunk.lengths.end(),
                                 [](std::uint32_t vertices) { return vertices > 1; });
      });
    if (item.triangles)
      item.triangles->visit(
          [&](const scene::TriangleChunk& chunk) { any = any || !chunk.triangles.empty(); });
  }
  return any;
}

/// `objects` of the data, as a session.
session::Session sessionOf(const fields::OpenRequest& request, const app::DataSummary& data,
                           const ThumbnailOptions& options, std::vector<session::Object> objects) {
  session::Session session;
  session.name = "thumbnail";
  session::DataSource source{kData, {}, {}, request.reader, {}};
  for (const std::string& name : request.sources) source.source.push_back(absoluteName(name));
  for (const std::string& name : request.solutions) source.solution.push_back(absoluteName(name));
  for (const auto& [key, value] : request.options) source.options.emplace(key, value);
  session.data = {source};
  session.objects = std::move(objects);
  // Half of the time for what can end early with what there is.
  const auto milliseconds = std::chrono::milliseconds(options.timeLimit).count();
  for (session::Object& object : session.objects) {
    if (object.type() != session::kTypeOf<session::Volume>)
      object.budgetMs = milliseconds / 2 / static_cast<std::int64_t>(session.objects.size());
    // A device takes longer to start than such a picture takes to draw.
    object.engine = session::Engine::Cpu;
  }
  if (const auto view = app::firstView(data)) session.camera = *view;
  session.time.steps = {0, 0};
  session.image.sizePixels = {options.sizePixels, options.sizePixels};
  session.image.legend = false;
  session.output.geometry = false;
  return session;
}

}  // namespace

void makeThumbnail(const fields::OpenRequest& request, const ThumbnailOptions& options,
                   const Context& context) {
  const Environment& environment = context.environment;
  if (!environment.drawImageWithTexts)
    throw Unsupported("pictures cannot be drawn by this build", "leave out --thumbnail");
  TimeLimit limit(options.timeLimit, "picture of " + saidOf(request.sources.front()), context.stop,
                  environment.interrupted);
  bool drawn = false;
  try {
    fields::OpenRequest stoppable = request;
    stoppable.stop = limit.token();
    app::DataSummary data = look(stoppable, options.memoryBytes, environment.readers);
    bool isReadAnew = false;
    for (const auto& [option, value] : app::optionsAtFirst(data))
      isReadAnew = stoppable.options.try_emplace(option, value).second || isReadAnew;
    if (isReadAnew) data = look(stoppable, options.memoryBytes, environment.readers);
    session::Session session = sessionOf(stoppable, data, options, app::firstObjects(data, kData));
    session::RunOptions run;
    run.outputFolder = options.file.has_parent_path() ? options.file.parent_path() : ".";
    run.memoryBytes = options.memoryBytes;
    run.processors = options.processors;
    run.colorMaps = environment.colorMaps;
    run.makeVolume = environment.makeVolume;
    run.makeSlabs = environment.makeSlabs;
    run.askResults = environment.askResults;
    bool mayBeEmpty = true, isEmpty = false;
    run.drawImage = [&](const scene::Scene& scene, std::array<int, 2> size, const std::filesystem::path&) {
      isEmpty = mayBeEmpty && !showsAnything(scene, session);
      if (isEmpty) return;
      environment.drawImageWithTexts(scene, size, options.file, [&] {
        limit.finish();
        if (limit.token().stop_requested()) throw Cancelled();
        drawn = true;
        return thumbnailTexts(request.sources.front(), data);
      });
    };
    session::runSession(session, environment.readers, run, limit.token());
    if (isEmpty) {
      mayBeEmpty = false;
      session = sessionOf(stoppable, data, options, {app::firstSurface(data, kData)});
      session::runSession(session, environment.readers, run, limit.token());
    }
  } catch (...) {
    std::error_code ignored;
    if (drawn) std::filesystem::remove(options.file, ignored);
    // what was stopped says so in different words
    if (!context.stop.stop_requested() && limit.token().stop_requested()) throw limit.error();
    throw;
  }
}

}  // namespace farfield::cli
