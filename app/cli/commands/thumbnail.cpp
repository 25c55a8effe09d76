#include "app/cli/commands/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/commands/thumbnail_texts.h"
#include "app/cli/running/time_limit.h"
#include "app/first/first_objects.h"
#include "app/first/first_view.h"
#include "core/base/url.h"
#include "core/fields/paged/budget_advice.h"
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

/// What is drawn until there is something to see: what the window shows first; the faces where that is nothing, as lines of a flow at
/// rest are; another function where the first has one value everywhere, as many have at the beginning; and at last light on the faces.
class Tries {
 public:
  explicit Tries(const app::DataSummary& data) : m_data(data), m_objects(app::firstObjects(data, kData)) {}
  const std::vector<session::Object>& objects() const { return m_objects; }
  /// With this one, from 1 on.
  int count() const { return m_count; }

  /// Where not, goOn() has something else.
  bool isEnough(const scene::Scene& scene) {
    m_isEmpty = !m_isSurface && !showsAnything(scene);
    m_isOfOneTone = !m_isLit && !m_isEmpty && isOfOneTone(scene);
    return !m_isEmpty && !m_isOfOneTone;
  }
  /// Whether there is something else to be drawn.
  bool goOn() {
    ++m_count;
    if (m_isEmpty) {
      m_isSurface = true;
      m_objects = {app::firstSurface(m_data, kData)};
      return true;
    }
    if (!m_isOfOneTone) return false;
    if (!m_others) {
      const auto colored =
          std::find_if(m_objects.begin(), m_objects.end(),
                       [](const session::Object& object) { return !object.color.by.empty(); });
      m_others = app::otherScalars(m_data, colored == m_objects.end() ? std::string() : colored->color.by);
      m_others->resize(std::min(m_others->size(), kMostFunctions));
    }
    m_isLit = m_tried == m_others->size();
    for (session::Object& object : m_objects) {
      if (object.color.by.empty()) continue;
      object.color.by = m_isLit ? std::string() : (*m_others)[m_tried];
      if (!m_isLit) continue;
      object.color.solid = app::kSurfaceColor;
      object.lighting = scene::Lighting::Full;
    }
    ++m_tried;
    return true;
  }

 private:
  /// Each is computed anew, and there is little time.
  static constexpr std::size_t kMostFunctions = 4;

  bool isOutline(const scene::SceneItem& item) const {
    return std::any_of(m_objects.begin(), m_objects.end(), [&](const session::Object& object) {
      return object.name == item.name && object.type() == session::kTypeOf<session::Outline>;
    });
  }

  /// Whether more than outlines is to be seen: lines of a flow at rest are points.
  bool showsAnything(const scene::Scene& scene) const {
    bool any = false;
    for (const scene::SceneItem& item : scene.items) {
      if (isOutline(item)) continue;
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

  /// Whether all that is coloured are faces, with one value or none: nothing of their shape is seen.
  static bool isOfOneTone(const scene::Scene& scene) {
    std::optional<double> value;
    bool differ = false, any = false;
    for (const scene::SceneItem& item : scene.items) {
      if (!item.colored) continue;
      if (!item.triangles) return false;
      item.triangles->visit([&](const scene::TriangleChunk& chunk) {
        any = any || !chunk.scalars.empty();
        for (const double each : chunk.scalars) {
          differ = differ || (value && std::isfinite(each) && each != *value);
          if (!value && std::isfinite(each)) value = each;
        }
      });
    }
    return any && !differ;
  }

  const app::DataSummary& m_data;
  std::vector<session::Object> m_objects;
  std::optional<std::vector<std::string>> m_others;  ///< functions to be tried, once they are needed
  int m_count = 1;
  std::size_t m_tried = 0;                        ///< of them
  bool m_isEmpty = false, m_isOfOneTone = false;  ///< the last one
  bool m_isSurface = false, m_isLit = false;
};

/// `objects` of the data, as a session.
session::Session sessionOf(const fields::OpenRequest& request, const app::DataSummary& data,
                           const ThumbnailOptions& options, const Tries& tries) {
  session::Session session;
  session.name = "thumbnail";
  session::DataSource source{kData, {}, {}, request.reader, {}};
  for (const std::string& name : request.sources) source.source.push_back(absoluteName(name));
  for (const std::string& name : request.solutions) source.solution.push_back(absoluteName(name));
  for (const auto& [key, value] : request.options) source.options.emplace(key, value);
  session.data = {source};
  session.objects = tries.objects();
  // Half of the time for what can end early with what there is, and half of what is left for each that is tried after it.
  const auto milliseconds = std::chrono::milliseconds(options.timeLimit).count();
  for (session::Object& object : session.objects) {
    if (object.type() != session::kTypeOf<session::Volume>)
      object.budgetMs = (milliseconds >> tries.count()) / static_cast<std::int64_t>(session.objects.size());
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
    session::RunOptions run;
    run.outputFolder = options.file.has_parent_path() ? options.file.parent_path() : ".";
    run.memoryBytes = options.memoryBytes;
    run.processors = options.processors;
    run.colorMaps = environment.colorMaps;
    run.makeVolume = environment.makeVolume;
    run.makeSlabs = environment.makeSlabs;
    run.askResults = environment.askResults;
    Tries tries(data);
    run.drawImage = [&](const scene::Scene& scene, std::array<int, 2> size, const std::filesystem::path&) {
      if (!tries.isEnough(scene)) return;
      environment.drawImageWithTexts(scene, size, options.file, [&] {
        limit.finish();
        if (limit.token().stop_requested()) throw Cancelled();
        drawn = true;
        return thumbnailTexts(request.sources.front(), data);
      });
    };
    do
      session::runSession(sessionOf(stoppable, data, options, tries), environment.readers, run,
                          limit.token());
    while (!drawn && tries.goOn());
  } catch (...) {
    std::error_code ignored;
    if (drawn) std::filesystem::remove(options.file, ignored);
    // what was stopped says so in different words
    if (!context.stop.stop_requested() && limit.token().stop_requested()) throw limit.error();
    throw;
  }
}

}  // namespace farfield::cli
