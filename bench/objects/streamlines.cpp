#include "bench/objects/streamlines.h"

#include <algorithm>
#include <cmath>

#include "bench/objects/recorded_line.h"
#include "bench/shared/array_data.h"
#include "bench/shared/measure.h"
#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/samples/sample.h"
#include "core/flow/seeds.h"

namespace farfield::bench {
namespace {

constexpr int kSamples = 40;
/// In diagonals. The reference's tolerances are so small that its steps end on the faces of cells, where the
/// velocity has kinks, and its own error is rounding.
constexpr double kReferenceTolerance = 1e-11, kReferenceHermite = 1e-8;
constexpr double kLevels[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

struct Case {
  const char* name;
  const char* sample;
  bool curvilinear;
  int blocks;
};
constexpr Case kCases[] = {{"regular", "abc", false, 1},
                           {"curvilinear", "abc", true, 1},
                           {"multi-block with iblank", "cylinder", true, 4}};

struct Setting {
  flow::Method method;
  double value;  ///< dopri5: tolerance over the diagonal; rk4: step in cells
};

/// The exact velocity inside the cells of the data.
class ExactSampler final : public fields::Sampler {
 public:
  ExactSampler(const std::string& sample, const ArrayData& data) : m_sample(sample), m_cells(data) {}
  bool locate(Vec3 point, fields::FieldTime time, fields::Location& location) override {
    m_point = point;
    return m_cells.locate(point, time, location);
  }
  fields::Nearness locateNear(Vec3 point, fields::FieldTime time, fields::Location& location) override {
    m_point = point;
    return m_cells.locateNear(point, time, location);
  }
  void evaluate(const fields::Location&, fields::FieldTime, std::span<double> out) override {
    const Vec3 velocity = samples::exactVelocity(m_sample, m_point, 0);
    for (int a = 0; a < 3; ++a) out[a] = velocity[a];
  }
  int valueCount() const override { return 3; }
  double outsideBy(const fields::Location& location) override { return m_cells.outsideBy(location); }
  double cellsPerTime(const fields::Location& location, fields::FieldTime time, Vec3 velocity) override {
    return m_cells.cellsPerTime(location, time, velocity);
  }
  const Bounds& bounds() const override { return m_cells.bounds(); }

 private:
  const std::string& m_sample;
  ArraySampler m_cells;
  Vec3 m_point{};
};

struct Lines {
  std::vector<RecordedLine> lines;  ///< by seed and direction
  double cpuSeconds = 0;
  std::uint64_t vertices = 0;
};

using MakeSampler = std::function<std::unique_ptr<fields::Sampler>(tasks::TaskContext&)>;

Lines trace(tasks::Scheduler& scheduler, tasks::Admission* admission, const flow::SeedSet& seeds,
            const flow::LineOptions& options, const MakeSampler& makeSampler, std::stop_token stop) {
  Lines result;
  result.lines.resize(2 * seeds.count());
  tasks::TaskGroup group;
  group.name = "lines";
  group.count = result.lines.size();
  group.admission = admission;
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const std::unique_ptr<fields::Sampler> sampler = makeSampler(context);
    flow::SampledField field(*sampler, {});
    flow::traceLine(field, seeds.at(n / 2, {}), n % 2 == 0 ? 1 : -1, options, context, result.lines[n]);
  };
  const double cpu = processCpuSeconds();
  scheduler.run(group, stop);
  result.cpuSeconds = processCpuSeconds() - cpu;
  for (const RecordedLine& line : result.lines) result.vertices += line.vertices();
  return result;
}

struct Errors {
  double median = 0, p90 = 0;
};

/// In diagonals, over the lines that leave their seed.
Errors errorsOf(const Lines& lines, const Lines& truth, double diagonal) {
  std::vector<double> errors;
  for (std::size_t n = 0; n < lines.lines.size(); ++n)
    if (truth.lines[n].vertices() > 1)
      errors.push_back(lines.lines[n].vertices() > 0
                           ? deviation(lines.lines[n], truth.lines[n], kSamples) / diagonal
                           : 1.0);
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  return {errors[errors.size() / 2], errors[errors.size() * 9 / 10]};
}

std::vector<Setting> settings(const Request& request) {
  std::vector<Setting> all;
  const int perDecade = request.choose(1, 1, 2, 4);
  for (int n = 2 * perDecade; n <= request.choose(3, 9, 9, 9) * perDecade; ++n)
    all.push_back({flow::Method::Dopri5, std::pow(10.0, -static_cast<double>(n) / perDecade)});
  for (double step = 1; step > request.choose(0.9, 0.05, 0.02, 0.01); step /= 2)
    all.push_back({flow::Method::Rk4, step});
  return all;
}

const char* nameOf(flow::Method method) {
  return method == flow::Method::Dopri5 ? "dopri5" : "rk4";
}

/// For each error level the least CPU time of the rows of a case that reach it, by method.
Json leastCpu(const Json& rows) {
  Json levels = Json::array();
  for (const double level : kLevels)
    for (const char* method : {"dopri5", "rk4"}) {
      const Json* best = nullptr;
      for (const Json& row : rows)
        if (row["method"] == method && row["p90Error"] <= level &&
            (!best || row["cpuSeconds"] < (*best)["cpuSeconds"]))
          best = &row;
      if (best)
        levels.push_back({{"case", (*best)["case"]},
                          {"method", method},
                          {"error", level},
                          {"cpuSeconds", (*best)["cpuSeconds"]},
                          {"microsecondsPerLine",
                           1e6 * (*best)["cpuSeconds"].get<double>() / (*best)["lines"].get<double>()},
                          {"setting", (*best)["setting"]}});
    }
  return levels;
}

Json measureCase(const Request& request, const Case& its) {
  samples::SampleOptions sample;
  const std::int64_t nodes = request.choose<std::int64_t>(17, 49, 97, 161);
  sample.size = {nodes, nodes, nodes};
  sample.blocks = its.blocks;
  sample.curvilinear = its.curvilinear;
  MemoryAccount arrayAccount(request.memoryBytes), pageAccount(request.memoryBytes);
  const std::string sampleName = its.sample;
  const std::shared_ptr<paging::MemoryReader> values =
      paging::MemoryReader::copyOf(*samples::makeSample(sampleName, sample), arrayAccount);
  const auto functions = std::make_shared<const fields::FunctionPlan>(values->description(),
                                                                      std::vector<std::string>{"velocity"});
  const ArrayData arrays(values, functions, arrayAccount);
  const double diagonal = arrays.bounds().diagonal();
  const Vec3 extent = arrays.bounds().max - arrays.bounds().min;
  const std::int64_t perAxis = request.choose<std::int64_t>(2, 4, 6, 8);
  const auto seeds = flow::boxSeeds(arrays.bounds().min + 0.27 * extent, arrays.bounds().max - 0.31 * extent,
                                    {perAxis, perAxis, perAxis});
  const auto opened =
      fields::openBoxes(values, {.pageEdge = 16, .threads = false, .name = its.name}, {}, pageAccount);
  fields::PagedDataOptions paging;
  paging.arrays = functions->arrays();
  fields::PagedData paged(*opened, pageAccount, paging);
  const auto pagedScheduler = paged.makeScheduler();
  const auto arrayScheduler =
      tasks::makeScheduler({.processors = 1, .workersPerProcessor = paged.plan().tasksPerProcessor});

  flow::LineOptions options;
  // in flows that mix, lines separate with their length, whatever the tolerance
  options.maxLength = diagonal;
  const auto inPages = [&] {
    return trace(
        *pagedScheduler, &paged.admission(), *seeds, options,
        [&](tasks::TaskContext& context) { return paged.makeSampler(context, functions); }, request.stop);
  };
  const auto overArrays = [&] {
    return trace(
        *arrayScheduler, nullptr, *seeds, options,
        [&](tasks::TaskContext&) { return std::make_unique<ArraySampler>(arrays); }, request.stop);
  };
  options.tolerance = kReferenceTolerance * diagonal;
  options.hermiteTolerance = kReferenceHermite * diagonal;
  const Lines truth = overArrays();
  const Lines exact = trace(
      *arrayScheduler, nullptr, *seeds, options,
      [&](tasks::TaskContext&) { return std::make_unique<ExactSampler>(sampleName, arrays); }, request.stop);
  const Errors gridErrors = errorsOf(truth, exact, diagonal);

  Json rows = Json::array();
  for (const Setting& setting : settings(request)) {
    request.throwIfStopped();
    options.method = setting.method;
    options.hermiteTolerance = 0;
    (setting.method == flow::Method::Dopri5 ? options.tolerance : options.stepCells) =
        setting.method == flow::Method::Dopri5 ? setting.value * diagonal : setting.value;
    Lines lines = inPages();
    Rounds pagesCpu, arraysCpu;
    for (int round = 0; round < request.choose(1, 2, 3, 5); ++round) {
      pagesCpu.add(inPages().cpuSeconds);
      arraysCpu.add(overArrays().cpuSeconds);
    }
    const Errors errors = errorsOf(lines, truth, diagonal);
    rows.push_back({{"case", its.name},
                    {"sample", its.sample},
                    {"nodes", nodes},
                    {"blocks", its.blocks},
                    {"method", nameOf(setting.method)},
                    {"setting", setting.value},
                    {"lines", lines.lines.size()},
                    {"vertices", lines.vertices},
                    {"cpuSeconds", pagesCpu.least()},
                    {"microsecondsPerVertex", 1e6 * pagesCpu.least() / static_cast<double>(lines.vertices)},
                    {"arraysCpuSeconds", arraysCpu.least()},
                    {"cpuRatio", pagesCpu.least() / arraysCpu.least()},
                    {"medianError", errors.median},
                    {"p90Error", errors.p90},
                    {"gridMedianError", gridErrors.median},
                    {"gridP90Error", gridErrors.p90}});
  }
  return rows;
}

}  // namespace

Json runStreamlines(const Request& request) {
  Json out = {{"what",
               "CPU time of lines of a measured error, in diagonals of the data, against a run with a "
               "tolerance of 1e-11; "
               "limit: the same lines over plain arrays; grid errors: of that run against the exact flow"},
              {"results", Json::array()},
              {"leastCpuToError", Json::array()}};
  for (const Case& each : kCases) {
    request.say(std::string("streamlines: ") + each.name);
    const Json rows = measureCase(request, each);
    for (const Json& row : rows) out["results"].push_back(row);
    for (const Json& row : leastCpu(rows)) out["leastCpuToError"].push_back(row);
  }
  return out;
}

}  // namespace farfield::bench
