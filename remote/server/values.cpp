#include "remote/server/values.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/pages/page_nodes.h"

namespace farfield::remote {
namespace {

constexpr std::int64_t kMostPages = 4096;
/// A box that is read whole for the sake of every n-th node of it takes this many bytes at most at a time.
constexpr std::int64_t kMostBoxBytes = 16 << 20;

/// What is asked for along i, j, k, of one step.
struct Slab {
  Index3 start, count, stride;
  /// The box that holds all of it.
  IndexBox box() const {
    IndexBox box{start, {}};
    for (std::size_t a = 0; a < 3; ++a) box.size[a] = (count[a] - 1) * stride[a] + 1;
    return box;
  }
};

/// Copies the nodes of `slab` that lie in `box`, whose values are `from`, to their places in `to`.
void pick(const Slab& slab, const IndexBox& box, const std::byte* from, std::byte* to,
          std::int64_t nodeBytes) {
  Index3 first, last;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t behind = box.first[a] - slab.start[a];
    first[a] = behind <= 0 ? 0 : (behind + slab.stride[a] - 1) / slab.stride[a];
    last[a] = std::min(slab.count[a] - 1, (box.first[a] + box.size[a] - 1 - slab.start[a]) / slab.stride[a]);
  }
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i) {
        const Index3 local = {slab.start[0] + i * slab.stride[0] - box.first[0],
                              slab.start[1] + j * slab.stride[1] - box.first[1],
                              slab.start[2] + k * slab.stride[2] - box.first[2]};
        std::copy_n(from + linear(local, box.size) * nodeBytes, nodeBytes,
                    to + linear({i, j, k}, slab.count) * nodeBytes);
      }
}

void check(const ServedSet& set, const ValuesRequest& request) {
  if (request.array >= set.description().arrays.size())
    throw Invalid("there is no array " + std::to_string(request.array));
  const paging::ArrayDescription& array = set.description().arrays[request.array];
  const Index3& dims = array.layout.dims();
  const std::array<std::int64_t, 4> extents = {array.steps, dims[2], dims[1], dims[0]};
  for (std::size_t a = 0; a < 4; ++a) {
    const std::int64_t start = request.start[a], count = request.count[a], stride = request.stride[a];
    if (start < 0 || start >= extents[a] || count < 1 || stride < 1 || stride > extents[a] ||
        count - 1 > (extents[a] - 1 - start) / stride)
      throw Invalid("a hyperslab is not inside array " + array.name);
  }
  const auto& count = request.count;
  if (checkedProduct({count[0], count[1], count[2], count[3], array.nodeBytes()}) >
      static_cast<std::int64_t>(kMostValueBytes))
    throw Invalid("a hyperslab of more than " + std::to_string(kMostValueBytes) + " bytes is asked for",
                  "ask for it in parts");
}

void readBoxes(const paging::BoxReader& reader, std::uint32_t array, std::int64_t step, const Slab& slab,
               std::byte* to, std::int64_t nodeBytes) {
  const IndexBox all = slab.box();
  // Plane by plane where there are gaps: what lies between is read and left.
  const bool dense = all.size == slab.count;
  const std::int64_t planes = dense ? all.size[2] : 1;
  for (std::int64_t k = 0; k < slab.count[2]; k += planes) {
    IndexBox box = all;
    box.first[2] = slab.start[2] + k * slab.stride[2];
    box.size[2] = planes;
    const std::int64_t most = std::max<std::int64_t>(1, kMostBoxBytes / nodeBytes / planes);
    // A row may be all the points of a mesh.
    const std::int64_t columns = std::min(most, all.size[0]);
    const std::int64_t rows = std::clamp<std::int64_t>(most / columns, 1, all.size[1]);
    for (std::int64_t j = 0; j < all.size[1]; j += rows)
      for (std::int64_t i = 0; i < all.size[0]; i += columns) {
        IndexBox part = box;
        part.first[0] += i;
        part.size[0] = std::min(columns, all.size[0] - i);
        part.first[1] += j;
        part.size[1] = std::min(rows, all.size[1] - j);
        Bytes values(static_cast<std::size_t>(product(part.size) * nodeBytes));
        reader.read(array, step, part, values);
        pick(slab, part, values.data(), to, nodeBytes);
      }
  }
}

void readPages(PageDesk& desk, const std::shared_ptr<ServedSet>& set, std::uint32_t array, std::int64_t step,
               const Slab& slab, std::byte* to) {
  const paging::ArrayDescription& its = set->description().arrays[array];
  const IndexBox all = slab.box();
  Index3 first, last;
  for (int a = 0; a < 3; ++a) {
    const auto at = static_cast<std::size_t>(a);
    first[at] = its.layout.pageAlong(a, all.first[at]);
    last[at] = its.layout.pageAlong(a, all.first[at] + all.size[at] - 1);
  }
  const std::int64_t pages =
      checkedProduct({last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1});
  if (pages > kMostPages)
    throw Invalid("a hyperslab lies in " + std::to_string(pages) + " pages", "ask for it in parts");
  paging::Scratch scratch, padded;
  Bytes nodes;
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i) {
        const IndexBox box = its.layout.boxAt({i, j, k});
        const std::uint64_t page = its.pageNumber(step, linear({i, j, k}, its.layout.pagesPerAxis()));
        const PageBlobPointer blob = desk.fetch(set, array, page);
        nodes.resize(static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
        paging::decodeNodes(its, page,
                            {.bytes = blob->span(),
                             .codec = blob->codec,
                             .hasChecksum = true,
                             .checksum = blob->checksum,
                             .padded = blob->padded},
                            nodes, scratch, padded);
        pick(slab, box, nodes.data(), to, its.nodeBytes());
      }
}

}  // namespace

Bytes valuesOf(PageDesk& desk, const std::shared_ptr<ServedSet>& set, const ValuesRequest& request) {
  check(*set, request);
  const paging::ArrayDescription& array = set->description().arrays[request.array];
  const Slab slab{{request.start[3], request.start[2], request.start[1]},
                  {request.count[3], request.count[2], request.count[1]},
                  {request.stride[3], request.stride[2], request.stride[1]}};
  const auto stepBytes = static_cast<std::size_t>(product(slab.count) * array.nodeBytes());
  Bytes values(stepBytes * static_cast<std::size_t>(request.count[0]));
  for (std::int64_t n = 0; n < request.count[0]; ++n) {
    const std::int64_t step = request.start[0] + n * request.stride[0];
    std::byte* const to = values.data() + stepBytes * static_cast<std::size_t>(n);
    if (const int box = set->boxArray(request.array); box >= 0)
      readBoxes(*set->boxes(), static_cast<std::uint32_t>(box), step, slab, to, array.nodeBytes());
    else
      readPages(desk, set, request.array, step, slab, to);
  }
  return values;
}

}  // namespace farfield::remote
