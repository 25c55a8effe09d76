#include "bench/objects/isosurface.h"

#include <memory>

#include "bench/shared/digest.h"
#include "bench/shared/measure.h"
#include "core/extract/isosurface.h"
#include "core/fields/samples/sample_data.h"

namespace farfield::bench {
namespace {

/// A surface as checksums, one per task.
class SurfaceDigest final : public extract::SurfaceSink {
 public:
  explicit SurfaceDigest(std::size_t tasks) : m_parts(tasks), m_counts(tasks) {}

  void patch(std::size_t number, const extract::SurfacePatch& patch) override {
    Digest& part = m_parts[number];
    for (const double each : patch.points) part.add(each);
    for (const std::uint32_t each : patch.triangles) part.add(std::uint64_t{each});
    m_counts[number] += patch.triangles.size() / 3;
  }
  std::uint64_t triangles() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : m_counts) sum += count;
    return sum;
  }
  std::uint64_t hash() const {
    Digest all;
    for (const Digest& part : m_parts) all.add(part.hash());
    return all.hash();
  }

 private:
  std::vector<Digest> m_parts;
  std::vector<std::uint64_t> m_counts;
};

/// The data, in pages that stay in memory, and in a plain array.
struct Scene {
  Scene(const Request& request, std::int64_t nodes)
      : account(request.memoryBytes), dims{nodes, nodes, nodes} {
    fields::OpenRequest open;
    open.sources = {"sample://marschner-lobb?size=" + std::to_string(nodes)};
    data = samples::SampleDataReader().open(open, account);
    const paging::DatasetDescription& description = data->description();
    functions = std::make_unique<fields::SurfaceFunctions>(fields::SurfaceFunctions{
        std::make_shared<fields::FunctionPlan>(description, std::vector<std::string>{"density"}),
        fields::FunctionPlan(description, {"density"}), fields::FunctionPlan(description, {})});
    const paging::ArrayDescription& array = description.arrays.at(0);
    std::vector<std::byte> bytes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
    data->boxReader()->read(0, 0, {{0, 0, 0}, dims}, bytes);
    std::vector<double> numbers(static_cast<std::size_t>(product(dims) * array.components));
    toDouble(bytes.data(), array.type, 0, static_cast<std::int64_t>(numbers.size()), numbers.data());
    for (std::size_t n = 0; n < numbers.size(); n += static_cast<std::size_t>(array.components))
      plain.push_back(static_cast<float>(numbers[n]));
    fields::PagedDataOptions options;
    options.arrays = functions->all->arrays();
    options.processors = request.processors;
    options.resultBytesPerTask = extract::isosurfaceTaskBytes(description, *functions);
    paged = std::make_unique<fields::PagedData>(*data, account, options);
  }

  SurfaceDigest surface(double value, const std::stop_token& stop) {
    const extract::Isosurface isosurface(data->description(), {value});
    SurfaceDigest digest(isosurface.taskCount());
    tasks::TaskGroup group;
    group.name = "isosurface";
    group.count = isosurface.taskCount();
    group.admission = &paged->admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      isosurface.extract(n, *paged, context, *functions, 0, digest);
    };
    paged->makeScheduler()->run(group, stop);
    return digest;
  }

  /// Number of cells that are cut, by examining the corners of each in place.
  std::uint64_t cutCells(float value) const {
    std::uint64_t count = 0;
    const auto row = static_cast<std::size_t>(dims[0]), layer = row * static_cast<std::size_t>(dims[1]);
    for (std::int64_t k = 0; k + 1 < dims[2]; ++k)
      for (std::int64_t j = 0; j + 1 < dims[1]; ++j) {
        const float* const at =
            plain.data() + layer * static_cast<std::size_t>(k) + row * static_cast<std::size_t>(j);
        for (std::size_t i = 0; i + 1 < row; ++i) {
          int above = 0;
          for (const std::size_t to : {std::size_t{0}, row, layer, row + layer})
            above += (at[i + to] >= value) + (at[i + to + 1] >= value);
          count += above != 0 && above != 8;
        }
      }
    return count;
  }

  MemoryAccount account;
  Index3 dims;
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<fields::SurfaceFunctions> functions;
  std::unique_ptr<fields::PagedData> paged;
  std::vector<float> plain;
};

}  // namespace

Json runIsosurface(const Request& request) {
  const std::int64_t nodes = request.choose<std::int64_t>(33, 97, 193, 257);
  const int rounds = request.choose(1, 3, 5, 7);
  Scene scene(request, nodes);
  Json out;
  out["nodes"] = product(scene.dims);
  for (const double value : {0.25, 0.5, 0.75}) {
    request.throwIfStopped();
    request.say("surface of " + std::to_string(value));
    std::uint64_t triangles = 0, cut = 0;
    const std::uint64_t wanted = scene.surface(value, request.stop).hash();  // the pages are in memory then
    Rounds cpu, wall, plain;
    bool equal = true;
    for (int round = 0; round < rounds; ++round) {
      const double before = processCpuSeconds();
      const Stopwatch watch;
      const SurfaceDigest digest = scene.surface(value, request.stop);
      wall.add(watch.seconds());
      cpu.add(processCpuSeconds() - before);
      triangles = digest.triangles();
      equal = equal && digest.hash() == wanted;
      const double start = threadCpuSeconds();
      cut = scene.cutCells(static_cast<float>(value));
      plain.add(threadCpuSeconds() - start);
    }
    Json row;
    row["value"] = value;
    row["triangles"] = triangles;
    row["cutCells"] = cut;
    row["wallSeconds"] = wall.median();
    row["cpuSeconds"] = cpu.median();
    row["plainSeconds"] = plain.median();
    row["ratio"] = medianRatio(cpu, plain);
    row["nanosecondsPerTriangle"] = triangles > 0 ? 1e9 * cpu.median() / static_cast<double>(triangles) : 0;
    row["sameBytes"] = equal;
    out["results"].push_back(std::move(row));
  }
  return out;
}

}  // namespace farfield::bench
