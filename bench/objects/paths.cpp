#include "bench/objects/paths.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "bench/shared/measure.h"
#include "core/fields/samples/formulas.h"
#include "core/fields/samples/sample_data.h"
#include "core/session/run/object_run.h"
#include "core/session/run/particles/particles_run.h"

namespace farfield::bench {
namespace {

constexpr double kHeight = 3;  // of the plane of vortices that the seeds lie in

/// Seconds for the same sum on each of `processors`.
double arithmetic(int processors, std::uint64_t terms) {
  const Stopwatch watch;
  std::vector<std::jthread> threads;
  std::vector<double> sums(static_cast<std::size_t>(processors) * 8);
  for (int n = 0; n < processors; ++n)
    threads.emplace_back([&sums, n, terms] {
      double x = 0.5 + n * 1e-3;
      for (std::uint64_t k = 0; k < terms; ++k) x = x * 0.999999 + 1 / (1 + x);
      sums[static_cast<std::size_t>(n) * 8] = x;
    });
  threads.clear();
  return watch.seconds();
}

/// Where the decaying vortices take `p` until `time`: along the streamlines of time 0, ever more slowly.
Vec3 carried(Vec3 p, double time) {
  constexpr int kPieces = 400;
  const double rate = 2 * samples::TaylorGreen::kViscosity;
  const double h = (1 - std::exp(-rate * time)) / rate / kPieces;
  const auto velocity = [](Vec3 at) { return samples::TaylorGreen::velocity(at, 0); };
  for (int n = 0; n < kPieces; ++n) {
    const Vec3 k1 = velocity(p), k2 = velocity(p + h / 2 * k1), k3 = velocity(p + h / 2 * k2),
               k4 = velocity(p + h * k3);
    p = p + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return p;
}

struct Pass {
  double wallSeconds = 0, cpuSeconds = 0;
  std::vector<double> ofSteps;  ///< CPU seconds of each step of the data
  std::uint64_t vertices = 0;
  double largestError = 0, meanError = 0;
};

/// Particles from a plane of seeds through all steps, on `processors`.
Pass trace(const Request& request, std::int64_t nodes, std::int64_t side, int steps, int processors) {
  const OnProcessors some(processors);
  MemoryAccount account(request.memoryBytes);
  fields::OpenRequest open;
  open.sources = {"sample://taylor-green?size=" + std::to_string(nodes) + "," + std::to_string(nodes) +
                  ",9&curvilinear=true&steps=" + std::to_string(steps)};
  const auto data = samples::SampleDataReader().open(open, account);
  session::Object object;
  object.name = "paths";
  session::Pathlines shape;
  shape.asPoints = true;
  shape.seeds = session::PlaneSeeds{{0.3, 0.3, kHeight}, {5.6, 0, 0}, {0, 5.6, 0}, {side, side}};
  object.shape = shape;
  const auto run = session::makeObjectRun(object, data->description());
  fields::PagedDataOptions options;
  options.arrays = run->arrays();
  options.processors = processors;
  options.stepsAtATime = run->stepsAtATime();
  options.resultBytesPerTask = run->taskBytes();
  options.keptBytes = run->stateBytes() + (std::uint64_t{1} << 20);
  fields::PagedData paged(*data, account, options);
  const session::ObjectSurroundings surroundings{paged, account, request.folder, request.stop, {}};
  session::RunSteps all;
  for (int n = 0; n < steps; ++n) all.chosen.push_back(n);
  Pass pass;
  run->begin(surroundings, all);
  for (const std::int64_t step : all.chosen) {
    const Stopwatch watch;
    const double before = processCpuSeconds();
    run->step(surroundings, step);
    pass.wallSeconds += watch.seconds();
    pass.ofSteps.push_back(processCpuSeconds() - before);
    pass.cpuSeconds += pass.ofSteps.back();
  }
  run->end(surroundings);
  session::ObjectStats stats;
  run->count(stats);
  for (const auto& [key, value] : stats.more)
    if (key == "steps") pass.vertices = std::get<std::uint64_t>(value);
  const double end = data->description().times.back();
  const auto& particles = *dynamic_cast<const session::ParticlesRun&>(*run).particles();
  std::uint64_t counted = 0;
  particles.table->visit([&](std::uint64_t n, const session::ParticleRecord& record) {
    if (n % 97 != 0 || !record.particle.alive()) return;  // some of them say it
    const auto at = [&](std::uint64_t k) {
      return 0.3 + 5.6 * static_cast<double>(k) / static_cast<double>(std::max<std::int64_t>(1, side - 1));
    };
    const auto width = static_cast<std::uint64_t>(side);
    const Vec3 seed{at(n % width), at(n / width), kHeight};
    const double error = length(record.particle.position - carried(seed, end));
    pass.largestError = std::max(pass.largestError, error);
    pass.meanError += error;
    ++counted;
  });
  pass.meanError /= static_cast<double>(std::max<std::uint64_t>(1, counted));
  return pass;
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(std::max<std::size_t>(1, values.size()));
}

}  // namespace

Json runPaths(const Request& request) {
  const std::int64_t nodes = request.choose<std::int64_t>(17, 65, 65, 129);
  const std::int64_t side = request.choose<std::int64_t>(12, 50, 100, 317);
  const int steps = request.choose(11, 41, 101, 201), rounds = request.choose(1, 3, 5, 7);
  const std::uint64_t terms = request.choose<std::uint64_t>(100'000, 20'000'000, 50'000'000, 100'000'000);
  const int many = std::max(1, request.processors);
  Json out;
  out["particles"] = side * side;
  out["steps"] = steps;
  Rounds one, more, cpu, sumOne, sumMore, growth;
  Pass pass;
  for (int round = 0; round < rounds; ++round) {
    request.throwIfStopped();
    request.say("round " + std::to_string(round + 1) + " of " + std::to_string(rounds));
    sumOne.add(arithmetic(1, terms));
    sumMore.add(arithmetic(many, terms));
    pass = trace(request, nodes, side, steps, 1);
    one.add(pass.wallSeconds);
    cpu.add(pass.cpuSeconds);
    // The first step of the data is only where particles start, and the first interval reads the grid.
    const std::span<const double> ofSteps = std::span(pass.ofSteps).subspan(2);
    const std::size_t tenth = std::max<std::size_t>(1, ofSteps.size() / 10);
    growth.add(mean(ofSteps.last(tenth)) / mean(ofSteps.first(tenth)));
    if (many > 1) more.add(trace(request, nodes, side, steps, many).wallSeconds);
  }
  out["vertices"] = pass.vertices;
  out["cpuSeconds"] = cpu.median();
  out["nanosecondsPerVertex"] =
      1e9 * cpu.median() / static_cast<double>(std::max<std::uint64_t>(1, pass.vertices));
  out["particleStepsPerSecond"] =
      static_cast<double>(side * side) * (steps - 1) / std::max(1e-9, cpu.median());
  out["lastTenthToFirst"] = growth.median();
  out["largestError"] = pass.largestError;
  out["meanError"] = pass.meanError;
  if (many > 1) {
    // As many sums at a time as there are processors, each as long as one alone.
    const double bare = many * medianRatio(sumOne, sumMore), paths = medianRatio(one, more);
    out["processors"] = many;
    out["speedup"] = paths;
    out["arithmeticSpeedup"] = bare;
    out["ratio"] = paths / bare;
  }
  return out;
}

}  // namespace farfield::bench
