#include "bench/shared/page_store.h"

#include <algorithm>
#include <cmath>

#include "bench/shared/gather_arrays.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/sources/computed_reader.h"

namespace farfield::bench {

void writePageStore(const Request& request, const std::filesystem::path& path, int edge, int components,
                    std::uint64_t bytes) {
  const double pageBytes = std::pow(edge, 3) * components * sizeof(float);
  const auto perAxis =
      static_cast<std::int64_t>(std::max(2.0, std::cbrt(static_cast<double>(bytes) / pageBytes)));
  paging::DatasetDescription data;
  data.format = "bench";
  data.times = {0};
  paging::BlockDescription block;
  block.dims = {perAxis * edge, perAxis * edge, perAxis * edge};
  block.kind = paging::GridKind::Regular;
  block.bounds.add(Vec3{});
  block.bounds.add(Vec3{1, 1, 1});
  data.blocks = {block};
  paging::ArrayDescription array;
  array.name = "values";
  array.layout = paging::PageLayout::even(block.dims, edge);
  array.components = components;
  data.arrays = {array};
  const paging::ComputedReader reader(
      data, [components](std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte> out) {
        auto* value = reinterpret_cast<float*>(out.data());
        for (std::int64_t n = 0; n < product(box.size); ++n) {
          const Index3 in = unlinear(n, box.size);
          for (int c = 0; c < components; ++c)
            *value++ = nodeValue(box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2], c);
        }
      });
  MemoryAccount account(request.memoryBytes);
  paging::convert(reader, path,
                  {.pageEdge = edge,
                   .codec = paging::Codec::None,
                   .processors = request.processors,
                   .stop = request.stop},
                  account);
}

}  // namespace farfield::bench
