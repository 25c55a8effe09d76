#include "bench/objects/particles.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "bench/objects/recorded_line.h"
#include "bench/shared/line_job.h"
#include "bench/shared/measure.h"
#include "core/base/log.h"
#include "core/fields/samples/sample_data.h"
#include "render/opencl/lines/line_tracer.h"

namespace farfield::bench {
namespace {

constexpr int kSamples = 40;
/// So many lines are kept, to be compared.
constexpr std::size_t kKept = 256;

struct Case {
  const char* name;
  const char* url;
};
constexpr Case kCases[] = {{"regular", "sample://abc"},
                           {"curvilinear", "sample://abc?curvilinear=true"},
                           {"multi-block with iblank", "sample://cylinder?blocks=4"}};

/// Counts the vertices of a line, and keeps those of some.
class CountingLine final : public flow::LineJob::Sink {
 public:
  CountingLine(std::atomic<std::uint64_t>& vertices, RecordedLine* kept)
      : m_vertices(vertices), m_kept(kept) {}
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    ++m_count;
    if (m_kept) m_kept->vertex(point, time, values);
  }
  void finish(const flow::LineResult&, Vec3) override { m_vertices += m_count; }

 private:
  std::atomic<std::uint64_t>& m_vertices;
  RecordedLine* m_kept;
  std::uint64_t m_count = 0;
};

/// What one engine made in one round.
struct Round {
  double seconds = 0, cpuSeconds = 0;
  std::uint64_t vertices = 0;
  std::vector<RecordedLine> kept;
};

/// Data that are resident, and the lines in them.
struct Show {
  Show(const Request& request, const std::string& url) : account(request.memoryBytes) {
    fields::OpenRequest open;
    open.sources = {url};
    data = samples::SampleDataReader().open(open, account);
    functions = std::make_shared<const fields::FunctionPlan>(data->description(),
                                                             std::vector<std::string>{"velocity"});
    fields::PagedDataOptions paging;
    paging.arrays = functions->arrays();
    paging.processors = request.processors;
    paging.resultBytesPerTask = fields::PagedData::samplerBytes(*functions);
    paging.cache = fields::sharedCache(account, request.processors);
    paged = std::make_unique<fields::PagedData>(*data, account, paging);
    const std::int64_t perAxis = request.choose<std::int64_t>(4, 11, 18, 25);
    seeds = seedsIn(paged->bounds(), perAxis);
    options.maxLength = paged->bounds().diagonal();
    stop = request.stop;
  }

  std::size_t count() const { return 2 * seeds->count(); }
  flow::LineJob job(Round& round, std::atomic<std::uint64_t>& vertices) {
    round.kept.resize(std::min(count(), kKept));
    flow::LineJob job{.data = *paged,
                      .functions = functions,
                      .options = options,
                      .count = count(),
                      .seed = {},
                      .describe = {},
                      .open = {},
                      .account = account,
                      .stop = stop};
    job.seed = [this](std::size_t n, tasks::TaskContext&) {
      return flow::LineJob::Seed{seeds->at(n / 2, {}), n % 2 == 0 ? 1 : -1};
    };
    job.describe = [](std::size_t n) { return "seed " + std::to_string(n / 2); };
    const std::size_t stride = (count() + kKept - 1) / kKept;
    job.open = [&round, &vertices, stride](std::size_t n) {
      return std::make_unique<CountingLine>(vertices, n % stride == 0 ? &round.kept[n / stride] : nullptr);
    };
    return job;
  }
  /// Nothing where the engine cannot.
  std::optional<Round> trace(const flow::LineEngine& engine, flow::LineCounts& counts) {
    Round round;
    std::atomic<std::uint64_t> vertices{0};
    const flow::LineJob its = job(round, vertices);
    const double cpu = processCpuSeconds();
    const Stopwatch watch;
    if (engine) {
      const auto done = engine(its);
      if (!done) return std::nullopt;
      counts = *done;
    } else {
      byTasks(its);
    }
    round.seconds = watch.seconds();
    round.cpuSeconds = processCpuSeconds() - cpu;
    round.vertices = vertices;
    return round;
  }
  void byTasks(const flow::LineJob& its) {
    tasks::TaskGroup group;
    group.name = "lines";
    group.count = its.count;
    group.admission = &paged->admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      const flow::LineJob::Seed seed = its.seed(n, context);
      const auto sampler = paged->makeSampler(context, functions);
      flow::SampledField field(*sampler, {});
      const auto sink = its.open(n);
      sink->finish(flow::traceLine(field, seed.position, seed.direction, options, context, *sink),
                   seed.position);
    };
    paged->makeScheduler()->run(group, stop);
  }

  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<const fields::FunctionPlan> functions;
  std::unique_ptr<fields::PagedData> paged;
  std::shared_ptr<const flow::SeedSet> seeds;
  flow::LineOptions options;
  std::stop_token stop;
};

Json measureCase(const Request& request, const Case& its, const flow::LineEngine& engine) {
  const std::int64_t nodes = request.choose<std::int64_t>(25, 65, 97, 161);
  std::string url = its.url;
  url += (url.find('?') == std::string::npos ? "?" : "&") + ("size=" + std::to_string(nodes));
  Show show(request, url);
  flow::LineCounts counts;
  // The first time pages are read, or computed, and kernels compiled.
  const std::optional<Round> first = show.trace(engine, counts), wanted = show.trace({}, counts);
  Json row = {{"case", its.name}, {"nodes", nodes}, {"lines", show.count()}, {"vertices", wanted->vertices}};
  if (!first) {
    row["engine"] = "cpu";
    return row;
  }
  Rounds processors, device, processorsCpu, deviceCpu;
  for (int n = 0; n < request.choose(1, 3, 5, 7); ++n) {
    request.throwIfStopped();
    const std::optional<Round> a = show.trace({}, counts), b = show.trace(engine, counts);
    if (!b) break;
    processors.add(a->seconds);
    processorsCpu.add(a->cpuSeconds);
    device.add(b->seconds);
    deviceCpu.add(b->cpuSeconds);
  }
  std::vector<double> distances;
  for (std::size_t n = 0; n < wanted->kept.size(); ++n)
    if (wanted->kept[n].vertices() > 1 && first->kept[n].vertices() > 1)
      distances.push_back(deviation(first->kept[n], wanted->kept[n], kSamples) /
                          show.paged->bounds().diagonal());
  std::sort(distances.begin(), distances.end());
  const auto lines = static_cast<double>(show.count());
  const auto steps = static_cast<double>(wanted->vertices);
  row["engine"] = counts.engine;
  row["device"] = counts.device;
  row["processorsLinesPerSecond"] = lines / processors.median();
  row["processorsStepsPerSecond"] = steps / processors.median();
  row["linesPerSecond"] = lines / device.median();
  row["stepsPerSecond"] = steps / device.median();
  row["kernelSeconds"] = counts.deviceSeconds;
  row["timesProcessors"] = medianRatio(processors, device);
  row["timesProcessorsCpu"] = medianRatio(processorsCpu, deviceCpu);
  row["rounds"] = counts.rounds;
  row["bricks"] = counts.bricks;
  row["handedBack"] = counts.handedBack;
  row["sameVertices"] = first->vertices == wanted->vertices;
  row["medianDistance"] = distances.empty() ? 0 : distances[distances.size() / 2];
  row["mostDistance"] = distances.empty() ? 0 : distances.back();
  return row;
}

}  // namespace

Json runParticles(const Request& request) {
  const OnProcessors only(request.processors);
  const auto openCl = std::make_shared<opencl::OpenCl>(opencl::OpenCl::Options{.notice = log::warning});
  const flow::LineEngine engine = opencl::lineEngine(openCl);
  Json out = {{"what",
               "lines of many seeds by processors and by an OpenCL device, by turns over resident pages; "
               "distances are in diagonals of "
               "the data, at equal times; timesProcessors is the device's speed over that of the processors"},
              {"results", Json::array()}};
  for (const Case& each : kCases) {
    request.say(std::string("particles: ") + each.name);
    out["results"].push_back(measureCase(request, each, engine));
  }
  return out;
}

}  // namespace farfield::bench
