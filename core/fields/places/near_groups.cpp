#include "core/fields/places/near_groups.h"

#include <algorithm>
#include <tuple>

namespace farfield::fields {
namespace {

constexpr int kBoxComponents = 6;

IndexBox boxOf(const Index3& at, std::int64_t each, const Index3& dims) {
  IndexBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.first[a] = at[a] * each;
    box.size[a] = std::min(each, dims[a] - box.first[a]);
  }
  return box;
}

}  // namespace

NearGroups::NearGroups(PagedData& data, tasks::TaskContext& context, int block)
    // one page at a time, as those of a search
    : m_cursor(data.cache(), context, paging::GatherMode::Copying),
      m_cells(data.description().blocks[static_cast<std::size_t>(block)].cellDims()) {
  for (;;) {
    const int handle = data.handle(block, paging::ArrayRole::LocationBounds, static_cast<int>(m_levels));
    if (handle < 0) break;
    m_cursor.bind(static_cast<std::uint32_t>(handle));
    ++m_levels;
  }
}

std::uint64_t NearGroups::bytes() {
  return kMostWaiting * sizeof(Near);
}

void NearGroups::read(std::size_t level, const IndexBox& groups, Vec3 point, std::vector<Near>& found) {
  std::vector<double> boxes(static_cast<std::size_t>(product(groups.size) * kBoxComponents));
  const paging::GatherTarget target{static_cast<int>(level), boxes.data()};
  m_cursor.gather(groups, {&target, 1});
  for (std::size_t n = 0; n < boxes.size() / kBoxComponents; ++n) {
    const double* const box = boxes.data() + n * kBoxComponents;
    Near near{0,
              level,
              unlinear(static_cast<std::int64_t>(n), groups.size),
              {{box[0], box[1], box[2]}, {box[3], box[4], box[5]}}};
    if (near.bounds.empty()) continue;
    Vec3 away;
    for (int a = 0; a < 3; ++a) {
      near.at[static_cast<std::size_t>(a)] += groups.first[static_cast<std::size_t>(a)];
      away[a] = std::max({near.bounds.min[a] - point[a], 0.0, point[a] - near.bounds.max[a]});
    }
    near.away = length(away);
    found.push_back(near);
  }
}

void NearGroups::visit(Vec3 point, double reach, std::int64_t step,
                       const std::function<double(const CellGroup&)>& visit) {
  if (m_levels == 0) return;
  m_cursor.setStep(step);
  const auto isFarther = [](const Near& a, const Near& b) {
    return std::tie(a.away, a.level, a.at) > std::tie(b.away, b.level, b.at);
  };
  const auto isNearer = [&](const Near& a, const Near& b) { return isFarther(b, a); };
  std::vector<Near> queue, found;  // a heap, the nearest on top
  queue.reserve(kMostWaiting);
  const auto add = [&](std::size_t level, const IndexBox& groups) {
    found.clear();
    read(level, groups, point, found);
    for (const Near& each : found) {
      if (!(each.away < reach)) continue;
      if (queue.size() == kMostWaiting) {
        const auto middle = queue.begin() + kMostWaiting / 2;
        std::nth_element(queue.begin(), middle, queue.end(), isNearer);
        queue.erase(middle, queue.end());
        std::make_heap(queue.begin(), queue.end(), isFarther);
      }
      queue.push_back(each);
      std::push_heap(queue.begin(), queue.end(), isFarther);
    }
  };
  add(m_levels - 1, {{0, 0, 0}, dimsOf(m_levels - 1)});
  while (!queue.empty() && queue.front().away < reach) {
    std::pop_heap(queue.begin(), queue.end(), isFarther);
    const Near next = queue.back();
    queue.pop_back();
    if (next.level == 0)
      reach = visit({boxOf(next.at, kCellsPerGroup, m_cells), next.bounds});
    else
      add(next.level - 1, boxOf(next.at, kGroupsPerGroup, dimsOf(next.level - 1)));
  }
}

}  // namespace farfield::fields
