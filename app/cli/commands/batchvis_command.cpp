#include "app/cli/commands/batchvis_command.h"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>

#include "app/cli/commands/field_pass.h"
#include "app/cli/commands/preview_text.h"
#include "app/cli/files/own_files.h"
#include "app/cli/files/result_output.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "app/looks/far_looks.h"
#include "app/video/video_writer.h"
#include "core/base/log.h"
#include "core/base/units.h"
#include "core/scene/line_scale.h"
#include "core/session/json/session_json.h"
#include "core/session/run/follow.h"
#include "core/session/run/runner.h"
#include "core/session/view_layout.h"
#include "core/trace/trace.h"

namespace farfield::cli {
namespace {

constexpr int kFrameRate = 25;  // of videos of which none is said

/// Whether a file is a picture, geometry or a checkpoint, as a session's run writes them.
bool looksLikeOurs(const std::filesystem::path& file) {
  if (file.extension() == ".checkpoint") return fileStartsWith(file, session::kCheckpointHead);
  return file.extension() == ".png" ? isOwnPicture(file) : isOwnGeometry(file);
}

std::string whyEmpty(const session::ObjectStats& object) {
  const std::string& type = object.type;
  if (object.find("valuesOfCells"))
    return "the values belong to cells as a whole, and are the same all over each; \"on\": "
           "\"cells-at-nodes\" in the \"options\" of the data takes them to the nodes";
  if (type == "isolines") return "the function has no such value on the surface";
  if (type == "lic") return "the surface is empty, or smaller than a texel";
  if (type == "arrows")
    return "the surface is empty, or smaller than the spacing, or the vector has no values on it";
  if (type == "surface-lines")
    return "on the surface the vector is 0, as velocity is on walls without slip, or has no values, as "
           "wall-shear-stress inside of the flow";
  if (type == "isosurface")
    return "no cell has such a value; farfield info --ranges --function NAME says how far the values of a "
           "function go";
  return "no cell of the data lies there";
}

/// What an object lacks because its time was up; empty: nothing.
std::string missingText(const session::ObjectStats& object) {
  const auto valueOf = [&](const char* key) -> std::string {
    for (const auto& [its, value] : object.more)
      if (its == key) {
        if (const auto* const number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
        if (const auto* const text = std::get_if<std::string>(&value)) return *text;
      }
    return {};
  };
  const std::string missing = valueOf("missing");
  if (missing.empty()) return {};
  return "object " + object.name + " was stopped by its time budget: " + missing + " of " +
         valueOf("missingOf") + " " + valueOf("missingAre") + " are missing or cut short";
}

/// What there is to say of a texture or of arrows that show nothing; empty: nothing.
std::string noiseText(const session::ObjectStats& object) {
  const bool isZero = object.find("vectorIsZero"), isMissing = object.find("vectorHasNoValues");
  if (!isZero && !isMissing) return {};
  const bool isTexture = object.type == nameOf(session::kTypeOf<session::Lic>);
  const std::string what = "object " + object.name + (isTexture ? " is noise" : " has no arrow that is seen");
  if (isMissing)
    return what +
           ": its vector has no values on the surface, as wall-shear-stress inside of the flow; choose "
           "another vector, or a wall";
  return what +
         ": its vector is 0 everywhere on the surface, as velocity is on walls without slip; of such walls "
         "\"vector\": \"wall-shear-stress\" shows the lines of skin friction";
}

class BatchvisCommand final : public Command {
 public:
  Manual manual() override {
    return {
        "batchvis",
        "computes what a session shows and writes pictures and geometry",
        {"Writes SESSIONNAME.png and, for each object, OBJECT.vtp into the output folder; with several time "
         "steps their names end in the step, such as _0042.",
         "A path of --set steps into the session by key, into objects also by name: "
         "objects.lines.seeds.count=100. The value is JSON, or else the text itself.",
         "Results that do not fit into the budget wait in an unnamed file in the output folder, or in TMPDIR "
         "where that is set."},
        {{"SESSION", "", "the session file (JSON)", ListTarget{&m_session, false, true}, true}},
        {{"-o,--output", "DIR", "folder to write to", &m_output, false, "the current one"},
         {"--set", "PATH=VALUE", "change the session before it is read; may be repeated",
          ListTarget{&m_overrides, true}},
         {"--resume", "", "leave out time steps whose files are all there", &m_options.resume},
         {"--follow", "",
          "go on with the steps that come while the data are being written; ends with --idle, or when it is "
          "interrupted",
          &m_follow},
         {"--idle", "SECONDS", "with --follow: end when no step has come for so long",
          IntegerTarget{&m_idleSeconds, 1, 1'000'000'000}, false, "never"},
         {"--video", "FILE", "write the pictures as a video, too (.mp4 or .webm; needs ffmpeg)", &m_video},
         {"--frame-rate", "N", "pictures a second of the video", IntegerTarget{&m_frameRate, 1, 240}, false,
          "25"},
         {"--line-scale", "FACTOR",
          "draw lines so many times as wide, for pictures of fine screens and in print", &m_lineScale, false,
          "1"},
         {"--no-step-title", "",
          "without step and time on pictures of several steps, which are there where the session has no title",
          &m_noStepTitle},
         {"--turn", "N", "N pictures of one step, with the camera going round it once",
          IntegerTarget{&m_turn, 2, 100'000}},
         {"--flow", "N",
          "N pictures of one step, in which particles, dashes and moving textures go on to the place of those before "
          "them",
          IntegerTarget{&m_flow, 2, 100'000}},
         {"--view", "N",
          "pictures of the session's view N of several, counted from 1, with its camera, what it shows and the colours that it has "
          "beside the others",
          IntegerTarget{&m_view, 1, 4}, false, "all objects"},
         {"--dry-run", "", "only estimate what the run would read and take; writes nothing", &m_dryRun},
         {"--json", "", "print what --dry-run finds as JSON", &m_json},
         memoryOption(m_options.memoryBytes),
         processorsOption(m_options.processors),
         {"--workers", "N", "tasks in flight per processor",
          IntegerTarget{&m_options.workersPerProcessor, 1, 100'000}, false,
          "64, of data on other machines 256, less where memory is short"},
         {"--readers", "N", "reads on their way at a time", IntegerTarget{&m_options.readers, 1, 1024}, false,
          "16"},
         {"--scheduler", "NAME", "how tasks that wait for data give way",
          ChoiceTarget{&m_scheduler, {"serial", "threads", "fibers"}}, false, "fibers"},
         {"--prefetch", "WHEN", "asking for pages ahead of lines", ChoiceTarget{&m_prefetch, {"auto", "off"}},
          false, "auto"},
         {"--stats", "FILE", "write what the run cost (JSON)", &m_stats},
         {"--trace", "FILE", "write when each thread did what (Chrome trace JSON)", &m_trace},
         {"--page-trace", "FILE", "write which pages were asked for (for farfield bench policies)",
          &m_pageTrace},
         overwriteOption(m_overwrite)}};
  }

  void run(const Context& context) override {
    takeOverrides();
    if (m_json && !m_dryRun) throw UsageError("--json goes with --dry-run", "use --stats FILE");
    if (m_idleSeconds > 0 && !m_follow) throw UsageError("--idle goes with --follow", "leave it out");
    if (m_follow && m_idleSeconds == 0 && !m_video.empty())
      throw UsageError("--video with --follow is written when no step has come for a while",
                       "say with --idle for how long");
    if (m_frameRate > 0 && m_video.empty())
      throw UsageError("--frame-rate goes with --video", "leave it out");
    if (m_follow && m_turn + m_flow > 0)
      throw UsageError("--turn and --flow are of one step, and --follow of those to come",
                       "leave out one of them");
    if (m_turn > 0 && m_flow > 0)
      throw UsageError("--turn and --flow are two series of pictures", "leave out one of them");
    if (m_dryRun && m_follow) throw UsageError("--dry-run looks at what is there", "leave out --follow");
    if (m_dryRun && !(m_stats.empty() && m_trace.empty() && m_pageTrace.empty()))
      throw UsageError("--dry-run writes nothing", "leave out --stats, --trace and --page-trace");
    session::Session session = session::readSession(m_session.front(), m_overrides);
    if (!session.output.images) refuseWhatIsOfPictures();
    if (m_view > 0) {
      m_options.view = static_cast<std::size_t>(m_view - 1);
      session = session::ofView(std::move(session), *m_options.view);
    }
    if (context.environment.takeTransferFiles) context.environment.takeTransferFiles(session);
    m_options.outputFolder = m_output;
    m_options.scheduler = tasks::schedulerNamed(m_scheduler);
    m_options.prefetch = m_prefetch == "auto";
    m_options.drawImage = context.environment.drawImage;
    const bool untitled = m_noStepTitle && session.image.title.empty();
    if (const double scale = lineScale(); (scale != 1 || untitled) && m_options.drawImage)
      m_options.drawImage = [scale, untitled, draw = context.environment.drawImage](
                                const scene::Scene& whole, std::array<int, 2> sizePixels,
                                const std::filesystem::path& path) {
        scene::Scene scene = whole;
        scene::scaleLines(scene, scale);
        if (untitled) scene.title.clear();
        draw(scene, sizePixels, path);
      };
    m_options.colorMaps = context.environment.colorMaps;
    m_options.makeVolume = context.environment.makeVolume;
    m_options.makeSlabs = context.environment.makeSlabs;
    m_options.askResults = context.environment.askResults;
    m_options.traceLines = context.environment.traceLines;
    if (m_turn > 0) m_options.turn = scene::Turntable{.pictures = m_turn, .degrees = 360, .axis = {}};
    m_options.flowPictures = m_flow;
    if (m_dryRun) return preview(session, context);
    m_options.findRange = [this, stop = context.stop](const fields::OpenData& data,
                                                      const std::string& function, session::StepSpan steps,
                                                      MemoryAccount& account) {
      PassOptions pass;
      pass.processors = m_options.processors;
      pass.firstStep = steps.first;
      pass.steps = steps.count;
      pass.stop = stop;
      const FunctionRange range = computeRanges(data, {function}, account, pass).front();
      return range.empty ? std::nullopt : std::optional(std::array{range.min, range.max});
    };
    if (!m_video.empty()) app::requireVideo(m_video, context.stop);
    std::optional<RunFiles> files;
    const auto declare = [&] {
      files.emplace(m_overwrite);
      declareFiles(session, *files);
    };
    declare();
    m_options.declareFile = [&](const std::filesystem::path& file, bool kept) {
      kept ? files->reads(file) : files->writes(file, looksLikeOurs);
    };
    Progress progress("", "tasks", progressStyle(log::level() == log::Level::Quiet));
    std::string shown;
    m_options.progress = [&](const std::string& what, std::size_t done, std::size_t total) {
      if (what != shown) progress.restart(shown = what);
      progress.update(done, total);
    };
    std::optional<paging::PageTraceWriter> pageTrace;
    if (!m_pageTrace.empty()) m_options.pageTrace = &pageTrace.emplace(m_pageTrace);
    if (!m_trace.empty()) {
      trace::start();
      trace::nameThread("processor 0, main");
    }
    session::RunStats stats;
    if (m_follow) {
      app::FarLooks looks;
      const std::stop_callback endLooks(context.stop, [&looks] { looks.stop(); });
      session::FollowOptions follow{.look = [&looks](const session::Session& its) { return looks.at(its); },
                                    .beginPass = declare,
                                    .waiting = [](const std::string& what) { log::note(what); }};
      if (m_idleSeconds > 0) follow.idle = std::chrono::seconds(m_idleSeconds);
      stats = session::followSession(session, context.environment.readers, m_options, follow, context.stop);
    } else {
      stats = session::runSession(session, context.environment.readers, m_options, context.stop);
    }
    if (!m_video.empty()) {
      progress.restart("video");
      const scene::Rgba& behind = session.image.background;
      app::writeVideo(
          stats.pictures,
          {.file = m_video,
           .picturesPerSecond = static_cast<double>(m_frameRate > 0 ? m_frameRate : kFrameRate),
           .background = {behind[0], behind[1], behind[2]},
           .stop = context.stop,
           .progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); }});
    }
    if (!m_trace.empty()) trace::stopAndWrite(m_trace);
    if (pageTrace) pageTrace->commit();
    if (!m_stats.empty()) session::writeStats(m_stats, stats);
    log::note(stats.stepsLeftOut > 0 && stats.stepsLeftOut == stats.steps ? leftOut(stats)
                                                                          : stats.boundBy.sentence);
    if (stats.stepsLeftOut > 0 && stats.stepsLeftOut < stats.steps) log::note(leftOut(stats));
    for (const session::ObjectStats& object : stats.objects) {
      if (object.points == 0 && object.type != "volume" && object.type != "slabs" &&
          stats.stepsLeftOut < stats.steps)
        log::note("object " + object.name + " is empty: " + whyEmpty(object));
      if (const std::string missing = missingText(object); !missing.empty()) log::note(missing);
      if (const std::string noise = noiseText(object); !noise.empty()) log::note(noise);
      log::detail(object.name + ": " + std::to_string(object.count) +
                  (object.terminations.empty() ? "" : " lines") + ", " + std::to_string(object.points) +
                  " points, " + formatSeconds(object.seconds));
    }
  }

 private:
  void refuseWhatIsOfPictures() const {
    const std::pair<const char*, bool> given[] = {
        {"--video", !m_video.empty()},          {"--turn", m_turn > 0}, {"--flow", m_flow > 0},
        {"--line-scale", !m_lineScale.empty()}, {"--view", m_view > 0}, {"--no-step-title", m_noStepTitle}};
    for (const auto& [option, isGiven] : given)
      if (isGiven)
        throw UsageError(std::string(option) + " is of the pictures, and the session makes none",
                         "set output.images to true");
  }

  double lineScale() const {
    double scale = 1;
    if (m_lineScale.empty()) return scale;
    const char* const end = m_lineScale.data() + m_lineScale.size();
    const auto read = std::from_chars(m_lineScale.data(), end, scale);
    if (read.ec != std::errc() || read.ptr != end ||
        !(scale >= scene::kLeastLineScale && scale <= scene::kMostLineScale))
      throw UsageError("--line-scale: '" + m_lineScale.substr(0, 80) + "' is no number from 0.1 to 100",
                       "write --line-scale 2");
    return scale;
  }

  /// What the session itself writes depends on the data, so the run declares it.
  void declareFiles(const session::Session& session, RunFiles& files) const {
    files.reads(m_session.front());
    for (const session::DataSource& source : session.data) try {
        declareReads(files, session::requestOf(session, source));
      } catch (const NotFound&) {
        // The run says so, where an object shows these data.
      }
    files.makes(m_output);
    if (!m_stats.empty()) files.writes(m_stats, session::kStatsHead);
    if (!m_trace.empty()) files.writes(m_trace, trace::kFileHead);
    // Nothing in a video says who made it.
    if (!m_video.empty()) files.writes(m_video, [this](const auto&) { return m_options.resume; });
    if (!m_pageTrace.empty()) files.writes(m_pageTrace, std::string(paging::kPageTraceMagic));
  }

  void preview(const session::Session& session, const Context& context) const {
    const session::RunPreview found =
        session::previewSession(session, context.environment.readers, m_options, context.stop);
    printResult(m_json ? previewJson(found) : previewText(found));
  }

  /// What --resume found there.
  static std::string leftOut(const session::RunStats& stats) {
    if (stats.stepsLeftOut < stats.steps)
      return "the files of " + std::to_string(stats.stepsLeftOut) + " of " + std::to_string(stats.steps) +
             " steps were there";
    return stats.steps == 1
               ? "nothing to do: all files are there"
               : "nothing to do: the files of all " + std::to_string(stats.steps) + " steps are there";
  }

  /// `--set a=1 b=2`: what follows the first value looks like an argument to the parser.
  void takeOverrides() {
    std::erase_if(m_session, [&](const std::string& word) {
      const bool change =
          !m_overrides.empty() && word.find('=') != std::string::npos && !std::filesystem::exists(word);
      if (change) m_overrides.push_back(word);
      return change;
    });
    if (m_session.size() != 1) throw UsageError("name one session", "see farfield batchvis --help");
  }

  std::vector<std::string> m_session, m_overrides;
  std::string m_output = ".", m_scheduler = "fibers", m_prefetch = "auto", m_stats, m_trace, m_pageTrace;
  std::string m_video, m_lineScale;
  int m_frameRate = 0, m_turn = 0, m_flow = 0, m_view = 0, m_idleSeconds = 0;
  bool m_follow = false, m_noStepTitle = false;
  bool m_dryRun = false, m_json = false, m_overwrite = false;
  session::RunOptions m_options;
};

}  // namespace

std::unique_ptr<Command> makeBatchvisCommand() {
  return std::make_unique<BatchvisCommand>();
}

}  // namespace farfield::cli
