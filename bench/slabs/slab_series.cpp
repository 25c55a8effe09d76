#include "bench/slabs/slab_series.h"

#include "bench/devices/scripted_source.h"
#include "core/base/error.h"

namespace farfield::bench {
namespace {

class SeriesSource final : public paging::PageSource {
 public:
  SeriesSource(const paging::DatasetDescription& description,
               std::shared_ptr<const std::vector<float>> values,
               std::shared_ptr<std::atomic<std::uint64_t>> served)
      : m_description(description), m_values(std::move(values)), m_served(std::move(served)) {}
  const paging::DatasetDescription& description() const override { return m_description; }
  std::uint64_t maxStoredBytes(std::uint32_t) const override {
    return static_cast<std::uint64_t>(m_description.arrays[0].maxPageBytes());
  }
  void read(std::span<const paging::PageRequest> requests) noexcept override {
    const paging::ArrayDescription& array = m_description.arrays[0];
    const std::size_t nodes = static_cast<std::size_t>(array.layout.maxNodes());
    const Index3& pages = array.layout.pagesPerAxis();
    for (const paging::PageRequest& request : requests) {
      Index3 page = unlinear(static_cast<std::int64_t>(request.page) % array.layout.pageCount(), pages);
      page[2] = (page[2] + array.stepOf(request.page)) % pages[2];
      const auto at = static_cast<std::size_t>(linear(page, pages)) * nodes;
      ++m_reads;
      m_bytes += nodes * sizeof(float);
      *m_served += nodes * sizeof(float);
      request.sink->arrived(request.tag, {.bytes = std::as_bytes(std::span(*m_values).subspan(at, nodes))});
    }
  }
  void cancel(const paging::PageSink*) noexcept override {}
  paging::SourceCounters counters() const override { return {m_reads.load(), m_bytes.load()}; }

 private:
  const paging::DatasetDescription& m_description;
  const std::shared_ptr<const std::vector<float>> m_values;
  const std::shared_ptr<std::atomic<std::uint64_t>> m_served;
  std::atomic<std::uint64_t> m_reads{0}, m_bytes{0};
};

}  // namespace

SlabSeries::SlabSeries(const paging::BoxReader& from, std::int64_t steps) {
  const paging::DatasetDescription& its = from.description();
  paging::ArrayDescription array = its.arrays.at(0);
  const auto components = static_cast<std::size_t>(array.components);
  const Index3 dims = array.layout.dims();
  for (std::size_t a = 0; a < 3; ++a)
    if (dims[a] % kPage[a] != 0) throw Invalid("a series is made of whole pages");
  if (array.type != ScalarType::F32) throw Invalid("a series is made of 32-bit numbers");
  array.name = "value";
  array.componentNames.clear();
  array.components = 1;
  array.layout = paging::PageLayout::ofExtent(dims, kPage);
  array.steps = steps;
  m_description.format = "series";
  for (std::int64_t step = 0; step < steps; ++step) m_description.times.push_back(static_cast<double>(step));
  m_description.blocks = {its.blocks.at(0)};
  m_description.arrays = {array};
  const auto nodes = static_cast<std::size_t>(array.layout.maxNodes());
  std::vector<float> values(static_cast<std::size_t>(array.layout.pageCount()) * nodes),
      some(nodes * components);
  for (std::int64_t page = 0; page < array.layout.pageCount(); ++page) {
    from.read(0, 0, array.layout.box(page), std::as_writable_bytes(std::span(some)));
    for (std::size_t n = 0; n < nodes; ++n)
      values[static_cast<std::size_t>(page) * nodes + n] = some[n * components];
  }
  m_values = std::make_shared<const std::vector<float>>(std::move(values));
}

std::uint64_t SlabSeries::largestStoredBytes() const {
  return static_cast<std::uint64_t>(m_description.arrays[0].maxPageBytes());
}

std::vector<std::unique_ptr<paging::PageSource>> SlabSeries::makeSources(
    MemoryAccount&, const fields::SourceOptions& options) const {
  std::vector<std::unique_ptr<paging::PageSource>> sources;
  auto pages = std::make_unique<SeriesSource>(m_description, m_values, m_served);
  if (m_bytesPerSecond == 0) {
    sources.push_back(std::move(pages));
    return sources;
  }
  paging::ScriptedOptions scripted;
  scripted.bytesPerSecond = m_bytesPerSecond;
  scripted.maxConcurrent = std::max(1, options.readers);
  scripted.delivery = options.engine == paging::EngineKind::Threads ? paging::ScriptedDelivery::Thread
                                                                    : paging::ScriptedDelivery::Reap;
  sources.push_back(std::make_unique<paging::ScriptedSource>(std::move(pages), m_ownAccount, scripted));
  return sources;
}

}  // namespace farfield::bench
