#include "app/cli/sample_writer.h"

#include <algorithm>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/file.h"
#include "plugins/plot3d/plot3d_writer.h"

namespace farfield::cli {
namespace {

constexpr std::int64_t kSlabBytes = std::int64_t{4} << 20;

std::string numbered(const char* prefix, std::int64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%s%0*lld", prefix, digits, static_cast<long long>(number));
  return text;
}

std::filesystem::path named(const std::filesystem::path& stem, const std::string& ending) {
  return stem.parent_path() / (stem.filename().string() + ending);
}

/// Reads arrays slab by slab, in the order of the nodes, and counts them.
class Slabs {
 public:
  Slabs(const paging::BoxReader& sample, const SampleWriting& writing)
      : m_sample(sample), m_writing(writing) {
    for (const auto& array : sample.description().arrays)
      m_total += static_cast<std::uint64_t>(array.steps * product(array.layout.dims()));
  }

  using Use = std::function<void(const IndexBox& box, std::span<const std::byte> nodes)>;
  void forEach(std::uint32_t number, std::int64_t step, const Use& use) {
    const paging::ArrayDescription& array = m_sample.description().arrays[number];
    const Index3 dims = array.layout.dims();
    const std::int64_t rowBytes = dims[0] * array.nodeBytes();
    const std::int64_t rows = std::clamp<std::int64_t>(kSlabBytes / rowBytes, 1, dims[1]);
    const std::int64_t layers =
        rows < dims[1] ? 1 : std::clamp<std::int64_t>(kSlabBytes / (rowBytes * dims[1]), 1, dims[2]);
    for (std::int64_t k = 0; k < dims[2]; k += layers) {
      for (std::int64_t j = 0; j < dims[1]; j += rows) {
        if (m_writing.stop.stop_requested()) throw Cancelled();
        const IndexBox box{{0, j, k}, {dims[0], std::min(rows, dims[1] - j), std::min(layers, dims[2] - k)}};
        m_bytes.resize(static_cast<std::size_t>(product(box.size) * array.nodeBytes()));
        m_sample.read(number, step, box, m_bytes);
        use(box, m_bytes);
        m_done += static_cast<std::uint64_t>(product(box.size));
        if (m_writing.progress) m_writing.progress(m_done, m_total);
      }
    }
  }

  /// The nodes as doubles.
  std::span<const double> toDoubles(const paging::ArrayDescription& array, std::span<const std::byte> nodes) {
    m_doubles.resize(nodes.size() / static_cast<std::size_t>(sizeOf(array.type)));
    toDouble(nodes.data(), array.type, 0, static_cast<std::int64_t>(m_doubles.size()), m_doubles.data());
    return m_doubles;
  }

 private:
  const paging::BoxReader& m_sample;
  const SampleWriting& m_writing;
  std::vector<std::byte> m_bytes;
  std::vector<double> m_doubles;
  std::uint64_t m_done = 0, m_total = 0;
};

plot3d::FlowHeader headerOf(const paging::DatasetDescription& data, std::int64_t step) {
  const auto number = [&](const char* key) {
    const auto found = data.attributes.find(numbered((std::string(key) + ".").c_str(), step, 1));
    return found == data.attributes.end() ? 0.0 : std::stod(found->second);
  };
  return {number("mach"), number("alpha"), number("reynolds"), number("time")};
}

}  // namespace

std::vector<std::filesystem::path> writePlot3dSample(const paging::BoxReader& sample,
                                                     const std::filesystem::path& stem,
                                                     const SampleWriting& writing) {
  const paging::DatasetDescription& data = sample.description();
  std::vector<Index3> dims;
  for (const auto& block : data.blocks) dims.push_back(block.dims);
  plot3d::Format format;
  format.multiGrid = true;
  format.iblank = data.blocks.front().hasIblank;
  format.precision = data.arrays[static_cast<std::size_t>(data.find(0, "xyz"))].type;

  std::vector<std::filesystem::path> files{named(stem, ".xyz")};
  for (std::int64_t step = 0; step < data.steps(); ++step)
    files.push_back(named(stem, data.steps() > 1 ? numbered("_", step, 4) + ".q" : ".q"));

  Slabs slabs(sample, writing);
  auto grid = plot3d::Plot3dWriter::grid(files[0], format, dims);
  for (int block = 0; block < static_cast<int>(dims.size()); ++block) {
    const auto xyz = static_cast<std::uint32_t>(data.find(block, "xyz"));
    slabs.forEach(xyz, 0, [&](const IndexBox& box, std::span<const std::byte> nodes) {
      grid.write(block, box, slabs.toDoubles(data.arrays[xyz], nodes));
    });
    const int iblank = data.find(block, "iblank");
    if (!format.iblank || iblank < 0) continue;
    slabs.forEach(static_cast<std::uint32_t>(iblank), 0,
                  [&](const IndexBox& box, std::span<const std::byte> nodes) {
                    const auto values = slabs.toDoubles(data.arrays[static_cast<std::size_t>(iblank)], nodes);
                    std::vector<std::int32_t> whole(values.size());
                    std::transform(values.begin(), values.end(), whole.begin(),
                                   [](double v) { return static_cast<std::int32_t>(v); });
                    grid.writeIblank(block, box, whole);
                  });
  }
  // The grid takes its name last: what looks complete then is complete.
  for (std::int64_t step = 0; step < data.steps(); ++step) {
    auto solution = plot3d::Plot3dWriter::solution(files[static_cast<std::size_t>(step) + 1], format, dims,
                                                   headerOf(data, step));
    for (int block = 0; block < static_cast<int>(dims.size()); ++block) {
      const auto q = static_cast<std::uint32_t>(data.find(block, "q"));
      slabs.forEach(q, step, [&](const IndexBox& box, std::span<const std::byte> nodes) {
        solution.write(block, box, slabs.toDoubles(data.arrays[q], nodes));
      });
    }
    solution.commit();
  }
  grid.commit();
  return files;
}

std::vector<std::filesystem::path> writeRawSample(const paging::BoxReader& sample,
                                                  const std::filesystem::path& stem,
                                                  const SampleWriting& writing) {
  const paging::DatasetDescription& data = sample.description();
  std::vector<std::filesystem::path> files;
  Slabs slabs(sample, writing);
  for (std::uint32_t n = 0; n < data.arrays.size(); ++n) {
    const paging::ArrayDescription& array = data.arrays[n];
    for (std::int64_t step = 0; step < array.steps; ++step) {
      const std::string ending = (data.blocks.size() > 1 ? numbered("_b", array.block, 1) : "") + "_" +
                                 array.name + (array.steps > 1 ? numbered("_", step, 4) : "") + ".raw";
      NewFile file(files.emplace_back(named(stem, ending)));
      slabs.forEach(n, step, [&](const IndexBox&, std::span<const std::byte> nodes) { file.write(nodes); });
      file.commit();
    }
  }
  return files;
}

}  // namespace farfield::cli
