#include "remote/server/values.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/paging/pages/page_nodes.h"

namespace farfield::remote {
namespace {

// Of one request: who asks for few values from all over the data would keep a thread for as long as all of them are read.
constexpr std::int64_t kMostPages = 4096;
constexpr std::int64_t kMostReadBytes = std::int64_t{1} << 30;
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
  /// Without gaps.
  bool isDense() const { return box().size == count; }
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

[[noreturn]] void failTooLarge(const std::string& where) {
  throw Invalid("a hyperslab lies in " + where, "ask for it in parts");
}

/// A range of values from boxes, of one step after the other.
class BoxValues {
 public:
  BoxValues(const paging::BoxReader& reader, std::uint32_t array, const Slab& slab, std::int64_t steps,
            std::int64_t nodeBytes)
      : m_reader(reader), m_array(array), m_slab(slab), m_nodeBytes(nodeBytes) {
    const Index3& size = slab.box().size;
    if (slab.isDense()) return;  // as many as are answered
    const std::int64_t bytes = checkedProduct({size[0], size[1], slab.count[2], steps, nodeBytes});
    if (bytes > kMostReadBytes) failTooLarge(std::to_string(bytes) + " bytes of values");
  }
  void read(std::int64_t step, std::byte* to, const std::stop_token& stop) const {
    const IndexBox all = m_slab.box();
    // Plane by plane where there are gaps: what lies between is read and left.
    const std::int64_t planes = m_slab.isDense() ? all.size[2] : 1;
    for (std::int64_t k = 0; k < m_slab.count[2]; k += planes) {
      IndexBox box = all;
      box.first[2] = m_slab.start[2] + k * m_slab.stride[2];
      box.size[2] = planes;
      const std::int64_t most = std::max<std::int64_t>(1, kMostBoxBytes / m_nodeBytes / planes);
      // A row may be all the points of a mesh.
      const std::int64_t columns = std::min(most, all.size[0]);
      const std::int64_t rows = std::clamp<std::int64_t>(most / columns, 1, all.size[1]);
      for (std::int64_t j = 0; j < all.size[1]; j += rows)
        for (std::int64_t i = 0; i < all.size[0]; i += columns) {
          if (stop.stop_requested()) throw Cancelled();
          IndexBox part = box;
          part.first[0] += i;
          part.size[0] = std::min(columns, all.size[0] - i);
          part.first[1] += j;
          part.size[1] = std::min(rows, all.size[1] - j);
          Bytes values(static_cast<std::size_t>(product(part.size) * m_nodeBytes));
          m_reader.read(m_array, step, part, values);
          pick(m_slab, part, values.data(), to, m_nodeBytes);
        }
    }
  }

 private:
  const paging::BoxReader& m_reader;
  const std::uint32_t m_array;
  const Slab m_slab;
  const std::int64_t m_nodeBytes;
};

/// The same from pages: those that have a node of it.
class PageValues {
 public:
  PageValues(PageDesk& desk, std::shared_ptr<ServedSet> set, std::uint32_t array, const Slab& slab,
             std::int64_t steps)
      : m_desk(desk), m_set(std::move(set)), m_array(array), m_slab(slab) {
    const paging::PageLayout& layout = m_set->description().arrays[array].layout;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::int64_t n = 0; n < slab.count[a]; ++n) {
        const std::int64_t page = layout.pageAlong(static_cast<int>(a), slab.start[a] + n * slab.stride[a]);
        if (m_pages[a].empty() || m_pages[a].back() != page) m_pages[a].push_back(page);
      }
    const auto along = [&](std::size_t a) { return static_cast<std::int64_t>(m_pages[a].size()); };
    const std::int64_t pages = checkedProduct({along(0), along(1), along(2), steps});
    if (pages > kMostPages) failTooLarge(std::to_string(pages) + " pages");
  }
  void read(std::int64_t step, std::byte* to, const std::stop_token& stop) {
    const paging::ArrayDescription& its = m_set->description().arrays[m_array];
    for (const std::int64_t k : m_pages[2])
      for (const std::int64_t j : m_pages[1])
        for (const std::int64_t i : m_pages[0]) {
          if (stop.stop_requested()) throw Cancelled();
          const IndexBox box = its.layout.boxAt({i, j, k});
          const std::uint64_t page = its.pageNumber(step, linear({i, j, k}, its.layout.pagesPerAxis()));
          const PageBlobPointer blob = m_desk.fetch(m_set, m_array, page);
          m_nodes.resize(static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
          paging::decodeNodes(its, page,
                              {.bytes = blob->span(),
                               .codec = blob->codec,
                               .hasChecksum = true,
                               .checksum = blob->checksum,
                               .padded = blob->padded},
                              m_nodes, m_scratch, m_padded);
          pick(m_slab, box, m_nodes.data(), to, its.nodeBytes());
        }
  }

 private:
  PageDesk& m_desk;
  const std::shared_ptr<ServedSet> m_set;
  const std::uint32_t m_array;
  const Slab m_slab;
  std::array<std::vector<std::int64_t>, 3> m_pages;
  paging::Scratch m_scratch, m_padded;
  Bytes m_nodes;
};

}  // namespace

Bytes valuesOf(PageDesk& desk, const std::shared_ptr<ServedSet>& set, const ValuesRequest& request,
               const std::stop_token& stop) {
  check(*set, request);
  const paging::ArrayDescription& array = set->description().arrays[request.array];
  const Slab slab{{request.start[3], request.start[2], request.start[1]},
                  {request.count[3], request.count[2], request.count[1]},
                  {request.stride[3], request.stride[2], request.stride[1]}};
  const std::int64_t steps = request.count[0];
  const auto stepBytes = static_cast<std::size_t>(product(slab.count) * array.nodeBytes());
  Bytes values;
  const auto readAll = [&](auto&& from) {
    values.resize(stepBytes * static_cast<std::size_t>(steps));
    for (std::int64_t n = 0; n < steps; ++n)
      from.read(request.start[0] + n * request.stride[0],
                values.data() + stepBytes * static_cast<std::size_t>(n), stop);
  };
  if (const int box = set->boxArray(request.array); box >= 0)
    readAll(BoxValues(*set->boxes(), static_cast<std::uint32_t>(box), slab, steps, array.nodeBytes()));
  else
    readAll(PageValues(desk, set, request.array, slab, steps));
  return values;
}

}  // namespace farfield::remote
