#pragma once
// Lines of sample data by processors and by a device, kept whole, and how far they are from each other.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/fields/samples/sample_data.h"
#include "core/flow/line_engine.h"
#include "core/flow/line_field.h"
#include "core/flow/seeds.h"
#include "render/opencl/lines/line_rounds.h"
#include "render/opencl/lines/line_tracer.h"

namespace farfield::test {

/// All of a line.
struct KeptLine {
  struct Vertex {
    Vec3 point;
    double time;
    std::vector<double> values;
    bool operator==(const Vertex&) const = default;
  };
  std::vector<Vertex> vertices;
  flow::LineResult result;
  bool finished = false;

  Vec3 velocity(std::size_t n) const {
    const std::vector<double>& v = vertices[n].values;
    return {v[0], v[1], v[2]};
  }
  /// Cubic Hermite between the vertices; the last one after the end. `ago` is a time without sign.
  Vec3 at(double ago) const {
    std::size_t n = 1;
    while (n < vertices.size() && std::abs(vertices[n].time) < ago) ++n;
    if (n >= vertices.size()) return vertices.back().point;
    const Vertex &a = vertices[n - 1], &b = vertices[n];
    const double h = b.time - a.time, u = (ago - std::abs(a.time)) / std::abs(h);
    return (1 + 2 * u) * (1 - u) * (1 - u) * a.point + u * u * (3 - 2 * u) * b.point +
           h * (u * (1 - u) * (1 - u) * velocity(n - 1) - u * u * (1 - u) * velocity(n));
  }
  double duration() const { return vertices.empty() ? 0 : std::abs(vertices.back().time); }
};

/// The largest distance at equal times, as long as both last.
inline double distance(const KeptLine& a, const KeptLine& b) {
  constexpr int kSamples = 60;
  const double until = std::min(a.duration(), b.duration());
  double most = 0;
  for (int n = 0; n <= kSamples && !a.vertices.empty() && !b.vertices.empty(); ++n)
    most = std::max(most, length(a.at(until * n / kSamples) - b.at(until * n / kSamples)));
  return most;
}

class KeepingSink final : public flow::LineJob::Sink {
 public:
  explicit KeepingSink(KeptLine& line) : m_line(line) {}
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    m_line.vertices.push_back({point, time, {values.begin(), values.end()}});
  }
  void finish(const flow::LineResult& result, Vec3) override {
    m_line.result = result;
    m_line.finished = true;
  }

 private:
  KeptLine& m_line;
};

/// Data, and the seeds of lines in them, both ways.
struct LineTheatre {
  explicit LineTheatre(const std::string& url, std::vector<std::string> functions = {"velocity", "pressure"},
                       std::uint64_t memory = std::uint64_t{256} << 20)
      : account(memory) {
    fields::OpenRequest open;
    open.sources = {url};
    show(samples::SampleDataReader().open(open, account), std::move(functions));
  }
  LineTheatre(std::unique_ptr<fields::OpenData> opened, std::uint64_t memory) : account(memory) {
    show(std::move(opened), {"velocity", "density"});
  }

  void show(std::unique_ptr<fields::OpenData> opened, std::vector<std::string> functions) {
    data = std::move(opened);
    plan = std::make_shared<fields::FunctionPlan>(data->description(), std::move(functions));
    fields::PagedDataOptions paging;
    paging.arrays = plan->arrays();
    paging.processors = 2;
    paging.cache = fields::sharedCache(account, 2);
    paged = std::make_unique<fields::PagedData>(*data, account, paging);
    const Bounds& bounds = paged->bounds();
    const Vec3 extent = bounds.max - bounds.min;
    seeds = flow::boxSeeds(bounds.min + 0.13 * extent, bounds.max - 0.11 * extent, {6, 5, 4});
  }
  double diagonal() const { return paged->bounds().diagonal(); }
  std::size_t count() const { return 2 * seeds->count(); }
  flow::LineJob job() {
    lines.assign(count(), {});
    flow::LineJob job{.data = *paged,
                      .functions = plan,
                      .options = options,
                      .count = count(),
                      .seed = {},
                      .describe = {},
                      .open = {},
                      .account = account};
    job.seed = [&](std::size_t n, tasks::TaskContext&) {
      return flow::LineJob::Seed{seeds->at(n / 2, {}), n % 2 == 0 ? 1 : -1};
    };
    job.describe = [](std::size_t n) { return "seed " + std::to_string(n / 2); };
    job.open = [&](std::size_t n) { return std::make_unique<KeepingSink>(lines[n]); };
    return job;
  }
  /// By tasks.
  std::vector<KeptLine> byProcessors() {
    lines.assign(count(), {});
    tasks::TaskGroup group;
    group.name = "lines";
    group.count = count();
    group.admission = &paged->admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      const auto sampler = paged->makeSampler(context, plan);
      flow::SampledField field(*sampler, {});
      KeepingSink sink(lines[n]);
      sink.finish(flow::traceLine(field, seeds->at(n / 2, {}), n % 2 == 0 ? 1 : -1, options, context, sink),
                  {});
    };
    paged->makeScheduler()->run(group, {});
    return std::move(lines);
  }
  /// By a device, with bricks in so many bytes of its memory.
  template <class Real>
  std::vector<KeptLine> byDevice(const std::shared_ptr<const opencl::Device>& device,
                                 std::uint64_t mostBytes = std::uint64_t{64} << 20) {
    const flow::LineJob its = job();
    counts =
        opencl::LineRounds<Real>({device, sizeof(Real) == sizeof(double), account, mostBytes}, its).run();
    return std::move(lines);
  }

  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<fields::PagedData> paged;
  std::unique_ptr<flow::SeedSet> seeds;
  flow::LineOptions options;
  std::vector<KeptLine> lines;
  flow::LineCounts counts;
};

}  // namespace farfield::test
